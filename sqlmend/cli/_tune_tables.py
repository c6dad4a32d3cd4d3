"""A study and a what-if, for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from sqlmend._text import for_terminal
from sqlmend.cli._frame import out


def show_tuned(result: Mapping[str, Any], preset: Path, page: Path) -> None:
    """The best settings, what they are worth, and where everything lies."""
    trials, train, held = result["trials"], result["train"], result["holdout"]
    table = Table(show_header=False, title_justify="left")
    table.title = for_terminal(f"{result['program']} tuned on {train['benchmark']}")
    rows = {
        "trials": f"{trials['complete']} complete, {trials['pruned']} given up, {trials['fail']} failed",
        "space": f"{len(result['study']['space'])} settings, {result['study']['combinations']:,} in all",
        "EX, training": f"{train['ex_defaults']:.1%} as it is, {train['ex_best']:.1%} best"
        f" ({train['questions']} questions, orders {', '.join(map(str, train['orders']))})",
    }
    if held is not None:
        rows["EX, held out"] = (
            f"{held['ex_defaults']:.1%} as it is, {held['ex_best']:.1%} best ({held['questions']} questions)"
        )
    if "tokens" in result["study"]["objectives"]:
        pairs = [(result["defaults"]["tokens_per_question"], result["best"]["tokens_per_question"])]
        pairs += [] if held is None else [(held["tokens_defaults"], held["tokens_best"])]
        for name, (before, after) in zip(("training", "held out"), pairs, strict=False):
            rows[f"tokens, {name}"] = f"{before:,.0f} a question as it is, {after:,.0f} best"
    rows["model calls"] = f"{result['calls']} asked, {result['calls_paid']} paid"
    rows["seconds"] = (
        f"{result['seconds_streams']:,.1f} in streams, {result['seconds_tuner']:,.1f} in the tuner"
    )
    for name, value in rows.items():
        table.add_row(name, value)
    out.print(table)
    if result["best"]["changed"]:
        settings = Table("setting", "as it is", "best", "importance")
        for path, value in result["best"]["changed"].items():
            share = result["importance"].get(path)
            before = result["defaults"]["settings"][path]
            settings.add_row(path, _json(before), _json(value), "" if share is None else f"{share:.0%}")
        out.print(settings)
    for line in result["words"]:
        out.print(for_terminal(line), soft_wrap=True)
    out.print(f"preset: {preset}", soft_wrap=True)
    out.print(f"report: {page}", soft_wrap=True)


def show_what_if(found: Mapping[str, Any]) -> None:
    """How many recalls change under which setting."""
    out.print(
        for_terminal(
            f"{found['program']} on {found['benchmark']}, order {found['order']}: {found['recalls']} recalls"
        )
    )
    table = Table()
    for name in ("setting", "from", "to", "sets changed", "orders changed"):
        table.add_column(name, no_wrap=name == "setting", justify="right" if "changed" in name else "left")
    for setting in found["settings"]:
        for number, value in enumerate(setting["values"]):
            head = ("", "") if number else (setting["path"], _json(setting["own"]))
            table.add_row(*head, _json(value["value"]), str(value["sets"]), str(value["orders"]))
    out.print(table)
    for line in found["words"]:
        out.print(for_terminal(line), soft_wrap=True)


def _json(value: Any) -> str:
    return for_terminal(value if isinstance(value, str) else json.dumps(value))
