"""The crystallization ratio: how much of what repair could gain, stored repairs gain at once."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmend.eval.crystallization._contrast import MARGIN, RESAMPLES, Contrast, Outcomes, SideBySide
from sqlmend.eval.statistics import Ratio, ratio


@dataclass(frozen=True)
class Worth:
    """A gain, the headroom that it is held against, and the ratio of both, all from the same draws.

    Attributes:
        gain: With memory minus without.
        headroom: After repair without memory minus the first attempt without memory.
        ratio: Gain over headroom; undefined where the headroom cannot be told from zero.
    """

    gain: Contrast
    headroom: Contrast
    ratio: Ratio


def crystallization_ratio(
    memory: Outcomes,
    without: Outcomes,
    repaired: Outcomes,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    margin: float = MARGIN,
) -> Worth:
    """What memory gains on held-out questions, as a share of what repairing them would.

    Args:
        memory: First attempts with memory.
        without: First attempts without.
        repaired: Last attempts of repair without memory, of the same questions.
        resamples: How often databases and groups are drawn.
        seed: Equal seeds give equal results, in whichever order the questions stand.
        margin: What a difference must reach to matter.

    Raises:
        InputError: The three were never asked the same question under the same seed.
        ValueError: They put a question into different databases or groups.
    """
    table = SideBySide([memory, without, repaired])
    levels = table.levels(resamples, seed)
    return Worth(
        table.contrast(levels, 0, 1, margin=margin),
        table.contrast(levels, 2, 1, margin=margin),
        ratio(levels[0] - levels[1], levels[2] - levels[1]),
    )
