"""Who lets a candidate into a bank."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from sqlmend._files import sha256_text
from sqlmend.errors import InputError, unknown_name
from sqlmend.eval.crystallization._candidates import Candidate

if TYPE_CHECKING:
    from sqlmend.databases import Database

#: Every kind of admission, with what it is written as.
KINDS = {
    "verified": "verified",
    "vote": "vote",
    "noisy": "noisy:P",
    "assertions": "assertions:FILE",
    "confirmed": "confirmed:FILE",
}


class Admission(Protocol):
    """Lets candidates in, each for itself, and keeps their order.

    Attributes:
        kind: A key of ``KINDS``.
    """

    kind: ClassVar[str]

    @property
    def name(self) -> str:
        """What the provenance of a card says of it; equal where it lets the same in for the same reason."""

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those that get in.

        Raises:
            InputError: They are not of the kind that it can decide on.
        """


@dataclass(frozen=True)
class Verified:
    """Confirmed by the oracle."""

    kind: ClassVar[str] = "verified"
    name: ClassVar[str] = "verified"

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those whose last attempt is right."""
        return [candidate for candidate in candidates if candidate.correct]


@dataclass(frozen=True)
class Vote:
    """Chosen by the vote of samples, and checked by nobody."""

    kind: ClassVar[str] = "vote"
    name: ClassVar[str] = "vote"

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """All of them.

        Raises:
            InputError: One was not voted for.
        """
        if other := [candidate.question_id for candidate in candidates if not candidate.voted]:
            raise InputError(
                "no_vote",
                f"admission by vote takes what a vote has chosen; question {other[0]} was not voted on",
                hint="use a run of self_vote, or admit verified ones",
            )
        return list(candidates)


@dataclass(frozen=True)
class Noisy:
    """The oracle's verdict, turned around for a share of the questions.

    A question's draw depends on the seed and its id alone: what is turned around at one probability is so at
    every larger one, and for every source.

    Attributes:
        probability: Of turning a verdict around: a right one is refused, a wrong one gets in.
        seed: Seed of the draws.

    Raises:
        InputError: The probability is not from 0 to 1.
    """

    kind: ClassVar[str] = "noisy"
    probability: float
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.probability <= 1:
            raise InputError(
                "bad_admission", f"the probability of noisy lies between 0 and 1; got {self.probability}"
            )

    @property
    def name(self) -> str:
        """``noisy:P``; without noise it is ``verified``, and so is every card that it lets in."""
        return f"noisy:{self.probability:g}" if self.probability else Verified.name

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those whose verdict, turned around where the draw says so, is right."""
        return [candidate for candidate in candidates if candidate.correct is not self._turned(candidate)]

    def _turned(self, candidate: Candidate) -> bool:
        drawn = int(sha256_text(f"noise{self.seed}:{candidate.question_id}")[:13], 16)
        return drawn < self.probability * 16**13


def parse_admission(
    text: str,
    *,
    seed: int = 0,
    databases: Callable[[str], Database] | None = None,
    asked: Collection[str] = (),
) -> Admission:
    """The admission of its text.

    Args:
        text: As ``KINDS`` writes it.
        seed: Seed of ``noisy``.
        databases: Opens the database of a name; needed by ``assertions``.
        asked: Ids that files of ``assertions`` and ``confirmed`` may name though they have no candidate.

    Raises:
        InputError: Unknown, a bad probability, or a file that cannot be read or used.
    """
    from sqlmend.eval.crystallization._assertions import Assertions, Confirmed

    kind, _, value = text.partition(":")
    if kind not in KINDS:
        raise unknown_name("admission", kind, KINDS)
    if bool(value) != (":" in KINDS[kind]):
        raise InputError("bad_admission", f"this admission is written {KINDS[kind]}; got {text!r}")
    if kind == "noisy":
        try:
            return Noisy(float(value), seed)
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError("bad_admission", f"noisy:P takes a number; got {text!r}") from None
    if kind == "assertions":
        if databases is None:
            raise ValueError("assertions need the databases")
        return Assertions.read(Path(value), databases, asked)
    if kind == "confirmed":
        return Confirmed.read(Path(value), asked)
    return Verified() if kind == "verified" else Vote()
