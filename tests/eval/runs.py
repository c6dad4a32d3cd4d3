"""Runs for tests: a program over `mini` with the simulator, and what of a run has to be the same."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from sqlmend.errors import SqlmendError
from sqlmend.eval import EpisodeDone, RunRequest, load_benchmark, run
from sqlmend.models import Memo
from sqlmend.programs import load_program
from sqlmend.testing import HashEmbedder, scripted_lm
from tests.simulator import answer


def request(
    out,
    program="merit",
    *,
    sets=("budget=2",),
    sample="24",
    reply=answer,
    memo=None,
    benchmark=None,
    **changes,
):
    """A run of `program` with the simulator over a sample of `mini` (or over `benchmark`)."""
    lm = scripted_lm(
        reply, name="mini-simulator", context_window=32_000, memo=None if memo is None else Memo(memo)
    )
    chosen = benchmark if benchmark is not None else load_benchmark("mini").select(sample=sample)
    fields = {"program": load_program(program, sets), "benchmark": chosen, "lm": lm, "out": Path(out)}
    return RunRequest(**fields, embedder=HashEmbedder(), **changes)


def start(out, program="merit", **changes):
    """Run it to its end and return the summary."""
    asked = request(out, program, **changes)
    with asked.benchmark:
        return run(asked)


class Killed(KeyboardInterrupt):
    """Ends a run as a kill between two episodes would."""


def killed(out, count, program="merit", **changes):
    """Run it until so many episodes are done."""

    def kill(event):
        if isinstance(event, EpisodeDone) and event.record["position"] + 1 == count:
            raise Killed

    asked = request(out, program, **changes)
    with asked.benchmark, contextlib.suppress(Killed):
        run(asked, observers=[kill])
    assert len(episodes(out)) == count


def broken_from(call):
    """A model of the simulator's identity that refuses everything from that call on."""
    calls = 0

    def refuses(prompt):
        nonlocal calls
        calls += 1
        if calls >= call:
            raise SqlmendError("lm_request", "no such parameter: seed")
        return answer(prompt)

    refuses.__code__ = refuses.__code__.replace(co_filename=answer.__code__.co_filename)
    return refuses


def episodes(folder):
    """The episodes of a run."""
    return [json.loads(line) for line in (Path(folder) / "episodes.jsonl").read_text("utf-8").splitlines()]


def entries(folder):
    """The memory of a run: line by id."""
    lines = {}
    for kind in ("positive", "negative"):
        file = Path(folder) / "memory" / f"{kind}.jsonl"
        for line in file.read_text("utf-8").splitlines() if file.exists() else ():
            record = json.loads(line)
            lines[record["id"]] = record
    return lines


def reproducible(folder):
    """What two runs that are the same have the same, byte for byte: all but the times."""
    folder = Path(folder)
    files = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.joinpath("memory").rglob("*"))
        if file.is_file()
    }
    for name in ("episodes.jsonl", "predictions.json"):
        files[name] = (folder / name).read_bytes()
    summary = json.loads((folder / "summary.json").read_text("utf-8"))
    files["summary.json"] = json.dumps(_timeless(summary)).encode()
    return files


def _timeless(value):
    if not isinstance(value, dict):
        return value
    return {key: _timeless(item) for key, item in value.items() if not key.startswith("seconds")}
