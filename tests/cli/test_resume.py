"""A run killed at random moments ends with the bytes of one that was not."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.eval.runs import reproducible

ROOT = Path(__file__).parents[2]
KILLS = 10


def command(home, out, *more):
    """`sqlmend run` on mini with the simulator, a memo of its own and no embedding model."""
    arguments = "run merit --benchmark mini --sample 60 --budget 2 --lm tests.simulator:make".split()
    arguments += ["--embedder", "hash", "--memo", str(home / "memo"), "--out", str(out), *more]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "SQLMEND_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "sqlmend", *arguments],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(home, out, *more):
    process = command(home, out, *more)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 0, said.decode()


def size(out):
    """How much the run has written to the log of its steps."""
    log = out / "steps.jsonl"
    return log.stat().st_size if log.exists() else 0


def test_sigkill_at_ten_random_moments_changes_no_byte(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    finish(tmp_path / "home-whole", whole)
    moments = random.Random(7)
    # Spread over the run: each start has to write a random share of a tenth more before it is killed.
    tenth = size(whole) // (KILLS + 1)
    happened = 0
    for _ in range(KILLS):
        process = command(tmp_path / "home-killed", killed, *(["--resume"] if killed.exists() else []))
        goal = size(killed) + 1 + moments.randrange(tenth)
        while size(killed) < goal and process.poll() is None:
            time.sleep(0.001)
        happened += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert happened == KILLS
    finish(tmp_path / "home-killed", killed, "--resume")
    assert reproducible(killed) == reproducible(whole)
