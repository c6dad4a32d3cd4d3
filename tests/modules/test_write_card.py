import inspect
import re

import dspy
import pytest

from sqlmend.errors import InputError
from sqlmend.memory import CardPart, Execution
from sqlmend.modules import Probe
from sqlmend.modules.cards import FORMATS, KEYS, Material, write_card
from tests.modules.materials import LOOK, NEAR, RIGHT, SCHEMA, WRONG, material
from tests.modules.scripts import Recorder


def said(card):
    return [(part.label, part.text) for part in card.parts]


def write(form, episode, *key, lesson="Areas are in square kilometres."):
    with dspy.context(lm=Recorder(f"<answer>{lesson}</answer>").lm):
        return write_card(form, episode, *key)


def test_there_are_seven_writers_and_a_writer_gets_an_episode_and_nothing_else():
    assert list(FORMATS) == [
        "verbatim",
        "trace",
        "diff",
        "diff_mode",
        "diff_mode_anchor",
        "diff_guard",
        "capsule",
    ]
    for writer in FORMATS.values():
        assert list(inspect.signature(writer).parameters) == ["material"]
    fields = set(Material.__dataclass_fields__)
    assert not {name for name in fields if "reference" in name or "gold" in name or "correct" in name}


@pytest.mark.parametrize("form", FORMATS)
def test_a_card_names_its_question_and_is_the_same_every_time(form):
    card = write(form, material())
    assert card == write(form, material())
    assert (card.question_id, card.question, card.db_id) == ("1", "Which cities are large?", "world")
    assert card.schema_fingerprint == SCHEMA.fingerprint
    assert (card.format, card.failure_type) == (form, "schema_linking")
    assert card.key == card.question


@pytest.mark.parametrize("form", FORMATS)
def test_sql_is_marked_as_code(form):
    card = write(form, material(WRONG, NEAR, RIGHT, probes=(LOOK,)))
    for part in card.parts:
        assert part.code == bool(re.search(r"SELECT .* FROM|->|max\(", part.text)), part


@pytest.mark.parametrize("form", ["trace", "diff_mode", "diff_mode_anchor"])
def test_a_message_that_quotes_a_piece_of_a_query_is_code_too(form):
    quoted = Execution(
        "SELECT `COUNT(*) FROM city` FROM city", "unknown_column", "no such column: COUNT(*) FROM city"
    )
    looked = Probe(Execution('SELECT "max(area) FROM city"', "unknown_column", quoted.error), "", 1)
    card = write(form, material(quoted, RIGHT, probes=(looked,) if form == "trace" else ()))
    quoting = [part for part in card.parts if "COUNT(*) FROM city" in part.text]
    assert len(quoting) >= (3 if form == "trace" else 2)
    assert all(part.code for part in quoting)


def test_verbatim_is_the_last_query():
    assert said(write("verbatim", material())) == [("query", RIGHT.sql)]
    assert write("verbatim", material(RIGHT)).failure_type == ""


def test_a_trace_is_the_way_to_the_last_query_without_a_verdict_on_it():
    for last in (RIGHT, Execution(RIGHT.sql, "mismatch"), Execution(RIGHT.sql, "timeout", "too slow")):
        assert said(write("trace", material(WRONG, NEAR, last, probes=(LOOK,)))) == [
            ("attempt 1", WRONG.sql),
            ("attempt 1 gave", "unknown_column: no such column: nam"),
            ("look 1", LOOK.execution.sql),
            ("look 1 columns", "max(area)"),
            ("look 1 found", "1 row: (9.5)"),
            ("attempt 2", NEAR.sql),
            ("attempt 2 gave", "it ran, but its result is not the answer"),
            ("query", RIGHT.sql),
        ]


@pytest.mark.parametrize(
    ("rows", "columns", "found", "code"),
    [
        ("2 rows of (max(a), b): (1, 'x'); (2, NULL)", "max(a), b", "2 rows: (1, 'x'); (2, NULL)", False),
        ("0 rows of (SELECT 1)", "SELECT 1", "0 rows", False),
        ("1 row of (iif(a, '): (', b)): (3)", "iif(a, '): (', b)", "1 row: (3)", False),
        ("9 rows of (a, b): (1)... [7 more characters]", "a, b", "9 rows: (1)... [7 more characters]", False),
        ("9 rows of (a, b... [7 more characters]", "a, b... [7 more characters]", "9 rows", False),
        ("1 row of (sql): ('CREATE VIEW v AS x')", "sql", "1 row: ('CREATE VIEW v AS x')", True),
    ],
)
def test_the_columns_of_a_look_are_code_apart_from_its_rows(rows, columns, found, code):
    look = Probe(LOOK.execution, rows, 1)
    parts = write("trace", material(probes=(look,))).parts[-3:-1]
    assert parts == (
        CardPart("look 1 columns", columns, code=True),
        CardPart("look 1 found", found, code=code),
    )


def test_a_look_that_failed_found_what_the_machine_said():
    look = Probe(Execution("SELECT nam FROM city", "unknown_column", "no such column: nam"), "", 1)
    *_, found, _query = write("trace", material(probes=(look,))).parts
    assert found == CardPart("look 1 found", "unknown_column: no such column: nam")


def test_the_diffs_add_up():
    change = ("change", "SELECT: nam -> name\nWHERE: area > 3 -> area >= 3")
    failure = ("failure", "schema_linking: unknown_column: no such column: nam")
    assert said(write("diff", material())) == [change]
    assert said(write("diff_mode", material())) == [failure, change]
    assert said(write("diff_mode_anchor", material())) == [
        failure,
        change,
        ("touches", "city.name, city.area"),
    ]
    assert said(write("diff_guard", material())) == [
        change,
        ("applies", "to SELECT and WHERE of a query that uses city.name and city.area"),
        ("does not apply", "where a query uses none of these, or the question asks for it otherwise"),
    ]


def test_a_diff_is_that_of_the_first_attempt_to_the_last():
    assert said(write("diff", material(WRONG, NEAR, RIGHT))) == said(write("diff", material(WRONG, RIGHT)))


@pytest.mark.parametrize(
    ("before", "after", "touched"),
    [
        ("SELECT name FROM city", 'SELECT "NAME" FROM country', "country.name, city.name"),
        ("SELECT a.name FROM city a", "SELECT b.name FROM country b", "country.name, city.name"),
        ("SELECT count(*) FROM city", "SELECT count(*) FROM country", "country, city"),
        (
            "SELECT * FROM city WHERE (",
            "SELECT code FROM ) country",
            "country.code, city",
        ),  # no parser reads it
        ("SELECT 1", "SELECT 2", None),
    ],
)
def test_anchors_are_names_of_the_schema_that_the_change_touches(before, after, touched):
    card = write("diff_mode_anchor", material(Execution(before, "mismatch"), Execution(after, "match")))
    assert dict(said(card)).get("touches") == touched


@pytest.mark.parametrize("form", [form for form in FORMATS if form.startswith("diff")])
def test_without_a_change_a_diff_has_nothing_to_say(form):
    assert write(form, material(RIGHT)) is None
    assert write(form, material(NEAR, Execution("select  NAME from city where AREA > 3;", "match"))) is None


@pytest.mark.parametrize("form", FORMATS)
def test_no_statement_makes_no_card(form):
    assert write(form, material(WRONG, Execution(" -- nothing", "no_statement", "no statement"))) is None


def test_a_payload_key_is_the_question_and_what_the_card_says():
    card = write("diff_mode", material(), "payload")
    assert card.key == "\n".join([card.question, *(part.text for part in card.parts)])
    assert KEYS == ("question", "payload")


def test_cards_are_capped():
    long = Execution("SELECT " + ", ".join(["name"] * 5000), "unknown_column", "x" * 5000)
    for form in FORMATS:
        card = write(form, material(long, Execution(long.sql + " FROM city", "match")), lesson="long " * 1000)
        assert all(len(part.text) < 4100 for part in card.parts)


def test_bad_names_are_refused():
    with pytest.raises(InputError, match="unknown card format 'difff'"):
        write_card("difff", material())
    with pytest.raises(InputError, match="unknown card key"):
        write_card("verbatim", material(), "queston")
    with pytest.raises(InputError, match="at least one attempt"):
        material(failure_types=())
