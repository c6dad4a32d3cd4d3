"""Path sets for tests of trees: the table of cases, and generated ones."""

from pathlib import Path as File

import hypothesis.strategies as st
import yaml

from sqlmend.databases import Column, ForeignKey, Schema, Table
from sqlmend.modules.tree import Candidate, Path, Result

SCHEMA = Schema(
    (
        Table("city", tuple(map(Column, ("id", "name", "country_id", "population", "area"))),
              (ForeignKey(("country_id",), "country", ("id",)),)),
        Table("country", tuple(map(Column, ("id", "name", "code")))),
        Table("order line", tuple(map(Column, ("line no", "unit price", "city_id")))),
        Table("person", tuple(map(Column, ("id", "name", "boss_id", "born")))),
    )
)  # fmt: skip
DATA = yaml.safe_load((File(__file__).parents[2] / "cases" / "tree" / "merge.yaml").read_text("utf-8"))
CASES = DATA["cases"]


def candidates(case):
    return [Candidate(label, Path.of({**DATA["base"], **path})) for label, path in case["paths"].items()]


NAMES = st.sampled_from(["city", "CITY", "country", '"order line"', "nowhere", "city c"])
COLUMNS = st.sampled_from(["name", "city.name", "c.area", "country.code", "*", "`unit price`"])
FUNCTIONS = st.sampled_from(["COUNT(*)", "count", "SUM(area)", "none", "CAST(x AS REAL)", "GROUP BY"])
VALUES = st.sampled_from(
    ["area > 5", "5 < area", "name = 'Lima'", 'name = "Lima"', "a = 1 OR b = 2", "", "x IN (2, 1)"]
)
QUERIES = st.sampled_from(["SELECT 1", "select 1;", "SELECT name FROM city c", "", "not ' sql", "SELECT 1.0"])
PATHS = st.builds(
    Path,
    st.sampled_from(["How many?", "how  many?", "Count them.", ""]),
    st.lists(NAMES, max_size=3).map(tuple),
    st.lists(COLUMNS, max_size=3).map(tuple),
    st.lists(FUNCTIONS, max_size=2).map(tuple),
    st.lists(VALUES, max_size=3).map(tuple),
    QUERIES,
)
SETS = st.lists(PATHS, min_size=1, max_size=6).map(
    lambda paths: [Candidate(f"c{n}", path, Result("ok", signature=path.sql)) for n, path in enumerate(paths)]
)
