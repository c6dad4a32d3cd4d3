"""Token sets as columns of bits, so that the overlap of one set with thousands is a few operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

#: So many sets are in one block: their bits make an integer of one kilobyte.
BLOCK = 8192


class Counts:
    """How many tokens each set of a block shares with a query, as binary digits over all sets.

    Args:
        digits: Bit i of digit d is binary digit d of the count of set i.
        sizes: For each number of tokens the sets that have so many.
    """

    def __init__(self, digits: list[int], sizes: dict[int, int]) -> None:
        self._digits = digits
        self._sizes = sizes
        self._with: dict[int, int] = {}

    def places(self, pairs: Iterable[tuple[int, int]]) -> Iterator[int]:
        """Places of the sets for which (size, count) is one of these pairs, the latest first."""
        found = 0
        for size, count in pairs:
            if sets := self._sizes.get(size):
                found |= sets & self._counted(count)
        while found:
            place = found.bit_length() - 1
            yield place
            found ^= 1 << place

    def _counted(self, count: int) -> int:
        """The sets that share exactly so many tokens."""
        known = self._with.get(count)
        if known is None:
            known = (1 << BLOCK) - 1
            for number, digit in enumerate(self._digits):
                known &= digit if count >> number & 1 else ~digit
            self._with[count] = known = 0 if count >> len(self._digits) else known
        return known


class Block:
    """At most ``BLOCK`` token sets, transposed: for each token the sets that hold it, as bits."""

    def __init__(self) -> None:
        self._holding: dict[str, int] = {}
        self._sizes: dict[int, int] = {}
        self._length = 0

    def add(self, tokens: frozenset[str]) -> None:
        """Take in one set at the next place."""
        bit = 1 << self._length
        for token in tokens:
            self._holding[token] = self._holding.get(token, 0) | bit
        self._sizes[len(tokens)] = self._sizes.get(len(tokens), 0) | bit
        self._length += 1

    def count(self, tokens: frozenset[str], least: int) -> Counts | None:
        """The overlaps of all sets with ``tokens``; None where it shows early that none shares ``least``.

        The rarest tokens are counted first: a set that lacks too many of these is out, and soon all are.
        """
        columns = [column for token in tokens if (column := self._holding.get(token))]
        missable = len(columns) - least
        columns.sort(key=int.bit_count)
        digits: list[int] = []
        for counted, column in enumerate(columns):
            if counted > missable and len(digits) < (counted - missable).bit_length():
                return None  # no set has the counted - missable tokens that it needs by now
            carry = column  # added to all counts at once, digit by digit
            for number, digit in enumerate(digits):
                digits[number] = digit ^ carry
                carry &= digit
                if not carry:
                    break
            if carry:
                digits.append(carry)
        return Counts(digits, self._sizes) if missable >= 0 else None
