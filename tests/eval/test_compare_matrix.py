"""The full matrix on `mini`: every main program, three orders, budget 3, twins allowed and excluded."""

from __future__ import annotations

import json

import pytest

from sqlmend.eval import read_episodes
from sqlmend.eval.measures import results
from tests.eval.comparisons import start

PROGRAMS = (
    "iterative",
    "dynamic_rag",
    "reflexion",
    "merit",
    "merit_reliability",
    "merit_resample",
    "merit_stop",
)
ORDERS = (0, 1, 2)


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    """All of it on a sample, with its results."""
    out = tmp_path_factory.mktemp("matrix") / "cmp"
    asked = start(out, PROGRAMS, orders=ORDERS, budget=3, sample="8", jobs=4, keep_index=False)
    return asked, results(asked.out)


def test_every_stream_is_finished(matrix):
    asked, found = matrix
    assert len(asked.streams) == (1 + 2 * 6) * len(ORDERS)
    assert (found["complete"], found["missing"]) == (True, [])
    assert len(found["runs"]) == len(asked.streams)
    assert {(row["program"], row["same_group"]) for row in found["programs"]} == {
        ("iterative", None),
        *((name, group) for name in PROGRAMS[1:] for group in ("allow", "exclude")),
    }


def test_all_start_from_the_same_queries_and_keep_to_the_budget(matrix):
    asked, found = matrix
    assert found["provenance"]["initial_equal"] is True
    assert len({row["ex_before"] for row in found["runs"]}) == 1
    for stream in asked.streams:
        episodes = read_episodes(stream.folder(asked.out))
        assert [len(e["attempts"]) <= 4 for e in episodes] == [True] * 8
        assert not any(e["error"] for e in episodes), stream


def test_repetition_ends_where_the_preset_says(matrix):
    asked, _ = matrix
    for stream in asked.streams:
        if stream.program in ("merit_stop", "merit_resample"):
            for episode in read_episodes(stream.folder(asked.out)):
                ran = [attempt["sql"] for attempt in episode["attempts"]]
                repeats = len(ran) - len(set(ran))
                assert repeats == 0 or stream.program == "merit_resample"


def test_the_runs_figures_are_those_of_their_summaries(matrix):
    asked, found = matrix
    rows = {(row["program"], row["same_group"] or "allow", row["order"]): row for row in found["runs"]}
    for stream in asked.streams:
        summary = json.loads((stream.folder(asked.out) / "summary.json").read_text("utf-8"))
        row = rows[stream.program, stream.same_group, stream.order]
        for key in ("n", "ex_before", "ex_after", "failed_initially", "repaired", "calls", "calls_paid"):
            assert row[key] == pytest.approx(summary[key]), (stream, key)
