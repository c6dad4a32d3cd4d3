"""One recall at 1,000 entries: positives and negatives, both scores, embedding aside.

Run: ``python benchmarks/bench_retrieval.py [entries]``. Prints one JSON document, times in
milliseconds. ``recall`` is what a repair step pays (bar: 5 ms, of the step's 15); the rest is paid
once for a commit, an index or a run.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlmend.memory import Execution, Memory, RepairEntry
from sqlmend.retrievers import HashEmbedder, HybridRetriever, MemoryIndex, RecallQuery, RecallSettings

TYPES = ["schema_linking", "syntax", "aggregation", "filter_value", "execution", "result_mismatch"]
WORDS = [f"word_{i}" for i in range(400)]
DIM = 384
KINDS = ("positive", "negative")


def words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def entry(i: int, chance: random.Random) -> RepairEntry:
    """Texts about as long as those of Spider and BIRD streams."""
    return RepairEntry(
        polarity="positive" if chance.random() < 0.6 else "negative",
        question_id=str(i),
        question=f"How many {words(chance, 10)}?",
        db_id=f"db_{i % 20}",
        schema=words(chance, 250),
        schema_fingerprint="sha256:0",
        evidence="",
        before=Execution(
            f"SELECT {words(chance, 30)}", "unknown_column", f"no such column: {words(chance, 1)}"
        ),
        after=Execution(f"SELECT {words(chance, 30)}", "mismatch"),
        delta=words(chance, 20),
        failure_type=chance.choice(TYPES),
    )


def milliseconds(action: Callable[[], Any]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def main(count: int) -> dict[str, Any]:
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "memory", write=True) as memory:
        index = MemoryIndex(memory, Path(folder) / "index", HashEmbedder(DIM))
        memory.append([entry(i, chance) for i in range(count - 50)], 0, {})
        first = milliseconds(lambda: index.sync(KINDS))
        commits = []
        for i in range(50):
            memory.append([entry(count + i, chance)], 1 + i, {})
            commits.append(milliseconds(index.sync))
        retriever = HybridRetriever(index)
        recalls: dict[str, list[float]] = {"hard": [], "off": []}
        for i in range(200):
            view = memory.view(10**6, question_id="q", question=f"other {i}", db_id="db_1")
            query = RecallQuery(
                words(chance, 10), words(chance, 30), "unknown_column: no such column: x", TYPES[i % 6]
            )
            index.embed("\n".join([query.question, query.sql, query.failure_context, query.failure_type]))
            for policy, times in recalls.items():
                settings = RecallSettings(type_policy=policy)
                times.append(milliseconds(lambda: retriever.recall(query, view, settings)))  # noqa: B023
        close = milliseconds(index.close)
        reopen = milliseconds(
            lambda: MemoryIndex(memory, Path(folder) / "index", HashEmbedder(DIM)).sync(KINDS)
        )
    return {
        "entries": count,
        "recall_hard_median_ms": round(statistics.median(recalls["hard"]), 2),
        "recall_off_median_ms": round(statistics.median(recalls["off"]), 2),
        "recall_off_p95_ms": round(statistics.quantiles(recalls["off"], n=20)[-1], 2),
        "sync_one_entry_median_ms": round(statistics.median(commits), 2),
        "first_sync_ms": round(first),
        "close_ms": round(close),
        "reopen_ms": round(reopen),
    }


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)))
