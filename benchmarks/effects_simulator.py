"""A simulator of outcome tables with planted effects: no model, no question, chances alone.

A question's chance of being right is that of its group without memory plus what each effect adds, so that the
mean difference of two conditions is the planted effect itself. Chances stay within 0 and 1 by construction.
An effect that is there differs between databases, one that is zero is zero in each of them. Twins, seeds and
conditions share part of their luck, as the answers of one model do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sqlmend.eval.crystallization._contrast import Outcomes, SideBySide

SEEDS = (42, 7, 13)
#: Groups of twins of each of the databases, and how many questions a group has.
GROUPS = (18, 22, 24, 26, 28, 30, 32, 34, 36, 40, 45)
GROUP_SIZES = (1, 1, 1, 2)
#: An effect that is there, and how far that of a database may lie from it.
EFFECT, SPREAD = 0.06, 0.03
#: Chance that twins, and that the seeds and conditions of one question, share their luck.
TWINS_SHARE, QUESTION_SHARES = 0.5, 0.7

#: Effect to the two conditions that it lies between.
CONTRASTS: Mapping[str, tuple[str, str]] = {
    "database content": ("permuted", "none"),
    "pairing": ("aligned", "permuted"),
    "gate": ("aligned", "vote"),
    "k": ("k10", "aligned"),
}
#: Condition to what each effect adds in it. Nothing is sampled without memory.
CONDITIONS: Mapping[str, Mapping[str, int]] = {
    "none": {},
    "permuted": {"database content": 1},
    "aligned": {"database content": 1, "pairing": 1},
    "vote": {"database content": 1, "pairing": 1, "gate": -1},
    "k10": {"database content": 1, "pairing": 1, "k": 1},
}


@dataclass
class Found:
    """How often an effect's interval held it, and how often it was told from zero."""

    covered: int = 0
    separated: int = 0


def world(pattern: str) -> dict[str, float]:
    """Effects that are there (1) and that are zero (0), in the order of ``CONTRASTS``."""
    return {name: EFFECT * int(there) for name, there in zip(CONTRASTS, pattern, strict=True)}


def simulate(effects: Mapping[str, float], generator: np.random.Generator) -> dict[str, Outcomes]:
    """A table of outcomes for each condition."""
    group = np.repeat(np.arange(sum(GROUPS)), generator.choice(GROUP_SIZES, sum(GROUPS)))
    database = np.repeat(np.arange(len(GROUPS)), GROUPS)[group]
    base = generator.uniform(0.3, 0.5, len(GROUPS))[database]
    base += generator.uniform(-0.1, 0.1, sum(GROUPS))[group]
    added = {
        name: (mean + generator.uniform(-SPREAD, SPREAD, len(GROUPS)) * bool(mean))[database]
        for name, mean in effects.items()
    }
    common = generator.random(sum(GROUPS))[group]
    luck = np.where(generator.random(len(group)) < TWINS_SHARE, common, generator.random(len(group)))
    where = tuple(f"q{n}" for n in range(len(group))), tuple(f"d{n}" for n in database), tuple(group.tolist())
    tables = {}
    for condition, adds in CONDITIONS.items():
        seeds = SEEDS if adds else None
        own = generator.random((len(group), len(seeds or [0])))
        latent = np.where(generator.random(own.shape) < QUESTION_SHARES, luck[:, np.newaxis], own)
        chance = base + sum(sign * added[name] for name, sign in adds.items())
        assert 0 <= chance.min() <= chance.max() <= 1
        tables[condition] = Outcomes(*where, seeds, latent < chance[:, np.newaxis])
    return tables


def repeat(effects: Mapping[str, float], *, repeats: int, resamples: int, seed: int) -> dict[str, Found]:
    """Worlds of the same effects through the contrasts that are reported."""
    found = {name: Found() for name in CONTRASTS}
    places = list(CONDITIONS)
    for number in range(repeats):
        table = SideBySide(list(simulate(effects, np.random.default_rng([seed, number])).values()))
        levels = table.levels(resamples, number)
        for name, sides in CONTRASTS.items():
            said = table.contrast(levels, *map(places.index, sides))
            found[name].covered += said.low <= effects[name] <= said.high
            found[name].separated += said.separated
    return found
