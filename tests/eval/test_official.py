"""Agreement with the benchmarks' own evaluators on predictions of real systems."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from sqlmend.databases import open_database
from sqlmend.eval import Item, Oracle, evaluate_batch

# Why a line may be judged otherwise than officially: it is not one statement.
FLAGGED = {
    "bird": {"multi_statement": 2},
    "spider": {"multi_statement": 1},
    "spider_keep_distinct": {"multi_statement": 1},
}


@pytest.mark.parametrize(
    ("definition", "score"),
    [
        ("bird", "official_ex"),
        ("spider", "official_ex"),
        ("spider_keep_distinct", "official_ex_keep_distinct"),
    ],
)
def test_every_line_agrees_or_is_flagged(shared_dir: Path, definition: str, score: str) -> None:
    benchmark = definition.partition("_")[0]
    folder = shared_dir / "data" / {"bird": "bird/dev_databases", "spider": "spider/database"}[benchmark]
    files = sorted((shared_dir / "data" / "verdicts").glob(f"{benchmark}_*.jsonl"))
    lines = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    oracle = Oracle(
        {str(line["question_id"]): line["gold_sql"] for line in lines},
        {db: open_database(folder / db / f"{db}.sqlite") for db in {line["db_id"] for line in lines}},
        definition=definition,
    )
    verdicts = evaluate_batch(
        oracle, [Item(str(line["question_id"]), line["db_id"], line["predicted_sql"]) for line in lines]
    )
    flagged = Counter(v.outcome for v in verdicts if "differs_from_official" in v.flags)
    assert flagged == FLAGGED[definition]
    assert not [
        (line, verdict)
        for line, verdict in zip(lines, verdicts, strict=True)
        if verdict.score != line[score] and "differs_from_official" not in verdict.flags
    ]
