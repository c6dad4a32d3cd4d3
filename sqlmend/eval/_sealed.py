"""The holder of reference queries between the loader and the oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlmend.errors import SqlmendError


class SealedReferences:
    """Reference queries by question id, shown by nothing: not by repr, not by pickle, not by a copy.

    Args:
        by_id: Question id to reference SQL; None makes a holder that has lost them.
    """

    __slots__ = ("_reveal",)

    def __init__(self, by_id: Mapping[str, str] | None) -> None:
        held = None if by_id is None else dict(by_id)
        # In a closure, not in an attribute: what walks over attributes finds a function.
        self._reveal: Callable[[], dict[str, str] | None] = lambda: held

    def reveal(self) -> dict[str, str]:
        """The references themselves; for the oracle, the groups and the data hash alone.

        Raises:
            SqlmendError: This is a copy, which travelled without them.
        """
        held = self._reveal()
        if held is None:
            raise SqlmendError(
                "references_left_behind",
                "a copied or pickled benchmark has no references",
                hint="load the benchmark where it is judged",
            )
        return held

    def __repr__(self) -> str:
        return "<SealedReferences>"

    def __reduce__(self) -> tuple[type[SealedReferences], tuple[None]]:
        return SealedReferences, (None,)
