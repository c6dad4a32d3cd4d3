"""The results of a study: from its folder to one document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlmend.eval.crystallization._contrast import Outcomes, contrast, level
from sqlmend.eval.crystallization._design import Design, axes, default_design
from sqlmend.eval.crystallization._pieces import acquisitions, floor
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
        ``settings``, ``designs`` (what each sets and what of it is not the default), ``levels`` (every
        design in every setting, with its gain over no memory), ``primary``, ``exploratory``, ``floor``,
        ``ratio``, ``serving``, ``amortisation`` and ``notes``. Shares lie between 0 and 1, and differences
        are differences of shares.

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
        self._memory: dict[tuple[Design, str], Outcomes | None] = {}

    def document(self) -> dict[str, Any]:
        config, tables = self._tables.config, self._tables
        transfer = changes(self._outcomes(default_design(), "transfer"), tables.first_answers)
        found = {
            "split": self._split(),
            "sources": self._sources(),
            "banks": self._banks(),
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
            "notes": self._notes(),
        }

    def _outcomes(self, design: Design, setting: str) -> Outcomes | None:
        key = design, setting
        if key not in self._memory:
            self._memory[key] = self._tables.outcomes(design, setting)
        return self._memory[key]

    def _without(self, outcomes: Outcomes) -> Outcomes | None:
        """First answers without memory to the same questions."""
        return self._tables.same(self._tables.first_answers, outcomes.question_ids)

    def _against(self, first: Outcomes | None, second: Outcomes | None) -> dict[str, Any] | None:
        if first is None or second is None or not {*first.question_ids} & {*second.question_ids}:
            return None
        return asdict(contrast(first, second, **self._draws, margin=self._tables.config["margin"]))

    def _split(self) -> list[dict[str, Any]]:
        first = self._tables.first_answers
        return [
            {
                "db_id": db_id,
                **{
                    f"{side}_{what}": count(ids)
                    for side, ids in (
                        ("collection", [i for i in self._plan.collection if self._home(i) == db_id]),
                        ("held_out", [i for i in self._plan.held_out if self._home(i) == db_id]),
                    )
                    for what, count in (
                        ("questions", len),
                        ("wrong_at_first", lambda ids: sum(first.get(i) == 0 for i in ids)),
                    )
                },
                "cards": (self._tables.record(default_design(), None) or {"by_database": {}})[
                    "by_database"
                ].get(db_id, 0),
            }
            for db_id in self._plan.db_ids
        ]

    def _home(self, question_id: str) -> str:
        return self._plan.by_id[question_id].db_id

    def _sources(self) -> list[dict[str, Any]]:
        rows = []
        for piece in acquisitions(self._plan):
            episodes = self._tables.episodes(piece)
            wrong = [episode for episode in episodes if not episode["score_before"]]
            rows.append(
                {
                    "path": piece.path,
                    "preset": piece.preset,
                    "questions": len(piece.ids),
                    "wrong_at_first": len(wrong),
                    "right_at_last": sum(episode["score_after"] for episode in wrong),
                    "calls": sum(episode["calls"] for episode in episodes),
                    "tokens": sum(e["prompt_tokens"] + e["output_tokens"] for e in episodes),
                }
            )
        return rows

    def _banks(self) -> list[dict[str, Any]]:
        rows = []
        for design in dict.fromkeys(design.bank for design in self._plan.designs):
            for seed in self._plan.seeds_of(design.bank_sampled):
                for db_id in self._plan.db_ids if design.scope == "foreign" else ("",):
                    record = self._tables.record(design, seed, db_id)
                    if record is not None:
                        rows.append(
                            {
                                "design": design.key,
                                "label": design.label,
                                "seed": seed,
                                "for": db_id,
                                **record,
                            }
                        )
        return rows

    def _levels(self) -> list[dict[str, Any]]:
        rows = []
        for design in self._plan.designs:
            for setting in axes()["settings"]:
                outcomes = self._outcomes(design, setting)
                if outcomes is None:
                    continue
                without = self._without(outcomes)
                moved = changes(outcomes, self._tables.first_answers) or {}
                rows.append(
                    {
                        "design": design.key,
                        "label": design.label,
                        "setting": setting,
                        "seeds_coincide": not design.sampled,
                        "ex": asdict(level(outcomes, **self._draws)),
                        "without": None if without is None else asdict(level(without, **self._draws)),
                        "gain": self._against(outcomes, without),
                        **{name: value for name, value in moved.items() if not name.endswith("_ids")},
                    }
                )
        return rows

    def _primary(self) -> list[dict[str, Any]]:
        """The comparisons named in advance, on transfer; without figures where a design is not measured."""
        rows = []
        for named in axes()["primary"]:
            first = default_design(**named["first"])
            outcomes = self._measured(first)
            if named["second"] is None:
                other = None if outcomes is None else self._without(outcomes)
                label = "no memory"
            else:
                second = default_design(**named["second"])
                other, label = self._measured(second), second.label
            rows.append(
                {
                    "name": named["name"],
                    "question": named["question"],
                    "first": first.label,
                    "second": label,
                    "contrast": self._against(outcomes, other),
                }
            )
        return rows

    def _measured(self, design: Design, setting: str = "transfer") -> Outcomes | None:
        return self._outcomes(design, setting) if design in self._plan.designs else None

    def _exploratory(self) -> list[dict[str, Any]]:
        """Every design against the one that it varies: the default, or that at matched cards."""
        rows = []
        for design in self._plan.designs:
            base = _varied(design)
            if design == base or base not in self._plan.designs:
                continue
            for setting in axes()["settings"]:
                found = self._against(self._outcomes(design, setting), self._outcomes(base, setting))
                if found is not None:
                    rows.append(
                        {
                            "setting": setting,
                            "first": design.label,
                            "second": base.label,
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
        episodes = self._tables.episodes(floor(ids)) if ids else []
        right = [episode["score_after"] for episode in episodes]
        return {
            "by_construction": False,
            "ex": sum(right) / len(right) if right else None,
            "questions": len(right),
        }

    def _ratio(self) -> dict[str, Any] | None:
        memory = self._outcomes(default_design(), "transfer")
        held_out = self._plan.held_out
        without = self._tables.same(self._tables.first_answers, held_out)
        after = self._tables.same(self._tables.repaired, held_out)
        if memory is None or without is None or after is None:
            return None
        margin = self._tables.config["margin"]
        return asdict(crystallization_ratio(memory, without, after, **self._draws, margin=margin))

    def _notes(self) -> list[str]:
        said = [
            "Groups of twins lie whole on one side of the split: transfer with twins excluded is transfer.",
            "A question that could not be evaluated counts as wrong.",
            "Primary comparisons are named in advance and on transfer; everything else is exploratory.",
        ]
        if any(not design.sampled for design in self._plan.designs):
            said.append("Where nothing is sampled seeds coincide: one run stands for all.")
        if len(self._plan.db_ids) < 10:
            said.append(
                f"The bootstrap draws from {len(self._plan.db_ids)} databases: too few to speak of others."
            )
        return said


def _varied(design: Design) -> Design:
    """What a design varies: the default; at matched cards the default source so; by vote the same checked."""
    if design.matched:
        return default_design(matched=True)
    if design.admission == "vote":
        return default_design(source=design.source)
    return default_design()


def _plain(value: Any) -> Any:
    """Without what JSON does not know: a figure that is not defined is None."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
