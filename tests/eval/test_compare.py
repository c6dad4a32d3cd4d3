"""Comparisons on `mini` with the simulator: same start, own streams, the same with any number of jobs."""

from __future__ import annotations

import itertools
import json
import threading
from collections import Counter

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval import EpisodeDone
from sqlmend.eval.comparison import compare, read_config
from sqlmend.programs import load_program
from tests.eval.comparisons import episodes_of, request, start
from tests.eval.runs import reproducible
from tests.eval.runs import start as start_run
from tests.simulator import answer

PROGRAMS = ("iterative", "merit:no_negative")


def summaries(asked):
    return {
        stream: json.loads((stream.folder(asked.out) / "summary.json").read_text("utf-8"))
        for stream in asked.streams
    }


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A finished comparison, one stream at a time."""
    return start(tmp_path_factory.mktemp("compare") / "alone", PROGRAMS, orders=(0, 1), sample="8")


@pytest.fixture(scope="module")
def together(tmp_path_factory):
    """The same, eight streams at a time, with a memo of its own."""
    return start(tmp_path_factory.mktemp("compare") / "together", PROGRAMS, orders=(0, 1), sample="8", jobs=8)


def test_a_stream_is_an_ordinary_run(alone, tmp_path):
    stream = next(
        s for s in alone.streams if (s.program, s.same_group, s.order) == ("merit.no_negative", "exclude", 1)
    )
    sets = ("budget=2", "recall.same_group=exclude")
    start_run(tmp_path / "run", "merit:no_negative", sets=sets, sample="8", order=1, memo=tmp_path / "memo")
    theirs, ours = reproducible(stream.folder(alone.out)), reproducible(tmp_path / "run")
    # A run of its own pays for everything itself and was not selected on the command line.
    for files in (theirs, ours):
        summary = json.loads(files.pop("summary.json"))
        assert summary["calls"] > summary["n"]
    assert theirs == ours


def test_all_programs_start_from_the_same_queries_and_each_counts_them(alone):
    found = summaries(alone)
    assert len({summary["provenance"]["initial_hash"] for summary in found.values()}) == 1
    assert all(summary["calls"] >= summary["n"] for summary in found.values())
    # What one has paid for no other pays for: the memo holds an answer for each call that was paid.
    memo = alone.out.with_name(f"{alone.out.name}-memo")
    paid = sum(summary["calls_paid"] for summary in found.values())
    assert paid == sum(1 for _ in memo.glob("??/*.json")) < sum(s["calls"] for s in found.values())


def test_eight_jobs_give_the_bytes_of_one(alone, together):
    assert episodes_of(together) == episodes_of(alone)
    paid, calls = (
        [sum(s[name] for s in summaries(asked).values()) for asked in (alone, together)]
        for name in ("calls_paid", "calls")
    )
    assert paid[0] == paid[1]
    assert calls[0] == calls[1]


def test_the_folder_says_what_was_compared(alone):
    config = read_config(alone.out)
    assert [p["key"] for p in config["programs"]] == ["iterative", "merit.no_negative"]
    preset = load_program("merit:no_negative", ["budget=2"]).preset
    assert config["programs"][1]["preset"] == preset.to_data()
    assert config["pairs"] == [["iterative", "merit.no_negative"]]
    assert (config["orders"], config["same_group"], config["budget"]) == ([0, 1], ["allow", "exclude"], 2)
    assert len(config["questions"]) == 8
    assert str(alone.out) not in json.dumps(config)


def test_resuming_what_is_finished_asks_nothing_and_changes_nothing(alone):
    before = episodes_of(alone), summaries(alone)

    def refuse(prompt):
        raise AssertionError("the model was asked")

    events = []
    again = request(alone.out, PROGRAMS, orders=(0, 1), sample="8", reply=answer, resume=True, jobs=3)
    again.lm.backend._answer = refuse
    with again.benchmark:
        compare(again, [lambda *event: events.append(event)])
    assert events == []
    assert (episodes_of(again), summaries(again)) == before


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"orders": (0, 1, 2)}, "orders was [0, 1], is now [0, 1, 2]"),
        ({"same_groups": ("allow",)}, "same_group"),
        ({"budget": 3}, "budget"),
        ({"sample": "7"}, "data_hash"),
        ({"seed": 1}, "seed was 0, is now 1"),
        ({"pairs": (("merit.no_negative", "iterative"),)}, "pairs"),
        ({"definition": "bird"}, "definition was"),
        ({"timeout_s": 5.0}, "timeout_s"),
        ({"programs": ("iterative", "merit")}, "programs"),
    ],
)
def test_resume_refuses_another_configuration_and_names_it(alone, changes, says):
    asked = request(
        alone.out, **{"programs": PROGRAMS, "orders": (0, 1), "sample": "8", **changes}, resume=True
    )
    with asked.benchmark, pytest.raises(InputError, match="another comparison") as error:
        compare(asked)
    assert any(says in difference for difference in error.value.context["differences"])


def test_an_occupied_folder_is_refused(alone):
    asked = request(alone.out, PROGRAMS, orders=(0, 1), sample="8")
    with asked.benchmark, pytest.raises(InputError, match="--resume"):
        compare(asked)


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_systemic_failure_stops_all_and_the_rest_goes_on_later(tmp_path, alone, jobs):
    calls = itertools.count()

    def dies(prompt):
        if next(calls) >= 12:
            raise SqlmendError("lm_unreachable", "nobody answers", hint="start the server")
        return answer(prompt)

    folder = tmp_path / "cmp"
    broken = request(folder, PROGRAMS, orders=(0, 1), sample="8", jobs=jobs)
    broken.lm.backend._answer = dies
    with broken.benchmark, pytest.raises(SqlmendError, match="nobody answers") as error:
        compare(broken)
    assert error.value.code == "lm_unreachable"
    assert "same group" in error.value.message
    whole = start(folder, PROGRAMS, orders=(0, 1), sample="8", jobs=jobs, resume=True)
    assert episodes_of(whole) == episodes_of(alone)
    assert sum(s["calls_paid"] for s in summaries(whole).values()) == sum(
        s["calls_paid"] for s in summaries(alone).values()
    )


def test_a_model_that_never_answers_alike_is_asked_once_for_each_prompt(tmp_path):
    """Served models are not bit-stable: without one payer, streams side by side would start apart."""
    asked, lock, number = Counter(), threading.Lock(), itertools.count()

    def unstable(prompt):
        with lock:
            asked[prompt] += 1
        return f"<answer>SELECT {next(number)}, 'unstable'</answer>"

    done = start(tmp_path / "cmp", PROGRAMS, orders=(0, 1), sample="6", budget=1, jobs=8, reply=unstable)
    assert set(asked.values()) == {1}
    assert len({s["provenance"]["initial_hash"] for s in summaries(done).values()}) == 1


def test_observers_are_told_of_every_episode_of_every_stream(tmp_path):
    lock, seen = threading.Lock(), Counter()

    def observe(stream, event):
        with lock:
            seen[stream] += isinstance(event, EpisodeDone)

    asked = request(tmp_path / "cmp", ("iterative",), orders=(0, 1, 2), sample="5", jobs=3)
    with asked.benchmark:
        compare(asked, [observe])
    assert seen == dict.fromkeys(asked.streams, 5)


@pytest.mark.parametrize(
    "changes",
    [{"jobs": 0}, {"orders": ()}, {"orders": (1, 1)}, {"orders": (-1,)}, {"resamples": 0}, {"unit": "x"}],
)
def test_values_out_of_range_are_refused(tmp_path, changes):
    with pytest.raises(InputError):
        request(tmp_path / "cmp", **changes)


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([("merit:no_negative", "iterative")], "did you mean merit.no_negative"),
        ([("merit.no_negative", "itertive")], "iterative"),
        ([("iterative", "iterative")], "against itself"),
        ([("merit.no_negative", "iterative"), ("iterative", "merit.no_negative")], "twice"),
        ([("iterative",)], "a pair is two programs"),
        ("merit.no_negative:iterative", "a pair is two programs"),
    ],
)
def test_pairs_that_are_none_are_refused_before_anything_runs(tmp_path, pairs, says):
    with pytest.raises(InputError) as error:
        request(tmp_path / "cmp", ("iterative", "merit:no_negative"), pairs=pairs)
    assert says in str(error.value)
    asked = request(
        tmp_path / "cmp", ("iterative", "merit:no_negative"), pairs=[["merit.no_negative", "iterative"]]
    )
    assert [tuple(pair) for pair in asked.chosen_pairs] == [("merit.no_negative", "iterative")]
