"""The workers: what they can reach, and what happens when one of the two sides dies."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sqlmend.databases import open_database
from sqlmend.databases._pool import pool

_ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
_LONG_CALL = (
    "SELECT instr(replace(hex(zeroblob(9000000)), '0', 'a'), replace(hex(zeroblob(4000000)), '0', 'a')||'b')"
)

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/limits").exists(), reason="looks at workers through /proc"
)


def _gone(pid: int) -> bool:
    """Whether a process has ended; a zombie that waits for somebody else's parent counts."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def _eventually(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_two_workers_at_most_and_a_spare(city: Path) -> None:
    database = open_database(city)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(database.execute, ["SELECT 1"] * 100))
    assert len(pool().pids()) <= 3


def test_a_worker_has_nothing(city: Path) -> None:
    assert open_database(city).execute("SELECT 1").status == "ok"
    for pid in pool().pids():
        process = Path(f"/proc/{pid}")
        assert _eventually(lambda process=process: "Max file size             0 " in _limits(process))
        limits = _limits(process)
        assert "Max core file size        0 " in limits
        assert "Max address space         unlimited" not in limits
        assert (process / "environ").read_bytes() == b""
        assert os.listdir(process / "cwd") == []  # noqa: PTH208 (the folder is removed: only its link is left)
        assert [(process / "fd" / number).resolve() for number in "12"] == [Path("/dev/null")] * 2


def _limits(process: Path) -> str:
    return (process / "limits").read_text()


def test_temporary_data_stays_in_memory(city: Path) -> None:
    database = open_database(city)
    with ThreadPoolExecutor(8) as threads:  # so that no worker has yet to start
        list(threads.map(database.execute, ["SELECT 1"] * 100))
    before = {pid: _written(pid) for pid in pool().pids()}
    numbers = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 300) SELECT n FROM r"
    assert len(database.execute(f"{numbers} ORDER BY zeroblob(100000 + n) DESC").rows) == 300
    assert database.execute(
        f"SELECT count(*) FROM (SELECT DISTINCT zeroblob(100000 + n) FROM ({numbers}))"
    ).rows
    after = {pid: _written(pid) for pid in pool().pids() if pid in before}
    assert after
    # A start dirties a few pages of folders, and a spare may still be at it; the queries sort 60 MB.
    assert all(after[pid] - before[pid] < 1_000_000 for pid in after)


def _written(pid: int) -> int:
    """Bytes that a process has caused to be written to the disk."""
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


def test_lower_limits_of_the_machine_are_kept(city: Path) -> None:
    script = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (500, 500))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from sqlmend.databases import open_database
assert open_database(sys.argv[1]).execute("SELECT count(*) FROM city", timeout_s=3600).rows == [(4,)]
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(city)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_cpu_time_is_limited(city: Path) -> None:
    assert open_database(city).execute("SELECT 1", timeout_s=5).status == "ok"
    assert any(
        "Max cpu time              unlimited" not in _limits(Path(f"/proc/{pid}")) for pid in pool().pids()
    )


def test_a_long_call_is_stopped_by_the_kill(city: Path) -> None:
    database = open_database(city)
    for _ in range(3):
        begin = time.monotonic()
        outcome = database.execute(_LONG_CALL, timeout_s=0.2)
        assert (outcome.status, outcome.error) == ("timeout", "interrupted")
        assert time.monotonic() - begin < 5  # it would take minutes
        assert database.execute("SELECT 1").rows == [(1,)]


def test_two_threads_run_on_two_workers(city: Path) -> None:
    database = open_database(city)
    with ThreadPoolExecutor(1) as threads:
        late = threads.submit(database.execute, _LONG_CALL, timeout_s=2.0)
        assert _eventually(lambda: bool(pool()._busy))
        assert database.execute("SELECT count(*) FROM city").rows == [(4,)]
        assert not late.done()
        assert late.result().status == "timeout"


def test_a_killed_idle_worker_is_replaced(city: Path) -> None:
    database = open_database(city)
    for _ in range(3):
        assert database.execute("SELECT 1").status == "ok"
        killed = pool().pids()
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert database.execute("SELECT count(*) FROM city").rows == [(4,)]
        assert _eventually(lambda killed=killed: all(map(_gone, killed)))


def test_a_statement_whose_worker_is_killed_runs_again(city: Path) -> None:
    database = open_database(city)
    count = _ENDLESS.replace("FROM r)", "FROM r LIMIT 5000000)")
    with ThreadPoolExecutor(1) as threads:
        answered = threads.submit(database.execute, count)
        _kill_worker_at(city)
        assert answered.result().rows == [(5_000_000,)]


def test_a_statement_whose_workers_are_killed_twice_gives_a_status(city: Path) -> None:
    database = open_database(city)
    with ThreadPoolExecutor(1) as threads:
        failed = threads.submit(database.execute, _ENDLESS)
        for _ in range(2):
            _kill_worker_at(city)
        assert (failed.result().status, failed.result().lost) == ("other_error", True)
    assert database.execute("SELECT count(*) FROM city").rows == [(4,)]


def _kill_worker_at(database: Path) -> None:
    """Kill the one that has opened it; one that has not read its request yet would be replaced silently."""
    found: list[int] = []

    def opened() -> bool:
        pids = (member.process.pid for member in list(pool()._busy))
        found[:] = [pid for pid in pids if not _gone(pid) and str(database) in _open_files(pid)]
        return bool(found)

    assert _eventually(opened)
    os.kill(found[0], signal.SIGKILL)
    assert _eventually(lambda: _gone(found[0]))


def _open_files(pid: int) -> list[str]:
    files = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            files.append(str(link.readlink()))
    return files


def test_no_zombies_are_left(city: Path) -> None:
    database = open_database(city)
    assert database.execute(_LONG_CALL, timeout_s=0.1).status == "timeout"
    assert database.execute("SELECT 1").status == "ok"
    assert _eventually(lambda: not _zombies())


def _zombies() -> list[int]:
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [int(pid) for pid in children if Path(f"/proc/{pid}/stat").exists() and _gone(int(pid))]


def test_an_interrupt_does_not_mix_up_answers(city: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = open_database(city)
    assert database.execute("SELECT 1").status == "ok"
    with monkeypatch.context() as patched:

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        patched.setattr("sqlmend.databases._process.WorkerProcess._reply", interrupted)
        with pytest.raises(KeyboardInterrupt):
            database.execute("SELECT 'first'")
    assert database.execute("SELECT 'second'").rows == [("second",)]


_PARENT = """
import json, sys, threading
from sqlmend.databases import open_database
from sqlmend.databases._pool import pool
database = open_database(sys.argv[1])
for sql in sys.argv[2:]:
    threading.Thread(target=database.execute, args=(sql,), kwargs={"timeout_s": 300}).start()
while len(pool()._busy) < len(sys.argv) - 2:
    pass
print(json.dumps(pool().pids()), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("running", [[], [_ENDLESS, _LONG_CALL]], ids=["idle", "busy"])
def test_workers_end_with_a_killed_parent(city: Path, running: list[str]) -> None:
    command = [sys.executable, "-c", _PARENT, str(city), *running]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pids = json.loads(parent.stdout.readline())
        assert pids
        parent.kill()
    assert _eventually(lambda: all(map(_gone, pids)), 10)


_FORK = """
import os, sys, threading
from sqlmend.databases import open_database
from sqlmend.databases._pool import pool
database = open_database(sys.argv[1])
assert database.execute("SELECT 1").rows == [(1,)]
mine = set(pool().pids())
running = threading.Thread(target=database.execute, args=(sys.argv[2],), kwargs={"timeout_s": 1})
running.start()
while not pool()._busy:
    pass
child = os.fork()
if child == 0:
    ok = database.execute("SELECT count(*) FROM city").rows == [(4,)] and not mine & set(pool().pids())
    pool().close()
    os._exit(0 if ok else 3)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0, status
running.join()
assert database.execute("SELECT count(*) FROM city").rows == [(4,)]
assert mine & set(pool().pids())
"""


def test_a_fork_has_workers_of_its_own(city: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _FORK, str(city), _ENDLESS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_ordinary_exit_leaves_no_worker_and_no_word(city: Path) -> None:
    script = _PARENT.replace("sys.stdin.read()", "")
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", script, str(city)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert all(map(_gone, json.loads(done.stdout)))
