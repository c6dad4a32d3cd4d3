"""The two list formats: a table is a list of its columns, and the keys follow all tables.

M-Schema is that of XiYan-SQL (arXiv:2411.08599), the other that of MAC-SQL (arXiv:2312.11242).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlmend._text import cap
from sqlmend.databases._ddl import Samples, quote_name, render_ddl
from sqlmend.databases._descriptions import Descriptions
from sqlmend.databases._schema import Column, Schema, Table

_DESCRIPTION_CHARACTERS = 200


def ddl(schema: Schema, samples: Samples, descriptions: Descriptions | None) -> str:
    """CREATE TABLE statements; their comments say what columns mean, and they show no values."""
    return render_ddl(schema, None, descriptions)


def m_schema(schema: Schema, samples: Samples, descriptions: Descriptions | None) -> str:
    """For each table a list of (column: type, what it means, key, examples), then the foreign keys."""

    def column(table: Table, item: Column, values: Sequence[Any]) -> str:
        parts = [f"{quote_name(item.name)}: {_one_line(item.type) or 'ANY'}"]
        parts += filter(None, [_described(descriptions, table, item)])
        parts += ["Primary Key"] if item.primary_key else []
        parts += [f"Examples: [{', '.join(map(_bare, values))}]"] if values else []
        return f"({', '.join(parts)})"

    return _rendered(schema, samples, column)


def mac_schema(schema: Schema, samples: Samples, descriptions: Descriptions | None) -> str:
    """For each table a list of (column, what it means in words, value examples), then the foreign keys."""

    def column(table: Table, item: Column, values: Sequence[Any]) -> str:
        words = _described(descriptions, table, item) or _in_words(item.name)
        shown = f" Value examples: [{', '.join(map(_literal, values))}]." if values else ""
        return f"({quote_name(item.name)}, {words.rstrip('.')}.{shown})"

    return _rendered(schema, samples, column)


def _rendered(schema: Schema, samples: Samples, column: Any) -> str:
    blocks = [_table(table, samples.get(table.name, {}), column) for table in schema.tables]
    if keys := list(_foreign_keys(schema)):
        blocks.append("# Foreign keys\n" + "\n".join(keys))
    return "\n".join(blocks)


def _table(table: Table, samples: Mapping[str, Sequence[Any]], column: Any) -> str:
    rows = ",\n".join(column(table, item, samples.get(item.name, ())) for item in table.columns)
    return f"# {'View' if table.view else 'Table'}: {quote_name(table.name)}\n[\n{rows}\n]"


def _foreign_keys(schema: Schema) -> Iterator[str]:
    for table in schema.tables:
        for key in table.foreign_keys:
            for column, referenced in zip(key.columns, key.referenced, strict=False):
                yield (
                    f"{quote_name(table.name)}.{quote_name(column)}"
                    f" = {quote_name(key.table)}.{quote_name(referenced)}"
                )


def _described(descriptions: Descriptions | None, table: Table, column: Column) -> str:
    found = descriptions.get(table.name, column.name) if descriptions else None
    return cap(_one_line(found.text()), _DESCRIPTION_CHARACTERS) if found else ""


def _in_words(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def _bare(value: Any) -> str:
    return _one_line(str(value))


def _literal(value: Any) -> str:
    return _one_line("'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value))


def _one_line(text: str) -> str:
    return " ".join(text.split())
