"""Where the numbers come from: all that another run would need to be the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from sqlmend._files import canonical_json
from sqlmend.eval.report._blocks import Case, Cases, Facts, Part, Section, Side
from sqlmend.eval.report._compare._read import Results

_NAMES = {
    "benchmark": "Benchmark",
    "data_hash": "Data hash",
    "selection": "Selection",
    "left_out": "Left out",
    "questions": "Questions",
    "groups": "Groups of twins",
    "databases": "Databases",
    "definition": "Definition of EX",
    "regime": "Regime",
    "budget": "Budget of revisions",
    "orders": "Orders",
    "same_group": "Twins in recall",
    "section_orders": "Section order of prompts",
    "embedder": "Embedder",
    "demonstrations": "Demonstrations",
    "lm": "Language model",
    "timeout_s": "Time limit of a query, seconds",
    "prompts": "Prompts",
    "initial_equal": "Same initial queries in all runs",
    "unit": "Unit of the bootstrap",
    "resamples": "Resamples",
    "seed": "Seed of the bootstrap",
    "level": "Level of the intervals",
    "versions": "Versions",
}


def provenance(results: Results) -> Section:
    """The facts, the methods of the statistics, and each program as it was resolved."""
    about = results.provenance
    rest = [key for key in about if key not in _NAMES and key not in ("statistics", "programs")]
    values = {key: said(about[key]) for key in [*_NAMES, *rest] if key in about}
    if about["budget"] is None:
        values["budget"] = "each program's own"
    items = [(_NAMES.get(key, key), value) for key, value in values.items()]
    blocks = [Facts("What was run", [(name, value) for name, value in items if value])]
    if about["statistics"]:
        blocks.append(Facts("Statistics", list(about["statistics"].items())))
    presets = Cases("Programs as they ran", "programs", {}, list(_presets(results)))
    return Section("Provenance", "provenance", [*blocks, presets])


def _presets(results: Results) -> Iterator[Case]:
    for program in results.provenance["programs"]:
        words = [program["summary"], program["origin"]]
        words += ["" if program["reads_memory"] else "reads no memory"]
        words += [f"budget {program['budget']}", f"sections {program['section_order']}"]
        text = yaml.safe_dump(program["preset"], sort_keys=False, allow_unicode=True)
        side = Side("As it was resolved", [Part("Preset", code=text)])
        yield Case(program["name"], " · ".join(filter(None, words)), {}, [side])


def said(value: Any) -> str | list[str]:
    """A value of a provenance in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return [f"{key}: {_plain(inner)}" for key, inner in value.items() if inner not in (None, {}, [])]
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return str(value)


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return value if isinstance(value, str) else canonical_json(value)
