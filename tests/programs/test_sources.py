"""Programs whose finished episodes cards are made from: what each is told, and what each leaves."""

import re

import dspy
import pytest

from sqlmend.errors import InputError
from sqlmend.programs import Episode, Judgement, Question, load_preset, load_program
from sqlmend.testing import scripted_lm
from tests.programs.listening import listening

RIGHT = "SELECT name FROM city"
BUDGETS = {"resample": 3, "one_bit": 3, "probe": 3, "self_vote": 1, "explore_first": 1}


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
        self.lm, self.configs = listening(self.answer)

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
    def sampling(self):
        return [(config.temperature, config.seed) for config in self.configs]

    @property
    def limits(self):
        return [config.max_tokens for config in self.configs]


def run(database, model, program, *overrides):
    episode = Episode(Question("1", "geo", "Which cities?"), database, judge)
    steps = []
    with dspy.context(lm=model.lm):
        load_program(program, overrides)(episode, on_step=lambda step: steps.append(step.step))
    return episode, steps


@pytest.mark.parametrize("name", BUDGETS)
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


@pytest.mark.parametrize("name", BUDGETS)
def test_every_source_spends_its_budget_names_failures_and_leaves_no_memory(database, name):
    preset = load_preset(name)
    assert (preset.origin, preset.budget) == ("published method", BUDGETS[name])
    assert not load_program(name).reads_memory
    model = Model(generate=["SELECT nme FROM city"], probe=["SELECT 1"], retry=["SELECT id FROM city"])
    episode, _ = run(database, model, name)
    assert len(episode.attempts) == preset.budget + 1
    assert episode.attempts[0].failure_type == "schema_linking"
    assert None not in [attempt.failure_type for attempt in episode.attempts]
    assert episode.commit == []
    sampled = [temperature for temperature, _ in model.sampling if temperature]
    assert len(sampled) == {"resample": 3, "self_vote": 5}.get(name, 0), "the others are greedy"


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


def test_resample_draws_the_initial_prompt_again_and_is_told_nothing(database):
    model = Model(generate=["SELECT nme FROM city", "SELECT id FROM city", "SELECT nme FROM city", RIGHT])
    episode, _ = run(database, model, "resample")
    assert episode.solved
    assert [temperature for temperature, _ in model.sampling] == [0.0, 0.8, 0.8, 0.8]
    assert len(set(model.prompts["generate"])) == 1


def draws(database, program, seed):
    model = Model(generate=["SELECT id FROM city"])
    step = {"resample": "redraw", "self_vote": "vote"}[program]
    run(database, model, program, f"{step}.seed={seed}")
    return [seed for temperature, seed in model.sampling if temperature]


def test_each_seed_has_draws_of_its_own_and_the_two_sampled_sources_share_them(database):
    drawn = {seed: draws(database, "resample", seed) for seed in (0, 7, 13, 42)}
    assert len({draw for found in drawn.values() for draw in found}) == 3 * 4
    assert draws(database, "resample", 42) == drawn[42]
    assert draws(database, "self_vote", 42)[:3] == drawn[42]


@pytest.mark.parametrize(
    ("program", "steps"),
    [
        ("resample", ["redraw"]),
        ("one_bit", ["retry"]),
        ("probe", ["probe", "retry"]),
        ("self_vote", ["vote"]),
        ("explore_first", ["probe", "retry"]),
    ],
)
def test_the_limit_of_every_answer_is_a_setting(database, program, steps):
    def asked(*names):
        model = Model(generate=["SELECT 1"], probe=["SELECT 2"], retry=["SELECT 3"])
        run(database, model, program, *(f"{name}.max_tokens=2048" for name in names))
        return model.limits

    own = asked()
    assert set(own) == {512}, "the model's own"
    assert asked("generate", *steps) == [2048] * len(own)
    if len(steps) == 2:
        assert asked(steps[0]) == [512, *[2048, 512] * (len(own) // 2)]


def test_one_bit_is_told_the_earlier_queries_and_that_each_is_wrong_and_no_more(database):
    model = Model(generate=["SELECT nme FROM city"], retry=["SELECT id FROM city", "SELECT 2", "SELECT 3"])
    run(database, model, "one_bit")
    *_, last = model.prompts["retry"]
    shown = "[1] SELECT nme FROM city\n[2] SELECT id FROM city\n[3] SELECT 2"
    assert f"<wrong_queries>\n{shown}\n</wrong_queries>" in last
    for hidden in ("no such column", "unknown_column", "mismatch", "schema_linking", "<history>"):
        assert hidden not in last


def test_explore_first_knows_nothing_of_its_first_answer(database):
    model = Model(
        generate=["SELECT nme FROM city"],
        probe=["SELECT count(*) AS n FROM city"],
        retry=["SELECT id FROM city"],
    )
    episode, steps = run(database, model, "explore_first")
    assert steps == ["generate", "observe", "classify", "probe", "retry", "observe", "classify"]
    assert [look.rows for look in episode.probes] == ["1 row of (n): (0)"]
    (probing,), (answering,) = model.prompts["probe"], model.prompts["retry"]
    assert "1 row of (n): (0)" in answering
    for hidden in ("nme", "no such column", "history", "wrong", "attempt"):
        assert hidden not in probing + answering


ONE, TWO, FAILS = "SELECT 1 UNION ALL SELECT 2", "SELECT 2 UNION ALL SELECT 1", "SELECT nme FROM city"


@pytest.mark.parametrize(
    ("samples", "chosen", "agreed"),
    [
        (["SELECT 3", ONE, TWO, FAILS, "SELECT 4"], ONE, ("c2", "c3")),  # equal multisets
        ([FAILS, FAILS, FAILS, "SELECT 3", ONE], "SELECT 3", ("c4",)),  # failures agree with nothing
        (["SELECT 3", "SELECT 4", "SELECT 4.0", "SELECT 3.0", ONE], "SELECT 3", ("c1", "c4")),  # drawn first
        (["SELECT 1 UNION ALL SELECT 1", "SELECT 1", ONE, "SELECT 2, 1", TWO], ONE, ("c3", "c5")),
        ([FAILS, "SELECT FROM", "", FAILS, FAILS], FAILS, ()),
    ],
)
def test_self_vote_takes_the_first_of_the_largest_group_by_result(database, samples, chosen, agreed):
    model = Model(generate=["SELECT id FROM city", *samples])
    episode, _ = run(database, model, "self_vote")
    assert [attempt.execution.sql for attempt in episode.attempts] == ["SELECT id FROM city", chosen]
    recorded = episode.reasoning.to_data()
    assert [candidate["sql"] for candidate in recorded["candidates"]] == samples
    assert recorded["agreed"] == list(agreed)
    assert recorded["confidence"] == len(agreed) / 5


def test_a_vote_looks_at_no_verdict(database):
    judged = []

    def judge_once(sql):
        judged.append(sql)
        return Judgement("mismatch", None, solved=False)

    model = Model(generate=["SELECT 1", RIGHT, "SELECT 2", "SELECT 2", RIGHT, "SELECT 3"])
    episode = Episode(Question("1", "geo", "Which cities?"), database, judge_once)
    with dspy.context(lm=model.lm):
        load_program("self_vote")(episode)
    assert judged == ["SELECT 1", RIGHT], "the initial query and the one that is kept"


@pytest.mark.parametrize(
    "setting",
    [
        "resample:redraw.seed=-1",
        "resample:redraw.temperature=0",
        "self_vote:vote.samples=0",
        "probe:probe.queries=0",
        "probe:probe.rows=0",
        "probe:retry.told=everything",
    ],
)
def test_a_wrong_setting_is_refused(setting):
    program, _, assignment = setting.partition(":")
    with pytest.raises(InputError, match=assignment.partition("=")[0].replace(".", ".*")):
        load_program(program, [assignment])
