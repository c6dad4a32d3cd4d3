"""The example script runs as it is."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_tune_with_dspy_runs(tmp_path):
    script = ROOT / "examples" / "tune_with_dspy.py"
    arguments = ["--lm", "tests.simulator:make", "--embedder", "hash", "--sample", "12", "--trials", "3"]
    done = subprocess.run(
        [sys.executable, str(script), *arguments, "--out", str(tmp_path / "tuned")],
        cwd=ROOT,
        env={**os.environ, "SQLMEND_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "held-out questions" in done.stdout
    assert "top_k_positive" in done.stdout
    assert (tmp_path / "tuned" / "merit_tuned.json").exists()
