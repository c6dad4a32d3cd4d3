"""A study as a page: what was found, what it is worth, and why to believe it or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlmend._files import canonical_json
from sqlmend.eval.report import (
    Column,
    Estimate,
    Facts,
    Figure,
    Mark,
    Page,
    Section,
    Table,
    Words,
    both,
    tradeoff,
    write_page,
)
from sqlmend.optimize._charts import contour, history, importances, slices

Result = Mapping[str, Any]

_MOST_SLICES = 9
_TOGETHER = "interactions"
_COUNTED = "Circles are complete trials, crosses were given up before their end (EX of the questions asked)."


def write_tuning_report(folder: Path, result: Result) -> list[Path]:
    """Write ``report.md`` and ``report.html``.

    Args:
        folder: Where to.
        result: The content of ``result.json``.

    Returns:
        The files written.

    Raises:
        InputError: The ``report`` extra is not installed; ``report.md`` is written then.
    """
    return write_page(folder, tuning_page(result))


def tuning_page(result: Result) -> Page:
    """The page of a study.

    Args:
        result: The content of ``result.json``.
    """
    about = result["provenance"]
    train = result["train"]
    lead = " · ".join(
        [
            f"{train['questions']} training questions in {train['groups']} groups of twins",
            f"orders {', '.join(map(str, train['orders']))}",
            f"definition {about['definition']}",
            f"model {about['lm'].get('name', 'not named')}",
        ]
    )
    sections = [_first(result), _trials(result), _settings(result), _front(result), _made(result)]
    return Page(
        f"{result['program']} tuned on {train['benchmark']}",
        lead,
        [section for section in sections if section is not None],
        "Made by sqlmend tune from result.json beside this file.",
    )


def _first(result: Result) -> Section:
    train, held = result["train"], result["holdout"]
    columns = [
        Column("questions"),
        Column("number", "count"),
        Column("as it is", "share"),
        Column("best", "share"),
    ]
    columns += [Column("difference", "points", "points of EX, with the 95 % interval of a paired bootstrap")]
    rows: list[list[Any]] = [
        [
            "training",
            train["questions"],
            train["ex_defaults"],
            train["ex_best"],
            Estimate(train["difference"]),
        ]
    ]
    if held is not None:
        gap = Estimate(held["difference"], held["low"], held["high"])
        rows.append(["held out", held["questions"], held["ex_defaults"], held["ex_best"], gap])
    if "tokens" in result["study"]["objectives"]:
        columns += [Column("tokens, as it is", "tenths"), Column("tokens, best", "tenths")]
        rows[0] += [result[of]["tokens_per_question"] for of in ("defaults", "best")]
        for row in rows[1:]:
            row += [held["tokens_defaults"], held["tokens_best"]]
    note = "The training difference has no interval: it was chosen as the best of all trials."
    blocks = [Words(line, "lead" if number == 0 else "plain") for number, line in enumerate(result["words"])]
    found = Table("Execution accuracy", columns, rows, note)
    return Section("What was found", "found", [*blocks, found, _changed(result)])


def _changed(result: Result) -> Table | Words:
    if not result["best"]["changed"]:
        return Words("The best settings are those of the program as it is.")
    rows = [
        [path, _text(result["defaults"]["settings"][path]), _text(value), result["importance"].get(path)]
        for path, value in result["best"]["changed"].items()
    ]
    columns = [Column("setting", "code"), Column("as it is", "code"), Column("best", "code")]
    return Table("Settings that differ", [*columns, Column("importance", "share")], rows)


def _trials(result: Result) -> Section:
    trials = result["history"]
    columns = [
        Column("trial", "count"),
        Column("state"),
        Column("questions asked", "count"),
        Column("EX", "share"),
    ]
    columns += [Column("tokens a question", "tenths"), Column("calls", "count"), Column("paid", "count")]
    columns += [Column("settings that differ", "code")]
    rows = [
        [
            *(trial[name] for name in ("number", "state", "asked", "ex", "tokens_per_question")),
            *(trial[name] for name in ("calls", "calls_paid")),
            ", ".join(f"{path}={_text(value)}" for path, value in trial["changed"].items()) or "as it is",
        ]
        for trial in trials
    ]
    wide, narrow = both(lambda canvas: history(trials, canvas))
    best = result["best"]
    alt = (
        f"EX of {len(trials)} trials; the best complete one is trial {best['number']} with {best['ex']:.1%}."
    )
    note = f"{_COUNTED} The line is the best complete trial so far."
    figure = Figure("EX by trial", alt, wide, narrow, Table("Trials", columns, rows), note)
    return Section("History", "history", [figure])


def _settings(result: Result) -> Section | None:
    shares = dict(sorted(result["importance"].items(), key=lambda item: -item[1]))
    if not shares:
        return Section("Settings", "settings", [Words("The complete trials do not differ in EX.")])
    trials = result["history"]
    complete = [trial for trial in trials if trial["state"] == "complete"]
    parts = {**shares, _TOGETHER: max(0.0, 1 - sum(shares.values()))}
    wide, narrow = both(lambda canvas: importances(parts, canvas))
    table = Table("Importance", [Column("setting", "code"), Column("share", "share")], list(parts.items()))
    said = "; ".join(f"{path} {share:.0%}" for path, share in parts.items())
    blocks = [
        Figure(
            "Importance",
            f"Share of the variance of EX by functional ANOVA: {said}.",
            wide,
            narrow,
            table,
            f"Functional ANOVA over {len(complete)} complete trials; trials given up are not in it. A share"
            f" is what a setting does by itself, {_TOGETHER} are what settings do only together. With few"
            " trials it is a hint and no more.",
        ),
        _slices(trials, list(shares)[:_MOST_SLICES]),
    ]
    if len(shares) > 1:
        first, second = list(shares)[:2]
        blocks.append(_contour(complete, first, second))
    return Section("Settings", "settings", blocks)


def _slices(trials: Sequence[Result], paths: Sequence[str]) -> Figure:
    wide, narrow = both(lambda canvas: slices(trials, paths, canvas))
    rows = []
    for path in paths:
        found: dict[str, list[float]] = {}
        for trial in trials:
            if trial["state"] == "complete":
                found.setdefault(_text(trial["settings"][path]), []).append(trial["ex"])
        rows += [[path, value, len(of), sum(of) / len(of), max(of)] for value, of in sorted(found.items())]
    columns = [Column("setting", "code"), Column("value", "code"), Column("complete trials", "count")]
    table = Table("Values", [*columns, Column("mean EX", "share"), Column("best EX", "share")], rows)
    alt = f"EX of every trial by the value of {', '.join(paths)}; the table has the means."
    return Figure("Slices", alt, wide, narrow, table, _COUNTED)


def _contour(trials: Sequence[Result], first: str, second: str) -> Figure:
    wide, narrow = both(lambda canvas: contour(trials, first, second, canvas))
    rows = [
        [_text(trial["settings"][first]), _text(trial["settings"][second]), trial["ex"]] for trial in trials
    ]
    columns = [Column(first, "code"), Column(second, "code"), Column("EX", "share")]
    alt = f"Mean EX of the complete trials over the values of {first} and {second}."
    note = "Mean EX of the complete trials with both values, over all other settings; darker is higher."
    return Figure(f"{first} with {second}", alt, wide, narrow, Table("Complete trials", columns, rows), note)


def _front(result: Result) -> Section | None:
    front = result["front"]
    if not front:
        return None
    marks = [Mark(f"trial {t['number']}", t["tokens_per_question"], t["ex"]) for t in front]
    wide, narrow = both(lambda canvas: tradeoff(marks, "tokens a question", "EX", canvas))
    rows = [[t["number"], t["ex"], t["tokens_per_question"], f"front/trial{t['number']}.yaml"] for t in front]
    columns = [Column("trial", "count"), Column("EX", "share"), Column("tokens a question", "tenths")]
    note = "Figures of the training questions."
    table = Table("The front", [*columns, Column("preset", "code")], rows, note)
    alt = f"{len(front)} trials that no other beats in both EX and tokens."
    return Section("Pareto front", "front", [Figure("EX against tokens", alt, wide, narrow, table)])


def _made(result: Result) -> Section:
    study, about, trials = result["study"], result["provenance"], result["trials"]
    items = [
        ("study", study["name"]),
        ("storage", study["storage"] or "none: it ended with its process"),
        ("objectives", ", ".join(study["objectives"])),
        (
            "trials",
            f"{trials['complete']} complete, {trials['pruned']} given up early, {trials['fail']} failed",
        ),
        ("combinations", f"{study['combinations']:,}"),
        ("space", [f"{path}: {_text(values)}" for path, values in study["space"].items()]),
        ("sampler, seed", f"{study['sampler']}, {study['seed']}"),
        ("data", about["data_hash"]),
        ("held out", _held_out(result)),
        ("embedder", about["embedder"] or "none"),
        ("model calls", f"{result['calls']} asked, {result['calls_paid']} paid"),
        (
            "seconds",
            f"{result['seconds_streams']:.1f} in streams, {result['seconds_tuner']:.1f} in the tuner",
        ),
    ]
    return Section("How it was made", "made", [Facts("Study", items)])


def _held_out(result: Result) -> str | list[str]:
    held, about = result["holdout"], result["provenance"]["holdout"]
    if held is None:
        return "nothing"
    return [
        about["benchmark"],
        f"selection: {_text(about['selection'])}",
        about["data_hash"],
        f"looks at held-out questions by this study: {held['looks']}",
    ]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)
