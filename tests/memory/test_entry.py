from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend._files import canonical_json, sha256_text
from sqlmend.errors import InputError
from sqlmend.memory import Execution, RepairEntry
from sqlmend.testing import repair_entry

anything = st.text(st.characters(exclude_categories=()))


@given(anything, anything, st.none() | anything)
def test_plain_values_and_back(question: str, sql: str, error: str | None) -> None:
    entry = repair_entry(question=question, before=Execution(sql, "other_error", error))
    assert RepairEntry.from_dict(entry.to_dict()) == entry


def test_the_id_is_a_hash_of_the_content_alone() -> None:
    entry = repair_entry()
    assert entry.id == sha256_text(canonical_json(entry.to_dict()))[:16]
    assert entry.id == repair_entry().id
    assert entry.id != repair_entry(evidence="x").id


def test_the_id_does_not_change() -> None:
    """Logs hold ids: another way to make them would make every old memory damaged."""
    assert repair_entry().id == "08c236cff8daedef"


@pytest.mark.parametrize(
    "field", ["question_id", "question", "db_id", "schema", "evidence", "delta", "failure_type"]
)
def test_a_field_of_another_type_is_refused(field: str) -> None:
    with pytest.raises(InputError, match=f"{field} must be str, got int"):
        repair_entry(**{field: 7})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.pop("delta"), "entry lacks delta"),
        (lambda data: data.update(run="x"), "entry has unknown run"),
        (lambda data: data.update(before="SELECT 1"), "before must be an object, got str"),
        (lambda data: data["after"].pop("error"), "after lacks error"),
        (lambda data: data["after"].update(sql=None), "sql must be text, got NoneType"),
        (lambda data: data.update(polarity="neutral"), "polarity must be positive or negative"),
        (lambda data: data.update(polarity=["positive"]), "polarity must be str"),
    ],
)
def test_a_damaged_entry_says_what_is_wrong(change: Any, message: str) -> None:
    data = repair_entry().to_dict()
    change(data)
    with pytest.raises(InputError, match=message):
        RepairEntry.from_dict(data)


def test_an_entry_that_is_no_object_is_refused() -> None:
    with pytest.raises(InputError, match="entry must be an object, got list"):
        RepairEntry.from_dict([])  # type: ignore[arg-type]
