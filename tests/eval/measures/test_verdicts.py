"""What a difference says, for each way that it can come out."""

from __future__ import annotations

import pytest

from sqlmend.eval.measures._verdicts import holds, standing, verdict
from sqlmend.eval.statistics import Difference


def found(low=0.001, high=0.06, p=0.04, differing=20, separated=True, needed=None):
    return Difference(0.03, low, high, 0.015, p, differing, separated, needed)


CASES = [
    (found(), 0.04, "separated", "Separated. a - b: +3.0 points of EX"),
    (found(), None, "separated", "Separated. a - b: +3.0 points of EX"),
    (
        found(),
        0.42,
        "separated alone, not after Holm over 10 pairs",
        "Separated alone, not after Holm over 10 pairs. a - b: +3.0 points",
    ),
    (found(low=-0.01, p=0.2, separated=False), 1.0, "not separated", "Not separated. a - b: "),
    (
        found(p=0.25, differing=3, separated=False),
        0.25,
        "not separated: too few groups differ (3)",
        "Not separated. a - b: ",
    ),
    (
        found(p=0.18, separated=False),
        0.18,
        "not separated: p 0.18, the interval alone leaves zero out",
        "Not separated. a - b: ",
    ),
    (found(0.0, 0.0, 1.0, 0, separated=False), 1.0, "not separated", "Not separated. a - b: "),
]


@pytest.mark.parametrize(("difference", "p_holm", "words", "sentence"), CASES)
def test_few_words_and_the_sentence_say_the_same(difference, p_holm, words, sentence):
    assert standing(difference, "groups", p_holm=p_holm, pairs=10) == words
    assert verdict("a - b", difference, "groups", p_holm=p_holm, pairs=10).startswith(sentence)
    assert holds(difference, p_holm) is (words == "separated")


def test_the_sentence_gives_both_p():
    said = verdict("a - b", found(), "groups", p_holm=0.42, pairs=10)
    assert said.endswith("p = 0.04, 0.42 after the correction.")
    said = verdict("a - b", found(), "groups", p_holm=0.04, pairs=10)
    assert said.endswith("it holds after Holm's correction over 10 pairs (p = 0.04).")


def test_the_sentence_says_why_not():
    few = verdict("a - b", found(differing=3, p=0.25, separated=False, needed=500), "groups")
    assert "they differ on 3 groups, too few to tell" in few
    assert "About 500 questions like these" in few
    resamples = verdict("a - b", found(p=0.18, separated=False), "groups")
    assert "these resamples give no p below 0.18" in resamples
    assert "holds zero" in verdict("a - b", found(low=-0.1, separated=False), "groups")
    assert "on none of the groups" in verdict("a - b", found(differing=0, separated=False), "groups")
