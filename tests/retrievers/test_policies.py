from __future__ import annotations

import numpy as np
import pytest

from sqlmend.retrievers import TYPE_POLICIES


@pytest.mark.parametrize(
    ("policy", "same_type", "selected"),
    [
        ("hard", [1, 0, 1, 1], [1, 0, 1, 1]),
        ("hard", [1, 0, 1, 0], [1, 1, 1, 1]),
        ("hard", [0, 0], [1, 1]),
        ("off", [1, 0, 1, 1], [1, 1, 1, 1]),
    ],
)
def test_policies(policy: str, same_type: list[int], selected: list[int]) -> None:
    mask = TYPE_POLICIES[policy](np.array(same_type, dtype=bool), 3)
    assert mask.astype(int).tolist() == selected
