from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from sqlmend.errors import InputError
from sqlmend.retrievers import RecallSettings


def test_defaults_are_the_published_ones() -> None:
    settings = RecallSettings()
    assert (settings.dense, settings.lexical) == (0.75, 0.25)
    assert (settings.top_k_positive, settings.top_k_negative) == (3, 1)
    assert (settings.type_policy, settings.min_same_type) == ("hard", 3)
    assert (settings.scope, settings.same_group, settings.fields) == ("any", "allow", "all")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dense": -0.1}, "dense must be a number from 0 to 1, got -0.1"),
        ({"lexical": 1.5}, "lexical"),
        ({"dense": float("nan")}, "dense"),
        ({"dense": "0.5"}, "dense"),
        ({"dense": True}, "dense"),
        ({"dense": 0, "lexical": 0}, "both 0"),
        ({"top_k_positive": -1}, "top_k_positive must be an integer of 0 or more, got -1"),
        ({"top_k_negative": 1.0}, "top_k_negative"),
        ({"min_same_type": 0}, "min_same_type"),
        ({"type_policy": "hrad"}, "did you mean hard"),
        ({"scope": "same_databse"}, "did you mean same_database"),
        ({"same_group": ["allow"]}, "unknown same_group"),
        ({"fields": "questoin"}, "did you mean question"),
    ],
)
def test_bad_values_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RecallSettings(**change)


def test_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        RecallSettings().dense = 1  # type: ignore[misc]
