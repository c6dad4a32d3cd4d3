"""The content of the bundled benchmark, judged with Python's own sqlite3: it leans on none of our code."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

MINI = Path(__file__).parents[2] / "sqlmend" / "eval" / "data" / "mini"
SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(MINI.glob("databases/*.sql"))}
QUESTIONS = [json.loads(line) for line in (MINI / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
TWINS = Counter((question["db_id"], question["SQL"]) for question in QUESTIONS)
ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?")
OTHER_DATE = re.compile(r"\d\d[./-]\d\d[./-]\d{4}|\d{4}/\d\d/\d\d|20\d{6}")

Rows = list[tuple[Any, ...]]


class Built(NamedTuple):
    """One database in memory and what is asked of it."""

    script: str
    db: sqlite3.Connection
    references: list[str]

    @property
    def tables(self) -> dict[str, Rows]:
        names = [name for (name,) in self.db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: self.db.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


@pytest.fixture(scope="module", params=SCRIPTS)
def built(request: pytest.FixtureRequest) -> Iterator[Built]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("PRAGMA foreign_keys = ON")
        db.executescript(SCRIPTS[request.param])
        yield Built(SCRIPTS[request.param], db, [sql for db_id, sql in TWINS if db_id == request.param])


def reordered(built: Built, order: Callable[[Rows], Iterable[tuple[Any, ...]]]) -> sqlite3.Connection:
    """The same rows stored in another order, without the keys and indexes that would put them back."""
    copy = sqlite3.connect(":memory:")
    for table, rows in built.tables.items():
        columns = built.db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
        declared = ", ".join(f'"{name}" {kind}' for name, kind in columns)
        copy.execute(f'CREATE TABLE "{table}" ({declared})')
        copy.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})', order(rows))
    return copy


def shuffled(seed: int) -> Callable[[Rows], Rows]:
    return lambda rows: random.Random(seed).sample(rows, len(rows))


def is_ordered(sql: str) -> bool:
    """Whether the outermost query has an ORDER BY: what stands in parentheses is taken out first."""
    while (outside := re.sub(r"\([^()]*\)", "", sql)) != sql:
        sql = outside
    return "ORDER BY" in sql


def test_a_script_only_creates_and_fills_tables(built: Built) -> None:
    script = re.sub(r"^--.*$", "", built.script, flags=re.MULTILINE)
    parts = [part.split() for part in re.split(r";\s*$", script, flags=re.MULTILINE)]
    assert {" ".join(part[:2]) for part in parts if part} == {"CREATE TABLE", "INSERT INTO"}
    assert not re.search(r"\b(ATTACH|PRAGMA)\b", script, re.IGNORECASE)


def test_a_database_is_small_and_linked(built: Built) -> None:
    assert 3 <= len(built.tables) <= 6
    assert all(15 <= len(rows) <= 80 for rows in built.tables.values())
    assert built.db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert built.script.count(" REFERENCES ") >= 3


def test_a_database_has_dates_of_two_forms_nulls_and_accents(built: Built) -> None:
    columns = [column for rows in built.tables.values() for column in zip(*rows, strict=True)]

    def dated(form: re.Pattern[str]) -> bool:
        return any(
            all(isinstance(value, str) and form.fullmatch(value) for value in column) for column in columns
        )

    assert dated(ISO_DATE)
    assert dated(OTHER_DATE)
    assert any(None in column for column in columns)
    assert not built.script.isascii()


def test_the_benchmark_is_large_and_varied_enough() -> None:
    assert len(SCRIPTS) >= 5
    assert len(QUESTIONS) >= 144
    assert sum(n for n in TWINS.values() if n > 1) * 3 >= len(QUESTIONS)
    assert max(TWINS.values()) <= 3
    assert sum(bool(question["evidence"]) for question in QUESTIONS) >= 30
    levels = Counter(question["difficulty"] for question in QUESTIONS)
    assert set(levels) == {"simple", "moderate", "challenging"}
    assert min(levels.values()) >= 0.15 * len(QUESTIONS)


def test_every_question_is_complete_and_its_own() -> None:
    fields = ["question_id", "db_id", "question", "evidence", "SQL", "difficulty"]
    assert all(list(question) == fields for question in QUESTIONS)
    assert {question["db_id"] for question in QUESTIONS} == set(SCRIPTS)
    assert all(re.fullmatch(r"[a-z]+-\d{3}", question["question_id"]) for question in QUESTIONS)
    assert len({question["question_id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({(question["db_id"], question["question"].casefold()) for question in QUESTIONS}) == len(
        QUESTIONS
    )


def test_twins_share_all_but_the_wording() -> None:
    shared = {(q["db_id"], q["SQL"], q["evidence"], q["difficulty"]) for q in QUESTIONS}
    assert len(shared) == len(TWINS)
    # Two spellings of one reference would be twins that no group shows.
    assert len({(db_id, " ".join(sql.casefold().split())) for db_id, sql in TWINS}) == len(TWINS)


def test_no_reference_reads_the_clock_or_a_random_number() -> None:
    clock = re.compile(r"CURRENT_|'now'|RANDOM|DATE\(\)|TIME\(\)", re.IGNORECASE)
    assert [sql for _, sql in TWINS if clock.search(sql)] == []


def test_every_reference_is_determined(built: Built) -> None:
    """Its result is there, holds no row twice, and is the same in whatever order rows are stored."""
    copies = [reordered(built, order) for order in (reversed, shuffled(1), shuffled(2))]
    for sql in built.references:
        rows = built.db.execute(sql).fetchall()
        assert any(value is not None for row in rows for value in row), sql
        assert len(set(rows)) == len(rows), sql
        for copy in copies:
            again = copy.execute(sql).fetchall()
            assert again == rows if is_ordered(sql) else Counter(again) == Counter(rows), sql
    for copy in copies:
        copy.close()


def test_a_limit_cuts_between_different_keys(built: Built) -> None:
    for sql in [sql for sql in built.references if " LIMIT " in sql]:
        form = r"SELECT .+ FROM (\S+|\"[^\"]+\") ORDER BY (\S+|\"[^\"]+\")( DESC)? LIMIT (\d+)"
        found = re.fullmatch(form, sql)
        assert found, f"a form of LIMIT that this test does not know: {sql}"
        table, key, direction, limit = found.groups(default="")
        longer = f"SELECT {key} FROM {table} ORDER BY {key}{direction} LIMIT {limit} + 1"
        assert len(set(built.db.execute(longer))) == int(limit) + 1, sql


def test_no_rounding_hangs_on_the_last_bit(built: Built) -> None:
    """Another way to write an average must round to the same number, so no value lies half-way."""
    half_way: list[float] = []

    def watched(value: float | None, digits: int) -> float | None:
        if value is not None and abs(abs(value) * 10**digits % 1 - 0.5) < 1e-6:
            half_way.append(value)
        return None if value is None else round(value, digits)

    with closing(reordered(built, iter)) as copy:
        copy.create_function("ROUND", 2, watched, deterministic=True)
        for sql in built.references:
            copy.execute(sql).fetchall()
            assert half_way == [], sql


def test_the_readme_gives_the_figures_of_the_data() -> None:
    readme = (MINI / "README.md").read_text(encoding="utf-8")
    assert f"{len(QUESTIONS)} questions" in readme
    assert f"{sum(n for n in TWINS.values() if n > 1)} questions are paraphrase twins" in readme
