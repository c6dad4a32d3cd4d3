"""``python -m sqlmend``."""

from sqlmend.cli import main

main()
