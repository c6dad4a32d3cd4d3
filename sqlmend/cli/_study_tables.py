"""What a crystallization study came to, for people: settings, primary comparisons, sweeps, serving."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from sqlmend._text import for_terminal
from sqlmend.cli._frame import out

_NONE = "-"
_DATABASES = "databases\nbetter, worse"
_MOST = 5  # unfinished runs that are named
_DEFAULT, _TRANSFER = "default", "transfer"


def show_study(document: Mapping[str, Any]) -> None:
    """Print the results of a study, the content of its ``results.json``."""
    for line in missing_lines(document):
        _line(line)
    out.print(_settings(document))
    _line(_ratio(document))
    out.print(_contrasts("primary, named in advance, on transfer", _primary(document), document))
    for row in document["primary"]:
        if not row["measured"]:
            _line(f"not measured: {row['question']}; --vary {row['vary']} measures it")
    if sweep := list(_sweep(document)):
        out.print(_contrasts("exploratory, on transfer: each against what it varies", sweep, document))
    if document["serving"]["rounds"]:
        out.print(_serving(document["serving"]["rounds"]))
    for line in (
        *_changes(document["serving"]),
        *_amortisation(document["amortisation"]),
        *_floor(document["floor"]),
        *(f"note: {note}" for note in document["notes"]),
        _origin(document),
    ):
        _line(line)


def missing_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """What of a study is not finished, the first few runs by name."""
    runs = document["missing"]
    for run in runs[:_MOST]:
        yield f"not finished: {run['path']}, {run['done']} of {run['of']}"
    if len(runs) > _MOST:
        yield f"not finished: {len(runs) - _MOST} more runs; results.json has all"


def _line(text: str) -> None:
    out.print(for_terminal(text), soft_wrap=True)


def _settings(document: Mapping[str, Any]) -> Table:
    """The default design in each setting."""
    heads = ("ques-\ntions", "without\ncards", "with", "gain", "p", _DATABASES)
    table = _table(document["title"], "setting", heads)
    titles = {row["key"]: row["title"] for row in document["settings"]}
    for row in document["levels"]:
        if row["design"] == _DEFAULT:
            gain, without = row["gain"], row["without"]
            table.add_row(
                for_terminal(titles[row["setting"]]),
                f"{row['ex']['questions']:,}",
                _NONE if without is None else _percent(without["value"]),
                _percent(row["ex"]["value"]),
                *((_points(gain), _p(gain["p"]), _databases(gain)) if gain else [_NONE] * 3),
            )
    table.caption = "default design: EX of first answers in %, gain in points with its 95 % interval"
    return table


def _contrasts(
    title: str, rows: Iterable[tuple[str, Mapping[str, Any] | None]], document: Mapping[str, Any]
) -> Table:
    margin = f"{100 * document['provenance']['margin']:g}"
    table = _table(title, "comparison", ("points", "p", f"within\n± {margin}", _DATABASES))
    for name, found in rows:
        cells = (
            [_NONE] * 4
            if found is None
            else [
                _points(found),
                _p(found["p"]),
                "yes" if found["equivalence"]["equivalent"] else "no",
                _databases(found),
            ]
        )
        table.add_row(for_terminal(name), *cells)
    return table


def _primary(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    for row in document["primary"]:
        yield row["question"], row["contrast"]


def _sweep(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Without what the primary comparisons have said, perhaps the other way round."""
    said = [{row["first"], row["second"]} for row in document["primary"]]
    for row in document["exploratory"]:
        if row["setting"] == _TRANSFER and {row["first"], row["second"]} not in said:
            yield row["first"], row["contrast"]


def _serving(rounds: Sequence[Mapping[str, Any]]) -> Table:
    heads = [f"{what}\n{way}" for what in ("EX %", "calls", "tokens") for way in ("without", "with")]
    table = _table("serving: first answer, then rounds of repair", "round", heads)
    for row in rounds:
        ways = [row["without"], row["with"]]
        table.add_row(
            str(row["round"]),
            *(_NONE if way is None else _percent(way["ex"]) for way in ways),
            *(_NONE if way is None else f"{way['calls']:.2f}" for way in ways),
            *(_NONE if way is None else f"{way['tokens']:,.0f}" for way in ways),
        )
    table.caption = "means over the held-out questions, added up over the rounds"
    return table


def _changes(serving: Mapping[str, Any]) -> Iterator[str]:
    moved, repaired = serving["changes"], serving["resolved"]
    if moved is None:
        return
    yield (
        f"held out: cards fix {moved['fixed']:g} and break {moved['broken']:g} first answers,"
        f" under every seed {moved['stably_fixed']} and {moved['stably_broken']}"
    )
    if repaired["resolved_of_fixed"] is not None:
        alike = repaired["resolved_of_comparable"]
        yield (
            f"repair without memory resolves {_percent(repaired['resolved_of_fixed'])} % of the fixed ones"
            + ("" if alike is None else _beside(repaired))
        )


def _beside(repaired: Mapping[str, Any]) -> str:
    own, alike = repaired["resolved_of_those"], repaired["resolved_of_comparable"]
    return (
        f"; where there are comparable failures, {_percent(own)} % of them and {_percent(alike)} % of those"
    )


def _amortisation(found: Mapping[str, Any] | None) -> Iterator[str]:
    if found is None:
        return
    for unit in ("calls", "tokens"):
        even = found["break_even"][unit]
        yield (
            f"the bank took {found['build'][unit]:,} {unit} and saves {found['saved'][unit]:,.2f} for each"
            f" later question: "
            + ("never paid back" if even is None else f"even after {even:,.0f} questions")
        )


def _floor(floor: Mapping[str, Any]) -> Iterator[str]:
    if floor["by_construction"]:
        yield "floor: 0 by construction, the engine answers the same prompt with the same bits"
    elif floor["ex"] is not None:
        yield (
            f"floor: {_percent(floor['ex'])} % of {floor['questions']} questions that produced a card are"
            f" right when asked again without memory"
        )


def _ratio(document: Mapping[str, Any]) -> str:
    found = document["ratio"]
    if document["collected"] == 0:
        return "crystallization ratio: none, as no correction was collected"
    if found is None:
        return "crystallization ratio: not measured yet"
    ratio = found["ratio"]
    if ratio["undefined"] is not None:
        return f"crystallization ratio: undefined, {ratio['undefined']}"
    return (
        f"crystallization ratio: {ratio['value']:.2f}, {ratio['low']:.2f} to {ratio['high']:.2f}"
        f" (gain over headroom, {_points(found['gain'])} over {_points(found['headroom'])} points)"
    )


def _origin(document: Mapping[str, Any]) -> str:
    about = document["provenance"]
    return (
        f"EX by definition {about['definition']} on {about['benchmark']['name']},"
        f" data {about['benchmark']['data_hash'][:19]}; {about['regime']}; embedder {about['embedder']};"
        f" seeds {', '.join(map(str, about['seeds']))}; intervals of 95% by databases and groups of twins,"
        f" {about['resamples']:,} resamples, seed {about['seed']}"
    )


def _table(title: str, first: str, heads: Iterable[str]) -> Table:
    table = Table(
        title=for_terminal(title),
        title_justify="left",
        caption_justify="left",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column(first, overflow="fold", min_width=16)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _points(found: Mapping[str, Any]) -> str:
    value, low, high = (_signed(100 * found[name]) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def _signed(value: float) -> str:
    return f"{value:+.1f}" if round(value, 1) else "0.0"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _databases(found: Mapping[str, Any]) -> str:
    return f"+{found['databases_improved']} -{found['databases_worse']} of {found['databases']}"
