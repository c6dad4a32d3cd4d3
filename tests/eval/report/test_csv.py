import csv
import io

import pytest

from sqlmend.eval.report import csv_text


def read(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "  ="])
def test_text_that_a_spreadsheet_would_run_is_inert(sign):
    (_, (cell, number)) = read(csv_text(["program", "x"], [[f"{sign}cmd|' /C calc'!A0", -1.5]]))
    assert cell.startswith("'")
    assert number == "-1.5"


def test_headings_are_inert_too():
    assert read(csv_text(["=1+1"], [])) == [["'=1+1"]]


def test_other_text_stays_and_nothing_is_an_empty_cell():
    rows = read(csv_text(["a", "b", "c"], [['say "x", y', None, 0.1]]))
    assert rows[1] == ['say "x", y', "", "0.1"]


def test_control_characters_and_lone_surrogates_are_written_as_codes():
    text = csv_text(["a"], [["x\x00\x1b\ud800"]])
    assert text.encode("utf-8") == b"a\nx\\x00\\x1b\\ud800\n"
