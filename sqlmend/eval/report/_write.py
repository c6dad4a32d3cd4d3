"""The files of a report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlmend._files import write_atomic
from sqlmend.eval.report._blocks import Page
from sqlmend.eval.report._compare import comparison_page
from sqlmend.eval.report._csv import csv_text
from sqlmend.eval.report._html import render_html
from sqlmend.eval.report._markdown import render_markdown


def write_report(folder: Path, results: Mapping[str, Any]) -> list[Path]:
    """Write a comparison's ``results.json``, two tables, ``report.md`` and ``report.html``.

    Each file is replaced at once. ``results.csv`` has a line for each run, its columns are the measures;
    ``by_question.csv`` one for each program and question, with its costs.

    Args:
        folder: The comparison's folder.
        results: As :func:`sqlmend.eval.measures.results` returns it.

    Returns:
        The files, in the order in which they were written; the page for a browser is last.
    """
    keys = ["program", "same_group", "order", *(measure["key"] for measure in results["measures"])]
    rows = [[run.get(key) for key in keys] for run in results["runs"]]
    costs = list(results["by_question"][0]) if results["by_question"] else []
    texts = {
        "results.json": json.dumps(results, indent=2, ensure_ascii=True, allow_nan=False) + "\n",
        "results.csv": csv_text(keys, rows),
        "by_question.csv": csv_text(costs, [[row[key] for key in costs] for row in results["by_question"]]),
    }
    written = [_put(folder / name, text) for name, text in texts.items()]
    return written + write_page(folder, comparison_page(results))


def write_page(folder: Path, page: Page) -> list[Path]:
    """Write a page as ``report.md`` and ``report.html``.

    Args:
        folder: Where to.
        page: What it says.
    """
    written = [_put(folder / "report.md", render_markdown(page))]
    return [*written, _put(folder / "report.html", render_html(page))]


def _put(path: Path, text: str) -> Path:
    write_atomic(path, text)
    return path
