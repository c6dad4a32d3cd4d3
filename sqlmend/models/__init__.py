"""sqlmend.models."""
