"""What the failure type does to the legal pool."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sqlmend._registry import Registry


class TypePolicy(Protocol):
    """Which members of a pool are ranked, given which of them have the current failure type."""

    def __call__(self, same_type: NDArray[np.bool_], min_same_type: int) -> NDArray[np.bool_]:
        """A mask of the selected pool, never empty for a pool that is not."""
        ...


def hard(same_type: NDArray[np.bool_], min_same_type: int) -> NDArray[np.bool_]:
    """Entries of the current type if there are at least ``min_same_type``, otherwise the whole pool."""
    return same_type if same_type.sum() >= min_same_type else off(same_type, min_same_type)


def off(same_type: NDArray[np.bool_], min_same_type: int) -> NDArray[np.bool_]:
    """The whole pool, whatever the type."""
    return np.ones_like(same_type)


TYPE_POLICIES = Registry(
    "type policy",
    {"hard": "sqlmend.retrievers._policies:hard", "off": "sqlmend.retrievers._policies:off"},
)
"""Name to policy; a new one is a function and a line here."""
