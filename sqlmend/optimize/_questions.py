"""Which questions a study learns from and which it is judged on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import dspy

from sqlmend._files import sha256_text
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark

_INPUTS = ("question_id", "db_id", "question", "evidence")


def as_examples(benchmark: Benchmark) -> list[dspy.Example]:
    """A benchmark's questions as DSPy has them, for ``compile``; no reference is in them.

    Returns:
        Examples with the inputs ``question_id``, ``db_id``, ``question`` and ``evidence``.
    """
    return [
        dspy.Example(
            question_id=question.id,
            db_id=question.db_id,
            question=question.text,
            evidence=question.evidence,
        ).with_inputs(*_INPUTS)
        for question in benchmark.questions
    ]


def chosen(benchmark: Benchmark, examples: Sequence[Any], name: str) -> Benchmark:
    """The questions of ``benchmark`` that the examples name by ``question_id``.

    Args:
        benchmark: Where they are from; it alone can have them judged.
        examples: Examples as ``as_examples`` makes them.
        name: What they are called, for an error.

    Raises:
        InputError: There is none, one has no id, stands twice, or is not in the benchmark.
    """
    ids = [str(example.get("question_id", "")) for example in examples]
    if not ids or not all(ids):
        raise InputError(
            "bad_questions",
            f"{name} must hold at least one example, each with its question_id; got {len(ids)}",
            hint="sqlmend.optimize.as_examples(benchmark)",
        )
    if len(set(ids)) < len(ids):
        twice = next(question_id for question_id in ids if ids.count(question_id) > 1)
        raise InputError("bad_questions", f"the question {twice!r} stands twice in {name}")
    return benchmark.select(ids=ids)


def split_off(benchmark: Benchmark, share: float, seed: int) -> tuple[Benchmark, Benchmark]:
    """The questions to learn from, and those to judge by: whole groups, drawn by hash.

    Args:
        benchmark: All of them.
        share: Share of the questions that is held out, about.
        seed: Another seed holds out other groups.

    Raises:
        InputError: The share is not between 0 and 1, or there are too few groups for two parts.
    """
    if not 0 < share < 1:
        raise InputError("bad_holdout", f"a share to hold out lies between 0 and 1; got {share}")
    groups = benchmark.groups
    wanted = share * len(benchmark.questions)
    held: set[str] = set()
    for group in sorted(set(groups.values()), key=lambda group: sha256_text(f"holdout{seed}:{group}")):
        if len(held) >= wanted:
            break
        held |= {question_id for question_id, other in groups.items() if other == group}
    rest = groups.keys() - held
    if not held or not rest:
        raise InputError(
            "bad_holdout",
            f"{len(set(groups.values()))} groups of questions cannot be split",
            hint="take more",
        )
    return benchmark.select(ids=rest), benchmark.select(ids=held)


def refuse_shared(train: Benchmark, holdout: Benchmark) -> None:
    """Training and held-out questions must share no group of paraphrase twins.

    Raises:
        InputError: They do.
    """
    shared = train.shared_with(holdout)
    if shared:
        raise InputError(
            "shared_groups",
            f"{len(shared)} training questions have a paraphrase (or themselves) among the held-out ones:"
            f" {', '.join(shared[:5])}",
            hint="hold out other databases, or a share of the questions (--holdout 0.25)",
        )
