"""What one question may recall: contract 4 of the design."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Literal, get_args

from sqlmend.errors import unknown_name
from sqlmend.memory._line import Record, Source, fold

Scope = Literal["any", "same_database", "other_databases"]
SameGroup = Literal["allow", "exclude"]


class MemoryView:
    """The records that a question at one position of the stream may see; it never changes.

    A record is eligible if its source position is smaller than ``position`` and its source question
    is another one: neither of the same id on the same database (ids are unique within a benchmark
    only, and an imported memory may come from another), nor of equal text, folded in case and
    space, on the same database. Built by :meth:`Memory.view`.

    Args:
        records: Live records of each kind, ordered by (position, id).
        position: Stream position of the question.
        question_id: Its id.
        question: Its text.
        db_id: Its database.
        twins: Ids of the questions of its group, all of the same database.
    """

    def __init__(
        self,
        records: Mapping[str, tuple[Record, ...]],
        position: int,
        *,
        question_id: str,
        question: str,
        db_id: str,
        twins: frozenset[str] = frozenset(),
    ) -> None:
        self.position = position
        self.db_id = db_id
        self.twins = twins
        self._own = Source(db_id, question_id, fold(question))
        self._earlier = {
            kind: tuple(r for r in kept if r.position < position) for kind, kept in records.items()
        }
        self._set_eligible(
            {
                kind: tuple(r for r in earlier if not _same_question(r.source, self._own))
                for kind, earlier in self._earlier.items()
            }
        )

    def _set_eligible(self, eligible: dict[str, tuple[Record, ...]]) -> None:
        self._pools: dict[tuple[str, Scope, SameGroup], tuple[Record, ...]] = {}
        self._eligible = eligible

    def with_own(self) -> MemoryView:
        """The view with what the question itself has left earlier: for replay, and where nothing is measured.

        It breaks the rule above on purpose: replay asks whether a question is answered right where its own
        correction may be recalled.
        """
        opened = copy(self)
        opened._set_eligible(self._earlier)
        return opened

    def __len__(self) -> int:
        """How many records of all kinds are eligible."""
        return sum(map(len, self._eligible.values()))

    def pool(self, kind: str, *, scope: Scope = "any", same_group: SameGroup = "allow") -> tuple[Record, ...]:
        """The legal pool of one kind, ordered by (position, id); the same tuple for the same arguments.

        Args:
            kind: ``positive``, ``negative`` or another key of ``KINDS``.
            scope: ``any``, or only entries of the ``same_database``, or of ``other_databases``.
            same_group: ``exclude`` drops what came from a question of the same group.

        Raises:
            InputError: An unknown kind, scope or same_group.
        """
        if kind not in self._eligible:
            raise unknown_name("memory kind", kind, self._eligible)
        if scope not in get_args(Scope):
            raise unknown_name("scope", scope, get_args(Scope))
        if same_group not in get_args(SameGroup):
            raise unknown_name("same_group", same_group, get_args(SameGroup))
        key = (kind, scope, same_group)
        if key not in self._pools:
            self._pools[key] = self._choose(*key)
        return self._pools[key]

    def _choose(self, kind: str, scope: Scope, same_group: SameGroup) -> tuple[Record, ...]:
        pool = self._eligible[kind]
        if scope != "any":
            same = scope == "same_database"
            pool = tuple(r for r in pool if (r.source.db_id == self.db_id) is same)
        if same_group == "exclude":
            pool = tuple(r for r in pool if not self._is_twin(r.source))
        return pool

    def _is_twin(self, source: Source) -> bool:
        return source.db_id == self.db_id and source.question_id in self.twins


def _same_question(source: Source, own: Source) -> bool:
    return source.db_id == own.db_id and (
        source.question_id == own.question_id or source.folded == own.folded
    )
