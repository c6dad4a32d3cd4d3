"""What a comparison is asked to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from sqlmend.errors import InputError, unknown_name
from sqlmend.eval.comparison._contenders import SAME_GROUPS, Contender, SameGroup
from sqlmend.eval.comparison._pairs import Pair, check_pairs
from sqlmend.eval.comparison._streams import StreamId, streams_of

if TYPE_CHECKING:
    from sqlmend.eval._benchmark import Benchmark
    from sqlmend.models import LanguageModel
    from sqlmend.retrievers import Embedder

Unit = Literal["group", "question"]


@dataclass(frozen=True)
class ComparisonRequest:
    """What a comparison is asked to do.

    Attributes:
        contenders: The programs, see ``load_contenders``.
        benchmark: The benchmark with the selected questions.
        lm: The language model; its memo is what programs share their initial queries by.
        out: The comparison's folder.
        orders: Stream orders; every program runs once in each.
        same_groups: Whether questions recall what their twins left; both ways by default.
        pairs: Keys (``Contender.key``) of the programs that are held against each other; None: every pair.
        definition: Definition of execution accuracy; None: the benchmark's own.
        initial: Initial SQL by question id; None: the programs write it.
        embedder: Embeds queries and entries; needed where a program reads a memory or has demonstrations.
        demonstrations: Split that is declared as demonstrations, None: no references are shown.
        timeout_s: Seconds for each query.
        selection: How the questions were selected, for the record.
        unit: What the bootstrap draws: groups of twins, or questions.
        resamples: How often it draws.
        seed: Its seed.
        jobs: Streams that run at the same time.
        resume: Go on where a killed comparison stopped.

    Raises:
        InputError: A value is out of its range, or a pair is none.
    """

    contenders: Sequence[Contender]
    benchmark: Benchmark
    lm: LanguageModel
    out: Path
    orders: Sequence[int] = (0,)
    same_groups: Sequence[SameGroup] = SAME_GROUPS
    pairs: Sequence[Pair] | None = None
    definition: str | None = None
    initial: Mapping[str, str] | None = None
    embedder: Embedder | None = None
    demonstrations: Benchmark | None = None
    timeout_s: float = 30.0
    selection: Mapping[str, Any] = field(default_factory=dict)
    unit: Unit = "group"
    resamples: int = 10_000
    seed: int = 0
    jobs: int = 1
    resume: bool = False

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise InputError("bad_jobs", f"at least one stream runs at a time; got {self.jobs}")
        if self.resamples < 1:
            raise InputError("bad_resamples", f"a bootstrap draws at least once; got {self.resamples}")
        if not self.orders or min(self.orders) < 0 or len(set(self.orders)) < len(self.orders):
            raise InputError(
                "bad_orders", f"orders are different whole numbers from 0; got {list(self.orders)}"
            )
        if self.unit not in get_args(Unit):
            raise unknown_name("unit", self.unit, get_args(Unit))
        check_pairs(self.pairs or (), self.contenders)
        if self.embedder is None and self.embeds:
            raise ValueError("a program that reads a memory, and demonstrations, need an embedder")

    @property
    def embeds(self) -> bool:
        """Whether anything is embedded."""
        return self.demonstrations is not None or any(c.reads_memory for c in self.contenders)

    @cached_property
    def streams(self) -> tuple[StreamId, ...]:
        """Every stream of the comparison, in the order in which they are started."""
        return streams_of(self.contenders, self.same_groups, self.orders)

    @cached_property
    def chosen_pairs(self) -> tuple[Pair, ...]:
        """The pairs of keys, all of them where none are named."""
        if self.pairs is None:
            return tuple(combinations([contender.key for contender in self.contenders], 2))
        return tuple(self.pairs)
