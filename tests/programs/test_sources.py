"""Programs whose finished episodes cards are made from: what each is told, and what each leaves."""

import re

import dspy
import pytest

from sqlmend.models import LanguageModel
from sqlmend.programs import Episode, Judgement, Question, load_preset, load_program
from sqlmend.testing import ScriptedEngine, scripted_lm

RIGHT = "SELECT name FROM city"
SOURCES = ("probe",)


def judge(sql):
    if sql == RIGHT:
        return Judgement("match", None, solved=True)
    if "nme" in sql:
        return Judgement("unknown_column", "no such column: nme", solved=False)
    return Judgement("mismatch", None, solved=False)


class Model:
    """Answers a prompt by its kind with the next of the kind's answers, and keeps prompts and sampling."""

    def __init__(self, **answers):
        self.answers = {kind: list(texts) for kind, texts in answers.items()}
        self.prompts = {"generate": [], "probe": [], "retry": []}
        self.sampling = []

    def answer(self, prompt):
        kind = "generate"
        if "<queries_at_most>" in prompt:
            kind = "probe"
        elif re.search("<(history|findings|wrong_queries)>", prompt):
            kind = "retry"
        self.prompts[kind].append(prompt)
        left = self.answers[kind]
        return f"<answer>{left.pop(0) if len(left) > 1 else left[0]}</answer>"

    @property
    def lm(self):
        outer = self

        class Keeping(ScriptedEngine):
            def complete(self, request):
                outer.sampling.append((request.config.temperature, request.config.seed))
                return super().complete(request)

        return LanguageModel("scripted", Keeping(self.answer))


def run(database, model, program, *overrides):
    episode = Episode(Question("1", "geo", "Which cities?"), database, judge)
    steps = []
    with dspy.context(lm=model.lm):
        load_program(program, overrides)(episode, on_step=lambda step: steps.append(step.step))
    return episode, steps


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_begins_with_the_initial_query_of_all_programs(database, name):
    prompts = []

    def answer(prompt):
        prompts.append(prompt)
        return f"<answer>{RIGHT}</answer>"

    for program in ("iterative", name):
        with dspy.context(lm=scripted_lm(answer)):
            load_program(program)(Episode(Question("1", "geo", "Which cities?"), database, judge))
    assert prompts[0] == prompts[1]
    assert len(prompts) == 2, "a right answer is looked at no further"


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_is_greedy_unless_it_samples_names_failures_and_leaves_no_memory(database, name):
    preset = load_preset(name)
    assert preset.origin == "published method"
    assert preset.budget == 3
    program = load_program(name)
    assert not program.reads_memory
    model = Model(generate=["SELECT nme FROM city"], probe=["SELECT 1"], retry=["SELECT id FROM city"])
    episode, _ = run(database, model, name)
    assert len(episode.attempts) == preset.budget + 1
    assert episode.attempts[0].failure_type == "schema_linking"
    assert None not in [attempt.failure_type for attempt in episode.attempts]
    assert episode.commit == []
    assert {temperature for temperature, _ in model.sampling} == {0.0}


def test_probe_looks_before_each_retry_and_ends_when_it_is_right(database):
    model = Model(
        generate=["SELECT nme FROM city"],
        probe=["SELECT count(*) FROM city; SELECT nam FROM city; SELECT 3", "SELECT count(*) FROM city"],
        retry=["SELECT id FROM city", RIGHT],
    )
    episode, steps = run(database, model, "probe")
    repair = ["classify", "probe", "retry", "observe"]
    assert steps == ["generate", "observe", *repair, *repair]
    assert episode.solved
    looks = [(look.execution.sql, look.execution.status, look.attempt) for look in episode.probes]
    assert looks == [
        ("SELECT count(*) FROM city", "ok", 1),
        ("SELECT nam FROM city", "unknown_column", 1),
    ], "two at most, and what was run before is not run again"
    first, second = model.prompts["retry"]
    assert "[1] unknown_column: no such column: nme\nSELECT nme FROM city" in first
    assert "[1] SELECT count(*) FROM city\n1 row of (count(*)): (0)" in first
    assert "[2] SELECT nam FROM city\nunknown_column: no such column: nam" in first
    assert "[2] mismatch" in second
    assert "<findings>" not in model.prompts["probe"][0]
    assert "<findings>" in model.prompts["probe"][1]


def test_a_model_that_asks_for_no_look_writes_its_retry_without_findings(database):
    model = Model(generate=["SELECT 1"], probe=["none"], retry=[RIGHT])
    episode, _ = run(database, model, "probe")
    assert episode.solved
    assert episode.probes == []
    assert "<findings>" not in model.prompts["retry"][0]


def test_how_much_is_looked_at_is_a_setting(database):
    many = "; ".join(f"SELECT {n}, column1 FROM (VALUES (1), (2), (3))" for n in range(5))
    model = Model(generate=["SELECT 1"], probe=[many], retry=["SELECT 2"])
    episode, _ = run(database, model, "probe", "budget=1", "probe.queries=3", "probe.rows=1")
    assert [look.rows for look in episode.probes] == [
        f"3 rows of ({n}, column1): ({n}, 1); ..." for n in range(3)
    ]
