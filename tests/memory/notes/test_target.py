"""What a statement writes to, and how."""

from __future__ import annotations

import pytest
from hypothesis import given

from sqlmend.memory.notes._target import targets
from tests.databases.texts import texts


@pytest.mark.parametrize(
    ("shape", "found"),
    [
        ("select a from t for update", []),
        ("with x as ( select ? ) select a from x", []),
        ("explain delete from t", []),
        ("insert into t ( a ) values ( ? )", ["insert t"]),
        ("insert or ignore into `T` values ( ? )", ["insert t"]),
        ("insert ignore into t values ( ? )", ["insert t"]),
        ("replace into t values ( ? )", ["insert t"]),
        ("insert into t select a from u", ["insert t"]),
        ("with x as ( select ? ) insert into t select * from x", ["insert t"]),
        ("with x as ( delete from u returning a ) select a from x", []),
        ("update only main . `T` set a = ?", ["update main.t"]),
        ("update or rollback t set a = ?", ["update t"]),
        ("delete from t where a in ( select b from u )", ["delete t"]),
        ("merge into t using u on t . a = u . a", ["merge t"]),
        ("truncate table t", ["truncate t"]),
        ("drop table if exists t", ["drop t"]),
        ("delete from t ; select ? ; update u set a = ?", ["delete t", "update u"]),
        ("delete", ["delete "]),
        ("", []),
    ],
)
def test_verb_and_table(shape, found):
    assert [" ".join(target) for target in targets(shape)] == found


@given(texts)
def test_any_text_has_targets_or_none(text):
    assert isinstance(targets(text), tuple)
