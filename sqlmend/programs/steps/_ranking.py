"""Settings that every recall has."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from sqlmend.errors import unknown_name
from sqlmend.modules import FAILURE_TYPES
from sqlmend.programs.steps._base import Settings


class RankStepSettings(Settings):
    """How a pool is cut and ranked; the fields are those of ``RankSettings``."""

    dense: float = Field(default=0.75, ge=0, le=1)
    lexical: float = Field(default=0.25, ge=0, le=1)
    ranking: Literal["hybrid", "random"] = "hybrid"
    type_policy: Literal["hard", "off", "reliability"] = "hard"
    min_same_type: int = Field(default=3, ge=1)
    reliable_types: tuple[str, ...] = ("syntax", "schema_linking", "execution")
    type_bonus: float = Field(default=0.10, ge=0, le=1)
    scope: Literal["any", "same_database", "other_databases"] = "any"
    same_group: Literal["allow", "exclude"] = "allow"

    @field_validator("reliable_types")
    @classmethod
    def _known_types(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        known = sorted(set(FAILURE_TYPES.values()))
        for name in value:
            if name not in known:
                raise ValueError(str(unknown_name("failure type", name, known)))
        return value
