"""The report of a comparison: from its results document to a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmend.eval.report._blocks import Page
from sqlmend.eval.report._compare._breakdowns import breakdowns
from sqlmend.eval.report._compare._cases import cases
from sqlmend.eval.report._compare._curves import learning
from sqlmend.eval.report._compare._first import first_screen
from sqlmend.eval.report._compare._measures import measures
from sqlmend.eval.report._compare._pairs import differences, twins
from sqlmend.eval.report._compare._provenance import provenance
from sqlmend.eval.report._compare._read import Results
from sqlmend.eval.report._compare._recall import recall
from sqlmend.eval.report._compare._trees import trees

__all__ = ["comparison_page"]


def comparison_page(document: Mapping[str, Any]) -> Page:
    """The page of a comparison.

    Args:
        document: The content of ``results.json``, as :func:`sqlmend.eval.measures.results` returns it.
    """
    results = Results(document)
    examples = cases(results)
    sections = [
        first_screen(results),
        learning(results),
        breakdowns(results),
        differences(results),
        twins(results),
        examples.section,
        trees(results, examples.trees),
        recall(results, examples.memories),
        measures(results),
        provenance(results),
    ]
    made = f"sqlmend {results.provenance['versions'].get('sqlmend', '')}".strip()
    return Page(
        document["title"],
        _lead(results),
        [section for section in sections if section is not None],
        f"Made by {made} from results.json beside this file; `sqlmend report` makes it again.",
    )


def _lead(results: Results) -> str:
    about = results.provenance
    databases = about["databases"]
    named = ", ".join(databases) if len(databases) <= 4 else f"{len(databases)} databases"
    words = [
        f"{about['questions']} questions in {about['groups']} groups of twins ({named})",
        f"definition {about['definition']}",
        f"model {about['lm'].get('name', 'not named')}",
        f"budget {about['budget']}" if about["budget"] is not None else "",
        f"section order {' and '.join(about['section_orders'])}",
        f"embedder {about['embedder']}" if about["embedder"] else "",
        "twins excluded" if results.is_excluded else "",
        f"regime: {about['regime']}",
    ]
    return " · ".join(filter(None, words))
