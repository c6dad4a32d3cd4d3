"""The rows of a question file, checked and held as a Hugging Face `datasets.Dataset`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend.errors import InputError

if TYPE_CHECKING:
    from datasets import Dataset

#: What is kept of a row, all of it text: question_id, db_id, question, evidence, difficulty, reference.
COLUMNS = ("question_id", "db_id", "question", "evidence", "difficulty", "reference")


def read_rows(path: Path) -> list[Any]:
    """The rows of a JSON list, or of JSONL where the file's name says so; not checked further.

    Raises:
        InputError: The file cannot be read or is not what its name says.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        rows = json.loads(text)
    except OSError as error:
        raise _bad(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _bad(f"{path} is not JSON in UTF-8: {error}") from error
    if not isinstance(rows, list):
        raise _bad(f"{path}: expected a list of questions; got {type(rows).__name__}")
    return rows


def questions_dataset(rows: Sequence[Any], where: str, *, reference: str, own_ids: bool) -> Dataset:
    """The rows as a dataset of ``COLUMNS``; fields that are not needed, such as parse trees, are dropped.

    The rows are given to `datasets` parsed: its JSON loader infers types over whole files, writes a cache
    and reports every use to a server, while this stays in memory.

    Args:
        rows: The file's rows.
        where: The file, for errors.
        reference: Name of the field that holds the reference SQL.
        own_ids: Ids are the rows' ``question_id``, where there are any; otherwise positions.

    Raises:
        InputError: A row lacks a field or holds no text where text belongs, or an id is there twice.
    """
    from datasets import Dataset, Features, Value

    if not rows:
        raise _bad(f"{where} holds no question")
    own_ids = own_ids and any(isinstance(row, dict) and "question_id" in row for row in rows)
    table = [
        _row(row, position, where, reference=reference, own_id=own_ids) for position, row in enumerate(rows)
    ]
    _require_unique((row["question_id"] for row in table), where)
    return Dataset.from_list(table, features=Features({name: Value("string") for name in COLUMNS}))


def _row(row: Any, position: int, where: str, *, reference: str, own_id: bool) -> dict[str, str]:
    place = f"{where}, question {position}"
    if not isinstance(row, dict):
        raise _bad(f"{place}: expected an object; got {type(row).__name__}")
    needed = ["db_id", "question", reference, *(["question_id"] if own_id else [])]
    if absent := [name for name in needed if row.get(name) is None]:
        raise _bad(
            f"{place} has no {' and no '.join(absent)}; it has {', '.join(map(str, row)) or 'nothing'}",
            hint="Spider's files have query, BIRD's have SQL: is this the other benchmark?",
        )
    db_id = _text(row, "db_id", place)
    if db_id in ("", ".", "..") or any(mark in db_id for mark in "/\\\0"):
        raise _bad(f"{place}: db_id must be the name of a folder; got {db_id!r}")
    return {
        "question_id": _text(row, "question_id", place) if own_id else str(position),
        "db_id": db_id,
        "question": _text(row, "question", place),
        "evidence": _text(row, "evidence", place),
        "difficulty": _text(row, "difficulty", place),
        "reference": _text(row, reference, place),
    }


def _text(row: dict[str, Any], name: str, place: str) -> str:
    value = row.get(name)
    if name == "question_id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _bad(f"{place}: {name} must be text; got {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise _bad(f"{place}: {name} is no valid Unicode text") from error
    return value


def _require_unique(ids: Iterable[str], where: str) -> None:
    twice = [key for key, count in Counter(ids).items() if count > 1]
    if twice:
        raise _bad(f"{where}: {len(twice)} ids are there more than once: {', '.join(twice[:5])}")


def _bad(message: str, hint: str | None = None) -> InputError:
    return InputError("bad_benchmark", message, hint=hint)
