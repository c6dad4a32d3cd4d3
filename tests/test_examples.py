"""The examples and snippets of failure notes run as they are; they need no model."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_notes_around_sqlite():
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "notes_sqlite.py"], capture_output=True, text=True, check=True
    )
    assert "refused: a shipped order cannot be changed" in done.stdout
    assert "note: Recorded verdict of the machine, not a guess" in done.stdout
    assert "anything else: None" in done.stdout
    assert "on disk: True" in done.stdout


def test_the_snippet_of_the_page():
    page = (ROOT / "docs" / "notes.md").read_text("utf-8")
    (snippet,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-c", snippet], capture_output=True, text=True, check=True)
    assert "constraint_violation 1.0" in done.stdout


def test_the_commands_of_the_page_are_there():
    from sqlmend.cli.notes import command

    page = (ROOT / "docs" / "notes.md").read_text("utf-8")
    assert set(re.findall(r"sqlmend notes (\w+)", page)) == set(command.commands)
