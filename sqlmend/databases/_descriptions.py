"""What the columns of a database mean, as BIRD publishes it: one CSV file for each table."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlmend.errors import InputError


@dataclass(frozen=True)
class ColumnDescription:
    """What a column means; each part may be empty.

    Attributes:
        name: The column's name in words.
        description: What it holds.
        format: How its values are written, e.g. ``text`` or ``integer``.
        values: What its values mean.
    """

    name: str = ""
    description: str = ""
    format: str = ""
    values: str = ""

    def text(self) -> str:
        """The parts that say something, in one line."""
        parts = (
            " ".join(part.replace("\ufffd", " ").split())
            for part in (self.description, self.name, self.values)
        )
        description, name, values = parts
        return "; ".join(filter(None, (description or name, values)))


@dataclass(frozen=True)
class Descriptions:
    """Column descriptions by table and column; names in any case."""

    tables: Mapping[str, Mapping[str, ColumnDescription]] = field(default_factory=dict)

    def get(self, table: str, column: str) -> ColumnDescription | None:
        """The description of a column, or None."""
        return self.tables.get(table.casefold(), {}).get(column.casefold())


def read_descriptions(folder: Path) -> Descriptions:
    """Read BIRD's ``database_description`` folder.

    The published files are in several encodings, some with a byte order mark; both are taken as they are.

    Args:
        folder: Holds ``<table>.csv`` files with the header original_column_name, column_name,
            column_description, data_format, value_description.

    Raises:
        InputError: There is no such folder, or a file in it is no CSV.
    """
    if not folder.is_dir():
        raise InputError("no_such_folder", f"no folder {folder}", context={"path": str(folder)})
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".csv")
    return Descriptions({path.stem.casefold(): _read(path) for path in files})


def _read(path: Path) -> dict[str, ColumnDescription]:
    try:
        return _columns(path.read_bytes())
    except csv.Error as error:
        raise InputError(
            "bad_description",
            f"{path} is no CSV of column descriptions: {error}",
            hint="mend the file, or move it out of the folder",
            context={"path": str(path)},
        ) from error


def _columns(data: bytes) -> dict[str, ColumnDescription]:
    rows = csv.reader(io.StringIO(_decoded(data).replace("\0", ""), newline=""), strict=False)
    header = [name.strip().casefold() for name in next(rows, [])]
    found = {}
    for row in rows:
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        original = cells.get("original_column_name", "")
        if original:
            found[original.casefold()] = ColumnDescription(
                cells.get("column_name", ""),
                cells.get("column_description", ""),
                cells.get("data_format", ""),
                cells.get("value_description", ""),
            )
    return found


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
