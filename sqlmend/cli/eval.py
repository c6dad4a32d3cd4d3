"""``sqlmend eval``: predictions against a benchmark's references."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import Progress
from rich.table import Table

from sqlmend import __version__
from sqlmend.cli._frame import console, emit, example, json_option, out, say
from sqlmend.cli._options import benchmark_options, ids_option, split_names, timeout_option, tolerance_option
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark, Oracle, Predictions, Verdict
    from sqlmend.programs import Question


@click.command(
    epilog=example(
        "sqlmend eval predictions.json --benchmark mini --definition bag --out verdicts.jsonl --partial"
    )
)
@click.argument("predictions", type=click.Path(path_type=Path))
@benchmark_options
@click.option("--definition", help="Definition of execution accuracy (default: the benchmark's own).")
@click.option(
    "--out",
    "target",
    type=click.Path(path_type=Path),
    help="File for the verdicts, as JSONL; an earlier one of its kind is replaced, another file is not.",
)
@click.option("--partial", is_flag=True, help="Judge what fits, where ids are missing, unknown or doubled.")
@ids_option
@timeout_option
@tolerance_option
@json_option
def command(
    predictions: Path,
    benchmark: str,
    databases: str | None,
    limit: int | None,
    sample: str | None,
    definition: str | None,
    target: Path | None,
    partial: bool,
    ids: str,
    timeout: float,
    float_tolerance: float | None,
    as_json: bool,
) -> None:
    """Judge PREDICTIONS against the references of a benchmark.

    PREDICTIONS is a JSON object of question id to SQL, a JSON list or JSONL of objects with question_id and
    predicted_sql, or one query a line in the order of the split.
    """
    from sqlmend._files import write_atomic
    from sqlmend.eval import load_benchmark, read_predictions

    if target is not None:
        _require_replaceable(target)
    with load_benchmark(benchmark).select(
        databases=split_names(databases), limit=limit, sample=sample
    ) as chosen:
        given = read_predictions(
            predictions,
            chosen.questions,
            chosen.split_ids,
            by_position=ids == "position",
            partial=partial,
            hint="--partial judges what fits",
        )
        oracle = chosen.oracle(definition, timeout_s=timeout, float_tolerance=float_tolerance)
        judged = [question for question in chosen.questions if question.id in given.sql]
        if not judged:
            raise InputError("nothing_to_judge", f"{predictions} has a prediction for none of the questions")
        verdicts = _judge_all(oracle, judged, given)
        rows = [_row(*pair, oracle.definition) for pair in zip(judged, verdicts, strict=True)]
        document = {
            **_document(rows, chosen, given, oracle.definition),
            "timeout_s": timeout,
            "float_tolerance": float_tolerance,
            "version": __version__,
        }
    if target is not None:
        try:
            write_atomic(target, "".join(json.dumps(row) + "\n" for row in rows))
        except OSError as error:
            raise InputError("out_not_writable", f"--out {target}: {error.strerror}") from error
    if partial:
        say(f"partial: {document['n']} of {len(chosen.questions)} questions have a prediction")
    emit(document, as_json, lambda: _show(document))


def _judge_all(oracle: Oracle, questions: Sequence[Question], given: Predictions) -> list[Verdict]:
    from sqlmend.eval import Item, evaluate_batch

    items = [Item(question.id, question.db_id, given.sql[question.id]) for question in questions]
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("judging", total=len(items))
        return evaluate_batch(oracle, items, progress=lambda done, _: bar.update(task, completed=done))


def _row(question: Question, verdict: Verdict, definition: str) -> dict[str, Any]:
    row = {
        "question_id": question.id,
        "db_id": question.db_id,
        "score": verdict.score,
        "outcome": verdict.outcome,
        "flags": list(verdict.flags),
        "diagnostics": list(verdict.diagnostics),
        "definition": definition,
    }
    return row if verdict.databases == 1 else {**row, "databases": verdict.databases}


def _document(
    rows: Sequence[dict[str, Any]], benchmark: Benchmark, given: Predictions, definition: str
) -> dict[str, Any]:
    correct = sum(row["score"] for row in rows)
    return {
        "benchmark": benchmark.name,
        "definition": definition,
        "n": len(rows),
        "correct": correct,
        "ex": correct / len(rows),
        "outcomes": dict(Counter(row["outcome"] for row in rows).most_common()),
        "flags": dict(Counter(flag for row in rows for flag in row["flags"]).most_common()),
        "left_out": benchmark.left_out,
        "missing": len(given.missing),
        "unknown": len(given.unknown),
        "duplicate": len(given.duplicate),
        "data_hash": benchmark.data_hash,
    }


def _show(document: dict[str, Any]) -> None:
    """The summary for people."""
    out.print(
        f"{document['benchmark']}: {document['correct']} of {document['n']} right, "
        f"EX {document['ex']:.1%} by definition {document['definition']}",
        soft_wrap=True,
    )
    table = Table()
    table.add_column("outcome or flag")
    table.add_column("questions", justify="right")
    for name, count in document["outcomes"].items():
        table.add_row(name, str(count))
    table.add_section()
    for name, count in document["flags"].items():
        table.add_row(name, str(count))
    out.print(table)
    for db_id, count in document["left_out"].items():
        say(f"left out: {count} questions of {db_id}, whose database is not here")


def _require_replaceable(target: Path) -> None:
    """Refuse to write over anything but earlier verdicts.

    Raises:
        InputError: The target is a folder, or a file that is no file of verdicts.
    """
    if target.exists() and not target.is_file():
        raise InputError("out_is_no_file", f"--out {target} is a folder or a device; expected a file")
    if target.exists() and target.stat().st_size:
        with target.open("rb") as file:
            first = file.readline()
        if not (first.startswith(b'{"question_id":') and b'"definition":' in first):
            raise InputError(
                "out_exists",
                f"--out {target} exists and holds no verdicts",
                hint="it is left as it is: choose another file",
            )
