"""Scenarios are what they say: the naive statement is refused, the good one answers, the third does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from sqlmend.eval.notes_measure import KINDS, load_scenarios
from sqlmend.eval.notes_measure._machine import Machine
from sqlmend.eval.notes_measure._measure import _noted

SCENARIOS = [pytest.param(scenario, id=scenario.name) for scenario in load_scenarios()]


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    with Machine() as opened:
        yield opened


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_naive_is_refused_and_leaves_a_note(scenario, machine):
    ran = machine.run(scenario, scenario.naive)
    note = _noted(scenario, scenario.naive, ran)
    assert ran.error is not None
    assert (note.error_class, note.score) == (scenario.error_class, 1.0)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_good_answers_and_miss_does_not(scenario, machine):
    miss = machine.run(scenario, scenario.miss)
    assert (miss.error, miss.answers) == (None, False)
    assert (scenario.good is None) == (scenario.kind == "no_alternative")
    if scenario.good is not None:
        good = machine.run(scenario, scenario.good)
        assert (good.error, good.answers) == (None, True)


def test_there_are_enough_of_each_kind():
    counts = Counter(scenario.kind for scenario in load_scenarios())
    assert counts.keys() == KINDS.keys()
    assert min(counts.values()) >= 3
    assert counts.total() >= 12
    assert len({scenario.name for scenario in load_scenarios()}) == counts.total()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_rule_is_hidden_and_a_constraint_is_seen(scenario):
    assert "TRIGGER" not in scenario.ddl
    assert all(f"CREATE TABLE {table} (" in scenario.ddl for table in scenario.tables)
    if scenario.kind == "inferable":
        assert any(word in scenario.ddl for word in ("PRIMARY KEY (", "NOT NULL", "REFERENCES", "CHECK"))


@pytest.mark.parametrize(
    "sql", ["", "-- nothing", "\0", "DROP TRIGGER reserve", "ATTACH 'x' AS y", "SELECT ?"]
)
def test_what_is_no_statement_is_a_refusal(sql, machine):
    for scenario in load_scenarios()[:1] + load_scenarios()[-1:]:
        assert machine.run(scenario, sql).error is not None
