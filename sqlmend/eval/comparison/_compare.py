"""A comparison: every program over every order as a causal stream, then what they came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend._files import canonical_json, sha256_text
from sqlmend.eval._jobs import Stopping, run_streams
from sqlmend.eval._oracle import Oracle
from sqlmend.eval._run import REGIME, RunRequest, prompt_versions, run, versions
from sqlmend.eval._stream import EpisodeDone
from sqlmend.eval._window import as_begun
from sqlmend.eval.comparison._folder import CONFIG, FORMAT, ComparisonFolder
from sqlmend.eval.comparison._request import ComparisonRequest
from sqlmend.eval.comparison._streams import StreamId
from sqlmend.programs import StepDone

if TYPE_CHECKING:
    from sqlmend.modules import ExamplePool

#: Told of every finished step and episode, in the thread of its stream; it changes nothing.
StreamObserver = Callable[[StreamId, StepDone | EpisodeDone], None]


def compare(request: ComparisonRequest, observers: Sequence[StreamObserver] = ()) -> Path:
    """Run the streams that are not finished; everything lies in ``request.out`` afterwards.

    All programs write their initial queries themselves, by the same prompt. The memo makes them equal
    and paid for once, also where streams run at the same time: whoever asks first holds the right to
    ask (``Memo.paying_for``) and the others read its answer. So each stream counts the calls that it
    would have cost alone, and ``calls_paid`` what was paid.

    Args:
        request: What to compare, and where.
        observers: Told of every finished step and episode.

    Returns:
        The folder, for ``sqlmend.eval.measures.results``.

    Raises:
        InputError: The folder is occupied, another comparison's, or in use.
        SqlmendError: A failure that every further question would meet; finished streams stay, and the
            others go on where they were when it is mended and the comparison resumed.
    """
    if request.resume:
        request = replace(request, lm=as_begun(request.lm, request.out / CONFIG))
    # One judge for all: a reference runs once, and one that ends in a time limit does so for all alike.
    oracle = request.benchmark.oracle(definition=request.definition, timeout_s=request.timeout_s)
    examples = _examples(request)
    with ComparisonFolder(request.out, _config(request, oracle), resume=request.resume):
        requests = {stream: _run_request(request, stream, oracle, examples) for stream in request.streams}

        def one(stream: StreamId, stopping: Stopping) -> None:
            def observe(event: StepDone | EpisodeDone) -> None:
                for observer in observers:
                    observer(stream, event)
                stopping()

            run(requests[stream], [observe])

        run_streams(request.streams, one, request.jobs)
    return request.out


def _examples(request: ComparisonRequest) -> ExamplePool | None:
    """The examples that all streams share: embedding a train split takes its time."""
    if request.demonstrations is None or request.embedder is None:
        return None
    from sqlmend.eval._demonstrations import demonstrations

    return demonstrations(request.demonstrations, request.benchmark, request.embedder)


def _run_request(
    request: ComparisonRequest, stream: StreamId, oracle: Oracle, examples: ExamplePool | None
) -> RunRequest:
    contender = next(c for c in request.contenders if c.key == stream.program)
    return RunRequest(
        program=contender.program(stream.same_group),
        benchmark=request.benchmark,
        lm=request.lm,
        out=stream.folder(request.out),
        definition=request.definition,
        order=stream.order,
        initial=request.initial,
        embedder=request.embedder,
        demonstrations=request.demonstrations,
        timeout_s=request.timeout_s,
        resume=True,  # a stream that was never begun begins
        selection=request.selection,
        oracle=oracle,
        examples=examples,
    )


def _config(request: ComparisonRequest, oracle: Oracle) -> dict[str, Any]:
    """The content of ``comparison.json``: what a resume compares and results are made from; no path."""
    benchmark, contenders = request.benchmark, request.contenders
    budgets = {contender.preset.budget for contender in contenders}
    prompts = {name for contender in contenders for name in contender.program("allow").prompts}
    shown = request.demonstrations
    return {
        "format": FORMAT,
        "benchmark": {
            "name": benchmark.name,
            "data_hash": benchmark.data_hash,
            "left_out": benchmark.left_out,
        },
        "selection": dict(request.selection),
        "questions": [
            {
                "id": question.id,
                "db_id": question.db_id,
                "text": question.text,
                "difficulty": question.difficulty,
                "group": benchmark.groups[question.id],
            }
            for question in benchmark.questions
        ],
        "definition": oracle.definition,
        "regime": REGIME,
        "timeout_s": request.timeout_s,
        "budget": budgets.pop() if len(budgets) == 1 else None,
        "lm": request.lm.describe(),
        "embedder": request.embedder.name if request.embedder and request.embeds else None,
        # Without demonstrations no key, so that comparisons of earlier versions go on.
        **({} if shown is None else {"demonstrations": {"name": shown.name, "data_hash": shown.data_hash}}),
        "initial": None
        if request.initial is None
        else "sha256:" + sha256_text(canonical_json(dict(request.initial))),
        "prompts": prompt_versions(prompts),
        "versions": versions(),
        "programs": [
            {
                "key": contender.key,
                "name": contender.name,
                "summary": contender.preset.summary,
                "origin": contender.preset.origin,
                "reads_memory": contender.reads_memory,
                "preset": contender.preset.to_data(),
            }
            for contender in contenders
        ],
        "orders": list(request.orders),
        "same_group": list(request.same_groups),
        "pairs": [list(pair) for pair in request.chosen_pairs],
        "unit": request.unit,
        "resamples": request.resamples,
        "seed": request.seed,
    }
