"""sqlmend.optimize."""
