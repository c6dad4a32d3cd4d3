"""The workers of this process, shared by all its databases."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
from collections import OrderedDict
from typing import Any

from sqlmend.databases._process import WorkerGone, WorkerLate, WorkerProcess
from sqlmend.databases._worker.limits import MAX_CONNECTIONS
from sqlmend.errors import SqlmendError

_KEPT = 2
#: A worker that ends while it waits (somebody killed it) is replaced, but not for ever.
_STARTS = 5


class _Member:
    """A worker and the databases that it has open, the latest last."""

    def __init__(self, process: WorkerProcess) -> None:
        self.process = process
        self.databases: OrderedDict[str, None] = OrderedDict()

    def used(self, database: str) -> None:
        self.databases[database] = None
        self.databases.move_to_end(database)
        if len(self.databases) > MAX_CONNECTIONS:
            self.databases.popitem(last=False)


class Pool:
    """At most two workers at work, and one spare that has started already.

    Thread-safe: as many threads as there are workers run statements at the same time, others wait.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[_Member] = []
        self._busy: set[_Member] = set()
        self._spare: WorkerProcess | None = None
        self._closed = False

    def call(self, request: tuple[Any, ...], limit_s: float, *, database: str) -> tuple[Any, ...]:
        """Have a worker carry out a request; see ``WorkerProcess.call``.

        A worker that ends while it is at it may have been killed for the memory of others: another one is
        asked once more, in the time that is left.

        Raises:
            WorkerLate: It took too long; the worker has been killed.
            WorkerGone: Two workers ended, or one and the other was late.
            SqlmendError: No worker can be started.
        """
        ended: WorkerGone | None = None
        for _ in range(_STARTS):
            member = self._take(database)
            begin = time.monotonic()
            try:
                reply = member.process.call(request, limit_s)
            except WorkerGone as gone:
                self._discard(member)
                if not gone.unread:
                    if ended is not None:
                        raise
                    ended, limit_s = gone, max(limit_s - (time.monotonic() - begin), 0.0)
            # Also at an interrupt: an answer is still to come, so the worker can't be reused.
            except BaseException as error:
                self._discard(member)
                if ended is not None and isinstance(error, WorkerLate):
                    raise ended from error
                raise
            else:
                member.used(database)
                self._give_back(member)
                return reply
        raise SqlmendError("worker_start", f"{_STARTS} database workers ended before they read a request")

    def _take(self, database: str) -> _Member:
        with self._changed:
            while not self._idle and len(self._busy) >= _KEPT:
                self._changed.wait()
            # The latest used is last: its pages are warm.
            chosen = next((m for m in reversed(self._idle) if database in m.databases), None)
            if chosen is None and self._idle and len(self._idle) + len(self._busy) >= _KEPT:
                chosen = self._idle[-1]
            if chosen is not None:
                self._idle.remove(chosen)
            else:
                chosen = _Member(self._spare or WorkerProcess())
                self._spare = None
                self._start_spare()
            self._busy.add(chosen)
            return chosen

    def _give_back(self, member: _Member) -> None:
        with self._changed:
            self._busy.discard(member)
            self._idle.append(member)
            self._changed.notify()

    def _discard(self, member: _Member) -> None:
        with self._changed:
            self._busy.discard(member)
            self._changed.notify()
        # In the background: a worker that holds much memory takes a while to end.
        try:
            threading.Thread(target=self._bury, args=(member,), daemon=True).start()
        except RuntimeError:  # the interpreter is about to end
            self._bury(member)

    def _bury(self, member: _Member) -> None:
        member.process.end()
        with self._changed:
            # What killed one may have killed others: none of them stays a zombie until it is needed.
            for other in [other for other in self._idle if not other.process.alive]:
                self._idle.remove(other)
                other.process.end()
            if self._spare is not None and not self._spare.alive:
                self._spare.end()
                self._spare = None
            self._start_spare()

    def _start_spare(self) -> None:
        if self._spare is None and not self._closed:
            # Without a spare the next start takes longer, or says what is wrong.
            with contextlib.suppress(SqlmendError):
                self._spare = WorkerProcess()

    def _all(self) -> list[WorkerProcess]:
        spare = [self._spare] if self._spare else []
        return [member.process for member in (*self._idle, *self._busy)] + spare

    def pids(self) -> list[int]:
        """Process ids of the workers that are alive."""
        with self._changed:
            return [process.pid for process in self._all()]

    def close(self) -> None:
        """End all workers."""
        with self._changed:
            self._closed = True
            processes = self._all()
            self._idle, self._spare = [], None
        for process in processes:
            process.end()

    def forget(self) -> None:
        """In a forked child: the workers are the parent's."""
        for process in self._all():
            process.forget()


_pool = Pool()


def pool() -> Pool:
    """The pool of this process; a forked child has its own."""
    return _pool


def _after_fork() -> None:
    global _pool  # noqa: PLW0603
    _pool.forget()
    _pool = Pool()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(lambda: pool().close())
