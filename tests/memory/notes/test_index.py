"""The index against plain comparison of every pair: same answers, whatever is in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.memory.notes import Key, NoteIndex, Refusal
from sqlmend.memory.notes._key import shape_tokens
from sqlmend.memory.notes._note import Forgotten, Worked
from sqlmend.memory.notes._overlaps import Overlaps

words = st.lists(st.sampled_from("a b c d e f g h".split()), min_size=1, max_size=8).map(" ".join)


def refusal(shape, number=0, fingerprint="f"):
    return Refusal.of(Key("sqlite", fingerprint, shape), "syntax", f"text {number}")


def plainly(shapes, asked, threshold):
    """The best overlap, and the shape that has it: equal text first, else the one that came last.

    1.0 is for equal text alone: other text of the same tokens counts as if one of them differed.
    """
    scored = []
    for place, shape in enumerate(dict.fromkeys(shapes)):
        one, other = shape_tokens(shape), shape_tokens(asked)
        overlap = len(one & other) / len(one | other)
        score = 1.0 if shape == asked else min(overlap, len(other) / (len(other) + 1))
        if score >= threshold:
            scored.append((shape == asked, overlap, place, shape, score))
    return max(scored)[:-3:-1] if scored else None


@given(
    shapes=st.lists(words, max_size=12),
    asked=words,
    threshold=st.sampled_from([0.1, 0.5, 2 / 3, 0.75, 0.8, 1.0]),
)
def test_finds_what_plain_comparison_finds(shapes, asked, threshold):
    index = NoteIndex(threshold)
    for shape in shapes:
        index.apply(refusal(shape))
    found = index.find(Key("sqlite", "f", asked))
    expected = plainly(shapes, asked, threshold)
    assert (None if found is None else (found[1], found[0].key.shape)) == expected
    assert index.find(Key("sqlite", "g", asked)) is None
    assert index.find(Key("duckdb", "f", asked)) is None


def test_grows_between_look_ups():
    index = NoteIndex(0.5)
    for number in range(20):
        index.apply(refusal(f"a b c{number}"))
        found = index.find(Key("sqlite", "f", "a b"))
        assert found is not None and found[0].key.shape == f"a b c{number}"


def test_forgotten_ones_are_passed_over():
    index = NoteIndex(0.5)
    known = [refusal("a b c"), refusal("a b c", 1), refusal("a b d")]
    for line in known:
        assert index.apply(line)
        assert not index.apply(line)
    assert index.find(Key("sqlite", "f", "a b"))[0] == known[2]
    for line, rest in ((known[2], known[1]), (known[1], known[0]), (known[0], None)):
        assert index.apply(Forgotten(line.id))
        assert not index.apply(Forgotten(line.id))
        found = index.find(Key("sqlite", "f", "a b"))
        assert (found and found[0]) == rest
    assert index.apply(known[0])
    assert index.find(Key("sqlite", "f", "a b c"))[0] == known[0]


def test_the_shape_that_ran_instead_is_not_warned_about():
    index = NoteIndex(0.5)
    index.apply(refusal("a b c"))
    assert not index.apply(Worked("unknown", "a b"))
    assert index.apply(Worked(refusal("a b c").id, "a b"))
    assert not index.apply(Worked(refusal("a b c").id, "a b c d"))
    assert index.find(Key("sqlite", "f", "a b")) is None
    assert index.find(Key("sqlite", "f", "a b c"))[0].worked == "a b"


def test_the_same_tokens_in_another_order_are_not_the_same_form():
    for threshold, score in ((1.0, None), (0.8, 6 / 7)):
        index = NoteIndex(threshold)
        index.apply(refusal("update t set a = b"))
        found = index.find(Key("sqlite", "f", "update t set b = a"))
        assert (found and found[1]) == score
        assert index.find(Key("sqlite", "f", "update t set a = b"))[1] == 1.0


@pytest.mark.parametrize(
    ("ran", "learns"),
    [
        ("delete from orders where customer_id = ? and status = ?", True),
        ("delete from orders where customer_id = ? and status <> ?", True),
        ("delete from `orders` where customer_id = ? and status = ?", True),
        ("delete from payments where customer_id = ? and status = ?", False),
        ("select from orders where customer_id = ? and status = ?", False),
    ],
)
def test_a_write_is_replaced_by_one_to_the_same_table(ran, learns):
    index = NoteIndex(0.8)
    index.apply(refusal("delete from orders where customer_id = ? and status = ?"))
    assert index.find(Key("sqlite", "f", ran)) is not None
    assert (index.replaced_by(Key("sqlite", "f", ran)) is not None) is learns


def test_a_query_may_be_replaced_by_one_of_another_table():
    index = NoteIndex(0.8)
    index.apply(refusal("select a , b from ordres where c = ? and d = ?"))
    assert index.replaced_by(Key("sqlite", "f", "select a , b from orders where c = ? and d = ?"))


@pytest.mark.parametrize("dense", [1, 3, 10_000])
@given(st.lists(st.frozensets(st.sampled_from("abcdefghijklm"), min_size=1), max_size=80), st.data())
def test_overlaps_of_many_sets(dense, sets, data):
    asked = data.draw(st.frozensets(st.sampled_from("abcdefghijklmn"), min_size=1))
    threshold = data.draw(st.sampled_from([0.1, 0.5, 0.8, 1.0]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sqlmend.memory.notes._overlaps._DENSE", dense)
        made = Overlaps()
        for tokens in sets:
            made.add(tokens)
        found = list(made.near(asked, threshold))
    scores = [(len(tokens & asked) / len(tokens | asked), number) for number, tokens in enumerate(sets)]
    assert found == sorted(
        ((s, n) for s, n in scores if s >= threshold), key=lambda pair: (-pair[0], -pair[1])
    )
