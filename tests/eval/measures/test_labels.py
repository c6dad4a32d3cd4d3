"""Files of labels: inert for a spreadsheet, and what of them is refused."""

from __future__ import annotations

import csv

import pytest

from sqlmend.errors import InputError
from sqlmend.eval.measures import Failure, Labelled, read_labels, sample_failures, write_labels

HOSTILE = ["=1+1", "+SUM(A1)", "-2", "@cmd", "\t=1", 'a\nb, "c"', "é ü \ud800"]


def sampled():
    return sample_failures(
        [
            Failure("db", f"q{n}", text, f"SELECT {n}", "mismatch", text, "result_mismatch")
            for n, text in enumerate(HOSTILE)
        ],
        20,
    )


def test_a_spreadsheet_finds_no_formula(tmp_path):
    write_labels(tmp_path / "labels.csv", sampled())
    with (tmp_path / "labels.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]


def test_what_is_written_is_read_back_with_labels(tmp_path):
    file = tmp_path / "labels.csv"
    write_labels(file, sampled())
    assert read_labels(file) == [Labelled("", "result_mismatch", 7)] * 7
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    with file.open("w", encoding="utf-8", newline="") as lines:  # as an editor saves it, without the mark
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "label": " syntax "} for row in rows)
    assert read_labels(file) == [Labelled("syntax", "result_mismatch", 7)] * 7


def test_labels_are_not_written_over(tmp_path):
    (tmp_path / "labels.csv").write_text("work")
    with pytest.raises(InputError, match="not written over"):
        write_labels(tmp_path / "labels.csv", sampled())
    assert (tmp_path / "labels.csv").read_text() == "work"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "lacks the column label, predicted, population"),
        ("label;predicted;population\nsyntax;syntax;3\n", "comma-separated"),
        ("label,predicted,population\nsyntacks,syntax,3\n", "row 2: label: unknown failure type 'syntacks'"),
        ("label,predicted,population\nsyntax,,3\n", "row 2: predicted"),
        ("label,predicted,population\nsyntax,syntax,none\n", "row 2: population"),
        ("label,predicted,population\nsyntax,syntax,0\n", "row 2: population"),
        ("label,predicted,population\nsyntax\n", "row 2: predicted"),
        ("label,predicted,population\nsyntax,syntax,3\n,syntax,4\n", "one sample at a time"),
    ],
)
def test_what_cannot_be_a_label_is_refused_with_its_row(tmp_path, text, says):
    file = tmp_path / "labels.csv"
    file.write_text(text)
    with pytest.raises(InputError) as error:
        read_labels(file)
    assert says in str(error.value)


def test_what_is_no_text_is_refused(tmp_path):
    (tmp_path / "labels.csv").write_bytes(b"label,\xff\xfe\n")
    for name, says in (("labels.csv", "no CSV"), ("missing.csv", "cannot be read")):
        with pytest.raises(InputError, match=says):
            read_labels(tmp_path / name)
