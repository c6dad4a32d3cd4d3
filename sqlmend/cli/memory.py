"""``sqlmend memory``: look at what is remembered, mend it, forget it, carry it elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Column, Table
from rich.text import Text

from sqlmend._text import for_terminal
from sqlmend.cli._frame import emit, example, json_option, out
from sqlmend.cli._records import find_record, show_values
from sqlmend.memory import (
    KINDS,
    Memory,
    Record,
    RuleEntry,
    cached_indexes,
    check_memory,
    export_memory,
    import_into,
    is_of_a_run,
    memory_folder,
)

_dir = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))


@click.group(epilog=example("sqlmend memory list runs/merit --kind negative"))
def command() -> None:
    """Look at a memory, check it, forget, export and import.

    DIR is the folder of a run or of a memory.
    """


@command.command("list", epilog=example("sqlmend memory list runs/merit --database pets_1 --limit 20"))
@_dir
@click.option("--kind", type=click.Choice(list(KINDS)), help="Only this kind.")
@click.option("--database", help="Only what came from this database.")
@click.option("--type", "failure_type", help="Only this failure type, or type of rule.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many, the first ones.")
@json_option
def list_command(
    folder: Path,
    kind: str | None,
    database: str | None,
    failure_type: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """List the records, by kind, in the order in which they were added."""
    memory = Memory(memory_folder(folder))
    found = [
        record
        for record in _live(memory, kind)
        if database in (None, record.entry.db_id) and failure_type in (None, record.entry.failure_type)
    ]
    shown = found[:limit]
    used = _counters(folder)
    summaries = [_summary(record) | used.get(record.id, {}) for record in shown]
    document = {"found": len(found), "records": summaries}

    def render() -> None:
        out.print(_rule_table(summaries) if kind == "rules" else _table(summaries))
        out.print(Text(f"{len(shown)} of {len(found)} records"))

    emit(document, as_json, render)


@command.command("show", epilog=example("sqlmend memory show runs/merit 3f9a"))
@_dir
@click.argument("record_id", metavar="ID")
@json_option
def show_command(folder: Path, record_id: str, as_json: bool) -> None:
    """Show one record whole.

    The beginning of its id is enough where no other begins so.
    """
    memory = Memory(memory_folder(folder))
    line = find_record(_live(memory), record_id).to_line()
    emit(line, as_json, lambda: show_values(line))


@command.command("check", epilog=example("sqlmend memory check runs/merit --fix"))
@_dir
@click.option("--fix", is_flag=True, help="Set damaged lines aside, into .<memory>.aside beside the folder.")
@json_option
def check_command(folder: Path, fix: bool, as_json: bool) -> None:
    """Read every line, and report what is damaged.

    The exit code is 1 where something is damaged and not fixed.
    """
    report = check_memory(memory_folder(folder), fix=fix)
    document = {
        "ok": report.ok,
        "live": report.live,
        "retired": report.retired,
        "fixed": report.fixed,
        "damage": [
            {"file": d.file.name, "line": d.number, "message": d.message, "torn": d.torn}
            for d in report.damage
        ],
    }

    def render() -> None:
        for kind in report.live:
            out.print(Text(f"{kind}: {report.live[kind]} live, {report.retired[kind]} retired"))
        word = "set aside" if fix else "damaged"
        for damage in report.damage:
            where = f"{damage.file.name} line {damage.number}"
            out.print(Text(for_terminal(f"{word}: {where}: {damage.message}")), soft_wrap=True)
        out.print(Text("ok" if report.ok else "--fix sets the damaged lines aside"))

    emit(document, as_json, render)
    if not report.ok:
        click.get_current_context().exit(1)


@command.command("forget", epilog=example("sqlmend memory forget runs/merit 3f9a0c1d2e4b5a67 --purge"))
@_dir
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--purge", is_flag=True, help="Remove the lines themselves and all that was set aside.")
@json_option
def forget_command(folder: Path, ids: tuple[str, ...], purge: bool, as_json: bool) -> None:
    """Recall records no more; ids are given whole.

    Their lines stay in the log unless --purge rewrites it. The indexes go with them, a run's own and
    those of `ask`; a run's other files keep what they hold.
    """
    with Memory(memory_folder(folder), write=True) as memory:
        changed = memory.forget(ids, purge=purge)
        if purge:
            # Indexes hold texts of the entries; they are made again when they are needed.
            shutil.rmtree(cached_indexes(memory.path), ignore_errors=True)
            if is_of_a_run(memory.path):
                shutil.rmtree(memory.path.with_name("index"), ignore_errors=True)
        left = sum(1 for _ in _live(memory))
    word = "purged" if purge else "retired"
    document = {word: changed, "live": left}
    emit(document, as_json, lambda: out.print(Text(f"{changed} {word}, {left} live")))


@command.command("export", epilog=example("sqlmend memory export runs/merit --out pets-memory"))
@_dir
@click.option("--out", "target", metavar="FOLDER", type=click.Path(path_type=Path), required=True)
@json_option
def export_command(folder: Path, target: Path, as_json: bool) -> None:
    """Write the live records into a new memory folder."""
    count = export_memory(Memory(memory_folder(folder)), target)
    emit(
        {"exported": count}, as_json, lambda: out.print(Text(f"{count} records in {target}"), soft_wrap=True)
    )


@command.command("import", epilog=example("sqlmend memory import my-memory --from pets-memory"))
@_dir
@click.option("--from", "source", metavar="FOLDER", type=click.Path(path_type=Path), required=True)
@json_option
def import_command(folder: Path, source: Path, as_json: bool) -> None:
    """Add the records of another memory.

    DIR is created where it is missing; what a run or a study has left is not added to. What is added
    counts as older than every question; nothing is added unless all of it is sound.
    """
    done = import_into(folder, source)
    document = {"added": done.added, "present": done.present, "retired": done.retired}
    words = f"{done.added} added, {done.present} were here already, {done.retired} are forgotten here"
    emit(document, as_json, lambda: out.print(Text(words)))


def _live(memory: Memory, kind: str | None = None) -> Iterator[Record]:
    for name in KINDS if kind is None else (kind,):
        yield from memory.records(name)


def _summary(record: Record) -> dict[str, Any]:
    entry = record.entry
    summary = {
        "id": record.id,
        "kind": record.kind,
        "position": record.position,
        "db_id": entry.db_id,
        "failure_type": entry.failure_type,
        "question": entry.question,
    }
    if isinstance(entry, RuleEntry):
        rule = entry.rule
        summary |= {
            "anchors": list(rule.anchors),
            "origin": entry.origin,
            "pattern": rule.pattern,
            "condition": rule.condition,
            "correction": rule.correction,
        }
    return summary


def _counters(folder: Path) -> dict[str, dict[str, int]]:
    """How often a run showed each rule, and what it could see of the answers; nothing for a mere memory."""
    from sqlmend.eval import read_episodes, rule_counters

    return rule_counters(read_episodes(folder)) if (folder / "episodes.jsonl").is_file() else {}


def _table(summaries: Sequence[Mapping[str, Any]]) -> Table:
    """Records of any kind, a line or a few for each."""
    whole = [Column(name, no_wrap=True) for name in ("id", "kind", "position")]
    folded = [Column(name, overflow="fold") for name in ("database", "type", "question or rule")]
    table = Table(*whole, *folded, box=None)
    for summary in summaries:
        *cells, question = list(summary.values())[:6]
        table.add_row(*map(_text, cells), _rule(summary) if "correction" in summary else _text(question))
    return table


def _rule_table(summaries: Sequence[Mapping[str, Any]]) -> Table:
    """Rules: what each says, and how it was used where the run is at hand."""
    used = [counted for counted in ("shown", "executed", "agreed") if any(counted in s for s in summaries)]
    folded = [Column(name, overflow="fold") for name in ("database", "type", "rule")]
    counters = [Column(name, justify="right") for name in used]
    table = Table(Column("id", no_wrap=True), *folded, *counters, box=None)
    for summary in summaries:
        cells = [summary[name] for name in ("id", "db_id", "failure_type")]
        table.add_row(*map(_text, cells), _rule(summary), *(_text(summary.get(name, 0)) for name in used))
    return table


def _rule(summary: Mapping[str, Any]) -> Text:
    """What a rule says, a line for each part that it has."""
    parts = {
        "of": ", ".join(summary["anchors"]),
        "when": summary["condition"],
        "not": summary["pattern"],
        "but" if summary["failure_type"] else "": summary["correction"],
        "from": summary["origin"],
    }
    lines = [f"{word}: {text}" if word else text for word, text in parts.items() if text]
    return Text("\n".join(for_terminal(" ".join(line.split()), 300) for line in lines))


def _text(value: Any) -> Text:
    return Text(for_terminal(str(value), 300))
