"""One question of a user's own database: only a person could say whether an answer is right."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import dspy

from sqlmend._files import sha256_text
from sqlmend.databases import Database, Descriptions, Outcome, read_descriptions
from sqlmend.errors import InputError
from sqlmend.eval._feedback import ExecutionFeedback, PersonFeedback
from sqlmend.memory import (
    KINDS,
    Entry,
    Memory,
    NoteEntry,
    Record,
    RuleEntry,
    cached_indexes,
    memory_folder,
    require_own,
)
from sqlmend.models import Usage, meter
from sqlmend.programs import Attempt, Episode, Question, RepairProgram

if TYPE_CHECKING:
    from sqlmend.models import LanguageModel
    from sqlmend.retrievers import Embedder, HybridRetriever


#: A rule claims no verdict, and the verdict of a note is the database's.
_NEED_NO_PERSON = (RuleEntry, NoteEntry)


@dataclass(frozen=True)
class Answer:
    """What came of one question.

    Attributes:
        sql: The last query.
        outcome: Its execution: rows where it ran.
        attempts: All attempts, the initial one first.
        recalled: The memories that were given to any of them, in the order of first use.
        usage: What the language model was asked.
        confidence: Share of the candidates that agree with the first answer; None where there are none.
        kept: What the memory has kept of it.
    """

    sql: str
    outcome: Outcome
    attempts: tuple[Attempt, ...]
    recalled: tuple[Record, ...]
    usage: Usage
    confidence: float | None
    kept: tuple[Record, ...]


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
    judge: Callable[[str, Outcome], bool | None] | None = None,
    keep: bool = False,
) -> Answer:
    """Answer one question; a query that fails, or that a person calls wrong, is revised within the budget.

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
        judge: A person: told a query that ran and what came of it, says whether that is right, or None.
        keep: Add to the memory, which is made where there is none: the rules that the program learns
            without a verdict, the notes of what the database refused, and everything else only where the
            person could judge every answer.

    Raises:
        InputError: The question is empty; ``keep`` without a memory, or with that of a run or a study.
        SqlmendError: The model failed, or the memory cannot be read.
    """
    if not text.strip():
        raise InputError("no_question", "the question is empty", hint="write it in quotes")
    # Named by its text: a question that is asked again is the same one.
    question = Question(f"ask:{sha256_text(text)[:12]}", db_id, text, evidence)
    person = None if judge is None else PersonFeedback(database, judge, timeout_s=timeout_s)
    with ExitStack() as stack:
        episode = Episode(
            question,
            database,
            person or ExecutionFeedback(database, timeout_s=timeout_s),
            describe=partial(_descriptions, database),
            timeout_s=timeout_s,
        )
        opened = _memory(memory, keep, stack)
        records: dict[str, Record] = {}
        if opened is not None and embedder is not None and program.reads_memory:
            records = {r.id: r for kind in KINDS for r in opened.records(kind)}
            view = opened.view(sys.maxsize, question_id=question.id, question=text, db_id=db_id)
            episode.memory = view.with_own()  # nothing is measured here
            episode.retriever = _retriever(opened, embedder, stack)
            episode.embedder = embedder
        stack.enter_context(dspy.context(lm=lm))
        usage = stack.enter_context(meter())
        program(episode, learn=keep)
        kept: list[Record] = []
        if opened is not None and keep:
            judged = person is not None and not person.undecided
            learnt = [e for e in episode.commit if judged or isinstance(e, _NEED_NO_PERSON)]
            kept = _keep(opened, learnt, program)
    last = episode.last.execution.sql
    used = dict.fromkeys(key for attempt in episode.attempts for key in attempt.recalled)
    return Answer(
        sql=last,
        outcome=database.execute(last, timeout_s=timeout_s),
        attempts=tuple(episode.attempts),
        recalled=tuple(records[key] for key in used),
        usage=usage,
        confidence=episode.reasoning.confidence if episode.reasoning.candidates else None,
        kept=tuple(kept),
    )


def _memory(path: Path | None, keep: bool, stack: ExitStack) -> Memory | None:
    if not keep:
        return None if path is None else stack.enter_context(Memory(memory_folder(path)))
    if path is None:
        raise InputError("no_memory", "what is learnt needs a memory to be kept in", hint="name its folder")
    require_own(path)
    return stack.enter_context(Memory(path, write=True))


def _keep(memory: Memory, entries: Iterable[Entry], program: RepairProgram) -> list[Record]:
    position = 1 + max((r.position for kind in KINDS for r in memory.records(kind)), default=-1)
    return memory.append(entries, position, {"program": program.preset.name, "source": "ask"})


def _descriptions(database: Database) -> Descriptions | None:
    """BIRD's descriptions of tables and columns, where they lie beside the database's file."""
    path = getattr(database, "path", None)
    folder = None if path is None else path.parent / "database_description"
    return read_descriptions(folder) if folder is not None and folder.is_dir() else None


def _retriever(memory: Memory, embedder: Embedder, stack: ExitStack) -> HybridRetriever:
    from sqlmend.retrievers import HybridRetriever, MemoryIndex

    # In the user's cache, by the memory's place: reading somebody's run writes nothing into it.
    folder = cached_indexes(memory.path) / sha256_text(embedder.name)[:16]
    return HybridRetriever(stack.enter_context(MemoryIndex(memory, folder, embedder)))
