"""Databases: connect, introspect, execute read-only; schemas and SQL text."""

from sqlmend.databases._calls import is_nondeterministic, reads_clock
from sqlmend.databases._canonical import canonical
from sqlmend.databases._ddl import quote_name, render_ddl
from sqlmend.databases._delta import delta
from sqlmend.databases._descriptions import ColumnDescription, Descriptions, read_descriptions
from sqlmend.databases._extract import extract_answer, extract_sql
from sqlmend.databases._hint import schema_hint
from sqlmend.databases._lint import lint
from sqlmend.databases._open import open_database
from sqlmend.databases._outcome import STATUSES, Outcome
from sqlmend.databases._protocol import Database
from sqlmend.databases._rehearse import Rehearsal, rehearse
from sqlmend.databases._schema import Column, ForeignKey, Schema, Table
from sqlmend.databases._shape import shape
from sqlmend.databases._sqlite import SqliteDatabase
from sqlmend.databases._statements import has_top_level, is_query, statements
from sqlmend.databases._tokens import Token, tokens

__all__ = [
    "STATUSES",
    "Column",
    "ColumnDescription",
    "Database",
    "Descriptions",
    "ForeignKey",
    "Outcome",
    "Rehearsal",
    "Schema",
    "SqliteDatabase",
    "Table",
    "Token",
    "canonical",
    "delta",
    "extract_answer",
    "extract_sql",
    "has_top_level",
    "is_nondeterministic",
    "is_query",
    "lint",
    "open_database",
    "quote_name",
    "read_descriptions",
    "reads_clock",
    "rehearse",
    "render_ddl",
    "schema_hint",
    "shape",
    "statements",
    "tokens",
]
