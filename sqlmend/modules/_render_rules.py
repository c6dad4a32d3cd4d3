"""Rules, candidates and contradictions as sections of a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmend._text import cap, for_prompt
from sqlmend.databases import Schema
from sqlmend.memory import Rule
from sqlmend.modules._limits import ERROR_LIMIT, SQL_LIMIT
from sqlmend.modules.contradictions import Finding
from sqlmend.modules.tree import Candidate, Path, normalise

_RULE_LIMIT = 600
_FINDING_LIMIT = 400
_SHOWN_ROWS = 3
_VALUE_LIMIT = 60
_PATH_LIMIT = 2_000
_PATHS_LIMIT = 6_000
_DIFFER = {None: "", True: "results differ; ", False: "results agree; "}


def render_rules(rules: Sequence[Rule]) -> str:
    """The rules, numbered, best first."""
    return "\n".join(f"[{n}] {for_prompt(rule_text(rule), _RULE_LIMIT)}" for n, rule in enumerate(rules, 1))


def rule_text(rule: Rule) -> str:
    """A rule in one line; a free lesson is its words alone."""
    if not rule.type:
        return " ".join(rule.correction.split())
    bound = f" [{', '.join(rule.anchors)}]" if rule.anchors else ""
    parts = [f"{rule.type}{bound}"]
    parts += [f"when: {rule.condition}"] if rule.condition else []
    parts += [f"not: {rule.pattern}"] if rule.pattern else []
    return " ".join("; ".join([*parts, f"but: {rule.correction}"]).split())


def render_outcomes(candidates: Sequence[Candidate]) -> str:
    """The candidates' queries with what came of them: status, or columns and number of rows and the first."""
    return "\n".join(
        f"[{candidate.label}] {for_prompt(candidate.sql, SQL_LIMIT) or '(no query)'}\n  {_outcome(candidate)}"
        for candidate in candidates
    )


def _outcome(candidate: Candidate) -> str:
    result = candidate.result
    if result is None:
        return "not run"
    if not result.ok:
        return f"{result.status}: {for_prompt(result.error or '', ERROR_LIMIT)}"
    rows = "; ".join(
        "(" + ", ".join(cap(repr(value), _VALUE_LIMIT) for value in row) + ")"
        for row in result.rows[:_SHOWN_ROWS]
    )
    columns = ", ".join(result.columns)
    return for_prompt(f"{result.count} rows of ({columns}): {rows or 'none'}", _RULE_LIMIT)


def render_paths(candidates: Sequence[Candidate], schema: Schema) -> str:
    """The steps of the candidates, unmerged; those of a query alone have none."""
    reasoned = [candidate for candidate in candidates if replace(candidate.path, sql="") != Path()]
    return cap("\n".join(for_prompt(path_steps(c, schema), _PATH_LIMIT) for c in reasoned), _PATHS_LIMIT)


def path_steps(candidate: Candidate, schema: Schema) -> str:
    """A candidate's label and the steps to its query, a line each, in the schema's spelling."""
    question = " ".join(candidate.path.question.split())
    lines = [candidate.label, f"question: {question or 'none'}"]
    steps = normalise(candidate.path, schema)[:-1]
    return "\n".join([*lines, *(f"{kind}: {', '.join(items) or 'none'}" for kind, items in steps)])


def render_findings(findings: Sequence[Finding]) -> str:
    """The findings, one a line: kind, candidates, columns, what was seen."""
    return "\n".join(for_prompt(_finding(finding), _FINDING_LIMIT) for finding in findings)


def _finding(finding: Finding) -> str:
    anchors = ", ".join(".".join(filter(None, anchor)) for anchor in finding.anchors)
    text = f"{_DIFFER[finding.results_differ]}{finding.text}"
    return " | ".join((finding.kind, ", ".join(finding.candidates), anchors or "-", text))
