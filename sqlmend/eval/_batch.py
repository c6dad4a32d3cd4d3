"""Many predictions at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from sqlmend.eval._oracle import Oracle
from sqlmend.eval._verdict import Verdict

#: As many threads as the databases keep workers.
_THREADS = 2


class Item(NamedTuple):
    """One prediction of a batch: whose question, on which database, and the SQL."""

    question_id: str
    db_id: str
    sql: str


def evaluate_batch(
    oracle: Oracle, items: Sequence[Item], *, progress: Callable[[int, Verdict], None] | None = None
) -> list[Verdict]:
    """Judge all items, two at a time; equal items are judged once.

    Args:
        oracle: Holds the references; reuse it for further batches, it keeps their results.
        items: Predictions, e.g. of several systems for the same questions.
        progress: Called in this thread after each item, in order, with how many are done and its verdict.

    Returns:
        The verdicts, in the order of the items.

    Raises:
        InputError: An unknown question or database.
    """
    executor = ThreadPoolExecutor(_THREADS, thread_name_prefix="sqlmend-eval")
    try:
        pending = {item: executor.submit(oracle.judge, *item) for item in dict.fromkeys(items)}
        verdicts = []
        for item in items:
            verdicts.append(pending[item].result())
            if progress is not None:
                progress(len(verdicts), verdicts[-1])
        return verdicts
    finally:
        executor.shutdown(cancel_futures=True)
