"""Structured errors: what came in, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


class SqlmendError(Exception):
    """A failure that the library explains.

    Args:
        code: Stable snake_case name of the kind of failure, for programs.
        message: What came in and what was expected, for people.
        hint: What to do about it.
        context: Facts about the failure as plain values (no secrets).

    Attributes:
        exit_code: What the command line exits with: 1, a failure.
    """

    exit_code = 1

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str | None = None,
        context: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message if hint is None else f"{message} ({hint})")
        self.code = code
        self.message = message
        self.hint = hint
        self.context = dict(context or {})


class InputError(SqlmendError, ValueError):
    """Bad input of the user: the command line exits with 2 and nothing is half written."""

    exit_code = 2


def near_names(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The known names that look like ``name``, best first, at most ``most``."""
    return get_close_matches(name, sorted(known), n=most, cutoff=0.5)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """The error for a name that is not in a list of known ones, with near names as the hint."""
    names = sorted(known)
    near = near_names(name, names)
    hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(names)}"
    return InputError(
        f"unknown_{kind.replace(' ', '_')}",
        f"unknown {kind} {name!r}",
        hint=hint,
        context={"name": name, "near": near},
    )
