"""Examples: the nearest in meaning and in the shape of the linked schema."""

from sqlmend.databases.views import Links
from sqlmend.modules import Example, ExamplePool, RecallExamples, schema_shape
from sqlmend.testing import HashEmbedder

POOL = [
    Example("How many cities are there?", "SELECT 1", (1, 0, 0, 0, 0)),
    Example("Name all persons of a club.", "SELECT 2", (3, 2, 1, 1, 1)),
    Example("How many countries are there?", "SELECT 3", (1, 0, 0, 0, 1)),
]


def recalled(question, shape, top_k=2, pool=POOL):
    found = RecallExamples(top_k)(question=question, shape=shape, pool=ExamplePool(pool, HashEmbedder()))
    return [example.sql for example in found.examples]


def test_meaning_and_shape_count():
    assert recalled("How many cities are there?", (1, 0, 0, 0, 0)) == ["SELECT 1", "SELECT 3"]
    assert recalled("Zebra", (3, 2, 1, 1, 1))[0] == "SELECT 2"


def test_off_where_there_is_no_split_or_none_is_wanted():
    assert recalled("Q", (), pool=[]) == []
    assert recalled("Q", (), top_k=0) == []
    assert RecallExamples()(question="Q", shape=(), pool=None).examples == ()


def test_the_shape_of_a_linked_schema(database):
    schema = database.schema()
    links = Links.of(schema, {"city": ["name", "area"], "country": ["code"]})
    assert schema_shape(schema, links) == (2, 1, 1, 0, 2)
    assert schema_shape(schema, Links()) == (0, 0, 0, 0, 0)
