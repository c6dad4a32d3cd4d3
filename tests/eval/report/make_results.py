"""Makes ``results.json`` of this folder again: ``python -m tests.eval.report.make_results``."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from sqlmend.eval.measures import results
from tests.eval.comparisons import start

PROGRAMS = ("iterative", "merit", "merit_resample", "merit:no_negative")

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "cmp"
        start(out, PROGRAMS, sample="20", orders=(0, 1), keep_index=False)
        text = json.dumps(results(out), separators=(",", ":"))
    Path(__file__).with_name("results.json").write_text(text + "\n", "utf-8")
