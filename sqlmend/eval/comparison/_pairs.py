"""Which programs are held against each other."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend.errors import InputError, unknown_name
from sqlmend.eval.comparison._contenders import Contender

Pair = tuple[str, str]


def parse_pairs(text: str, contenders: Sequence[Contender]) -> tuple[Pair, ...]:
    """The pairs of keys that ``text`` names.

    Args:
        text: ``a:b,c:d``, each side a program's name or the name of its folder. Names of ablations hold a
            colon themselves, so a pair is cut where both sides are programs of the comparison.
        contenders: The programs of the comparison.

    Raises:
        InputError: A side is no program of the comparison, both are the same, or the cut is ambiguous.
    """
    keys = {name: contender.key for contender in contenders for name in (contender.name, contender.key)}
    pairs = tuple(_pair(part.strip(), keys) for part in text.split(",") if part.strip())
    if not pairs:
        raise InputError("bad_pairs", f"--pairs names no pair: {text!r}", hint="--pairs merit:iterative")
    check_pairs(pairs, contenders)
    return pairs


def check_pairs(pairs: Sequence[Sequence[str]], contenders: Sequence[Contender]) -> None:
    """Refuse pairs of keys that cannot be held against each other.

    Raises:
        InputError: One is no pair, names no program of the comparison or one twice, or stands there twice.
    """
    keys = [contender.key for contender in contenders]
    for place, pair in enumerate(pairs):
        if isinstance(pair, str) or len(pair) != 2:
            raise InputError("bad_pairs", f"a pair is two programs of the comparison; got {pair!r}")
        one, other = pair
        for side in pair:
            if side not in keys:
                raise unknown_name("program of the comparison", side, keys)
        if one == other:
            raise InputError("bad_pairs", f"the pair {one}, {other} holds a program against itself")
        if {one, other} in map(set, pairs[:place]):
            raise InputError("bad_pairs", f"the pair {one}, {other} is there twice")


def _pair(text: str, keys: dict[str, str]) -> Pair:
    words = text.split(":")
    cuts = [(":".join(words[:n]), ":".join(words[n:])) for n in range(1, len(words))]
    found = {(keys[one], keys[other]) for one, other in cuts if one in keys and other in keys}
    if len(found) > 1:
        raise InputError(
            "bad_pairs",
            f"the pair {text!r} can be read in {len(found)} ways",
            hint=f"name folders, which have no colon: {', '.join(sorted(set(keys.values())))}",
        )
    if not found:
        if len(cuts) == 1:
            raise unknown_name("program of the comparison", next(w for w in words if w not in keys), keys)
        raise InputError(
            "bad_pairs",
            f"{text!r} is no pair of programs of the comparison",
            hint=f"two of {', '.join(sorted(keys))} with a colon between",
        )
    (pair,) = found
    return pair
