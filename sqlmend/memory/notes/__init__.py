"""Failure notes: a deterministic memory of what a machine refused."""

from sqlmend.memory.notes._catalog import read_schema
from sqlmend.memory.notes._classes import ERROR_CLASSES, OWN_CLASSES, PUBLISHED_CLASSES
from sqlmend.memory.notes._index import NoteIndex
from sqlmend.memory.notes._key import BACKENDS, Key, key_of
from sqlmend.memory.notes._note import Note, Refusal
from sqlmend.memory.notes._notes import FailureNotes
from sqlmend.memory.notes._refuse import refusal_of
from sqlmend.memory.notes._upkeep import NotesReport, check_notes, forget_notes, read_notes
from sqlmend.memory.notes._words import note_of

__all__ = [
    "BACKENDS",
    "ERROR_CLASSES",
    "OWN_CLASSES",
    "PUBLISHED_CLASSES",
    "FailureNotes",
    "Key",
    "Note",
    "NoteIndex",
    "NotesReport",
    "Refusal",
    "check_notes",
    "forget_notes",
    "key_of",
    "note_of",
    "read_notes",
    "read_schema",
    "refusal_of",
]
