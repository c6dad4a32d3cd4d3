"""The recalls of a finished run, one by one, and each of them again with other settings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend.errors import InputError
from sqlmend.eval import read_episodes
from sqlmend.memory import IMPORTED, KINDS, Execution, Memory, MemoryView
from sqlmend.programs import Attempt, Episode, Question, RepairProgram
from sqlmend.retrievers import HybridRetriever

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark

#: Ids of what one recall gave, by part of the prompt, best first; parts without any are left out.
Given = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RecallMoment:
    """One recall of the run: the episode as it stood, and what it was given."""

    question: Question
    position: int
    attempts: tuple[Attempt, ...]
    draw: str
    twins: frozenset[str]
    steps: frozenset[str]
    given: Given


def moments_of(
    folder: Path,
    config: Mapping[str, Any],
    memory: Memory,
    recalls: Sequence[str],
    benchmark: Benchmark | None,
) -> Iterator[RecallMoment]:
    """The recalls of a run, in the order of its stream; an unfinished episode has none.

    Args:
        folder: The run's folder.
        config: Its configuration.
        memory: Its memory.
        recalls: Names of the steps that recall.
        benchmark: Where the questions' texts are from; None: the entries that they left.

    Raises:
        InputError: The benchmark does not have a question that recalled, or has it in other words.
    """
    episodes = {episode["position"]: episode for episode in read_episodes(folder)}
    questions = _questions(memory, benchmark)
    given: dict[tuple[int, int], dict[str, Any]] = {}
    ran: dict[tuple[int, int], set[str]] = {}
    for line in (folder / "steps.jsonl").read_text("utf-8").splitlines():
        step = json.loads(line)
        if step.get("step") in recalls and "recalled" in step:
            given[step["position"], step["attempt"]] = step["recalled"]
            ran.setdefault((step["position"], step["attempt"]), set()).add(step["step"])
    for (position, count), recalled in sorted(given.items()):
        episode = episodes.get(position)
        question = questions.get((episode["db_id"], episode["question_id"])) if episode else None
        if episode is not None and benchmark is not None and question is None:
            raise _other_data(benchmark, "lacks", episode["question_id"], episode["db_id"])
        if episode is None or question is None:
            continue  # not finished, or it left nothing that tells its text
        attempts = tuple(
            Attempt(Execution(a["sql"], a["status"], a["error"]), False, failure_type=a["failure_type"])
            for a in episode["attempts"][:count]
        )
        yield RecallMoment(
            question=question,
            position=position,
            attempts=attempts,
            draw=f"order{config['order']}:{question.id}",
            twins=benchmark.twins[question.id] if benchmark else frozenset(),
            steps=frozenset(ran[position, count]),
            given=_given(recalled),
        )


def _questions(memory: Memory, benchmark: Benchmark | None) -> dict[tuple[str, str], Question]:
    """The questions, from the benchmark, or from the entries that they left."""
    records = [record for kind in KINDS for record in memory.records(kind)]
    left = {
        (e.db_id, e.question_id): Question(e.question_id, e.db_id, e.question)
        for e in (record.entry for record in records if benchmark is None or record.position != IMPORTED)
    }
    if benchmark is None:
        return left
    asked = {(question.db_id, question.id): question for question in benchmark.questions}
    for key in left.keys() & asked.keys():
        if left[key].text != asked[key].text:
            raise _other_data(benchmark, "has in other words", key[1], key[0])
    return asked


def _other_data(benchmark: Benchmark, fault: str, question_id: str, db_id: str) -> InputError:
    return InputError(
        "other_benchmark",
        f"{benchmark.name} as it is given {fault} the run's question {question_id!r} of {db_id}",
        hint="give --benchmark as the run had it: the same data, and the run's questions or all of them",
    )


def view_of(memory: Memory, moment: RecallMoment) -> MemoryView:
    """What the recall could see of the run's memory."""
    question = moment.question
    return memory.view(
        moment.position,
        question_id=question.id,
        question=question.text,
        db_id=question.db_id,
        twins=moment.twins,
    )


def recall_again(
    program: RepairProgram,
    moment: RecallMoment,
    view: MemoryView,
    retriever: HybridRetriever,
) -> Given:
    """What the steps of that recall give in another program of the same steps."""
    # The steps of a recall ask for neither database nor feedback.
    nothing: Any = None
    episode = Episode(
        moment.question,
        nothing,
        nothing,
        memory=view,
        retriever=retriever,
        draw=moment.draw,
        attempts=list(moment.attempts),
    )
    for spec, step in zip(program.preset.steps, program.steps, strict=True):
        if spec.name in moment.steps:
            step(episode)
    return _given(episode.recalled.to_dict() if episode.recalled else {})


def _given(parts: Mapping[str, Any]) -> Given:
    """Ids by part; a part that gives nothing is none, whether anything was there to be recalled or not."""
    given = {part: tuple(one["id"] for one in found["recalled"]) for part, found in parts.items()}
    return {part: ids for part, ids in given.items() if ids}
