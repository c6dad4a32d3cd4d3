"""``sqlmend cards``: banks of corrected questions, made, looked at and carried elsewhere."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Column, Table
from rich.text import Text

from sqlmend._text import for_terminal
from sqlmend.cli._frame import console, emit, example, json_option, out, say
from sqlmend.cli._options import unthinking_lm_options
from sqlmend.cli._records import find_record
from sqlmend.memory import (
    Memory,
    Record,
    export_memory,
    import_into,
    memory_folder,
    new_folder,
)

if TYPE_CHECKING:
    from sqlmend.models import Memo

_KINDS = ("cards",)
_bank = click.argument("bank", metavar="BANK", type=click.Path(path_type=Path))
_target = click.option(
    "--out", "target", metavar="FOLDER", type=click.Path(path_type=Path), required=True, help="The new bank."
)


@click.group(
    epilog=example(
        "sqlmend cards build runs/probe --benchmark spider:DIR --out bank",
        'sqlmend ask DIR/database/pets_1/pets_1.sqlite "How many pets are there?" --cards bank',
    )
)
def command() -> None:
    """Banks of cards: what corrected questions say to later ones.

    BANK is the folder of a bank, of a memory or of a run.
    """


@command.command(
    "build",
    epilog=example(
        "sqlmend cards build runs/probe --benchmark spider:DIR --out bank",
        "sqlmend cards build mine.jsonl --database shop.sqlite --admit assertions:checks.yaml --out bank",
    ),
)
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path))
@_target
@click.option("--benchmark", metavar="SPEC", help="What a run of SOURCE ran over.")
@click.option("--database", metavar="DB", help="File or URL of the database that a file SOURCE asks.")
@click.option(
    "--format",
    "form",
    metavar="NAME",
    default="verbatim",
    show_default=True,
    help="What a card says: verbatim, trace, diff, diff_mode, diff_mode_anchor, diff_guard or capsule.",
)
@click.option(
    "--admit",
    metavar="HOW",
    help="verified (default for a run), vote, noisy:P, assertions:FILE, confirmed:FILE, confirmed (asks).",
)
@click.option(
    "--key",
    type=click.Choice(("question", "payload")),
    default="question",
    show_default=True,
    help="What a card is found by: its question, or also what it says.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of noisy.")
@unthinking_lm_options
@json_option
def build_command(
    source: Path,
    target: Path,
    benchmark: str | None,
    database: str | None,
    form: str,
    admit: str | None,
    key: str,
    seed: int,
    lm: str,
    api_base: str | None,
    memo: Memo | None,
    as_json: bool,
) -> None:
    """Build a bank from SOURCE: a finished run, or a file of your own questions.

    A run gives the questions that were wrong at first, with the query that came last; one without any
    revisions gives its first answers. A file is JSONL of question and sql, with wrong (a list), evidence and
    id where there are any. The language model is asked by the format capsule alone; a question that it fails
    over gets no card.
    """
    import dspy
    from rich.progress import Progress

    from sqlmend.cli._cards_source import open_source
    from sqlmend.eval.crystallization import counts, write_bank, write_cards
    from sqlmend.models import load_lm, meter
    from sqlmend.modules.cards import FORMATS

    target = new_folder(target)
    _ = FORMATS[form]
    with ExitStack() as stack:
        found = open_source(source, benchmark, database, stack)
        admission = found.admission(admit, seed)
        admitted = admission.admit(found.candidates)
        if form == "capsule":
            stack.enter_context(dspy.context(lm=load_lm(lm, api_base=api_base, memo=memo, thinking=False)))
        usage = stack.enter_context(meter())
        bar = stack.enter_context(Progress(console=console, transient=True))
        task = bar.add_task("cards", total=len(admitted))
        written = write_cards(form, admitted, key, done=lambda: bar.advance(task))
    cards = written.cards
    write_bank(cards, target, {**found.origin, "admission": admission.name})
    document = {
        "candidates": len(found.candidates),
        "admitted": len(admitted),
        "lost": written.lost,
        "cards": len(cards),
        "by_database": counts(cards),
        "admission": admission.name,
        "format": form,
        "key": key,
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "output_tokens": usage.output_tokens,
    }

    def render() -> None:
        words = f"{len(cards)} cards of {len(admitted)} admitted of {len(found.candidates)} candidates"
        say(f"{words}, {admission.name}, {form}; {usage.calls} model calls")
        if written.lost:
            say(f"{written.lost} lost: the model failed over their question, and over no other")
        out.print(Text(f"bank: {target}"), soft_wrap=True)

    emit(document, as_json, render)


@command.command("list", epilog=example("sqlmend cards list bank --database pets_1"))
@_bank
@click.option("--database", help="Only cards of this database.")
@json_option
def list_command(bank: Path, database: str | None, as_json: bool) -> None:
    """List the cards, in the order in which they were added."""
    found = [record for record in _cards(bank) if database in (None, record.entry.db_id)]

    def render() -> None:
        whole = [Column(name, no_wrap=True) for name in ("id", "format")]
        folded = [Column(name, overflow="fold") for name in ("database", "failure type", "question")]
        table = Table(*whole, *folded, box=None)
        for record in found:
            entry = record.entry
            cells = (record.id, entry.format, entry.db_id, entry.failure_type, entry.question)
            table.add_row(*(Text(for_terminal(cell, 300)) for cell in cells))
        out.print(table)
        out.print(f"{len(found)} cards")

    emit({"cards": [_summary(record) for record in found]}, as_json, render)


@command.command("show", epilog=example("sqlmend cards show bank 3f9a"))
@_bank
@click.argument("card_id", metavar="ID")
@json_option
def show_command(bank: Path, card_id: str, as_json: bool) -> None:
    """Show one card whole.

    The beginning of its id is enough where no other begins so.
    """
    record = find_record(_cards(bank), card_id)

    def render() -> None:
        entry = record.entry
        lines = [(name, str(value)) for name, value in _summary(record).items()]
        lines += [(part.label, part.text) for part in entry.parts]
        lines += [("found by", entry.key)] if entry.key != entry.question else []
        for name, value in lines:
            label = f"{for_terminal(name, 80)}: "
            out.print(Text.assemble((label, "bold"), for_terminal(value, 20_000)), soft_wrap=True)

    emit(record.to_line(), as_json, render)


@command.command("export", epilog=example("sqlmend cards export cry/bank --out pets-bank"))
@_bank
@_target
@json_option
def export_command(bank: Path, target: Path, as_json: bool) -> None:
    """Write the cards into a new bank, without anything else that lies beside them."""
    count = export_memory(Memory(memory_folder(bank)), target, kinds=_KINDS)
    emit({"exported": count}, as_json, lambda: out.print(Text(f"{count} cards in {target}"), soft_wrap=True))


@command.command("import", epilog=example("sqlmend cards import bank --from pets-bank"))
@_bank
@click.option("--from", "source", metavar="FOLDER", type=click.Path(path_type=Path), required=True)
@json_option
def import_command(bank: Path, source: Path, as_json: bool) -> None:
    """Add the cards of another bank, which is not trusted: all of it is checked first.

    BANK is created where it is missing; what a run or a study has left is not added to.
    """
    done = import_into(bank, source, kinds=_KINDS)
    document = {"added": done.added, "present": done.present, "retired": done.retired}
    words = f"{done.added} added, {done.present} were here already, {done.retired} are forgotten here"
    emit(document, as_json, lambda: out.print(Text(words)))


def _cards(bank: Path) -> list[Record]:
    return list(Memory(memory_folder(bank)).records("cards"))


def _summary(record: Record) -> dict[str, Any]:
    entry = record.entry
    return {
        "id": record.id,
        "question_id": entry.question_id,
        "db_id": entry.db_id,
        "format": entry.format,
        "failure_type": entry.failure_type,
        "question": entry.question,
    }
