"""The schema behind watched connections, followed through what is done to it."""

from __future__ import annotations

import logging
import re
import weakref
from collections.abc import Callable
from typing import Any

from sqlmend.databases import Schema
from sqlmend.memory.notes._unnoticed import read_on_the_way, transaction_of

_logger = logging.getLogger(__name__)

#: Where the schema cannot be read again and again, at most so many statements go by between two tries.
_LONGEST_PAUSE = 128

BEFORE = r"(?>\s+|\(|--[^\n]*+|/\*.*?\*/)*+"  # comments, too: libraries tell there who asks
CHANGES = "insert|update|delete|replace|merge|create|alter|drop|truncate|copy|grant|revoke"
# Before these it does no harm to read the schema. A SET TRANSACTION would have to come first, and a LOCK
# before the snapshot of its transaction.
_DATA = re.compile(
    rf"{BEFORE}(?:select|with|values|table|from|{CHANGES}|call|do|explain|comment|refresh|pivot"
    r"|unpivot|summarize|describe|execute|declare|rename|reindex|analyze)\b",
    re.IGNORECASE | re.DOTALL,
)
_DDL = re.compile(rf"(?:\A{BEFORE}|;\s*)(?:create|alter|drop|rename)\b", re.IGNORECASE | re.DOTALL)
_ENDS = re.compile(rf"(?:\A{BEFORE}|;\s*)(?:commit|end|rollback|abort)\b", re.IGNORECASE | re.DOTALL)


class FollowedSchema:
    """Reads the schema over the connection that a statement runs on, and as rarely as it can.

    That is before the first statement that reads or writes and before the next one after DDL, because after a
    refusal the transaction may be of no use; where that was not possible, after a refusal. Connections share
    what was read. One that has changed the schema in its open transaction sees what no other sees, and until
    that ends its schema is its own.

    Args:
        backend: Where the connections lead.
    """

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._version = object()  # another one whenever the schema may have changed
        self._shared = _View(None)
        self._own: list[_View] = []
        self._failures = 0
        self._pause = 0

    def before(self, sql: str, connection: Any, *, aside: bool = False) -> Schema | None:
        """The schema that a statement is sent to, None where it is not known.

        Args:
            sql: The statement.
            connection: What it runs on.
            aside: Whether rows that wait on the connection can be read behind it.
        """
        for view in list(self._own):
            if view.has_ended():
                self._end(view)
        return self._seen_by(connection, read=_DATA.match(sql) is not None, aside=aside)

    def after(self, sql: str, connection: Any, *, aside: bool = False) -> Schema | None:
        """The schema after a refusal: it is still that of before, if no DDL ran with the statement."""
        return None if _DDL.search(sql) else self._seen_by(connection, read=True, aside=aside)

    def ran(self, sql: str, connection: Any) -> None:
        """See what a statement did to the schema, whole or in part."""
        if _DDL.search(sql):
            self._version = object()
            ends_by_itself = self._backend == "mysql" or transaction_of(connection) == "none"
            if not ends_by_itself and self._view_of(connection) is self._shared:
                self._own.append(_View(connection))
        elif self._own and _ENDS.search(sql):
            self.ended(connection)

    def ended(self, connection: Any) -> None:
        """A transaction, or a part of it, has ended: after DDL the schema may be that of before."""
        view = self._view_of(connection)
        if view is self._shared:
            return
        self._version = object()
        if transaction_of(connection) != "open":
            self._end(view)

    def _seen_by(self, connection: Any, *, read: bool, aside: bool) -> Schema | None:
        view, version = self._view_of(connection), self._version
        known_at, schema = view.known
        if known_at is version and schema is not None:
            return schema
        if not read:
            return None
        schema = self._try_to_read(connection, aside)
        view.known = version, schema  # worth nothing where another thread has changed it meanwhile
        return schema

    def _try_to_read(self, connection: Any, aside: bool) -> Schema | None:
        if self._pause:
            self._pause -= 1
            return None
        try:
            schema = read_on_the_way(connection, self._backend, aside=aside)
        except Exception as trouble:  # noqa: BLE001 - the statement itself has to run
            self._failures += 1
            self._pause = min(2 ** min(self._failures - 1, 30), _LONGEST_PAUSE) - 1
            if self._failures == 1:
                _logger.warning("nothing is recorded for now, the schema cannot be read: %s", trouble)
            return None
        self._failures = 0
        return schema

    def _view_of(self, connection: Any) -> _View:
        return next((view for view in self._own if view.connection() is connection), self._shared)

    def _end(self, view: _View) -> None:
        self._version = object()
        if view in self._own:
            self._own.remove(view)


class _View:
    """The schema as one connection sees it, or as all see it that have changed nothing.

    Attributes:
        connection: Gives the connection, None where it is gone. It is held only where it has to be: sqlite3's
            cannot be referred to weakly.
        known: The schema, and the version that it was read at.
    """

    def __init__(self, connection: Any) -> None:
        self.connection: Callable[[], Any]
        try:
            self.connection = weakref.ref(connection)
        except TypeError:
            self.connection = lambda: connection
        self.known: tuple[object, Schema | None] = (None, None)
        self._tells = transaction_of(connection) is not None

    def has_ended(self) -> bool:
        """Whether its transaction is known to be over; one that told of it and does no more was closed."""
        connection = self.connection()
        state = transaction_of(connection)
        return connection is None or state == "none" or (state is None and self._tells)
