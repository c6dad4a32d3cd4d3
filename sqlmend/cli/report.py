"""``sqlmend report``: the tables and pages of a comparison, from what is on disk."""

from __future__ import annotations

from pathlib import Path

import click
from rich.text import Text

from sqlmend.cli._frame import emit, example, json_option, out, say


@click.command(epilog=example("sqlmend report cmp/"))
@click.argument("folder", metavar="CMP", type=click.Path(path_type=Path, file_okay=False))
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Rebuild the report of a comparison.

    CMP is the --out of `sqlmend compare`; it need not be finished. Written are report.html, report.md,
    results.csv, by_question.csv and results.json.
    """
    from sqlmend.eval.measures import results
    from sqlmend.eval.report import write_report

    document = results(folder)
    files = write_report(folder, document)
    for run in document["missing"]:
        way = f" {run['same_group']}" if run["same_group"] else ""
        say(f"not finished: {run['program']}{way} order {run['order']}, {run['done']} of {run['of']}")
    written = {"complete": document["complete"], "files": [file.name for file in files]}

    def render() -> None:
        for file in files:
            out.print(Text(str(file)), soft_wrap=True)

    emit(written, as_json, render)
