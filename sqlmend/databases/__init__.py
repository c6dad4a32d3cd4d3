"""Databases: connect, introspect, execute read-only; schemas and SQL text."""

from sqlmend.databases._outcome import STATUSES, Outcome
from sqlmend.databases._protocol import Database
from sqlmend.databases._schema import Column, ForeignKey, Schema, Table

__all__ = ["STATUSES", "Column", "Database", "ForeignKey", "Outcome", "Schema", "Table"]
