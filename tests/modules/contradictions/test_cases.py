"""Findings on `mini`: three kinds of faults and clean controls, counted on two halves of each table.

The halves are told apart by a hash of the case's id: the finder was written with one before its eyes, and
the other was looked at when it was finished.
"""

import hashlib
import json
from pathlib import Path as File

import pytest

from sqlmend.eval import load_benchmark
from sqlmend.modules.contradictions import find
from sqlmend.modules.tree import Candidate, Path

FOLDER = File(__file__).parents[2] / "cases" / "contradictions"
TABLES = {
    name: json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    for name in ("schema", "structure", "question", "clean")
}


def half(case):
    return ("seen", "held out")[hashlib.sha256(case["id"].encode()).digest()[-1] % 2]


@pytest.fixture(scope="module")
def found():
    """Findings by case id."""
    benchmark = load_benchmark("mini")
    databases = {name: benchmark.open(name) for name in benchmark.db_ids}
    return {
        case["id"]: find(
            [Candidate(f"c{n}", Path(sql=sql)) for n, sql in enumerate(case["candidates"], 1)],
            databases[case["db"]],
            case["question"],
            case["evidence"],
        )
        for table in TABLES.values()
        for case in table
    }


def right(finding, case):
    """Whether a finding is one that the case was written for."""
    return any(
        finding.kind == expected["kind"]
        and finding.code in expected["codes"]
        and set(expected["of"]) <= set(finding.candidates)
        for expected in case["expect"]
    )


def figures(found, wanted):
    """Recall of each kind, and (right, all) findings, of the cases that are ``wanted``."""
    recall, counts = {}, [0, 0]
    for name, table in TABLES.items():
        cases = [case for case in table if wanted(case)]
        hits = [any(right(finding, case) for finding in found[case["id"]]) for case in cases]
        recall[name] = (sum(hits), len(cases))
        for case in cases:
            counts[0] += sum(right(finding, case) for finding in found[case["id"]])
            counts[1] += len(found[case["id"]])
    return recall, counts


def test_the_tables_are_long_enough():
    assert len(TABLES["schema"]) >= 25
    assert len(TABLES["structure"]) >= 25
    assert len(TABLES["question"]) >= 10
    assert len(TABLES["clean"]) >= 60
    assert not any(case["expect"] for case in TABLES["clean"])


@pytest.mark.parametrize("part", ["seen", "held out", "all"])
def test_recall_and_precision(found, part, capsys):
    recall, (true, every) = figures(found, lambda case: part in ("all", half(case)))
    with capsys.disabled():
        shown = ", ".join(f"{name} {hits}/{n}" for name, (hits, n) in recall.items() if name != "clean")
        clean = recall["clean"][1]
        print(f"\nfindings, {part}: recall {shown}; precision {true}/{every} with {clean} controls")  # noqa: T201
    if part == "all":
        for kind in ("schema", "structure"):
            hits, n = recall[kind]
            assert hits >= 0.9 * n
        assert true >= 0.95 * every
