"""The sink under fault: the query path stays as it is, and nothing acknowledged is lost."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest

from sqlmend.memory.notes import FailureNotes, forget_notes, read_notes
from sqlmend.memory.notes import _notes as module

SCHEMA = "sha256:0"


def record(notes, number):
    notes.record(
        f"SELECT c{number} FROM t{number}", SCHEMA, backend="sqlite", error=f"no such column: c{number}"
    )


def recorded(path):
    return [json.loads(line)["shape"] for line in path.read_text("ascii").splitlines()]


def run(code, *arguments, **settings):
    """Run code that has ``notes`` and ``record`` in a process of its own."""
    head = (
        "import os, sys, signal\n"
        "from pathlib import Path\n"
        "from sqlmend.memory.notes import FailureNotes\n"
        "path = Path(sys.argv[1])\n"
        "notes = FailureNotes(path)\n"
        "def record(n):\n"
        "    error = f'no such column: c{n}'\n"
        "    notes.record(f'SELECT c{n} FROM t{n}', 'sha256:0', backend='sqlite', error=error)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", head + code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )


def test_flushed_at_exit(tmp_path):
    done = run("record(1); record(2)", tmp_path / "n.jsonl")
    assert done.stderr == ""
    assert recorded(tmp_path / "n.jsonl") == ["select c1 from t1", "select c2 from t2"]


@pytest.fixture
def no_waiting(monkeypatch):
    monkeypatch.setattr(module, "_LOCK_S", 0.0)


def fails(notes, caplog, why):
    """Two records that cannot be written: no error, one line in the log, counted, and still known here."""
    record(notes, 1)
    assert not notes.flush()
    record(notes, 2)
    assert not notes.flush()
    assert notes.lost == 2
    (line,) = caplog.records
    assert why in line.getMessage()
    assert notes.lookup("SELECT c2 FROM t2", SCHEMA, backend="sqlite") is not None
    assert notes.flush()


def test_device_that_is_full(caplog):
    fails(FailureNotes("/dev/full"), caplog, "no regular file")


def test_folder_in_its_place(tmp_path, caplog):
    fails(FailureNotes(tmp_path), caplog, "directory")


def test_file_in_place_of_the_folder(tmp_path, caplog):
    (tmp_path / "no").touch()
    fails(FailureNotes(tmp_path / "no" / "n.jsonl"), caplog, "File exists")


def test_missing_folder_is_made(tmp_path):
    with FailureNotes(tmp_path / "a" / "b" / "n.jsonl") as notes:
        record(notes, 1)
        assert notes.flush()
    assert notes.lost == 0
    assert notes.path.read_bytes().count(b"\n") == 1


def test_read_only_file(tmp_path, caplog):
    path = tmp_path / "n.jsonl"
    path.touch(mode=0o444)
    fails(FailureNotes(path), caplog, "read-only" if os.geteuid() == 0 else "denied")
    assert path.read_bytes() == b""


def test_lock_held(tmp_path, caplog, no_waiting):
    path = tmp_path / "n.jsonl"
    with path.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        notes = FailureNotes(path)
        fails(notes, caplog, "locked")
    record(notes, 3)
    assert notes.flush()
    assert recorded(path) == ["select c3 from t3"]


def test_what_was_lost_is_written_when_it_is_refused_again(tmp_path, no_waiting):
    read_only, locked = tmp_path / "read_only.jsonl", tmp_path / "locked.jsonl"
    read_only.touch(mode=0o444)
    with locked.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        both = [FailureNotes(path) for path in (read_only, locked)]
        for notes in both:
            record(notes, 1)
            notes.worked("SELECT c1 FROM t1", SCHEMA, backend="sqlite")
            assert not notes.flush()
    read_only.chmod(0o600)
    for notes in both:
        record(notes, 1)
        record(notes, 1)
        assert notes.flush()
        assert [refusal.worked for refusal in FailureNotes(notes.path).refusals()] == ["select c1 from t1"]
        assert len(notes.path.read_text("ascii").splitlines()) == 2


def test_what_is_lost_counts_once_however_often_it_is_refused(tmp_path):
    path = tmp_path / "n.jsonl"
    path.touch(mode=0o444)
    notes = FailureNotes(path)
    for _ in range(3):
        record(notes, 1)
        assert not notes.flush()  # what it says yes to is in the file
    assert notes.lost == 1
    notes.worked("SELECT c1 FROM t1", SCHEMA, backend="sqlite")
    assert not notes.flush()
    assert notes.lost == 2
    path.chmod(0o600)
    record(notes, 1)
    assert notes.flush()
    assert notes.lost == 2


def test_only_so_many_that_could_not_be_written_stay_known(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_CAPACITY", 2)
    path = tmp_path / "n.jsonl"
    path.touch(mode=0o444)
    notes = FailureNotes(path)
    for number in range(3):
        record(notes, number)
        assert not notes.flush()
    assert [refusal.key.shape for refusal in notes.refusals()] == ["select c1 from t1", "select c2 from t2"]
    path.chmod(0o600)
    for number in range(3):
        record(notes, number)
        assert notes.flush()
    assert recorded(path) == [f"select c{number} from t{number}" for number in range(3)]


@pytest.mark.parametrize("purge", [False, True])
def test_what_another_process_forgot_is_written_when_it_is_refused_again(tmp_path, purge):
    path = tmp_path / "n.jsonl"
    notes = FailureNotes(path)
    record(notes, 1)
    assert notes.flush()
    forget_notes(path, [refusal.id for refusal in read_notes(path).live], purge=purge)
    assert read_notes(path).live == ()
    record(notes, 1)
    assert notes.flush()
    assert len(read_notes(path).live) == 1


@pytest.mark.parametrize("rotated", [False, True])
def test_a_file_that_is_gone_gets_what_is_refused_again(tmp_path, rotated):
    path = tmp_path / "n.jsonl"
    notes = FailureNotes(path)
    for number in (1, 2):
        record(notes, number)
    assert notes.flush()
    path.rename(tmp_path / "n.jsonl.1") if rotated else path.unlink()
    record(notes, 2)
    assert notes.flush()
    assert recorded(path) == ["select c2 from t2"]


def test_what_others_wrote_is_not_written_again(tmp_path):
    path = tmp_path / "n.jsonl"
    for notes in (FailureNotes(path), FailureNotes(path)):
        record(notes, 1)
        assert notes.flush()
    assert recorded(path) == ["select c1 from t1"]


def test_file_size_limit(tmp_path):
    path = tmp_path / "n.jsonl"
    with FailureNotes(path) as notes:
        record(notes, 0)
    done = run(
        "import resource\n"
        "size = path.stat().st_size\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, resource.RLIM_INFINITY))\n"
        "record(1); assert not notes.flush(); record(2); assert not notes.flush(); assert notes.lost == 2\n"
        "assert notes.lookup('SELECT c1 FROM t1', 'sha256:0', backend='sqlite')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "record(3); assert notes.flush()\n",
        path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("lost") == 1
    assert recorded(path) == ["select c0 from t0", "select c3 from t3"]


def test_killed_in_the_middle_of_a_write(tmp_path, caplog):
    path = tmp_path / "n.jsonl"
    done = run(
        "record(1); assert notes.flush()\n"
        "write = os.write\n"
        "def torn(descriptor, data):\n"
        "    write(descriptor, data[:40]); os.kill(os.getpid(), signal.SIGKILL)\n"
        "os.write = torn\n"
        "record(2); notes.flush()\n",
        path,
    )
    assert done.returncode == -signal.SIGKILL
    assert not path.read_bytes().endswith(b"\n")
    notes = FailureNotes(path)
    assert notes.lookup("SELECT c1 FROM t1", SCHEMA, backend="sqlite") is not None
    assert notes.lookup("SELECT c2 FROM t2", SCHEMA, backend="sqlite") is None
    record(notes, 3)
    assert notes.flush()
    assert recorded(path) == ["select c1 from t1", "select c3 from t3"]
    assert len((tmp_path / ".n.jsonl.aside").read_bytes()) == 41


def test_a_full_queue_refuses_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_CAPACITY", 3)
    notes = FailureNotes(tmp_path / "n.jsonl")
    with notes._lock:  # the writer cannot take anything
        for number in range(5):
            record(notes, number)
    assert not notes.flush()
    assert notes.lost == 2
    assert len(recorded(notes.path)) == 3


def test_where_no_thread_can_be_started(tmp_path, monkeypatch):
    def refuse(_):
        raise RuntimeError("can't start new thread")

    notes = FailureNotes(tmp_path / "n.jsonl")
    monkeypatch.setattr(threading.Thread, "start", refuse)
    record(notes, 1)
    assert notes.lost == 1
    monkeypatch.undo()
    record(notes, 2)
    assert not notes.flush()
    assert recorded(notes.path) == ["select c2 from t2"]


def test_an_idle_writer_ends_and_the_next_record_starts_another(tmp_path, monkeypatch):
    monkeypatch.setattr("sqlmend.memory.notes._sink._LINGER_S", 0.0)
    notes = FailureNotes(tmp_path / "n.jsonl")
    for number in range(3):
        record(notes, number)
        assert notes.flush()
        thread = notes._sink._thread
        if thread is not None:
            thread.join()
    assert notes._sink._thread is None
    assert len(recorded(notes.path)) == 3


def many(path, name):
    with FailureNotes(path) as notes:
        for number in range(30):
            notes.record(f"SELECT {name}{number}", SCHEMA, backend="sqlite", error="no such column")


def test_many_processes_and_threads_lose_and_mix_nothing(tmp_path):
    path = tmp_path / "n.jsonl"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=many, args=(path, f"p{n}_")) for n in range(2)]
    workers += [threading.Thread(target=many, args=(path, f"t{n}_")) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    expected = {
        f"select {kind}{w}_{n}"
        for kind, count in (("p", 2), ("t", 4))
        for w in range(count)
        for n in range(30)
    }
    assert sorted(recorded(path)) == sorted(expected)


def test_a_forked_child_writes_its_own_and_not_its_parents(tmp_path):
    path = tmp_path / "n.jsonl"
    notes = FailureNotes(path)
    with notes._lock:  # the parent's record still waits while it forks
        record(notes, 1)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                record(notes, 2)
                known = notes.lookup("SELECT c1 FROM t1", SCHEMA, backend="sqlite") is not None
                code = 0 if notes.flush() and known else 2
            finally:
                os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert notes.flush()
    assert sorted(recorded(path)) == ["select c1 from t1", "select c2 from t2"]
    assert notes.lookup("SELECT c2 FROM t2", SCHEMA, backend="sqlite") is not None


def test_workers_of_multiprocessing_flush_at_their_end(tmp_path):
    path = tmp_path / "n.jsonl"
    done = run(
        "import multiprocessing\n"
        "worker = multiprocessing.get_context('fork').Process(target=record, args=(5,))\n"
        "worker.start(); worker.join()\n",
        path,
    )
    assert done.returncode == 0, done.stderr
    assert recorded(path) == ["select c5 from t5"]


def test_damaged_lines_are_passed_over(tmp_path):
    path = tmp_path / "n.jsonl"
    with FailureNotes(path) as notes:
        record(notes, 1)
    good = path.read_text()
    path.write_text("not json\n" + good + '{"v":1,"other":"x"}\n[]\n')
    assert len(FailureNotes(path).refusals()) == 1


def test_a_file_that_is_replaced_is_read_anew(tmp_path):
    path = tmp_path / "n.jsonl"
    notes = FailureNotes(path)
    for number in (1, 2):
        record(notes, number)
    assert notes.flush() and len(notes.refusals()) == 2
    kept = path.read_text().splitlines(keepends=True)[0]
    path.unlink()
    path.write_text(kept)
    assert [refusal.key.shape for refusal in notes.refusals()] == ["select c1 from t1"]
