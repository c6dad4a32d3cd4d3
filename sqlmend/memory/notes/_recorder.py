"""What goes on a watched connection, told to notes."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlmend.memory.notes._followed import BEFORE, CHANGES, FollowedSchema
from sqlmend.memory.notes._key import SchemaLike
from sqlmend.memory.notes._verdict import read_verdict

if TYPE_CHECKING:
    from sqlmend.memory.notes._notes import FailureNotes

_logger = logging.getLogger(__name__)

#: After a refusal so many statements that ran are looked at for what worked in its place.
_LOOKED_AT = 100
# What such a statement changes is done before its first row comes.
_WRITES = re.compile(rf"{BEFORE}(?:{CHANGES})\b", re.IGNORECASE | re.DOTALL)


class Sent(NamedTuple):
    """A statement on its way.

    Attributes:
        sql: Its text, None where it cannot be told.
        schema: The schema that it was sent to, None where it is not known.
        connection: The connection that it runs on.
        aside: Whether what is being read on that connection can be read on behind it.
    """

    sql: str | None
    schema: SchemaLike | None
    connection: Any
    aside: bool = False


class Recorder:
    """Tells notes of what was refused on a backend, and afterwards of what ran.

    Args:
        notes: Told of it; they never raise.
        backend: Where the statements run.
        schema: The schema behind it, None where it is to be read.

    Attributes:
        active: Whether it records.
        backend: Where the statements run.
    """

    def __init__(self, notes: FailureNotes, backend: str, schema: SchemaLike | None) -> None:
        self.active = True
        self.backend = backend
        self._notes = notes
        self._given = schema
        self._followed = FollowedSchema(backend) if schema is None else None
        self._to_look_at = 0
        self._begun: Sent | None = None  # gave a row, and may be refused in the next one
        self._told_of_relations = False

    def close(self) -> None:
        """Record nothing any more."""
        self._leave_begun()
        self.active = False

    def sent(self, sql: str | None, connection: Any, *, aside: bool = False) -> Sent:
        """A statement is about to run."""
        self._leave_begun()
        if self._followed is None or not self.active or sql is None:
            return Sent(sql, self._given, connection, aside)
        return Sent(sql, self._followed.before(sql, connection, aside=aside), connection, aside)

    def refused(self, sent: Sent, error: BaseException) -> None:
        """It raised: record it, if the machine refused it."""
        if self._begun is sent:
            self._begun = None
        if not self.active or sent.sql is None or not _is_of_the_database(error):
            return
        schema = sent.schema
        if schema is None and self._followed is not None and _is_a_verdict(error):
            schema = self._followed.after(sent.sql, sent.connection, aside=sent.aside)
        if schema is not None:
            self._notes.record(sent.sql, schema, backend=self.backend, error=error)
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

    def made(self, sent: Sent, relation: Any) -> None:
        """DuckDB made a relation of it, which runs where it is read; what writes has run."""
        unread = self.executed(sent, None)
        if unread and relation is not None and not self._told_of_relations:
            self._told_of_relations = True
            _logger.warning(
                "what is refused while a relation of DuckDB is read is not recorded: use execute()"
            )

    def gave(self, sent: Sent) -> None:
        """It gave a row. If the next statement comes before it is refused, it ran as far as it was read."""
        if self._to_look_at:
            self._leave_begun()
            self._begun = sent

    def ran(self, sent: Sent) -> None:
        """It ran to its end: a refusal may learn from it."""
        if self._begun is sent:
            self._begun = None
        if self.active and self._to_look_at and sent.sql is not None and sent.schema is not None:
            self._to_look_at -= 1
            self._notes.worked(sent.sql, sent.schema, backend=self.backend)

    def ended(self, connection: Any) -> None:
        """A transaction of a connection, or a part of it, has ended."""
        if self._followed is not None:
            self._followed.ended(connection)

    def _leave_begun(self) -> None:
        if self._begun is not None:
            self.ran(self._begun)

    def _follow(self, sent: Sent) -> None:
        if self._followed is not None and sent.sql is not None:
            self._followed.ran(sent.sql, sent.connection)


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


def _is_a_verdict(error: BaseException) -> bool:
    """Whether it says anything of the statement; where the connection is gone, there is nobody to ask."""
    try:
        return read_verdict(error) is not None
    except Exception:  # noqa: BLE001 - an odd exception goes on to the caller as it is
        return False
