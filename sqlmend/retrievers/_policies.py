"""What the failure type does to the legal pool."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sqlmend._registry import Registry

if TYPE_CHECKING:
    from sqlmend.retrievers._settings import RankSettings


class Cut(NamedTuple):
    """What is ranked of a pool.

    Attributes:
        kept: A mask of the selected pool, never empty for a pool that is not.
        bonus: What an entry of the query's failure type gains in score.
        by_type: Whether of equal entries one of the query's failure type comes first.
    """

    kept: NDArray[np.bool_]
    bonus: float = 0.0
    by_type: bool = True


class TypePolicy(Protocol):
    """Cuts a pool, given which of its members have the query's failure type, and that type."""

    def __call__(self, same_type: NDArray[np.bool_], failure_type: str, settings: RankSettings) -> Cut:
        """The selected pool."""
        ...


def hard(same_type: NDArray[np.bool_], failure_type: str, settings: RankSettings) -> Cut:
    """Entries of the query's type if there are at least ``min_same_type``, otherwise the whole pool."""
    if same_type.sum() >= settings.min_same_type:
        return Cut(same_type)
    return Cut(np.ones_like(same_type))


def off(same_type: NDArray[np.bool_], failure_type: str, settings: RankSettings) -> Cut:
    """The whole pool; the type decides nothing, ties included."""
    return Cut(np.ones_like(same_type), by_type=False)


def reliability(same_type: NDArray[np.bool_], failure_type: str, settings: RankSettings) -> Cut:
    """Hard for the types that are named reliably; the others get ``type_bonus`` in the whole pool.

    With no reliable type at all this is the soft policy.
    """
    if failure_type in settings.reliable_types:
        return hard(same_type, failure_type, settings)
    return Cut(np.ones_like(same_type), settings.type_bonus)


TYPE_POLICIES = Registry(
    "type policy",
    {name: f"sqlmend.retrievers._policies:{name}" for name in ("hard", "off", "reliability")},
)
"""Name to policy; a new one is a function and a name here."""
