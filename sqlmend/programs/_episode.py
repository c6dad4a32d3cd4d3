"""The typed state of one episode: what every step reads and writes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlmend.databases import Database, canonical
from sqlmend.memory import Entry, Execution, MemoryView
from sqlmend.programs._protocol import Feedback
from sqlmend.programs._question import Question
from sqlmend.retrievers import HybridRetriever, Recalled


@dataclass(frozen=True)
class Attempt:
    """One query of an episode and what came of it.

    Attributes:
        execution: The query, its status and the DBMS's text.
        solved: Whether feedback confirmed it.
        undecidable: Whether nobody can say what is right.
        failure_type: Its failure type, None where it is confirmed or not yet classified.
        recalled: Ids of the memories that its prompt was given.
        dropped_memories: How many of them did not fit the prompt.
        dropped_attempts: How many earlier attempts did not fit the prompt.
    """

    execution: Execution
    solved: bool
    undecidable: bool = False
    failure_type: str | None = None
    recalled: tuple[str, ...] = ()
    dropped_memories: int = 0
    dropped_attempts: int = 0


@dataclass
class Episode:
    """One question on its way through a program.

    Attributes:
        question: What is asked.
        database: Where it is asked; programs read its schema, feedback runs the queries.
        feedback: Judges each attempt.
        memory: What this position of the stream may see; None: no memory.
        retriever: Ranks the entries of that memory.
        draw: Seeds what is drawn at random: the stream's order and the question.
        initial_sql: The initial query where it is given; None: the program writes it.
        attempts: The attempts so far, the initial one first.
        draft: The attempt that a step has written and nobody has run yet.
        recalled: What was recalled for the failure at hand, None where nothing was looked for.
        reflections: The episode's own reflections, oldest first; local until it is final.
        commit: What the episode leaves in the memory once it is final.
    """

    question: Question
    database: Database
    feedback: Feedback
    memory: MemoryView | None = None
    retriever: HybridRetriever | None = None
    draw: str = ""
    initial_sql: str | None = None
    attempts: list[Attempt] = field(default_factory=list)
    draft: Draft | None = None
    recalled: Recalled | None = None
    reflections: list[str] = field(default_factory=list)
    commit: list[Entry] = field(default_factory=list)

    @cached_property
    def schema(self) -> str:
        """The schema as every prompt of the episode shows it."""
        return self.database.schema().ddl()

    @property
    def last(self) -> Attempt:
        """The attempt at hand.

        Raises:
            IndexError: There is none yet.
        """
        return self.attempts[-1]

    @property
    def solved(self) -> bool:
        """Whether the last attempt is confirmed."""
        return bool(self.attempts) and self.last.solved

    @property
    def undecidable(self) -> bool:
        """Whether nobody can say what is right for this question."""
        return bool(self.attempts) and self.last.undecidable

    @property
    def history(self) -> list[Execution]:
        """All attempts as executions, the initial one first."""
        return [attempt.execution for attempt in self.attempts]

    def repeats(self, sql: str) -> bool:
        """Whether ``sql`` is an earlier attempt of the episode again, by canonical text."""
        return canonical(sql) in {canonical(attempt.execution.sql) for attempt in self.attempts}

    def classify(self, failure_type: str) -> None:
        """Give the last attempt its failure type."""
        self.attempts[-1] = replace(self.last, failure_type=failure_type)

    def observe(self) -> None:
        """Run the draft, judge it and make it the last attempt."""
        if self.draft is None:
            raise ValueError("no step has written a query to run")
        draft, self.draft = self.draft, None
        judgement = self.feedback(draft.sql)
        self.attempts.append(
            Attempt(
                Execution(draft.sql, judgement.status, judgement.error),
                judgement.solved,
                judgement.undecidable,
                recalled=draft.recalled,
                dropped_memories=draft.dropped_memories,
                dropped_attempts=draft.dropped_attempts,
            )
        )


@dataclass(frozen=True)
class Draft:
    """A query that is written and not yet run, with what its prompt was given."""

    sql: str
    recalled: tuple[str, ...] = ()
    dropped_memories: int = 0
    dropped_attempts: int = 0
