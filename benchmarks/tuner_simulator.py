"""A simulator with a known optimum, to measure the tuner by: no language model, no embedding model.

200 questions about one small database. Some questions teach a lesson: the simulated model always repairs
them, and what they leave explains later failures. A learner's failure is repaired only if an entry of its
lesson is in the prompt, and only if the prompt holds no more entries than the simulated model can attend to.
For one half of the learners other entries share more words with them (lexical distractors), for the other
half other entries are about the same things in other words (dense distractors); so neither score alone finds
the explaining entry. The failure type separates the two where it is one of the reliable ones and misleads
where it is not.

The same simulation runs in two ways: ``Simulation`` computes the stream in memory, with the package's own
view of memory, ranking and entries; and ``write_benchmark`` with ``answer`` runs it for real, through
prompts, sandbox, oracle and files. A test holds the two against each other.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sqlmend.eval._selection import order as in_order
from sqlmend.memory import Execution, MemoryView
from sqlmend.memory._line import Record
from sqlmend.modules import Remember
from sqlmend.optimize import Evaluated
from sqlmend.programs import Question, RepairProgram
from sqlmend.retrievers import HybridRetriever, RecallQuery, RecallSettings, failure_context
from sqlmend.retrievers._arrays import EntryArrays
from sqlmend.retrievers._bm25 import tokenize
from sqlmend.retrievers._embedders._base import BaseEmbedder
from sqlmend.retrievers._texts import dense_text, lexical_text

DB = "lessons"
DDL = "CREATE TABLE t (x INTEGER)"
QUESTIONS = 200
LESSONS = 24

#: The space of the study and of the grid: 11 x 6 x 3 x 2 = 396 points.
SPACE: dict[str, Any] = {
    "only": True,
    "recall.dense": {"low": 0.0, "high": 1.0, "step": 0.1},
    "recall.top_k.positive": {"low": 1, "high": 6, "step": 1},
    "recall.type_policy": ["off", "hard", "reliability"],
    "recall.fusion": ["min_max", "rrf"],
}
#: The program as it is: near the published settings, on the grid.
DEFAULTS = (
    "budget=1",
    "recall.dense=0.7",
    "recall.lexical=0.3",
    "recall.top_k.positive=3",
    "recall.top_k.negative=0",
)

_WORD = re.compile(r"[a-z0-9]+")
_CONCEPT = re.compile(r"c(\d+)s\d+$")
_WRONG = {  # failure type to a wrong query of a question, and what SQLite says of it
    "schema_linking": ("SELECT nme{n} FROM t", "unknown_column", "no such column: nme{n}"),
    "syntax": ("SELECT {n} FROM WHERE", "syntax_error", 'near "WHERE": syntax error'),
    "result_mismatch": ("SELECT {n}, 'wrong'", "mismatch", None),
}


class ConceptEmbedder(BaseEmbedder):
    """Counts of concepts: ``c7s1`` and ``c7s2`` are two words for one thing, which BM25 cannot know."""

    @property
    def name(self) -> str:
        return "concepts"

    @property
    def dim(self) -> int:
        return 256

    def _encode(self, texts: list[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dim))
        vectors[:, 0] = 0.5
        for row, text in zip(vectors, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                if found := _CONCEPT.match(word):
                    row[1 + int(found[1]) % (self.dim - 1)] += 1.0
        return vectors


@dataclass(frozen=True)
class Item:
    """One question of the simulation.

    Attributes:
        id: Its position in the split, as text.
        text: Its words.
        lesson: What an entry that it leaves explains; -1 for none.
        failure: Failure type of its initial query, ``""`` where that is right.
        teaches: Whether the simulated model repairs it without help.
        attention: Entries that the simulated model can attend to.
    """

    id: str
    text: str
    lesson: int
    failure: str
    teaches: bool
    attention: int

    @property
    def right(self) -> str:
        """The reference, which is also the right answer."""
        return f"SELECT {self.id}, 'right'"

    @cached_property
    def wrong(self) -> Execution:
        """The initial query and what becomes of it."""
        sql, status, error = _WRONG[self.failure]
        return Execution(sql.format(n=self.id), status, error and error.format(n=self.id))


def items(seed: int = 0, *, questions: int = QUESTIONS, lessons: int = LESSONS) -> list[Item]:
    """The questions, in the order of the split; roles follow the stream order 0, teachers mostly first."""
    generator = random.Random(seed)
    ids = [str(number) for number in range(questions)]
    stream = [question.id for question in in_order([Question(i, DB, "") for i in ids], 0)]
    roles: list[Item] = []
    easy = questions // 10
    distractors = 2 * lessons
    learners = questions - lessons - distractors - easy
    kinds = ["teach"] * lessons + ["distract"] * distractors + ["learn"] * learners + ["easy"] * easy
    head, tail = kinds[: lessons + distractors], kinds[lessons + distractors :]
    generator.shuffle(head)
    generator.shuffle(tail)
    counts = {"teach": 0, "distract": 0, "learn": 0, "easy": 0}
    for question_id, kind in zip(stream, [*head, *tail], strict=True):
        number = counts[kind]
        counts[kind] += 1
        roles.append(_item(generator, question_id, kind, number, lessons))
    return sorted(roles, key=lambda item: int(item.id))


def _item(generator: random.Random, question_id: str, kind: str, number: int, lessons: int) -> Item:
    """One question; what its text shares with which entries is the whole simulation."""
    types = ("schema_linking", "syntax", "result_mismatch")
    lesson = number % lessons
    own_type = types[lesson % 3]
    other_type = types[(lesson + 1) % 3]
    word = generator.choice
    if kind == "easy":
        return Item(question_id, f"easy q{question_id}", -1, "", True, 9)
    if kind == "teach":
        # The lesson's concept in the teacher's words, and the lesson's exact words.
        said = [f"c{lesson}s0"] * 3 + [f"w{lesson}x{n}" for n in range(3)] + [f"q{question_id}"]
        return Item(question_id, " ".join(said), lesson, own_type, True, 9)
    if kind == "distract":
        # Even ones: the words of a lesson without its concept; odd ones: its concept in other words.
        lexical = number < lessons
        near = [f"w{lesson}y{n}" for n in range(3)] if lexical else [f"c{lesson}s2"] * 3
        far = [f"c{lessons + number}s0"] * 2 if lexical else [f"v{number}n{n}" for n in range(3)]
        failure = own_type if generator.random() < 0.35 else other_type
        return Item(question_id, " ".join([*near, *far, f"q{question_id}"]), -1, failure, True, 9)
    lexical = number % 2 == 0
    strength = generator.randint(1, 3)
    others = generator.sample([other for other in range(lessons) if other != lesson], 4)
    if lexical:
        # Its explainer shares the concept in other words and few words; distractors share many words.
        said = [f"c{lesson}s1"] * strength + [f"w{lesson}x0"] * generator.randint(0, 1)
        said += [f"w{other}y{n}" for other in others for n in range(generator.randint(1, 3))]
    else:
        # Its explainer shares words and little of the concept; distractors are about its other concepts.
        said = [f"w{lesson}x{n}" for n in range(strength)] + [f"c{lesson}s1"] * generator.randint(0, 1)
        said += [f"c{other}s1" for other in others for _ in range(generator.randint(1, 2))]
    reliable = own_type in ("schema_linking", "syntax")
    failure = own_type if generator.random() < (0.9 if reliable else 0.4) else word(types)
    said.append(f"q{question_id}")
    return Item(question_id, " ".join(said), lesson, failure, False, generator.choice((2, 3, 3, 4, 4, 5, 6)))


def repaired(item: Item, lessons: Sequence[int]) -> bool:
    """Whether the simulated model repairs ``item`` when the prompt shows entries of these lessons."""
    return item.teaches or (item.lesson in lessons and len(lessons) <= item.attention)


def write_benchmark(folder: Path, questions: Sequence[Item]) -> str:
    """The simulation in Spider's layout; returns its ``--benchmark`` spec."""
    home = folder / "database" / DB
    home.mkdir(parents=True)
    connection = sqlite3.connect(home / f"{DB}.sqlite")
    connection.execute(DDL)
    connection.commit()
    connection.close()
    rows = [{"db_id": DB, "question": item.text, "query": item.right} for item in questions]
    (folder / "dev.json").write_text(json.dumps(rows), "utf-8")
    return f"spider:{folder}"


def answer(questions: Sequence[Item]) -> Any:
    """The simulated model as a function of the prompt, for ``sqlmend.testing.scripted_lm``."""
    by_text = {item.text: item for item in questions}
    by_id = {item.id: item for item in questions}

    def reply(prompt: str) -> str:
        found = re.search(r"<question>\n(.*?)\n</question>", prompt, re.DOTALL)
        assert found, "the prompt shows no question"
        item = by_text[found[1].strip()]
        if "<history>" not in prompt:
            return f"<answer>{item.wrong.sql if item.failure else item.right}</answer>"
        # An entry ends in the right answer of its question, by which the simulated model knows its lesson.
        shown = re.findall(r"SELECT (\d+), 'right'", prompt)
        lessons = [by_id[number].lesson for number in dict.fromkeys(shown)]
        fixed = repaired(item, lessons)
        return f"<answer>{item.right if fixed else item.wrong.sql}</answer>"

    return reply


Key = tuple[str, ...]
"""What a prompt of the simulation hangs on: equal keys are equal prompts."""


class Simulation:
    """The streams, computed in memory; the stream of equal settings is computed once.

    Args:
        questions: The questions.
        order: The stream order.
        schema: The schema as entries keep it, and its fingerprint.
    """

    def __init__(
        self, questions: Sequence[Item], order: int = 0, schema: tuple[str, str] = (DDL, "sha256:simulated")
    ) -> None:
        asked = [Question(item.id, DB, item.text) for item in questions]
        by_id = {item.id: item for item in questions}
        self._stream = [(question, by_id[question.id]) for question in in_order(asked, order)]
        self._schema = schema
        self._embedder = ConceptEmbedder()
        self._remember = Remember()
        self._lesson = {item.id: item.lesson for item in questions}
        self._records: dict[str, Record] = {}
        self._streams: dict[RecallSettings, list[tuple[int, tuple[Key, ...]]]] = {}

    def __len__(self) -> int:
        return len(self._stream)

    def stream(self, settings: RecallSettings) -> list[tuple[int, tuple[Key, ...]]]:
        """For each question whether it ended right, and the prompts that it took."""
        if settings not in self._streams:
            self._streams[settings] = list(self._run(settings))
        return self._streams[settings]

    def _run(self, settings: RecallSettings) -> Iterator[tuple[int, tuple[Key, ...]]]:
        retriever: Any = HybridRetriever(_MemoryIndex(self._embedder))  # type: ignore[arg-type]
        positives: list[Record] = []
        for position, (question, item) in enumerate(self._stream):
            first = ("initial", item.id)
            if not item.failure:
                yield 1, (first,)
                continue
            view = MemoryView(
                {"positive": tuple(positives), "negative": ()},
                position,
                question_id=item.id,
                question=item.text,
                db_id=DB,
            )
            query = RecallQuery(
                question=item.text,
                sql=item.wrong.sql,
                failure_context=failure_context(item.wrong.status, item.wrong.error),
                failure_type=item.failure,
            )
            shown = [scored.record for scored in retriever.recall(query, view, settings).positives]
            fixed = repaired(item, [self._lesson[record.entry.question_id] for record in shown])
            if fixed:
                positives.append(self._record(question, item, position))
            yield int(fixed), (first, ("revise", item.id, *(record.id for record in shown)))

    def _record(self, question: Question, item: Item, position: int) -> Record:
        if item.id not in self._records:
            schema, fingerprint = self._schema
            entry = self._remember(
                question_id=item.id,
                question=question.text,
                db_id=DB,
                schema=schema,
                schema_fingerprint=fingerprint,
                evidence="",
                attempts=[item.wrong, Execution(item.right, "match")],
                failure_types=[item.failure, None],
                solved=True,
            ).entry
            self._records[item.id] = Record.of(entry, position, {})
        return self._records[item.id]


class SimulatedEvaluation:
    """An ``Evaluation`` over a simulation.

    Args:
        simulation: The streams.
        memo: Whether a prompt is paid for once in the study.
    """

    def __init__(self, simulation: Simulation, *, memo: bool = True) -> None:
        self._simulation = simulation
        self._memo: set[Key] | None = set() if memo else None
        self.calls = self.paid = 0

    @property
    def total(self) -> int:
        """Outcomes of a whole trial."""
        return len(self._simulation)

    def __call__(self, program: RepairProgram, place: str, watch: Any) -> Evaluated:
        """Run ``program``."""
        started = time.perf_counter()
        names = [spec.name for spec in program.preset.steps]
        stream = self._simulation.stream(program.steps[names.index("recall")].recall.tunable.settings)
        outcomes: list[int] = []
        calls = paid = 0
        for outcome, keys in stream:
            outcomes.append(outcome)
            calls += len(keys)
            paid += len(keys if self._memo is None else set(keys) - self._memo)
            if self._memo is not None:
                self._memo.update(keys)
            if not watch(outcomes):
                break
        self.calls += calls
        self.paid += paid
        seconds = time.perf_counter() - started
        return Evaluated(tuple(outcomes), tokens=0, calls=calls, calls_paid=paid, seconds=seconds)


class _MemoryIndex:
    """What a retriever needs of an index, without a disk."""

    def __init__(self, embedder: ConceptEmbedder) -> None:
        self._embedder = embedder
        self._arrays = EntryArrays()

    def embed(self, text: str) -> Any:
        return self._embedder.embed([text])[0]

    def locate(self, records: Sequence[Record], fields: str) -> tuple[EntryArrays, Any]:
        if fields != "all":
            raise ValueError("the simulation searches all fields")
        for record in records:
            if record.id not in self._arrays:
                vector = self.embed(dense_text(record.entry))
                tokens = tokenize(lexical_text(record.entry))
                self._arrays.add(record.id, record.entry.failure_type, vector, tokens)
        return self._arrays, self._arrays.rows([record.id for record in records])
