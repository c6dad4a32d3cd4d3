"""Failure notes: what watching adds to a statement, and look-ups in 100,000 notes.

    python benchmarks/bench_notes.py

Bars: median added time under 50 microseconds for a statement that runs and under 1 ms for one that is
refused; median look-up in 100,000 notes under 2 ms, all of one backend and one schema, the worst place.
"""

from __future__ import annotations

import fcntl
import logging
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from sqlmend.memory.notes import FailureNotes, Refusal, key_of

CALLS = 2000
NOTES = 100_000
LOOKUPS = 400
RUNS = "SELECT status FROM orders WHERE id = 2"
REFUSED = "UPDATE orders SET status = 'open' WHERE id = 1"
SCRIPT = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT NOT NULL);
INSERT INTO orders VALUES (1, 'shipped'), (2, 'open');
CREATE TRIGGER shipped BEFORE UPDATE ON orders WHEN OLD.status = 'shipped'
BEGIN SELECT RAISE(ABORT, 'a shipped order cannot be changed'); END;
"""


def microseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    with suppress(sqlite3.Error):
        call()
    return (time.perf_counter_ns() - start) / 1000


def added(sql: str, path: Path) -> tuple[float, float]:
    """Median of a plain statement, and of what the watched one takes more; calls alternate."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCRIPT)
    notes = FailureNotes(path)
    with notes.watch(connection) as watched:
        watched.execute("SELECT 1")
        plain, more = [], []
        for number in range(CALLS):
            # The refused statement has a new shape each time, so that each is written.
            text = sql if sql is RUNS else f"{sql} AND 1 NOT IN (SELECT 2 AS c{number})"
            one = microseconds(lambda text=text: connection.execute(text).fetchall())
            other = microseconds(lambda text=text: watched.execute(text).fetchall())
            plain.append(one)
            more.append(other - one)
    notes.close()
    return statistics.median(plain), statistics.median(more)


def faulty(folder: Path, stack: ExitStack) -> dict[str, Path]:
    """Stores, sound and at fault."""
    read_only, locked = folder / "read_only.jsonl", folder / "locked.jsonl"
    read_only.touch(mode=0o444)
    fcntl.flock(stack.enter_context(locked.open("w")), fcntl.LOCK_EX)
    return {
        "sound": folder / "sound.jsonl",
        "read-only": read_only,
        "/dev/full": Path("/dev/full"),
        "lock held": locked,
    }


def statement(chance: random.Random, columns: list[str], tables: list[str]) -> str:
    """A statement of a schema, as models write them."""
    sql = f"SELECT {', '.join(chance.sample(columns, chance.randint(2, 6)))} FROM {chance.choice(tables)}"
    if chance.random() < 0.6:
        sql += f" JOIN {chance.choice(tables)} ON {chance.choice(columns)} = {chance.choice(columns)}"
    conditions = (f"{chance.choice(columns)} {chance.choice('=<>')} 5" for _ in range(chance.randint(1, 3)))
    sql += f" WHERE {' AND '.join(conditions)}"
    if chance.random() < 0.5:
        sql += f" GROUP BY {chance.choice(columns)}"
    return sql + (f" ORDER BY {chance.choice(columns)} DESC LIMIT 5" if chance.random() < 0.5 else "")


def lookups(folder: Path, width: int) -> None:
    """Look-ups in a file of notes on a schema of ``width`` columns."""
    chance = random.Random(0)
    columns, tables = [f"col_{n}" for n in range(width)], [f"tab_{n}" for n in range(width // 8 + 2)]
    statements = [statement(chance, columns, tables) for _ in range(NOTES)]
    path = folder / f"many_{width}.jsonl"
    with path.open("w") as file:
        for number, sql in enumerate(statements):
            key = key_of(sql, "sha256:0", "sqlite")
            assert key is not None
            file.write(Refusal.of(key, "schema_reference", f"text {number}").to_line() + "\n")
    notes = FailureNotes(path)
    start = time.perf_counter()
    notes.lookup("SELECT nothing", "sha256:0", backend="sqlite")
    print(f"{NOTES:,} notes, {width} columns: read and indexed once in {time.perf_counter() - start:.1f} s")
    kinds: dict[str, Callable[[], str]] = {
        "the same shape": lambda: chance.choice(statements),
        "a near shape": lambda: chance.choice(statements) + " LIMIT 3",
        "another shape": lambda: statement(chance, columns, tables),
    }
    for name, make in kinds.items():
        times, found = [], 0
        for _ in range(LOOKUPS):
            sql = make()
            start_ns = time.perf_counter_ns()
            found += notes.lookup(sql, "sha256:0", backend="sqlite") is not None
            times.append((time.perf_counter_ns() - start_ns) / 1e6)
        print(f"  {name}: median {statistics.median(times):.2f} ms, {found} of {LOOKUPS} found (bar 2 ms)")


def main() -> None:
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        for name, path in faulty(folder, stack).items():
            for sql, kind, bar in ((RUNS, "runs", 50), (REFUSED, "is refused", 1000)):
                plain, more = added(sql, path)
                print(f"{name} store, {kind}: {plain:.1f} us plain, {more:.1f} us more (bar {bar} us)")
        for width in (400, 40):
            lookups(folder, width)


if __name__ == "__main__":
    main()
