"""Which questions of a split are asked, and in which order: functions of ids alone, equal everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlmend._files import sha256_text
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.programs import Question


def parse_sample(text: str) -> tuple[int, int]:
    """``N`` or ``N:SEED`` as (N, seed); the seed is 0 where none is given.

    Raises:
        InputError: Another text, or an N below 1.
    """
    size, _, seed = text.partition(":")
    try:
        sample = int(size), int(seed) if ":" in text else 0
    except ValueError:
        sample = 0, 0
    if sample[0] < 1:
        raise InputError(
            "bad_sample",
            f"a sample is N or N:SEED with N at least 1; got {text!r}",
            hint="for example --sample 40 or --sample 40:7",
        )
    return sample


def take_limit(questions: Sequence[Question], limit: int) -> tuple[Question, ...]:
    """The first ``limit`` questions.

    Raises:
        InputError: A limit below 1.
    """
    if limit < 1:
        raise InputError("bad_limit", f"a limit is at least 1; got {limit}")
    return tuple(questions[:limit])


def take_sample(questions: Sequence[Question], size: int, seed: int = 0) -> tuple[Question, ...]:
    """The ``size`` questions with the smallest sha256 of ``"{seed}:{question_id}"``, in the order given."""
    ranked = sorted(questions, key=lambda question: sha256_text(f"{seed}:{question.id}"))
    chosen = {question.id for question in ranked[:size]}
    return tuple(question for question in questions if question.id in chosen)


def order(questions: Iterable[Question], k: int) -> tuple[Question, ...]:
    """The stream order ``k``: the questions sorted by sha256 of ``"order{k}:{question_id}"``."""
    return tuple(sorted(questions, key=lambda question: sha256_text(f"order{k}:{question.id}")))
