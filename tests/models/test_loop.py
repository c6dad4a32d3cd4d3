"""An answer that has begun to repeat itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.models._loop import LONGEST, PIECES, TIMES, Loop


def closed_at(pieces: Iterable[str]) -> int | None:
    """After how many pieces the loop is noticed."""
    loop = Loop()
    return next((n for n, piece in enumerate(pieces, 1) if loop.closed_by(piece)), None)


def ends_in_a_loop(pieces: list[str]) -> bool:
    """The definition, slowly: the end is one pattern, said often enough."""
    for size in range(1, LONGEST + 1):
        long = max(PIECES, TIMES * size)
        if len(pieces) >= long and all(pieces[-n] == pieces[-n - size] for n in range(1, long - size + 1)):
            return True
    return False


@pytest.mark.parametrize(
    ("start", "pattern", "expected"),
    [
        (9, 1, 9 + PIECES),
        (0, 7, PIECES),
        (40, 32, 40 + 4 * 32),
        (40, 60, 40 + 4 * 60),
        (0, LONGEST, 4 * LONGEST),
        (0, LONGEST + 1, None),
    ],
)
def test_where_a_pattern_is_noticed(start: int, pattern: int, expected: int | None) -> None:
    pieces = [f"s{n}" for n in range(start)] + [f"p{n % pattern}" for n in range(5 * LONGEST)]
    assert closed_at(pieces) == expected


def test_a_long_list_of_values_is_no_loop() -> None:
    assert closed_at(part for n in range(1000) for part in ("'", str(n), "'", ", ")) is None


def test_what_stops_in_time_is_no_loop() -> None:
    assert closed_at(["0"] * (PIECES - 1) + [" LIMIT"] + ["0"] * (PIECES - 1)) is None


@given(
    st.lists(st.sampled_from("ab"), max_size=6),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=5),
    st.integers(0, 300),
)
def test_it_is_noticed_at_the_first_piece_that_makes_one(
    start: list[str], pattern: list[str], length: int
) -> None:
    pieces = start + list(itertools.islice(itertools.cycle(pattern), length))
    expected = next((n for n in range(1, len(pieces) + 1) if ends_in_a_loop(pieces[:n])), None)
    assert closed_at(pieces) == expected
