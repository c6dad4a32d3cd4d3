"""Levels and contrasts of tables of outcomes, against loops over lists and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.errors import InputError
from sqlmend.eval.crystallization._contrast import Outcomes, contrast, level
from tests.eval.statistics.plain import hierarchical_draws, mean_of, percentile, tost

NAN = math.nan


def outcomes(rows, seeds=None, question_ids=None):
    """Rows of (database, group, scores), the scores a number where nothing is sampled."""
    right = [[scores] if seeds is None else scores for _, _, scores in rows]
    ids = question_ids or [f"q{number}" for number in range(len(rows))]
    return Outcomes(
        tuple(ids), tuple(d for d, _, _ in rows), tuple(g for _, g, _ in rows), seeds, np.array(right)
    )


def random_rows(generator, databases, seeds):
    """Scores that go together within groups and differ between databases; and those of a second condition."""
    rows, group = [], 0
    for database in range(databases):
        chance = generator.uniform(0.2, 0.7)
        for _ in range(int(generator.integers(4, 12))):
            group += 1
            same = generator.random() < chance
            for _ in range(int(generator.integers(1, 4))):
                flip = generator.random((2, seeds)) < 0.3
                rows.append((f"d{database}", group, np.where(flip, 1 - same, same)))
    order = generator.permutation(len(rows))
    return [[(rows[i][0], rows[i][1], rows[i][2][side]) for i in order] for side in (0, 1)]


@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_loops_within_the_error_of_the_resamples(seed):
    generator = np.random.default_rng(seed)
    first, second = random_rows(generator, 6, 3)
    seeds = (42, 7, 13)
    found = contrast(outcomes(first, seeds), outcomes(second, seeds), seed=seed)
    gaps = {}
    for (database, group, a), (_, _, b) in zip(first, second, strict=True):
        groups = gaps.setdefault(database, {})
        groups.setdefault(group, []).append([float(sum(a) - sum(b)) / 3])
    nested = [list(groups.values()) for groups in gaps.values()]
    [plain] = hierarchical_draws(nested, [mean_of(0)], 2_000, seed)
    every = [row for groups in nested for rows in groups for row in rows]
    assert found.value == pytest.approx(mean_of(0)(every))
    se = found.se
    assert se == pytest.approx(np.std(plain, ddof=1), rel=0.08)
    assert found.low == pytest.approx(percentile(plain, 0.025), abs=0.26 * se)
    assert found.high == pytest.approx(percentile(plain, 0.975), abs=0.26 * se)
    groups = sum(map(len, nested))
    low, high, p, _ = tost(plain, 0.025, groups)
    assert found.equivalence.low == pytest.approx(low, abs=0.2 * se)
    assert found.equivalence.high == pytest.approx(high, abs=0.2 * se)
    assert found.equivalence.p == pytest.approx(p, abs=0.04)
    assert (found.databases, found.questions, found.groups, found.seeds) == (6, len(first), groups, 3)
    by_database = [sum(row[0] for rows in groups for row in rows) for groups in nested]
    assert found.databases_improved == sum(gap > 1e-9 for gap in by_database)
    assert found.databases_worse == sum(gap < -1e-9 for gap in by_database)


def test_a_level_is_the_mean_over_questions_and_seeds_with_its_interval():
    generator = np.random.default_rng(0)
    rows, _ = random_rows(generator, 6, 3)
    found = level(outcomes(rows, (1, 2, 3)))
    assert found.value == pytest.approx(np.mean([scores for _, _, scores in rows]))
    assert found.low < found.value < found.high
    assert (found.databases, found.seeds, found.questions) == (6, 3, len(rows))


def test_what_is_not_sampled_is_the_same_under_every_seed_of_the_other_side():
    generator = np.random.default_rng(1)
    sampled, other = random_rows(generator, 5, 3)
    one = [(d, g, int(scores[0])) for d, g, scores in other]
    repeated = [(d, g, [int(scores[0])] * 3) for d, g, scores in other]
    seeds = (42, 7, 13)
    there = contrast(outcomes(sampled, seeds), outcomes(one), resamples=500)
    assert there == contrast(outcomes(sampled, seeds), outcomes(repeated, seeds), resamples=500)
    assert there.seeds == 3
    assert contrast(outcomes(one), outcomes(one), resamples=10).seeds == 1


def test_only_what_both_were_asked_counts():
    rows = [("d", 0, [1, 1]), ("d", 1, [0, 1]), ("e", 2, [1, NAN]), ("e", 3, [NAN, NAN])]
    first = outcomes(rows, (42, 7), ["a", "b", "c", "x"])
    other = [("e", 3, [1, 1]), ("e", 2, [0, 0]), ("d", 1, [0, 0]), ("f", 9, [1, 1])]
    second = outcomes(other, (7, 13), ["x", "c", "b", "z"])
    found = contrast(first, second, resamples=10)
    # In common: question b under seed 7; c was not asked there, a and z are of one side alone.
    assert (found.value, found.questions, found.seeds, found.databases) == (1, 1, 1, 1)
    both = contrast(
        first, outcomes([(d, g, 0) for d, g, _ in rows], None, ["a", "b", "c", "x"]), resamples=10
    )
    assert (both.value, both.questions, both.seeds) == (4 / 5, 3, 2)
    assert level(first, resamples=10).value == 4 / 5


def test_seeds_pair_by_their_name_and_questions_by_their_id():
    first = outcomes([("d", 0, [1, 0]), ("d", 1, [1, 0])], (42, 7), ["a", "b"])
    second = outcomes([("d", 1, [0, 1]), ("d", 0, [0, 1])], (7, 42), ["b", "a"])
    found = contrast(first, second, resamples=50)
    assert (found.value, found.low, found.high, found.differing) == (0, 0, 0, 0)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_order_of_questions_does_not_matter_and_turned_round_it_is_its_mirror_image(seed):
    generator = np.random.default_rng(seed)
    first, second = random_rows(generator, int(generator.integers(1, 5)), 2)
    seeds, ids = (1, 2), [f"q{n}" for n in range(len(first))]
    order = generator.permutation(len(first))
    shuffled = outcomes([first[i] for i in order], seeds, [ids[i] for i in order])
    other = outcomes(second, seeds, ids)
    there = contrast(outcomes(first, seeds, ids), other, resamples=100)
    assert there == contrast(shuffled, other, resamples=100)
    back = contrast(other, shuffled, resamples=100)
    assert (there.value, there.p, there.databases_improved) == (-back.value, back.p, back.databases_worse)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-12)
    assert there.equivalence.p == back.equivalence.p


def test_a_database_that_stands_alone_makes_it_less_sure_than_questions_everywhere():
    # Twenty questions of a hundred are won: all of one database in five, or a fifth in each.
    databases = [f"d{n // 20}" for n in range(100)]
    lost = outcomes([(d, n, 0) for n, d in enumerate(databases)])
    alone = contrast(outcomes([(d, n, int(d == "d0")) for n, d in enumerate(databases)]), lost)
    spread = contrast(outcomes([(d, n, int(n % 5 == 0)) for n, d in enumerate(databases)]), lost)
    assert alone.value == spread.value == 0.2
    assert not alone.separated
    assert spread.separated
    assert (alone.databases_improved, spread.databases_improved) == (1, 5)


def test_few_groups_never_separate_however_they_go():
    won = outcomes([("d", n, 1) for n in range(5)])
    lost = outcomes([("d", n, 0) for n in range(5)])
    found = contrast(won, lost)
    assert (found.low, found.high, found.p, found.separated) == (1, 1, 2**-4, False)
    assert not contrast(won, won).equivalence.equivalent


def test_the_same_outcomes_of_enough_questions_are_equivalent():
    same = outcomes([(f"d{n % 4}", n, n % 2) for n in range(200)])
    found = contrast(same, same, resamples=200)
    assert (found.value, found.p, found.databases_improved, found.databases_worse) == (0, 1, 0, 0)
    assert found.equivalence.equivalent
    assert not contrast(same, same, resamples=200, margin=0.001).equivalence.equivalent


@pytest.mark.parametrize(
    ("ids", "databases", "seeds", "right", "said"),
    [
        (("a",), ("d",), (1, 2), [[1]], "seeds have"),
        (("a", "b"), ("d",), None, [[1], [0]], "seeds have"),
        (("a", "a"), ("d", "d"), None, [[1], [0]], "question is there twice"),
        (("a",), ("d",), (1, 1), [[1, 0]], "seed is there twice"),
        (("a",), ("d",), None, [[0.5]], "right"),
    ],
)
def test_outcomes_that_do_not_fit_are_refused(ids, databases, seeds, right, said):
    with pytest.raises(ValueError, match=said):
        Outcomes(ids, databases, tuple(range(len(databases))), seeds, np.array(right))


def test_conditions_without_a_question_or_a_seed_in_common_are_bad_input():
    first = outcomes([("d", 0, [1])], (42,), ["a"])
    for other in (outcomes([("d", 0, [1])], (42,), ["b"]), outcomes([("d", 0, [1])], (7,), ["a"])):
        with pytest.raises(InputError, match="never asked the same question"):
            contrast(first, other)
    with pytest.raises(InputError, match="never asked"):
        level(Outcomes((), (), (), None, np.zeros((0, 1))))


def test_a_question_in_two_places_is_an_error():
    first, second = (outcomes([("d", group, 1)], None, ["a"]) for group in (0, 1))
    with pytest.raises(ValueError, match="question a stands"):
        contrast(first, second)
