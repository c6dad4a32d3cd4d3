"""What people are shown of an entry."""

import pytest

from sqlmend.cli._taught import taught
from sqlmend.databases import delta
from sqlmend.memory import Execution
from sqlmend.testing import repair_entry

FAILED = Execution("SELECT nme FROM city", "unknown_column", "no such column: nme")
WRONG = Execution("SELECT name FROM town", "mismatch", None)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (FAILED, WRONG, "SELECT: nme -> name\nFROM: city -> town"),
        (FAILED, FAILED, "the same query again: unknown_column, no such column: nme"),
        (WRONG, WRONG, "the same query again: mismatch"),
    ],
)
def test_a_repair_teaches_by_what_it_changed_and_a_repetition_by_what_came_of_it(before, after, words):
    entry = repair_entry(
        before=before, after=after, delta=delta(before.sql, after.sql), failure_type="schema_linking"
    )
    assert taught(entry) == words
