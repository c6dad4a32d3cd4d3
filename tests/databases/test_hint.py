"""Hints name what the schema has, and only that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.databases import schema_hint
from sqlmend.databases._schema import Column, Schema, Table


def table(name, *columns):
    return Table(name, tuple(Column(column) for column in columns))


SCHEMA = Schema(
    (
        table("order", "id"),
        table("Student", "StuID", "LName", "Age"),
        table("Has_Pet", "StuID", "PetID"),
        table("Pets", "PetID", "PetType", "weight"),
        table("member farm", "farm no", "name"),
    )
)


@pytest.mark.parametrize(
    ("sql", "error", "hint"),
    [
        (
            "SELECT 1 FROM Student AS T1 JOIN Has_Pet AS T2 ON 1 WHERE T2.PetType = 'cat'",
            "no such column: T2.PetType",
            "PetType is a column of Pets.\nHas_Pet has the columns StuID, PetID.",
        ),
        (
            "SELECT pet_type FROM pets",
            "no such column: pet_type",
            "No table has a column pet_type; the nearest names are Pets.PetType.\n"
            "Pets has the columns PetID, PetType, weight.",
        ),
        (
            "SELECT p.wieght FROM Pets p",
            "no such column: p.wieght",
            "No table has a column wieght; the nearest names are Pets.weight.\n"
            "Pets has the columns PetID, PetType, weight.",
        ),
        (
            "SELECT x.zzz FROM Pets p",
            "no such column: x.zzz",
            "Pets has the columns PetID, PetType, weight.",
        ),
        ("SELECT zzz", "no such column: zzz", ""),
        (
            "SELECT name FROM member_farm",
            "no such table: member_farm",
            'There is no table member_farm; the nearest names are "member farm".',
        ),
        (
            "SELECT 1 FROM qqq",
            "no such table: qqq",
            'There is no table qqq; the tables are "order", Student, Has_Pet, Pets, "member farm".',
        ),
        (
            "SELECT StuID FROM Student, Has_Pet",
            "ambiguous column name: StuID",
            "Several tables have a column StuID: write one of Student.StuID, Has_Pet.StuID.",
        ),
        (
            "SELECT count(id) FROM order",
            'near "order": syntax error',
            'Write these names in double quotes: "order".',
        ),
        (
            "SELECT T1.name FROM member farm AS T1 ORDER BY T1.farm no",
            'near "AS": syntax error',
            'Write these names in double quotes: "member farm", "farm no".',
        ),
        ('SELECT * FRM "member farm"', 'near "FRM": syntax error', ""),
        ("SELECT 1 FROM", "incomplete input", ""),
        ("SELECT 1", None, ""),
    ],
)
def test_a_hint_says_where_the_name_is(sql, error, hint):
    assert schema_hint(sql, error, SCHEMA) == hint


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("SELECT name FROM Kunden Stamm", '"Kunden Stamm"'),
        ("SELECT name FROM (SELECT name FROM Kunden Stamm)", '"Kunden Stamm"'),
        ("SELECT select FROM Kunden Stamm WHERE from > 1", '"Kunden Stamm", "select", "from"'),
        ("SELECT t.from FROM Kunden Stamm AS t ORDER BY select", '"Kunden Stamm", "select", "from"'),
        ("SELECT COUNT(from) FROM stock", '"from"'),
    ],
)
def test_keywords_of_the_statement_are_no_names_of_the_schema(sql, names):
    schema = Schema((table("Kunden Stamm", "select", "from", "name"),))
    assert (
        schema_hint(sql, 'near "x": syntax error', schema) == f"Write these names in double quotes: {names}."
    )


def test_a_long_list_is_cut():
    wide = Schema((table("wide", *(f"c{n}" for n in range(50))),))
    assert schema_hint("SELECT 1 FROM q", "no such column: zzz", wide) == ""
    hint = schema_hint("SELECT w.zzz FROM wide w", "no such column: w.zzz", wide)
    assert hint.endswith("c39 and 10 more.")


@given(
    st.text(), st.text(), st.sampled_from(["no such column: ", "no such table: ", "ambiguous column name: "])
)
def test_it_never_throws(sql, name, message):
    assert isinstance(schema_hint(sql, message + name, SCHEMA), str)
