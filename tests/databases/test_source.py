"""WAL and hot-journal databases: right results, and not a byte changed beside them."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sqlmend.databases import _source, open_database
from sqlmend.errors import SqlmendError
from tests.databases.conftest import Requests

Files = Callable[[Path], dict[str, bytes]]
Copies = Callable[..., Callable[[], list[str]]]
_COUNT = "SELECT count(*) FROM t"
_LETTERS = "SELECT substr(a, 1, 1), count(*) FROM t GROUP BY 1 ORDER BY 1"


@pytest.fixture(autouse=True)
def _private_copies_go_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))


def _writer(path: Path, mode: str) -> sqlite3.Connection:
    path.parent.mkdir()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode={mode}")
    connection.execute("CREATE TABLE t(a)")
    connection.execute("INSERT INTO t VALUES (1)")
    return connection


def _copied(path: Path, folder: Path, suffixes: tuple[str, ...]) -> Path:
    folder.mkdir()
    for suffix in suffixes:
        shutil.copyfile(f"{path}{suffix}", folder / f"{path.name}{suffix}")
    return folder / path.name


@pytest.mark.parametrize("suffixes", [("", "-wal", "-shm"), ("", "-wal")])
def test_a_log_with_content(tmp_path: Path, files: Files, suffixes: tuple[str, ...]) -> None:
    connection = _writer(tmp_path / "live" / "x.db", "WAL")
    path = _copied(tmp_path / "live" / "x.db", tmp_path / "left", suffixes)
    connection.close()
    before = files(path.parent)
    assert before["x.db-wal"]
    with open_database(path) as database:
        assert database.execute("SELECT a FROM t").rows == [(1,)]
        assert [table.name for table in database.schema().tables] == ["t"]
    assert files(path.parent) == before
    assert files(tmp_path / "temporary") == {}


def test_an_empty_log_and_none(tmp_path: Path, files: Files) -> None:
    path = tmp_path / "live" / "x.db"
    connection = _writer(path, "WAL")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database = open_database(path)
    before = files(path.parent)
    assert before["x.db-wal"] == b""
    assert database.execute(_COUNT).rows == [(1,)]
    assert files(path.parent) == before
    connection.close()
    assert list(files(path.parent)) == ["x.db"]
    assert database.execute(_COUNT).rows == [(1,)]
    assert list(files(path.parent)) == ["x.db"]


def test_a_writer_at_work(tmp_path: Path, files: Files) -> None:
    path = tmp_path / "live" / "x.db"
    connection = _writer(path, "WAL")
    database = open_database(path)
    for count in (2, 3):
        connection.execute("INSERT INTO t VALUES (0)")
        before = files(path.parent)
        assert database.execute(_COUNT).rows == [(count,)]
        assert files(path.parent) == before
    connection.execute("BEGIN")
    connection.execute("DELETE FROM t")
    assert database.execute(_COUNT).rows == [(3,)]
    connection.execute("ROLLBACK")
    connection.close()
    assert database.execute(_COUNT).rows == [(3,)]


def test_only_complete_transactions_of_a_torn_log(tmp_path: Path, files: Files) -> None:
    path = tmp_path / "live" / "x.db"
    connection = _writer(path, "WAL")
    connection.execute("INSERT INTO t VALUES (2)")
    left = _copied(path, tmp_path / "left", ("", "-wal"))
    connection.close()
    log = left.with_name("x.db-wal")
    log.write_bytes(log.read_bytes()[:-100])
    before = files(left.parent)
    assert open_database(left).execute("SELECT a FROM t").rows == [(1,)]
    assert files(left.parent) == before


def test_a_hot_journal(tmp_path: Path, files: Files) -> None:
    left = _with_a_hot_journal(tmp_path)
    before = files(left.parent)
    with open_database(left) as database:
        assert database.execute(_LETTERS).rows == [("1", 1), ("x", 200)]
        assert database.samples()["t"]["a"][0] == 1
    assert files(left.parent) == before
    assert files(tmp_path / "temporary") == {}


def _with_a_hot_journal(folder: Path) -> Path:
    path = folder / "live" / "x.db"
    connection = _writer(path, "DELETE")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 200)
    connection.execute("COMMIT")
    connection.execute("PRAGMA cache_size=1")
    connection.execute("BEGIN")
    connection.execute("UPDATE t SET a = 'y' || a")
    left = _copied(path, folder / "left", ("", "-journal"))
    connection.close()
    assert b"yxxx" in left.read_bytes()  # half of the change has reached the file
    return left


def _name_super_journal(journal: Path, name: Path) -> None:
    """What SQLite writes behind a journal of a transaction over several files."""
    text = os.fsencode(name)
    numbers = [number.to_bytes(4, "big") for number in (2**30 // 4096 + 1, len(text), sum(text))]
    parts = [numbers[0], text, *numbers[1:], bytes.fromhex("d9d505f920a163d7")]
    with journal.open("ab") as file:
        file.write(b"".join(parts))


@pytest.mark.parametrize("names", [["theirs.txt"], ["theirs.txt", "theirs.txt"], ["gone", "theirs.txt"]])
def test_a_journal_that_names_a_file_of_the_user_does_not_delete_it(
    tmp_path: Path, files: Files, names: list[str]
) -> None:
    left = _with_a_hot_journal(tmp_path)
    (tmp_path / "left" / "theirs.txt").write_text("precious", "utf-8")
    for name in names:
        _name_super_journal(left.with_name("x.db-journal"), left.with_name(name))
    before = files(left.parent)
    assert open_database(left).execute(_LETTERS).rows == [("1", 1), ("x", 200)]
    assert files(left.parent) == before


@pytest.mark.parametrize("content", [None, ""])
def test_a_journal_whose_super_journal_is_gone_counts_no_more(
    tmp_path: Path, files: Files, content: str | None
) -> None:
    left = _with_a_hot_journal(tmp_path)
    if content is not None:
        left.with_name("super").write_text(content, "utf-8")
    _name_super_journal(left.with_name("x.db-journal"), left.with_name("super"))
    before = files(left.parent)
    found = open_database(left).execute(_LETTERS).rows
    assert "y" in dict(found)
    with contextlib.closing(sqlite3.connect(f"file:{left}?immutable=1", uri=True)) as as_it_is:
        assert found == as_it_is.execute(_LETTERS).fetchall()
    assert files(left.parent) == before


def test_a_copy_that_takes_too_long_is_no_failure_of_a_statement(
    tmp_path: Path, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = _writer(tmp_path / "live" / "x.db", "WAL")
    database = open_database(tmp_path / "live" / "x.db")
    connection.execute("INSERT INTO t VALUES (2)")
    endless = tmp_path / "endless.py"
    endless.write_text("import sys\nopen(sys.argv[2], 'w').write('half')\nwhile True: pass\n")
    with monkeypatch.context() as patched:
        patched.setattr(_source, "_PROGRAM", endless)
        patched.setattr(_source, "_COPY_S", 0.5)
        database.close()
        with pytest.raises(SqlmendError, match=r"takes longer than 0.5 s .*wal_checkpoint") as caught:
            database.execute(_COUNT)
    assert caught.value.code == "database_unreadable"
    assert files(tmp_path / "temporary") == {}
    assert database.execute(_COUNT).rows == [(2,)]
    connection.close()


_LOGGED = """
import runpy, sqlite3, sys
with open({log!r}, "a") as log:
    print(sys.argv[3], file=log)
runpy.run_path({program!r}, run_name="__main__")
if {changes}:
    sqlite3.connect(sys.argv[1], isolation_level=None).execute("INSERT INTO t VALUES (0)")
"""


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Copies:
    """Have copies noted from now on, with their limits; ``changes``: after each, the database changes."""

    def watch(*, changes: bool = False) -> Callable[[], list[str]]:
        log, program = tmp_path / "copies.txt", tmp_path / "logged.py"
        log.touch()
        program.write_text(_LOGGED.format(log=str(log), program=str(_source._PROGRAM), changes=changes))
        monkeypatch.setattr(_source, "_PROGRAM", program)
        return lambda: log.read_text().split()

    return watch


class _GatedLock:
    """Lets nobody in before all have come."""

    def __init__(self, number: int) -> None:
        self._gate, self._lock = threading.Barrier(number, timeout=60), threading.Lock()

    def __enter__(self) -> None:
        self._gate.wait()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.parametrize("changes", [False, True])
def test_threads_that_need_a_copy_at_once_share_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copies: Copies, changes: bool
) -> None:
    connection = _writer(tmp_path / "live" / "x.db", "WAL")
    database = open_database(tmp_path / "live" / "x.db")
    connection.execute("INSERT INTO t VALUES (2)")
    made = copies(changes=changes)
    with monkeypatch.context() as patched:
        patched.setattr(database._sources, "_finding", _GatedLock(6))
        with ThreadPoolExecutor(6) as threads:
            outcomes = list(threads.map(database.execute, [_COUNT] * 6))
    assert [outcome.rows for outcome in outcomes] == [[(2,)]] * 6
    assert len(made()) == 1
    assert database.execute(_COUNT).rows == [(3 if changes else 2,)]
    connection.close()


def test_a_copy_takes_nothing_of_the_statements_time(
    tmp_path: Path, copies: Copies, requests: Requests
) -> None:
    connection = _writer(tmp_path / "live" / "x.db", "WAL")
    database = open_database(tmp_path / "live" / "x.db")
    connection.execute("INSERT INTO t VALUES (2)")
    made, noted = copies(), requests()
    assert database.execute(_COUNT, timeout_s=5).rows == [(2,)]
    connection.close()
    assert noted == [("execute", 5)]
    assert made() == ["60.0"]


_FORK = """
import os, signal, sqlite3, sys
from sqlmend.databases import open_database
from sqlmend.databases._pool import pool
database = open_database(sys.argv[1])
writer = sqlite3.connect(sys.argv[1], isolation_level=None)
writer.execute("INSERT INTO t VALUES (2)")
with database._sources._finding:
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        ok = database.execute("SELECT count(*) FROM t").rows == [(2,)]
        pool().close()
        os._exit(0 if ok else 3)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_fork_does_not_wait_for_a_copy_of_its_parent(tmp_path: Path) -> None:
    _writer(tmp_path / "live" / "x.db", "WAL").close()
    command = [sys.executable, "-W", "ignore", "-c", _FORK, str(tmp_path / "live" / "x.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_place_for_a_copy_is_no_failure_of_a_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = _writer(tmp_path / "live" / "x.db", "WAL")
    database = open_database(tmp_path / "live" / "x.db")
    connection.execute("INSERT INTO t VALUES (2)")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(SqlmendError, match="no place for a private copy: No such file") as caught:
        database.execute(_COUNT)
    connection.close()
    assert caught.value.code == "database_unreadable"


def test_a_copy_has_limits(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"x" * 1000)
    shown = "print(*(resource.getrlimit(k)[0] for k in (resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)))"
    program = (
        "import pathlib, resource, runpy, sys\n"
        "runpy.run_path(sys.argv[1])['confine'](pathlib.Path(sys.argv[2]), 3.5)\n" + shown
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, _source._PROGRAM, tmp_path / "x.db"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(2000 + (64 << 20)), "5"]


@pytest.mark.parametrize("content", [b"", b"\0" * 512, b"no journal at all"])
def test_a_journal_that_is_not_hot(tmp_path: Path, files: Files, content: bytes) -> None:
    path = tmp_path / "live" / "x.db"
    _writer(path, "DELETE").close()
    path.with_name("x.db-journal").write_bytes(content)
    before = files(path.parent)
    assert open_database(path).execute(_COUNT).rows == [(1,)]
    assert files(path.parent) == before


def test_a_log_beside_a_database_that_is_not_in_wal_mode(tmp_path: Path, files: Files) -> None:
    path = tmp_path / "live" / "x.db"
    _writer(path, "DELETE").close()
    path.with_name("x.db-wal").write_bytes(b"")
    before = files(path.parent)
    assert open_database(path).execute(_COUNT).rows == [(1,)]
    assert files(path.parent) == before


def test_a_folder_without_write_permission(tmp_path: Path, files: Files) -> None:
    path = tmp_path / "live" / "x.db"
    connection = _writer(path, "WAL")
    left = _copied(path, tmp_path / "left", ("", "-wal"))
    connection.close()
    left.chmod(0o444)
    left.parent.chmod(0o555)
    try:
        assert open_database(left).execute(_COUNT).rows == [(1,)]
        assert sorted(files(left.parent)) == ["x.db", "x.db-wal"]
    finally:
        left.parent.chmod(0o755)


def test_switching_to_wal_while_it_is_open(tmp_path: Path, files: Files) -> None:
    path = tmp_path / "live" / "x.db"
    connection = _writer(path, "DELETE")
    database = open_database(path)
    assert database.execute(_COUNT).rows == [(1,)]
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("INSERT INTO t VALUES (2)")
    before = files(path.parent)
    assert database.execute(_COUNT).rows == [(2,)]
    assert files(path.parent) == before
    connection.close()
