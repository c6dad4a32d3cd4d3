"""Where a study's numbers come from: all that another one would need to be the same."""

from __future__ import annotations

from sqlmend._files import canonical_json
from sqlmend.eval.report._blocks import Block, Facts, Section, Table
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._compare._provenance import said
from sqlmend.eval.report._study._read import Study

_NAMES = {
    "selection": "Selection",
    "definition": "Definition of EX",
    "regime": "Regime",
    "timeout_s": "Time limit of a query, seconds",
    "lm": "Language model",
    "embedder": "Embedder",
    "prompts": "Prompts",
    "seeds": "Paired seeds",
    "resamples": "Resamples of the bootstrap",
    "seed": "Seed of the bootstrap",
    "margin": "Margin of equivalence, as a share",
    "versions": "Versions",
}
_MOST = 30  # unfinished runs in the table
_METHODS = (
    (
        "Intervals and p",
        "Two-stage bootstrap: databases with replacement, then of each drawn one its groups of twins; the "
        "seeds of a question stay together. 95 % percentile intervals, two-sided p of paired differences.",
    ),
    (
        "Equivalence",
        "Two one-sided tests: equivalent where the 90 % interval lies within the margin and there are enough "
        "groups to say so.",
    ),
    (
        "Crystallization ratio",
        "Held-out gain of the default design over held-out headroom; the headroom is EX after repair without "
        "memory (program probe, budget 3) minus first-attempt EX. Undefined where its interval holds zero.",
    ),
    (
        "Comparable failures",
        "Other first failures of the same databases, each database weighted as among the fixed questions.",
    ),
)


def provenance(study: Study) -> Section:
    """What is missing, what was run, the methods, and every design as it was resolved."""
    about = study.about
    benchmark = about["benchmark"]
    items = [
        ("Benchmark", benchmark["name"]),
        ("Data hash", benchmark["data_hash"]),
        ("Left out", said(benchmark["left_out"])),
        *((name, said(about[key])) for key, name in _NAMES.items()),
    ]
    blocks: list[Block] = [
        Facts("What was run", [(name, value) for name, value in items if value]),
        Facts("Methods", _METHODS),
        _designs(study),
    ]
    if missing := study.document["missing"]:
        columns = [Column("Run"), Column("Done", "count"), Column("Of", "count")]
        rows = [[run["path"], run["done"], run["of"]] for run in missing[:_MOST]]
        note = f"{len(missing) - _MOST} more are in results.json." if len(missing) > _MOST else ""
        blocks.insert(0, Table("Not finished", columns, rows, note))
    return Section("Provenance", "provenance", blocks)


def _designs(study: Study) -> Table:
    designs = list(study.designs.values())
    names = list(designs[0]["values"]) if designs else []
    columns = [Column("Design"), Column("Folder", "code"), *(Column(_title(name)) for name in names)]
    rows = [
        [design["label"], design["key"], *(_cell(design["values"][name]) for name in names)]
        for design in designs
    ]
    return Table("Designs", columns, rows)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize() if len(name) > 1 else name


def _cell(value: object) -> str:
    return value if isinstance(value, str) else canonical_json(value)
