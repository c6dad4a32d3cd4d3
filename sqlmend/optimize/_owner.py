"""Whose a running trial is, and whether that process is still there."""

from __future__ import annotations

import contextlib
import os
import socket
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlmend.optimize._storage import GRACE_S

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

#: User attribute of a trial: the process that runs it.
OWNER = "owner"

#: What tells a machine, the best first: images are copied with the latter.
_MACHINE = (Path("/proc/sys/kernel/random/boot_id"), Path("/etc/machine-id"))
_NAMESPACE = Path("/proc/self/ns/pid")


def owner() -> str:
    """Names this process among all that share a storage."""
    return f"{_host()}:{os.getpid()}"


def is_dead(trial: FrozenTrial) -> bool:
    """Whether the process of a running trial is known to be gone, without waiting for its heartbeat."""
    name = str(trial.user_attrs.get(OWNER, ""))
    if not name:  # killed before it could give its name, or about to
        age = datetime.now() - (trial.datetime_start or datetime.now())
        return age > timedelta(seconds=GRACE_S)
    return has_ended(name)


def has_ended(name: str) -> bool:
    """Whether the process that ``owner`` named so is known to be gone; of another machine it is not known."""
    host, _, process = name.rpartition(":")
    if host != _host():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _host() -> str:
    """Where process ids mean the same: one boot of a machine, and on Linux the namespace of a container.

    Machines that were made from one image may have one name, and all of them have the same first namespace.
    """
    parts = [socket.gethostname()]
    for file in _MACHINE:
        with contextlib.suppress(OSError, ValueError):
            parts.append(file.read_text("ascii").strip())
            break
    with contextlib.suppress(OSError):
        parts.append(str(_NAMESPACE.readlink()))
    return "/".join(parts)
