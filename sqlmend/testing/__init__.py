"""sqlmend.testing."""
