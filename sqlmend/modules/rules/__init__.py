"""Rules that are bound to a schema, judged without a language model."""

from sqlmend.modules.rules._anchors import anchor_text, anchored, resolve_anchor
from sqlmend.modules.rules._check import Judged, check_rules

__all__ = ["Judged", "anchor_text", "anchored", "check_rules", "resolve_anchor"]
