from dataclasses import replace

import pytest

from sqlmend.memory import Execution
from sqlmend.modules import Remember

WRONG = Execution("SELECT nme FROM city", "unknown_column", "no such column: nme")
OTHER = Execution("SELECT id FROM city", "mismatch")
RIGHT = Execution("SELECT name FROM city", "match")


def remember(attempts, types, solved):
    return Remember()(
        question_id="7",
        question="Which cities are there?",
        db_id="geo",
        schema="CREATE TABLE city (name TEXT)",
        schema_fingerprint="sha256:0",
        evidence="",
        attempts=attempts,
        failure_types=types,
        solved=solved,
    ).entry


def test_a_repair_leaves_the_step_into_the_confirmed_query():
    entry = remember([WRONG, OTHER, RIGHT], ["schema_linking", "result_mismatch", None], True)
    assert (entry.polarity, entry.before, entry.after) == ("positive", OTHER, RIGHT)
    assert entry.failure_type == "result_mismatch"
    assert "name" in entry.delta


def test_an_exhausted_budget_leaves_its_last_step():
    entry = remember([WRONG, OTHER, WRONG], ["schema_linking", "result_mismatch", "schema_linking"], False)
    assert (entry.polarity, entry.before, entry.after) == ("negative", OTHER, WRONG)
    assert entry.failure_type == "result_mismatch"


@pytest.mark.parametrize(("attempt", "solved"), [(RIGHT, True), (WRONG, False)])
def test_without_a_revision_nothing_is_left(attempt, solved):
    assert remember([attempt], [None], solved) is None


def test_the_id_is_of_the_content_alone():
    entry = remember([WRONG, RIGHT], ["schema_linking", None], True)
    assert entry.id == remember([WRONG, RIGHT], ["schema_linking", None], True).id
    assert entry.id != replace(entry, question="Another?").id
