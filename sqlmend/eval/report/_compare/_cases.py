"""Wins and losses: the attempts of two programs on the same question, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from sqlmend.eval.report._blocks import Case, Cases, Part, Section, Side, Words
from sqlmend.eval.report._compare._read import PARTS, Results, Row
from sqlmend.eval.report._compare._trees import MOST as MOST_TREES
from sqlmend.eval.report._compare._trees import tree_link

_MOST = 120  # examples in a page of usual size; results.json holds the others


@dataclass(frozen=True)
class Examples:
    """The section of the examples.

    Attributes:
        section: The section.
        memories: Ids of the memories that they name.
        trees: Numbers of the trees that they name.
    """

    section: Section
    memories: Sequence[str] = ()
    trees: Sequence[int] = ()


def cases(results: Results) -> Examples:
    """The examples, and what they name of the rest of the page."""
    pairs = results.document["pairs"]
    found = [_alternating(pair) for pair in pairs]
    every = [item for item in chain.from_iterable(zip_longest(*found)) if item is not None]
    shown = every[:_MOST]
    if not shown:
        words = Words("No question was answered rightly by one program of a pair and wrongly by the other.")
        return Examples(Section("Wins and losses", "cases", [words]))
    left = len(every) - len(shown) + sum(pair["cases_left_out"] for pair in pairs)
    note = "Each is one question that one of the two programs answered and the other did not; "
    note += "the attempts are of the first order in which they differ."
    if left:
        note += f" {len(shown)} are shown, {left} left out, evenly over the pairs."
    memories = list(dict.fromkeys(_recalled(case) for _, case in shown for case in (case["a"], case["b"])))
    ids = list(dict.fromkeys(chain.from_iterable(memories)))
    numbers = [_tree(results, pair, case, side) for pair, case in shown for side in ("a", "b")]
    trees = list(dict.fromkeys(number for number in numbers if number is not None))[:MOST_TREES]
    order = {pair_key(pair): number for number, pair in enumerate(pairs)}
    shown.sort(key=lambda item: order[pair_key(item[0])])
    facets = {"program": "Program", "outcome": "Outcome", "way": "Twins", "database": "Database"}
    items = [_case(results, pair, case, trees) for pair, case in shown]
    block = Cases("Attempts side by side", "examples", facets, items, note)
    return Examples(Section("Wins and losses", "cases", [block]), ids, trees)


def pair_key(pair: Row) -> tuple[str, str, str | None]:
    """What names a pair."""
    return pair["a"], pair["b"], pair["same_group"]


def memory_anchor(identity: str) -> str:
    """Where the page shows a memory."""
    return f"memory-{identity}"


def outline(memory: Row) -> str:
    """A memory in one line."""
    return (
        ", ".join(filter(None, (memory["kind"], memory["failure_type"], memory["db_id"])))
        + f": {memory['question']}"
    )


def _alternating(pair: Row) -> list[tuple[Row, Row]]:
    """Wins and losses of a pair in turn, so that a cut leaves both."""
    wins = [case for case in pair["cases"] if case["outcome"] == "win"]
    losses = [case for case in pair["cases"] if case["outcome"] != "win"]
    return [(pair, case) for case in chain.from_iterable(zip_longest(wins, losses)) if case is not None]


def _recalled(side: Row) -> tuple[str, ...]:
    return tuple(chain.from_iterable(attempt["recalled"] for attempt in side["attempts"]))


def _tree(results: Results, pair: Row, case: Row, side: str) -> int | None:
    return results.tree(pair[side], pair["same_group"], case["order"], case["question_id"])


def _case(results: Results, pair: Row, case: Row, trees: Sequence[int]) -> Case:
    first, second = results.name(pair["a"]), results.name(pair["b"])
    winner, loser = (first, second) if case["outcome"] == "win" else (second, first)
    way = {"allow": "allowed", "exclude": "excluded", None: ""}[pair["same_group"]]
    scores = f"{first} right in {_share(case['scores_a'])}, {second} in {_share(case['scores_b'])}"
    words = [
        f"{winner} wins over {loser}",
        case["db_id"],
        case["difficulty"],
        f"question {case['question_id']}",
    ]
    words += [f"twins {way}" if way else "", scores if len(case["scores_a"]) > 1 else ""]
    tags = {
        "program": [first, second],
        "outcome": [f"{winner} wins"],
        "way": [way] if way else [],
        "database": [case["db_id"]],
    }
    sides = []
    for name, key in ((first, "a"), (second, "b")):
        number = _tree(results, pair, case, key)
        sides.append(_side(results, name, case[key], number if number in trees else None))
    return Case(case["text"], " · ".join(filter(None, words)), tags, sides)


def _share(scores: Iterable[int]) -> str:
    listed = list(scores)
    return f"{sum(listed)} of {len(listed)} orders"


def _side(results: Results, name: str, side: Row, tree: int | None) -> Side:
    parts: list[Part] = [] if tree is None else [tree_link(results, tree)]
    before: list[str] = []
    attempts, dropped = side["attempts"], side["dropped_attempts"]
    for number, attempt in enumerate(attempts):
        if dropped and number == 2:
            parts.append(Part(f"{dropped} attempts are left out here"))
        revision = number + (dropped if number >= 2 else 0)
        recalled = attempt["recalled"]
        if recalled:
            parts.append(_memories(results, recalled, recalled == before))
            before = recalled
        parts.append(_attempt("Initial query" if number == 0 else f"Revision {revision}", attempt))
    if side["error"] is not None:
        parts.append(
            Part("The episode stopped", f"{side['error']}; it counts as wrong.", mark="error", good=False)
        )
    parts.append(Part("Cost", "; ".join(_costs(side["costs"]))))
    return Side(f"{name}: {'right' if side['score'] else 'wrong'}", parts)


def _costs(costs: Mapping[str, float]) -> Iterator[str]:
    """A line for each part that has asked the model."""
    for part, name in PARTS.items():
        if calls := costs[f"calls_{part}"]:
            seconds = costs[f"seconds_model_{part}"] + costs[f"seconds_outside_{part}"]
            yield (
                f"{name}: {calls} {'call' if calls == 1 else 'calls'}, {costs[f'tokens_{part}']:,} tokens, "
                f"{seconds:.1f} s"
            )


def _memories(results: Results, ids: list[str], is_same: bool) -> Part:
    label = f"Recalled {len(ids)} {'memory' if len(ids) == 1 else 'memories'}"
    if is_same:
        return Part(f"{label}, the same as before")
    known: Mapping[str, Any] = results.document["memories"]
    links = [(outline(known[i]), memory_anchor(i)) if i in known else (i, "") for i in ids]
    return Part(label, links=links)


def _attempt(label: str, attempt: Row) -> Part:
    good = attempt["status"] == "match"
    mark = attempt["status"].replace("_", " ")
    if attempt["failure_type"] and attempt["failure_type"] != "result_mismatch":
        mark += f" ({attempt['failure_type'].replace('_', ' ')})"
    if attempt["repeats"]:
        mark += ", repeats an earlier attempt"
    return Part(label, attempt["error"] or "", attempt["sql"], mark, good)
