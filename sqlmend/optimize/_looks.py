"""Looks at the held-out questions: each is had once, by one process of a study, and counted."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from sqlmend.errors import InputError
from sqlmend.optimize._owner import has_ended, owner

if TYPE_CHECKING:
    from optuna import Study

#: Told of every held-out question that is done: a sign of life.
Beat = Callable[[], None]

#: User attributes of a study: what each look came to, and who is having one.
_LOOK = "look:"
_JUDGE = "judge"

_POLL_S = 1.0
_SETTLE_S = 0.5
_BEAT_S = 60.0
# A question takes minutes at most.
_GONE_S = 1800.0

_log = logging.getLogger(__name__)


def look(study: Study, key: str, judge: Callable[[Beat], dict[str, Any]]) -> dict[str, Any]:
    """What the look of that name came to: had where nobody has had it, waited for where somebody has it.

    What it came to is kept with the study, so that its other processes, on whichever machine, ask and pay
    nothing again.

    Args:
        study: The study.
        key: What is held against what.
        judge: Has the look; it is called in one process at a time.

    Returns:
        What ``judge`` returned, and ``looks``: how many different ones the study has had by now.
    """
    waiting = _Waiting()
    while True:
        attributes = study.user_attrs
        if (found := attributes.get(f"{_LOOK}{key}")) is not None:
            return {**found, "looks": sum(name.startswith(_LOOK) for name in attributes)}
        if waiting.is_over(attributes.get(_JUDGE)) and _is_elected(study):
            with _signs_of_life(study) as beat:
                try:
                    study.set_user_attr(f"{_LOOK}{key}", judge(beat))
                    continue
                except InputError as error:
                    if error.code != "memory_locked":
                        raise
                    # Two were elected after all: the other one writes in this folder.
        time.sleep(_POLL_S)


def _is_elected(study: Study) -> bool:
    """Whether this process has the look: of several that ask at once, the one whose name stays."""
    study.set_user_attr(_JUDGE, {"owner": owner(), "beat": 0})
    time.sleep(_SETTLE_S)
    return bool((study.user_attrs.get(_JUDGE) or {}).get("owner") == owner())


@contextlib.contextmanager
def _signs_of_life(study: Study) -> Iterator[Beat]:
    last, number = time.monotonic(), 0

    def beat() -> None:
        nonlocal last, number
        if time.monotonic() - last >= _BEAT_S:
            last, number = time.monotonic(), number + 1
            study.set_user_attr(_JUDGE, {"owner": owner(), "beat": number})

    try:
        yield beat
    finally:
        study.set_user_attr(_JUDGE, None)


class _Waiting:
    """For how long another process has given no sign of life."""

    def __init__(self) -> None:
        self._seen: Any = None
        self._since = 0.0

    def is_over(self, judge: dict[str, Any] | None) -> bool:
        """Whether nobody has a look; a process of another machine is given up after a while."""
        if judge is None or judge["owner"] == owner() or has_ended(judge["owner"]):
            return True
        if judge != self._seen:
            if self._seen is None:
                _log.warning("%s asks the held-out questions: waiting for its result", judge["owner"])
            self._seen, self._since = judge, time.monotonic()
        return time.monotonic() - self._since > _GONE_S
