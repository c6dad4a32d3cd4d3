"""sqlmend.retrievers."""
