"""Limits that the operating system keeps for us."""

from __future__ import annotations

import os
import resource
import time

from .limits import ADDRESS_SPACE_BYTES


def confine() -> None:
    """Take away the environment, files and memory for good: these are hard limits."""
    os.environ.clear()
    for kind, value in (
        (resource.RLIMIT_AS, ADDRESS_SPACE_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        lowered = _within_hard_limit(kind, value)
        resource.setrlimit(kind, (lowered, lowered))


def limit_cpu(seconds: float) -> None:
    """End this process should it still compute when the parent, which ends it sooner, is gone."""
    soft = _within_hard_limit(resource.RLIMIT_CPU, int(time.process_time() + seconds) + 2)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _within_hard_limit(kind: int, value: int) -> int:
    """``value``, or the hard limit of this machine where that is lower: it cannot be raised."""
    hard = resource.getrlimit(kind)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
