from __future__ import annotations

import numpy as np
import pytest

from sqlmend.retrievers import TYPE_POLICIES, RankSettings


@pytest.mark.parametrize(
    ("policy", "failure_type", "same_type", "selected", "bonus"),
    [
        ("hard", "syntax", [1, 0, 1, 1], [1, 0, 1, 1], 0),
        ("hard", "syntax", [1, 0, 1, 0], [1, 1, 1, 1], 0),
        ("hard", "syntax", [0, 0], [1, 1], 0),
        ("off", "syntax", [1, 0, 1, 1], [1, 1, 1, 1], 0),
        ("reliability", "syntax", [1, 0, 1, 1], [1, 0, 1, 1], 0),
        ("reliability", "syntax", [1, 0, 1, 0], [1, 1, 1, 1], 0),
        ("reliability", "result_mismatch", [1, 0, 1, 1], [1, 1, 1, 1], 0.1),
    ],
)
def test_policies(
    policy: str, failure_type: str, same_type: list[int], selected: list[int], bonus: float
) -> None:
    cut = TYPE_POLICIES[policy](np.array(same_type, dtype=bool), failure_type, RankSettings())
    assert cut.kept.astype(int).tolist() == selected
    assert cut.bonus == bonus
    assert cut.by_type == (policy != "off")


def test_without_reliable_types_every_type_is_only_preferred() -> None:
    soft = RankSettings(reliable_types=(), type_bonus=0.3)
    cut = TYPE_POLICIES["reliability"](np.array([True] * 4 + [False]), "syntax", soft)
    assert cut.kept.all() and cut.bonus == 0.3
