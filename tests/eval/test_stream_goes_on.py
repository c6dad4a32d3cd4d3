"""How a stream goes on after what stopped it: failures that all meet, a database gone, a memory changed."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sqlmend.errors import SqlmendError
from sqlmend.eval import Benchmark, EpisodeDone, load_benchmark, run
from sqlmend.eval._selection import order as in_order
from sqlmend.memory import KINDS, Memory, import_memory
from tests.eval.runs import broken_from, entries, episodes, killed, reproducible, request, start
from tests.simulator import answer


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    start(folder, sample="12")
    return folder


@pytest.mark.parametrize("call", [1, 5])
def test_failures_that_all_meet_stop_the_run_and_their_questions_run_again(tmp_path, whole, call):
    folder = tmp_path / "run"
    for first, count in ((call, 3), (1, 6)):
        with pytest.raises(SqlmendError, match=rf"{count} questions in a row.*run again") as caught:
            start(folder, sample="12", reply=broken_from(first), memo=tmp_path / "memo", resume=True)
        assert caught.value.code == "repeated_failure"
        assert not [episode for episode in episodes(folder) if episode["error"]]
    assert bool(episodes(folder)) is (call > 1)
    start(folder, sample="12", memo=tmp_path / "memo", resume=True)
    assert reproducible(folder) == reproducible(whole)


def test_a_run_killed_among_its_failures_runs_them_again(tmp_path, whole):
    folder = tmp_path / "run"
    killed(folder, 2, sample="12", reply=broken_from(1), memo=tmp_path / "memo")
    start(folder, sample="12", memo=tmp_path / "memo", resume=True)
    assert reproducible(folder) == reproducible(whole)


def test_what_failed_before_another_question_went_through_stays_failed(tmp_path):
    victims = [question.text for question in load_benchmark("mini").select(sample="12").questions[:2]]

    def refuses_two(prompt):
        if any(f"<question>\n{text}\n</question>" in prompt for text in victims):
            raise SqlmendError("lm_request", "I will not")
        return answer(prompt)

    start(tmp_path / "whole", sample="12", reply=refuses_two)
    last = max(episode["position"] for episode in episodes(tmp_path / "whole") if episode["error"])
    killed(tmp_path / "run", last + 1, sample="12", reply=refuses_two)
    start(tmp_path / "run", sample="12", reply=refuses_two, resume=True)
    assert reproducible(tmp_path / "run") == reproducible(tmp_path / "whole")
    start(tmp_path / "run", sample="12", reply=refuses_two, resume=True)
    assert reproducible(tmp_path / "run") == reproducible(tmp_path / "whole")


def steps_of(folder):
    return [json.loads(line) for line in (folder / "steps.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("first", "count", "stops"), [(2, 4, [3]), (2, 7, [3, 6]), (0, 3, [3]), (8, 4, [3]), (10, 2, [])]
)
def test_neighbours_that_fail_for_a_reason_of_their_own_hold_no_run_for_good(tmp_path, first, count, stops):
    questions = in_order(load_benchmark("mini").select(sample="12").questions, 0)
    victims = [question.text for question in questions[first : first + count]]

    def filters(prompt):
        if any(f"<question>\n{text}\n</question>" in prompt for text in victims):
            raise SqlmendError("lm_request", "content filter")
        return answer(prompt)

    folder, asked = tmp_path / "run", {"sample": "12", "reply": filters, "resume": True}
    for alike in stops:
        with pytest.raises(SqlmendError, match=rf"{alike} questions in a row.*resume all the same"):
            start(folder, **asked)
        assert len(episodes(folder)) == first
    if stops:
        shutil.copytree(folder, tmp_path / "killed")
    assert start(folder, **asked)["errors"] == count
    failed = [episode["position"] for episode in episodes(folder) if episode["error"]]
    assert failed == list(range(first, first + count))
    assert [line["position"] for line in steps_of(folder) if "stopped" in line] == [first] * len(stops)
    # However far it was when it was killed, it looks as far as the stops say and ends alike.
    killed(tmp_path / "killed", first + count - 1, **asked)
    start(tmp_path / "killed", **asked)
    assert reproducible(tmp_path / "killed") == reproducible(folder)


def test_failures_to_learn_that_all_meet_take_their_entries_back(tmp_path, monkeypatch):
    asked = {"program": "sdam_repair", "sets": ("budget=1",), "sample": "8"}
    start(tmp_path / "whole", **asked, memo=tmp_path / "memo-whole")
    asked["memo"] = tmp_path / "memo"

    def fail(step, episode):
        raise ValueError("nothing can be learnt")

    folder = tmp_path / "run"
    with monkeypatch.context() as patched:
        patched.setattr("sqlmend.programs.steps._learn.ExtractRulesStep.forward", fail)
        with pytest.raises(SqlmendError, match="3 questions in a row"):
            start(folder, **asked)
    assert (episodes(folder), entries(folder)) == ([], {})
    start(folder, **asked, resume=True)
    assert reproducible(folder) == reproducible(tmp_path / "whole")


@pytest.fixture
def moved(tmp_path):
    """Questions of one database of `mini`, which lies where a test may take it away."""
    mini = load_benchmark("mini")
    db_id = mini.db_ids[0]
    file = shutil.copyfile(mini.files(db_id)[0], tmp_path / "moved.sqlite")
    split = replace(mini._split, files={**mini._split.files, db_id: (file,)})
    return Benchmark(split).select(databases=[db_id], sample="8"), file


@pytest.mark.parametrize("program", ["merit", "sdam_small"])
def test_a_database_that_goes_away_stops_the_run_and_costs_no_question(tmp_path, moved, program):
    chosen, file = moved
    start(tmp_path / "whole", program, benchmark=chosen)
    asked = request(tmp_path / "run", program, benchmark=chosen)

    def take_away(event):
        if isinstance(event, EpisodeDone) and event.record["position"] == 2:
            file.rename(tmp_path / "away.sqlite")

    with pytest.raises(SqlmendError, match="gone or out of reach") as caught:
        run(asked, observers=[take_away])
    assert caught.value.code == "database_unreadable"
    assert len(episodes(tmp_path / "run")) == 3
    for written in tmp_path.joinpath("run").rglob("*"):
        assert not written.is_file() or str(tmp_path).encode() not in written.read_bytes()
    (tmp_path / "away.sqlite").rename(file)
    start(tmp_path / "run", program, benchmark=chosen, resume=True)
    assert reproducible(tmp_path / "run") == reproducible(tmp_path / "whole")


def test_an_unfinished_run_goes_on_with_its_own_memory_alone(tmp_path, whole):
    folder = tmp_path / "run"
    killed(folder, 9, sample="12")
    before = entries(folder)
    assert before
    start(tmp_path / "other", sample="14:3")
    shutil.copytree(folder, tmp_path / "retired")
    with Memory(folder / "memory", write=True) as memory:
        assert import_memory(memory, tmp_path / "other" / "memory").added
    with Memory(tmp_path / "retired" / "memory", write=True) as memory:
        memory.retire(next(iter(before)))
    for place, words in ((folder, "records that are not of the run"), (tmp_path / "retired", "lacks 1 rec")):
        with pytest.raises(SqlmendError, match=rf"{words}.*--memory") as caught:
            start(place, sample="12", resume=True)
        assert caught.value.code == "changed_memory"
        assert len(episodes(place)) == 9
    with Memory(folder / "memory", write=True) as memory:
        memory.forget(entries(folder).keys() - before.keys(), purge=True)
    start(folder, sample="12", resume=True)
    assert reproducible(folder) == reproducible(whole)


def test_a_run_that_began_with_a_memory_goes_on_with_it_and_no_more(tmp_path, whole):
    start(tmp_path / "one", memory=whole, order=1, sample="12:3")
    killed(tmp_path / "run", 5, memory=whole, order=1, sample="12:3")
    shutil.copytree(tmp_path / "run", tmp_path / "purged")
    start(tmp_path / "run", memory=whole, order=1, sample="12:3", resume=True)
    assert reproducible(tmp_path / "run") == reproducible(tmp_path / "one")
    with Memory(tmp_path / "purged" / "memory", write=True) as memory:
        memory.forget([next(iter(entries(whole)))], purge=True)
    with pytest.raises(SqlmendError, match="lacks 1 records of the run"):
        start(tmp_path / "purged", memory=whole, order=1, sample="12:3", resume=True)


def test_a_finished_run_may_be_curated(tmp_path, whole):
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    one, other = list(entries(folder))[:2]
    with Memory(folder / "memory", write=True) as memory:
        memory.retire(one)
        memory.forget([other], purge=True)
    start(folder, sample="12", resume=True)
    live = {record.id for kind in KINDS for record in Memory(folder / "memory").records(kind)}
    assert live == entries(whole).keys() - {one, other}
    assert (folder / "episodes.jsonl").read_bytes() == (whole / "episodes.jsonl").read_bytes()


def test_a_finished_run_keeps_what_its_summary_says_it_was_made_with(tmp_path, whole, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    before = (folder / "summary.json").read_bytes()
    monkeypatch.setattr("sqlmend.eval._run.versions", lambda: {"sqlmend": "9.9"})
    assert start(folder, sample="12", resume=True) == json.loads(before)
    assert (folder / "summary.json").read_bytes() == before
    (folder / "summary.json").unlink()
    assert start(folder, sample="12", resume=True)["provenance"]["versions"] == {"sqlmend": "9.9"}


def test_the_steps_of_an_episode_are_on_disk_before_it(tmp_path, monkeypatch):
    synced = []

    def sync(handle):
        found = Path(f"/proc/self/fd/{handle}").readlink()
        lines = found.read_text().splitlines() if found.suffix == ".jsonl" else []
        synced.append((found.name, lines[-1:] and json.loads(lines[-1]).get("step")))

    monkeypatch.setattr(os, "fsync", sync)
    start(tmp_path / "run", sample="2")
    at = [n for n, (name, _) in enumerate(synced) if name == "episodes.jsonl"]
    assert len(at) == 2
    assert all(synced[n - 1][0] == "steps.jsonl" for n in at)
    assert synced[at[0] - 1][1] in ("observe", "remember")
