"""One question of a user's own database: nobody knows the right answer, so only errors are repaired."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import dspy

from sqlmend._files import sha256_text
from sqlmend._home import cache_dir
from sqlmend.databases import Database, Descriptions, Outcome, read_descriptions
from sqlmend.eval._feedback import ExecutionFeedback
from sqlmend.memory import KINDS, Memory, Record, memory_folder
from sqlmend.models import Usage, meter
from sqlmend.programs import Attempt, Episode, Question, RepairProgram

if TYPE_CHECKING:
    from sqlmend.models import LanguageModel
    from sqlmend.retrievers import Embedder, HybridRetriever


@dataclass(frozen=True)
class Answer:
    """What came of one question.

    Attributes:
        sql: The last query.
        outcome: Its execution: rows where it ran.
        attempts: All attempts, the initial one first.
        recalled: The memories that were given to any of them, in the order of first use.
        usage: What the language model was asked.
    """

    sql: str
    outcome: Outcome
    attempts: tuple[Attempt, ...]
    recalled: tuple[Record, ...]
    usage: Usage


def answer(
    text: str,
    database: Database,
    program: RepairProgram,
    lm: LanguageModel,
    *,
    db_id: str,
    evidence: str = "",
    memory: Path | None = None,
    embedder: Embedder | None = None,
    timeout_s: float = 30.0,
) -> Answer:
    """Answer one question; a query that fails is revised within the program's budget.

    The memory is read and never written: without a confirmed answer there is nothing to remember.

    Args:
        text: The question.
        database: Where it is asked.
        program: What answers and repairs.
        lm: The language model.
        db_id: Name of the database, as entries of the memory may know it.
        evidence: What the user adds to the question.
        memory: Folder of a memory or of a run, None: nothing is recalled.
        embedder: Embeds queries and entries; needed to recall.
        timeout_s: Seconds for each query.

    Raises:
        SqlmendError: The model failed, or the memory cannot be read.
    """
    question = Question("ask", db_id, text, evidence)
    with ExitStack() as stack:
        episode = Episode(
            question,
            database,
            ExecutionFeedback(database, timeout_s=timeout_s),
            describe=partial(_descriptions, database),
            timeout_s=timeout_s,
        )
        records: dict[str, Record] = {}
        if memory is not None and embedder is not None and program.reads_memory:
            opened = stack.enter_context(Memory(memory_folder(memory)))
            records = {r.id: r for kind in KINDS for r in opened.records(kind)}
            episode.memory = opened.view(sys.maxsize, question_id=question.id, question=text, db_id=db_id)
            episode.retriever = _retriever(opened, embedder, stack)
        stack.enter_context(dspy.context(lm=lm))
        usage = stack.enter_context(meter())
        program(episode, learn=False)  # nothing that it could learn would be kept
    last = episode.last.execution.sql
    used = dict.fromkeys(key for attempt in episode.attempts for key in attempt.recalled)
    return Answer(
        sql=last,
        outcome=database.execute(last, timeout_s=timeout_s),
        attempts=tuple(episode.attempts),
        recalled=tuple(records[key] for key in used),
        usage=usage,
    )


def _descriptions(database: Database) -> Descriptions | None:
    """BIRD's descriptions of tables and columns, where they lie beside the database's file."""
    path = getattr(database, "path", None)
    folder = None if path is None else path.parent / "database_description"
    return read_descriptions(folder) if folder is not None and folder.is_dir() else None


def _retriever(memory: Memory, embedder: Embedder, stack: ExitStack) -> HybridRetriever:
    from sqlmend.retrievers import HybridRetriever, MemoryIndex

    # In the user's cache, by the memory's place: reading somebody's run writes nothing into it.
    folder = cache_dir("index", sha256_text(f"{embedder.name}:{memory.path}")[:16])
    return HybridRetriever(stack.enter_context(MemoryIndex(memory, folder, embedder)))
