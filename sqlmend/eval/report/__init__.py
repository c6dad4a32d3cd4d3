"""Reports: pages of words, tables, charts and examples, as one HTML file and as Markdown."""

from typing import TYPE_CHECKING

from sqlmend._lazy import lazy_exports
from sqlmend.eval.report._blocks import (
    Beside,
    Case,
    Cases,
    Drawing,
    Facts,
    Figure,
    Page,
    Part,
    Section,
    Side,
    Table,
    Words,
)
from sqlmend.eval.report._cells import Column, Estimate, Spread
from sqlmend.eval.report._charts import (
    Bar,
    Canvas,
    Curve,
    Interval,
    Mark,
    bars,
    both,
    curves,
    forest,
    tradeoff,
)

if TYPE_CHECKING:
    from sqlmend.eval.report._compare import comparison_page
    from sqlmend.eval.report._csv import csv_text
    from sqlmend.eval.report._html import render_html
    from sqlmend.eval.report._markdown import render_markdown
    from sqlmend.eval.report._study import study_page, write_study_report
    from sqlmend.eval.report._write import write_page, write_report

__all__ = [
    "Bar",
    "Beside",
    "Canvas",
    "Case",
    "Cases",
    "Column",
    "Curve",
    "Drawing",
    "Estimate",
    "Facts",
    "Figure",
    "Interval",
    "Mark",
    "Page",
    "Part",
    "Section",
    "Side",
    "Spread",
    "Table",
    "Words",
    "bars",
    "both",
    "comparison_page",
    "csv_text",
    "curves",
    "forest",
    "render_html",
    "render_markdown",
    "study_page",
    "tradeoff",
    "write_page",
    "write_report",
    "write_study_report",
]

# These need the template engine.
__getattr__ = lazy_exports(
    __name__,
    {
        "comparison_page": "_compare",
        "csv_text": "_csv",
        "render_html": "_html",
        "render_markdown": "_markdown",
        "study_page": "_study",
        "write_page": "_write",
        "write_report": "_write",
        "write_study_report": "_study",
    },
)
