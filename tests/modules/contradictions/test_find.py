"""The finder beside its tables: what it says, what it leaves alone, and that nothing breaks it."""

import sqlite3
from contextlib import closing

import pytest

from sqlmend.databases import open_database
from sqlmend.modules.contradictions import Facts, find
from sqlmend.modules.contradictions._integers import integer_divisions
from sqlmend.modules.contradictions._profile import profile
from sqlmend.modules.contradictions._query import Query
from sqlmend.modules.tree import Candidate, Path

SCRIPT = """
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, country_id INTEGER REFERENCES country (id),
  founded TEXT, code TEXT, area REAL, people INTEGER);
CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT, capital_id INTEGER REFERENCES city (id));
INSERT INTO country VALUES (1, 'Peru', 1), (2, 'Norway', 3), (3, 'Nauru', NULL);
INSERT INTO city VALUES (1, 'Lima', 1, '18.01.1535', '015', 2672.0, 10),
  (2, 'Cusco', 1, '01.03.1534', '084', 385.0, 1),
  (3, 'Oslo', 2, '01.01.1048', '004', 454.0, 1), (4, 'Bergen', 2, NULL, NULL, 465.0, NULL);
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("find") / "world.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCRIPT)
    return open_database(path)


def findings(database, *queries, question="Which cities are there?", evidence=""):
    candidates = [Candidate(f"c{n}", Path(sql=sql)) for n, sql in enumerate(queries, 1)]
    return [str(finding) for finding in find(candidates, database, question, evidence)]


def test_findings_say_what_was_seen_and_where(database):
    (finding,) = find(
        [Candidate("a", Path(sql="SELECT id FROM city WHERE name = 'lima'"))], database, "Lima's id?"
    )
    assert (finding.kind, finding.code, finding.candidates) == ("schema", "value", ("a",))
    assert finding.text == "city.name has 'Lima', not 'lima'"
    assert finding.anchors == (("city", "name"),)
    assert finding.results_differ is None


def test_equal_findings_of_several_candidates_are_one(database):
    assert findings(
        database, "SELECT id FROM city WHERE name = 'lima'", "SELECT name FROM city WHERE name = 'lima'"
    ) == ["[c1, c2] schema/value: city.name has 'Lima', not 'lima'"]


def test_an_integer_division_is_reported_though_results_agree(database):
    queries = (
        "SELECT SUM(people) / COUNT(people) FROM city",
        "SELECT 1.0 * SUM(people) / COUNT(people) FROM city",
    )
    candidates = [Candidate(f"c{n}", Path(sql=sql)) for n, sql in enumerate(queries)]
    (finding,) = find(candidates, database, "People per city?")
    assert (finding.code, finding.results_differ) == ("division", False)


@pytest.mark.parametrize("written", ["'Lima'", '"Lima"'])
def test_constants_are_reported_as_they_are_written(database, written):
    found = findings(
        database, f"SELECT name FROM city WHERE NAME = {written}", "SELECT name FROM city WHERE name = 'Oslo'"
    )
    assert found == [
        "[c1, c2] structure/condition: conditions differ: c1: city.name = 'Lima'; c2: city.name = 'Oslo'"
    ]


def test_ordinals_are_what_they_stand_for(database):
    written = "SELECT country_id, COUNT(*) FROM city GROUP BY country_id ORDER BY COUNT(*) LIMIT 1"
    ordinals = "SELECT country_id, COUNT(*) FROM city GROUP BY 1 ORDER BY 02 LIMIT 1"
    schema, facts = database.schema(), Facts(database)
    one, other = (profile(sql, schema, facts) for sql in (written, ordinals))
    assert (one["group"], one["order"]) == (other["group"], other["order"])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM city WHERE founded > '01.01.1500'",
        "SELECT name FROM city ORDER BY founded LIMIT 1",
        "SELECT MAX(founded) FROM city",
        "SELECT name FROM city WHERE strftime('%Y', founded) = '1535'",
        "SELECT name FROM city WHERE founded = '1535-01-18'",
        "WITH old AS (SELECT name, founded AS f FROM city) SELECT name FROM old WHERE f < '1500-01-01'",
        "SELECT x.name FROM (SELECT name, founded FROM city) AS x WHERE x.founded LIKE '1535%'",
    ],
)
def test_dates_in_another_form(database, sql):
    (finding,) = findings(database, sql)
    assert "schema/format: city.founded is written like '18.01.1535'" in finding


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM city WHERE founded LIKE '%.1535'",
        "SELECT name FROM city WHERE substr(founded, 7) > '1500'",
        "SELECT name FROM city WHERE founded IS NULL",
        "SELECT name FROM city ORDER BY founded",
        "SELECT c.name FROM city c JOIN country n ON n.capital_id = c.id",
        "SELECT a.name FROM city a JOIN city b ON b.area = a.area",
        "SELECT name FROM city, (SELECT AVG(area) AS mean FROM city) WHERE area > mean",
        "SELECT name FROM city WHERE name = 'Quito'",
        "SELECT name FROM city WHERE country_id NOT IN (SELECT id FROM country WHERE name = 'Peru')",
    ],
)
def test_what_is_fine_is_left_alone(database, sql):
    assert findings(database, sql, question="Which cities? Quito?") == []


def test_numbers_that_are_text_do_not_sort(database):
    assert "holds numbers as text" in findings(database, "SELECT name FROM city WHERE code > 9")[0]


def test_ids_of_different_things(database):
    (finding,) = findings(database, "SELECT c.name FROM city c JOIN country n ON n.id = c.id")
    assert finding == "[c1] schema/no_key: country.id = city.id joins ids of country with ids of city"


@pytest.mark.parametrize(
    ("sql", "other", "code", "anchors"),
    [
        (
            "SELECT AVG(area) FROM city",
            "SELECT SUM(area) FROM city",
            "aggregate",
            "city.area",
        ),
        (
            "SELECT COUNT(*) FROM city",
            "SELECT COUNT(code) FROM city",
            "argument",
            "city.code",
        ),
        (
            "SELECT name FROM city c WHERE c.area > 400",
            "SELECT name FROM city",
            "condition",
            "city.area",
        ),
        (
            "SELECT c.name FROM city AS c JOIN country AS n ON n.capital_id = c.id",
            "SELECT name FROM city",
            "join",
            "city country country.capital_id city.id",
        ),
        (
            "SELECT name FROM city ORDER BY area LIMIT 1",
            "SELECT name FROM city ORDER BY area LIMIT 2",
            "limit",
            "city.area",
        ),
        (
            "SELECT name FROM city ORDER BY area LIMIT 1",
            "SELECT name FROM city ORDER BY 1 LIMIT 1",
            "order",
            "city.area city.name",
        ),
        (
            "SELECT COUNT(*) FROM city",
            "SELECT COUNT(*) FROM city GROUP BY country_id",
            "group",
            "city.country_id",
        ),
        (
            "SELECT country_id FROM city",
            "SELECT DISTINCT country_id FROM city",
            "distinct",
            "city.country_id",
        ),
        (
            "SELECT COUNT(*) FROM city",
            "SELECT COUNT(*) FROM city LIMIT 0",
            "limit",
            "city",
        ),
        (
            "SELECT name FROM city WHERE area IN (SELECT area FROM city WHERE area > 400)",
            "SELECT name FROM city",
            "nesting",
            "city.area",
        ),
        (
            "SELECT name FROM city",
            "SELECT name FROM country",
            "select",
            "city.name country.name",
        ),
    ],
)
def test_differences_are_bound_to_what_the_differing_parts_read(database, sql, other, code, anchors):
    candidates = [Candidate("a", Path(sql=sql)), Candidate("b", Path(sql=other))]
    found = {f.code: f for f in find(candidates, database, "What?") if f.kind == "structure"}
    assert sorted(map(".".join, found[code].anchors)) == sorted(
        name if "." in name else f"{name}." for name in anchors.split()
    )


@pytest.mark.parametrize(
    ("sql", "question", "code", "anchors"),
    [
        ("SELECT COUNT(*) FROM city", "List the cities.", "count_for_list", "city."),
        ("SELECT SUM(c.area) FROM city c", "What is the average area?", "quantity", "city.area"),
        ("SELECT name FROM city WHERE code = NULL", "Which?", "empty", "city.code"),
        (
            "SELECT id FROM city WHERE name = 'Lima' AND code = '084'",
            "Which?",
            "empty",
            "city.name city.code",
        ),
        ("SELECT name FROM city", "Give the name and area of each city.", "columns", "city.area city.name"),
        ("SELECT name FROM city ORDER BY country_id LIMIT 1", "Which?", "ties", "city.country_id"),
    ],
)
def test_what_a_result_lacks_is_bound_too(database, sql, question, code, anchors):
    found = {f.code: f for f in find([Candidate("a", Path(sql=sql))], database, question)}
    assert sorted(map(".".join, found[code].anchors)) == sorted(anchors.split())


def test_a_candidate_that_the_schema_speaks_against_is_not_compared(database):
    assert findings(database, "SELECT nme FROM city", "SELECT name FROM city") == [
        "[c1] schema/unknown_column: no such column: nme"
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "",
        ";",
        "SELECT",
        "not sql at all",
        "SELECT 1; SELECT 2",
        "DELETE FROM city",
        "PRAGMA user_version",
        "VALUES (1)",
        "SELECT * FROM (SELECT * FROM (SELECT name FROM city))",
        "SELECT (" * 200 + "1" + ")" * 200,
        "SELECT '\ud800'",
        'SELECT name FROM city WHERE name = "Lima" OR 1',
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
        "SELECT name FROM city GROUP BY 9",
        "SELECT name FROM city ORDER BY 99 LIMIT 1",
        "SELECT name, COUNT(*) FROM city GROUP BY 1.5",
        "SELECT name FROM city ORDER BY 1e2 LIMIT 1",
        "SELECT name FROM city ORDER BY 1.5 LIMIT 1",
        f"SELECT name FROM city ORDER BY {'9' * 5000} LIMIT 1",
        "SELECT CASE WHEN 1 THEN 2 END / 3",
        "SELECT c.* FROM city c NATURAL JOIN country n",
        "SELECT \x00",
    ],
)
def test_no_text_breaks_it(database, sql):
    alone = findings(database, sql)
    assert findings(database, sql, sql) == [text.replace("[c1]", "[c1, c2]") for text in alone]
    findings(database, sql, "SELECT name FROM city WHERE id = 1")


def test_the_order_of_candidates_changes_nothing(database):
    candidates = [
        Candidate("a", Path(sql="SELECT COUNT(*) FROM city")),
        Candidate("b", Path(sql="SELECT COUNT(founded) FROM city")),
        Candidate("c", Path(sql="SELECT COUNT(DISTINCT country_id) FROM city")),
    ]
    found = find(candidates, database, "How many cities?")
    assert found
    assert find(candidates[::-1], database, "How many cities?") == found


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        ("SELECT people / 2 FROM city", 1),
        ("SELECT area / 2 FROM city", 0),
        ("SELECT people / 2.0 FROM city", 0),
        ("SELECT COUNT(*) / COUNT(DISTINCT id) FROM city", 1),
        ("SELECT SUM(people) * 100 / SUM(id) FROM city", 1),
        ("SELECT AVG(people) / 2 FROM city", 0),
        ("SELECT CAST(people AS REAL) / 2 FROM city", 0),
        ("SELECT CAST(area AS INTEGER) / 2 FROM city", 1),
        ("SELECT SUM(CASE WHEN area > 1 THEN 1 ELSE 0 END) / COUNT(*) FROM city", 1),
        ("SELECT SUM(CASE WHEN area > 1 THEN 1.0 ELSE 0 END) / COUNT(*) FROM city", 0),
        ("SELECT SUM(area > 1) / COUNT(*) FROM city", 1),
        ("SELECT n / 2 FROM (SELECT COUNT(*) AS n FROM city)", 1),
        ("SELECT (SELECT COUNT(*) FROM city) / 3", 1),
        ("SELECT COALESCE(people, 0) / 2, MAX(people, 1) / 2 FROM city", 2),
        ("SELECT IIF(area > 1, people, NULL) / 2 FROM city", 1),
        ("SELECT 7 / name FROM city", 0),
    ],
)
def test_integer_divisions(database, sql, number):
    query = Query.parse(sql, database.schema())
    assert len(integer_divisions(query)) == number


@pytest.mark.parametrize(
    ("sql", "text", "anchors"),
    [
        (
            "SELECT capital_id FROM city",
            "no such column: capital_id: it is in country",
            (("country", "capital_id"),),
        ),
        (
            "SELECT country.name FROM city",
            "no such column: country.name: country is not in FROM",
            (("country", "name"),),
        ),
        (
            "SELECT id FROM city AS t WHERE EXISTS (SELECT u.name FROM country)",
            "no such column: u.name: it is in city and country",
            (("city", "name"), ("country", "name")),
        ),
        ("SELECT nowhere FROM city", "no such column: nowhere", ()),
    ],
)
def test_where_a_column_is_that_was_not_found(database, sql, text, anchors):
    (finding,) = find([Candidate("c1", Path(sql=sql))], database, "Which?")
    assert (finding.text, finding.anchors) == (text, anchors)
