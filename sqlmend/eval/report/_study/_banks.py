"""Where the cards come from: the split, the sources, and what was let into each bank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev

from sqlmend.eval.report._blocks import Block, Section, Table, Words
from sqlmend.eval.report._cells import Column, Spread
from sqlmend.eval.report._study._read import Row, Study


def banks(study: Study) -> Section:
    """Questions by database, what each source collected, and every bank."""
    blocks: list[Block] = [_split(study)]
    if study.document["sources"]:
        blocks.append(_sources(study))
    groups = _by_bank(study.document["banks"])
    if groups:
        blocks += [_admitted(groups), _by_database(study, groups)]
    else:
        blocks.append(Words("No bank is built yet."))
    return Section("Sources and banks", "banks", blocks)


def _split(study: Study) -> Table:
    sides = (("collection", "collection"), ("held_out", "held out"))
    columns = [Column("Database")]
    for _, name in sides:
        columns += [Column("Questions", "count", name), Column("Wrong at first", "count", name)]
    columns.append(Column("Cards", "count", "default design"))
    rows = [
        [
            row["db_id"],
            *(row[f"{side}_{what}"] for side, _ in sides for what in ("questions", "wrong_at_first")),
            row["cards"],
        ]
        for row in study.document["split"]
    ]
    total = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    note = "Drawn once, the same for all seeds; a group of twins lies whole on one side."
    return Table("Split within every database", columns, [*rows, ["all", *total]] if rows else [], note)


def _sources(study: Study) -> Table:
    columns = [
        Column("Run"),
        Column("Program"),
        Column("Questions", "count"),
        Column("Wrong at first", "count"),
        Column("Right at last", "count", "of those"),
        Column("Share", "share", "of those"),
        Column("Further attempts", "count"),
        Column("Same query again", "count", "of those"),
        Column("Calls", "count"),
        Column("Tokens", "count"),
        Column("Answers cut off", "count", "of the calls"),
    ]
    names = ("path", "preset", "questions", "wrong_at_first", "right_at_last")
    rows = [
        [
            *(row[name] for name in names),
            _share(row["right_at_last"], row["wrong_at_first"]),
            row["further_attempts"],
            row["same_query_again"],
            row["calls"],
            row["tokens"],
            row["cut_off"],
        ]
        for row in study.document["sources"]
    ]
    note = (
        "Runs over the collection questions. Same query again: word for word one that was tried before."
        " Calls and tokens count memo hits as what they would have cost."
    )
    return Table("What each source collected", columns, rows, note)


def _admitted(groups: Mapping[str, Sequence[Row]]) -> Table:
    columns = [
        Column("Bank"),
        Column("Seeds", "count"),
        Column("Candidates", "amount"),
        Column("Would pass", "share", "of candidates"),
        Column("Admitted", "amount"),
        Column("Audited correct", "share", "of the cards"),
        Column("Cards", "amount"),
        Column("Calls", "amount", "to write"),
        Column("Tokens", "count", "to write"),
    ]
    cells = [
        [
            name,
            len(rows),
            _over_seeds(rows, lambda row: row["candidates"]),
            _over_seeds(rows, lambda row: _share(row["would_pass"], row["candidates"])),
            _over_seeds(rows, lambda row: row["admitted"]),
            _over_seeds(rows, lambda row: _share(row["audited_correct"], row["cards"])),
            _over_seeds(rows, lambda row: row["cards"]),
            _over_seeds(rows, lambda row: row["calls"]),
            _over_seeds(rows, lambda row: row["prompt_tokens"] + row["output_tokens"]),
        ]
        for name, rows in groups.items()
    ]
    note = (
        "Mean over seeds, ± their standard deviation where they differ; one seed: nothing is sampled. "
        "Candidates: what a source proposes. Would pass: the check confirms it. Audited correct: the "
        "bank's cards, whoever admitted them, held against the reference; permuted ones hold another "
        "question's query, and have no such share. Cards: after matching, shares and "
        "other cuts. Designs that differ in use alone share a bank."
    )
    return Table("Banks", columns, cells, note)


def _by_database(study: Study, groups: Mapping[str, Sequence[Row]]) -> Table:
    names = [row["db_id"] for row in study.document["split"]]
    columns = [Column("Bank"), *(Column(name, "amount") for name in names)]
    cells = [
        [
            name,
            *(_over_seeds(rows, _cards_of(db_id)) for db_id in names),
        ]
        for name, rows in groups.items()
    ]
    return Table(
        "Cards by database", columns, cells, "Mean over seeds. A foreign bank is one of other databases."
    )


def _by_bank(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The banks of a design and of whom they are for, those of all seeds together."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        name = f"{row['label']}, for {row['for']}" if row["for"] else str(row["label"])
        found.setdefault(name, []).append(row)
    return found


def _over_seeds(rows: Sequence[Row], value: Callable[[Row], float | None]) -> Spread | None:
    known = [found for row in rows if (found := value(row)) is not None]
    if not known:
        return None
    return Spread(fmean(known), stdev(known) or None if len(known) > 1 else None)


def _cards_of(db_id: str) -> Callable[[Row], float | None]:
    return lambda row: row["by_database"].get(db_id, 0)


def _share(part: int | None, whole: int) -> float | None:
    return part / whole if whole and part is not None else None
