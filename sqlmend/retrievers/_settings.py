"""How to recall: the settings of a hybrid retriever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from sqlmend.errors import InputError, unknown_name
from sqlmend.memory._view import SameGroup, Scope
from sqlmend.retrievers._policies import TYPE_POLICIES
from sqlmend.retrievers._texts import QUERY_TEXTS

Ranking = Literal["hybrid", "random"]
Fusion = Literal["min_max", "rrf"]


@dataclass(frozen=True, kw_only=True)
class RankSettings:
    """How a legal pool is cut and ranked. The defaults are the published ones.

    Attributes:
        dense: Weight of the min-max normalised dense score, 0 to 1; 0 takes it out of ties as well.
        lexical: Weight of the min-max normalised BM25 score, 0 to 1, likewise; not both weights 0.
        fusion: How the two scores become comparable: ``min_max`` (the published way) or ``rrf``.
        fields: What of the query and of the entries is embedded and searched, a name of ``QUERY_TEXTS``.
        ranking: ``hybrid``, or ``random``: a draw from the selected pool, the control for ranking.
        type_policy: What the failure type does to the pool, a name of ``TYPE_POLICIES``.
        min_same_type: Entries of the current failure type from which a hard filter keeps to them.
        reliable_types: Failure types that ``reliability`` filters by.
        type_bonus: What ``reliability`` adds to the score where another type matches, 0 to 1.
        scope: ``any``, ``same_database`` or ``other_databases``.
        same_group: ``allow`` or ``exclude`` entries from paraphrase twins.

    Raises:
        InputError: A value is of another type or out of range.
    """

    dense: float = 0.75
    lexical: float = 0.25
    fields: str = "all"
    ranking: Ranking = "hybrid"
    fusion: Fusion = "min_max"
    type_policy: str = "hard"
    min_same_type: int = 3
    reliable_types: tuple[str, ...] = ("syntax", "schema_linking", "execution")
    type_bonus: float = 0.10
    scope: Scope = "any"
    same_group: SameGroup = "allow"

    def __post_init__(self) -> None:
        for name in ("dense", "lexical", "type_bonus"):
            _check_weight(name, getattr(self, name))
        if self.dense == self.lexical == 0:
            raise InputError("bad_setting", "dense and lexical are both 0: nothing would rank the memories")
        _check_count("min_same_type", self.min_same_type, 1)
        _check_names("reliable_types", self.reliable_types)
        object.__setattr__(self, "reliable_types", tuple(self.reliable_types))  # JSON knows lists alone
        _check_choice("choice of fields", self.fields, tuple(QUERY_TEXTS))
        _check_choice("ranking", self.ranking, get_args(Ranking))
        _check_choice("fusion", self.fusion, get_args(Fusion))
        _check_choice("type policy", self.type_policy, tuple(TYPE_POLICIES))
        _check_choice("scope", self.scope, get_args(Scope))
        _check_choice("same_group", self.same_group, get_args(SameGroup))


@dataclass(frozen=True, kw_only=True)
class RecallSettings(RankSettings):
    """How positives and negatives are recalled, each from the pool of its own.

    Attributes:
        top_k_positive: Most positives that are recalled; 0 turns them off.
        top_k_negative: Most negatives that are recalled; 0 turns them off.
    """

    top_k_positive: int = 3
    top_k_negative: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_count("top_k_positive", self.top_k_positive, 0)
        _check_count("top_k_negative", self.top_k_negative, 0)


@dataclass(frozen=True, kw_only=True)
class PoolSettings(RankSettings):
    """How one pool is recalled, whatever the kinds of its entries.

    Attributes:
        top_k: Most entries that are recalled; 0 turns them off.
    """

    top_k: int = 4
    type_policy: str = "off"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_count("top_k", self.top_k, 0)


def _check_weight(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InputError("bad_setting", f"{name} must be a number from 0 to 1, got {value!r}")


def _check_count(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError("bad_setting", f"{name} must be an integer of {least} or more, got {value!r}")


def _check_names(name: str, value: object) -> None:
    if not isinstance(value, tuple | list) or not all(isinstance(item, str) for item in value):
        raise InputError("bad_setting", f"{name} must be a list of names, got {value!r}")


def _check_choice(kind: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise unknown_name(kind, str(value), known)
