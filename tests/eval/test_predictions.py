"""Every rule of the prediction formats is a row of tests/cases/predictions_cases.json."""

import json
from pathlib import Path

import pytest

from sqlmend.errors import InputError
from sqlmend.eval._predictions import read_predictions
from sqlmend.programs import Question

CASES = json.loads((Path(__file__).parents[1] / "cases" / "predictions_cases.json").read_text())
SPLIT = ("717", "718", "719", "720")  # 719 has no database: it is in the split, and not asked
QUESTIONS = tuple(Question(id=i, db_id="superhero", text="?") for i in SPLIT if i != "719")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case, tmp_path):
    path = tmp_path / "predictions"
    path.write_bytes(case["text"].encode())
    switches = {name: case.get(name, False) for name in ("by_position", "partial")}
    if "error" in case:
        with pytest.raises(InputError) as caught:
            read_predictions(path, QUESTIONS, SPLIT, **switches)
        assert [part for part in case["error"] if part not in str(caught.value)] == []
        return
    found = read_predictions(path, QUESTIONS, SPLIT, **switches)
    assert found.sql == case["sql"]
    for name in ("missing", "unknown", "duplicate"):
        assert list(getattr(found, name)) == case.get(name, [])


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"SELECT 1\n\xff", "not UTF-8 (byte 9)"), (b"[" * 200_000, "Nested too deeply")],
    ids=["not UTF-8", "nested without end"],
)
def test_bytes_that_are_no_predictions(data, said, tmp_path):
    path = tmp_path / "predictions"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said.replace("(", r"\(").replace(")", r"\)")):
        read_predictions(path, QUESTIONS, SPLIT)


@pytest.mark.parametrize("name", ["absent", "."])
def test_no_file(name, tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_predictions(tmp_path / name, QUESTIONS, SPLIT)


@pytest.mark.parametrize(
    ("text", "switches", "hint"),
    [
        ('{"0": ""}', {}, "--ids position reads the ids as positions in the split"),
        ('{"0": ""}', {"hint": "or so"}, "or so; --ids position reads the ids as positions in the split"),
        ('{"0": ""}', {"hint": "or so", "by_position": True}, "or so"),
        ("SELECT 1\n", {}, None),
    ],
    ids=["ids", "ids and another way", "positions", "lines"],
)
def test_the_hint_is_what_the_caller_can_do(text, switches, hint, tmp_path):
    path = tmp_path / "predictions"
    path.write_text(text)
    with pytest.raises(InputError, match="do not fit") as caught:
        read_predictions(path, QUESTIONS, SPLIT, **switches)
    assert caught.value.hint == hint


def test_the_error_names_what_does_not_fit_as_data(tmp_path):
    path = tmp_path / "predictions.json"
    path.write_text('{"717": "", "717": "", "x": ""}')
    with pytest.raises(InputError) as caught:
        read_predictions(path, QUESTIONS, SPLIT)
    assert caught.value.context == {"missing": ("718", "720"), "unknown": ("x",), "duplicate": ("717",)}
    assert caught.value.exit_code == 2
