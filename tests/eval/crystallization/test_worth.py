"""The crystallization ratio, against loops over lists."""

from __future__ import annotations

import numpy as np
import pytest

from sqlmend.eval.crystallization._contrast import Outcomes, contrast
from sqlmend.eval.crystallization._worth import crystallization_ratio
from tests.eval.statistics.plain import hierarchical_draws, mean_of, ratio_interval


def conditions(generator, gain, headroom, databases=6, size=25):
    """With memory, without, after repair: each question is won by its chance, base 0.4."""
    count = databases * size
    without = generator.random(count) < 0.4
    memory = without | (generator.random(count) < gain / 0.6)
    repaired = without | (generator.random(count) < headroom / 0.6)
    ids = tuple(f"q{n}" for n in range(count))
    databases_of = tuple(f"d{n // size}" for n in range(count))
    return [
        Outcomes(ids, databases_of, tuple(range(count)), None, side[:, np.newaxis])
        for side in (memory, without, repaired)
    ]


@pytest.mark.parametrize("seed", range(2))
def test_it_agrees_with_loops_within_the_error_of_the_resamples(seed):
    memory, without, repaired = conditions(np.random.default_rng(seed), 0.06, 0.2)
    found = crystallization_ratio(memory, without, repaired, seed=seed)
    nested = {}
    for row, database in enumerate(memory.db_ids):
        gain = memory.right[row, 0] - without.right[row, 0]
        room = repaired.right[row, 0] - without.right[row, 0]
        nested.setdefault(database, []).append([(float(gain), float(room))])
    gains, rooms = hierarchical_draws(list(nested.values()), [mean_of(0), mean_of(1)], 1_000, seed)
    low, high = ratio_interval(gains, rooms)
    spread = (high - low) / 3.9
    assert found.ratio.value == pytest.approx(found.gain.value / found.headroom.value)
    assert found.ratio.low == pytest.approx(low, abs=0.4 * spread)
    assert found.ratio.high == pytest.approx(high, abs=0.4 * spread)


def test_gain_and_headroom_are_the_contrasts():
    memory, without, repaired = conditions(np.random.default_rng(5), 0.06, 0.15)
    found = crystallization_ratio(memory, without, repaired, resamples=300, seed=2)
    assert found.gain == contrast(memory, without, resamples=300, seed=2)
    assert found.headroom == contrast(repaired, without, resamples=300, seed=2)


def test_without_headroom_there_is_no_ratio():
    memory, without, _ = conditions(np.random.default_rng(0), 0.06, 0.0)
    found = crystallization_ratio(memory, without, without, resamples=300)
    assert found.headroom.value == 0
    assert found.ratio.value is None
    assert "told from zero" in found.ratio.undefined
