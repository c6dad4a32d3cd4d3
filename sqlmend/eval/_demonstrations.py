"""A split that is declared as demonstrations: its references may be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmend.errors import InputError
from sqlmend.modules import Example, ExamplePool, schema_shape
from sqlmend.modules.contradictions import derive

if TYPE_CHECKING:
    from sqlmend.databases import Schema
    from sqlmend.eval._benchmark import Benchmark
    from sqlmend.retrievers import Embedder


def demonstrations(source: Benchmark, judged: Benchmark, embedder: Embedder) -> ExamplePool:
    """The questions of ``source`` with their references, as examples for the questions of ``judged``.

    Args:
        source: The split that is declared as demonstrations, or a selection of it.
        judged: What is asked and judged.
        embedder: Embeds questions.

    Raises:
        InputError: A question or a database of ``judged`` is among them.
    """
    shared = sorted(set(source.db_ids) & set(judged.db_ids))
    texts = {_folded(question.text) for question in judged.questions}
    asked = [question.id for question in source.questions if _folded(question.text) in texts]
    if shared or asked:
        what = f"the database {shared[0]}" if shared else f"the question {asked[0]}"
        raise InputError(
            "demonstrations_overlap",
            f"demonstrations of {source.name} share {what} with what is judged",
            hint="references of other databases and questions alone may be shown: declare a train split",
        )
    references = source.demonstrated()
    schemas = {db_id: source.open(db_id).schema() for db_id in source.db_ids}
    return ExamplePool(
        [
            Example(question.text, sql, _shape(sql, schemas[question.db_id]))
            for question, sql in references.items()
        ],
        embedder,
    )


def _shape(sql: str, schema: Schema) -> tuple[int, ...]:
    from sqlmend.databases.views import Links

    path = derive(sql, schema)
    named: dict[str, list[str]] = {table: [] for table in path.tables}
    for column in path.columns:
        table, _, name = column.partition(".")
        named.setdefault(table, []).append(name)
    return schema_shape(schema, Links.of(schema, named))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
