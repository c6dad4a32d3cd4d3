"""Reading rules from answers: as they were asked for, and as small models lay them out."""

import json
from dataclasses import replace

import pytest

from sqlmend.databases import Column, Schema, Table
from sqlmend.memory import Rule
from sqlmend.modules._read_rules import read_rules

BLOCK = """type: domain
anchor: COUNTRY.code
pattern: code = 'Peru'
condition: a country is named
correction: use country.code = 'PE'"""
FIELDS = dict(line.split(": ", 1) for line in BLOCK.splitlines())
RULE = Rule("domain", "code = 'Peru'", "a country is named", "use country.code = 'PE'", ("country.code",))
OTHER = BLOCK.replace("domain", "syntax").replace("COUNTRY", "city").replace("code", "area")
OTHER_RULE = Rule("syntax", "area = 'Peru'", "a country is named", "use country.area = 'PE'", ("city.area",))
ECHO = """type: domain
anchor: city.name
pattern: the mistaken form
condition: when it applies
correction: what to do instead"""
LINE = " | ".join(BLOCK.splitlines())
ROW = "| " + " | ".join(FIELDS.values()) + " |"
HEADER = "| type | anchor | pattern | condition | correction |\n|---|---|---|---|---|\n"


def rule(**changed):
    return replace(RULE, **changed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BLOCK, [RULE]),
        (f"{BLOCK}\n\n{BLOCK}", [RULE, RULE]),
        (f"{BLOCK}\n{OTHER}", [RULE, OTHER_RULE]),
        (BLOCK.replace("\n", "\n\n"), [RULE]),
        (f"1. **Type**: Domain knowledge\n{BLOCK.partition(chr(10))[2]}", [RULE]),
        (BLOCK.replace("use country", "use\n  country"), [RULE]),
        (BLOCK.replace("use country", "\nuse country"), [RULE]),
        # a rule is announced, and remarks stand before and behind it
        (f"Rule 1:\n{BLOCK}\n\nRule 2:\n{OTHER}\n\nThese rules help.", [RULE, OTHER_RULE]),
        (f"### Rule 1\n{BLOCK}\n---\n**Rule 2: areas**\n{OTHER}", [RULE, OTHER_RULE]),
        (f"Here are the rules:\n\n1.\n{BLOCK}\n2.\n{OTHER}", [RULE, OTHER_RULE]),
        (f"{BLOCK}\nThese rules help with other questions.", [RULE]),
        (f"Rule 1: {BLOCK}\nRule 2: {OTHER}", [RULE, OTHER_RULE]),
        # markup around labels and texts
        (BLOCK.replace("type:", "**type:**").replace("anchor:", "**anchor:**"), [RULE]),
        ("\n".join(f"- **{name}:** `{text}`" for name, text in FIELDS.items()), [RULE]),
        ("\n".join(f"* {name} = {text}" for name, text in FIELDS.items()), [RULE]),
        (f"```\n{BLOCK}\n```", [RULE]),
        (BLOCK.replace("anchor", "Schema anchors"), [RULE]),
        # a whole rule in a line, a row or an object
        (LINE, [RULE]),
        (f"1. {LINE}\n2. {LINE}", [RULE, RULE]),
        (LINE.replace(" |", ";"), [RULE]),
        (LINE.replace(" |", ""), [RULE]),
        (f"{HEADER}{ROW}\n{ROW}", [RULE, RULE]),
        (json.dumps(FIELDS), [RULE]),
        (f"```json\n{json.dumps([FIELDS, FIELDS], indent=1)}\n```", [RULE, RULE]),
        (json.dumps({"rules": [{**FIELDS, "anchor": None}]}), [rule(anchors=())]),
        (json.dumps({**FIELDS, "anchor": [{"table": "country", "column": "code"}, "city"]}),
         [rule(anchors=("country.code", "city"))]),
        (json.dumps(FIELDS, indent=1).rstrip("}"), [RULE]),
        # no type, or one that is none
        (BLOCK.replace("type: domain\n", ""), [RULE]),
        (f"{BLOCK}\n\n{OTHER}".replace("type: domain\n", "").replace("type: syntax\n", ""),
         [RULE, replace(OTHER_RULE, type="domain")]),
        (BLOCK.replace("domain", "schema"), [RULE]),
        (BLOCK.replace("domain", "domain, arithmetic or syntax"), [RULE]),
        (BLOCK.replace("type: domain\n", "").replace("use country.code = 'PE'", "multiply by 1.0"),
         [rule(type="arithmetic", correction="multiply by 1.0")]),
        (BLOCK.replace("type: domain\n", "").replace("use country.code = 'PE'", "use a LEFT JOIN"),
         [rule(type="syntax", correction="use a LEFT JOIN")]),
        (BLOCK.replace("domain", "mood"), []),
        # what stands in the form that is to be filled in
        (ECHO, []),
        (ECHO.replace("what to do instead", "(What to do instead.)"), []),
        (ECHO.replace("what to do instead", "use the name"),
         [Rule("domain", "", "", "use the name", ("city.name",))]),
        (BLOCK.replace("use country.code = 'PE'", "none"), []),
        ("- pattern: the mistaken form. condition: when it applies. correction: what to do instead.", []),
        # no rule
        ("type: domain\nanchor: city", []),
        ("", []),
        ("no rule", []),
        ("{" * 3000, []),
        ('{"a": ' * 3000, []),
    ],
)  # fmt: skip
def test_reading_rules(database, text, expected):
    assert list(read_rules(text, database.schema())) == expected


SCHEMA = Schema(
    (
        Table("city", tuple(map(Column, ("id", "name", "area")))),
        Table("frpm", tuple(map(Column, ("CDSCode", "Free Meal Count (K-12)", "Terms and Tracks")))),
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nowhere.at, city.name", ("nowhere.at", "city.name")),
        ("city.name and city.area", ("city.name", "city.area")),
        ("city (name, area)", ("city.name", "city.area")),
        ("city: name, area", ("city.name", "city.area")),
        ("**city.name**", ("city.name",)),
        ("`city`.`name`; 'city'", ("city.name", "city")),
        ("[city.name, city.area]", ("city.name", "city.area")),
        ("city.name (TEXT)", ("city.name",)),
        ("table city", ("city",)),
        ("the city table", ("the city table",)),
        ("city.id = frpm.CDSCode", ("city.id", "frpm.CDSCode")),
        ("frpm.Free Meal Count (K-12)", ("frpm.Free Meal Count (K-12)",)),
        ("`frpm`.`Terms and Tracks`", ("frpm.Terms and Tracks",)),
        ("-", ()),
    ],
)
def test_reading_anchors(text, expected):
    (found,) = read_rules(f"type: domain\nanchor: {text}\ncorrection: use it", SCHEMA)
    assert found.anchors == expected
