"""Comparisons for tests: programs over `mini` with the simulator, in one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlmend.eval import load_benchmark
from sqlmend.eval.comparison import ComparisonRequest, compare, load_contenders
from sqlmend.models import Memo
from sqlmend.retrievers import MemoryIndex
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


def start(out, programs=("iterative", "merit"), *, keep_index=True, **changes):
    """Run it to its end and return the request.

    Writing the disposable index to disk is half the time of a short stream: not all tests need it.
    """
    asked = request(out, programs, **changes)
    with asked.benchmark, pytest.MonkeyPatch.context() as patch:
        if not keep_index:
            patch.setattr(MemoryIndex, "close", lambda _: None)
        compare(asked)
    return asked


def episodes_of(asked):
    """The bytes of `episodes.jsonl` by stream."""
    return {stream: (stream.folder(asked.out) / "episodes.jsonl").read_bytes() for stream in asked.streams}
