"""A queue with one writer behind it: whoever puts something in never waits for a disk."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, Generic, TypeVar

T = TypeVar("T")

#: An idle writer ends after so many seconds; the next item starts another.
_LINGER_S = 1.0
#: How long the end of a process may wait for what is queued, in seconds.
_EXIT_S = 5.0


class Sink(Generic[T]):
    """A bounded queue and a thread that calls ``write`` while something is in it.

    The thread is started by the first item and ends when nothing comes for a while, so that an idle sink
    costs nothing and can be collected. What is queued when the process ends is written then.

    Args:
        write: Takes all items (:meth:`take`) and writes them. It must not raise.
        capacity: So many items wait at most.
    """

    def __init__(self, write: Callable[[], None], capacity: int) -> None:
        self._write = write
        self._capacity = capacity
        self._items: deque[T] = deque()
        self._put = 0
        self.reset()
        _sinks.add(self)

    def reset(self) -> None:
        """Begin anew in a forked child: the items are the parent's, and so is the thread."""
        self._changed = threading.Condition()
        self._done = self._put
        self._thread: threading.Thread | None = None

    def put(self, item: T) -> bool:
        """Queue an item; returns False, at once, where there is no room for it.

        Raises:
            RuntimeError: No thread can be started; the item is not queued.
        """
        with self._changed:
            if len(self._items) >= self._capacity:
                return False
            if self._thread is None:
                _flush_at_the_end_of_workers()
                thread = threading.Thread(target=self._run, name="sqlmend-notes", daemon=True)
                thread.start()
                self._thread = thread
            self._items.append(item)
            self._put += 1
            self._changed.notify_all()
            return True

    def take(self) -> Iterator[T]:
        """Take the items out, oldest first; any thread may."""
        while self._items:
            try:
                yield self._items.popleft()
            except IndexError:  # another thread took it
                return

    def flush(self, timeout_s: float) -> bool:
        """Wait until all that was put is dealt with; returns whether it is."""
        with self._changed:
            target = self._put
            return self._changed.wait_for(lambda: self._done >= target, timeout_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._changed.wait_for(lambda: self._done < self._put, _LINGER_S):
                    self._thread = None
                    return
                target = self._put
            self._write()
            with self._changed:
                self._done = target
                self._changed.notify_all()


_sinks: weakref.WeakSet[Sink[Any]] = weakref.WeakSet()
_registered_in = 0


def _flush_all() -> None:
    deadline = monotonic() + _EXIT_S
    for sink in list(_sinks):
        sink.flush(max(0.0, deadline - monotonic()))


def _flush_at_the_end_of_workers() -> None:
    """The workers of multiprocessing end without ``atexit``; they have a way of their own."""
    global _registered_in  # noqa: PLW0603 - one registration for each process
    util = sys.modules.get("multiprocessing.util")
    if util is not None and _registered_in != os.getpid():
        _registered_in = os.getpid()
        util.Finalize(None, _flush_all, exitpriority=10)


atexit.register(_flush_all)
