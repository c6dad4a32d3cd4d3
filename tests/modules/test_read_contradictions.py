"""Reading contradictions from lines as they were asked for, and as small models write them."""

import pytest

from sqlmend.modules._prompt import load_prompt
from sqlmend.modules._read_contradictions import read_contradictions

JOIN = ("structure", ("c1", "c2"), (("city", "name"),), "joins differ")
BARE = ("structure", ("c1", "c2"), (), "joins differ")


def read(text, **more):
    found = read_contradictions(text, ["c1", "c2"], **more)
    return [(finding.kind, finding.candidates, finding.anchors, finding.text) for finding in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("structure | c1, c2 | city.name | joins differ", JOIN),
        ("structure | c1, c2 | - | joins differ", BARE),
        ("structure | c1, c2 | table.column | joins differ", BARE),
        ("- Schema | c1 | city.name, country | no such value",
         ("schema", ("c1",), (("city", "name"), ("country", "")), "no such value")),
        ("question: c2 counts rows", ("question", ("c2",), (), "c2 counts rows")),
        ("schema | wrong value", ("schema", (), (), "wrong value")),
        # numbers, bullets, tables and markup
        ("1. structure | c1, c2 | city.name | joins differ", JOIN),
        ("2) Structure | c1, c2 | city.name | joins differ", JOIN),
        ("| structure | c1, c2 | city.name | joins differ |", JOIN),
        ("* **structure** | c1, c2 | `city.name` | **joins differ**", JOIN),
        ("[structure] | c1, c2 | [city.name] | joins differ", JOIN),
        ("structure/join | c1, c2 | city.name | joins differ", JOIN),
        ("kind: structure | candidates: c1, c2 | columns: city.name | what: joins differ", JOIN),
        ("[c1, c2] structure/join: joins differ", BARE),
        ("structural | c1, c2 | city.name | joins differ", JOIN),
        ("- **schema**: c1 uses nam", ("schema", ("c1",), (), "c1 uses nam")),
        ("**schema:** c1 uses nam", ("schema", ("c1",), (), "c1 uses nam")),
        ("schema - c1 uses nam", ("schema", ("c1",), (), "c1 uses nam")),
        ("question | c1 | - | ties", ("question", ("c1",), (), "ties")),
        # nothing is said
        ("none", None),
        ("schema", None),
        ("something | c1 | x | y", None),
        ("schema | none | none | none", None),
        ("schema | c1, c2 | -", None),
        ("structure | c1, c2", None),
        ("structure | c1 and c2 | city.name", None),
        ("schema | c1 | - | No contradiction", None),
        ("structure | c1, c2 | - | There is no contradiction between c1 and c2.", None),
        ("question | c1 | - | no issues found", None),
        # the form itself
        ("kind | candidates | table.column | what contradicts what", None),
        ("structure | c1, c2 | city.name | what contradicts what", None),
        ("structure | c1, c2 | table.column | <what contradicts what>", None),
        ("| kind | candidates | columns | what |", None),
        ("|---|---|---|---|", None),
    ],
)  # fmt: skip
def test_reading_contradictions(line, expected):
    assert read(line) == ([expected] if expected else [])


def test_the_rules_of_the_prompt_are_no_contradictions():
    assert read(load_prompt("contradictions").sections["rules"].text) == []


def test_what_is_known_and_what_is_said_twice_count_once():
    line = "structure | c1, c2 | city.name | joins differ"
    assert read(f"{line}\n{line}") == [JOIN]
    assert read(line, known=["Joins differ."]) == []
