"""Results of references, computed once and shared by all verdicts."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future

from sqlmend.eval._reference import Denotation

_SAMPLED_ROWS = 100


class ReferenceResults:
    """A cache of denotations, bounded in bytes; the least recently used go first.

    Thread-safe: a result that another thread is computing is waited for.

    Args:
        max_bytes: Estimated size of the rows that are kept.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, Future[Denotation]] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], Denotation]) -> Denotation:
        """The result kept under ``key``, computed by the first who asks; one that was lost is not kept."""
        with self._lock:
            known = self._kept.get(key)
            if known is None:
                mine = self._kept[key] = Future()
            else:
                self._kept.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            result = compute()
        except BaseException as error:
            with self._lock:
                self._kept.pop(key, None)
            mine.set_exception(error)
            raise
        if result.lost:
            with self._lock:
                self._kept.pop(key, None)
        mine.set_result(result)
        if result.lost:
            return result
        with self._lock:
            self._bytes += _size(result)
            self._shrink()
        return result

    def _shrink(self) -> None:
        for key, entry in list(self._kept.items()):
            if self._bytes <= self._max_bytes:
                return
            if entry.done():
                del self._kept[key]
                self._bytes -= _size(entry.result())


def _size(denotation: Denotation) -> int:
    """Bytes of the rows, extrapolated from some of them."""
    rows = denotation.outcome.rows
    sample = rows[:: max(1, len(rows) // _SAMPLED_ROWS)]
    measured = sum(sys.getsizeof(row) + sum(map(sys.getsizeof, row)) for row in sample)
    return measured * len(rows) // max(1, len(sample))
