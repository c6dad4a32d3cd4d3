"""Comparisons for tests: programs over `mini` with the simulator, in one process."""

from __future__ import annotations

from pathlib import Path

from sqlmend.eval import load_benchmark
from sqlmend.eval.comparison import ComparisonRequest, compare, load_contenders
from sqlmend.models import Memo
from sqlmend.testing import HashEmbedder, scripted_lm
from tests.simulator import answer


def request(
    out,
    programs=("iterative", "merit"),
    *,
    budget=2,
    sample="8",
    reply=answer,
    memo=None,
    benchmark=None,
    **changes,
):
    """A comparison over a sample of `mini` (or over `benchmark`), with a memo beside its folder."""
    out = Path(out)
    folder = out.with_name(f"{out.name}-memo") if memo is None else memo
    lm = scripted_lm(reply, name="mini-simulator", context_window=32_000, memo=Memo(folder))
    chosen = benchmark if benchmark is not None else load_benchmark("mini").select(sample=sample)
    contenders = load_contenders(programs, budget=budget)
    return ComparisonRequest(contenders, chosen, lm, out, embedder=HashEmbedder(), **changes)


def start(out, programs=("iterative", "merit"), **changes):
    """Run it to its end and return the request."""
    asked = request(out, programs, **changes)
    with asked.benchmark:
        compare(asked)
    return asked


def episodes_of(asked):
    """The bytes of `episodes.jsonl` by stream."""
    return {stream: (stream.folder(asked.out) / "episodes.jsonl").read_bytes() for stream in asked.streams}
