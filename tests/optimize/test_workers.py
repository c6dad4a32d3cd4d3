"""Several processes on one study: no trial lost, doubled or stuck; on SQLite and on PostgreSQL."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sqlmend.optimize._study import open_study
from tests.memory.notes_live.postgres import NoServerError, server
from tests.optimize.studies import plan, search, settings

ROOT = Path(__file__).parents[2]
TRIALS = 8


@pytest.fixture(scope="module")
def postgres():
    pytest.importorskip("psycopg", reason="needs psycopg, which is not installed")
    context = server()
    try:
        folder = context.__enter__()
    except NoServerError as error:
        pytest.skip(str(error))
    try:
        yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
    finally:
        context.__exit__(None, None, None)


def start(url, home, pause):
    """A worker whose home and caches are its own, as on another machine."""
    home.mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "tests.optimize.worker", url, str(TRIALS), str(pause)],
        cwd=ROOT,
        env={**os.environ, "HOME": str(home), "SQLMEND_HOME": str(home / "sqlmend")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def release(processes):
    """Let workers begin at once, when all of them could."""
    for process in processes:
        process.stdout.readline()
    for process in processes:
        process.stdin.write(b"\n")
        process.stdin.flush()


def work(url, tmp_path, workers, pause=0.01):
    processes = [start(url, tmp_path / f"home{number}", pause) for number in range(workers)]
    release(processes)
    for process in processes:
        _, said = process.communicate()
        assert process.returncode == 0, said.decode()
    return check(url)


def check(url):
    """The study as it was left, without a further trial; what every finished study must be."""
    study = open_study(plan(url), resume=True)
    counted = [t for t in study.trials if t.state.name in ("COMPLETE", "PRUNED")]
    assert len(counted) == TRIALS
    assert {t.state.name for t in study.trials} <= {"COMPLETE", "PRUNED", "FAIL"}
    assert len({str(one) for one in settings(study)}) == TRIALS
    assert [t.number for t in study.trials] == list(range(len(study.trials)))
    assert sum(t.user_attrs["defaults"] for t in counted) == 1
    return study


def test_four_workers_on_one_sqlite_file(tmp_path):
    study = work(f"sqlite:///{tmp_path / 'study.db'}", tmp_path, 4)
    owners = {t.user_attrs["owner"] for t in study.trials}
    assert len(owners) > 1


def test_two_homes_on_one_postgresql(postgres, tmp_path):
    study = work(postgres, tmp_path, 2)
    owners = {t.user_attrs["owner"] for t in study.trials}
    assert len(owners) == 2


def test_a_killed_worker_leaves_no_trial_behind(tmp_path):
    url = f"sqlite:///{tmp_path / 'study.db'}"
    victim = start(url, tmp_path / "victim", 0.2)
    release([victim])
    while victim.poll() is None:
        if any(t.state.name == "RUNNING" and t.params for t in trials(url)):
            break
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    search(plan(url), TRIALS, resume=True)
    study = check(url)
    failed = [t for t in study.trials if t.state.name == "FAIL"]
    assert len(failed) == 1
    assert sum(t.user_attrs.get("retries") == failed[0].number for t in study.trials) == 1


def trials(url):
    """The trials so far; none while the tables are being made."""
    if not Path(url.removeprefix("sqlite:///")).exists():
        return []
    return open_study(plan(url), resume=True).get_trials(deepcopy=False)
