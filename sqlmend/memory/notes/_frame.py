"""A call that looks at the variables of whoever calls it."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Any

_CALL = "__sqlmend_call__"  # no table is called so
_CODE = compile(f"{_CALL}()", "<watched>", "eval")


def called_from(frame: FrameType | None, call: Callable[[], Any]) -> Any:
    """What ``call`` returns or raises, as if ``frame`` had called it.

    A table that DuckDB does not know may be a variable: a relation, a frame of pandas, a table of Arrow.
    DuckDB looks for it among the locals and the globals of the Python frame that the call comes from, so both
    must be those of the caller. With python_scan_all_frames it looks on in the frames below, and there this
    package's own come first.

    Args:
        frame: The caller's, None where nothing of Python called.
        call: What is called.
    """
    if frame is None:
        return call()
    return eval(_CODE, frame.f_globals, {**frame.f_locals, _CALL: call})
