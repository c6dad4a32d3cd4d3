"""Questions without references, splits of whole groups."""

import pytest

from sqlmend.errors import InputError
from sqlmend.eval import load_benchmark
from sqlmend.optimize import as_examples, split_off
from sqlmend.optimize._questions import chosen, refuse_shared


@pytest.fixture(scope="module")
def mini():
    with load_benchmark("mini") as benchmark:
        yield benchmark


def test_examples_hold_no_reference(mini):
    examples = as_examples(mini)
    assert len(examples) == len(mini.questions)
    for example in examples:
        assert set(example.toDict()) == {"question_id", "db_id", "question", "evidence"}
        assert set(example.inputs().toDict()) == set(example.toDict())


def test_questions_are_chosen_by_id(mini):
    picked = chosen(mini, as_examples(mini)[3:7], "trainset")
    assert [q.id for q in picked.questions] == [q.id for q in mini.questions[3:7]]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda found: [], "at least one"),
        (lambda found: [found[0], found[0]], "stands twice"),
        (lambda found: [found[0].copy(question_id="nosuch")], "nosuch"),
        (lambda found: [found[0].without("question_id")], "question_id"),
    ],
)
def test_bad_questions_are_refused(mini, change, says):
    with pytest.raises(InputError, match=says):
        chosen(mini, change(as_examples(mini)), "trainset")


def test_a_split_keeps_groups_whole(mini):
    train, held = split_off(mini, 0.25, 0)
    assert len(train.questions) + len(held.questions) == len(mini.questions)
    assert 0.2 < len(held.questions) / len(mini.questions) < 0.35
    assert not {*train.groups.values()} & {*held.groups.values()}
    refuse_shared(train, held)
    assert [q.id for q in split_off(mini, 0.25, 0)[1].questions] == [q.id for q in held.questions]
    assert [q.id for q in split_off(mini, 0.25, 1)[1].questions] != [q.id for q in held.questions]


def test_twins_on_both_sides_are_refused(mini):
    twins = next(ids for ids in mini.twins.values() if len(ids) > 1)
    one, other = sorted(twins)[:2]
    with pytest.raises(InputError, match="1 training questions have a paraphrase"):
        refuse_shared(mini.select(ids=[one]), load_benchmark("mini").select(ids=[other]))


@pytest.mark.parametrize("share", [0, 1, -1, 2.5])
def test_a_share_is_a_share(mini, share):
    with pytest.raises(InputError, match="between 0 and 1"):
        split_off(mini, share, 0)


def test_one_group_cannot_be_split(mini):
    with pytest.raises(InputError, match="cannot be split"):
        split_off(mini.select(limit=1), 0.5, 0)
