"""The program inside the sandbox: runs one read-only statement at a time and answers over a socket.

Started as ``python -I -S -B _worker.py PARENT_PID`` with an empty environment and, as standard input, one
end of a socket pair; it is never imported. It uses the standard library only.

Safety is the engine's, in layers: a read-only connection, an authorizer that allows nothing but reading,
resource limits that leave no way to write a byte, and a parent that kills it at the deadline.
"""

from __future__ import annotations

import _thread
import gc
import marshal
import os
import re
import resource
import sqlite3
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

SOCKET = 0
LENGTH = struct.Struct("<Q")
MAX_RESULT_BYTES = 64 << 20
MAX_CONNECTIONS = 8
ADDRESS_SPACE = 1536 << 20
ENGINE_HEAP = 512 << 20
PROGRESS_OPS = 20_000
LOCK_WAIT_S = 2.0
SAMPLED_ROWS = 500
SAMPLE_CHARACTERS = 100

# What no query may call, whether this build defines it or not: they reach files, code or the tokenizer table.
FORBIDDEN = frozenset(
    """
    load_extension readfile writefile edit eval define fts3_tokenizer icu_load_collation sha3_query sqlite_log
    fsdir lsdir zipfile zipfile_cds
    """.split()
)
_NAMED = re.compile(r"no such (?:function|table): (\w+)|wrong number of arguments to function (\w+)")

# SQLite's own token boundaries, as far as they decide where a statement ends.
_SPACE = " \t\n\f\r\ufeff"
_COMMENT = r"--[^\n]*+|/\*(?=.).*?(?:\*/|\Z)"
_LEADING = re.compile(rf"(?:[{_SPACE};]++|{_COMMENT})*+", re.DOTALL)
_TOKEN = re.compile(
    rf"(?P<comment>{_COMMENT})"
    r"|'[^']*+(?:''[^']*+)*+(?:'|\Z)"
    r'|"[^"]*+(?:""[^"]*+)*+(?:"|\Z)'
    r"|`[^`]*+(?:``[^`]*+)*+(?:`|\Z)"
    r"|\[[^\]]*+(?:\]|\Z)"
    r"|(?P<word>[\w$]++)"
    rf"|[^{_SPACE}]",
    re.DOTALL,
)
_QUERY = frozenset({"select", "values"})
_CHANGE = frozenset({"insert", "update", "delete", "replace"})
_CONTROL = _CHANGE | frozenset(
    """
    create drop alter attach detach pragma begin commit end rollback savepoint release vacuum analyze reindex
    explain
    """.split()
)
_RTREE_TABLES = ("_node", "_rowid", "_parent")
_SYNTAX = re.compile(r"syntax error|incomplete input|unrecognized token")


class Refused(Exception):
    """The sandbox's own refusal: a status of contract 1 and its text."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status


class Guard:
    """What the engine asks while it prepares and runs: may it, and is there time left?"""

    def __init__(self) -> None:
        self.deadline = 0.0
        self.trusted = False
        self.selecting = False

    def authorize(self, action: int, first: str | None, second: str | None, *_: object) -> int:
        """Allow reading, nothing else."""
        if action == sqlite3.SQLITE_SELECT:
            self.selecting = True
            return sqlite3.SQLITE_OK
        if action in (sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            return sqlite3.SQLITE_DENY if (second or "").lower() in FORBIDDEN else sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_PRAGMA and self.trusted:
            return sqlite3.SQLITE_OK
        # A statement that changes something is asked for before its sub-queries are: this is no such one.
        return (
            sqlite3.SQLITE_OK if self.selecting and _of_virtual_table(action, first) else sqlite3.SQLITE_DENY
        )

    def expired(self) -> bool:
        """Whether the running statement has used up its time."""
        return time.monotonic() > self.deadline


def _of_virtual_table(action: int, first: str | None) -> bool:
    """Whether a virtual table asks this of its own accord while it connects inside a SELECT.

    Each declares its columns, FTS5 asks for the data version, and an R-tree prepares changes (which the
    read-only connection would not let it run).
    """
    if action == sqlite3.SQLITE_PRAGMA:
        return first == "data_version"
    if action == sqlite3.SQLITE_UPDATE:
        return first == "sqlite_master"
    return action in (sqlite3.SQLITE_INSERT, sqlite3.SQLITE_DELETE) and (first or "").endswith(_RTREE_TABLES)


def only_statement(sql: str) -> str:
    """The one real statement of ``sql``, as written; comments and empty statements do not count."""
    if "\0" in sql:
        raise Refused("syntax_error", "the query contains a null character")
    start = _LEADING.match(sql).end()  # type: ignore[union-attr]
    if start == len(sql):
        raise Refused("no_statement", "there is no statement in the text")
    semicolon = sql.find(";", start)
    if semicolon not in (-1, len(sql.rstrip(" \t\n\f\r")) - 1):
        sql = _first_of_one(sql, start)
    if sql[start : start + 7].lower() == "explain" and not re.match(r"[\w$]", sql[start + 7 : start + 8]):
        raise Refused("denied", "not authorized: EXPLAIN")
    return sql


def _first_of_one(sql: str, start: int) -> str:
    end = 0
    for token in _TOKEN.finditer(sql, start):
        if token["comment"] is not None:
            continue
        if end and token[0] != ";":
            raise Refused("multi_statement", "You can only execute one statement at a time.")
        # complete_statement knows the one statement that has semicolons inside: CREATE TRIGGER.
        if not end and token[0] == ";" and sqlite3.complete_statement(sql[start : token.end()]):
            end = token.end()
    return sql[:end] if end else sql


def is_control(sql: str) -> bool:
    """Whether the statement is, by its verb, something else than a query."""
    with_seen, depth = False, 0
    for token in _TOKEN.finditer(sql):
        text = token[0]
        if text in "()":
            depth += 1 if text == "(" else -1
        elif token["word"] is not None and depth == 0:
            word = text.lower()
            if word in _QUERY or (not with_seen and word != "with"):
                return word in _CONTROL
            if with_seen and word in _CHANGE:
                return True
            with_seen = True
    return False


class Sandbox:
    """Keeps a few databases open and answers requests about them."""

    def __init__(self) -> None:
        self._guard = Guard()
        self._open: dict[str, tuple[object, sqlite3.Connection]] = {}

    def answer(self, request: tuple[Any, ...]) -> tuple[Any, ...]:
        """Carry out one request: (operation, uri, stamp, seconds, *arguments).

        Returns:
            ``(None, result, elapsed_s)`` or ``(status or "", text, elapsed_s, error code)``.
        """
        operation, uri, stamp, seconds, *arguments = request
        begin = time.monotonic()
        guard = self._guard
        guard.deadline = begin + seconds
        guard.trusted = guard.selecting = operation != "execute"
        resource.setrlimit(
            resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 2, resource.RLIM_INFINITY)
        )
        try:
            result = _OPERATIONS[operation](self, uri, stamp, *arguments)
        except Refused as refusal:
            status, text, code = refusal.status, str(refusal), 0
        except MemoryError:
            status, text, code = "too_large", "out of memory", sqlite3.SQLITE_NOMEM
        except (sqlite3.Error, sqlite3.Warning) as error:
            status, text, code = "", str(error), getattr(error, "sqlite_errorcode", 0)
            status = self._named(text, arguments[0]) if operation == "execute" else ""
        except UnicodeEncodeError as error:
            status, text, code = "syntax_error", f"the text is not valid Unicode: {error.reason}", 0
        except UnicodeDecodeError as error:
            status, text, code = "other_error", f"a name is not valid Unicode: {error.reason}", 0
        except OSError as error:
            status, text, code = "other_error", f"unable to open database file: {error.strerror}", 0
        else:
            return (None, result, time.monotonic() - begin)
        return (status, text, time.monotonic() - begin, code)

    def _named(self, text: str, sql: str) -> str:
        """A refusal that the engine's error hides: it had another complaint first."""
        named = _NAMED.search(text)
        name = (named[1] or named[2]).lower() if named else ""
        if name in FORBIDDEN and re.search(rf"\b{name}\s*\(", sql, re.IGNORECASE):
            return "denied"
        return "denied" if not _SYNTAX.search(text) and is_control(sql) else ""

    def _connection(self, uri: str, stamp: object) -> sqlite3.Connection:
        known = self._open.pop(uri, None)
        if known is not None and known[0] != stamp:
            known[1].close()
            known = None
        if known is None:
            while len(self._open) >= MAX_CONNECTIONS:
                self._open.pop(next(iter(self._open)))[1].close()
            known = (stamp, self._connect(uri))
        self._open[uri] = known
        return known[1]

    def _connect(self, uri: str) -> sqlite3.Connection:
        # No statement cache: every statement passes the authorizer.
        connection = sqlite3.connect(
            uri, uri=True, timeout=LOCK_WAIT_S, isolation_level=None, cached_statements=0
        )
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for pragma in (
            "trusted_schema=OFF",
            "query_only=ON",
            "temp_store=MEMORY",
            "cache_size=-8192",
            f"hard_heap_limit={ENGINE_HEAP}",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        connection.set_authorizer(self._guard.authorize)
        connection.set_progress_handler(self._guard.expired, PROGRESS_OPS)
        return connection

    def execute(
        self, uri: str, stamp: object, sql: str, max_rows: int
    ) -> tuple[tuple[str, ...], list[bytes]]:
        """Run one statement; the columns, and the rows as marshalled lists of tuples."""
        statement = only_statement(sql)
        connection = self._connection(uri, stamp)
        try:
            return self._rows(connection, statement, max_rows)
        except sqlite3.OperationalError as error:
            if not str(error).startswith("Could not decode to UTF-8"):
                raise
            # Decoding in Python is slower, so it is done only for databases that need it.
            connection.text_factory = _lossless
            return self._rows(connection, statement, max_rows)

    def _rows(
        self, connection: sqlite3.Connection, statement: str, max_rows: int
    ) -> tuple[tuple[str, ...], list[bytes]]:
        cursor = connection.execute(statement)
        try:
            if cursor.description is None:
                raise Refused("denied", "not authorized: the statement is no query")
            chunks: list[bytes] = []
            count = size = 0
            step = 256
            while rows := cursor.fetchmany(min(step, max_rows - count + 1)):
                count += len(rows)
                if count > max_rows:
                    raise Refused("too_large", f"more than {max_rows} rows")
                chunks.append(marshal.dumps(rows))
                size += len(chunks[-1])
                if size > MAX_RESULT_BYTES:
                    raise Refused("too_large", f"more than {MAX_RESULT_BYTES} bytes of result")
                if self._guard.expired():
                    raise Refused("timeout", "interrupted")
                if len(rows) < step:
                    break
                step = 2048
            return tuple(column[0] for column in cursor.description), chunks
        finally:
            cursor.close()

    def header(self, _: str, __: object, path: bytes) -> bytes:
        """The first bytes of a database file."""
        file = os.open(path, os.O_RDONLY)
        try:
            return os.read(file, 100)
        finally:
            os.close(file)

    def check(self, uri: str, stamp: object) -> None:
        """Read the schema table: fails unless this is a database."""
        self._connection(uri, stamp).execute("SELECT COUNT(*) FROM sqlite_master").close()

    def schema(self, uri: str, _: object) -> list[tuple[Any, ...]]:
        """What is declared: (name, kind, table_xinfo rows, foreign_key_list rows) of each table and view."""

        def described(connection: sqlite3.Connection, name: str, kind: str) -> tuple[Any, ...]:
            columns = connection.execute(f"PRAGMA main.table_xinfo({_quoted(name)})").fetchall()
            return (
                name,
                kind,
                columns,
                connection.execute(f"PRAGMA foreign_key_list({_quoted(name)})").fetchall(),
            )

        return self._of_each(uri, ("table", "view"), described)

    def samples(self, uri: str, _: object, per_column: int) -> dict[str, dict[str, list[Any]]]:
        """A few distinct values of each column, from the first rows of each table."""

        def sampled(connection: sqlite3.Connection, name: str, _: str) -> tuple[str, Any]:
            rows = connection.execute(f"SELECT * FROM main.{_quoted(name)} LIMIT {SAMPLED_ROWS}")
            return name, _distinct(rows, per_column)

        # Not of views: what their first rows cost is unknown.
        return dict(self._of_each(uri, ("table",), sampled))

    def _of_each(
        self, uri: str, kinds: tuple[str, ...], read: Callable[[sqlite3.Connection, str, str], Any]
    ) -> list[Any]:
        """What ``read`` finds in each table or view, in the order of their creation."""
        connection = self._connect(uri)
        connection.text_factory = _lossless
        try:
            shadows = {row[1] for row in connection.execute("PRAGMA main.table_list") if row[2] == "shadow"}
            listed = connection.execute(
                "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND lower(substr(name, 1, 7)) <> 'sqlite_' ORDER BY rowid"
            ).fetchall()
            found = []
            for name, kind in listed:
                if name in shadows or kind not in kinds:
                    continue
                try:
                    found.append(read(connection, name, kind))
                except sqlite3.OperationalError:
                    # A view on a table that is gone, or a virtual table whose module is not here.
                    if self._guard.expired():
                        raise
            return found
        finally:
            connection.close()


def _distinct(cursor: sqlite3.Cursor, per_column: int) -> dict[str, list[Any]]:
    columns = [column[0] for column in cursor.description]
    seen: list[dict[Any, None]] = [{} for _ in columns]
    for row in cursor:
        for values, value in zip(seen, row, strict=True):
            if len(values) < per_column and value is not None and not isinstance(value, bytes):
                cut = isinstance(value, str) and len(value) > SAMPLE_CHARACTERS
                values[value[:SAMPLE_CHARACTERS] + "..." if cut else value] = None
        if all(len(values) == per_column for values in seen):
            break
    return {column: list(values) for column, values in zip(columns, seen, strict=True)}


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "execute": Sandbox.execute,
    "header": Sandbox.header,
    "check": Sandbox.check,
    "schema": Sandbox.schema,
    "samples": Sandbox.samples,
}


def _lossless(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def confine() -> None:
    """Take from this process what it does not need; there is no way back."""
    os.environ.clear()
    for limit, value in (
        (resource.RLIMIT_AS, ADDRESS_SPACE),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))


def watch(parent: int) -> None:
    """End this process when its parent is gone, even in the middle of a statement."""
    while os.getppid() == parent:
        time.sleep(0.25)
    os._exit(1)


def receive() -> tuple[Any, ...] | None:
    """The next request, or None when the parent hung up."""
    data = bytearray(os.read(SOCKET, 1 << 16))
    while data and (len(data) < LENGTH.size or len(data) < LENGTH.size + LENGTH.unpack_from(data)[0]):
        more = os.read(SOCKET, 1 << 20)
        if not more:
            return None
        data += more
    return marshal.loads(memoryview(data)[LENGTH.size :]) if data else None


def send(reply: tuple[Any, ...]) -> None:
    """Answer the request."""
    body = marshal.dumps(reply)
    data = memoryview(LENGTH.pack(len(body)) + body)
    while data:
        data = data[os.write(SOCKET, data) :]


def main() -> None:
    """Say that it is ready, then answer until the parent hangs up."""
    confine()
    _thread.start_new_thread(watch, (int(sys.argv[1]),))
    gc.disable()  # rows are tuples of plain values: nothing to collect
    sandbox = Sandbox()
    os.write(SOCKET, b"\x01")
    while (request := receive()) is not None:
        send(sandbox.answer(request))


if __name__ == "__main__":
    main()
