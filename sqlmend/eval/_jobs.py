"""Several streams at once, in threads of this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from typing import Any, TypeVar

from sqlmend.errors import SqlmendError

Stopping = Callable[[], None]

#: What names a stream; its text is how messages call it.
Name = TypeVar("Name", bound=Hashable)


class _Stopped(BaseException):
    """Ends a stream between two steps. No ``Exception``: it is not the failure of a question."""


def run_streams(streams: Iterable[Name], run: Callable[[Name, Stopping], Any], jobs: int) -> dict[Name, Any]:
    """Run every stream, ``jobs`` at a time; each has one writer, the thread that runs it.

    Threads, not processes: what takes time is waiting for a served model, and the result cache, the
    database workers and the embedder are shared this way. Each runs in a copy of the caller's context, where
    ``dspy.context`` and meters live.

    Args:
        streams: The streams, started in this order.
        run: Runs one and returns its summary; it has to call its second argument between steps, which
            raises where the stream shall end there.
        jobs: How many run at the same time.

    Returns:
        The summary of each.

    Raises:
        SqlmendError: A failure that every further question would meet, with the stream that met it; the
            others end after the step that they are in, and what is done is kept.
    """
    stop = threading.Event()

    def stopping() -> None:
        if stop.is_set():
            raise _Stopped

    def one(stream: Name) -> Any:
        stopping()
        try:
            return run(stream, stopping)
        except BaseException:
            stop.set()  # here, before this thread takes the next stream
            raise

    with ThreadPoolExecutor(jobs, thread_name_prefix="sqlmend-stream") as threads:
        futures = {threads.submit(copy_context().run, one, stream): stream for stream in streams}
        try:
            for future in as_completed(futures):
                error = future.exception()
                if error is not None and not isinstance(error, _Stopped):
                    raise _in_stream(error, futures[future])
            return {stream: future.result() for future, stream in futures.items()}
        finally:
            stop.set()
            threads.shutdown(cancel_futures=True)


def _in_stream(error: BaseException, stream: Hashable) -> BaseException:
    """``error`` with the stream that it comes from, of the same kind."""
    if not isinstance(error, SqlmendError):
        error.add_note(f"in the stream {stream}")
        return error
    named = type(error)(error.code, f"{stream}: {error.message}", hint=error.hint, context=error.context)
    named.__cause__ = error
    return named
