"""How to recall: the settings of a hybrid retriever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from sqlmend.errors import InputError, unknown_name
from sqlmend.memory._view import SameGroup, Scope
from sqlmend.retrievers._policies import TYPE_POLICIES


@dataclass(frozen=True)
class RecallSettings:
    """How the legal pool is cut, scored and truncated. The defaults are the published ones.

    Attributes:
        dense: Weight of the min-max normalised dense score, 0 to 1.
        lexical: Weight of the min-max normalised BM25 score, 0 to 1; not both weights 0.
        top_k_positive: Most positives that are recalled; 0 turns them off.
        top_k_negative: Most negatives that are recalled; 0 turns them off.
        type_policy: What the failure type does to the pool, a name of ``TYPE_POLICIES``.
        min_same_type: Entries of the current failure type from which ``hard`` keeps to them.
        scope: ``any``, ``same_database`` or ``other_databases``.
        same_group: ``allow`` or ``exclude`` entries from paraphrase twins.

    Raises:
        InputError: A value is of another type or out of range.
    """

    dense: float = 0.75
    lexical: float = 0.25
    top_k_positive: int = 3
    top_k_negative: int = 1
    type_policy: str = "hard"
    min_same_type: int = 3
    scope: Scope = "any"
    same_group: SameGroup = "allow"

    def __post_init__(self) -> None:
        for name in ("dense", "lexical"):
            _check_weight(name, getattr(self, name))
        if self.dense == self.lexical == 0:
            raise InputError("bad_setting", "dense and lexical are both 0: nothing would rank the memories")
        for name, least in (("top_k_positive", 0), ("top_k_negative", 0), ("min_same_type", 1)):
            _check_count(name, getattr(self, name), least)
        _check_choice("type policy", self.type_policy, tuple(TYPE_POLICIES))
        _check_choice("scope", self.scope, get_args(Scope))
        _check_choice("same_group", self.same_group, get_args(SameGroup))


def _check_weight(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InputError("bad_setting", f"{name} must be a number from 0 to 1, got {value!r}")


def _check_count(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError("bad_setting", f"{name} must be an integer of {least} or more, got {value!r}")


def _check_choice(kind: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise unknown_name(kind, str(value), known)
