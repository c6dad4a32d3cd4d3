"""Failure notes: a deterministic memory of what a machine refused."""

from sqlmend.memory.notes._catalog import read_schema
from sqlmend.memory.notes._classes import ERROR_CLASSES, OWN_CLASSES, PUBLISHED_CLASSES
from sqlmend.memory.notes._index import NoteIndex
from sqlmend.memory.notes._key import BACKENDS, Key, key_of
from sqlmend.memory.notes._note import Note, Refusal
from sqlmend.memory.notes._notes import FailureNotes

__all__ = [
    "BACKENDS",
    "ERROR_CLASSES",
    "OWN_CLASSES",
    "PUBLISHED_CLASSES",
    "FailureNotes",
    "Key",
    "Note",
    "NoteIndex",
    "Refusal",
    "key_of",
    "read_schema",
]
