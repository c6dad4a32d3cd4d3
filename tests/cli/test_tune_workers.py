"""Further processes of a study, with a worker that is any command."""

import os
import signal
import sys
import threading

import pytest

from sqlmend.cli._tune_workers import Workers

SLEEP = "import time; time.sleep(600)"


def workers(tmp_path, code, count=2):
    made = Workers(count, [], tmp_path)
    made._command = [sys.executable, "-S", "-c", code]
    return made


def test_a_worker_that_fails_is_told_once_with_its_cause(tmp_path, capsys):
    with workers(tmp_path, "raise SystemExit('the disk is full')", 1) as beside:
        beside._processes[1].wait()
        beside.check()
        beside.check()
    said = capsys.readouterr().err
    assert said.count("worker 1 ended with 1") == 1
    assert "the disk is full" in said


needs_signals = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread alone"
)


@needs_signals
def test_the_workers_end_when_the_process_is_told_to(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended, workers(tmp_path, SLEEP) as beside:
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == 128 + signal.SIGTERM
    assert {process.poll() for process in beside._processes.values()} == {-signal.SIGTERM}
    assert signal.getsignal(signal.SIGTERM) is before


@needs_signals
def test_workers_that_are_waited_for_end_with_it_as_well(tmp_path):
    with pytest.raises(SystemExit), workers(tmp_path, SLEEP, 1) as beside:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM)).start()
    assert beside._processes[1].wait() == -signal.SIGTERM
