"""Which questions of a split are asked, and in which order: functions of ids alone, equal everywhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlmend._files import sha256_text
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.programs import Question


@dataclass(frozen=True)
class Sample:
    """How many questions are drawn, and with which seed.

    Args:
        size: Questions of the split, or of each database.
        seed: Seed of the draw.
        each: Whether ``size`` is meant for every database.
    """

    size: int
    seed: int = 0
    each: bool = False


def parse_sample(text: str) -> Sample:
    """What ``N``, ``N/db``, ``N:SEED`` or ``N/db:SEED`` ask for; the seed is 0 where none is given.

    Raises:
        InputError: Another text, or an N below 1.
    """
    parts = re.fullmatch(r"(\d+)(/db)?(?::(-?\d+))?", text, re.ASCII)
    if parts is None or int(parts[1]) < 1:
        raise InputError(
            "bad_sample",
            f"a sample is N or N:SEED with N at least 1, or N/db of each database; got {text!r}",
            hint="for example --sample 40, --sample 40:7 or --sample 36/db",
        )
    return Sample(int(parts[1]), int(parts[3] or 0), each=parts[2] is not None)


def take_limit(questions: Sequence[Question], limit: int) -> tuple[Question, ...]:
    """The first ``limit`` questions.

    Raises:
        InputError: A limit below 1.
    """
    if limit < 1:
        raise InputError("bad_limit", f"a limit is at least 1; got {limit}")
    return tuple(questions[:limit])


def take_sample(questions: Sequence[Question], sample: Sample) -> tuple[Question, ...]:
    """The questions with the smallest sha256 of ``"{seed}:{question_id}"``, in the order given."""
    drawn: Counter[str] = Counter()
    chosen = set()
    for question in sorted(questions, key=lambda question: sha256_text(f"{sample.seed}:{question.id}")):
        stratum = question.db_id if sample.each else ""
        if drawn[stratum] < sample.size:
            drawn[stratum] += 1
            chosen.add(question.id)
    return tuple(question for question in questions if question.id in chosen)


def order(questions: Iterable[Question], k: int) -> tuple[Question, ...]:
    """The stream order ``k``: the questions sorted by sha256 of ``"order{k}:{question_id}"``."""
    return tuple(sorted(questions, key=lambda question: sha256_text(f"order{k}:{question.id}")))
