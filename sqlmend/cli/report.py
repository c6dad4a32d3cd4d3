"""``sqlmend report``: the tables and pages of a comparison or a study, from what is on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from sqlmend.cli._frame import emit, example, json_option, out, say
from sqlmend.errors import InputError

#: A folder with one of these holds a study of crystallization, or a comparison.
_STUDY, _COMPARISON = "crystallization.json", "comparison.json"


@click.command(epilog=example("sqlmend report cmp/", "sqlmend report cry/"))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Rebuild the report of a comparison or of a crystallization study.

    DIR is the --out of `sqlmend compare` or `sqlmend crystallize`; it need not be finished. Written are
    report.html, report.md, results.csv and results.json, and of a comparison by_question.csv.
    """
    if (folder / _STUDY).is_file():
        rebuild = _study
    elif (folder / _COMPARISON).exists():
        rebuild = _comparison
    else:
        raise InputError(
            "no_comparison",
            f"{folder} holds no comparison and no study of crystallization",
            hint="sqlmend compare --out makes the one, sqlmend crystallize --out the other",
        )
    document, files = rebuild(folder)
    written = {"complete": document["complete"], "files": [file.name for file in files]}

    def render() -> None:
        for file in files:
            out.print(Text(str(file)), soft_wrap=True)

    emit(written, as_json, render)


def _comparison(folder: Path) -> tuple[dict[str, Any], list[Path]]:
    from sqlmend.eval.measures import results
    from sqlmend.eval.report import write_report

    document = results(folder)
    files = write_report(folder, document)
    for run in document["missing"]:
        way = f" {run['same_group']}" if run["same_group"] else ""
        say(f"not finished: {run['program']}{way} order {run['order']}, {run['done']} of {run['of']}")
    return document, files


def _study(folder: Path) -> tuple[dict[str, Any], list[Path]]:
    from sqlmend.cli._study_tables import missing_lines
    from sqlmend.eval.crystallization import study_results
    from sqlmend.eval.report import write_study_report

    document = study_results(folder)
    files = write_study_report(folder, document)
    for line in missing_lines(document):
        say(line)
    return document, files
