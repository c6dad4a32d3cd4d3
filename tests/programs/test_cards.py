"""The solver with cards: one greedy query, the cards in its prompt the only difference."""

import dspy
import pytest

from sqlmend.errors import InputError
from sqlmend.memory import Memory
from sqlmend.programs import Episode, Judgement, Question, load_preset, load_program, preset_from_data
from sqlmend.retrievers import HybridRetriever, MemoryIndex
from sqlmend.testing import HashEmbedder, scripted_lm
from tests.modules.cards import card

WRONG = "<answer>SELECT id FROM city</answer>"
_REPAIR = ["probe", "retry", "classify"]
CARDS = [
    card("Which cities are there?", "SELECT name FROM city", question_id="1", db_id="geo"),
    card("Which cities are large?", "SELECT large", question_id="2", db_id="geo"),
    card("Which cities are old?", "SELECT old", question_id="3", db_id="elsewhere"),
]


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bank")
    with Memory(folder / "memory", write=True) as memory:
        memory.append(CARDS, 0, {})
        with MemoryIndex(memory, folder / "index", HashEmbedder()) as index:
            yield memory, HybridRetriever(index)


def ask(database, bank=None, program="cards", number="1", **changes):
    """One episode: it, its steps, its prompts and the limit of its answer."""
    prompts = []

    def reply(prompt):
        prompts.append(prompt)
        return WRONG

    text = "Which cities are there?"
    episode = Episode(
        Question(number, "geo", text),
        database,
        lambda sql: Judgement("mismatch", None, solved=False),
        memory=bank and bank[0].view(9, question_id=number, question=text, db_id="geo"),
        retriever=bank and bank[1],
        draw=f"order0:{number}",
    )
    steps = []
    repair = load_program(program, [f"{name}={value}" for name, value in changes.items()])
    with dspy.context(lm=scripted_lm(reply)):
        repair(episode, on_step=lambda step: steps.append(step.step))
    return episode, steps, prompts


def test_the_preset_is_the_published_solver():
    preset = load_preset("cards")
    recall, generate = (step.settings for step in preset.steps)
    assert (preset.budget, generate.max_tokens) == (0, 2048)
    assert (recall.top_k, recall.dense, recall.lexical, recall.scope) == (5, 1, 0, "same_database")
    assert (recall.own, recall.type_policy) == ("exclude", "off")


def test_serving_is_the_solver_and_then_probe():
    def steps(name):
        return [step.to_data() for step in load_preset(name).steps]

    assert steps("cards_probe") == [*steps("cards"), *steps("probe")[1:]]
    assert load_preset("cards_probe").budget == load_preset("probe").budget


def test_repair_after_a_first_query_with_cards_is_repair_without_memory(database, bank):
    episode, steps, prompts = ask(database, bank, program="cards_probe", budget=1)
    assert [n for n in steps if n != "observe"] == ["recall_cards", "generate", "classify", *_REPAIR]
    assert [attempt.recalled for attempt in episode.attempts] == [(CARDS[1].id,), ()]
    assert prompts[1:] == ask(database, program="probe", budget=1)[2][1:]


def test_one_query_and_what_its_prompt_was_given(database, bank):
    episode, steps, (prompt,) = ask(database, bank)
    assert steps == ["recall_cards", "generate", "observe"]
    assert episode.last.recalled == (CARDS[1].id,)
    assert episode.recalled.card_pool.legal == 1
    assert "SELECT large" in prompt
    assert "SELECT old" not in prompt
    assert episode.commit == []


def test_without_a_bank_and_with_none_the_prompt_is_that_of_every_program(database, bank):
    (alone,) = ask(database)[2]
    assert ask(database, program="iterative", budget=0)[2] == [alone]
    assert ask(database, bank, **{"recall_cards.top_k": 0})[2] == [alone]


def test_replay_may_recall_the_own_card(database, bank):
    episode, _, (prompt,) = ask(database, bank, **{"recall_cards.own": "allow"})
    assert episode.last.recalled[0] == CARDS[0].id
    assert "SELECT name FROM city" in prompt


def test_a_random_bank_hangs_on_its_seed(database, bank):
    random = {"recall_cards.ranking": "random", "recall_cards.top_k": 1, "recall_cards.scope": "any"}
    drawn = {ask(database, bank, **random, **{"recall_cards.seed": n})[0].last.recalled for n in range(8)}
    assert len(drawn) > 1


def test_cards_come_before_the_query_that_uses_them():
    with pytest.raises(InputError, match="recall_cards must come before the step that uses cards"):
        preset_from_data({"name": "late", "steps": ["generate", "recall_cards"]}, "test")


def test_tuned_numbers_stay_beside_own_and_seed():
    program = load_program("cards", ["recall_cards.own=allow", "recall_cards.seed=7"])
    step = program.steps[0]
    assert step.current_settings() == step.settings
