"""Planted effects lie in their interval, zeros are not found: a simulator, see ``effects_simulator``."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.effects_simulator import CONDITIONS, CONTRASTS, EFFECT, repeat, simulate, world
from sqlmend.eval.crystallization._contrast import SideBySide, contrast

REPEATS = 200


# Every other effect is there, so that each contrast has to leave out what its neighbours add.
@pytest.mark.parametrize("pattern", ["1010", "0101"])
def test_planted_effects_lie_in_their_interval_and_zeros_are_not_found(pattern):
    effects = world(pattern)
    found = repeat(effects, repeats=REPEATS, resamples=1_000, seed=0)
    assert {name for name in CONTRASTS if effects[name] and found[name].covered < 180} == set()
    assert {name for name in CONTRASTS if not effects[name] and found[name].separated > 18} == set()
    # An interval that holds everything would do as well; this one tells effects from zero.
    assert all(found[name].separated > REPEATS / 4 for name in CONTRASTS if effects[name])


def test_the_simulator_plants_what_it_says():
    tables = [simulate(world("1010"), np.random.default_rng(n)) for n in range(60)]
    means = {name: np.mean([t[name].right.mean() for t in tables]) for name in CONDITIONS}
    for name, (first, second) in CONTRASTS.items():
        # Standard error 0.003.
        assert means[first] - means[second] == pytest.approx(world("1010")[name], abs=0.012)
    assert means["none"] == pytest.approx(0.4, abs=0.02)
    assert EFFECT > 0.05


def test_conditions_side_by_side_are_contrasted_as_two_alone_are():
    tables = simulate(world("1111"), np.random.default_rng(0))
    table = SideBySide(list(tables.values()))
    levels = table.levels(100, 3)
    for first, second in CONTRASTS.values():
        places = [list(CONDITIONS).index(side) for side in (first, second)]
        alone = contrast(tables[first], tables[second], resamples=100, seed=3)
        assert table.contrast(levels, *places) == alone
