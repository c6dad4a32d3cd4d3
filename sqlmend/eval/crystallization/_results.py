"""The results of a study: from its folder to one document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlmend.errors import InputError
from sqlmend.eval.crystallization._contrast import Outcomes, SideBySide, contrast
from sqlmend.eval.crystallization._design import Design, axes, axis_with, default_design
from sqlmend.eval.crystallization._notes import notes
from sqlmend.eval.crystallization._pieces import acquisitions
from sqlmend.eval.crystallization._serving import amortisation, changes, resolved, rounds
from sqlmend.eval.crystallization._tables import Tables
from sqlmend.eval.crystallization._worth import crystallization_ratio

_ABOUT = (
    "benchmark selection definition regime timeout_s lm embedder prompts versions seeds resamples seed margin"
)


def study_results(folder: Path) -> dict[str, Any]:
    """What a study came to, as plain JSON values; it need not be finished.

    Args:
        folder: The study's folder.

    Returns:
        ``title``, ``complete``, ``missing``, ``provenance``, ``split``, ``sources``, ``banks``,
        ``collected`` (cards of the default design; None before its bank is built), ``settings``,
        ``designs`` (what each sets and what of it is not the default), ``levels`` (every design in every
        setting, with its gain over no memory), ``primary``, ``exploratory``, ``floor``, ``ratio``,
        ``serving``, ``amortisation`` and ``notes``. Shares lie between 0 and 1, and differences are
        differences of shares.

    Raises:
        InputError: The folder holds no study.
        SqlmendError: A file is damaged.
    """
    document: dict[str, Any] = _plain(_Results(Tables(folder)).document())
    return document


class _Results:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._plan = tables.plan
        self._draws = {name: tables.config[name] for name in ("resamples", "seed")}
        self._margin = tables.config["margin"]
        self._memory: dict[tuple[Design, str], Outcomes | None] = {}

    def document(self) -> dict[str, Any]:
        config, tables = self._tables.config, self._tables
        transfer = self._changes(default_design(), "transfer")
        record = tables.record(default_design(), None)
        found = {
            "split": self._split(),
            "sources": self._sources(),
            "banks": self._banks(),
            "collected": None if record is None else record["cards"],
            "settings": [
                {"key": key, "title": about["title"], "summary": about["summary"]}
                for key, about in axes()["settings"].items()
            ],
            "designs": [
                {
                    "key": design.key,
                    "label": design.label,
                    "values": asdict(design),
                    "changes": design.changes,
                }
                for design in self._plan.designs
            ],
            "levels": self._levels(),
            "primary": self._primary(),
            "exploratory": self._exploratory(),
            "floor": self._floor(),
            "ratio": self._ratio(),
            "serving": {
                "rounds": rounds(tables),
                "changes": transfer,
                "resolved": resolved(tables, transfer["fixed_ids"] if transfer else ()),
            },
            "amortisation": amortisation(tables),
        }
        missing = [{"path": p, "done": done, "of": of} for p, (done, of) in sorted(tables.missing.items())]
        return {
            "title": f"What stored corrections are worth: {config['benchmark']['name']}",
            "complete": not missing,
            "missing": missing,
            "provenance": {name: config[name] for name in _ABOUT.split()},
            **found,
            "notes": notes(tables),
        }

    def _outcomes(self, design: Design, setting: str) -> Outcomes | None:
        key = design, setting
        if key not in self._memory:
            self._memory[key] = self._tables.outcomes(design, setting)
        return self._memory[key]

    def _without(self, outcomes: Outcomes, setting: str) -> Outcomes | None:
        """The same questions without memory."""
        return self._tables.same(self._tables.without(setting), outcomes.question_ids)

    def _against(self, first: Outcomes | None, second: Outcomes | None) -> dict[str, Any] | None:
        """The contrast of two conditions; None where one is missing, or they share no question and seed."""
        if first is None or second is None:
            return None
        try:
            return asdict(contrast(first, second, **self._draws, margin=self._margin))
        except InputError as error:
            if error.code != "nothing_in_common":
                raise
            return None

    def _split(self) -> list[dict[str, Any]]:
        record = self._tables.record(default_design(), None)
        cards = {} if record is None else record["by_database"]
        return [
            {
                "db_id": db_id,
                **self._side("collection", self._plan.collection, db_id),
                **self._side("held_out", self._plan.held_out, db_id),
                "cards": cards.get(db_id, 0),
            }
            for db_id in self._plan.db_ids
        ]

    def _side(self, name: str, ids: Sequence[str], db_id: str) -> dict[str, int]:
        """How many questions of a database lie on a side of the split, and were wrong at first."""
        here = [question_id for question_id in ids if self._plan.by_id[question_id].db_id == db_id]
        wrong = sum(self._tables.first_answers.get(question_id) == 0 for question_id in here)
        return {f"{name}_questions": len(here), f"{name}_wrong_at_first": wrong}

    def _sources(self) -> list[dict[str, Any]]:
        rows = []
        for piece in acquisitions(self._plan):
            episodes = self._tables.episodes(piece)
            wrong = [episode for episode in episodes if not episode["score_before"]]
            further, again = self._tables.further(piece)
            rows.append(
                {
                    "path": piece.path,
                    "preset": piece.preset,
                    "questions": len(piece.ids),
                    "wrong_at_first": len(wrong),
                    "right_at_last": sum(episode["score_after"] for episode in wrong),
                    "further_attempts": further,
                    "same_query_again": again,
                    "calls": sum(episode["calls"] for episode in episodes),
                    "tokens": sum(e["prompt_tokens"] + e["output_tokens"] for e in episodes),
                    "cut_off": self._tables.cut_off(piece),
                }
            )
        return rows

    def _banks(self) -> list[dict[str, Any]]:
        designs = dict.fromkeys(design.bank for design in self._plan.designs)
        return [
            {"design": design.key, "label": design.label, **record}
            for design in designs
            for record in self._tables.records(design)
        ]

    def _levels(self) -> list[dict[str, Any]]:
        return [
            row
            for design in self._plan.designs
            for setting in axes()["settings"]
            if (row := self._level(design, setting)) is not None
        ]

    def _level(self, design: Design, setting: str) -> dict[str, Any] | None:
        """A design in a setting, against no memory; all figures of a row come from the same draws.

        Without any card there is nothing to gain or to lose.
        """
        outcomes = self._outcomes(design, setting)
        if outcomes is None:
            return None
        without = self._without(outcomes, setting)
        table = SideBySide([outcomes] if without is None else [outcomes, without])
        drawn = table.levels(**self._draws)
        is_compared = without is not None and not self._tables.is_empty(design)
        gain = table.contrast(drawn, 0, 1, margin=self._margin) if is_compared else None
        first = [
            e["attempts"][0] for _, rows in self._tables.uses(design, setting) for e in rows if e["attempts"]
        ]
        moved = self._changes(design, setting) or {}
        return {
            "design": design.key,
            "label": design.label,
            "setting": setting,
            "seeds_coincide": not design.sampled,
            "ex": asdict(table.level(drawn[0])),
            "without": None if without is None else asdict(table.level(drawn[1])),
            "gain": None if gain is None else asdict(gain),
            "cards_shown": sum(len(attempt["recalled"]) for attempt in first) / max(1, len(first)),
            "cards_left_out": sum(attempt["dropped_memories"] for attempt in first) / max(1, len(first)),
            **{name: value for name, value in moved.items() if not name.endswith("_ids")},
        }

    def _changes(self, design: Design, setting: str) -> dict[str, Any] | None:
        """What a design's cards fix and break; None where it has none, or nothing was asked."""
        if self._tables.is_empty(design):
            return None
        return changes(self._outcomes(design, setting), self._tables.without(setting))

    def _primary(self) -> list[dict[str, Any]]:
        """The comparisons named in advance, on transfer; without figures where there is nothing to compare.

        ``vary`` is the axis that measures one; None: every study does.
        """
        rows = []
        for named in axes()["primary"]:
            first = default_design(**named["first"])
            second = None if named["second"] is None else default_design(**named["second"])
            both = [design for design in (first, second) if design is not None]
            rows.append(
                {
                    "name": named["name"],
                    "question": named["question"],
                    "first": first.label,
                    "second": "no memory" if second is None else second.label,
                    "vary": axis_with(both),
                    "measured": all(design in self._plan.designs for design in both),
                    "contrast": self._between(first, second, "transfer"),
                }
            )
        return rows

    def _between(self, first: Design, second: Design | None, setting: str) -> dict[str, Any] | None:
        """A design against another, or no memory; None where one is not measured, or no side has a card."""
        both = [design for design in (first, second) if design is not None]
        if not set(both) <= set(self._plan.designs) or all(map(self._tables.is_empty, both)):
            return None
        outcomes = self._outcomes(first, setting)
        if second is not None:
            return self._against(outcomes, self._outcomes(second, setting))
        return self._against(outcomes, None if outcomes is None else self._without(outcomes, setting))

    def _exploratory(self) -> list[dict[str, Any]]:
        """Every design against the one that it differs from in one thing."""
        rows = []
        for design in self._plan.designs:
            if design == design.base:
                continue
            for setting in axes()["settings"]:
                found = self._between(design, design.base, setting)
                if found is not None:
                    rows.append(
                        {
                            "setting": setting,
                            "first": design.label,
                            "second": design.base.label,
                            "design": design.key,
                            "contrast": found,
                        }
                    )
        return rows

    def _floor(self) -> dict[str, Any]:
        """How many of the questions that produced a card are right when asked again without memory."""
        if self._tables.config["bit_stable"]:
            return {"by_construction": True, "ex": 0.0, "questions": None}
        ids = self._tables.carded(default_design())[None]
        right = [self._tables.asked_anew[i] for i in ids if i in self._tables.asked_anew]
        return {
            "by_construction": False,
            "ex": sum(right) / len(right) if right else None,
            "questions": len(right),
        }

    def _ratio(self) -> dict[str, Any] | None:
        if self._tables.is_empty(default_design()):
            return None
        memory = self._outcomes(default_design(), "transfer")
        held_out = self._plan.held_out
        without = self._tables.same(self._tables.first_answers, held_out)
        after = self._tables.same(self._tables.repaired, held_out)
        if memory is None or without is None or after is None:
            return None
        try:
            return asdict(crystallization_ratio(memory, without, after, **self._draws, margin=self._margin))
        except InputError as error:
            if error.code != "nothing_in_common":
                raise
            return None


def _plain(value: Any) -> Any:
    """Without what JSON does not know: a figure that is not defined is None."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
