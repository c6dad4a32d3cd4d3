"""Files of labelled failures: written for people, and read back."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmend._files import write_atomic
from sqlmend.errors import InputError, unknown_name
from sqlmend.modules import FAILURE_TYPES

#: What a failure can be labelled as.
LABELS = tuple(dict.fromkeys(FAILURE_TYPES.values()))

_NEEDED = ("label", "predicted", "population")


@dataclass(frozen=True)
class Labelled:
    """What of a row is scored.

    Attributes:
        label: The failure type that a person gave it; empty where nobody has yet.
        predicted: The failure type that the classifier gave it.
        population: How many failures there are of the predicted type.
    """

    label: str
    predicted: str
    population: int


def write_labels(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of ``sample_failures`` as CSV; a cell that a spreadsheet would run is made inert.

    Raises:
        InputError: The file exists (labels are work), or cannot be written.
    """
    from sqlmend.eval.report import csv_text

    if file.exists():
        raise InputError(
            "out_exists", f"{file} exists; labels are not written over", hint="choose another --out"
        )
    header = list(rows[0])
    # The mark tells spreadsheets that it is UTF-8.
    text = "\ufeff" + csv_text(header, [[row[name] for name in header] for row in rows])
    try:
        write_atomic(file, text)
    except OSError as error:
        raise InputError("bad_out", f"{file} cannot be written: {error.strerror}") from error


def read_labels(file: Path) -> list[Labelled]:
    """The rows of a labelled CSV, in its order.

    Args:
        file: With columns label, predicted and population; others are not looked at.

    Raises:
        InputError: There is no such file, it lacks a column, or a row says something impossible (named).
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(
                    "bad_labels",
                    f"{file} lacks the column {', '.join(missing)}",
                    hint="expected comma-separated text as `sqlmend label sample` writes it",
                )
            rows = [_row(row, f"{file}, row {number}") for number, row in enumerate(reader, 2)]
    except OSError as error:
        raise InputError("no_labels", f"{file} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError("bad_labels", f"{file} is no CSV in UTF-8: {error}") from error
    _check_populations(file, rows)
    return rows


def _row(row: Mapping[str, Any], where: str) -> Labelled:
    label, predicted, population = ((row[name] or "").strip() for name in _NEEDED)
    for name, value in (("label", label), ("predicted", predicted)):
        if value not in LABELS and not (name == "label" and not value):
            error = unknown_name("failure type", value, LABELS)
            raise InputError(error.code, f"{where}: {name}: {error.message}", hint=error.hint)
    if not population.isascii() or not population.isdigit() or not int(population):
        raise InputError(
            "bad_labels", f"{where}: population must be a whole number above 0, got {population!r}"
        )
    return Labelled(label, predicted, int(population))


def _check_populations(file: Path, rows: Sequence[Labelled]) -> None:
    sizes: dict[str, int] = {}
    for row in rows:
        if sizes.setdefault(row.predicted, row.population) != row.population:
            raise InputError(
                "bad_labels",
                f"{file}: {row.predicted} has a population of {sizes[row.predicted]} in one row and of"
                f" {row.population} in another",
                hint="label one sample at a time",
            )
