"""Reads of one database for one question."""

from sqlmend.databases import open_database
from sqlmend.modules.contradictions import Facts
from tests.modules.scripts import world


class Counting:
    """A database that counts what it is asked."""

    def __init__(self, database):
        self._database = database
        self.asked = 0

    def execute(self, *arguments, **settings):
        self.asked += 1
        return self._database.execute(*arguments, **settings)


def test_a_query_is_tried_once_and_what_is_tried_counts_as_read(tmp_path):
    with open_database(world(tmp_path)) as database:
        counting = Counting(database)
        facts = Facts(counting)
        for _ in range(2):
            assert "no such column" in facts.refusal("SELECT nonsense FROM city")
            assert facts.refusal("SELECT name FROM city; ") is None
        assert counting.asked == 2
        for n in range(400):
            facts.rows(f"SELECT {n}")
        assert counting.asked == 300
        assert facts.refusal("SELECT other FROM city") is None
