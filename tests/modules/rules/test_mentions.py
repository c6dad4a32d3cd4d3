"""What the text of a correction compares and names."""

import pytest

from sqlmend.databases import Column, Schema, Table
from sqlmend.memory import Rule
from sqlmend.modules.contradictions import Facts
from sqlmend.modules.rules import anchored, check_rules, resolve_anchor
from sqlmend.modules.rules._conflicts import contradicts, repeats
from sqlmend.modules.rules._mentions import compared, unknown_names

SCHEMA = Schema(
    (
        Table("city", tuple(map(Column, ("id", "name", "sea level")))),
        Table("order line", tuple(map(Column, ("id", "kg", "group")))),
    )
)
CITY = [("city", "")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("city.name", ("city", "name")),
        ('"CITY"."Name"', ("city", "name")),
        ("City", ("city", "")),
        ("kg", ("order line", "kg")),
        ("order line.kg", ("order line", "kg")),
        ("`order line`", ("order line", "")),
        ("id", None),
        ("city.kg", None),
        ("town.name", None),
        ("", None),
    ],
)
def test_anchors(text, expected):
    assert resolve_anchor(text, SCHEMA) == expected


def test_a_rule_fits_a_schema_that_has_all_its_anchors():
    assert anchored(["city.name", "kg"], SCHEMA)
    assert not anchored(["city.name", "town"], SCHEMA)
    assert not anchored([], SCHEMA)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use city.name = 'Lima'", [("name", "=", "Lima")]),
        ("the name is 'Lima' there", [("name", "=", "Lima")]),
        ('city.name == "O\'Hara"', [("name", "=", "O'Hara")]),
        ("name IN ('a', 'b')", [("name", "IN", "a"), ("name", "IN", "b")]),
        ("name NOT LIKE 'x%'", [("name", "LIKE", "x%")]),
        ("sea level >= -3", [("sea level", ">=", "-3")]),
        ('"sea level" BETWEEN 1 AND 2.5', [("sea level", "BETWEEN", "1"), ("sea level", "BETWEEN", "2.5")]),
        ("LOWER(name) = 'lima'", []),
        ("SUBSTR(name, 1, 2) = 'Li'", []),
        ("kg = 3", []),
        ("name IS NULL, times 100.0", []),
        ("multiply by 1.0", []),
    ],
)
def test_what_a_text_compares(text, expected):
    found = [(found.anchor[1], found.operator, found.value) for found in compared(text, SCHEMA, CITY)]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("city.nme and city.name", ["city.nme"]),
        ("join order_line.kg", ["order_line.kg"]),
        ("use total_kg", ["total_kg"]),
        ("SUM(kg) AS total_kg, then total_kg", []),
        ("SOME_FUNCTION(kg), e.g. 1.5 or 'snake_case'", []),
        ("c.name is fine, and so is order line.kg", []),
    ],
)
def test_names_that_are_not_there(text, expected):
    assert list(unknown_names(text, SCHEMA)) == expected


def rule(correction, condition="cities by name are asked for", pattern="", anchors=("city.name",)):
    return Rule("domain", pattern, condition, correction, anchors)


def test_opposites_and_repetitions_need_a_shared_anchor():
    kept = rule("use city.name = 'a'")
    assert contradicts(rule("use city.name = 'b'"), kept)
    assert not contradicts(rule("use city.name = 'b'", anchors=("city.id",)), kept)
    assert not contradicts(rule("use city.name = 'b'", condition="another thing entirely"), kept)
    assert repeats(rule("Use  city.name = 'a'."), kept)
    assert not repeats(rule("use city.name = 'a'", anchors=("city.id",)), kept)
    assert contradicts(rule("never use joins"), rule("use joins"))
    assert contradicts(rule("use A() here", pattern="B() here"), rule("use B() here", pattern="A() here"))


@pytest.mark.parametrize(
    ("correction", "other", "conditions", "opposite"),
    [
        ("use city.name = 'a'", "use city.name = 'b'", ("a city is named",) * 2, True),
        ("use city.name = 'a'", "use name IN ('b', 'c')", ("a city is named",) * 2, True),
        ("use city.name = 'a'", "use name IN ('a', 'b')", ("a city is named",) * 2, False),
        ("use city.name = 'a'", "use city.id = 1", ("a city is named",) * 2, False),
        ("use city.name = 'a'", "round to 2 digits", ("a city is named",) * 2, False),
        ("compare with 'Peru'", "round to 2 digits", ("", ""), False),
        ("use city.name = 'a'", "use city.name = 'b'", ("", ""), False),
        ("never use joins", "use joins", ("", ""), True),
        ("use city.name = 'a'", "use city.name = 'b'",
         ("old cities of the land Peru", "old cities of the land Norway"), False),
        ("use city.name = 'a'", "use city.name = 'b'", ("A city is named", "a city is named"), True),
    ],
)  # fmt: skip
def test_opposites_are_about_one_column_and_one_case(correction, other, conditions, opposite):
    one, kept = (
        rule(text, condition) for text, condition in zip((correction, other), conditions, strict=True)
    )
    assert contradicts(one, kept) is opposite
    assert contradicts(kept, one) is opposite


def test_of_two_equal_proposals_the_first_is_kept(tmp_path):
    class Nothing:
        def execute(self, sql, **_):
            raise AssertionError("nothing is to be read")

    proposed = [rule("write names as they are"), rule("write names as they are")]
    judged = check_rules(proposed, [], SCHEMA, Facts(Nothing()))
    assert [verdict.code for verdict in judged] == ["", "repetition"]


def test_unbound_rules_need_no_anchor():
    lesson = rule("city.nme = 'nowhere'", anchors=())
    (judged,) = check_rules([lesson], [], SCHEMA, Facts(None), bound=False)
    assert judged.kept
    assert judged.rule == lesson
