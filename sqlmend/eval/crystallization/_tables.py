"""What a study's folder holds, as tables of outcomes; nothing else of it is read here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sqlmend.eval._run_folder import read_episodes, read_steps
from sqlmend.eval._summary import last_runs
from sqlmend.eval.crystallization._banks import read_record
from sqlmend.eval.crystallization._contrast import Outcomes
from sqlmend.eval.crystallization._design import Design, axes
from sqlmend.eval.crystallization._folder import read_study
from sqlmend.eval.crystallization._pieces import Piece, acquisition, bank_path, floor, repair, uses
from sqlmend.eval.crystallization._plan import Plan

Scores = Mapping[str, int]


class Tables:
    """Reads a study; what is not there yet is missing, and said so.

    Args:
        folder: The study's folder.

    Attributes:
        config: The content of its ``crystallization.json``.
        plan: What it asks.
        missing: Pieces that are not finished, with how many of their questions are.

    Raises:
        InputError: The folder holds no study.
        SqlmendError: A file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = read_study(folder)
        self.plan = Plan.from_data(self.config)
        self.missing: dict[str, tuple[int, int]] = {}

    def episodes(self, piece: Piece) -> list[dict[str, Any]]:
        """The finished episodes of a piece; one that is not finished is noted as missing."""
        found = read_episodes(piece.folder(self.folder))
        if len(found) < len(piece.ids):
            self.missing[piece.path] = len(found), len(piece.ids)
        return found

    def further(self, piece: Piece) -> tuple[int, int]:
        """Attempts after the first ones, and how many gave a query again that their question had already."""
        queries = [[a["sql"] for a in episode["attempts"]] for episode in self.episodes(piece)]
        again = sum(sql in before[:n] for before in queries for n, sql in enumerate(before))
        return sum(len(one) - 1 for one in queries if one), again

    def steps(self, piece: Piece) -> list[Mapping[str, Any]]:
        """The log of a piece's steps, each once."""
        return last_runs(read_steps(piece.folder(self.folder)))

    def cut_off(self, piece: Piece) -> int | None:
        """Answers that did not come to their own end; None where an earlier version has written the log."""
        steps = self.steps(piece)
        return sum(step["cut_off"] for step in steps) if all("cut_off" in step for step in steps) else None

    @cached_property
    def first_answers(self) -> dict[str, int]:
        """Whether the first answer without memory was right, for every question that has one."""
        pieces = (acquisition(self.plan, "probe", None), repair(self.plan))
        return {e["question_id"]: e["score_before"] for piece in pieces for e in self.episodes(piece)}

    @cached_property
    def repaired(self) -> dict[str, int]:
        """Whether repair without memory got a held-out question right in the end."""
        return {e["question_id"]: e["score_after"] for e in self.episodes(repair(self.plan))}

    @cached_property
    def asked_anew(self) -> dict[str, int]:
        """Whether a question that ever produced a card is right when it is asked again without memory.

        On a bit-stable engine that is what it was at first.
        """
        if self.config["bit_stable"] or not self.ever_carded:
            return self.first_answers
        return {e["question_id"]: e["score_after"] for e in self.episodes(floor(self.ever_carded))}

    def without(self, setting: str) -> dict[str, int]:
        """Whether questions are right without memory, as a setting asks them.

        Questions that produced a card were chosen for an answer that was wrong: they are asked again, or what
        comes right by itself would count as gain.
        """
        return self.asked_anew if axes()["settings"][setting]["asked"] == "carded" else self.first_answers

    @cached_property
    def ever_carded(self) -> tuple[str, ...]:
        """The questions that produced a card of any bank that they are asked again with."""
        ids = {i for design in self.plan.designs for found in self.carded(design).values() for i in found}
        return tuple(question_id for question_id in self.plan.collection if question_id in ids)

    def record(self, design: Design, seed: int | None, db_id: str = "") -> dict[str, Any] | None:
        """How a bank came about; None where it is not finished."""
        return read_record(self.folder / bank_path(design, seed, db_id))

    def records(self, design: Design) -> list[dict[str, Any]]:
        """How the finished banks of a design came about, with their ``seed`` and whom they are ``for``."""
        found = []
        for seed in self.plan.seeds_of(design.bank_sampled):
            for db_id in self.plan.databases_of(design):
                if (record := self.record(design, seed, db_id)) is not None:
                    # Studies of an earlier version counted what a permuted card's question once had.
                    audited = None if design.pairing == "permuted" else record["audited_correct"]
                    found.append({"seed": seed, "for": db_id, **record, "audited_correct": audited})
        return found

    def is_empty(self, design: Design) -> bool:
        """Whether all banks of a design are finished and hold no card."""
        banks = len(self.plan.seeds_of(design.bank_sampled)) * len(self.plan.databases_of(design))
        found = self.records(design)
        return len(found) == banks and not any(record["cards"] for record in found)

    def carded(self, design: Design) -> dict[int | None, tuple[str, ...]]:
        """By seed of the bank, the questions that produced a card; none of a bank that is not there.

        Nor of one whose cards are no corrections that questions could be asked again with.
        """
        if not design.of_corrections:
            return {}
        return {seed: self._carded(design, seed) for seed in self.plan.seeds_of(design.bank_sampled)}

    def _carded(self, design: Design, seed: int | None) -> tuple[str, ...]:
        record = self.record(design, seed)
        ids = set() if record is None else set(record["questions"])
        return tuple(question_id for question_id in self.plan.collection if question_id in ids)

    def uses(self, design: Design, setting: str) -> list[tuple[int | None, list[dict[str, Any]]]]:
        """The finished episodes of a design in a setting, each run with its seed."""
        found = uses(self.plan, design, setting, self.carded(design))
        return [(seed, self.episodes(piece)) for seed, piece in found]

    def outcomes(self, design: Design, setting: str) -> Outcomes | None:
        """What a design got right in a setting; None where nothing was asked."""
        found: dict[int | None, dict[str, int]] = {}
        for seed, episodes in self.uses(design, setting):
            found.setdefault(seed, {}).update({e["question_id"]: e["score_after"] for e in episodes})
        return self.table(found)

    def same(self, scores: Scores, ids: Iterable[str]) -> Outcomes | None:
        """Outcomes in which nothing is sampled."""
        return self.table({None: {i: scores[i] for i in ids if i in scores}})

    def table(self, by_seed: Mapping[int | None, Scores]) -> Outcomes | None:
        """The outcomes of scores by seed; None where there are none."""
        ids = sorted({question_id for scores in by_seed.values() for question_id in scores})
        if not ids:
            return None
        columns = [[scores.get(question_id, np.nan) for question_id in ids] for scores in by_seed.values()]
        seeds: Sequence[int] = [seed for seed in by_seed if seed is not None]
        asked = [self.plan.by_id[question_id] for question_id in ids]
        return Outcomes(
            tuple(ids),
            tuple(question.db_id for question in asked),
            tuple(question.group for question in asked),
            tuple(seeds) or None,
            np.array(columns, dtype=np.float64).T,
        )
