"""Twins: where only a twin can help, `allow` shows a gain and `exclude` does not (a constructed stream)."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import pytest

from sqlmend.eval import load_benchmark
from tests.eval.comparisons import start

ZONES = 5
TEACHER, PUPIL = "How many animals live in zone {}?", "Give the number of animals of zone {}."


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """A benchmark of pairs of questions with the same reference, in Spider's layout."""
    root = tmp_path_factory.mktemp("twins")
    folder = root / "database" / "zoo"
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "zoo.sqlite")) as database, database:
        database.execute("CREATE TABLE animals (zone INTEGER, name TEXT)")
        rows = [(zone, f"animal {n}") for zone in range(ZONES) for n in range(zone + 1)]
        database.executemany("INSERT INTO animals VALUES (?, ?)", rows)
    questions = [
        {"db_id": "zoo", "question": form.format(zone), "query": reference(zone)}
        for zone in range(ZONES)
        for form in (TEACHER, PUPIL)
    ]
    (root / "dev.json").write_text(json.dumps(questions))
    return f"spider:{root}"


def reference(zone):
    return f"SELECT count(*) FROM animals WHERE zone = {zone}"


def answer(prompt):
    """A simulator: always wrong at first; a teacher mends itself, a pupil only where it is shown how."""
    question = re.search(r"<question>\n(.*?)\n</question>", prompt, re.DOTALL)[1]
    zone = int(re.search(r"\d+", question)[0])
    right = reference(zone)
    knows = "<history>" in prompt and (question == TEACHER.format(zone) or right in prompt)
    return f"<answer>{right if knows else f'SELECT heads FROM animals WHERE zone = {zone}'}</answer>"


def test_only_twins_help_and_only_where_they_are_allowed(tmp_path, twins):
    with load_benchmark(twins) as benchmark:
        assert len(set(benchmark.groups.values())) == ZONES
        done = start(
            tmp_path / "cmp",
            ("iterative", "merit"),
            reply=answer,
            benchmark=benchmark,
            orders=(0, 1),
            budget=1,
            keep_index=False,
        )
    ex = {
        (stream.program, stream.same_group, stream.order): json.loads(
            (stream.folder(done.out) / "summary.json").read_text()
        )["ex_after"]
        for stream in done.streams
    }
    for order in (0, 1):
        assert ex["iterative", "allow", order] == 0.5  # the teachers
        assert ex["merit", "exclude", order] == 0.5
        assert ex["merit", "allow", order] > 0.5
