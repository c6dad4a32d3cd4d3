"""The loop: which steps run when, what they see, and what an episode leaves."""

import inspect

import dspy
import pytest

from sqlmend.errors import SqlmendError
from sqlmend.models import LanguageModel
from sqlmend.programs import Episode, Judgement, Question, load_program
from sqlmend.programs.steps import STEPS, Step
from sqlmend.testing import ScriptedEngine, scripted_lm

RIGHT = "SELECT name FROM city"


def judge(sql):
    if sql == RIGHT:
        return Judgement("match", None, solved=True)
    if "nme" in sql:
        return Judgement("unknown_column", "no such column: nme", solved=False)
    return Judgement("mismatch", None, solved=False)


def run(database, answers, program="merit", initial=None, **changes):
    """Run one episode with a model that gives these answers in turn."""
    left = iter(answers)
    episode = Episode(Question("1", "geo", "Which cities?"), database, judge, initial_sql=initial)
    steps = []
    repair = load_program(program, [f"{name}={value}" for name, value in changes.items()])
    with dspy.context(lm=scripted_lm(lambda prompt: f"<answer>{next(left)}</answer>")):
        result = repair(episode, on_step=lambda step: steps.append((step.step, step.attempt)))
    return episode, result, steps


def test_a_right_initial_query_ends_the_episode_and_leaves_nothing(database):
    episode, result, steps = run(database, [RIGHT])
    assert result.solved
    assert result.sql == RIGHT
    assert episode.commit == []
    assert steps == [("generate", 0), ("observe", 1), ("remember", 1)]


def test_a_repair_runs_the_list_until_it_is_confirmed(database):
    episode, result, steps = run(database, ["SELECT nme FROM city", "SELECT id FROM city", RIGHT])
    assert result.solved
    types = [attempt.failure_type for attempt in episode.attempts]
    assert types == ["schema_linking", "result_mismatch", None]
    repair = ["classify", "recall", "revise", "observe"]
    assert [name for name, _ in steps] == ["generate", "observe", *repair, *repair, "remember"]
    (entry,) = episode.commit
    assert (entry.polarity, entry.failure_type) == ("positive", "result_mismatch")


def test_an_exhausted_budget_leaves_a_negative_and_classifies_the_last_attempt_too(database):
    episode, result, steps = run(database, [f"SELECT {n}" for n in range(9)], budget=2)
    assert not result.solved
    assert len(episode.attempts) == 3
    assert steps[-2:] == [("classify", 3), ("remember", 3)]
    assert [entry.polarity for entry in episode.commit] == ["negative"]


def test_a_budget_of_none_revises_nothing(database):
    episode, _, steps = run(database, ["SELECT 1"], budget=0)
    assert len(episode.attempts) == 1
    assert episode.commit == []
    assert [name for name, _ in steps] == ["generate", "observe", "classify", "remember"]


def test_a_given_initial_query_costs_no_call(database):
    _, result, steps = run(database, [], initial=RIGHT)
    assert result.solved
    assert steps[0] == ("observe", 1)


def test_without_memory_all_repair_programs_send_the_same_prompts(database):
    prompts = {}
    for program in ("iterative", "merit", "dynamic_rag", "merit_reliability"):
        sent = prompts.setdefault(program, [])

        def answer(prompt, sent=sent):
            sent.append(prompt)
            return f"<answer>SELECT {len(sent)}</answer>"

        episode = Episode(Question("1", "geo", "Which cities?"), database, judge)
        with dspy.context(lm=scripted_lm(answer)):
            load_program(program, ["budget=2"])(episode)
    assert all(sent == prompts["iterative"] for sent in prompts.values())
    assert len(prompts["merit"]) == 3


def test_a_repeated_revision_ends_the_episode_where_the_preset_says_so(database):
    again = "select  ID from city;"
    episode, result, steps = run(database, ["SELECT id FROM city", again], program="merit_stop")
    assert not result.solved
    assert len(episode.attempts) == 1
    assert episode.commit == [], "nothing was tried, so nothing is remembered"
    assert steps[-2:] == [("revise", 1), ("remember", 1)]


def test_an_episode_that_is_given_up_leaves_the_last_step_that_it_took(database):
    """To the memory it is an episode that ended without the answer, as with an exhausted budget."""
    answers = ["SELECT id FROM city", "SELECT 2", "SELECT id FROM city"]
    episode, _, _ = run(database, answers, program="merit_stop")
    (entry,) = episode.commit
    assert (entry.polarity, entry.after.sql) == ("negative", "SELECT 2")


def test_a_repeated_revision_is_kept_by_default(database):
    episode, _, _ = run(database, ["SELECT id FROM city"] * 2, program="merit", budget=1)
    assert len(episode.attempts) == 2


@pytest.mark.parametrize(
    ("answers", "sql", "calls"),
    [
        (["SELECT id FROM city", "SELECT ID FROM city", "SELECT id from city", RIGHT], RIGHT, 4),
        (["SELECT id FROM city", "SELECT 2"], "SELECT 2", 2),
        (["SELECT id FROM city"] * 2 + ["CREATE TABLE city (id)", "SELECT 1; SELECT 2", RIGHT], RIGHT, 5),
        (["SELECT id FROM city"] * 6, "SELECT id FROM city", 6),  # greedy and four draws: none is new
    ],
)
def test_a_repeated_revision_is_drawn_again_until_it_is_new(database, answers, sql, calls):
    episode, _, _ = run(database, answers, program="merit_resample", budget=1)
    assert episode.last.execution.sql == sql
    assert calls == len(answers)


def test_each_draw_is_a_sampled_answer_of_its_own(database):
    seen = []

    class Keeping(ScriptedEngine):
        def complete(self, request):
            seen.append((request.config.temperature, request.config.seed))
            return super().complete(request)

    lm = LanguageModel("scripted", Keeping(lambda _: "<answer>SELECT id FROM city</answer>"))
    episode = Episode(Question("1", "geo", "Which cities?"), database, judge)
    with dspy.context(lm=lm):
        load_program("merit_resample", ["budget=1"])(episode)
    assert [temperature for temperature, _ in seen] == [0.0, 0.0, *[0.8] * 4]
    assert len({seed for _, seed in seen[2:]}) == 4


def test_reflexion_reflects_on_every_failed_attempt_the_last_included(database):
    prompts = []

    def answer(prompt):
        prompts.append(prompt)
        return (
            f"<answer>note {len(prompts)}</answer>"
            if "at most 50 words" in prompt
            else "<answer>SELECT 1</answer>"
        )

    episode = Episode(Question("1", "geo", "Which cities?"), database, judge)
    with dspy.context(lm=scripted_lm(answer)):
        load_program("reflexion", ["budget=1"])(episode)
    assert episode.reflections == ["note 2", "note 4"]
    assert [entry.kind for entry in episode.commit] == ["reflections"] * 2
    assert "<reflections>\n- note 2\n</reflections>" in prompts[2]
    assert [entry.text for entry in episode.commit] == episode.reflections


def test_a_failure_keeps_the_attempts_so_far(database):
    def answer(prompt):
        if "<history>" in prompt:
            raise SqlmendError("lm_request", "refused")
        return "<answer>SELECT 1</answer>"

    episode = Episode(Question("1", "geo", "Which cities?"), database, judge)
    with dspy.context(lm=scripted_lm(answer)), pytest.raises(SqlmendError, match="refused"):
        load_program("iterative")(episode)
    assert [attempt.execution.sql for attempt in episode.attempts] == ["SELECT 1"]


def test_a_program_is_a_dspy_module_that_saves_loads_and_copies(tmp_path):
    program = load_program("merit", ["recall.top_k.positive=5"])
    program.save(tmp_path / "merit.json")
    other = load_program("merit")
    assert other != program
    other.load(tmp_path / "merit.json")
    assert other.dump_state() == program.dump_state()
    assert program.deepcopy() == program
    assert [name for name, _ in program.named_predictors()] == [
        "steps[0].generate.predict",
        "steps[3].revise.predict",
    ]


@pytest.mark.parametrize("name", STEPS)
def test_a_step_says_whether_it_leaves_anything(name):
    """A tuner refuses a program whose memory stays empty, and knows it by this alone."""
    step = STEPS[name]
    sources = [inspect.getsource(cls) for cls in step.__mro__ if issubclass(cls, Step) and cls is not Step]
    assert step.writes_memory == any("episode.commit" in source for source in sources)
