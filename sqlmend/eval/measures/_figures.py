"""One episode in figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from sqlmend.databases import canonical
from sqlmend.errors import SqlmendError
from sqlmend.eval._apart import ANSWERING, CONSTRUCTION, PARTS, REPAIR, part_of
from sqlmend.eval._summary import last_runs
from sqlmend.eval.measures._features import sql_features
from sqlmend.modules import FAILURE_TYPES

#: Failure types by the failing status; and of initial queries that have none: nobody can say what is right,
#: and no query was run at all.
UNDECIDABLE, NOT_RUN = "undecidable", "not_run"

_same = lru_cache(maxsize=1 << 16)(canonical)


class Cost(NamedTuple):
    """What steps have cost, memo hits as what they would have cost.

    Attributes:
        calls: Calls of the language model.
        prompt_tokens: Tokens of their prompts.
        output_tokens: Tokens of their answers.
        cached_tokens: Prompt tokens that the engine took from its prefix cache.
        calls_paid: Calls that this run paid for.
        cut_off: Calls whose answer did not come to its own end.
        seconds_model: Seconds that the answers took when they were paid for, by whomever.
        seconds_outside: Seconds of the steps outside the model.
    """

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    calls_paid: int = 0
    cut_off: int = 0
    seconds_model: float = 0.0
    seconds_outside: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens of prompts and answers."""
        return self.prompt_tokens + self.output_tokens


def total(costs: Iterable[Cost]) -> Cost:
    """All of them together."""
    return Cost(*map(sum, zip(Cost(), *costs, strict=True)))


@dataclass(frozen=True)
class Figures:
    """One episode in figures.

    Attributes:
        position: Position in the stream.
        question_id: Id of the question.
        db_id: Its database.
        difficulty: Its difficulty, may be empty.
        before: Score of the initial query.
        after: Score of the last one; 0 where the episode could not be finished.
        failure_type: That of the initial query, None where it was right.
        features: Features of the initial query; none where there is no query.
        revisions: Queries after the initial one.
        repeats: Revisions whose canonical text is that of an earlier attempt of the episode.
        recalled: Ids of the memories that its prompts were given.
        error: Code of the failure that ended it, None where it was finished.
        cost: What it cost in all.
        answering: What of this its initial query cost.
        construction: What of this the memory cost that it left.
        repair: What of this its revisions cost.
    """

    position: int
    question_id: str
    db_id: str
    difficulty: str
    before: int
    after: int
    failure_type: str | None
    features: tuple[str, ...]
    revisions: int
    repeats: int
    recalled: frozenset[str]
    error: str | None
    cost: Cost
    answering: Cost
    construction: Cost
    repair: Cost

    @property
    def failed(self) -> int:
        """1 where the initial query was wrong."""
        return 1 - self.before

    @property
    def repaired(self) -> int:
        """1 where the initial query was wrong and the last one is right."""
        return self.failed * self.after

    def repair_steps(self, budget: int) -> int:
        """Revisions that the repair took; the whole budget where the failure was not repaired."""
        if not self.failed:
            return 0
        return self.revisions if self.after else budget


def episode_figures(
    episodes: Sequence[Mapping[str, Any]], steps: Sequence[Mapping[str, Any]]
) -> tuple[Figures, ...]:
    """The figures of a run's episodes.

    Args:
        episodes: Records of ``episodes.jsonl``.
        steps: Records of ``steps.jsonl``.

    Raises:
        SqlmendError: The step log was written by a version that did not count tokens in it, or lacks the
            steps of a finished episode.
    """
    by_position: dict[int, list[Mapping[str, Any]]] = {}
    for step in last_runs(steps):
        by_position.setdefault(step["position"], []).append(step)
    return tuple(_of_episode(episode, by_position.get(episode["position"], ())) for episode in episodes)


def repeated(attempts: Sequence[Mapping[str, Any]]) -> list[bool]:
    """For each attempt whether its canonical text is that of an earlier one."""
    seen: set[str] = set()
    found = []
    for attempt in attempts:
        text = _same(attempt["sql"])
        found.append(text in seen)
        seen.add(text)
    return found


def _of_episode(episode: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> Figures:
    attempts = episode["attempts"]
    if episode["calls"] and episode["error"] is None and not steps:
        # Taken as free, they would make repairs cost what the initial queries did.
        raise SqlmendError(
            "damaged_run", f"steps.jsonl lacks the steps of question {episode['question_id']!r}"
        )
    parts = {part: total(_cost(step) for step in steps if part_of(step) == part) for part in PARTS}
    lost = _of_failed_step(episode, total(parts.values()))
    failed_in = _failed_in(episode, parts)
    parts[failed_in] = total([parts[failed_in], lost])
    return Figures(
        position=episode["position"],
        question_id=episode["question_id"],
        db_id=episode["db_id"],
        difficulty=episode["difficulty"],
        before=episode["score_before"],
        after=episode["score_after"],
        failure_type=_failure_type(episode),
        features=sql_features(attempts[0]["sql"]) if attempts else (),
        revisions=max(0, len(attempts) - 1),
        repeats=sum(repeated(attempts)),
        recalled=frozenset(memory for attempt in attempts for memory in attempt["recalled"]),
        error=episode["error"],
        cost=total(parts.values()),
        **parts,
    )


def _failed_in(episode: Mapping[str, Any], parts: Mapping[str, Cost]) -> str:
    """Which part a step belongs to that failed; which step it was is in no record."""
    if "unlearnt" in episode:
        return CONSTRUCTION  # its answer and its repairs went on
    if episode["attempts"]:
        return REPAIR
    return CONSTRUCTION if parts[CONSTRUCTION].calls else ANSWERING


def _of_failed_step(episode: Mapping[str, Any], known: Cost) -> Cost:
    """What a step that failed had asked for: it is in the episode's own sums alone."""
    return Cost(
        *(episode[name] - getattr(known, name) for name in ("calls", "prompt_tokens", "output_tokens"))
    )


def _cost(step: Mapping[str, Any]) -> Cost:
    try:
        return Cost(
            calls=step["calls"],
            prompt_tokens=step["prompt_tokens"],
            output_tokens=step["output_tokens"],
            cached_tokens=step["cached_tokens"],
            calls_paid=len(step["paid"]),
            cut_off=step["cut_off"],
            seconds_model=step["seconds_answers"],
            seconds_outside=max(0.0, step["seconds"] - step["seconds_model"]),
        )
    except KeyError as error:
        raise SqlmendError(
            "old_run",
            f"steps.jsonl does not say {error} of its steps: an earlier version has written it",
            hint="run it again; the memo makes that free",
        ) from None


def _failure_type(episode: Mapping[str, Any]) -> str | None:
    if episode["score_before"]:
        return None
    if not episode["attempts"]:
        return NOT_RUN
    initial = episode["attempts"][0]
    return str(initial["failure_type"] or FAILURE_TYPES.get(initial["status"], UNDECIDABLE))
