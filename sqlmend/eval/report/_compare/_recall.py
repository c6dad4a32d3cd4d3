"""What recall did: whether episodes that were shown memories were repaired, and which memories they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlmend.eval.report._blocks import Block, Case, Cases, Part, Section, Side, Table
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._compare._cases import memory_anchor
from sqlmend.eval.report._compare._read import Results, Row

_MOST = 30  # of the most recalled in a page; the others that it has are named by its examples
_WITH = {"none": "no memory shown", "others": "memories, none of a twin", "twins": "a memory of a twin"}


def recall(results: Results, ids: Sequence[str]) -> Section | None:
    """Repair by what was recalled, and the memories that this page names.

    Args:
        results: The document.
        ids: Memories that the examples show.
    """
    rows = results.document["recall"]
    if not rows:
        return None
    columns = [Column("Program")]
    for name in _WITH.values():
        columns += [Column("Failures", "count", name), Column("Repaired", "share", name)]
    columns.append(Column("Memories recalled", "count", "different"))
    cells = []
    for row in rows:
        groups = {group["with"]: group for group in row["groups"]}
        counts = [groups.get(key, {}).get(field) for key in _WITH for field in ("failed", "share")]
        cells.append([results.row_name(row), *counts, row["entries"]])
    note = "What was observed, not an effect: hard questions recall more."
    blocks: list[Block] = [
        Table("Episodes that failed at first, by what they were shown", columns, cells, note)
    ]
    items = list(_entries(results, ids))
    if items:
        facets = {"kind": "Kind", "type": "Failure type", "database": "Database"}
        blocks.append(
            Cases(
                "Memories",
                "memories",
                facets,
                items,
                "The most recalled, and those that the examples name. Their episodes are those that failed "
                "at first, over all programs, orders and group rules: a question counts once for each.",
            )
        )
    return Section("What was recalled", "recall", blocks)


def _entries(results: Results, ids: Sequence[str]) -> Iterator[Case]:
    known = results.document["memories"]
    top = sorted(known, key=lambda identity: -known[identity]["episodes"])[:_MOST]
    for identity in dict.fromkeys([*top, *ids]):
        if identity in known:
            memory = known[identity]
            used = f"recalled in {memory['episodes']} episodes, {memory['repaired']} of them repaired"
            yield _entry(identity, memory, used if memory["episodes"] else "")


def _entry(identity: str, memory: Row, used: str) -> Case:
    words = filter(None, (memory["kind"], memory["failure_type"], memory["db_id"], used))
    tags = {"kind": [memory["kind"]], "type": [memory["failure_type"]], "database": [memory["db_id"]]}
    known = {facet: [value for value in values if value] for facet, values in tags.items()}
    return Case(memory["question"], " · ".join(words), known, list(_sides(memory)), memory_anchor(identity))


def _sides(memory: Row) -> Iterator[Side]:
    if memory["text"]:
        yield Side("Reflection", [Part("Words", memory["text"])])
    for title, key in (("Before", "before"), ("After", "after")):
        query = memory[key]
        if query:
            status = query["status"].replace("_", " ")
            part = Part("Query", query["error"] or "", query["sql"], status, query["status"] == "match")
            parts = [part, Part("Change", memory["delta"])] if key == "after" and memory["delta"] else [part]
            yield Side(title, parts)
