"""Reading links: names of the schema in a line, however they are laid out."""

import pytest

from sqlmend.databases import Column, Schema, Table
from sqlmend.databases.views import Links
from sqlmend.modules._read_links import read_links

COLUMNS = {
    "city": ("id", "name", "area", "country"),
    "country": ("id", "name", "code"),
    "frpm": (
        "CDSCode",
        "Free Meal Count (K-12)",
        "Free Meal Count",
        "Percent (%) Eligible, Free",
        "County Name",
    ),
}
SCHEMA = Schema(tuple(Table(table, tuple(map(Column, columns))) for table, columns in COLUMNS.items()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("city: name, area", "city.name city.area"),
        ("- `City`: city.name, nonsense", "city.name"),
        ("city.name and country.code (joined)", "city.name country.code"),
        ("frpm: CDSCode, Free Meal Count (K-12), x", "frpm.cdscode frpm.free_meal_count_(k-12)"),
        ("frpm: Percent (%) Eligible, Free", "frpm.percent_(%)_eligible,_free"),
        ("frpm: `Free Meal Count`", "frpm.free_meal_count"),
        ("frpm.`Free Meal Count (K-12)` is needed", "frpm.free_meal_count_(k-12)"),
        ("frpm.[Free Meal Count]", "frpm.free_meal_count"),
        ("1. city: name", "city.name"),
        ("2) **city**: name, area", "city.name city.area"),
        ("city (name, area)", "city.name city.area"),
        ("Table city: name", "city.name"),
        ("# Table: city\n[name, area]", ""),
        ("city - name, area", "city.name city.area"),
        ("| city | name, area |", "city.name city.area"),
        ("city: name (TEXT), area (REAL)", "city.name city.area"),
        ("city:\n- name\n- area", "city.name city.area"),
        ('{"city": ["name"], "frpm": ["CDSCode"]}', "city.name frpm.cdscode"),
        ("city: name, country: code", "city.name city.country"),
        ("country: code, city: name", "country.code city.name"),
        ("towns: name", ""),
        ("The name of the city", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_reading_links(text, expected):
    found = {f"{table}.{column.replace(' ', '_')}" for table, column in read_links(text, SCHEMA).columns}
    assert found == set(expected.split())


@pytest.mark.parametrize("text", ["country:", "country", "- Table: country", "1. `country`"])
def test_a_table_without_columns_is_a_link(text):
    assert read_links(text, SCHEMA) == Links(tables=frozenset({"country"}))


def test_an_empty_schema_has_no_links():
    assert read_links("city: name", Schema(())) == Links()
