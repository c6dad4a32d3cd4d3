"""The views of a schema: what each format shows and what each reduction cuts."""

from dataclasses import replace

import pytest

from sqlmend.databases import Column, ColumnDescription, Descriptions, ForeignKey, Schema, Table
from sqlmend.databases.views import DEFAULT_VIEWS, FORMATS, REDUCTIONS, Links, SchemaView, reduce_schema
from sqlmend.errors import InputError

CITY = Table(
    "city", (Column("id", "INTEGER", primary_key=True), Column("name", "TEXT"), Column("area", "REAL"))
)
SHOP = Table(
    "shop",
    (
        Column("shop id", "INTEGER", primary_key=True),
        Column("city_id", "INTEGER"),
        Column("title", "TEXT", not_null=True),
        Column("opened", ""),
    ),
    (ForeignKey(("city_id",), "city", ("id",)),),
)
SALE = Table(
    "sale",
    (Column("shop id", "INTEGER"), Column("sum", "REAL")),
    (ForeignKey(("shop id",), "shop", ("shop id",)),),
)
SCHEMA = Schema((CITY, SHOP, SALE))
SAMPLES = {"city": {"name": ["Lima", "O'Hara", "two\nlines"], "area": [1.5]}, "shop": {"opened": []}}
LINKS = Links.of(SCHEMA, {"SHOP": ["Title", "no_such"], "city": [], "nowhere": ["x"]})


def names(schema):
    return {table.name: [column.name for column in table.columns] for table in schema.tables}


def test_links_keep_what_the_schema_has():
    assert Links(frozenset({("shop", "title")}), frozenset({"shop", "city"})) == LINKS
    assert LINKS.by_table == {"city": frozenset(), "shop": frozenset({"title"})}
    assert LINKS | Links(frozenset({("sale", "sum")})) == Links(
        frozenset({("shop", "title"), ("sale", "sum")}), frozenset({"shop", "city", "sale"})
    )
    assert not Links()


@pytest.mark.parametrize(
    ("reduction", "expected"),
    [
        (
            "none",
            {
                "city": ["id", "name", "area"],
                "shop": ["shop id", "city_id", "title", "opened"],
                "sale": ["shop id", "sum"],
            },
        ),
        ("columns", {"city": ["id"], "shop": ["shop id", "city_id", "title"], "sale": ["shop id"]}),
        ("tables", {"city": ["id", "name", "area"], "shop": ["shop id", "city_id", "title", "opened"]}),
        ("full", {"city": ["id"], "shop": ["shop id", "city_id", "title"]}),
    ],
)
def test_a_reduction_cuts_what_is_not_linked_and_leaves_the_keys(reduction, expected):
    assert names(reduce_schema(SCHEMA, LINKS, reduction)) == expected


def test_a_key_to_a_table_that_is_cut_goes_with_it():
    reduced = reduce_schema(SCHEMA, Links.of(SCHEMA, {"shop": ["title"]}), "full")
    assert names(reduced) == {"shop": ["shop id", "title"]}
    assert reduced.tables[0].foreign_keys == ()


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_without_links_nothing_is_cut(reduction):
    assert reduce_schema(SCHEMA, Links(), reduction) is SCHEMA


def test_m_schema():
    assert SchemaView.parse("m_schema/tables").render(SCHEMA, LINKS, SAMPLES) == (
        "# Table: city\n[\n(id: INTEGER, Primary Key),\n(name: TEXT, Examples: [Lima, O'Hara, two lines]),\n"
        "(area: REAL, Examples: [1.5])\n]\n"
        '# Table: shop\n[\n("shop id": INTEGER, Primary Key),\n(city_id: INTEGER),\n'
        "(title: TEXT),\n(opened: ANY)\n]\n"
        "# Foreign keys\nshop.city_id = city.id"
    )


def test_mac_schema():
    described = Descriptions({"city": {"area": ColumnDescription(description="size in km².")}})
    assert SchemaView.parse("mac_schema/tables").render(
        SCHEMA, Links.of(SCHEMA, {"city": []}), SAMPLES, described
    ) == (
        "# Table: city\n[\n(id, id.),\n(name, name. Value examples: ['Lima', 'O''Hara', 'two lines'].),\n"
        "(area, size in km². Value examples: [1.5].)\n]"
    )


def test_ddl_is_the_schema_as_statements():
    assert SchemaView.parse("ddl/none").render(SCHEMA) == SCHEMA.ddl()
    assert "FOREIGN KEY (city_id)" in SchemaView.parse("ddl/full").render(SCHEMA, LINKS)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_every_view_names_all_that_is_left_and_nothing_else(name, reduction):
    view = SchemaView(name, reduction)
    text = view.render(SCHEMA, LINKS, SAMPLES)
    assert ("sale" in text) == (reduction in ("none", "columns"))
    assert ("opened" in text) == (reduction in ("none", "tables"))
    assert SchemaView.parse(str(view)) == view


def test_a_view_says_that_a_view_is_one():
    assert "# View: city" in SchemaView("m_schema").render(Schema((replace(CITY, view=True),)))


@pytest.mark.parametrize("text", ["m_schema", "m_schem/none", "ddl/half", ""])
def test_an_unknown_view_is_an_error(text):
    with pytest.raises(InputError):
        SchemaView.parse(text)


def test_the_default_views_are_the_published_five():
    assert [str(view) for view in DEFAULT_VIEWS] == [
        "m_schema/none", "ddl/full", "mac_schema/tables", "m_schema/columns", "mac_schema/full"
    ]  # fmt: skip
