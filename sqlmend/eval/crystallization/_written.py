"""From candidates to their cards: what one question's failure costs is its card, and no more."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sqlmend.errors import SqlmendError
from sqlmend.eval.crystallization._candidates import Candidate
from sqlmend.memory import CardEntry
from sqlmend.modules import gather
from sqlmend.modules.cards import write_card
from sqlmend.programs import of_one_question

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Written:
    """The cards of some candidates.

    Attributes:
        cards: In the order of their candidates; those with nothing to say have none.
        lost: How many could not be had, because the model failed over their question.
    """

    cards: list[CardEntry]
    lost: int


def write_cards(
    form: str,
    candidates: Sequence[Candidate],
    key: str = "question",
    done: Callable[[], object] = lambda: None,
) -> Written:
    """Write the cards of candidates; a served model is asked for several at once.

    Args:
        form: A name of ``FORMATS``; ``capsule`` asks the language model of ``dspy.context``.
        candidates: What cards are written of.
        key: A name of ``KEYS``.
        done: Told of every candidate that is done with, in any thread.

    Raises:
        InputError: Unknown format or key.
        SqlmendError: A failure that every further question would meet.
    """
    found = gather([partial(_write, form, key, one, done) for one in candidates])
    return Written([card for card, _ in found if card is not None], sum(lost for _, lost in found))


def _write(
    form: str, key: str, candidate: Candidate, done: Callable[[], object]
) -> tuple[CardEntry | None, bool]:
    """The card of a candidate, None where it has nothing to say; and whether it was lost."""
    try:
        return write_card(form, candidate.material, key), False
    except SqlmendError as error:
        if not of_one_question(error):
            raise
        _log.warning("no card of question %s: %s", candidate.question_id, error)
        return None, True
    finally:
        done()
