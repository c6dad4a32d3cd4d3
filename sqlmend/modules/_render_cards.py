"""Cards as a section of a prompt: what is shown of each, and nothing more."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend._text import for_prompt
from sqlmend.memory import CardEntry, CardPart
from sqlmend.modules._limits import DELTA_LIMIT, QUESTION_LIMIT, SQL_LIMIT
from sqlmend.retrievers import Scored

_LABEL_LIMIT = 80


def render_cards(cards: Sequence[Scored]) -> str:
    """The cards, numbered, best first: the question, then each part under its label."""
    return "\n\n".join(_card(number, scored.record.entry) for number, scored in enumerate(cards, 1))


def _card(number: int, entry: CardEntry) -> str:
    question = for_prompt(entry.question, QUESTION_LIMIT)
    return "\n".join([f"[{number}] question: {question}", *map(_part, entry.parts)])


def _part(part: CardPart) -> str:
    label = for_prompt(" ".join(part.label.split()), _LABEL_LIMIT)
    text = for_prompt(part.text, SQL_LIMIT if part.code else DELTA_LIMIT)
    return f"{label}: {text or ('(no query)' if part.code else '(none)')}"
