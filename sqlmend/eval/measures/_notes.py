"""What a reader has to know before the figures."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmend.eval.measures._comparison import Comparison


def notes(comparison: Comparison) -> list[str]:
    """Plain sentences, the most important first."""
    return [*_unfinished(comparison), *_errors(comparison), *_unequal(comparison), *_scope(comparison)]


def initial_equal(comparison: Comparison) -> bool:
    """Whether all runs began with the same initial queries."""
    queries: dict[str, str] = {}
    return all(
        queries.setdefault(episode["question_id"], initial["sql"]) == initial["sql"]
        for run in comparison.runs.values()
        for episode in run.episodes
        for initial in episode["attempts"][:1]
    )


def _unfinished(comparison: Comparison) -> Iterator[str]:
    if comparison.missing:
        runs = "; ".join(
            f"{_name(comparison, m['program'], m['same_group'])}, order {m['order']}"
            f" ({m['done']} of {m['of']} questions)"
            for m in comparison.missing
        )
        total = len(comparison.missing) + len(comparison.runs)
        yield (
            f"{len(comparison.missing)} of {total} runs are not finished,"
            f" and the figures are of the others: {runs}."
        )


def _errors(comparison: Comparison) -> Iterator[str]:
    for (condition, order), run in comparison.runs.items():
        codes = [figures.error for figures in run.figures if figures.error is not None]
        if codes:
            yield (
                f"{_name(comparison, *condition)}, order {order}: {len(codes)} questions could not be"
                f" finished ({', '.join(sorted(set(codes)))}) and count as wrong."
            )


def _unequal(comparison: Comparison) -> Iterator[str]:
    if not initial_equal(comparison):
        yield "The initial queries differ between runs, so that a difference may come from them."
    if len({run.budget for run in comparison.runs.values()}) > 1:
        yield "The budgets of the programs differ."


def _scope(comparison: Comparison) -> Iterator[str]:
    if comparison.config.get("initial") is not None:
        yield "The initial queries were given: what they cost is in no figure."
    left_out = sum(comparison.config["benchmark"]["left_out"].values())
    if left_out:
        yield f"{left_out} questions are left out because their databases are not here."
    if len(comparison.config["orders"]) == 1:
        yield "One stream order: nothing is said about the spread over orders."
    if all(condition.same_group != "exclude" for condition in comparison.conditions) and any(
        condition.same_group for condition in comparison.conditions
    ):
        yield "Twins are allowed throughout: how much of a gain is the answer to a paraphrase is not shown."
    if all(condition.same_group != "allow" for condition in comparison.conditions) and any(
        condition.same_group for condition in comparison.conditions
    ):
        yield "Twins are excluded throughout: what a memory gains by the answer to a paraphrase is not shown."


def _name(comparison: Comparison, program: str, same_group: str | None) -> str:
    return comparison.names[program] + (f", same group {same_group}" if same_group else "")
