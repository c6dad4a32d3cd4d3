"""What a difference says: in a few words, which every table and picture repeats, and in a sentence."""

from __future__ import annotations

from sqlmend.eval.statistics import LEVEL, POWER, Difference, least_p


def holds(found: Difference, p_holm: float | None = None) -> bool:
    """Whether a difference is separated from zero, also after Holm's correction where one is due."""
    return found.separated and (p_holm is None or p_holm <= 1 - LEVEL)


def standing(found: Difference, unit: str, *, p_holm: float | None = None, pairs: int = 1) -> str:
    """Whether a difference is separated from zero, and if not why.

    Args:
        found: The difference.
        unit: What the units are, in the plural.
        p_holm: Holm's p, None where no correction is due.
        pairs: Over how many pairs it is taken.
    """
    if holds(found, p_holm):
        return "separated"
    if found.separated:
        return f"separated alone, not after Holm over {pairs} pairs"
    if found.differing and least_p(found.differing) > 1 - LEVEL:
        return f"not separated: too few {unit} differ ({found.differing})"
    if _leaves_zero_out(found):
        return f"not separated: p {found.p:.2g}, the interval alone leaves zero out"
    return "not separated"


def verdict(names: str, found: Difference, unit: str, *, p_holm: float | None = None, pairs: int = 1) -> str:
    """The sentence for a difference of execution accuracy; its first words are those of ``standing``.

    Args:
        names: The two, as ``first - second``.
        found: Their difference.
        unit: What the units are, in the plural.
        p_holm: Holm's p, None where no correction is due.
        pairs: Over how many pairs it is taken.
    """
    numbers = (
        f"{names}: {_points(found.value)} points of EX,"
        f" {LEVEL:.0%} interval {_points(found.low)} to {_points(found.high)}"
    )
    if found.separated:
        said = standing(found, unit, p_holm=p_holm, pairs=pairs)
        head = said[:1].upper() + said[1:]
        if p_holm is None or pairs < 2:
            return f"{head}. {numbers}, p = {found.p:.2g}."
        if not holds(found, p_holm):
            return f"{head}. {numbers}, p = {found.p:.2g}, {p_holm:.2g} after the correction."
        return f"{head}. {numbers}; it holds after Holm's correction over {pairs} pairs (p = {p_holm:.2g})."
    if not found.differing:
        return f"Not separated. {numbers}; on none of the {unit} do they differ."
    needed = ""
    if found.questions_needed is not None:
        needed = (
            f" About {found.questions_needed:,} questions like these would separate such a difference with a"
            f" chance of {POWER:.0%}."
        )
    return f"Not separated. {numbers}; {_why(found, unit)}.{needed}"


def _why(found: Difference, unit: str) -> str:
    if least_p(found.differing) > 1 - LEVEL:
        where = f"{found.differing} {unit}" if found.differing > 1 else f"one of the {unit}"
        return f"they differ on {where}, too few to tell whichever way those go"
    if _leaves_zero_out(found):
        return f"the interval leaves zero out, but these resamples give no p below {found.p:.2g}"
    return "the interval holds zero"


def _leaves_zero_out(found: Difference) -> bool:
    return found.low > 0 or found.high < 0


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"
