from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend._files import canonical_json
from sqlmend.errors import InputError
from sqlmend.memory import Execution, Record, _line
from sqlmend.memory._line import Tombstone, fold, parse_line
from sqlmend.testing import repair_entry

anything = st.text(st.characters(exclude_categories=()))


def line(**changes: Any) -> dict[str, Any]:
    return {**Record.of(repair_entry(), 3, {"program": "merit"}).to_line(), **changes}


def parse(value: Any, kind: str = "positive") -> Record | Tombstone:
    return parse_line(json.dumps(value).encode(), kind)


@given(anything, anything, st.integers(min_value=-1))
def test_any_text_goes_through_a_line_unchanged(question: str, error: str, position: int) -> None:
    entry = repair_entry(question=question, after=Execution("SELECT '\0\n'", "match", error))
    record = Record.of(entry, position, {"note": error})
    data = canonical_json(record.to_line()).encode("ascii")
    assert b"\n" not in data
    assert parse_line(data, "positive") == record
    assert record.id == entry.id


def test_a_line_is_readable_and_holds_what_is_documented() -> None:
    assert line() == {
        "v": 1,
        "id": repair_entry().id,
        "position": 3,
        "entry": repair_entry().to_dict(),
        "provenance": {"program": "merit"},
    }
    assert Tombstone("ab").to_line() == {"v": 1, "retired": "ab"}


def test_a_record_is_as_its_reader_will_have_it() -> None:
    record = Record.of(repair_entry(question="\ud83d\ude00"), 0, {"ids": (1, 2)})
    assert record.entry.question == "\U0001f600"
    assert record.provenance == {"ids": [1, 2]}


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"v":NaN}', b"[" * 100_000, b"\0\0\0"])
def test_what_is_no_json_object(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        parse_line(data, "positive")
    assert caught.value.code == "not_json"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "v must be the format version, got None"),
        (line(v=True), "v must be the format version"),
        (line(v=0), "v must be the format version"),
        (line(id="0000000000000000"), "does not match the content"),
        (line(entry={**line()["entry"], "delta": "other"}), "does not match the content"),
        (line(entry=[]), "entry must be an object"),
        (line(position=-2), "position must be -1 or more, got -2"),
        (line(position="3"), "position must be -1 or more, got '3'"),
        (line(position=True), "position must be -1 or more"),
        (line(provenance=None), "provenance must be an object"),
        (line(time=3), "fields must be"),
        ({"v": 1, "retired": 5}, "retired"),
        ({"v": 1, "retired": "ab", "by": "me"}, "retired"),
    ],
)
def test_a_damaged_line_says_what_is_wrong(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse(value)
    assert caught.value.code == "damaged_line"


def test_numbers_that_json_cannot_write_are_damage() -> None:
    text = json.dumps(line(provenance={"x": 0})).replace('"x": 0', '"x": 1e999')
    with pytest.raises(InputError, match="provenance holds a value"):
        parse_line(text.encode(), "positive")
    with pytest.raises(InputError, match="entry holds a value"):
        parse_line(b'{"v":1,"entry":{"x":1e999}}', "positive")


def test_a_damaged_field_is_found_although_the_id_fits() -> None:
    entry = {**repair_entry().to_dict(), "question": 5}
    with pytest.raises(InputError, match="question must be str, got int"):
        parse(line(entry=entry, id=_line.content_id(entry)))


def test_the_polarity_has_to_match_the_log() -> None:
    with pytest.raises(InputError, match="a positive entry in the log of negative"):
        parse(line(), "negative")


def test_a_newer_format_is_told_from_damage() -> None:
    with pytest.raises(InputError, match="format 2 is newer than 1") as caught:
        parse({"v": 2, "anything": "else"})
    assert caught.value.code == "newer_format"
    assert caught.value.hint == "update sqlmend"


def test_older_lines_are_migrated_after_their_id_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    old = line()

    def add_evidence(value: dict[str, Any]) -> dict[str, Any]:
        return {**value, "entry": {**value["entry"], "evidence": "added"}} if "entry" in value else value

    monkeypatch.setattr(_line, "MIGRATIONS", [add_evidence])
    record = parse(old)
    assert isinstance(record, Record)
    assert record.entry.evidence == "added"
    assert record.id == repair_entry(evidence="added").id
    assert record.stored_id == old["id"]
    assert record.to_line()["v"] == 2
    with pytest.raises(InputError, match="does not match"):
        parse({**old, "id": record.id})


def test_a_question_is_folded_in_case_and_space() -> None:
    assert fold("  How MANY\n\tpets ") == fold("how many pets")
