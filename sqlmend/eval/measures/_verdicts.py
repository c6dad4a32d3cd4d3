"""What a difference says, in a sentence."""

from __future__ import annotations

from sqlmend.eval.statistics import LEVEL, POWER, Difference, least_p


def verdict(names: str, found: Difference, unit: str, *, p_holm: float | None = None, pairs: int = 1) -> str:
    """The sentence for a difference of execution accuracy.

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
        if p_holm is None or pairs < 2:
            return f"Separated. {numbers}, p = {found.p:.2g}."
        holds = "holds" if p_holm <= 1 - LEVEL else "does not hold"
        holm = f"it {holds} after Holm's correction over {pairs} pairs (p = {p_holm:.2g})"
        return f"Separated. {numbers}; {holm}."
    if not found.differing:
        return f"Not separated. {numbers}; on none of the {unit} do they differ."
    why = "the interval holds zero"
    if least_p(found.differing) > 1 - LEVEL:
        why = f"they differ on {found.differing} {unit}, too few to tell whichever way those go"
    if found.questions_needed is None:
        return f"Not separated. {numbers}; {why}."
    return (
        f"Not separated. {numbers}; {why}. About {found.questions_needed:,} questions like these would"
        f" separate such a difference with a chance of {POWER:.0%}."
    )


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"
