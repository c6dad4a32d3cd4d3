"""The report of a crystallization study: from its results document to a page and its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlmend._files import write_atomic
from sqlmend.eval.report._blocks import Page
from sqlmend.eval.report._study._banks import banks
from sqlmend.eval.report._study._changes import changes
from sqlmend.eval.report._study._csv import levels_csv
from sqlmend.eval.report._study._first import first_screen
from sqlmend.eval.report._study._provenance import provenance
from sqlmend.eval.report._study._read import Study
from sqlmend.eval.report._study._serving import serving
from sqlmend.eval.report._study._settings import settings
from sqlmend.eval.report._study._sweeps import sweeps
from sqlmend.eval.report._write import write_page

__all__ = ["study_page", "write_study_report"]


def study_page(document: Mapping[str, Any]) -> Page:
    """The page of a study.

    Args:
        document: As :func:`sqlmend.eval.crystallization.study_results` returns it.
    """
    study = Study(document)
    sections = [
        first_screen(study),
        settings(study),
        sweeps(study),
        changes(study),
        serving(study),
        banks(study),
        provenance(study),
    ]
    made = f"sqlmend {study.about['versions'].get('sqlmend', '')}".strip()
    return Page(
        document["title"],
        _lead(study),
        [section for section in sections if section is not None],
        f"Made by {made} from results.json beside this file; `sqlmend report` makes it again.",
    )


def write_study_report(folder: Path, document: Mapping[str, Any]) -> list[Path]:
    """Write a study's ``results.json``, ``results.csv``, ``report.md`` and ``report.html``.

    Each file is replaced at once. ``results.csv`` has a line for each design and setting.

    Args:
        folder: The study's folder.
        document: As :func:`sqlmend.eval.crystallization.study_results` returns it.

    Returns:
        The files, in the order in which they were written; the page for a browser is last.
    """
    texts = {
        "results.json": json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n",
        "results.csv": levels_csv(Study(document)),
    }
    written = []
    for name, text in texts.items():
        write_atomic(folder / name, text)
        written.append(folder / name)
    return written + write_page(folder, study_page(document))


def _lead(study: Study) -> str:
    about = study.about
    held_out = sum(row["held_out_questions"] for row in study.document["split"])
    collection = sum(row["collection_questions"] for row in study.document["split"])
    databases = [row["db_id"] for row in study.document["split"]]
    named = ", ".join(databases) if len(databases) <= 4 else f"{len(databases)} databases"
    words = [
        f"{collection} questions collected from, {held_out} held out ({named})",
        f"definition {about['definition']}",
        f"data {about['benchmark']['data_hash'][:19]}",
        f"model {about['lm'].get('name', 'not named')}",
        f"embedder {about['embedder']}",
        f"seeds {', '.join(map(str, about['seeds']))}",
        f"regime: {about['regime']}",
    ]
    return " · ".join(words)
