"""The page on the document store is right."""

from __future__ import annotations

import re
from pathlib import Path

from sqlmend.databases.document import CONSTRUCTS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "documents.md").read_text("utf-8")


def test_the_snippet_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (snippet,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(snippet, {})
    shown = capsys.readouterr().out
    assert "'$group'" in shown
    assert "('distinct',) unsupported translation: distinct: " in shown


def test_every_refusal_is_named():
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(CONSTRUCTS)
