"""Banks of cards: what is done to one between admission and use, and how it lies on disk.

Everything is a function of cards, numbers and a seed, the same on every machine; the order of cards is kept.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlmend._files import sha256_text
from sqlmend.errors import InputError
from sqlmend.memory import IMPORTED, CardEntry, CardPart, Memory, export_memory, memory_folder
from sqlmend.modules.cards import card_key

#: What a card says that has nothing to say without SQL: it keeps its place, and its question is still shown.
NO_SQL = CardPart("note", "the query that answered it is not shown")


def counts(cards: Iterable[CardEntry]) -> dict[str, int]:
    """Database to its number of cards."""
    return dict(Counter(card.db_id for card in cards))


def matched(cards: Sequence[CardEntry], counts_by_db: Mapping[str, int], seed: int) -> list[CardEntry]:
    """So many cards of each database, drawn by the hash of their question's id; none of any other one.

    Raises:
        InputError: A database has fewer.
    """
    have = counts(cards)
    for db_id, wanted in counts_by_db.items():
        if have.get(db_id, 0) < wanted:
            raise InputError("too_few_cards", f"{db_id} has {have.get(db_id, 0)} cards; {wanted} are wanted")
    return _drawn(cards, counts_by_db, f"matched{seed}")


def fraction(cards: Sequence[CardEntry], share: float, seed: int) -> list[CardEntry]:
    """A share of the cards of each database, rounded up; a smaller share lies within a larger one.

    Raises:
        InputError: The share is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise InputError("bad_fraction", f"a share of a bank is above 0 and at most 1; got {share}")
    wanted = {db_id: math.ceil(share * count) for db_id, count in counts(cards).items()}
    return _drawn(cards, wanted, f"fraction{seed}")


def foreign(cards: Sequence[CardEntry], db_id: str, count: int, seed: int) -> list[CardEntry]:
    """So many cards of other databases, drawn for this database by the hash of their question's id.

    Raises:
        InputError: The other databases have fewer.
    """
    others = [card for card in cards if card.db_id != db_id]
    if len(others) < count:
        raise InputError(
            "too_few_cards", f"the databases beside {db_id} have {len(others)} cards; {count} are wanted"
        )
    chosen = set(_ranked(others, f"foreign{seed}:{db_id}")[:count])
    return [card for card in others if card in chosen]


def permuted(cards: Sequence[CardEntry], seed: int) -> list[CardEntry]:
    """The cards of each database with what they say moved around among their questions.

    No question gets what its own card said, unless more than half of its database's cards say the same. Every
    question and everything that is said is there as often as before. The only card of a database stays as it
    is. A key that held what the card said is made anew.
    """
    moved: dict[int, tuple[CardPart, ...]] = {}
    for db_id in counts(cards):
        places = [place for place, card in enumerate(cards) if card.db_id == db_id]
        moved.update(_moved(cards, places, f"permuted{seed}"))
    return [_saying(card, moved[place]) for place, card in enumerate(cards)]


def without_sql(cards: Sequence[CardEntry]) -> list[CardEntry]:
    """The same cards without their SQL; one that is nothing else says so (``NO_SQL``) and stays."""
    return [_saying(card, tuple(part for part in card.parts if not part.code) or (NO_SQL,)) for card in cards]


def write_bank(cards: Sequence[CardEntry], folder: Path, provenance: Mapping[str, Any]) -> None:
    """Write the cards as a memory of their own, complete or not at all; equal cards give equal bytes.

    Args:
        cards: In the order in which they are written; there may be none.
        folder: The new folder; it may be there if it is empty.
        provenance: What every card's record says of where it comes from: no time, path or random id.

    Raises:
        InputError: The folder holds something, or cannot be written.
    """
    with tempfile.TemporaryDirectory() as draft, Memory(Path(draft) / "bank", write=True) as memory:
        memory.append(cards, IMPORTED, provenance)
        export_memory(memory, folder)


def read_bank(folder: Path) -> list[CardEntry]:
    """The cards of a memory, or of a run's, in the order of its log.

    Raises:
        InputError: No memory there, or damage.
    """
    return [record.entry for record in Memory(memory_folder(folder)).records("cards")]


def _ranked(cards: Sequence[CardEntry], draw: str) -> list[CardEntry]:
    return sorted(cards, key=lambda card: (sha256_text(f"{draw}:{card.question_id}"), card.id))


def _drawn(cards: Sequence[CardEntry], wanted: Mapping[str, int], draw: str) -> list[CardEntry]:
    """The first so many of each database by their hash, in the order given."""
    chosen: set[CardEntry] = set()
    for db_id, count in wanted.items():
        ranked = _ranked([card for card in cards if card.db_id == db_id], draw)
        chosen.update(ranked[:count])
    return [card for card in cards if card in chosen]


def _moved(
    cards: Sequence[CardEntry], places: Sequence[int], draw: str
) -> Iterator[tuple[int, tuple[CardPart, ...]]]:
    """Place to what the card there says now.

    Cards that say the same stand together in a ring, which is turned by the size of the largest such group:
    then no place gets the same again, unless the group is more than half of them all. Groups, and cards
    within a group, stand in the order of their hashes.
    """
    alike: dict[tuple[CardPart, ...], list[int]] = {}
    for place in sorted(places, key=lambda place: sha256_text(f"{draw}:{cards[place].question_id}")):
        alike.setdefault(cards[place].parts, []).append(place)
    ring = [place for group in alike.values() for place in group]
    turn = max(map(len, alike.values()))
    for n, place in enumerate(ring):
        yield place, cards[ring[(n + turn) % len(ring)]].parts


def _saying(card: CardEntry, parts: tuple[CardPart, ...]) -> CardEntry:
    key = "question" if card.key == card.question else "payload"
    return replace(card, parts=parts, key=card_key(key, card.question, parts))
