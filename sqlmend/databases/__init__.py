"""Databases: connect, introspect, execute read-only; schemas and SQL text."""

from sqlmend.databases._ddl import quote_name, render_ddl
from sqlmend.databases._descriptions import ColumnDescription, Descriptions, read_descriptions
from sqlmend.databases._open import open_database
from sqlmend.databases._outcome import STATUSES, Outcome
from sqlmend.databases._protocol import Database
from sqlmend.databases._schema import Column, ForeignKey, Schema, Table
from sqlmend.databases._sqlite import SqliteDatabase

__all__ = [
    "STATUSES",
    "Column",
    "ColumnDescription",
    "Database",
    "Descriptions",
    "ForeignKey",
    "Outcome",
    "Schema",
    "SqliteDatabase",
    "Table",
    "open_database",
    "quote_name",
    "read_descriptions",
    "render_ddl",
]
