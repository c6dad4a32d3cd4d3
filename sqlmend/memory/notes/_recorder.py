"""What goes on a watched connection, told to notes."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlmend.databases import Schema
from sqlmend.memory.notes._key import SchemaLike
from sqlmend.memory.notes._unnoticed import read_on_the_way, transaction_of

if TYPE_CHECKING:
    from sqlmend.memory.notes._notes import FailureNotes

_logger = logging.getLogger(__name__)

#: After a refusal so many statements that ran are looked at for what worked in its place.
_LOOKED_AT = 100
#: Where the schema cannot be read again and again, at most so many statements go by between two tries.
_LONGEST_PAUSE = 128

_BEFORE = r"(?>\s+|\(|--[^\n]*+|/\*.*?\*/)*+"  # comments, too: libraries tell there who asks
_CHANGES = "insert|update|delete|replace|merge|create|alter|drop|truncate|copy|grant|revoke"
# Before these it does no harm to read the schema. A SET TRANSACTION would have to come first, and a LOCK
# before the snapshot of its transaction.
_DATA = re.compile(
    rf"{_BEFORE}(?:select|with|values|table|from|{_CHANGES}|call|do|explain|comment|refresh|pivot"
    r"|unpivot|summarize|describe|execute|declare|rename|reindex|analyze)\b",
    re.IGNORECASE | re.DOTALL,
)
_DDL = re.compile(rf"(?:\A{_BEFORE}|;\s*)(?:create|alter|drop|rename)\b", re.IGNORECASE | re.DOTALL)
_ENDS = re.compile(rf"(?:\A{_BEFORE}|;\s*)(?:commit|end|rollback|abort)\b", re.IGNORECASE | re.DOTALL)
# What such a statement changes is done before its first row comes.
_WRITES = re.compile(rf"{_BEFORE}(?:{_CHANGES})\b", re.IGNORECASE | re.DOTALL)


class Sent(NamedTuple):
    """A statement on its way.

    Attributes:
        sql: Its text, None where it cannot be told.
        schema: The schema that it was sent to, None where it is not known.
        connection: The connection that it runs on.
    """

    sql: str | None
    schema: SchemaLike | None
    connection: Any


class Recorder:
    """Tells notes of what was refused on a backend, and afterwards of what ran.

    A schema that was not given is read over the connection that a statement runs on: before the first one
    that reads or writes and before the next one after DDL, because after a refusal the transaction may be of
    no use; where that was not possible, after a refusal.

    Args:
        notes: Told of it; they never raise.
        backend: Where the statements run.
        schema: The schema behind it, None where it is to be read.

    Attributes:
        active: Whether it records.
    """

    def __init__(self, notes: FailureNotes, backend: str, schema: SchemaLike | None) -> None:
        self.active = True
        self._notes = notes
        self._backend = backend
        self._given = schema
        self._read: Schema | None = None
        self._unsettled: Any = None  # the connection whose open transaction has changed the schema
        self._failures = 0
        self._pause = 0
        self._to_look_at = 0

    def sent(self, sql: str | None, connection: Any) -> Sent:
        """A statement is about to run."""
        if self._given is not None or not self.active or sql is None:
            return Sent(sql, self._given, connection)
        if self._unsettled is connection and transaction_of(connection) == "none":
            self._read = self._unsettled = None
        if self._read is None and _DATA.match(sql):
            self._try_to_read(connection)
        return Sent(sql, self._read, connection)

    def refused(self, sent: Sent, error: BaseException) -> None:
        """It raised: record it, if the machine refused it."""
        if not self.active or sent.sql is None or not _is_of_the_database(error):
            return
        schema = sent.schema or self._read_late(sent)
        if schema is not None:
            self._notes.record(sent.sql, schema, backend=self._backend, error=error)
            self._to_look_at = _LOOKED_AT
        self._follow(sent)  # a script may have run in part

    def executed(self, sent: Sent, cursor: Any) -> bool:
        """It was executed; returns whether there are rows left to read, in which it may still be refused.

        Args:
            sent: The statement.
            cursor: Where its rows are read, None where nobody sees that.
        """
        if not self.active or sent.sql is None:
            return False
        done = _WRITES.match(sent.sql) is not None or (cursor is not None and _has_all_rows(cursor))
        if done:
            self.ran(sent)
        self._follow(sent)
        return not done

    def ran(self, sent: Sent) -> None:
        """It ran to its end: a refusal may learn from it."""
        if self.active and self._to_look_at and sent.sql is not None and sent.schema is not None:
            self._to_look_at -= 1
            self._notes.worked(sent.sql, sent.schema, backend=self._backend)

    def ended(self, connection: Any) -> None:
        """A transaction, or a part of it, has ended: after DDL the schema may be that of before."""
        if self._unsettled is connection:
            self._read = None
            if transaction_of(connection) != "open":
                self._unsettled = None

    def _follow(self, sent: Sent) -> None:
        """See what a statement did to the schema."""
        if self._given is not None or sent.sql is None:
            return
        if _DDL.search(sent.sql):
            self._read = None
            if self._backend != "mysql" and transaction_of(sent.connection) != "none":
                self._unsettled = sent.connection
        elif self._unsettled is sent.connection and _ENDS.search(sent.sql):
            self.ended(sent.connection)

    def _try_to_read(self, connection: Any) -> None:
        if self._pause:
            self._pause -= 1
            return
        try:
            self._read = read_on_the_way(connection, self._backend)
        except Exception as trouble:  # noqa: BLE001 - the statement itself has to run
            self._failures += 1
            self._pause = min(2 ** min(self._failures - 1, 30), _LONGEST_PAUSE) - 1
            if self._failures == 1:
                _logger.warning("nothing is recorded for now, the schema cannot be read: %s", trouble)
        else:
            self._failures = 0

    def _read_late(self, sent: Sent) -> Schema | None:
        """The schema after a refusal: it is still that of before, if no DDL ran with the statement."""
        if sent.sql is None or _DDL.search(sent.sql):
            return None
        if self._read is None:
            with suppress(Exception):  # what is refused goes on to the caller, and nothing else
                self._read = read_on_the_way(sent.connection, self._backend)
        return self._read


def _has_all_rows(cursor: Any) -> bool:
    """Whether the driver has all rows of a statement, or there are none: it tells how many only then."""
    try:
        if cursor.description is None:
            return True
        count = cursor.rowcount
        return isinstance(count, int) and 0 <= count < 1 << 62  # MySQL's clients tell -1 without a sign
    except Exception:  # noqa: BLE001 - whatever it is, it tells nothing
        return False


def _is_of_the_database(error: BaseException) -> bool:
    """Whether it is what PEP 249 calls a DatabaseError; what says nothing of a statement, notes leave out."""
    return any(kind.__name__ == "DatabaseError" for kind in type(error).__mro__)
