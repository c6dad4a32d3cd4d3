"""What is remembered: entries, the append-only log, causal views of it."""

from sqlmend.memory._card import CardEntry, CardPart
from sqlmend.memory._check import CheckReport, check_memory
from sqlmend.memory._entry import Execution, Polarity, RepairEntry
from sqlmend.memory._folder import cached_indexes, memory_folder, new_folder
from sqlmend.memory._kinds import KINDS, Entry
from sqlmend.memory._line import IMPORTED, Record
from sqlmend.memory._memory import Memory
from sqlmend.memory._note_entry import NoteEntry
from sqlmend.memory._of_a_run import is_of_a_run, require_own
from sqlmend.memory._reflection import ReflectionEntry
from sqlmend.memory._rule import RULE_TYPES, Rule, RuleEntry
from sqlmend.memory._transfer import Imported, export_memory, import_into, import_memory
from sqlmend.memory._view import MemoryView
from sqlmend.memory.notes import FailureNotes

__all__ = [
    "IMPORTED",
    "KINDS",
    "RULE_TYPES",
    "CardEntry",
    "CardPart",
    "CheckReport",
    "Entry",
    "Execution",
    "FailureNotes",
    "Imported",
    "Memory",
    "MemoryView",
    "NoteEntry",
    "Polarity",
    "Record",
    "ReflectionEntry",
    "RepairEntry",
    "Rule",
    "RuleEntry",
    "cached_indexes",
    "check_memory",
    "export_memory",
    "import_into",
    "import_memory",
    "is_of_a_run",
    "memory_folder",
    "new_folder",
    "require_own",
]
