"""A crystallization study: collect corrections, keep them as cards, and measure what the cards are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from sqlmend.eval._jobs import Stopping, run_streams
from sqlmend.eval._oracle import Oracle
from sqlmend.eval._run import REGIME, RunRequest, prompt_versions, run, versions
from sqlmend.eval._run_folder import read_episodes
from sqlmend.eval._stream import EpisodeDone
from sqlmend.eval._window import as_begun
from sqlmend.eval.crystallization._banks import Banks, require_same
from sqlmend.eval.crystallization._design import axes
from sqlmend.eval.crystallization._folder import CONFIG, FORMAT, StudyFolder
from sqlmend.eval.crystallization._pieces import (
    REPAIR,
    SERVING,
    SOLVER,
    Piece,
    acquisitions,
    floor,
    repair,
    serving,
    uses,
)
from sqlmend.eval.crystallization._request import CrystallizationRequest
from sqlmend.eval.crystallization._tables import Tables
from sqlmend.models import LanguageModel, Memo
from sqlmend.programs import RepairProgram, StepDone, load_preset


class StudyObserver(Protocol):
    """Is told how a study goes on, in the threads of its pieces; it changes nothing."""

    def begin(self, pieces: Sequence[Piece]) -> None:
        """These pieces are about to run."""

    def __call__(self, piece: Piece, event: StepDone | EpisodeDone) -> None:
        """A step or an episode of a piece is finished."""


def crystallize(request: CrystallizationRequest, observers: Sequence[StudyObserver] = ()) -> Path:
    """Run the pieces of a study that are not finished; everything lies in ``request.out`` afterwards.

    Three stages: attempts are collected (and held-out questions repaired without memory), banks are built
    from them, and every design answers with its bank in every setting. Each piece is an ordinary run; the
    memo pays for a prompt once, so that designs whose prompts are the same cost nothing.

    Args:
        request: What to measure, and where.
        observers: Told how it goes on.

    Returns:
        The folder, for ``study_results``.

    Raises:
        InputError: The folder is occupied, another study's, or in use; or a bank is not the one that the
            study built.
        SqlmendError: A failure that every further question would meet; what is finished stays, and the
            rest goes on when it is mended and the study resumed.
    """
    begun = as_begun(request.lm, request.out / CONFIG) if request.resume else request.lm
    request = replace(request, lm=greedy(begun))
    oracle = request.benchmark.oracle(definition=request.definition, timeout_s=request.timeout_s)
    with StudyFolder(request.out, _config(request, oracle), resume=request.resume):
        stage = _Stage(request, oracle, observers)
        stage.run([*acquisitions(request.plan), repair(request.plan)])
        Banks(request).build()
        stage.run(_use(request))
    return request.out


def greedy(lm: LanguageModel) -> LanguageModel:
    """The model with a temperature of 0: the solver samples nothing, whatever a factory has set."""
    if lm.kwargs.get("temperature") == 0:
        return lm
    copied: LanguageModel = lm.copy(temperature=0.0)
    return copied


def bit_stable(lm: LanguageModel) -> bool:
    """Whether the same prompt gets the same answer again, to the bit."""
    return bool(getattr(lm.backend, "bit_stable", False))


class _Stage:
    """Runs pieces, several at a time."""

    def __init__(
        self, request: CrystallizationRequest, oracle: Oracle, observers: Sequence[StudyObserver]
    ) -> None:
        self._request = request
        self._oracle = oracle
        self._observers = observers

    def run(self, pieces: Iterable[Piece]) -> None:
        """Run every piece."""
        todo = list(pieces)
        for observer in self._observers:
            observer.begin(todo)
        run_streams(todo, self._one, self._request.jobs)

    def _one(self, piece: Piece, stopping: Stopping) -> None:
        def observe(event: StepDone | EpisodeDone) -> None:
            for observer in self._observers:
                observer(piece, event)
            stopping()

        # A study of many designs has hundreds of pieces: what is finished is not run again.
        if not self._finished(piece):
            if piece.bank:
                require_same(self._request.out / piece.bank)
            run(self._run_request(piece), [observe])

    def _finished(self, piece: Piece) -> bool:
        folder = piece.folder(self._request.out)
        return (folder / "summary.json").exists() and len(read_episodes(folder)) == len(piece.ids)

    def _run_request(self, piece: Piece) -> RunRequest:
        request = self._request
        lm = request.lm
        if piece.anew and lm.memo is not None and not bit_stable(lm):
            # One for the floor and what is held against it: where no card is shown both get the same answer.
            lm = lm.remembering(Memo(request.out / "floor-memo"))
        return RunRequest(
            program=piece.program,
            benchmark=request.benchmark.select(ids=piece.ids),
            lm=lm,
            out=piece.folder(request.out),
            definition=request.definition,
            memory=request.out / piece.bank if piece.bank else None,
            embedder=request.embedder,
            timeout_s=request.timeout_s,
            resume=True,  # a piece that was never begun begins
            selection=request.selection,
            oracle=self._oracle,
        )


def _use(request: CrystallizationRequest) -> list[Piece]:
    plan, tables = request.plan, Tables(request.out)
    pieces = [serving(plan)]
    if tables.ever_carded and not bit_stable(request.lm):
        pieces.append(floor(tables.ever_carded))
    for design in plan.designs:
        for setting in axes()["settings"]:
            pieces += [piece for _, piece in uses(plan, design, setting, tables.carded(design))]
    return pieces


def _config(request: CrystallizationRequest, oracle: Oracle) -> dict[str, Any]:
    """The content of ``crystallization.json``: what a resume compares and results are made from; no path."""
    benchmark = request.benchmark
    names = {*(about["preset"] for about in axes()["sources"].values()), REPAIR, SERVING, SOLVER}
    presets = {name: load_preset(name) for name in sorted(names)}
    prompts = {"capsule"}.union(*(RepairProgram(preset).prompts for preset in presets.values()))
    return {
        "format": FORMAT,
        "benchmark": {
            "name": benchmark.name,
            "data_hash": benchmark.data_hash,
            "left_out": benchmark.left_out,
        },
        "selection": dict(request.selection),
        **request.plan.to_data(),
        "definition": oracle.definition,
        "regime": REGIME,
        "timeout_s": request.timeout_s,
        "lm": request.lm.describe(),
        "bit_stable": bit_stable(request.lm),
        "embedder": request.embedder.name,
        "prompts": prompt_versions(prompts),
        "versions": versions(),
        "axes": dict(axes()),
        "presets": {name: preset.to_data() for name, preset in presets.items()},
        "resamples": request.resamples,
        "seed": request.seed,
        "margin": request.margin,
    }
