"""Evaluating BIRD predictions in one batch, against the benchmark's own way of doing it.

The peer is BIRD's published evaluator as it works on one prediction: in a pool of two processes, a fresh
connection, the predicted and the reference query, both in a thread with a time limit, and two sets of rows.
Its pool, and our workers, have started before the clock does. Runs alternate.

    python benchmarks/bench_eval.py --shared ../shared
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sqlite3
import statistics
import threading
import time
from pathlib import Path

from sqlmend.databases import open_database
from sqlmend.eval import Item, Oracle, evaluate_batch

TIME_LIMIT_S = 30.0


def peer_pair(predicted: str, reference: str, database: str) -> int:
    connection = sqlite3.connect(database)
    cursor = connection.cursor()
    cursor.execute(predicted)
    predicted_rows = cursor.fetchall()
    cursor.execute(reference)
    return int(set(predicted_rows) == set(cursor.fetchall()))


def peer_item(predicted: str, reference: str, database: str) -> int:
    answer = []

    def run() -> None:
        try:
            answer.append(peer_pair(predicted, reference, database))
        except Exception:  # noqa: BLE001 - the published way: whatever goes wrong scores 0
            answer.append(0)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(TIME_LIMIT_S)
    return answer[0] if answer else 0


def peer_batch(pool: multiprocessing.pool.Pool, items: list[tuple[str, str, str]]) -> list[int]:
    return [pending.get() for pending in [pool.apply_async(peer_item, item) for item in items]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, required=True, help="folder with data/bird and data/verdicts")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    data = arguments.shared / "data"
    files = sorted((data / "verdicts").glob("bird_*.jsonl"))
    records = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    paths = {
        db_id: data / "bird" / "dev_databases" / db_id / f"{db_id}.sqlite"
        for db_id in sorted({record["db_id"] for record in records})
    }
    references = {str(record["question_id"]): record["gold_sql"] for record in records}
    items = [Item(str(r["question_id"]), r["db_id"], r["predicted_sql"]) for r in records]
    peer_items = [(r["predicted_sql"], r["gold_sql"], str(paths[r["db_id"]])) for r in records]
    databases = {db_id: open_database(path) for db_id, path in paths.items()}

    times: dict[str, list[float]] = {"peer": [], "cold": [], "cached": []}
    scores: dict[str, list[int]] = {}
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(time.sleep, [0.1, 0.1])
        evaluate_batch(Oracle(references, databases, definition="bird"), items[:20])
        for _ in range(arguments.runs):
            begin = time.perf_counter()
            scores["peer"] = peer_batch(pool, peer_items)
            times["peer"].append(time.perf_counter() - begin)
            oracle = Oracle(references, databases, definition="bird")
            for name in ("cold", "cached"):
                begin = time.perf_counter()
                scores[name] = [verdict.score for verdict in evaluate_batch(oracle, items)]
                times[name].append(time.perf_counter() - begin)

    medians = {name: statistics.median(values) for name, values in times.items()}
    document = {
        "predictions": len(items),
        "seconds": {name: round(median, 3) for name, median in medians.items()},
        "ratio_cold": round(medians["cold"] / medians["peer"], 3),
        "ratio_cached": round(medians["cached"] / medians["peer"], 3),
        "equal_scores": {
            name: sum(map(int.__eq__, scores["peer"], scores[name])) for name in ("cold", "cached")
        },
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
