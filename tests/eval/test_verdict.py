from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from sqlmend.eval._verdict import FLAGS, OUTCOMES, Verdict


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_the_score_is_1_exactly_for_a_match(outcome: str) -> None:
    assert Verdict(outcome).score == (1 if outcome == "match" else 0)


def test_flags_come_in_one_order() -> None:
    assert Verdict("match", tuple(reversed(FLAGS))).flags == FLAGS


def test_it_is_frozen_and_checked() -> None:
    with pytest.raises(FrozenInstanceError):
        Verdict("match").score = 0  # type: ignore[misc]
    with pytest.raises(ValueError, match="'ok'"):
        Verdict("ok")
    with pytest.raises(ValueError, match="shiny"):
        Verdict("match", ("shiny",))
