from __future__ import annotations

import pytest

from sqlmend.errors import InputError
from sqlmend.eval import Item, Oracle, Verdict, evaluate_batch
from tests.eval.fake_database import FakeDatabase, rows


@pytest.fixture
def database() -> FakeDatabase:
    return FakeDatabase({"r": rows(1), "right": rows(1), "wrong": rows(2)})


@pytest.fixture
def oracle(database: FakeDatabase) -> Oracle:
    return Oracle({"1": "r", "2": "r"}, {"db": database}, definition="bird")


def test_verdicts_come_in_the_order_of_the_items(oracle: Oracle, database: FakeDatabase) -> None:
    items = [
        Item("1", "db", "right"),
        Item("2", "db", "wrong"),
        Item("1", "db", "wrong"),
        Item("1", "db", "right"),
    ]
    seen: list[tuple[int, Verdict]] = []
    verdicts = evaluate_batch(oracle, items, progress=lambda done, verdict: seen.append((done, verdict)))
    assert [verdict.score for verdict in verdicts] == [1, 0, 0, 1]
    assert seen == list(enumerate(verdicts, 1))
    assert database.ran == {"r": 1, "right": 1, "wrong": 2}


def test_nothing_to_judge(oracle: Oracle) -> None:
    assert evaluate_batch(oracle, []) == []


def test_an_unknown_question_ends_the_batch(oracle: Oracle) -> None:
    with pytest.raises(InputError, match="'3'"):
        evaluate_batch(oracle, [Item("1", "db", "right"), Item("3", "db", "right")])
