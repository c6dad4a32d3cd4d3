"""A benchmark: questions, their databases, and the way to an oracle."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend._files import canonical_json, sha256_file
from sqlmend.databases import Database
from sqlmend.errors import InputError, unknown_name
from sqlmend.eval._groups import group_key
from sqlmend.eval._lazy_databases import LazyDatabases
from sqlmend.eval._selection import parse_sample, take_limit, take_sample
from sqlmend.eval._split import Split, count_by_database

if TYPE_CHECKING:
    from sqlmend.databases import Descriptions
    from sqlmend.eval._oracle import Oracle
    from sqlmend.programs import Question


class Benchmark:
    """Questions of one split and their databases; references are in it, and only the oracle gets at them.

    A pickled or copied benchmark travels without references and open databases: it can still be asked
    from, and no longer judged by.

    Args:
        split: What was loaded.
        questions: The questions chosen from it, all of them where None.
        absent: Those of its questions that would have been chosen, had their database been here; all of
            them where None.
        databases: The opened databases of another selection of the split, which this one shares.

    Attributes:
        questions: What is asked, in the order of the split.
        left_out: Database that is not here to the number of questions that are left out for it: of those
            that would have been chosen.
    """

    def __init__(
        self,
        split: Split,
        questions: Sequence[Question] | None = None,
        absent: Sequence[Question] | None = None,
        databases: LazyDatabases | None = None,
    ) -> None:
        self._split = split
        self._databases = LazyDatabases(split.files) if databases is None else databases
        self.questions: tuple[Question, ...] = split.questions if questions is None else tuple(questions)
        self._absent: tuple[Question, ...] = split.absent if absent is None else tuple(absent)
        self.left_out = count_by_database(self._absent)

    @property
    def name(self) -> str:
        """Name and split without any path, e.g. ``spider:dev``."""
        return f"{self._split.benchmark}:{self._split.name}" if self._split.name else self._split.benchmark

    @property
    def definition(self) -> str:
        """The benchmark's own definition of a match."""
        return self._split.definition

    @property
    def split_ids(self) -> tuple[str, ...]:
        """Ids of the whole split in the order of its file, questions without a database included."""
        return self._split.ids

    @cached_property
    def db_ids(self) -> tuple[str, ...]:
        """The databases that are asked, sorted."""
        return tuple(sorted({question.db_id for question in self.questions}))

    @cached_property
    def groups(self) -> dict[str, int]:
        """Question id to the ordinal of its group of paraphrase twins; for the stream alone.

        Ordinals number the groups of the whole split, so that they are the same in every selection.
        """
        return {question.id: self._split.groups[question.id] for question in self.questions}

    @cached_property
    def twins(self) -> dict[str, frozenset[str]]:
        """Question id to the ids of its group in the whole split, itself included; for the stream alone.

        A memory from another selection of the split may hold any of them.
        """
        groups, members = self._split.groups, self._split.members
        return {question.id: members[groups[question.id]] for question in self.questions}

    @cached_property
    def data_hash(self) -> str:
        """``sha256:...`` of these questions, their references and their databases' files.

        Equal content gives equal hashes, wherever it lies and in whichever order it is asked.
        """
        references = self._split.references.reveal()
        content = {
            "questions": sorted(
                [q.id, q.db_id, q.text, q.evidence, q.difficulty, references[q.id]] for q in self.questions
            ),
            "databases": {
                db_id: [[file.name, _file_hash(file)] for file in self._split.sources[db_id]]
                for db_id in self.db_ids
            },
        }
        return f"sha256:{hashlib.sha256(canonical_json(content).encode('ascii')).hexdigest()}"

    def select(
        self,
        *,
        databases: Iterable[str] | None = None,
        limit: int | None = None,
        sample: str | None = None,
        ids: Iterable[str] | None = None,
    ) -> Benchmark:
        """The benchmark with fewer questions, in the order of the split; open databases are shared.

        Args:
            databases: Only questions of these; applied first.
            limit: Only the first so many; applied next.
            sample: ``N`` or ``N:SEED``, the N with the smallest sha256 of ``"{seed}:{question_id}"``, or
                ``N/db`` or ``N/db:SEED``, so many of each database; applied last, and all where there
                are fewer.
            ids: Only these questions; applied before everything else.

        Raises:
            InputError: A database or a question that the benchmark does not name, no question left, or a
                number below 1.
        """
        chosen, absent = self.questions, self._absent
        if ids is not None:
            kept = set(ids)
            if unknown := sorted(kept - {question.id for question in chosen}):
                raise unknown_name("question", unknown[0], (question.id for question in chosen))
            chosen = tuple(question for question in chosen if question.id in kept)
            absent = ()  # these are here, all of them
        if databases is not None:
            wanted = set(databases)
            known = {question.db_id for question in (*chosen, *absent)}
            for db_id in sorted(wanted - known):
                raise unknown_name("database of the benchmark", db_id, known)
            chosen = tuple(question for question in chosen if question.db_id in wanted)
            absent = tuple(question for question in absent if question.db_id in wanted)
            if not chosen:
                missing = ", ".join(count_by_database(absent))
                raise InputError(
                    "no_questions",
                    f"{self.name} has no question of databases {', '.join(sorted(wanted)) or '(none given)'}",
                    hint=f"their files are not here: {missing}" if missing else None,
                )
        would_be: Sequence[Question] = self._in_order(chosen, absent)
        for take in (
            *([] if limit is None else [partial(take_limit, limit=limit)]),
            *([] if sample is None else [partial(take_sample, sample=parse_sample(sample))]),
        ):
            chosen, would_be = take(chosen), take(would_be)
        kept = {question.id for question in would_be}
        absent = tuple(question for question in absent if question.id in kept)
        return Benchmark(self._split, chosen, absent, self._databases)

    def _in_order(self, *parts: Sequence[Question]) -> list[Question]:
        """Questions in the order of the split."""
        place = {question_id: number for number, question_id in enumerate(self._split.ids)}
        return sorted(chain.from_iterable(parts), key=lambda question: place[question.id])

    def shared_with(self, other: Benchmark) -> tuple[str, ...]:
        """Ids of the questions that share a group with a question of ``other``, in the order of the split.

        Databases of one name count as one database.
        """
        theirs = set(other._group_keys().values())
        return tuple(question_id for question_id, key in self._group_keys().items() if key in theirs)

    def _group_keys(self) -> dict[str, tuple[str, str]]:
        references = self._split.references.reveal()
        return {q.id: group_key(q.db_id, references[q.id]) for q in self.questions}

    def files(self, db_id: str) -> tuple[Path, ...]:
        """The database's SQLite files, the main one first.

        Raises:
            InputError: The benchmark has no such database.
        """
        if db_id not in self._split.files:
            raise unknown_name("database of the benchmark", db_id, self._split.files)
        return self._split.files[db_id]

    def open(self, db_id: str) -> Database:
        """The database (its main file), opened once and kept until `close`.

        Raises:
            SqlmendError: There is none of that name, or its file is no database.
        """
        self.files(db_id)
        return self._databases[db_id][0]

    def descriptions(self, db_id: str) -> Descriptions | None:
        """BIRD's descriptions of tables and columns, None where the benchmark has none."""
        from sqlmend.databases import read_descriptions

        folder = self.files(db_id)[0].parent / "database_description"
        return read_descriptions(folder) if folder.is_dir() else None

    def demonstrated(self) -> dict[Question, str]:
        """These questions with their references, for a split that is declared as demonstrations.

        Only `demonstrations` calls it, which checks that none of them is judged.
        """
        references = self._split.references.reveal()
        return {question: references[question.id] for question in self.questions}

    def oracle(self, definition: str | None = None, **settings: Any) -> Oracle:
        """The judge of these questions.

        Args:
            definition: Name of the definition of a match, the benchmark's own where None.
            **settings: As `Oracle` takes them.
        """
        from sqlmend.eval._oracle import Oracle

        references = self._split.references.reveal()
        return Oracle(
            {question.id: references[question.id] for question in self.questions},
            self._databases,
            definition=definition or self.definition,
            **settings,
        )

    def close(self) -> None:
        """Close the databases; they open again when they are asked for."""
        self._databases.close()

    def __enter__(self) -> Benchmark:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Benchmark {self.name}: {len(self.questions)} questions, {len(self.db_ids)} databases>"


def _file_hash(file: Path) -> str:
    """Hash of a file, computed once while it stays as it is: databases are large and selections many."""
    about = file.stat()
    return _hash_of(file, about.st_size, about.st_mtime_ns)


@cache
def _hash_of(file: Path, size: int, changed: int) -> str:
    return sha256_file(file)
