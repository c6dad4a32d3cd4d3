"""Settings that every recall has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator

from sqlmend.errors import unknown_name
from sqlmend.modules import FAILURE_TYPES
from sqlmend.programs.steps._base import Settings
from sqlmend.programs.steps._tunable import Tunable

TypePolicyName = Annotated[
    Literal["hard", "off", "reliability"], Tunable(choices=("hard", "off", "reliability"))
]

ScopeName = Annotated[
    Literal["any", "same_database", "other_databases"],
    Tunable(choices=("any", "same_database", "other_databases")),
]

#: Whether twins are hidden is a way of measuring: a search would only find that they help.
SameGroupName = Annotated[Literal["allow", "exclude"], Tunable(choices=("allow", "exclude"), asked=True)]

#: The published list.
RELIABLE_TYPES = ("syntax", "schema_linking", "execution")

#: That one, the two types whose names alone say what is wrong, and none: the soft policy.
_RELIABLE: tuple[tuple[str, ...], ...] = (
    RELIABLE_TYPES,
    ("syntax", "schema_linking"),
    (),
)

#: What a random ranking does not look at.
_RANKED = {"ranking": ("hybrid",)}

DenseWeight = Annotated[
    float, Field(ge=0, le=1), Tunable(low=0.0, high=1.0, step=0.05, rest="lexical", when=_RANKED)
]


class RankStepSettings(Settings):
    """How a pool is cut and ranked; the fields are those of ``RankSettings``."""

    idle: ClassVar[Mapping[str, tuple[Any, ...]]] = {"top_k": (0,)}

    dense: DenseWeight = 0.75
    lexical: float = Field(default=0.25, ge=0, le=1)
    fields: Annotated[
        Literal["all", "question", "failure", "no_schema"],
        Tunable(choices=("all", "question", "failure", "no_schema"), when=_RANKED),
    ] = "all"
    ranking: Literal["hybrid", "random"] = "hybrid"
    fusion: Annotated[Literal["min_max", "rrf"], Tunable(choices=("min_max", "rrf"), when=_RANKED)] = (
        "min_max"
    )
    type_policy: TypePolicyName = "hard"
    min_same_type: Annotated[
        int,
        Tunable(
            low=1,
            high=6,
            step=1,
            when={"type_policy": ("hard", "reliability")},
            unless={"type_policy": ("reliability",), "reliable_types": ((),)},
        ),
    ] = Field(default=3, ge=1)
    reliable_types: Annotated[
        tuple[str, ...], Tunable(choices=_RELIABLE, when={"type_policy": ("reliability",)})
    ] = RELIABLE_TYPES
    type_bonus: Annotated[
        float, Tunable(low=0.0, high=0.3, step=0.05, when={"type_policy": ("reliability",), **_RANKED})
    ] = Field(default=0.10, ge=0, le=1)
    scope: ScopeName = "any"
    same_group: SameGroupName = "allow"

    @field_validator("reliable_types")
    @classmethod
    def _known_types(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        known = sorted(set(FAILURE_TYPES.values()))
        for name in value:
            if name not in known:
                raise ValueError(str(unknown_name("failure type", name, known)))
        return value
