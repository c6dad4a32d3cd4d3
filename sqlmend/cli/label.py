"""``sqlmend label``: failures labelled by people, and how the classifier does on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from sqlmend._text import for_terminal
from sqlmend.cli._frame import emit, example, json_option, out


@click.group()
def command() -> None:
    """Sample failures for labelling, and score the failure classifier on the labels."""


@command.command(epilog=example("sqlmend label sample cmp --n 100 --out labels.csv"))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--n", type=click.IntRange(min=1), default=100, show_default=True, help="Failures to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed draws others.")
@click.option(
    "--out", "target", type=click.Path(path_type=Path), required=True, help="The CSV; it must not exist yet."
)
@json_option
def sample(folder: Path, n: int, seed: int, target: Path, as_json: bool) -> None:
    """Draw failed queries of FOLDER, a run or a comparison, into a CSV whose column label is to be filled.

    Each failure type gets the same number of rows as far as it has so many. A label is one of the failure
    types; give it from question, query and outcome before you look at the column predicted.
    """
    from sqlmend.eval.measures import LABELS, failures, sample_failures, write_labels

    population = failures(folder)
    rows = sample_failures(population, n, seed)
    write_labels(target, rows)
    document = {
        "file": str(target),
        "sampled": len(rows),
        "population": len(population),
        "labels": list(LABELS),
    }
    emit(
        document,
        as_json,
        lambda: out.print(
            for_terminal(
                f"{target}: {len(rows)} of {len(population)} different failures."
                f" Fill the column label with one of: {', '.join(LABELS)}"
            ),
            soft_wrap=True,
        ),
    )


@command.command(epilog=example("sqlmend label score labels.csv"))
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def score(file: Path, as_json: bool) -> None:
    """Hold the failure classifier against the labels in FILE: composition, accuracy, F1."""
    from sqlmend.eval.measures import read_labels, score_labels

    document = score_labels(read_labels(file))
    emit(document, as_json, lambda: _show(document))


def _show(document: dict[str, Any]) -> None:
    """The table for people."""
    covers_all = document["covered"] == document["population"]
    of_what = "the population" if covers_all else "the covered types"
    title = f"Failure classifier against labels, weighted to {of_what}"
    table = Table(title=title, box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column("failure type", no_wrap=True)
    for name in ("failures", "predicted", "labelled", "right", "prec.", "recall", "F1"):
        table.add_column(name, justify="right")
    for row in document["types"]:
        table.add_row(
            row["type"],
            str(row["population"]),
            *(_percent(row[name]) for name in ("share_predicted", "share_labelled")),
            f"{row['right']}/{row['labelled']}",
            *(_percent(row[name]) for name in ("precision", "recall", "f1")),
        )
    out.print(table)
    out.print(
        f"{document['labelled']} of {document['sampled']} rows labelled, for {document['covered']} of"
        f" {document['population']} failures. Accuracy {document['accuracy_weighted']:.1%} weighted to"
        f" {of_what} ({document['accuracy']:.1%} of the rows); macro-F1"
        f" {'' if covers_all else 'of the covered types '}{document['macro_f1_weighted']:.1%}"
        f" ({document['macro_f1']:.1%} of the rows).",
        soft_wrap=True,
    )


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"
