"""What the compiler says no to: each construct has a stable name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from sqlmend.errors import SqlmendError


@cache
def _constructs() -> Mapping[str, str]:
    found: dict[str, str] = json.loads(files(__package__).joinpath("constructs.json").read_text("utf-8"))
    return found


#: Why each construct is refused, by its stable name, in the order in which a message names several.
CONSTRUCTS = _constructs()


class UnsupportedTranslation(SqlmendError):
    """A query uses what has no translation on a document store.

    Args:
        constructs: Their stable names, at least one of ``CONSTRUCTS``.
        what: What exactly stood there, where the name alone does not tell.

    Attributes:
        constructs: The names, in the order of ``CONSTRUCTS``.
        construct: The first of them.
    """

    def __init__(self, constructs: Iterable[str], what: str = "") -> None:
        found = set(constructs)
        self.constructs = tuple(name for name in CONSTRUCTS if name in found)
        self.construct = self.constructs[0]
        reasons = "; ".join(f"{name}: {CONSTRUCTS[name]}" for name in self.constructs)
        super().__init__(
            "unsupported_translation",
            f"unsupported translation: {reasons}{f' ({what})' if what else ''}",
            context={"constructs": list(self.constructs)},
        )

    def __reduce__(self) -> tuple[type[UnsupportedTranslation], tuple[tuple[str, ...]]]:
        return UnsupportedTranslation, (self.constructs,)
