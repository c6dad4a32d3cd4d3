"""What a run writes of each episode and step; episodes hold no time, path or random id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend.errors import SqlmendError
from sqlmend.eval._run_folder import FORMAT
from sqlmend.eval._verdict import Verdict
from sqlmend.memory import Record
from sqlmend.models import Usage
from sqlmend.modules import Probe
from sqlmend.programs import Attempt, Episode, StepDone
from sqlmend.programs.steps import STEPS


def episode_record(
    position: int,
    episode: Episode,
    verdicts: Sequence[Verdict],
    committed: Sequence[Record],
    usage: Usage,
    error: Exception | None,
) -> dict[str, Any]:
    """One line of ``episodes.jsonl``.

    What depends on the process that ran it (times, prompt tokens that a cache held) and the words of an
    unexpected error are in ``steps.jsonl``. ``unlearnt`` is there only where learning from an answer failed.

    Args:
        position: Position of the question in the stream.
        episode: The finished episode.
        verdicts: The oracle's verdict of each attempt, for the score and its flags.
        committed: What the episode left in the memory.
        usage: What the language model was asked.
        error: Why the episode could not be finished, None where it was.
    """
    flags = dict.fromkeys(flag for verdict in verdicts for flag in verdict.flags)
    reasoning = episode.reasoning.to_data()
    return {
        "v": FORMAT,
        "position": position,
        "question_id": episode.question.id,
        "db_id": episode.question.db_id,
        "difficulty": episode.question.difficulty,
        "attempts": [_attempt(attempt) for attempt in episode.attempts],
        **({"probes": [_probe(probe) for probe in episode.probes]} if episode.probes else {}),
        "sql": episode.last.execution.sql if episode.attempts else "",
        "score_before": verdicts[0].score if verdicts else 0,
        "score_after": verdicts[-1].score if verdicts and error is None else 0,
        "flags": list(flags),
        "committed": [{"id": record.id, "kind": record.kind} for record in committed],
        **({"reasoning": reasoning} if reasoning else {}),
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "output_tokens": usage.output_tokens,
        "error": None if error is None else _code(error),
        **({} if episode.unlearnt is None else {"unlearnt": _code(episode.unlearnt)}),
    }


def step_record(position: int, episode: Episode, step: StepDone, at: str) -> dict[str, Any]:
    """One line of ``steps.jsonl``, the only place of a run that knows the time.

    Args:
        position: Position of the question in the stream.
        episode: The episode after the step.
        step: The finished step.
        at: When it ended, ISO 8601.
    """
    record = {
        "at": at,
        "position": position,
        "question_id": episode.question.id,
        "step": step.step,
        "attempt": step.attempt,
        "seconds": round(step.seconds, 6),
        "seconds_model": round(step.usage.waited, 6),
        # What the answers took when they were paid for, by whomever: equal with and without a memo.
        "seconds_answers": round(sum(call.seconds for call in step.usage.records), 6),
        "calls": step.usage.calls,
        "prompt_tokens": step.usage.prompt_tokens,
        "output_tokens": step.usage.output_tokens,
        "cached_tokens": step.usage.cached_tokens,
        "cut_off": step.usage.cut_off,
        "paid": [call.key for call in step.usage.records if call.paid],
    }
    gives = STEPS[step.step].gives if step.step in STEPS else frozenset()
    if gives & {"recalled", "cards"} and episode.recalled is not None:
        record["recalled"] = episode.recalled.to_dict()
    if step.step == "observe":
        record["status"] = episode.last.execution.status
        record["sql"] = episode.last.execution.sql
    return record


def _code(error: Exception) -> str:
    return error.code if isinstance(error, SqlmendError) else type(error).__name__


def _attempt(attempt: Attempt) -> Mapping[str, Any]:
    return {
        "sql": attempt.execution.sql,
        "status": attempt.execution.status,
        "error": attempt.execution.error,
        "failure_type": attempt.failure_type,
        "recalled": list(attempt.recalled),
        "dropped_memories": attempt.dropped_memories,
        "dropped_attempts": attempt.dropped_attempts,
        **({"dropped_probes": attempt.dropped_probes} if attempt.dropped_probes else {}),
    }


def _probe(probe: Probe) -> Mapping[str, Any]:
    return {**vars(probe.execution), "rows": probe.rows, "attempt": probe.attempt}
