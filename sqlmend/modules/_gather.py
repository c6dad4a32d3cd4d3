"""Several calls of a language model, at the same time where it serves them so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

import dspy

from sqlmend.models import LanguageModel

Result = TypeVar("Result")
_MOST_AT_ONCE = 8


def gather(calls: Sequence[Callable[[], Result]]) -> list[Result]:
    """The results of the calls, in their order.

    A served model is asked by several threads, each in a copy of this context, so that meters and the
    paying run see every call; a model in this process answers one after the other.
    """
    if len(calls) < 2 or not _served(dspy.settings.lm):
        return [call() for call in calls]
    with ThreadPoolExecutor(max_workers=min(len(calls), _MOST_AT_ONCE)) as pool:
        futures = [pool.submit(copy_context().run, call) for call in calls]
        return [future.result() for future in futures]


def _served(lm: object) -> bool:
    return isinstance(lm, LanguageModel) and lm.backend.identity.get("engine") == "litellm"
