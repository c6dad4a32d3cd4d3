"""Episodes for cards, without a run."""

from sqlmend.databases import Column, ForeignKey, Schema, Table
from sqlmend.memory import Execution
from sqlmend.modules import Probe
from sqlmend.modules.cards import Material

SCHEMA = Schema(
    (
        Table(
            "city",
            (Column("id", "INTEGER"), Column("name", "TEXT"), Column("area", "REAL")),
            (ForeignKey(("id",), "country", ("id",)),),
        ),
        Table("country", (Column("id", "INTEGER"), Column("name", "TEXT"), Column("code", "TEXT"))),
    )
)
WRONG = Execution("SELECT nam FROM city WHERE area > 3", "unknown_column", "no such column: nam")
NEAR = Execution("SELECT name FROM city WHERE area > 3", "mismatch")
RIGHT = Execution("SELECT name FROM city WHERE area >= 3", "match")
LOOK = Probe(Execution("SELECT max(area) FROM city", "ok"), "1 row of (max(area)): (9.5)", 1)


def material(
    *attempts, question_id="1", question="Which cities are large?", db_id="world", probes=(), **changes
):
    """An episode of these attempts, by default from `WRONG` to `RIGHT`."""
    attempts = attempts or (WRONG, RIGHT)
    types = {"mismatch": "result_mismatch", "match": "", "unknown_column": "schema_linking"}
    fields = {
        "evidence": "",
        "schema": SCHEMA,
        "failure_types": tuple(types.get(attempt.status, "syntax") for attempt in attempts),
    }
    return Material(
        question_id=question_id,
        question=question,
        db_id=db_id,
        attempts=attempts,
        probes=probes,
        **{**fields, **changes},
    )
