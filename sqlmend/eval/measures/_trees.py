"""The merged reasoning of questions, for the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlmend._text import cap
from sqlmend.eval.measures._comparison import Comparison, Condition

_LIMIT = 2_000

#: Whose tree: condition, order, question id.
_Key = tuple[Condition, int, str]


def trees(comparison: Comparison, compared: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each tree of the cases, and the first one of each condition that has any; see ``results``.

    Args:
        comparison: Its finished runs.
        compared: The rows of pairs, with their cases.
    """
    keys = dict.fromkeys([*_of_cases(comparison, compared), *_first(comparison)])
    return [row for key in keys if (row := _row(comparison, *key)) is not None]


def _of_cases(comparison: Comparison, compared: Iterable[Mapping[str, Any]]) -> Iterator[_Key]:
    for pair in compared:
        for case in pair["cases"]:
            for side in ("a", "b"):
                condition = comparison.under(pair[side], pair["same_group"])
                yield condition, case["order"], case["question_id"]


def _first(comparison: Comparison) -> Iterator[_Key]:
    for condition in comparison.conditions:
        for run in comparison.runs_of(condition)[:1]:
            found = next((e["question_id"] for e in run.episodes if _tree(e) is not None), None)
            if found is not None:
                yield condition, run.order, found


def _row(comparison: Comparison, condition: Condition, order: int, question: str) -> dict[str, Any] | None:
    tree = _tree(comparison.runs[condition, order].by_question[question])
    if tree is None:
        return None
    about = comparison.asked[question]
    return {
        **condition.to_dict(),
        "order": order,
        "question_id": question,
        "db_id": about["db_id"],
        "text": cap(about["text"], _LIMIT),
        "tree": _capped(tree),
    }


def _tree(episode: Mapping[str, Any]) -> Mapping[str, Any] | None:
    tree: Mapping[str, Any] | None = (episode.get("reasoning") or {}).get("tree")
    return tree


def _capped(value: Any) -> Any:
    """The same plain value with its texts cut."""
    if isinstance(value, str):
        return cap(value, _LIMIT)
    if isinstance(value, Mapping):
        return {key: _capped(inner) for key, inner in value.items()}
    return [_capped(inner) for inner in value] if isinstance(value, list) else value
