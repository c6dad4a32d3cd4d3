import hashlib

import pytest

from sqlmend.errors import InputError
from sqlmend.eval._selection import Sample, order, parse_sample, take_limit, take_sample
from sqlmend.programs import Question

QUESTIONS = tuple(Question(id=str(i), db_id="db", text="?") for i in range(12))


def ids(questions):
    return [question.id for question in questions]


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_order_sorts_by_the_hash_of_order_and_id():
    assert ids(order(QUESTIONS, 0)) == sorted(ids(QUESTIONS), key=lambda i: digest(f"order0:{i}"))
    assert ids(order(QUESTIONS, 7)) == sorted(ids(QUESTIONS), key=lambda i: digest(f"order7:{i}"))


def test_order_is_the_same_on_every_machine():
    assert ids(order(QUESTIONS, 0)) == ["10", "3", "11", "5", "6", "8", "1", "2", "7", "0", "9", "4"]


def test_all_orders_hold_the_same_questions_however_they_come():
    assert order(reversed(QUESTIONS), 3) == order(QUESTIONS, 3)
    assert set(order(QUESTIONS, 3)) == set(QUESTIONS)


@pytest.mark.parametrize("seed", [0, 1, 42])
def test_sample_takes_the_smallest_hashes_in_the_order_of_the_split(seed):
    smallest = sorted(ids(QUESTIONS), key=lambda i: digest(f"{seed}:{i}"))[:5]
    assert ids(take_sample(QUESTIONS, Sample(5, seed))) == [i for i in ids(QUESTIONS) if i in smallest]


def test_sample_is_the_same_on_every_machine():
    assert ids(take_sample(QUESTIONS, Sample(4))) == ["4", "7", "9", "10"]


def test_a_larger_sample_holds_the_smaller_one():
    assert set(take_sample(QUESTIONS, Sample(3, 5))) < set(take_sample(QUESTIONS, Sample(6, 5)))


def test_a_sample_of_more_than_there_are_is_all():
    assert take_sample(QUESTIONS, Sample(99)) == QUESTIONS


def test_so_many_of_each_database_are_the_draws_of_each_alone():
    first, second = QUESTIONS, tuple(Question(id=f"b{i}", db_id="other", text="?") for i in range(2))
    drawn = take_sample(first + second, Sample(4, 7, each=True))
    assert drawn == take_sample(first, Sample(4, 7)) + second


def test_limit_takes_the_first():
    assert take_limit(QUESTIONS, 2) == QUESTIONS[:2]
    assert take_limit(QUESTIONS, 99) == QUESTIONS
    with pytest.raises(InputError, match="at least 1; got 0"):
        take_limit(QUESTIONS, 0)


@pytest.mark.parametrize(
    ("text", "sample"),
    [
        ("40", Sample(40)),
        ("40:7", Sample(40, 7)),
        ("1:-3", Sample(1, -3)),
        ("36/db", Sample(36, each=True)),
        ("36/db:7", Sample(36, 7, each=True)),
    ],
)
def test_sample_text(text, sample):
    assert parse_sample(text) == sample


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "x", "4:", "4:x", ":4", "4:5:6", "1.5", "4/", "4/x", "4:7/db", "/db", "٤"]
)
def test_what_is_no_sample(text):
    with pytest.raises(InputError, match="N or N:SEED"):
        parse_sample(text)
