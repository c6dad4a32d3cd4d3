"""The measurement: a first attempt, and where it failed and left a note, one more for each arm."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import dspy

from sqlmend._files import sha256_text
from sqlmend._text import cap
from sqlmend.databases import canonical
from sqlmend.errors import InputError, unknown_name
from sqlmend.eval._window import as_begun
from sqlmend.eval.notes_measure._arms import ARMS, FIRST
from sqlmend.eval.notes_measure._folder import CONFIG, FORMAT, MeasureFolder
from sqlmend.eval.notes_measure._machine import Machine, Ran
from sqlmend.eval.notes_measure._results import summarize
from sqlmend.eval.notes_measure._scenario import Scenario, load_scenarios, scenarios_hash
from sqlmend.eval.notes_measure._writer import Writer, Written, prompt_version
from sqlmend.memory.notes import FailureNotes, Note
from sqlmend.models import LanguageModel, meter
from sqlmend.modules import Draw

_ANSWER_LIMIT = 2000

Record = dict[str, Any]
Observer = Callable[[int, int], None]


@dataclass(frozen=True)
class MeasureRequest:
    """What is to be measured.

    Attributes:
        lm: The language model.
        out: The folder of the measurement.
        draws: Sampled answers for each scenario.
        temperature: Of sampling, above 0.
        arms: Some of ``ARMS``, compared in this order.
        resume: Go on where a killed measurement stopped.

    Raises:
        InputError: A value is out of its range.
    """

    lm: LanguageModel
    out: Path
    draws: int = 5
    temperature: float = 0.7
    arms: tuple[str, ...] = ARMS
    resume: bool = False

    def __post_init__(self) -> None:
        for arm in self.arms:
            if arm not in ARMS:
                raise unknown_name("arm", arm, ARMS)
        if not self.arms or len(set(self.arms)) < len(self.arms):
            raise InputError("bad_arms", f"arms must be named once each, at least one; got {list(self.arms)}")
        if self.draws < 1:
            raise InputError("bad_draws", f"draws must be at least 1; got {self.draws}")
        Draw(1, self.temperature)

    @property
    def config(self) -> dict[str, Any]:
        """All that decides what comes out, as plain values."""
        words = files("sqlmend.memory.notes").joinpath("data", "templates.yaml").read_text("utf-8")
        return {
            "format": FORMAT,
            "lm": self.lm.describe(),
            "draws": self.draws,
            "temperature": self.temperature,
            "arms": list(self.arms),
            "scenarios": scenarios_hash(),
            "prompt": prompt_version(),
            "notes": f"sha256:{sha256_text(words)}",
        }


def measure(request: MeasureRequest, observer: Observer | None = None) -> dict[str, Any]:
    """Measure whether a refused statement is tried again (design of failure notes: three arms).

    For each scenario and draw the model writes a statement, which is run. Only where the machine refuses it
    and that leaves a note, the statement is put on the table again as a draft, once for each arm: nothing is
    said of it, or that such a statement failed, or the note. What comes back is run on a fresh database.
    Every attempt is on disk before the next one begins.

    Args:
        request: What is to be measured.
        observer: Told after each scenario and draw how many of how many are done.

    Returns:
        What ``results.json`` then holds: the configuration, see ``summarize``, and what the calls cost.

    Raises:
        InputError: The folder cannot be used, see ``MeasureFolder``.
        SqlmendError: The model or a backend failed; the measurement can be resumed.
    """
    if request.resume:
        request = replace(request, lm=as_begun(request.lm, request.out / CONFIG))
    scenarios = load_scenarios()
    with MeasureFolder(request.out, request.config, resume=request.resume) as folder, Machine() as machine:
        run = _Run(request, folder, machine)
        total = request.draws * len(scenarios)
        with dspy.context(lm=request.lm):
            for done, (draw, scenario) in enumerate(
                ((draw, scenario) for draw in range(1, request.draws + 1) for scenario in scenarios), 1
            ):
                run.scenario(scenario, Draw(draw, request.temperature))
                if observer is not None:
                    observer(done, total)
        records = folder.attempts()
        results = {"config": request.config, **summarize(records, request.arms), "cost": _cost(records)}
        folder.finish(results)
        return results


class _Run:
    """One process's work on a measurement."""

    def __init__(self, request: MeasureRequest, folder: MeasureFolder, machine: Machine) -> None:
        self._request = request
        self._folder = folder
        self._machine = machine
        self._writer = Writer()
        self._done = {(row["scenario"], row["draw"], row["arm"]): row for row in folder.attempts()}

    def scenario(self, scenario: Scenario, draw: Draw) -> None:
        """The first attempt, and the arms where it failed."""
        first = self._attempt(scenario, draw, FIRST, {})
        if first["note"] is None:
            return
        for arm in self._request.arms:
            self._attempt(scenario, draw, arm, first)

    def _attempt(self, scenario: Scenario, draw: Draw, arm: str, first: Mapping[str, Any]) -> Record:
        key = (scenario.name, draw.index, arm)
        if key not in self._done:
            draft = first.get("sql", "")
            with meter() as usage:
                written = self._writer(scenario, draw, draft, arm if first else "", first.get("note", ""))
            record = self._judged(scenario, written, draft)
            record |= {
                "v": FORMAT,
                "scenario": scenario.name,
                "kind": scenario.kind,
                "draw": draw.index,
                "arm": arm,
            }
            record |= {"prompt_tokens": usage.prompt_tokens, "output_tokens": usage.output_tokens}
            self._folder.add(record)
            self._done[key] = record
        return self._done[key]

    def _judged(self, scenario: Scenario, written: Written, draft: str) -> Record:
        record: Record = {
            "answer": cap(written.answer, _ANSWER_LIMIT),
            "sql": written.sql,
            "same": bool(written.sql and draft) and canonical(written.sql) == canonical(draft),
            "outcome": "declined" if written.declined else "no_statement",
            "error": None,
            "error_class": None,
            "note": None,
        }
        if written.sql:
            ran = self._machine.run(scenario, written.sql)
            record["outcome"] = "failed" if ran.error else "answered" if ran.answers else "off_task"
            note = _noted(scenario, written.sql, ran)
            if note is not None:
                record |= {"error_class": note.error_class, "note": str(note)}
            if ran.error is not None:
                record["error"] = cap(str(getattr(ran.error, "error", None) or ran.error), _ANSWER_LIMIT)
        return record


def _noted(scenario: Scenario, sql: str, ran: Ran) -> Note | None:
    """The note that this verdict alone leaves for the same statement."""
    if ran.error is None:
        return None
    with (
        tempfile.TemporaryDirectory(prefix="sqlmend-notes-") as folder,
        FailureNotes(Path(folder) / "notes.jsonl") as notes,
    ):
        notes.record(sql, scenario.schema, backend=scenario.backend, error=ran.error)
        return notes.lookup(sql, scenario.schema, backend=scenario.backend)


def _cost(records: Sequence[Record]) -> dict[str, int]:
    return {
        "calls": len(records),
        "prompt_tokens": sum(row["prompt_tokens"] for row in records),
        "output_tokens": sum(row["output_tokens"] for row in records),
        "longest_prompt": max((row["prompt_tokens"] for row in records), default=0),
    }
