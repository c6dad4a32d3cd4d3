"""``sqlmend notes measure``: is a refused statement tried again?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from sqlmend.cli._frame import console, emit, example, json_option, out
from sqlmend.cli._options import lm_options, split_names
from sqlmend.eval.notes_measure import ARMS, OUTCOMES

if TYPE_CHECKING:
    from sqlmend.models import Memo

_COLUMNS = {
    "failed": "failed",
    "answered": "answers",
    "off_task": "off task",
    "declined": "blocked",
    "no_statement": "none",
}
#: The others' are in ``results.json``: a line has 80 columns.
_WITH_INTERVAL = ("failed", "answered", "off_task")


@click.command(
    "measure", epilog=example("sqlmend notes measure --lm local:1.5b --draws 5 --out runs/notes-measure")
)
@lm_options
@click.option(
    "--draws", type=click.IntRange(min=1), default=5, show_default=True, help="Answers for each scenario."
)
@click.option(
    "--temperature",
    type=click.FloatRange(min=0, min_open=True),
    default=0.7,
    show_default=True,
    help="Of sampling.",
)
@click.option("--arms", default=",".join(ARMS), show_default=True, metavar="A,B", help="What is compared.")
@click.option(
    "--out", "folder", required=True, type=click.Path(path_type=Path), help="The measurement's folder."
)
@click.option("--resume", is_flag=True, help="Go on where a killed measurement stopped.")
@json_option
def command(
    lm: str,
    api_base: str | None,
    memo: Memo | None,
    thinking: bool,
    draws: int,
    temperature: float,
    arms: str,
    folder: Path,
    resume: bool,
    as_json: bool,
) -> None:
    """Measure whether a model tries a refused statement again.

    Bundled scenarios ask for statements whose natural form is refused: by a rule that the schema does not
    show, by a constraint that it shows, or by a document store. Where the first attempt fails and leaves a
    note, the model is asked again with the statement as a draft: nothing said of it, a plain warning, or
    the note.
    """
    from sqlmend.eval.notes_measure import MeasureRequest, measure
    from sqlmend.models import load_lm

    request = MeasureRequest(
        lm=load_lm(lm, api_base=api_base, memo=memo, thinking=thinking),
        out=folder,
        draws=draws,
        temperature=temperature,
        arms=tuple(split_names(arms) or ()),
        resume=resume,
    )
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
    ) as bar:
        task = bar.add_task("scenarios", total=None)
        results = measure(request, lambda done, total: bar.update(task, completed=done, total=total))

    def render() -> None:
        out.print(_table(results, request.arms))
        out.print(f"measurement: {folder}", soft_wrap=True)

    emit(results, as_json, render)


def _table(results: dict[str, Any], arms: tuple[str, ...]) -> Table:
    """Rates by kind of scenario and arm, with their intervals; narrow enough for 80 columns."""
    first = results["first"]["all"]
    table = Table(box=None, title_justify="left", caption_justify="left")
    table.title = f"{first['noted']} of {first['n']} first attempts failed and left a note"
    table.caption = "percent, with 95 % intervals over scenarios"
    table.add_column("", no_wrap=True)
    for name in ("n", *_COLUMNS.values()):
        table.add_column(name, justify="right", no_wrap=True)
    for kind, by_arm in results["rates"].items():
        table.add_row(kind, style="bold")
        for arm in arms:
            rates = by_arm[arm]
            cells = (
                [_cell(rates[outcome], outcome in _WITH_INTERVAL) for outcome in OUTCOMES]
                if rates["n"]
                else []
            )
            table.add_row(f"  {arm}", str(rates["n"]), *cells)
    return table


def _cell(found: dict[str, Any], with_interval: bool) -> str:
    rate, low, high = (f"{100 * found[name]:.0f}" for name in ("rate", "low", "high"))
    return f"{rate} [{low}-{high}]" if with_interval else rate
