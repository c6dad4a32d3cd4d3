"""For tests of programs, engines, databases and embedders: a simulator and contract tests."""

from sqlmend.retrievers import HashEmbedder
from sqlmend.testing._database import DatabaseContract
from sqlmend.testing._embedder import EmbedderContract
from sqlmend.testing._lm import ScriptedEngine, scripted_lm
from sqlmend.testing._memory import MemoryContract, repair_entry

__all__ = [
    "DatabaseContract",
    "EmbedderContract",
    "HashEmbedder",
    "MemoryContract",
    "ScriptedEngine",
    "repair_entry",
    "scripted_lm",
]
