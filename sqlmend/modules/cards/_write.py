"""One card of one episode, by the name of its format."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlmend._registry import Registry
from sqlmend.databases import canonical
from sqlmend.errors import unknown_name
from sqlmend.memory import CardEntry, CardPart
from sqlmend.modules.cards._material import Material

#: Turns material into what a card says; nothing where there is nothing to say.
Writer = Callable[[Material], tuple[CardPart, ...]]

_PACKAGE = "sqlmend.modules.cards"
#: Format to its writer; ``capsule`` alone asks a language model.
FORMATS = Registry(
    "card format",
    {
        "verbatim": f"{_PACKAGE}._plain:verbatim",
        "trace": f"{_PACKAGE}._plain:trace",
        "diff": f"{_PACKAGE}._diff:diff",
        "diff_mode": f"{_PACKAGE}._diff:diff_mode",
        "diff_mode_anchor": f"{_PACKAGE}._diff:diff_mode_anchor",
        "diff_guard": f"{_PACKAGE}._diff:diff_guard",
        "capsule": f"{_PACKAGE}._capsule:capsule",
    },
)

#: What a card is found by: the question alone, or the question and what the card says.
KEYS = ("question", "payload")


def write_card(format: str, material: Material, key: str = "question") -> CardEntry | None:
    """Write the card of one episode.

    Args:
        format: A name of ``FORMATS``; ``capsule`` asks the language model of ``dspy.context``.
        material: The episode.
        key: A name of ``KEYS``.

    Returns:
        The card; None where the last attempt holds no statement or the format has nothing to say of it
        (a difference of a first attempt that was right, an empty lesson).

    Raises:
        InputError: Unknown format or key.
        SqlmendError: The language model of ``capsule`` failed, or its prompt does not fit.
    """
    if key not in KEYS:
        raise unknown_name("card key", key, KEYS)
    writer: Writer = FORMATS[format]
    parts = writer(material) if canonical(material.sql) else ()
    if not parts:
        return None
    return CardEntry(
        question_id=material.question_id,
        question=material.question,
        db_id=material.db_id,
        schema_fingerprint=material.schema.fingerprint,
        format=format,
        failure_type=material.failure_types[0],
        key=card_key(key, material.question, parts),
        parts=parts,
    )


def card_key(key: str, question: str, parts: Sequence[CardPart]) -> str:
    """The text that a card of this question and these parts is found by.

    Args:
        key: A name of ``KEYS``.
        question: The question's text.
        parts: What the card says.
    """
    return question if key == "question" else "\n".join([question, *(part.text for part in parts)])
