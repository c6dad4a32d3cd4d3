"""The typed state of one episode: what every step reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sqlmend.databases import Database, Descriptions, canonical
from sqlmend.databases.views import Links, SchemaView
from sqlmend.memory import Entry, Execution, MemoryView
from sqlmend.memory.notes import Note
from sqlmend.modules import ExamplePool, Probe
from sqlmend.modules.contradictions import Facts
from sqlmend.programs._protocol import Feedback
from sqlmend.programs._question import Question
from sqlmend.programs._reasoning import Reasoning
from sqlmend.retrievers import Embedder, HybridRetriever, Recalled


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
        dropped_probes: How many looks at the database did not fit it.
    """

    execution: Execution
    solved: bool
    undecidable: bool = False
    failure_type: str | None = None
    recalled: tuple[str, ...] = ()
    dropped_memories: int = 0
    dropped_attempts: int = 0
    dropped_probes: int = 0


@dataclass
class Episode:
    """One question on its way through a program.

    Attributes:
        question: What is asked.
        database: Where it is asked; programs read its schema, feedback runs the queries.
        feedback: Judges each attempt.
        memory: What this position of the stream may see; None: no memory.
        retriever: Ranks the entries of that memory.
        embedder: Embeds texts of the episode's own; None: nothing needs it.
        demonstrations: Questions with their queries, of a split declared as such; None: there is none.
        describe: Reads what the database's columns mean, where that is written down; called when a prompt
            shows it.
        timeout_s: Seconds that a query may take which a step runs itself; feedback has its own.
        draw: Seeds what is drawn at random: the stream's order and the question.
        initial_sql: The initial query where it is given; None: the program writes it.
        attempts: The attempts so far, the initial one first.
        probes: The looks at the database that the model asked for, oldest first.
        draft: The attempt that a step has written and nobody has run yet.
        recalled: What was recalled for the failure at hand, None where nothing was looked for.
        notes: What the machine refused of the form of the statement at hand, for the next prompt.
        reflections: The episode's own reflections, oldest first; local until it is final.
        commit: What the episode leaves in the memory once it is final.
        reasoning: The candidates, their reasoning and what it teaches.
        unlearnt: Why nothing was learnt from it although its program learns; None: nothing came between.
        final: Whether a step ends the episode with the attempt at hand.
    """

    question: Question
    database: Database
    feedback: Feedback
    memory: MemoryView | None = None
    retriever: HybridRetriever | None = None
    embedder: Embedder | None = None
    demonstrations: ExamplePool | None = None
    describe: Callable[[], Descriptions | None] | None = None
    timeout_s: float = 30.0
    draw: str = ""
    initial_sql: str | None = None
    attempts: list[Attempt] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    draft: Draft | None = None
    recalled: Recalled | None = None
    notes: tuple[Note, ...] = ()
    reflections: list[str] = field(default_factory=list)
    commit: list[Entry] = field(default_factory=list)
    reasoning: Reasoning = field(default_factory=Reasoning)
    unlearnt: Exception | None = None
    final: bool = False

    @cached_property
    def schema(self) -> str:
        """The schema as every prompt of the episode shows it."""
        return self.database.schema().ddl()

    @cached_property
    def samples(self) -> dict[str, dict[str, list[Any]]]:
        """A few values of each column, by table and column; none where the database gives none."""
        samples = getattr(self.database, "samples", None)
        found: dict[str, dict[str, list[Any]]] = samples() if samples is not None else {}
        return found

    @cached_property
    def descriptions(self) -> Descriptions | None:
        """What the database's columns mean, None where nothing says so."""
        return None if self.describe is None else self.describe()

    @property
    def cut(self) -> Links:
        """What the views that are answered from are cut to."""
        links = self.reasoning.links
        return links.widened(self.database.schema()) if self.reasoning.whole_tables else links

    @cached_property
    def facts(self) -> Facts:
        """What its steps read of the columns, together no more than one question may."""
        return Facts(self.database)

    def view(self, view: SchemaView, links: Links | None = None) -> str:
        """The schema in one of its views; the format that is a list of descriptions shows the database's own.

        Args:
            view: The view.
            links: What it is cut to; None: what the question is linked to.
        """
        descriptions = self.descriptions if view.format == "mac_schema" else None
        cut = self.cut if links is None else links
        return view.render(self.database.schema(), cut, self.samples, descriptions)

    @property
    def last(self) -> Attempt:
        """The attempt at hand.

        Raises:
            IndexError: There is none yet.
        """
        return self.attempts[-1]

    @property
    def failure_type(self) -> str:
        """The failure type of the attempt at hand.

        Raises:
            ValueError: No step has named it.
        """
        if self.last.failure_type is None:
            raise ValueError("the last attempt has no failure type: no step has classified it")
        return self.last.failure_type

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
                dropped_probes=draft.dropped_probes,
            )
        )


@dataclass(frozen=True)
class Draft:
    """A query that is written and not yet run, with what its prompt was given."""

    sql: str
    recalled: tuple[str, ...] = ()
    dropped_memories: int = 0
    dropped_attempts: int = 0
    dropped_probes: int = 0
