"""A view of a schema: a format and what is cut."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmend._registry import Registry
from sqlmend.databases._ddl import Samples
from sqlmend.databases._descriptions import Descriptions
from sqlmend.databases._schema import Schema
from sqlmend.databases.views._links import Links
from sqlmend.databases.views._reduce import REDUCTIONS, reduce_schema
from sqlmend.errors import InputError, unknown_name

#: Format to its function of (schema, samples, descriptions).
FORMATS = Registry(
    "schema format",
    {
        "ddl": "sqlmend.databases.views._texts:ddl",
        "m_schema": "sqlmend.databases.views._texts:m_schema",
        "mac_schema": "sqlmend.databases.views._texts:mac_schema",
    },
)


@dataclass(frozen=True)
class SchemaView:
    """How a schema is shown.

    Attributes:
        format: A name of ``FORMATS``.
        reduction: A name of ``REDUCTIONS``.

    Raises:
        InputError: One of them is unknown.
    """

    format: str
    reduction: str = "none"

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise unknown_name("schema format", self.format, FORMATS)
        if self.reduction not in REDUCTIONS:
            raise unknown_name("reduction", self.reduction, REDUCTIONS)

    @classmethod
    def parse(cls, text: str) -> SchemaView:
        """The view that ``format/reduction`` names.

        Raises:
            InputError: It is written otherwise, or a part is unknown.
        """
        name, slash, reduction = text.partition("/")
        if not slash:
            raise InputError(
                "bad_view", f"a view is format/reduction; got {text!r}", hint="for example m_schema/tables"
            )
        return cls(name, reduction)

    def __str__(self) -> str:
        return f"{self.format}/{self.reduction}"

    def render(
        self,
        schema: Schema,
        links: Links | None = None,
        samples: Samples | None = None,
        descriptions: Descriptions | None = None,
    ) -> str:
        """The schema in this view.

        Args:
            schema: The whole schema.
            links: What the question is about; without any nothing is cut.
            samples: Values by table and column, for the formats that show some.
            descriptions: What the columns mean.
        """
        reduced = reduce_schema(schema, links or Links(), self.reduction)
        return str(FORMATS[self.format](reduced, samples or {}, descriptions))


#: The five views of the published method.
DEFAULT_VIEWS = tuple(
    map(
        SchemaView.parse,
        ("m_schema/none", "ddl/full", "mac_schema/tables", "m_schema/columns", "mac_schema/full"),
    )
)
