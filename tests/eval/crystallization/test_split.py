from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from sqlmend.errors import InputError
from sqlmend.eval import load_benchmark
from sqlmend.eval.crystallization._split import COLLECTED, split
from sqlmend.programs import Question


def asked(sizes):
    """Questions of databases with groups of these sizes, and the group of each."""
    questions, groups, ordinal = [], {}, 0
    for db, members in enumerate(sizes):
        for size in members:
            for _ in range(size):
                name = str(len(questions))
                questions.append(Question(name, f"db{db}", f"question {name}"))
                groups[name] = ordinal
            ordinal += 1
    return questions, groups


@given(st.lists(st.lists(st.integers(1, 3), min_size=2, max_size=20), min_size=1, max_size=4), st.randoms())
def test_groups_stay_whole_and_every_database_is_on_both_sides(sizes, random):
    questions, groups = asked(sizes)
    found = split(questions, groups)
    assert sorted(found.collection + found.held_out) == sorted(groups)
    sides = {name: {groups[i] for i in ids} for name, ids in vars(found).items()}
    assert not sides["collection"] & sides["held_out"]
    databases = {name: {q.db_id for q in questions if q.id in ids} for name, ids in vars(found).items()}
    assert databases["collection"] == databases["held_out"] == {q.db_id for q in questions}
    for db_id in databases["collection"]:
        ids = {q.id for q in questions if q.db_id == db_id}
        share = len(ids & set(found.collection)) / len(ids)
        largest = max(sum(groups[i] == group for i in ids) for group in {groups[i] for i in ids})
        assert abs(share - COLLECTED) <= max(largest / len(ids), 0.5 / len(ids) + largest / 2 / len(ids))
    shuffled = random.sample(questions, len(questions))
    assert set(split(shuffled, groups).held_out) == set(found.held_out)


def test_the_split_of_mini_is_the_same_everywhere():
    with load_benchmark("mini") as mini:
        found = split(mini.questions, mini.groups)
    assert (len(found.collection), len(found.held_out)) == (133, 57)


def test_one_group_cannot_be_split():
    with raises(InputError, match="cannot be split"):
        split(*asked([[3]]))
