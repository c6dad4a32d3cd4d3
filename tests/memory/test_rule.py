"""Rules as entries of a memory."""

import json

import pytest

from sqlmend.errors import InputError
from sqlmend.memory import Rule, RuleEntry

RULE = Rule("domain", "a = 'x'", "when", "use a = 'y'", ("t.a",))
ENTRY = RuleEntry("q1", "Q?", "db", "sha256:0", "schema/value", RULE)


def test_an_entry_survives_its_line():
    assert RuleEntry.from_dict(json.loads(json.dumps(ENTRY.to_dict()))) == ENTRY
    assert ENTRY.kind == "rules"
    assert ENTRY.id == RuleEntry.from_dict(ENTRY.to_dict()).id


def test_another_content_is_another_id():
    other = Rule("domain", "a = 'x'", "when", "use a = 'z'", ("t.a",))
    assert RuleEntry("q1", "Q?", "db", "sha256:0", "schema/value", other).id != ENTRY.id


DATA = ENTRY.to_dict()["rule"]


@pytest.mark.parametrize(
    "change",
    [
        {"rule": {}},
        {"rule": None},
        {"origin": 1},
        {"extra": ""},
        {"rule": {**DATA, "type": "mood"}},
        {"rule": {**DATA, "anchors": "t.a"}},
        {"rule": {**DATA, "anchors": [1]}},
    ],
)
def test_anything_else_is_refused(change):
    with pytest.raises(InputError):
        RuleEntry.from_dict({**ENTRY.to_dict(), **change})
