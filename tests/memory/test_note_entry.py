"""Failure notes as entries of a memory."""

import json

import pytest

from sqlmend.errors import InputError
from sqlmend.memory import KINDS, NoteEntry

ENTRY = NoteEntry(
    "q1", "Q?", "db", "sqlite", "sha256:0", "select x", "schema_reference", "no such column: x", ""
)


def test_an_entry_survives_its_line():
    assert KINDS[ENTRY.kind].from_dict(json.loads(json.dumps(ENTRY.to_dict()))) == ENTRY
    assert ENTRY.failure_type == "schema_reference"


def test_its_refusal_is_found_under_its_id():
    refusal = ENTRY.refusal
    assert (refusal.id, refusal.key.shape, refusal.at) == (ENTRY.id, "select x", "")


@pytest.mark.parametrize(
    "change", [{"shape": 3}, {"backend": "oracle"}, {"error_class": "mood"}, {"at": "now"}]
)
def test_anything_else_is_refused(change):
    with pytest.raises(InputError):
        NoteEntry.from_dict({**ENTRY.to_dict(), **change})
