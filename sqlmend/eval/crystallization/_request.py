"""What a crystallization study is asked to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend.errors import InputError
from sqlmend.eval.crystallization._design import Design
from sqlmend.eval.crystallization._plan import Plan

if TYPE_CHECKING:
    from sqlmend.eval._benchmark import Benchmark
    from sqlmend.models import LanguageModel
    from sqlmend.retrievers import Embedder

#: The published paired seeds.
SEEDS = (42, 7, 13)
#: The largest that steps which draw take.
LARGEST_SEED = 1_000_000


@dataclass(frozen=True)
class CrystallizationRequest:
    """What a study is asked to do.

    Attributes:
        benchmark: The benchmark with the selected questions.
        lm: The language model: it answers, looks, tries again, and writes capsules; greedily, but for what
            a step draws.
        out: The study's folder.
        embedder: Embeds questions and cards.
        designs: What is measured, see ``parse_vary``; the default design is always among them.
        seeds: Paired seeds of what is sampled.
        definition: Definition of execution accuracy; None: the benchmark's own.
        timeout_s: Seconds for each query.
        selection: How the questions were selected, for the record.
        resamples: How often the bootstrap draws.
        seed: Its seed.
        margin: Of the test of equivalence, a share of EX.
        jobs: Runs that go on at the same time.
        resume: Go on where a killed study stopped.

    Raises:
        InputError: A value is out of its range, the questions cannot be split, or a design cannot be
            measured on them.
    """

    benchmark: Benchmark
    lm: LanguageModel
    out: Path
    embedder: Embedder
    designs: Sequence[Design] = ()
    seeds: Sequence[int] = SEEDS
    definition: str | None = None
    timeout_s: float = 30.0
    selection: Mapping[str, Any] = field(default_factory=dict)
    resamples: int = 10_000
    seed: int = 0
    margin: float = 0.025
    jobs: int = 1
    resume: bool = False

    def __post_init__(self) -> None:
        known = all(0 <= seed <= LARGEST_SEED for seed in self.seeds)
        if not self.seeds or not known or len(set(self.seeds)) < len(self.seeds):
            raise InputError(
                "bad_seeds",
                f"seeds are different whole numbers from 0 to {LARGEST_SEED:,}; got {list(self.seeds)}",
            )
        if self.jobs < 1:
            raise InputError("bad_jobs", f"at least one run goes on at a time; got {self.jobs}")
        if self.resamples < 1:
            raise InputError("bad_resamples", f"a bootstrap draws at least once; got {self.resamples}")
        if not 0 < self.margin < 1:
            raise InputError("bad_margin", f"a margin lies between 0 and 1; got {self.margin}")
        if len(self.plan.db_ids) < 2 and any(design.scope == "foreign" for design in self.plan.designs):
            raise InputError(
                "bad_design",
                "scope foreign shows cards of other databases, and all questions are of"
                f" {self.plan.db_ids[0]}",
                hint="choose questions of several databases, or leave the axis scope out",
            )

    @cached_property
    def plan(self) -> Plan:
        """The questions on their sides, the designs and the seeds."""
        return Plan.of(self.benchmark, self.designs, self.seeds)
