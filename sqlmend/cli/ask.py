"""``sqlmend ask``: one question of one's own database."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sqlmend._text import cap, for_terminal
from sqlmend.cli._frame import console, emit, example, json_option, out, say
from sqlmend.cli._options import embedder_option, lm_options, set_option, timeout_option
from sqlmend.cli._rows import plain, rows_table
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlmend.databases import Outcome
    from sqlmend.eval import Answer
    from sqlmend.models import Memo

_MOST = 10  # databases of a bank that are named
_SQL = 20_000  # characters of a query: it is there to be copied


@click.command(
    epilog=example(
        'sqlmend ask shop.sqlite "Which customers ordered nothing?" --memory runs/merit',
        'sqlmend ask shop.sqlite "Which customers ordered nothing?" --cards shop-cards',
        'sqlmend ask shop.sqlite "Which customers ordered nothing?" --memory shop-memory --keep --feedback',
    )
)
@click.argument("database")
@click.argument("question")
@click.option("--program", help="Preset's name or YAML file (default: merit).")
@click.option("--evidence", default="", help="What the model should know beside the question.")
@click.option(
    "--memory", type=click.Path(path_type=Path, file_okay=False), help="Run or memory folder to recall from."
)
@click.option(
    "--cards",
    type=click.Path(path_type=Path, file_okay=False),
    help="Card bank to recall from, by the program cards_probe; stands for --program and --memory.",
)
@click.option("--keep", is_flag=True, help="Keep in --memory what is learnt, and what you have judged.")
@click.option(
    "--feedback", is_flag=True, help="You say whether each answer is right; a wrong one is repaired."
)
@lm_options
@set_option
@embedder_option
@click.option("--budget", type=click.IntRange(0, 100), help="Revisions at most (default: the preset's).")
@timeout_option
@click.option(
    "--rows", type=click.IntRange(min=0), default=20, show_default=True, help="Rows to show at most."
)
@json_option
def command(
    database: str,
    question: str,
    program: str | None,
    evidence: str,
    memory: Path | None,
    cards: Path | None,
    keep: bool,
    feedback: bool,
    lm: str,
    api_base: str | None,
    memo: Memo | None,
    thinking: bool,
    overrides: tuple[str, ...],
    embedder: str,
    budget: int | None,
    timeout: float,
    rows: int,
    as_json: bool,
) -> None:
    """Ask QUESTION of DATABASE (a file or URL): the query, its rows and what was recalled.

    A query that fails is repaired. Whether one that runs is right, nobody knows unless you say so
    (--feedback), and only what you have judged is remembered as a repair or as a dead end. Rules that a
    program such as sdam learns by itself need no verdict (--keep), and notes only the database's.
    """
    from sqlmend.databases import open_database
    from sqlmend.eval import answer
    from sqlmend.models import load_lm
    from sqlmend.programs import load_program
    from sqlmend.retrievers import get_embedder

    if feedback and not sys.stdin.isatty():
        raise InputError("no_terminal", "--feedback asks you on a terminal, and there is none")
    changes = [*overrides, *([] if budget is None else [f"budget={budget}"])]
    if cards is not None:
        _require_alone(program, memory, keep)
        # Nothing is measured here: a card of this very question is what its owner keeps cards for.
        program, memory, changes = "cards_probe", cards, ["recall_cards.own=allow", *changes]
    repair = load_program(program or "merit", changes)
    db_id = Path(database).stem
    # Where a person is asked, the screen is theirs.
    waiting = nullcontext() if feedback else console.status("asking, and repairing what fails")
    with open_database(database) as opened, waiting:
        found = answer(
            question,
            opened,
            repair,
            load_lm(lm, api_base=api_base, memo=memo, thinking=thinking),
            db_id=db_id,
            evidence=evidence,
            memory=memory,
            embedder=get_embedder(embedder) if memory is not None and repair.reads_memory else None,
            timeout_s=timeout,
            judge=partial(_judge, rows) if feedback else None,
            keep=keep,
        )
    document = _document(found, rows)
    if cards is not None:
        document["bank_databases"] = _databases(cards)
        if not found.recalled and db_id not in document["bank_databases"]:
            say(_no_cards(db_id, document["bank_databases"]))
    emit(document, as_json, lambda: _show(found, rows))
    if keep and not found.kept:
        say(_not_kept(found, feedback))
    if found.outcome.status != "ok" or _rejected(found):
        sys.exit(1)


def _rejected(found: Answer) -> bool:
    """Whether the person has said of the last query too that it is wrong."""
    return found.attempts[-1].execution.status == "mismatch"


def _not_kept(found: Answer, feedback: bool) -> str:
    """Why a memory that was to be added to was not."""
    if len(found.attempts) == 1:
        return "nothing kept: no query was revised, and the program has learnt nothing else"
    if not feedback:
        return "nothing kept: nobody has judged the answer; --feedback asks you"
    if found.attempts[-1].execution.status == "ok":
        return "nothing kept: you could not say whether an answer is right"
    return "nothing kept: the program has learnt nothing, or nothing new"


def _require_alone(program: str | None, memory: Path | None, keep: bool) -> None:
    """Refuse what ``--cards`` stands for beside it, and to write into a bank."""
    if keep:
        raise InputError(
            "bad_options",
            "a bank of cards is not added to by asking",
            hint="sqlmend cards build, or --memory",
        )
    for option, value in (("--program", program), ("--memory", memory)):
        if value is not None:
            raise InputError(
                "bad_options",
                f"--cards stands for --program cards_probe and --memory; got {option} {value} as well",
                hint="give --cards alone, or --program and --memory",
            )


def _databases(cards: Path) -> list[str]:
    """The databases that a bank has cards of."""
    from sqlmend.memory import Memory, memory_folder

    return sorted({record.entry.db_id for record in Memory(memory_folder(cards)).records("cards")})


def _no_cards(db_id: str, databases: Sequence[str]) -> str:
    """Why nothing was recalled: cards are found by their database's name."""
    held = f"{', '.join(databases[:_MOST])}{', ...' if len(databases) > _MOST else ''}"
    return (
        f"no card was recalled: {db_id}, as the database's file is called, is none of the databases that the"
        f" bank has cards of ({held or 'none'})"
    )


def _document(found: Answer, rows: int) -> dict[str, Any]:
    outcome = found.outcome
    return {
        "sql": found.sql,
        "status": outcome.status,
        "error": outcome.error,
        "columns": list(outcome.columns),
        "rows": [[plain(value) for value in row] for row in outcome.rows[:rows]],
        "row_count": len(outcome.rows),
        "attempts": [
            {
                "sql": attempt.execution.sql,
                "status": attempt.execution.status,
                "error": attempt.execution.error,
                "failure_type": attempt.failure_type,
                "recalled": list(attempt.recalled),
            }
            for attempt in found.attempts
        ],
        "recalled": [
            {"id": record.id, "kind": record.kind, **record.entry.to_dict()} for record in found.recalled
        ],
        "confidence": found.confidence,
        "kept": [{"id": record.id, "kind": record.kind} for record in found.kept],
        "calls": found.usage.calls,
        "prompt_tokens": found.usage.prompt_tokens,
        "output_tokens": found.usage.output_tokens,
        "cut_off": found.usage.cut_off,
    }


def _show(found: Answer, rows: int) -> None:
    from sqlmend.cli._taught import taught

    outcome = found.outcome
    for number, attempt in enumerate(found.attempts[:-1], 1):
        wrong = attempt.execution.status == "mismatch"
        why = "you said no" if wrong else f"{attempt.execution.status}: {attempt.execution.error or ''}"
        say(f"attempt {number} failed: {why}")
    for record in found.recalled:
        entry = record.entry
        about = ", ".join(filter(None, (f"{record.kind} {record.id}", entry.failure_type)))
        say(f"recalled {about}, from: {cap(entry.question, 200)}\n{cap(taught(entry), 200)}")
    if cut := found.usage.cut_off:
        asked = found.usage.calls
        say(f"{cut} of {asked} answers of the model cut off: at the limit, or where it repeats itself")
    out.print(for_terminal(found.sql, _SQL) or "(no query)", soft_wrap=True)
    if outcome.status != "ok":
        say(f"{outcome.status}: {outcome.error}", style="bold red")
        if again := len(found.attempts) - len({attempt.execution.sql for attempt in found.attempts}):
            say(
                f"hint: the model gave a query again {again} times, word for word; --program merit_resample"
                " draws another then, --evidence tells it more, a larger --lm knows more"
            )
        return
    if _rejected(found):
        say(f"you said no to the last query; {len(found.attempts)} were tried", style="bold red")
        return
    out.print(rows_table(outcome, rows, out.width))
    hidden = max(0, len(outcome.rows) - rows)
    out.print(f"{len(outcome.rows)} rows" + (f", {hidden} not shown" if hidden else ""))
    if found.confidence is not None:
        out.print(f"{found.confidence:.0%} of the candidates agree on these rows")
    for record in found.kept:
        say(f"kept {record.kind} {record.id}: {cap(taught(record.entry), 200)}")


def _judge(rows: int, sql: str, outcome: Outcome) -> bool | None:
    """What the person at the terminal says of a query and its rows."""
    console.print(for_terminal(sql, _SQL), soft_wrap=True)
    console.print(rows_table(outcome, rows, console.width))
    said = click.prompt(
        f"{len(outcome.rows)} rows. Is this right?", type=click.Choice(["y", "n", "?"]), default="?", err=True
    )
    return {"y": True, "n": False}.get(said)
