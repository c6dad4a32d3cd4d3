"""sqlmend.modules."""
