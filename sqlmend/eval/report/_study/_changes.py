"""Which first answers cards fix, which they break, and what repair without memory makes of those."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend.eval.report._blocks import Block, Facts, Section, Table, Words
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._study._read import DEFAULT, TRANSFER, Row, Study, percent

_MOST = 100  # ids of questions in a line; results.json holds the others


def changes(study: Study) -> Section | None:
    """Fixed and broken questions by design and setting; None where nothing is measured."""
    rows = study.document["levels"]
    if not rows:
        return None
    blocks: list[Block] = []
    found = study.document["serving"]["changes"]
    if found is not None:
        blocks += [Words(_resolved(study.document["serving"]["resolved"])), _ids(found)]
    return Section("Fixed and broken", "changes", [*blocks, _table(study, rows)])


def _resolved(found: Row) -> str:
    if found["resolved_of_fixed"] is None:
        return "On held-out questions the default design's cards stably fix no first answer."
    said = (
        f"The default design's cards stably fix {found['fixed']} held-out first answers. Repair without "
        f"memory resolves {percent(found['resolved_of_fixed'])} of those"
    )
    if found["resolved_of_comparable"] is None:
        return f"{said}; there are no other first failures in their databases to compare with."
    return (
        f"{said}. Of the {found['with_comparable']} whose databases have other first failures it resolves "
        f"{percent(found['resolved_of_those'])}, and of those others, weighted alike, "
        f"{percent(found['resolved_of_comparable'])}."
    )


def _ids(found: Row) -> Facts:
    items = [
        (f"Stably {kind} ({len(found[f'{kind}_ids'])})", _listed(found[f"{kind}_ids"]))
        for kind in ("fixed", "broken")
    ]
    return Facts("Held-out questions of the default design, under every seed", items)


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST} more" if len(ids) > _MOST else ""
    return f"{', '.join(ids[:_MOST])}{more}" if ids else "none"


def _table(study: Study, rows: Sequence[Row]) -> Table:
    kinds = ("fixed", "broken", "stably_fixed", "stably_broken")
    columns = [Column("Design"), Column("Setting"), Column("Questions", "count")]
    columns += [Column(kind.replace("_", " ").capitalize(), "amount") for kind in kinds]
    columns.append(Column("Seeds", "text", "of the design"))
    seeds = len(study.about["seeds"])
    cells = [
        [
            row["label"],
            study.settings[row["setting"]],
            row["ex"]["questions"],
            *(row.get(kind) for kind in kinds),
            "coincide" if row["seeds_coincide"] else f"{row['ex']['seeds']} of {seeds}",
        ]
        for row in rows
        if row["design"] == DEFAULT or row["setting"] == TRANSFER
    ]
    note = (
        f"Against {study.held_against}. Fixed and broken: mean over seeds; stably: under "
        "every seed that asked. Seeds coincide where nothing is sampled. results.csv has every setting."
    )
    return Table("Fixed and broken questions", columns, cells, note)
