"""A simulator in the place of a model for the prompts of `sdam` on `mini`: a function of the prompt alone.

It knows the references because it plays a model that sometimes gets them right; a hash of the whole prompt
says when, rules included, so that a wrong recall changes the stream. Its rules are bound to a table that the
prompt shows, and some of them to one that is not there.
"""

from __future__ import annotations

import re
from hashlib import sha256

from tests.simulator import references

_QUESTION = re.compile(r"<question>\n(.*?)\n</question>", re.DOTALL)
_TABLE = re.compile(r'^(?:# Table: |CREATE TABLE )("[^"]+"|\w+)', re.MULTILINE)
_BLOCK = re.compile(r'^# Table: ("[^"]+"|\w+)\n\[\n(.*?)\n\]', re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r'^\(("[^"]+"|\w+)[:,]', re.MULTILINE)


def answer(prompt: str) -> str:
    """The simulated answer to a prompt of `sdam`."""
    cue = prompt.rstrip().rpartition("\n\n")[2]
    chance = int(sha256(prompt.encode()).hexdigest()[:8], 16) % 100
    tables = _TABLE.findall(prompt)
    if "table: column, column" in cue:
        return f"<answer>{tables[chance % len(tables)]}: name, {tables[0]}.name</answer>"
    if "kind | candidates" in cue:
        return (
            "<answer>question | c1 | - | the columns are others</answer>"
            if chance < 30
            else "<answer>none</answer>"
        )
    if "correction:" in cue:
        return f"<answer>{_rule(prompt, chance)}</answer>"
    if "one lesson a line" in cue:
        return f"<answer>Mind {tables[0]}, case {chance}.</answer>"
    if "1 keep: why" in cue:
        return "<answer>1 drop: too special</answer>" if chance < 20 else "<answer>1 keep: true</answer>"
    if "<answer>A</answer>" in cue:
        return "<answer>B</answer>" if chance < 50 else "<answer>A</answer>"
    return _query(prompt, cue, chance)


def _rule(prompt: str, chance: int) -> str:
    shown = [f"{table}.{c}" for table, block in _BLOCK.findall(prompt) for c in _COLUMN.findall(block)]
    anchor = shown[chance % len(shown)] if shown and chance < 80 else "nowhere.nothing"
    return (
        f"type: domain\nanchor: {anchor}\npattern: wrong {chance}\ncondition: case number {chance} is asked"
        f"\ncorrection: look {chance} times at it"
    )


def _query(prompt: str, cue: str, chance: int) -> str:
    found = _QUESTION.search(prompt)
    assert found, "the prompt shows no question"
    sql = references().get(found[1].strip(), "SELECT 1")
    if chance >= 50:
        sql = (
            f"SELECT COUNT(*) FROM ({sql})",
            f"SELECT * FROM ({sql}) LIMIT 1",
            f"SELECT nope{chance} FROM ({sql})",
        )[chance % 3]
    if "<rephrased>" not in cue:
        return f"<answer>{sql}</answer>"
    steps = "<rephrased>in other words</rephrased><tables>t</tables><columns>none</columns>"
    steps += "<functions>SUM</functions>"
    return f"{steps if chance < 80 else ''}<conditions>none</conditions><answer>{sql}</answer>"
