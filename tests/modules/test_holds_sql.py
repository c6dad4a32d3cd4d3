"""Which words of a lesson are SQL."""

import pytest

from sqlmend.databases import Column, Schema, Table
from sqlmend.modules.cards._holds_sql import holds_sql

SCHEMA = Schema(
    (
        Table(
            "frpm",
            (Column("Free Meal Count (K-12)", "REAL"), Column("CDSCode", "TEXT"), Column("min(x)", "")),
        ),
    )
)


@pytest.mark.parametrize(
    "words",
    [
        "Use SELECT name FROM city.",
        "Write select name from city where area >= 3 for large ones.",
        "Select name, area from city c.",
        "select count of t.name from t",
        "Do this: ```name```",
        "Filter with WHERE area > 3 and GROUP BY name.",
        "Add where name like 'L%' to it.",
        "It needs where code is not null.",
        "Use WHERE NOT id IN (1, 2).",
        'WHERE "Free Meal" = 1 is what counts.',
        "Use GROUP BY city.name here.",
        "Take the first: order by area desc.",
        "order by area\nlimit 1",
        "Keep LIMIT 1.",
        "join city on city.country_id = country.id",
        "Count COUNT(DISTINCT name) and not rows.",
        "avg(area) is asked for",
        "Divide by CAST(x AS REAL).",
        "Take STRFTIME('%Y', born).",
        "case when area > 3 then 1 end",
        "Mind `area >= 3`.",
        "Mind `MAX(area)`.",
        "Mind `name FROM city`.",
        "CREATE TABLE city (id)",
        "JOIN orders USING (customer_id)",
        "Join them: join orders using (customer_id).",
        "Use SELECT DISTINCT city.name for it.",
        "Answer with SELECT name, population.",
        "Answer with SELECT 'yes'.",
        "SELECT * is too much.",
        "Only SELECT list.name is asked for.",
        "Then EXCEPT SELECT id",
        "Use strftime('%Y', date) to get the year",
        "julianday(a) - julianday(b)",
        "Compare LOWER(name) and lower(name).",
        "json_extract(data, '$.name') holds it.",
        "Take the date(born), without time.",
        "city.name || ' ' || country.name",
        "t1.a = t2.b AND t1.c LIKE '%x%'",
        "It is the row whose area = city.area.",
        "Only where city.area is not null counts.",
        "Compare `city`.`area` > 3.",
    ],
)
def test_queries_clauses_calls_and_quoted_code_are_sql(words):
    assert holds_sql(words, SCHEMA)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "A city is found by its id.",
        "Select the cities from the smaller table.",
        "Select only names, and take areas from the other table.",
        "Use a GROUP BY when counting, and an ORDER BY clause for the largest.",
        "Group by the city; order by the area, largest first.",
        "The WHERE clause must not name a table.",
        "Join city and country on their ids.",
        "Cities where the area is large are in city.",
        "Large means area > 3.",
        "A female patient has Sex = 'F'.",
        "Mind `city`, `city.name` and the value `'F'` or `3.5`.",
        "Use `DISTINCT` and `LEFT JOIN`.",
        "The column `Free Meal Count (K-12)` of `frpm` is a number.",
        "The column `frpm`.`CDSCode`, or `frpm.Free Meal Count (K-12)`, is text.",
        "A column called `min(x)` is one.",
        "The time limit is short.",
        "The SELECT list must name what is asked for, and SELECT DISTINCT when a name comes twice.",
        "Use SELECT DISTINCT.",
        "SELECT only the name; a SELECT (not a WHERE) decides the columns.",
        "SELECT, GROUP BY and ORDER BY must agree.",
        "The SELECT inside the brackets is the one whose rows count, not the SELECT around it.",
        "Give the date (of birth), the length (in metres) and the rank, not the date(s) or sign(s).",
        "Join both tables using (if possible) their ids.",
        "Large means, e.g., an area > e.g. 3.5 or i.e. = 4.",
        "The area -> city.area, not country.area.",
        "Use city.name and country.name, joined by country_id.",
        "It is either one or the other.",
    ],
)
def test_words_names_values_and_keywords_are_none(words):
    assert not holds_sql(words, SCHEMA)


def test_without_a_schema_a_name_of_more_than_letters_is_code():
    assert holds_sql("The column `Free Meal Count (K-12)` is a number.")
    assert not holds_sql("The column `city.name` is text.")
