"""Views of a schema: one schema, several texts of it, cut to what a question needs or not."""

from sqlmend.databases.views._links import Links
from sqlmend.databases.views._reduce import REDUCTIONS, reduce_schema
from sqlmend.databases.views._view import DEFAULT_VIEWS, FORMATS, SchemaView

__all__ = ["DEFAULT_VIEWS", "FORMATS", "REDUCTIONS", "Links", "SchemaView", "reduce_schema"]
