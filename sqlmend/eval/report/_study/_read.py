"""Reading a study's results document: its rows by name, and how its figures are said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmend.eval.report._cells import Estimate

Row = Mapping[str, Any]

DEFAULT = "default"
TRANSFER = "transfer"


@dataclass(frozen=True)
class Axis:
    """What a sweep varies.

    Attributes:
        name: The setting, or the settings, of a design.
        designs: The designs that vary it, in the order asked for.
    """

    name: str
    designs: tuple[Row, ...]


class Study:
    """The content of a study's ``results.json``, looked up.

    Args:
        document: As :func:`sqlmend.eval.crystallization.study_results` returns it.

    Attributes:
        document: The document.
        about: Its provenance.
        settings: Key of each setting to its title.
        designs: Key of each design to its row.
    """

    def __init__(self, document: Row) -> None:
        self.document = document
        self.about: Row = document["provenance"]
        self.settings: dict[str, str] = {row["key"]: row["title"] for row in document["settings"]}
        self.designs: dict[str, Row] = {row["key"]: row for row in document["designs"]}
        self._levels = {(row["design"], row["setting"]): row for row in document["levels"]}
        self._against = {(row["design"], row["setting"]): row for row in document["exploratory"]}

    def level(self, design: str, setting: str) -> Row | None:
        """What a design came to in a setting; None where it is not measured."""
        return self._levels.get((design, setting))

    def against(self, design: str, setting: str) -> Row | None:
        """A design against the one that it varies; None where one of the two is not measured."""
        return self._against.get((design, setting))

    def is_primary(self, row: Row) -> bool:
        """Whether an exploratory row says again, perhaps the other way round, what was named in advance."""
        pairs = [{named["first"], named["second"]} for named in self.document["primary"]]
        return row["setting"] == TRANSFER and {row["first"], row["second"]} in pairs

    @property
    def is_empty(self) -> bool:
        """Whether the default design's bank is built and holds no card."""
        return bool(self.document["collected"] == 0)

    @property
    def held_against(self) -> str:
        """What answers with cards are held against, in words."""
        said = "the first answer to the same question without memory"
        if self.document["floor"]["by_construction"]:
            return said
        return f"{said}; in replay and retention against the floor, which is asked anew"

    @property
    def measured(self) -> list[str]:
        """Settings in which something is measured, in their order."""
        found = {setting for _, setting in self._levels}
        return [key for key in self.settings if key in found]

    @property
    def axes(self) -> list[Axis]:
        """The sweeps, each with the designs that belong to it; the default is in none."""
        found: dict[str, list[Row]] = {}
        for design in self.designs.values():
            for name in _axes_of(design["changes"]):
                found.setdefault(name, []).append(design)
        return [Axis(name, tuple(designs)) for name, designs in found.items()]

    def label(self, design: str, axis: str) -> str:
        """How a design is called in a sweep; the default by the value that is varied."""
        row = self.designs[design]
        if design != DEFAULT or axis not in row["values"]:
            return str(row["label"])
        return f"{axis.replace('_', ' ')} {row['values'][axis]}, the default"

    @property
    def origin(self) -> str:
        """Definition, data and seed of every figure, in words."""
        about = self.about
        return (
            f"Definition {about['definition']}, data {about['benchmark']['data_hash'][:19]}, "
            f"seed of the bootstrap {about['seed']}."
        )

    @property
    def margin(self) -> str:
        """What a difference must reach to matter, in words."""
        return f"{100 * self.about['margin']:g} points"


def _axes_of(changes: Row) -> Iterator[str]:
    """The sweep that a design belongs to: what it changes says so, the settings that go with it do not.

    Shares of the bank are crossed with k, sources are compared at matched cards, and what admits is compared
    on the source that has something to admit.
    """
    names = set(changes)
    if not names:
        return
    if "fraction" in names:
        yield "fraction"
    elif "matched" in names:
        yield "source"
    elif "admission" in names or names == {"source"}:
        yield "admission"
    else:
        yield ", ".join(name for name in changes)


def estimate(row: Row | None) -> Estimate | None:
    """A level or a contrast as a cell."""
    return None if row is None or row["value"] is None else Estimate(row["value"], row["low"], row["high"])


def yes(value: bool | None) -> str | None:
    """A yes or a no as a cell."""
    return None if value is None else "yes" if value else "no"


def percent(share: float) -> str:
    """A share in words."""
    return f"{100 * share:.1f} %"


def points(share: float) -> str:
    """A difference of shares in words."""
    rounded = round(100 * share, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def interval(row: Row) -> str:
    """A difference with its interval and p in words."""
    low, high = points(row["low"]), points(row["high"])
    p = "p < 0.001" if row["p"] < 0.001 else f"p {row['p']:.3f}"
    return f"{points(row['value'])} points, 95 % interval {low} to {high}, {p}"
