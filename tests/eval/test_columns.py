from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.eval import _columns
from sqlmend.eval._columns import SearchLimitError, match_columns

Rows = list[tuple[object, ...]]


def put(rows: Rows, places: tuple[int, ...]) -> Rows:
    return [tuple(row[place] for place in places) for row in rows]


def equal(reference: Rows, predicted: Rows, *, ordered: bool) -> bool:
    return reference == predicted if ordered else Counter(reference) == Counter(predicted)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """Two small tables of few values: one drawn, the other drawn too or the first one shuffled."""
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    table = st.lists(
        st.tuples(*[st.sampled_from([0, 1, 1.0, "a", None])] * width), min_size=height, max_size=height
    )
    reference = draw(table)
    if draw(st.booleans()):
        return reference, draw(table)
    places = tuple(draw(st.permutations(range(width))))
    predicted = put(reference, places)
    return reference, draw(st.permutations(predicted)) if draw(st.booleans()) else predicted


@settings(max_examples=200, deadline=None)
@given(pairs(), st.booleans())
def test_it_agrees_with_trying_every_order(tables: tuple[Rows, Rows], ordered: bool) -> None:
    reference, predicted = tables
    possible = any(
        equal(reference, put(predicted, places), ordered=ordered)
        for places in permutations(range(len(reference[0])))
    )
    places = match_columns(reference, predicted, ordered=ordered)
    assert (places is not None) == possible
    if places is not None:
        assert sorted(places) == list(range(len(reference[0])))
        assert equal(reference, put(predicted, places), ordered=ordered)


@pytest.mark.parametrize("ordered", [False, True])
def test_many_equal_columns_are_one_group(ordered: bool) -> None:
    reference: Rows = [(1,) * 25 + (2,), (3,) * 25 + (4,)]
    predicted = put(reference, (25, *range(25)))
    assert match_columns(reference, predicted, ordered=ordered) is not None
    assert match_columns(reference, [(1,) * 26, (3,) * 26], ordered=ordered) is None


def test_columns_of_equal_values_but_other_row_pairings() -> None:
    draw = random.Random(7)
    columns = [draw.sample(range(40), 40) for _ in range(20)]
    reference: Rows = list(zip(*columns, strict=True))
    shuffled = put(reference, tuple(draw.sample(range(20), 20)))
    draw.shuffle(shuffled)
    assert match_columns(reference, shuffled, ordered=False) is not None
    columns[3][0], columns[3][1] = columns[3][1], columns[3][0]
    assert match_columns(list(zip(*columns, strict=True)), shuffled, ordered=False) is None


def latin(size: int, step: int) -> Rows:
    """Rows of 0 and 1 whose every row, column and pair of columns looks alike: a circulant design."""
    chosen = {(value * value * step) % size for value in range(1, size)}
    return [tuple(int((row - column) % size in chosen) for column in range(size)) for row in range(size)]


def test_what_looks_alike_everywhere_is_tried_out() -> None:
    design = latin(11, 1)
    draw = random.Random(1)
    shuffled = put(design, tuple(draw.sample(range(11), 11)))
    draw.shuffle(shuffled)
    assert match_columns(design, shuffled, ordered=False) is not None


def test_the_search_gives_up_at_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_columns, "MOST_CELLS", 100)
    monkeypatch.setattr(_columns, "MOST_PASSES", 2)
    design = latin(11, 1)
    with pytest.raises(SearchLimitError):
        match_columns(design, put(design, (1, 0, *range(2, 11))), ordered=False)
