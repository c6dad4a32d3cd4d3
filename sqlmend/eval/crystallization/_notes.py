"""What a reader of a study's results has to know beside the figures, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from sqlmend.eval.crystallization._design import axes
from sqlmend.eval.crystallization._pieces import acquisitions
from sqlmend.eval.crystallization._tables import Tables


def notes(tables: Tables) -> list[str]:
    """The notes of a study, finished or not."""
    plan = tables.plan
    said = [
        "Groups of twins lie whole on one side of the split: transfer with twins excluded is transfer.",
        "A question that could not be evaluated counts as wrong.",
        "Primary comparisons are named in advance and on transfer; everything else is exploratory.",
    ]
    if any(not design.sampled for design in plan.designs):
        said.append("Where nothing is sampled seeds coincide: one run stands for all.")
    if not all(design.of_corrections for design in plan.designs):
        said.append(
            "Foreign and permuted banks and correct first answers are measured on transfer alone: no"
            " question can be asked again there with its own correction, or without it for certain."
        )
    if len(plan.db_ids) < 10:
        said.append(f"The bootstrap draws from {len(plan.db_ids)} databases: too few to speak of others.")
    return [*said, *_repeats(tables), *_of_banks(tables)]


def _repeats(tables: Tables) -> Iterator[str]:
    """Of which greedy retries most gave a query again that was known to be wrong."""
    greedy = {about["preset"] for about in axes()["sources"].values() if "seeded" not in about}
    for piece in acquisitions(tables.plan):
        further, again = tables.further(piece)
        if piece.preset in greedy and 2 * again > further:
            yield (
                f"{piece.path}: {again} of {further} further attempts gave a query of their question again,"
                " word for word. A model that does so corrects little by being asked again; sources that"
                " sample (self_vote, resample) do not hang on that."
            )


def _of_banks(tables: Tables) -> Iterator[str]:
    """What could not be done to a bank as its design says."""
    designs = dict.fromkeys(design.bank for design in tables.plan.designs)
    records = {design: tables.records(design) for design in designs}
    empty = [design.label for design in designs if tables.is_empty(design)]
    if empty:
        yield (
            f"Banks without any card: {'; '.join(empty)}. Nothing could be recalled from them, and what has"
            " none on either side is not compared."
        )
    for design, found in records.items():
        if lost := [count for record in found if (count := record.get("lost"))]:
            yield f"{design.label}: the model failed over {_span(lost)} of the questions, which have no card."
    yield from _matched([found for design, found in records.items() if design.matched])
    yield from _draws({design.first_try: found for design, found in records.items() if design.first_try})
    yield from _foreign(
        record for design, found in records.items() if design.scope == "foreign" for record in found
    )
    yield from _unmoved(
        record for design, found in records.items() for record in found if "unmoved" in record
    )


def _matched(banks: Sequence[Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """At how many cards sources are compared, and which databases that leaves out."""
    built = [record for found in banks for record in found if "sources_without" in record]
    if not built:
        return
    yield f"Sources are matched at {_span([record['cards'] for record in built])} cards in all."
    without: dict[str, dict[str, None]] = {}
    for record in built:
        for db_id, sources in record["sources_without"].items():
            without.setdefault(db_id, {}).update(dict.fromkeys(sources))
    if without:
        named = "; ".join(f"{db_id} (none from {', '.join(without[db_id])})" for db_id in sorted(without))
        yield f"Matched banks have no card of these databases, because a source has none: {named}."


def _draws(banks: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """How many cards the draws of correct first answers have in common: all, where nothing is left over."""
    for one, other in combinations(banks, 2):
        seconds = {record["seed"]: record for record in banks[other]}
        pairs = [(first, seconds[first["seed"]]) for first in banks[one] if first["seed"] in seconds]
        shared = [len({*first["questions"]} & {*second["questions"]}) for first, second in pairs]
        if any(shared):
            yield (
                f"Draws {one} and {other} of correct first answers have {_span(shared)} of"
                f" {_span([first['cards'] for first, _ in pairs])} cards in common."
            )


def _foreign(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Where the other databases have fewer cards than the own one."""
    smaller = {
        record["for"]: f"{record['for']} {record['cards']} of {record['own_cards']}"
        for record in records
        if record["cards"] < record.get("own_cards", 0)
    }
    if smaller:
        yield (
            "Foreign banks are smaller than the own ones where the other databases have fewer cards:"
            f" {'; '.join(smaller.values())}."
        )


def _unmoved(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """How many cards of permuted banks stay aligned."""
    built = list(records)
    if any(record["unmoved"] for record in built):
        yield (
            f"In permuted banks {_span([record['unmoved'] for record in built])} of"
            f" {_span([record['cards'] for record in built])} cards keep what they say: the only one of a"
            " database, and some where over half of a database's say the same."
        )


def _span(numbers: Sequence[int]) -> str:
    """A number, or from which to which."""
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"
