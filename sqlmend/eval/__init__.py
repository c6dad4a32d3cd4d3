"""sqlmend.eval."""
