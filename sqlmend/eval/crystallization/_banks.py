"""The banks of a study: from what was collected to folders of cards."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import dspy

from sqlmend._files import canonical_json, sha256_text, write_atomic
from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval.crystallization._admission import parse_admission
from sqlmend.eval.crystallization._bank import (
    counts,
    foreign,
    fraction,
    matched,
    permuted,
    read_bank,
    without_sql,
    write_bank,
)
from sqlmend.eval.crystallization._candidates import Candidate, candidates
from sqlmend.eval.crystallization._design import Design
from sqlmend.eval.crystallization._pieces import acquisition, bank_path
from sqlmend.eval.crystallization._request import CrystallizationRequest
from sqlmend.eval.crystallization._written import write_cards
from sqlmend.memory import CardEntry
from sqlmend.models import meter

#: What every record holds; those of earlier versions lack what came later.
_FIELDS = frozenset(
    "candidates would_pass admitted calls prompt_tokens output_tokens cards audited_correct by_database"
    " questions".split()
)


@dataclass(frozen=True)
class _Admitted:
    """Cards before anything is done to the bank, whose corrections were right, and how they came about."""

    cards: list[CardEntry]
    correct: frozenset[str]
    about: Mapping[str, Any]


@dataclass(frozen=True)
class _Matching:
    """How many cards of each database every source has; where that is none, which sources have none."""

    least: Mapping[str, int]
    without: Mapping[str, list[str]]


class Banks:
    """Builds the banks of a study; one that is written stays as it is.

    Args:
        request: The study; what its sources need is collected.
    """

    def __init__(self, request: CrystallizationRequest) -> None:
        self._request = request
        self._plan = request.plan
        self._cards: dict[tuple[Any, ...], _Admitted] = {}

    def build(self) -> None:
        """Write every bank that is not there."""
        designs = dict.fromkeys(design.bank for design in self._plan.designs)
        # Whole cards before those without SQL, which are made of them.
        for design in sorted(designs, key=lambda design: design.content != "whole"):
            for seed in self._plan.seeds_of(design.bank_sampled):
                for db_id in self._plan.databases_of(design):
                    self._one(design, seed, db_id)

    def _one(self, design: Design, seed: int | None, db_id: str) -> None:
        folder = self._request.out / bank_path(design, seed, db_id)
        if _record_file(folder).exists():
            return
        cards, about = self._of_whole(design, seed, db_id) or self._made(design, seed, db_id)
        if folder.exists():  # left by a kill before its record was written; nothing says what it holds
            shutil.rmtree(folder)
        admission = parse_admission(design.admission).name
        write_bank(cards, folder, {"source": design.source, "admission": admission})
        record = {
            **about,
            "cards": len(cards),
            "by_database": dict(sorted(counts(cards).items())),
            "questions": sorted({card.question_id for card in cards}),
            "cards_hash": _hash(cards),
        }
        write_atomic(_record_file(folder), json.dumps(record, indent=2) + "\n")

    def _of_whole(
        self, design: Design, seed: int | None, db_id: str
    ) -> tuple[list[CardEntry], dict[str, Any]] | None:
        """The cards of the bank that this one is without SQL, as they were written, and how it came about.

        A model that words cards would word them otherwise where it is asked anew, after a kill.
        """
        if design.content == "whole":
            return None
        whole = self._request.out / bank_path(replace(design, content="whole"), seed, db_id)
        about = read_record(whole)
        if about is None:
            return None
        require_same(whole)
        return without_sql(read_bank(whole)), about

    def _made(self, design: Design, seed: int | None, db_id: str) -> tuple[list[CardEntry], dict[str, Any]]:
        """The cards of a bank from what was collected, and how it came about."""
        admitted = self._admitted(design, seed)
        cards, changed = self._changed(admitted.cards, design, seed, db_id)
        correct = _audited(cards, admitted.correct, design)
        return cards, {**admitted.about, "audited_correct": correct, **changed}

    def _changed(
        self, cards: list[CardEntry], design: Design, seed: int | None, db_id: str
    ) -> tuple[list[CardEntry], dict[str, Any]]:
        """The cards after everything that the design does to a bank, and what of that could not be had.

        Without a seed nothing is drawn.
        """
        about: dict[str, Any] = {}
        if design.matched:
            # The draws of correct first answers are subsets of their own; every other source has one.
            draw = int(design.first_try or 0)
            matching = self._matching[seed]
            cards = matched(cards, matching.least, _seed(seed) * 10 + draw)
            about["sources_without"] = matching.without
        if db_id:
            own = counts(cards).get(db_id, 0)
            cards = foreign(cards, db_id, min(own, len(cards) - own), _seed(seed))
            about["own_cards"] = own
        if design.fraction < 1:
            cards = fraction(cards, design.fraction, _seed(seed))
        if design.pairing == "permuted":
            before, cards = cards, permuted(cards, _seed(seed))
            about["unmoved"] = sum(one.parts == other.parts for one, other in zip(before, cards, strict=True))
        return (without_sql(cards) if design.content == "lesson_only" else cards), about

    @cached_property
    def _matching(self) -> Mapping[int | None, _Matching]:
        """By seed, what the sources that are compared at matched cards have in common."""
        designs = [design for design in self._plan.designs if design.matched]
        found = {}
        for seed in self._plan.seeds_of(sampled=True):
            each = [(design.source, counts(self._admitted(design, seed).cards)) for design in designs]
            least = {db_id: min(have.get(db_id, 0) for _, have in each) for db_id in self._plan.db_ids}
            without = {
                db_id: list(dict.fromkeys(source for source, have in each if not have.get(db_id)))
                for db_id, count in least.items()
                if not count
            }
            found[seed] = _Matching(least, without)
        return found

    def _admitted(self, design: Design, seed: int | None) -> _Admitted:
        """The cards that a design's source, admission and format leave, and how they came about."""
        acquired = seed if design.acquisition_sampled else None
        noise = seed if parse_admission(design.admission).kind == "noisy" else None
        key = (design.source, design.admission, design.format, design.card_key, acquired, noise)
        if key not in self._cards:
            asking = self._candidates(design, acquired)
            admitted = parse_admission(design.admission, seed=_seed(noise)).admit(asking)
            with dspy.context(lm=self._request.lm), meter() as usage:
                written = write_cards(design.format, admitted, design.card_key)
            about = {
                "candidates": len(asking),
                "would_pass": sum(one.correct for one in asking),
                "admitted": len(admitted),
                "lost": written.lost,
                "calls": usage.calls,
                "prompt_tokens": usage.prompt_tokens,
                "output_tokens": usage.output_tokens,
            }
            correct = frozenset(one.question_id for one in asking if one.correct)
            self._cards[key] = _Admitted(written.cards, correct, about)
        return self._cards[key]

    def _candidates(self, design: Design, seed: int | None) -> Sequence[Candidate]:
        piece = acquisition(self._plan, design.source, seed)
        return candidates(
            piece.folder(self._request.out), self._request.benchmark, first_try=design.first_try is not None
        )


def _audited(cards: Sequence[CardEntry], correct: frozenset[str], design: Design) -> int | None:
    """How many cards hold a right query; None where they hold that of another question."""
    if design.pairing == "permuted":
        return None
    return sum(card.question_id in correct for card in cards)


def read_record(bank: Path) -> dict[str, Any] | None:
    """How the bank in a folder came about; None where it is not finished.

    Raises:
        SqlmendError: The record is damaged.
    """
    file = _record_file(bank)
    if not file.exists():
        return None
    try:
        found = json.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SqlmendError("damaged_study", f"{file} is damaged: {error}") from error
    if not isinstance(found, dict) or not found.keys() >= _FIELDS:
        raise SqlmendError("damaged_study", f"{file} is no record of a bank")
    return found


def require_same(bank: Path) -> None:
    """Refuse a bank whose cards are not those that the study put there; an old record does not know them.

    Raises:
        InputError: They are others, or the bank is gone.
        SqlmendError: The bank or its record is damaged.
    """
    built = (read_record(bank) or {}).get("cards_hash")
    if built is not None and built != _hash(read_bank(bank)):
        raise InputError(
            "other_bank",
            f"{bank} does not hold the cards that the study built",
            hint=f"delete {bank} and {_record_file(bank).name} beside it; --resume builds it again",
        )


def _hash(cards: Sequence[CardEntry]) -> str:
    return sha256_text(canonical_json([card.id for card in cards]))


def _record_file(bank: Path) -> Path:
    return bank.with_name(f"{bank.name}.json")


def _seed(seed: int | None) -> int:
    return 0 if seed is None else seed
