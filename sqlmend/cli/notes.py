"""``sqlmend notes``: look at what a machine refused, mend the file, forget."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click
from rich.table import Column, Table
from rich.text import Text

from sqlmend._text import for_terminal
from sqlmend.cli._frame import emit, example, json_option, out, say
from sqlmend.cli._notes_measure import command as measure_command
from sqlmend.memory.notes import (
    BACKENDS,
    ERROR_CLASSES,
    OWN_CLASSES,
    NotesReport,
    Refusal,
    check_notes,
    forget_notes,
    read_notes,
)

_file = click.argument("path", metavar="FILE", type=click.Path(path_type=Path))


@click.group(epilog=example("sqlmend notes list notes.jsonl"))
def command() -> None:
    """Look at failure notes, check and count them, forget.

    FILE is what FailureNotes(path) writes: what a database refused, on its own verdict.
    """


command.add_command(measure_command)


@command.command(
    "list", epilog=example("sqlmend notes list notes.jsonl --backend postgres --class raised_rule")
)
@_file
@click.option("--backend", type=click.Choice(BACKENDS), help="Only of this backend.")
@click.option("--class", "error_class", type=click.Choice(ERROR_CLASSES), help="Only of this error class.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many, the last ones recorded.")
@json_option
def list_command(
    path: Path, backend: str | None, error_class: str | None, limit: int | None, as_json: bool
) -> None:
    """List what was refused, in the order in which it was recorded."""
    report = read_notes(path)
    _warn(report)
    found = [
        refusal
        for refusal in report.live
        if backend in (None, refusal.key.backend) and error_class in (None, refusal.error_class)
    ]
    shown = found[-limit:] if limit else found
    document = {"found": len(found), "notes": [_plain(refusal) for refusal in shown]}

    def render() -> None:
        whole = [Column(name, no_wrap=True) for name in ("id", "backend", "error class")]
        folded = [Column(name, overflow="fold") for name in ("text", "shape")]
        table = Table(*whole, *folded, box=None)
        for refusal in shown:
            cells = (refusal.id, refusal.key.backend, refusal.error_class, refusal.detail, refusal.key.shape)
            table.add_row(*(Text(for_terminal(cell, 300)) for cell in cells))
        out.print(table)
        out.print(Text(f"{len(shown)} of {len(found)} notes"))

    emit(document, as_json, render)


@command.command("check", epilog=example("sqlmend notes check notes.jsonl --fix"))
@_file
@click.option(
    "--fix", is_flag=True, help="Set lines that cannot be read aside, into .<file>.aside beside it."
)
@json_option
def check_command(path: Path, fix: bool, as_json: bool) -> None:
    """Read every line, and report what is damaged.

    The exit code is 1 where something is damaged and not fixed.
    """
    report = check_notes(path, fix=fix)
    document = {
        "ok": report.ok,
        "live": len(report.live),
        "forgotten": report.forgotten,
        "fixed": report.fixed,
        "damage": [{"line": b.number, "message": b.message, "torn": b.torn} for b in report.bad],
    }

    def render() -> None:
        out.print(Text(f"{len(report.live)} live, {report.forgotten} forgotten"))
        for line in report.bad:
            word = "set aside" if fix else "torn end" if line.torn else "damaged"
            out.print(Text(for_terminal(f"{word}: line {line.number}: {line.message}")), soft_wrap=True)
        out.print(Text("ok" if report.ok else "--fix sets these lines aside"))

    emit(document, as_json, render)
    if not report.ok:
        click.get_current_context().exit(1)


@command.command("forget", epilog=example("sqlmend notes forget notes.jsonl 2fee1f2497057478 --purge"))
@_file
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--purge", is_flag=True, help="Remove the lines themselves, and all that was set aside.")
@json_option
def forget_command(path: Path, ids: tuple[str, ...], purge: bool, as_json: bool) -> None:
    """Look notes up no more; ids are given whole.

    What is refused again is recorded again.
    """
    changed = forget_notes(path, ids, purge=purge)
    word = "purged" if purge else "forgotten"
    document = {word: changed, "live": len(read_notes(path).live)}
    emit(document, as_json, lambda: out.print(Text(f"{changed} {word}, {document['live']} live")))


@command.command("stats", epilog=example("sqlmend notes stats notes.jsonl"))
@_file
@json_option
def stats_command(path: Path, as_json: bool) -> None:
    """Count the notes by backend and error class, and say how many have no class.

    The share without a class is given with the four classes of our own and without them.
    """
    report = read_notes(path)
    _warn(report)
    document = _stats(report)

    def render() -> None:
        table = Table("error class", *BACKENDS, "all", box=None)
        by_backend = {
            backend: Counter(r.error_class for r in report.live if r.key.backend == backend)
            for backend in BACKENDS
        }
        for name in ERROR_CLASSES:
            counts = [by_backend[backend][name] for backend in BACKENDS]
            table.add_row(name, *map(str, counts), str(sum(counts)))
        out.print(table)
        out.print(Text(f"{document['notes']} notes, {document['worked']} with what worked later"))
        for words, name in (
            ("", "unclassified_rate"),
            (" without our classes", "unclassified_rate_published"),
        ):
            rate = document[name]
            out.print(Text(f"unclassified{words}: {'-' if rate is None else f'{rate:.1%}'}"))

    emit(document, as_json, render)


def _stats(report: NotesReport) -> dict[str, Any]:
    classes = Counter(refusal.error_class for refusal in report.live)
    total = len(report.live)
    none = classes["unclassified"]
    ours = sum(classes[name] for name in OWN_CLASSES)
    return {
        "notes": total,
        "forgotten": report.forgotten,
        "backends": {b: sum(r.key.backend == b for r in report.live) for b in BACKENDS},
        "classes": {name: classes[name] for name in ERROR_CLASSES},
        "unclassified_rate": none / total if total else None,
        "unclassified_rate_published": (none + ours) / total if total else None,
        "worked": sum(bool(refusal.worked) for refusal in report.live),
        "schemas": len({refusal.key.fingerprint for refusal in report.live}),
        "first": min((refusal.at for refusal in report.live), default=None),
        "last": max((refusal.at for refusal in report.live), default=None),
    }


def _plain(refusal: Refusal) -> dict[str, str]:
    return {
        "id": refusal.id,
        "at": refusal.at,
        **refusal.key._asdict(),
        "error_class": refusal.error_class,
        "detail": refusal.detail,
        "construct": refusal.construct,
        "worked": refusal.worked,
    }


def _warn(report: NotesReport) -> None:
    damaged = [line for line in report.bad if not line.torn]
    if damaged:
        say(f"{len(damaged)} lines cannot be read; `sqlmend notes check` tells which")
