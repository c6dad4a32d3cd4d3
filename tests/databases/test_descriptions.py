"""BIRD's description files."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from sqlmend.databases import ColumnDescription, Descriptions, open_database, read_descriptions, render_ddl
from sqlmend.errors import InputError

_HEADER = "original_column_name,column_name,column_description,data_format,value_description\n"


@pytest.mark.parametrize(
    "data",
    [
        (_HEADER + "Größe, size ,how big,real,in m\n").encode(),
        b"\xef\xbb\xbf" + (_HEADER + "Größe,size,how big,real,in m\n").encode(),
        (_HEADER + "Größe,size,how big,real,in m\n").encode("cp1252"),
        (_HEADER + "Größe,size,how big,real,in m\n").replace("\n", "\r\n").encode(),
        (_HEADER + "Gr\0öße,size,how big,real,in m\n").encode(),
        (_HEADER.upper().replace(",", " , ") + "Größe,size,how big,real,in m,and more\n\n,,\n").encode(),
    ],
    ids=["utf-8", "bom", "cp1252", "crlf", "nul", "header"],
)
def test_encodings_and_forms(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "Box.CSV").write_bytes(data)
    (tmp_path / "readme.txt").write_text("not read")
    found = read_descriptions(tmp_path)
    assert found.get("box", "GRÖSSE") == ColumnDescription("size", "how big", "real", "in m")
    assert found.get("box", "other") is None
    assert found.get("other", "größe") is None
    assert list(found.tables) == ["box"]


def test_quoted_cells_short_rows_and_empty_files(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        _HEADER + 'a,"x, y","two\nlines",text,"say ""hi"""\nb,only a name\nc\n"d,unclosed\n'
    )
    (tmp_path / "empty.csv").write_text("")
    found = read_descriptions(tmp_path)
    assert found.get("t", "a") == ColumnDescription("x, y", "two\nlines", "text", 'say "hi"')
    assert found.get("t", "a").text() == 'two lines; say "hi"'  # type: ignore[union-attr]
    assert found.get("t", "b") == ColumnDescription("only a name")
    assert found.get("t", "c") == ColumnDescription()
    assert found.tables["empty"] == {}


def test_undecodable_bytes_say_nothing() -> None:
    assert ColumnDescription("", "a \ufffd b").text() == "a b"
    assert ColumnDescription("name", " ").text() == "name"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        read_descriptions(tmp_path / "missing")


def test_a_file_that_is_no_csv_is_named(tmp_path: Path) -> None:
    cell = "x" * (csv.field_size_limit() + 1)
    (tmp_path / "t.csv").write_text(f"original_column_name,column_name\na,{cell}\n", "utf-8")
    with pytest.raises(InputError, match=r"t\.csv is no CSV"):
        read_descriptions(tmp_path)


def test_none_by_default() -> None:
    assert Descriptions().get("t", "a") is None


def test_bird(shared_dir: Path) -> None:
    for folder in sorted((shared_dir / "data" / "bird" / "dev_databases").iterdir()):
        descriptions = read_descriptions(folder / "database_description")
        schema = open_database(folder / f"{folder.name}.sqlite").schema()
        described = [
            descriptions.get(table.name, column.name) is not None
            for table in schema.tables
            for column in table.columns
        ]
        assert sum(described) > 0.9 * len(described)
        assert " -- " in render_ddl(schema, None, descriptions)
