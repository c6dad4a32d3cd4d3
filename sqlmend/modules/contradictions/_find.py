"""Contradictions of a question's candidates, without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmend.databases import Database
from sqlmend.modules.contradictions._facts import Facts
from sqlmend.modules.contradictions._finding import Finding, merged
from sqlmend.modules.contradictions._names_and_keys import join_findings, name_findings
from sqlmend.modules.contradictions._profile import profile
from sqlmend.modules.contradictions._query import Query
from sqlmend.modules.contradictions._question import question_findings
from sqlmend.modules.contradictions._structure import structure_findings
from sqlmend.modules.contradictions._values import use_findings, value_findings
from sqlmend.modules.tree import Candidate, observe


def find(
    candidates: Sequence[Candidate],
    database: Database,
    question: str,
    evidence: str = "",
    facts: Facts | None = None,
) -> tuple[Finding, ...]:
    """What speaks against candidates, from the schema, the data, their results and each other.

    A candidate that the schema speaks against is explained: neither its result nor its structure is
    compared with the others'. Nothing here knows the right answer.

    Args:
        candidates: The candidates; those without a result are run.
        database: Where they run, and whose columns are looked at, read-only and capped.
        question: The question's text.
        evidence: Its evidence, may be empty.
        facts: What this question has read of the database so far; None: nothing yet.

    Returns:
        The findings, schema first, then structure, then question.
    """
    schema, facts = database.schema(), facts or Facts(database)
    run = [c if c.result is not None else replace(c, result=observe(c.sql, database)) for c in candidates]
    run.sort(key=lambda candidate: candidate.label)
    queries = {c.label: query for c in run if (query := Query.parse(c.sql, schema)) is not None}
    words = f"{question}\n{evidence}"
    found: list[Finding] = []
    for candidate in run:
        unknown = list(name_findings(candidate, schema))
        found += unknown
        if not unknown and (query := queries.get(candidate.label)) is not None:
            siblings = [other for label, other in queries.items() if label != candidate.label]
            found += join_findings(candidate.label, query, schema)
            found += value_findings(candidate.label, query, siblings, facts, words)
            found += use_findings(candidate.label, query, facts)
    explained = {label for finding in found for label in finding.candidates}
    clear = [c for c in run if c.label not in explained and c.result is not None and c.result.ok]
    profiles = {c.label: made for c in clear if (made := profile(c.sql, schema, facts)) is not None}
    found += structure_findings(clear, profiles)
    for candidate in clear:
        if candidate.label in queries:
            found += question_findings(candidate, queries[candidate.label], question, facts)
    return tuple(merged(found))
