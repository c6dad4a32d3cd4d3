"""Two scores made comparable."""

import numpy as np
import pytest

from sqlmend.errors import InputError
from sqlmend.retrievers import RecallSettings
from sqlmend.retrievers._hybrid import min_max, reciprocal_rank


def test_reciprocal_ranks_share_ties_and_begin_at_one():
    scaled = reciprocal_rank(np.array([0.2, 0.9, 0.2, 0.5]))
    assert scaled == pytest.approx([61 / 63, 1.0, 61 / 63, 61 / 62])


def test_only_the_order_of_values_counts():
    values = np.array([3.0, 1.0, 2.0])
    assert np.array_equal(reciprocal_rank(values), reciprocal_rank(np.exp(values)))
    assert not np.array_equal(min_max(values), min_max(np.exp(values)))


def test_equal_values_decide_nothing():
    assert np.array_equal(reciprocal_rank(np.zeros(4)), np.ones(4))


def test_the_published_way_is_the_default():
    assert RecallSettings().fusion == "min_max"
    with pytest.raises(InputError, match="did you mean rrf"):
        RecallSettings(fusion="rff")
