"""A document store behind the contract of a database."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlmend._extras import require
from sqlmend.databases._outcome import STATUSES, Outcome
from sqlmend.databases._schema import Schema
from sqlmend.databases.document._pipeline import Pipeline
from sqlmend.databases.document._refusal import UnsupportedTranslation
from sqlmend.errors import SqlmendError

if TYPE_CHECKING:
    from pymongo.database import Database as Store

_MAX_RESULT_BYTES = 64 << 20
_LONGEST_S = 86_400.0
#: The server's error codes, by what they are called here; see the codes of the MongoDB wire protocol.
_CODES = {
    13: "denied",
    14: "type_mismatch",
    50: "timeout",
    262: "timeout",
    146: "too_large",
    292: "too_large",
}


class DocumentDatabase:
    """A database of a MongoDB-compatible server, asked in SQL; see ``Database`` for the contract.

    A query is compiled (``compile_query``) and run as a read-only aggregation. A refused translation has the
    status ``other_error`` and the compiler's text, a statement that is no query ``denied``.

    Args:
        store: The database of a connected ``pymongo`` client, which stays the caller's.
        schema: What its collections hold.
    """

    dialect = "sqlite"

    def __init__(self, store: Store[Any], schema: Schema) -> None:
        self._pymongo = require("pymongo", extra="document")
        self._bson = require("bson", extra="document")
        self._store = store
        self._schema = schema

    def schema(self) -> Schema:
        """What the collections hold, as given."""
        return self._schema

    def execute(self, sql: str, *, timeout_s: float = 30.0, max_rows: int = 1_000_000) -> Outcome:
        """Run one read-only statement; see ``Database.execute``."""
        if not timeout_s > 0:
            raise ValueError(f"timeout_s must be positive; got {timeout_s!r}")
        if not max_rows > 0:
            raise ValueError(f"max_rows must be positive; got {max_rows!r}")
        begin = time.monotonic()
        try:
            columns, rows = self._run(sql, min(timeout_s, _LONGEST_S), max_rows)
            return Outcome("ok", columns, rows, elapsed_s=time.monotonic() - begin)
        except SqlmendError as error:
            status, text = _status(error), error.message
        except self._pymongo.errors.PyMongoError as error:
            status, text = _CODES.get(getattr(error, "code", None) or 0, "other_error"), str(error)
            if getattr(error, "timeout", False):
                status = "timeout"
        except (self._bson.errors.BSONError, UnicodeEncodeError, OverflowError) as error:
            status, text = "syntax_error", f"the text cannot be sent: {error}"
        return Outcome(status, error=text, elapsed_s=time.monotonic() - begin)

    def _run(
        self, sql: str, timeout_s: float, max_rows: int
    ) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        from sqlmend.databases.document._compile import compile_query

        pipeline = compile_query(sql, self._schema)
        documents = self._documents(pipeline, timeout_s, max_rows + 1)
        rows = [tuple(map(_plain, pipeline.row(document))) for document in documents]
        if len(rows) > max_rows:
            raise SqlmendError("too_large", f"more than {max_rows} rows")
        return pipeline.columns, rows

    def _documents(self, pipeline: Pipeline, timeout_s: float, most: int) -> Iterator[Mapping[str, Any]]:
        # Text that is not UTF-8 reads as it does from the other databases.
        options = self._bson.codec_options.CodecOptions(unicode_decode_error_handler="surrogateescape")
        size = 0
        with self._pymongo.timeout(timeout_s):
            batches = self._store[pipeline.collection].aggregate_raw_batches(
                [*pipeline.stages, {"$limit": most}], maxTimeMS=max(1, int(timeout_s * 1000))
            )
            for batch in batches:
                size += len(batch)
                if size > _MAX_RESULT_BYTES:
                    raise SqlmendError("too_large", f"more than {_MAX_RESULT_BYTES} bytes of result")
                yield from self._bson.decode_all(batch, options)

    def close(self) -> None:
        """Nothing to let go of: the client is the caller's."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _status(error: SqlmendError) -> str:
    if isinstance(error, UnsupportedTranslation):
        return "denied" if error.construct == "not_a_query" else "other_error"
    return error.code if error.code in STATUSES else "other_error"


def _plain(value: Any) -> Any:
    """The value as SQLite would give it: truth values as 0 and 1, what is only the store's own as text."""
    if value is None or isinstance(value, (str, float, bytes)):
        return value
    return int(value) if isinstance(value, int) else str(value)
