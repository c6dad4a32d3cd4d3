"""Results documents for tests: a real one of the simulator over `mini`, and one whose every text attacks."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path

from sqlmend.eval.report import comparison_page, render_html
from sqlmend.modules.tree import Candidate, Result, merge, tree_to_data
from sqlmend.modules.tree import Path as Reasoned

#: What untrusted text may try in HTML, in a script, in Markdown, in a spreadsheet and in a terminal.
ATTACK = (
    "=1+1<script>window.pwned=1</script><img src=x onerror=window.pwned=1>"
    "\"'></option></style></svg><svg/onload=window.pwned=1>]]>-->{{7*7}}{%x%}"
    "|`**[a](javascript:window.pwned=1)```\n```\n# x\n<b>\x00\x1b[31m\u202e\ud800 https://evil.example"
)
# What the report looks up; everything else in a document is free text.
_NAMES = {"same_group", "by", "better", "unit", "kind", "outcome", "with", "key"}


#: Four candidates, one of which has a result of its own.
TREE = tree_to_data(
    merge(
        Candidate(
            f"c{n}",
            Reasoned("How many?", (table,), functions=(function,), sql=f"SELECT {function}(*) FROM {table}"),
            Result("ok", signature=function, count=1),
        )
        for n, (table, function) in enumerate(
            [("city", "COUNT"), ("city", "SUM"), ("country", "COUNT"), ("city", "COUNT")], 1
        )
    )
)


def document():
    """Four programs over a sample of `mini`, two orders, as `sqlmend.eval.measures.results` made it.

    None of them merges reasoning, so `TREE` is put into it: of the first case's `merit`, and of one that no
    case names.
    """
    known = json.loads(Path(__file__).with_name("results.json").read_text("utf-8"))
    case = known["pairs"][0]["cases"][0]
    about = {key: case[key] for key in ("order", "question_id", "db_id", "text")}
    known["trees"] = [
        {"program": "merit", "same_group": "allow", **about, "tree": TREE},
        {"program": "merit_resample", "same_group": "allow", **about, "question_id": "other", "tree": TREE},
    ]
    return known


def hostile():
    """The same with an attack in every text that is not one of the schema's own words."""
    known = document()
    keys = {program["key"]: f"{program['key']}{ATTACK}" for program in known["provenance"]["programs"]}
    ids = {identity: f"{identity}{ATTACK}" for identity in known["memories"]}
    return attack(known, {**keys, **ids})


def short():
    """The same with less of everything, for what takes long on a large page."""
    known = document()
    known["pairs"] = [pair | {"cases": pair["cases"][:1]} for pair in known["pairs"][:2]]
    named = [
        a["recalled"] for p in known["pairs"] for c in p["cases"] for s in "ab" for a in c[s]["attempts"]
    ]
    kept = {identity for ids in named for identity in ids}
    known["memories"] = {identity: m for identity, m in known["memories"].items() if identity in kept}
    return known


@cache
def html(make):
    """The page of `make()`, rendered once."""
    return render_html(comparison_page(make()))


def unfinished():
    """A comparison that has only begun."""
    known = document()
    empty = ("programs", "runs", "breakdowns", "curves", "pairs", "group_effects", "recall")
    known |= {key: [] for key in empty} | {"memories": {}, "complete": False}
    known["missing"] = [{"program": "merit", "same_group": "allow", "order": 0, "done": 3, "of": 20}]
    return known


def without(*empty):
    """The document with some of its lists empty."""
    return copy.deepcopy(document()) | {key: [] for key in empty}


def attack(value, renamed, key=""):
    """A value with the attack in every text; what ``renamed`` holds is renamed alike wherever it stands."""
    if isinstance(value, dict):
        return {renamed.get(name, name): attack(inner, renamed, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [attack(inner, renamed, key) for inner in value]
    if not isinstance(value, str) or not value or (key in _NAMES and value not in renamed):
        return value
    return renamed.get(value, f"{value}{ATTACK}")
