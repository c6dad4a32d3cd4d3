"""Rules that are bound to a schema: extracted from contradictions, filtered, recalled."""

from sqlmend.modules.rules._anchors import anchored, resolve_anchor
from sqlmend.modules.rules._check import Judged, check_rules

__all__ = ["Judged", "anchored", "check_rules", "resolve_anchor"]
