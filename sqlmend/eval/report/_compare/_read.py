"""Reading a comparison's results document: its rows by name, and how they are called in the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from statistics import fmean
from typing import Any

from sqlmend.eval._orders import orders_said

Row = Mapping[str, Any]
ALLOW, EXCLUDE = "allow", "exclude"
_ALONE = ", twins excluded"
#: Part of a cost, as keys of measures end, to what it is called.
PARTS = {"answering": "answering", "construction": "memory construction", "repair": "repair"}


class Results:
    """The content of ``results.json``, looked up.

    Args:
        document: As :func:`sqlmend.eval.measures.results` returns it.

    Attributes:
        document: The document.
        keys: Keys of the programs, in the order asked for.
        reference: The program that is in most pairs, the first of them, None where there are no pairs.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.provenance: Row = document["provenance"]
        programs = self.provenance["programs"]
        named = Counter(program["name"] for program in programs)
        # Two files may give the same name: then the keys, which are folders, tell them apart.
        self._names = {p["key"]: p["name"] if named[p["name"]] == 1 else p["key"] for p in programs}
        self.keys: list[str] = list(self._names)
        self._rows: dict[tuple[str, str | None], Row] = {
            (row["program"], row["same_group"]): row for row in document["programs"]
        }
        self._pairs: dict[tuple[str, str, str | None], Row] = {
            (row["a"], row["b"], row["same_group"]): row for row in document["pairs"]
        }
        self._trees: dict[tuple[str, str | None, int, str], int] = {
            (row["program"], row["same_group"], row["order"], row["question_id"]): number
            for number, row in enumerate(document["trees"])
        }
        counted = Counter(key for pair in document["pairs"] for key in {pair["a"], pair["b"]})
        self.reference: str | None = max(self.keys, key=lambda key: counted[key]) if counted else None

    def name(self, key: str, way: str | None = None) -> str:
        """How a program is called; without twins it says so."""
        return f"{self._names.get(key, key)}{_ALONE if way == EXCLUDE else ''}"

    def label(self, key: str) -> str:
        """How the main mark of a program is called in a picture: without twins where others have them."""
        row = self.row(key)
        return self.name(key, row["same_group"] if row is not None and self.is_split else None)

    def row_name(self, row: Row) -> str:
        """How a program's row is called: without twins it says so, and its orders where rows differ."""
        return self.name(row["program"], row["same_group"]) + self.over(row)

    def pair_name(self, pair: Row) -> str:
        """How a pair is called."""
        return f"{self.name(pair['a'])} − {self.name(pair['b'], pair['same_group'])}{self.over(pair)}"

    def over(self, row: Row) -> str:
        """The orders of a row in brackets, where the programs' rows differ in theirs."""
        return f" ({orders_said(row['orders'])})" if self.differ and row["orders"] else ""

    @cached_property
    def _finished(self) -> list[list[int]]:
        """The orders that each program asked for has finished, under each group rule."""
        begun: dict[Any, list[int]] = {
            (run["program"], run["same_group"]): [] for run in self.document["missing"]
        }
        return list((begun | {key: row["orders"] for key, row in self._rows.items()}).values())

    @cached_property
    def differ(self) -> bool:
        """Whether the programs have finished different orders, so that their rows cannot be ranked."""
        return len(set(map(tuple, self._finished))) > 1

    @cached_property
    def common(self) -> list[int]:
        """The orders that all programs have finished, under all group rules asked for."""
        return [order for order in self.provenance["orders"] if all(order in own for own in self._finished)]

    def in_common(self, row: Row, measure: str) -> float:
        """Mean of a measure of a program over the orders that all have finished."""
        if not self.differ:
            return float(row["mean"][measure])
        return fmean(
            run[measure]
            for run in self.document["runs"]
            if (run["program"], run["same_group"]) == (row["program"], row["same_group"])
            and run["order"] in self.common
        )

    @property
    def is_split(self) -> bool:
        """Whether there are figures both with and without twins."""
        return {ALLOW, EXCLUDE} <= {way for _, way in self._rows}

    @property
    def is_excluded(self) -> bool:
        """Whether those of programs that recall are all without twins."""
        ways = {way for _, way in self._rows}
        return EXCLUDE in ways and ALLOW not in ways

    @property
    def rows(self) -> list[Row]:
        """A row for each program that has any, of one way: with twins where there are such figures."""
        found = [row for row in map(self.row, self.keys) if row is not None]
        return [row for row in found if not (self.is_split and row["same_group"] == EXCLUDE)]

    def row(self, program: str, way: str | None = None) -> Row | None:
        """A program's row; without ``way`` the one that stands for it: allow, no memory, exclude."""
        if way is not None:
            return self._rows.get((program, way))
        return next(
            (self._rows[program, w] for w in (ALLOW, None, EXCLUDE) if (program, w) in self._rows), None
        )

    def second(self, program: str) -> Row | None:
        """The row without twins of a program that has another one."""
        main, other = self.row(program), self.row(program, EXCLUDE)
        return None if main is other else other

    def tree(self, program: str, way: str | None, order: int, question: str) -> int | None:
        """Number of the tree of a question in a program's run; one without memory is the same either way."""
        found = (self._trees.get((program, rule, order, question)) for rule in (way, None))
        return next((number for number in found if number is not None), None)

    def against_reference(self, program: str, *, second: bool = False) -> Row | None:
        """A program's pair with the reference, the program first; ``second`` is the one without twins."""
        reference = self.reference or ""
        ways = (EXCLUDE,) if second else (ALLOW, None) if self.is_split else (ALLOW, None, EXCLUDE)
        for way in ways:
            if pair := self._pairs.get((program, reference, way)):
                return pair
            if pair := self._pairs.get((reference, program, way)):
                return _turned(pair)
        return None


def _turned(pair: Row) -> Row:
    """The pair with its programs exchanged, as far as the report's first table needs it."""
    ex = pair["ex"]
    turned = ex and {**ex, "difference": -ex["difference"], "low": -ex["high"], "high": -ex["low"]}
    return {**pair, "a": pair["b"], "b": pair["a"], "ex": turned}


def percent(share: float) -> str:
    """A share in words."""
    return f"{100 * share:.1f} %"
