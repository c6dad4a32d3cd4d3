"""The gate without a model, on `mini`: hallucinated rules are refused, true ones are kept."""

import json
from pathlib import Path

import pytest

from sqlmend.eval import load_benchmark
from sqlmend.memory import Rule
from sqlmend.modules.contradictions import Facts
from sqlmend.modules.rules import check_rules

FOLDER = Path(__file__).parents[2] / "cases" / "rules"
REJECTED, KEPT = (json.loads((FOLDER / f"{name}.json").read_text("utf-8")) for name in ("rejected", "kept"))


@pytest.fixture(scope="module")
def databases():
    benchmark = load_benchmark("mini")
    return {name: benchmark.open(name) for name in benchmark.db_ids}


def judge(case, databases, **settings):
    database = databases[case["db"]]
    rules = [Rule.from_dict(data) for data in (*case["kept"], case["rule"])]
    return check_rules(rules[-1:], rules[:-1], database.schema(), Facts(database), **settings)[0]


def test_the_tables_are_long_enough():
    assert len(REJECTED) >= 40
    assert len(KEPT) >= 40


@pytest.mark.parametrize("case", REJECTED, ids=lambda case: case["id"])
def test_hallucinated_rules_are_rejected(case, databases):
    judged = judge(case, databases)
    assert (judged.kept, judged.code) == (False, case["reason"])
    assert judged.reason


@pytest.mark.parametrize("case", KEPT, ids=lambda case: case["id"])
def test_true_rules_are_kept(case, databases):
    judged = judge(case, databases)
    assert judged.kept, judged.reason
    assert len(judged.rule.anchors) == len(case["rule"]["anchors"])
