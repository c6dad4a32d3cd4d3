"""Lazy registries: a name stands for ``module:object`` and is imported when asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from sqlmend.errors import unknown_name


class Registry(Mapping[str, Any]):
    """Names to ``module:object`` targets, imported on look-up.

    Args:
        kind: What the names are, for the error message.
        targets: Name to ``module:object``.
    """

    def __init__(self, kind: str, targets: Mapping[str, str]) -> None:
        self._kind = kind
        self._targets = dict(targets)

    def __getitem__(self, name: str) -> Any:
        target = self._targets.get(name)
        if target is None:
            raise unknown_name(self._kind, name, self._targets)
        module, _, attribute = target.partition(":")
        return getattr(importlib.import_module(module), attribute)

    def __contains__(self, name: object) -> bool:
        return name in self._targets

    def __iter__(self) -> Iterator[str]:
        return iter(self._targets)

    def __len__(self) -> int:
        return len(self._targets)
