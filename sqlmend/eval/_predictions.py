"""Files of predictions, in the formats that systems and benchmarks publish."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.programs import Question

_SUFFIX = re.compile(r"(?:\t|\\t)----- bird -----(?:\t|\\t)(?P<db>[^\t\\]*)\Z")
_RECORD = {"question_id", "predicted_sql"}
_NAMED = 5
_EXPECTED = (
    "expected a JSON object of question id to SQL, a JSON list or JSONL of objects with question_id and "
    "predicted_sql, or one query a line"
)


class _Object(tuple[tuple[str, Any], ...]):
    """A JSON object as its pairs in order: a key may be there twice."""


@dataclass(frozen=True)
class Predictions:
    """One SQL text for each question that has one, and what did not fit.

    Attributes:
        sql: Question id to SQL, for the questions asked for.
        missing: Ids of questions without a prediction.
        unknown: Ids (or positions) in the file that the split does not have.
        duplicate: Ids (or positions) that the file has more than once; the last one counts.
    """

    sql: dict[str, str]
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    duplicate: tuple[str, ...] = ()


def read_predictions(
    path: Path,
    questions: Sequence[Question],
    split_ids: Sequence[str],
    *,
    by_position: bool = False,
    partial: bool = False,
    hint: str | None = None,
) -> Predictions:
    """Read a JSON object of id to SQL, a JSON or JSONL list of records, or one query a line.

    Records have ``question_id`` and ``predicted_sql`` and may have more. In lines the text after a tab is
    ignored and an empty line is an empty prediction; line and question correspond by position. BIRD's
    suffix (a tab, ``----- bird -----``, a tab, the database) is cut, and must name the question's database.
    Ids compare as text. Predictions for other questions of the split are left aside.

    Args:
        path: The file, UTF-8.
        questions: The questions that are asked.
        split_ids: Ids of the whole split in the order of its file, questions without a database included.
        by_position: The file's ids are positions in the split, from 0.
        partial: Take what fits and report the rest, where missing, unknown and duplicate ids are errors.
        hint: What else can be done about these, for people.

    Raises:
        InputError: The file has none of these formats, or does not fit the questions.
    """
    entries, positional = _parse(path)
    positions = by_position or positional
    if positions:
        at = {str(position): split_id for position, split_id in enumerate(split_ids)}
        entries = [(at.get(key, f"position {key}"), sql) for key, sql in entries]
    counts = Counter(key for key, _ in entries)
    sql = dict(entries)
    known = set(split_ids)
    found = Predictions(
        sql={q.id: _without_suffix(sql[q.id], q, path) for q in questions if q.id in sql},
        missing=tuple(question.id for question in questions if question.id not in sql),
        unknown=tuple(key for key in sql if key not in known),
        duplicate=tuple(key for key, count in counts.items() if count > 1),
    )
    if not partial:
        other_ids = None if positions else "--ids position reads the ids as positions in the split"
        _require_whole(found, path, len(questions), "; ".join(filter(None, (hint, other_ids))) or None)
    return found


def _parse(path: Path) -> tuple[list[tuple[str, str]], bool]:
    """The file's (key, SQL) pairs in order, and whether the keys are line numbers."""
    if path.exists() and not path.is_file():
        raise _bad(path, "cannot be read: it is no file")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise _bad(path, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise _bad(path, f"is not UTF-8 (byte {error.start})") from error
    if text.lstrip()[:1] in ("{", "["):
        return _keyed(text, path), False
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    queries = (line.removesuffix("\r").partition("\t")[0] for line in lines)
    return [(str(number), query) for number, query in enumerate(queries)], True


def _keyed(text: str, path: Path) -> list[tuple[str, str]]:
    try:
        document = _loads(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise _not_json(path, error.lineno, error) from error
        return [_record(row, where, path) for where, row in _json_lines(text, path)]
    if isinstance(document, list):
        return [_record(row, f"entry {number}", path) for number, row in enumerate(document)]
    if dict(document).keys() >= _RECORD:
        return [_record(document, "line 1", path)]
    return [(key, _sql(value, f"id {key!r}", path)) for key, value in document]


def _json_lines(text: str, path: Path) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield f"line {number}", _loads(line)
            except json.JSONDecodeError as error:
                raise _not_json(path, number, error) from error


def _loads(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_Object)
    except RecursionError as error:
        raise json.JSONDecodeError("Nested too deeply", text, 0) from error
    except json.JSONDecodeError:
        raise
    except ValueError as error:  # a number of more digits than Python reads
        raise json.JSONDecodeError(str(error), text, 0) from error


def _record(row: Any, where: str, path: Path) -> tuple[str, str]:
    fields = dict(row) if isinstance(row, _Object) else {}
    if not fields.keys() >= _RECORD:
        raise _bad(path, f"{where} is no object with question_id and predicted_sql")
    key = fields["question_id"]
    if not isinstance(key, str | int) or isinstance(key, bool):
        raise _bad(path, f"{where}: question_id must be a number or text; got {type(key).__name__}")
    return str(key), _sql(fields["predicted_sql"], where, path)


def _sql(value: Any, where: str, path: Path) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _bad(path, f"{where}: the SQL must be text or null; got {type(value).__name__}")
    return value


def _without_suffix(sql: str, question: Question, path: Path) -> str:
    suffix = _SUFFIX.search(sql)
    if suffix is None:
        return sql
    if suffix["db"].strip() != question.db_id:
        raise _bad(
            path,
            f"question {question.id} is asked of database {question.db_id!r}, "
            f"but its prediction names {suffix['db'].strip()!r}",
            hint="is this the file of another split?",
        )
    return sql[: suffix.start()]


def _require_whole(found: Predictions, path: Path, asked: int, hint: str | None) -> None:
    faults = {
        f"missing (of {asked} questions)": found.missing,
        "unknown to the benchmark": found.unknown,
        "there more than once": found.duplicate,
    }
    parts = [
        f"{len(ids)} {what}: {', '.join(ids[:_NAMED])}{', ...' if len(ids) > _NAMED else ''}"
        for what, ids in faults.items()
        if ids
    ]
    if parts:
        raise InputError(
            "predictions_do_not_fit",
            f"the ids of {path} do not fit: {'; '.join(parts)}",
            hint=hint,
            context={"missing": found.missing, "unknown": found.unknown, "duplicate": found.duplicate},
        )


def _bad(path: Path, what: str, hint: str | None = None) -> InputError:
    return InputError("bad_predictions", f"{path}: {what}", hint=hint or _EXPECTED)


def _not_json(path: Path, line: int, error: json.JSONDecodeError) -> InputError:
    return _bad(path, f"begins like JSON but is none: line {line}: {error.msg}")
