"""What disagreeing candidates have taught, as rules bound to tables and columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sqlmend.memory._entry import bad_entry, check_fields, content_id, exact_fields, quoted

#: What a rule is about: what data means, how to compute, how to write a query; ``""`` for a free lesson.
RULE_TYPES = ("domain", "arithmetic", "syntax", "")


@dataclass(frozen=True)
class Rule:
    """One unit of what was learnt.

    Attributes:
        type: One of ``RULE_TYPES``.
        pattern: The mistaken form.
        condition: When it applies.
        correction: What to do instead; the whole lesson where the type is ``""``.
        anchors: What it is bound to, each ``table`` or ``table.column`` in the schema's spelling.

    Raises:
        InputError: A field has another type, or the type is unknown.
    """

    type: str
    pattern: str
    condition: str
    correction: str
    anchors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        texts = (self.type, self.pattern, self.condition, self.correction, *self.anchors)
        if not isinstance(self.anchors, tuple) or not all(isinstance(text, str) for text in texts):
            raise bad_entry("a rule's fields must be text, and its anchors a list of texts")
        if self.type not in RULE_TYPES:
            raise bad_entry(
                f"a rule's type must be domain, arithmetic, syntax or empty, got {quoted(self.type)}"
            )

    @classmethod
    def from_dict(cls, data: Any) -> Rule:
        """The reverse of ``asdict``, with anchors as any list.

        Raises:
            InputError: A field is missing, unknown or of another type.
        """
        values = exact_fields(cls, data, "rule")
        if not isinstance(values["anchors"], list | tuple):
            raise bad_entry(f"anchors must be a list, got {type(values['anchors']).__name__}")
        return cls(**{**values, "anchors": tuple(values["anchors"])})


@dataclass(frozen=True)
class RuleEntry:
    """A rule and where it comes from.

    Attributes:
        question_id: Id of the source question within its benchmark, as text.
        question: Text of the source question.
        db_id: Name of its database.
        schema_fingerprint: ``sha256:...`` of the schema that its anchors are of.
        origin: The contradictions that it was taken from, as ``kind/code`` parted by commas.
        rule: The rule.

    Raises:
        InputError: A field has another type.
    """

    question_id: str
    question: str
    db_id: str
    schema_fingerprint: str
    origin: str
    rule: Rule

    def __post_init__(self) -> None:
        check_fields(self, rule=Rule)

    @cached_property
    def id(self) -> str:
        """The hash of the content, see :func:`content_id`."""
        return content_id(self.to_dict())

    @property
    def kind(self) -> str:
        """The log that the entry belongs to."""
        return "rules"

    @property
    def failure_type(self) -> str:
        """What a recall's type policy looks at: the rule's type."""
        return self.rule.type

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        data = asdict(self)
        data["rule"]["anchors"] = list(self.rule.anchors)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RuleEntry:
        """The reverse of ``to_dict``: every field must be there, and no other.

        Raises:
            InputError: A field is missing, unknown or of another type.
        """
        values = exact_fields(cls, data, "entry")
        return cls(**{**values, "rule": Rule.from_dict(values["rule"])})
