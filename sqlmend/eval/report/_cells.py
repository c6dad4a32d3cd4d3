"""Cells of tables: how each kind of number is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_THIN = "\u202f"
_MINUS = "\u2212"


@dataclass(frozen=True)
class Estimate:
    """A value with its interval; the bounds are None where there is none."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Spread:
    """A mean with the standard deviation about it; None where there is only one value."""

    value: float
    sd: float | None = None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        label: Its heading.
        kind: One of :data:`KINDS`.
        hint: What it means, where the heading does not say so.
    """

    label: str
    kind: str = "text"
    hint: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind {self.kind!r} is none of {', '.join(KINDS)}")

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers, set to the right."""
        return self.kind not in ("text", "code")

    def parts(self, cell: Any) -> tuple[str, str]:
        """A cell as text, a dash where there is nothing, and what stands small beside it."""
        write = KINDS[self.kind]
        if cell is None:
            return "–", ""
        if isinstance(cell, Estimate):
            known = cell.low is not None and cell.high is not None
            bounds = [_bare(write(bound)) for bound in (cell.low, cell.high)] if known else []
            return write(cell.value), f"[{', '.join(bounds)}]" if known else ""
        if isinstance(cell, Spread):
            return write(cell.value), "" if cell.sd is None else f"± {_bare(write(cell.sd)).lstrip('+')}"
        return write(cell), ""

    def show(self, cell: Any) -> str:
        """A cell as one text."""
        return " ".join(filter(None, self.parts(cell)))


def _grouped(value: float, digits: int) -> str:
    text = f"{round(value, digits) + 0.0:,.{digits}f}"  # 0.0 is added so that no zero has a sign
    return text.replace(",", _THIN).replace("-", _MINUS)


def _signed(value: float, digits: int) -> str:
    text = _grouped(value, digits)
    return f"+{text}" if round(value, digits) > 0 else text


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _bare(text: str) -> str:
    """A number without the unit, which stands beside the value."""
    return text.removesuffix(f"{_THIN}%").removesuffix("×")


#: Kind of a column to how its cells are written. Shares and points come in as fractions.
KINDS: dict[str, Callable[[Any], str]] = {
    "text": str,
    "code": str,
    "count": lambda value: _grouped(value, 0),
    "number": lambda value: _grouped(value, 2),
    "tenths": lambda value: _grouped(value, 1),
    "amount": lambda value: _grouped(value, 0 if float(value).is_integer() else 2 if abs(value) < 10 else 1),
    "share": lambda value: f"{_grouped(100 * value, 1)}{_THIN}%",
    "points": lambda value: _signed(100 * value, 1),
    "signed": lambda value: _signed(value, 1),
    "times": lambda value: f"{value:.2f}×",
    "p": _p,
}
