"""Structure-difference memory in one episode: what each prompt sees, and what a failure costs."""

import dspy
import pytest

from sqlmend.databases import ColumnDescription, Descriptions, open_database
from sqlmend.errors import SqlmendError
from sqlmend.memory import Memory, Rule, RuleEntry
from sqlmend.modules import Example, ExamplePool
from sqlmend.programs import Episode, Judgement, Question, load_program
from sqlmend.programs.steps._learn import FindContradictionsStep, KeepRulesStep
from sqlmend.testing import HashEmbedder, scripted_lm
from tests.modules.scripts import world
from tests.programs.listening import listening

NAMES = "<answer>SELECT city.name FROM city</answer>"
CODE = "Which country has code NO?"
AREA = "<answer>SELECT country.area FROM country</answer>"
NONSENSE = AREA.replace("area", "nonsense")
LINK, FIND, EXTRACT, JUDGE = (
    "table: column, column",
    "kind | candidates",
    "correction:",
    "<answer>A</answer>",
)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    with open_database(world(tmp_path_factory.mktemp("world"))) as opened:
        yield opened


def run(database, reply, program="sdam_small", sets=(), asked="Which cities are there?", **given):
    """One episode, its prompts and the names of its finished steps."""
    prompts, steps = [], []

    def answer(prompt):
        prompts.append(prompt)
        return reply(prompt) if callable(reply) else reply

    episode = Episode(
        Question("1", "world", asked),
        database,
        lambda sql: Judgement("mismatch", None, solved=False),
        **given,
    )
    with dspy.context(lm=scripted_lm(answer)):
        load_program(program, sets)(episode, on_step=lambda step: steps.append(step.step))
    return episode, prompts, steps


@pytest.mark.parametrize("code", ["context_overflow", "lm_context", "lm_request", None])
def test_a_failure_while_learning_keeps_the_answer(database, monkeypatch, code):
    failure = ValueError("no number") if code is None else SqlmendError(code, "too long")

    def fail(step, episode):
        episode.commit.append(RuleEntry("1", "Q", "world", "f", "", Rule("", "", "", "half of a lesson")))
        raise failure

    monkeypatch.setattr(FindContradictionsStep, "forward", fail)
    episode, _, steps = run(database, NAMES)
    assert [attempt.execution.sql for attempt in episode.attempts] == ["SELECT city.name FROM city"]
    assert episode.unlearnt is failure
    assert episode.commit == []
    assert steps[-2:] == ["merge_tree", "observe"]


@pytest.mark.parametrize("failure", [SqlmendError("lm_server", "gone"), OSError("disk full")])
def test_a_failure_that_all_questions_would_meet_ends_the_episode(database, monkeypatch, failure):
    def fail(step, episode):
        raise failure

    monkeypatch.setattr(KeepRulesStep, "forward", fail)
    with pytest.raises(type(failure)):
        run(database, NAMES)


def cue(prompt):
    """What a prompt asks for."""
    return prompt.rstrip().rpartition("\n\n")[2]


def linking(links, query):
    """A model that links so and always answers so."""
    return lambda prompt: f"<answer>{links}</answer>" if LINK in cue(prompt) else query


def shown(prompt):
    """The schema that a prompt shows."""
    return prompt.partition("<schema>\n")[2].partition("\n</schema>")[0]


def test_words_link_tables_whose_columns_all_stay(database):
    _, prompts, _ = run(database, NAMES, "sdam_small:baseline", asked=CODE)
    (cut,) = [shown(prompt) for prompt in prompts if "CREATE TABLE" in shown(prompt)]
    assert "city" not in cut
    assert all(name in cut for name in ("code", "name"))


def test_a_name_that_the_view_was_cut_of_is_no_finding_about_the_candidate(database):
    episode, prompts, _ = run(database, AREA, asked=CODE)
    assert [c.result.status for c in episode.reasoning.reasoned] == ["unknown_column"] * 3
    (finding,) = episode.reasoning.contradictions
    assert (finding.code, finding.candidates) == ("unknown_column", ("c1",))
    (asked,) = [prompt for prompt in prompts if FIND in cue(prompt)]
    assert "[c1]" in asked
    assert "[c2] SELECT" not in asked
    assert episode.reasoning.tree.candidates == ("c1", "c2", "c3")


def test_a_name_that_no_schema_has_is_one(database):
    episode, _, _ = run(database, NONSENSE, asked=CODE)
    (finding,) = episode.reasoning.contradictions
    assert finding.candidates == ("c1", "c2", "c3")


def test_a_word_that_is_read_as_text_for_the_cut_is_none(database):
    episode, _, _ = run(database, '<answer>SELECT "area" FROM country</answer>', asked=CODE)
    assert [f.candidates for f in episode.reasoning.contradictions if f.kind == "schema"] == [("c1",)]


@pytest.mark.parametrize(
    ("program", "short"), [("sdam_small", 2), ("sdam_small:no_anchor", 2), ("sdam_small:generic", 1)]
)
def test_small_models_write_little_when_they_learn(database, program, short):
    lm, configs = listening(lambda prompt: NONSENSE)
    episode = Episode(Question("1", "world", CODE), database, lambda sql: Judgement("mismatch", None, False))
    with dspy.context(lm=lm):
        load_program(program)(episode)
    assert [config.max_tokens for config in configs] == [512] * 6 + [256] * short


def test_who_learns_and_who_judges_sees_what_candidates_use(database):
    def reply(prompt):
        if EXTRACT in cue(prompt):
            return "<answer>type: domain\nanchor: city.area\ncorrection: in square km</answer>"
        if LINK in cue(prompt):
            return "<answer>country: code</answer>"
        named = "SELECT city.name FROM city JOIN country ON city.country_id = country.id"
        return f"<answer>{named}{' LIMIT 1' if 'CREATE TABLE' in shown(prompt) else ''}</answer>"

    _, prompts, _ = run(database, reply, "sdam", ["select.close=9"], asked=CODE)
    for asked in (FIND, EXTRACT, JUDGE):
        (prompt,) = [prompt for prompt in prompts if asked in cue(prompt)]
        assert "(code: TEXT" in shown(prompt)
        assert "(country_id: INTEGER" in shown(prompt)
        assert shown(prompt).count("(name: TEXT") == 1
        assert "area" not in shown(prompt)
    (gate,) = [prompt for prompt in prompts if "1 keep: why" in cue(prompt)]
    assert "(area: REAL" in shown(gate)


@pytest.mark.parametrize(("same_group", "seen"), [("allow", True), ("exclude", False)])
def test_what_twins_have_left_judges_no_rule_where_they_are_left_out(database, tmp_path, same_group, seen):
    def reply(prompt):
        if EXTRACT in cue(prompt):
            same, new = "use square km", "mind the area of lakes"
            rule = "type: domain\nanchor: city.area\ncondition: {0}\ncorrection: {0}"
            return f"<answer>{rule.format(same)}\n\n{rule.format(new)}</answer>"
        return "<answer>1 keep: true</answer>" if "1 keep: why" in cue(prompt) else NONSENSE

    said = Rule("domain", "", "use square km", "use square km", ("city.area",))
    with Memory(tmp_path / "memory", write=True) as memory:
        memory.append([RuleEntry("2", "A paraphrase?", "world", "sha256:0", "", said)], 0, {})
        view = memory.view(1, question_id="1", question=CODE, db_id="world", twins=frozenset("12"))
        sets = ["filter_rules.model=true", f"filter_rules.same_group={same_group}"]
        episode, prompts, _ = run(database, reply, "sdam_small", sets, asked=CODE, memory=view)
    (gate,) = [prompt for prompt in prompts if "1 keep: why" in cue(prompt)]
    assert ("<known_rules>" in gate) == seen
    codes = [judged.code for judged in episode.reasoning.judged]
    assert codes == (["repetition", ""] if seen else ["", ""])


def test_the_whole_schema_mends_the_cut_and_no_prompt_is_sent_twice(database):
    episode, prompts, _ = run(database, linking("country: code", AREA), "sdam:baseline", asked=CODE)
    assert len(prompts) == len(set(prompts)) == 2 + 5 + 2
    assert [(c.label, c.view) for c in episode.reasoning.candidates] == [
        ("c1", "m_schema/none"),
        ("c2", "ddl/none"),
        ("c3", "mac_schema/none"),
    ]


def test_a_name_that_no_schema_has_is_not_asked_for_again(database):
    reply = linking("country: code", NONSENSE)
    episode, prompts, _ = run(database, reply, "sdam:baseline", asked=CODE)
    assert len(prompts) == 2 + 5
    assert [c.label for c in episode.reasoning.candidates] == ["c1", "c2", "c3", "c4", "c5"]


def test_views_of_one_text_are_one_vote(database):
    episode, prompts, _ = run(database, linking("none", NAMES), "sdam:baseline")
    assert len(prompts) == 2 + 3
    assert [c.label for c in episode.reasoning.candidates] == ["c1", "c2", "c3"]
    assert episode.reasoning.confidence == 1


def test_a_candidate_stays_where_it_cannot_be_written_anew(database):
    def reply(prompt):
        if "CREATE TABLE" in shown(prompt) and "city" in shown(prompt) and LINK not in cue(prompt):
            raise SqlmendError("lm_context", "too long")
        return linking("country: code", AREA)(prompt)

    episode, _, _ = run(database, reply, "sdam:baseline", asked=CODE)
    assert [(c.label, c.view) for c in episode.reasoning.candidates] == [
        ("c1", "m_schema/none"),
        ("c2", "ddl/full"),
        ("c3", "mac_schema/none"),
    ]


def test_shared_candidates_have_examples_and_all_of_them_say_how_they_were_written(database):
    pool = ExamplePool([Example("How many towns?", "SELECT 17")], HashEmbedder())
    reply = linking("country: code", AREA)
    episode, prompts, _ = run(database, reply, "sdam:shared", asked=CODE, demonstrations=pool)
    written = [prompt for prompt in prompts if "<rephrased>" in cue(prompt)]
    assert len(written) == 5 + 2
    assert all("query: SELECT 17" in prompt for prompt in written)
    assert list(episode.reasoning.parsed) == ["c1", "c2", "c3"]


def test_descriptions_are_read_where_a_view_shows_them(database):
    read = []

    def describe():
        read.append(1)
        return Descriptions({"city": {"area": ColumnDescription(description="square kilometres")}})

    _, prompts, _ = run(database, NAMES, "sdam_small", describe=describe)
    said = [prompt for prompt in prompts if "square kilometres" in prompt]
    assert len(said) == 2
    assert all("(area, square kilometres." in prompt for prompt in said)
    assert read == [1]
    _, prompts, _ = run(database, NAMES, "merit", describe=describe)
    assert read == [1]


def test_candidates_have_the_time_that_a_query_has(database, monkeypatch):
    limits = []

    def execute(sql, *, timeout_s, max_rows):
        limits.append(timeout_s) if sql == "SELECT city.name FROM city" else None
        return type(database).execute(database, sql, timeout_s=timeout_s, max_rows=max_rows)

    monkeypatch.setattr(database, "execute", execute)
    run(database, NAMES, "sdam_small", timeout_s=2.5)
    assert limits == [2.5] * 6
