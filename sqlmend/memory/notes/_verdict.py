"""What a machine said of a statement, read off an exception, an outcome or a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlmend.databases import Outcome
from sqlmend.databases.document import CONSTRUCTS
from sqlmend.errors import SqlmendError
from sqlmend.memory.notes._no_verdict import says_nothing

#: Texts that are verdicts and not errors: the statement ran. A result that is not the answer is none of the
#: machine's business either.
_RAN = frozenset(("", "ok", "match", "mismatch"))
# What is not the machine's own: how a traceback and SQLAlchemy name the driver's exception before its text,
# and SQLite's shell the moment; and the statement that SQLAlchemy repeats behind it.
_WRAPPING = re.compile(
    r"\A\s*(?:\((?:\w+\.)+\w+\) "
    r"|(?:sqlite3|_?duckdb|psycopg2?|pg8000|pymysql|MySQLdb|mysql|mariadb|pymongo)\.[\w.]+: "
    r"|(?:Parse error|Runtime error|Error)(?: near line \d+)?: (?:in prepare, |stepping, )?)?"
    r"|\n\[SQL: .*",
    re.DOTALL,
)

_SQLSTATE = re.compile(r"[0-9A-Z]{5}")
# How codes are written in texts: `SQLSTATE[23000]`, `ERROR 1062 (23000):`, `ERROR:  23505:`, `(1062, "...")`.
_STATE_IN_TEXT = re.compile(
    r"SQLSTATE[\s:\[(]*([0-9A-Z]{5})\b|ERROR \d{4} \(([0-9A-Z]{5})\)|^(?:ERROR|FATAL):\s+([0-9A-Z]{5}):"
)
_CONSTRUCTS_IN_TEXT = re.compile(r"(?:\Aunsupported translation:|;) (\w+):")
_NUMBER_IN_TEXT = re.compile(r"\bERROR (\d{4,5})\b|^\W*(\d{4,5})(?: \([0-9A-Z]{5}\):|, ['\"])")


@dataclass(frozen=True)
class Verdict:
    """A failure as the machine tells it; every part may be missing.

    Attributes:
        text: The machine's text.
        sqlstate: The SQLSTATE, five characters, ``""`` where there is none.
        number: The driver's number (SQLite's extended code, MySQL's or MongoDB's), None where there is none.
        status: The status of an ``Outcome``, or the code of one of this package's errors.
        names: Names of the exception's classes, the most special one first.
        constructs: What a translation refused, by name.
    """

    text: str
    sqlstate: str = ""
    number: int | None = None
    status: str = ""
    names: tuple[str, ...] = ()
    constructs: tuple[str, ...] = ()


def read_verdict(error: BaseException | Outcome | str | None) -> Verdict | None:
    """The failure that ``error`` tells of; None where the statement ran, or nothing is said of it.

    Raises:
        TypeError: It is none of these.
    """
    if error is None:
        return None
    if isinstance(error, Outcome):
        return None if error.error is None else replace(_of_text(error.error), status=error.status)
    if isinstance(error, str):
        if error.strip().lower() in _RAN:
            return None
        found = _of_text(_WRAPPING.sub("", error))
    elif isinstance(error, BaseException):
        original = getattr(error, "orig", None)  # SQLAlchemy wraps the driver's error
        error = original if isinstance(original, BaseException) else error
        found = _of_exception(error)
    else:
        raise TypeError(f"error must be an exception, an Outcome, text or None; got {type(error).__name__}")
    return None if says_nothing(error, found) else found


def _of_text(text: str) -> Verdict:
    state, number = _STATE_IN_TEXT.search(text), _NUMBER_IN_TEXT.search(text)
    return Verdict(
        text,
        sqlstate=next(filter(None, state.groups()), "") if state else "",
        number=int(next(filter(None, number.groups()))) if number else None,
        constructs=_constructs(text),
    )


def _constructs(text: str) -> tuple[str, ...]:
    """What a translation refuses, by name, read off its text."""
    if not text.startswith("unsupported translation:"):
        return ()
    return tuple(name for name in _CONSTRUCTS_IN_TEXT.findall(text) if name in CONSTRUCTS)


def _of_exception(error: BaseException) -> Verdict:
    names = tuple(kind.__name__ for kind in type(error).__mro__[:-2])
    fields = error.args[0] if error.args and isinstance(error.args[0], Mapping) else {}  # pg8000
    text = str(fields["M"] if "M" in fields else error.args[1] if _is_numbered(error.args) else error)
    read = _of_text(text)
    return Verdict(
        text,
        sqlstate=_sqlstate(error, fields) or read.sqlstate,
        number=read.number if (number := _number(error)) is None else number,
        status=error.code if isinstance(error, SqlmendError) else "",
        names=names,
        constructs=tuple(getattr(error, "constructs", ())) or read.constructs,
    )


def _is_numbered(arguments: tuple[Any, ...]) -> bool:
    """Whether these are a number and a text, as MySQL's drivers give them."""
    return len(arguments) > 1 and isinstance(arguments[0], int) and isinstance(arguments[1], str)


def _sqlstate(error: BaseException, fields: Mapping[str, Any]) -> str:
    candidates = (
        getattr(error, "sqlstate", None),
        getattr(error, "pgcode", None),
        # psycopg knows a state that is in no list, as procedures make them up, by its diagnostics alone
        getattr(getattr(error, "diag", None), "sqlstate", None),
        fields.get("C"),
        *error.args[:1],
    )
    return next((c for c in candidates if isinstance(c, str) and _SQLSTATE.fullmatch(c)), "")


def _number(error: BaseException) -> int | None:
    details = getattr(error, "details", None)  # pymongo tells a bulk write's error inside
    inner = details.get("writeErrors") if isinstance(details, Mapping) else None
    candidates = (
        inner[0].get("code") if inner else None,
        getattr(error, "sqlite_errorcode", None),
        getattr(error, "errno", None),
        getattr(error, "code", None),
        *error.args[:1],
    )
    return next((c for c in candidates if isinstance(c, int) and not isinstance(c, bool)), None)
