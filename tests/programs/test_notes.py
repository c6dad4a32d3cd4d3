"""Notes as steps of a program: what an episode leaves, and what a later one is told."""

from __future__ import annotations

import dspy
import pytest

from sqlmend.memory import Memory
from sqlmend.programs import Episode, Judgement, Question, load_program, preset_from_data
from sqlmend.programs._program import RepairProgram
from sqlmend.testing import scripted_lm

RIGHT = "SELECT name FROM city WHERE id = 3 ORDER BY name"
WRONG = "SELECT nme FROM city WHERE id = 1 ORDER BY nme"
NOTES_ONLY = {
    "name": "notes_only",
    "budget": 3,
    "steps": ["generate", "classify", "recall_notes", "revise", "record_notes"],
}


def judge(sql):
    if sql == RIGHT:
        return Judgement("match", None, solved=True)
    if "nme" in sql:
        return Judgement("unknown_column", "no such column: nme", solved=False)
    if not sql:
        return Judgement("no_statement", "no statement", solved=False)
    return Judgement("mismatch", None, solved=False)


def run(database, answers, *, memory=None, data=NOTES_ONLY, number="1"):
    """One episode with a model that gives these answers in turn: the episode and the prompts."""
    left, prompts = iter(answers), []

    def reply(prompt):
        prompts.append(prompt)
        return f"<answer>{next(left)}</answer>"

    episode = Episode(Question(number, "geo", f"Which cities ({number})?"), database, judge, memory=memory)
    program = RepairProgram(preset_from_data(data, "test"))
    with dspy.context(lm=scripted_lm(reply)):
        program(episode)
    return episode, prompts


def view(memory, position, number):
    return memory.view(position, question_id=number, question=f"Which cities ({number})?", db_id="geo")


def test_a_refused_attempt_leaves_a_note_and_a_wrong_result_none(database):
    episode, _ = run(database, [WRONG, "SELECT 1", "", RIGHT])
    (note,) = episode.commit
    assert (note.kind, note.error_class, note.backend) == ("notes", "schema_reference", "sqlite")
    assert note.shape == "select nme from city where id = ? order by nme"
    assert note.schema_fingerprint == database.schema().fingerprint
    assert note.worked == "select name from city where id = ? order by name"


def test_what_ran_later_in_its_place_is_told(database):
    longer = WRONG.replace(" WHERE", " AS c WHERE c.name = '' AND")
    episode, _ = run(database, [longer, longer.replace("nme", "name"), RIGHT])
    (note,) = episode.commit
    assert note.worked == "select name from city as c where c . name = ? and id = ? order by name"


def test_the_same_refusal_twice_is_one_note(database):
    episode, _ = run(database, [WRONG, WRONG, RIGHT])
    assert len(episode.commit) == 1


def test_a_right_initial_query_leaves_nothing(database):
    assert run(database, [RIGHT])[0].commit == []


@pytest.fixture
def memory(database, tmp_path):
    """A memory of one finished episode, at position 4."""
    with Memory(tmp_path / "memory", write=True) as made:
        episode, _ = run(database, [WRONG, RIGHT])
        made.append(episode.commit, 4, {})
        yield made


def test_a_later_question_is_told_before_it_tries_again(database, memory):
    episode, prompts = run(
        database, [WRONG.replace("1", "7"), RIGHT], memory=view(memory, 5, "2"), number="2"
    )
    assert "<recorded_refusals>" not in prompts[0]
    section = prompts[1].split("<recorded_refusals>\n")[1].split("\n</recorded_refusals>")[0]
    assert section.startswith("Recorded verdict of the machine, not a guess: SQLite refused this statement")
    assert "no such column: nme" in section
    (record,) = memory.records("notes")
    assert episode.attempts[1].recalled == (record.id,)


def test_the_key_is_the_statement_on_the_table(database, memory):
    """After the first revision the initial query's note is gone."""
    other = "SELECT id, nme, name FROM city LIMIT 4"
    _, prompts = run(database, [WRONG, other, "SELECT 2", RIGHT], memory=view(memory, 5, "2"), number="2")
    assert ["<recorded_refusals>" in prompt for prompt in prompts] == [False, True, False, False]


def test_what_ran_has_no_note_however_wrong_it_is(database, memory):
    near = WRONG.replace("nme", "name", 1).replace("ORDER BY nme", "ORDER BY id")
    _, prompts = run(database, [near, RIGHT], memory=view(memory, 5, "2"), number="2")
    assert not any("<recorded_refusals>" in prompt for prompt in prompts)


def test_nothing_of_the_present_or_the_future_is_told(database, memory):
    for position, number in ((4, "2"), (3, "2"), (5, "1")):
        _, prompts = run(database, [WRONG, RIGHT], memory=view(memory, position, number), number=number)
        assert not any("<recorded_refusals>" in prompt for prompt in prompts)


def test_notes_of_twins_are_passed_over_where_that_is_asked_for(database, memory):
    twin = memory.view(5, question_id="2", question="Q", db_id="geo", twins=frozenset({"1"}))
    steps = [
        {"recall_notes": {"same_group": "exclude"}} if s == "recall_notes" else s for s in NOTES_ONLY["steps"]
    ]
    for data, told in ((NOTES_ONLY, True), ({**NOTES_ONLY, "steps": steps}, False)):
        _, prompts = run(database, [WRONG, RIGHT], memory=twin, data=data, number="2")
        assert any("<recorded_refusals>" in prompt for prompt in prompts) is told


def test_merit_notes_is_merit_and_two_steps():
    merit, notes = load_program("merit").preset, load_program("merit_notes").preset
    added = {"recall_notes", "record_notes"}
    assert [step for step in notes.steps if step.name not in added] == list(merit.steps)
    assert added < {step.name for step in notes.steps}


def test_without_a_note_the_prompt_is_that_of_a_program_without_notes(database):
    without = {**NOTES_ONLY, "steps": ["generate", "classify", "revise"]}
    assert (
        run(database, [WRONG, "SELECT 1", RIGHT])[1]
        == run(database, [WRONG, "SELECT 1", RIGHT], data=without)[1]
    )
