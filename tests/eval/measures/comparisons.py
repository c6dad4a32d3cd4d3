"""Comparisons written by hand: a folder with what runs leave on disk, every figure of it known."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlmend.memory import Execution, Memory, RepairEntry

RIGHT, WRONG, ALSO_WRONG, BROKEN = (
    "SELECT name FROM t",
    "SELECT id FROM t",
    "SELECT x FROM t JOIN u ON t.id = u.id",
    "SELEC",
)
_STATUS = {RIGHT: "match", WRONG: "mismatch", ALSO_WRONG: "mismatch", BROKEN: "syntax_error"}
_TYPE = {"mismatch": "result_mismatch", "syntax_error": "syntax", "match": None}


def questions(*groups: int) -> list[dict[str, Any]]:
    """Questions `q0`, `q1`, ... of these groups; two by two of one database."""
    return [
        {
            "id": f"q{n}",
            "db_id": f"db{n // 2 % 2}",
            "text": f"Question {n}?",
            "difficulty": "easy",
            "group": group,
        }
        for n, group in enumerate(groups)
    ]


def episode(
    question: dict[str, Any], *sqls: str, position: int = 0, recalled=(), error=None
) -> dict[str, Any]:
    """An episode with these attempts; every revision was given `recalled`."""
    attempts = [
        {
            "sql": sql,
            "status": _STATUS[sql],
            "error": "near SELEC: syntax error" if sql == BROKEN else None,
            "failure_type": _TYPE[_STATUS[sql]],
            "recalled": list(recalled) if n else [],
            "dropped_memories": 0,
            "dropped_attempts": 0,
        }
        for n, sql in enumerate(sqls)
    ]
    return {
        "v": 1,
        "position": position,
        "question_id": question["id"],
        "db_id": question["db_id"],
        "difficulty": question["difficulty"],
        "attempts": attempts,
        "sql": sqls[-1] if sqls else "",
        "score_before": int(bool(sqls) and sqls[0] == RIGHT),
        "score_after": int(bool(sqls) and sqls[-1] == RIGHT and error is None),
        "flags": [],
        "committed": [],
        "calls": len(sqls),
        "prompt_tokens": 100 * len(sqls),
        "output_tokens": 10 * len(sqls),
        "error": error,
    }


def steps(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps of an episode: a call of 100 and 10 tokens and a second for each query, then its run."""
    lines = []
    for n, _ in enumerate(record["attempts"]):
        base = {"position": record["position"], "question_id": record["question_id"], "at": "-"}
        call = {"calls": 1, "prompt_tokens": 100, "output_tokens": 10, "cached_tokens": 40 if n else 0}
        call |= {
            "cut_off": 0,
            "paid": [] if n else ["key"],
            "seconds": 1.5,
            "seconds_model": 1.0,
            "seconds_answers": 2.0,
        }
        lines.append({**base, "step": "revise" if n else "generate", "attempt": n, **call})
        nothing = {"calls": 0, "prompt_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "paid": []}
        nothing |= {"cut_off": 0, "seconds": 0.25, "seconds_model": 0.0, "seconds_answers": 0.0}
        lines.append({**base, "step": "observe", "attempt": n + 1, **nothing})
    return lines


@dataclass
class Hand:
    """A comparison in the making.

    Attributes:
        folder: Where it is written.
        asked: Its questions.
        remembering: Keys of the programs that read a memory.
        plain: Keys of the others.
        config: What of `comparison.json` differs from the default.
    """

    folder: Path
    asked: list[dict[str, Any]]
    remembering: tuple[str, ...] = ("memo",)
    plain: tuple[str, ...] = ("plain",)
    orders: tuple[int, ...] = (0, 1)
    budget: int = 2
    config: dict[str, Any] = field(default_factory=dict)

    def begin(self) -> Hand:
        """Write `comparison.json`."""
        programs = [
            {
                "key": key,
                "name": key,
                "summary": f"about {key}",
                "origin": "test",
                "reads_memory": key in self.remembering,
                "preset": {"name": key, "budget": self.budget, "section_order": "prefix", "steps": []},
            }
            for key in (*self.plain, *self.remembering)
        ]
        first, *others = [program["key"] for program in reversed(programs)]
        document = {
            "format": 1,
            "benchmark": {"name": "hand", "data_hash": "sha256:0", "left_out": {}},
            "selection": {},
            "definition": "bag",
            "regime": "the oracle ends episodes and sets polarity",
            "timeout_s": 30.0,
            "budget": self.budget,
            "lm": {"name": "none"},
            "embedder": "hash64",
            "initial": None,
            "versions": {},
            "prompts": {},
            "programs": programs,
            "orders": list(self.orders),
            "same_group": ["allow", "exclude"],
            "pairs": [[first, other] for other in others],
            "unit": "group",
            "resamples": 2_000,
            "seed": 0,
            "questions": self.asked,
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "comparison.json").write_text(json.dumps({**document, **self.config}))
        return self

    def run(
        self,
        program: str,
        rule: str,
        order: int,
        episodes: list[dict],
        *,
        finished: bool = True,
        entries=(),
        versions=(),
    ):
        """Write one run; its episodes are put at the positions in which they are given."""
        folder = self.folder / "runs" / program / rule / f"order{order}"
        folder.mkdir(parents=True)
        records = [{**record, "position": n} for n, record in enumerate(episodes)]
        config = {"program": {"budget": self.budget}}
        (folder / "config.json").write_text(json.dumps(config))
        _write(folder / "episodes.jsonl", records)
        _write(folder / "steps.jsonl", [step for record in records for step in steps(record)])
        with Memory(folder / "memory", write=True) as memory:
            memory.append(entries, 0, {})
        if finished:
            summary = {"provenance": {"versions": dict(versions)}}
            (folder / "summary.json").write_text(json.dumps(summary))
        return folder


def entry(question: dict[str, Any], polarity: str = "positive") -> RepairEntry:
    """What repairing a question left."""
    return RepairEntry(
        polarity=polarity,
        question_id=question["id"],
        question=question["text"],
        db_id=question["db_id"],
        schema="CREATE TABLE t (id, name)",
        schema_fingerprint="sha256:1",
        evidence="",
        before=Execution(WRONG, "mismatch"),
        after=Execution(RIGHT, "match"),
        delta="SELECT: id -> name",
        failure_type="result_mismatch",
    )


def _write(file: Path, records: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
