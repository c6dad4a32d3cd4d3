"""A design of the protocol: which cards, and how they are used; two designs differ by their settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from sqlmend.errors import InputError, unknown_name
from sqlmend.eval.crystallization._admission import parse_admission
from sqlmend.modules.cards import FORMATS

_NO_FILE_NAME = re.compile(r"[^A-Za-z0-9_.-]")


@cache
def axes() -> Mapping[str, Any]:
    """The default design, the axes and the primary comparisons, as ``axes.yaml`` holds them."""
    text = files("sqlmend.eval.crystallization").joinpath("axes.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


@dataclass(frozen=True)
class Design:
    """One design (the design table of a crystallization protocol: what is kept, and how it is used).

    Attributes:
        source: Where corrections come from, a key of ``sources`` in ``axes.yaml``.
        admission: Who lets one into the bank: ``verified``, ``vote`` or ``noisy:P``.
        format: What a card says, a name of ``FORMATS``.
        k: Cards that a prompt shows at most.
        scope: ``own_database`` or ``foreign``.
        retriever: How cards are found, a key of ``retrievers``.
        pairing: ``aligned``, or ``permuted``: a card carries what belongs to another question.
        content: ``whole``, or ``lesson_only``: no card shows SQL.
        fraction: Share of the bank that is there, above 0 and at most 1.
        matched: Whether the bank is cut to as many cards of each database as every source of the study has.

    Raises:
        InputError: A value is unknown or out of its range.
    """

    source: str
    admission: str
    format: str
    k: int
    scope: str
    retriever: str
    pairing: str
    content: str
    fraction: float
    matched: bool

    def __post_init__(self) -> None:
        for name, known in (
            ("source", axes()["sources"]),
            ("scope", axes()["scopes"]),
            ("retriever", axes()["retrievers"]),
            ("pairing", ("aligned", "permuted")),
            ("content", ("whole", "lesson_only")),
            ("format", FORMATS),
        ):
            if getattr(self, name) not in known:
                raise unknown_name(name, str(getattr(self, name)), known)
        if self.admission.partition(":")[0] in ("assertions", "confirmed"):
            raise InputError(
                "bad_admission",
                f"the protocol admits by verified, vote or noisy:P; got {self.admission!r}",
                hint="assertions and a person's yes are for `sqlmend cards build`",
            )
        parse_admission(self.admission)
        if self.first_try is not None and not self.matched:
            raise InputError(
                "bad_design", "draws of correct first answers differ only where they are matched; set matched"
            )
        if self.admission == "vote" and self.source != "self_vote":
            raise InputError("bad_design", f"admission by vote needs the source self_vote; got {self.source}")
        if not isinstance(self.k, int) or isinstance(self.k, bool) or not 1 <= self.k <= 100:
            raise InputError("bad_design", f"k must be a whole number from 1 to 100; got {self.k!r}")
        if not isinstance(self.fraction, int | float) or not 0 < self.fraction <= 1:
            raise InputError("bad_design", f"fraction must be above 0 and at most 1; got {self.fraction!r}")

    @property
    def changes(self) -> dict[str, Any]:
        """What differs from the default design."""
        default = axes()["default"]
        return {
            f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != default[f.name]
        }

    @property
    def key(self) -> str:
        """Its name as a folder's name: ``default``, or what differs, ``k-10``."""
        parts = (name if value is True else f"{name}-{value}" for name, value in self.changes.items())
        return _NO_FILE_NAME.sub("-", "_".join(parts)) or "default"

    @property
    def label(self) -> str:
        """Its name for people."""
        return ", ".join(_said(name, value) for name, value in self.changes.items()) or "default design"

    @property
    def first_try(self) -> str | None:
        """Which draw of correct first answers the cards are from; None: they are corrections."""
        name, _, draw = self.source.partition(":")
        return draw if name == "first_try" else None

    @property
    def card_key(self) -> str:
        """What a card is found by."""
        return "payload" if self.retriever == "payload_key" else "question"

    @property
    def acquisition_sampled(self) -> bool:
        """Whether the seed has a say in how corrections come about."""
        return "seeded" in axes()["sources"][self.source]

    @property
    def bank_sampled(self) -> bool:
        """Whether the seed has a say in the bank."""
        return (
            self.acquisition_sampled
            or self.matched
            or self.first_try is not None
            or parse_admission(self.admission).kind == "noisy"
            or self.scope == "foreign"
            or self.pairing == "permuted"
            or self.fraction < 1
        )

    @property
    def sampled(self) -> bool:
        """Whether the seed has a say in anything; if not, seeds coincide and one run stands for all."""
        return self.bank_sampled or self.retriever == "random"

    @property
    def of_corrections(self) -> bool:
        """Whether questions can be asked again that this bank holds a correction of, their own.

        Foreign banks hold none; in permuted ones it lies under another question, where nothing would hide it;
        and correct first answers are of questions that need none.
        """
        return self.scope != "foreign" and self.pairing == "aligned" and self.first_try is None

    @property
    def base(self) -> Design:
        """The design that this one is held against: it differs in one thing that this one varies.

        Itself where there is none: the default, and a source at as many cards as it happens to have, which is
        there for its vote to be held against.
        """
        if self.fraction < 1:
            return replace(self, fraction=1)
        if self.content != "whole":
            return replace(self, content="whole")
        if self.pairing != "aligned":
            return replace(self, pairing="aligned")
        if self.admission == "vote":
            return replace(self, admission="verified")
        if self.source != axes()["default"]["source"] and not self.matched:
            return self
        return default_design(matched=self.matched)

    @property
    def bank(self) -> Design:
        """The design with what is only about use set back: designs with an equal one share a bank."""
        default = Design(**axes()["default"])
        retriever = self.retriever if self.card_key == "payload" else default.retriever
        return replace(self, k=default.k, retriever=retriever)


def default_design(**changes: Any) -> Design:
    """The default design with some settings changed.

    Raises:
        InputError: A setting is unknown, or its value.
    """
    for name in changes:
        if name not in axes()["default"]:
            raise unknown_name("setting of a design", name, axes()["default"])
    return Design(**{**axes()["default"], **changes})


def parse_vary(texts: Iterable[str]) -> tuple[Design, ...]:
    """The designs that an option asks for, the default first and each after what it is held against.

    Args:
        texts: Each either names of axes with commas between (all their values), or ``AXIS=VALUE,VALUE``.

    Raises:
        InputError: An axis or a value is unknown.
    """
    designs: dict[Design, None] = {default_design(): None}
    for text in texts:
        axis, is_chosen, values = text.partition("=")
        if is_chosen:
            asked = [_chosen(axis.strip(), value.strip()) for value in values.split(",")]
        else:
            asked = [d for name in filter(None, map(str.strip, text.split(","))) for d in _swept(name)]
        for design in asked:
            designs.update(dict.fromkeys((design.base.base, design.base, design)))
    return tuple(designs)


def axis_with(designs: Iterable[Design]) -> str | None:
    """The first axis whose sweep measures all these designs; None where the default is all of them."""
    wanted = set(designs) - {default_design()}
    return next((axis for axis in axes()["axes"] if wanted and wanted <= set(parse_vary([axis]))), None)


def _axis(name: str) -> Mapping[str, Any]:
    if "," in name:
        raise InputError(
            "unknown_axis", f"unknown axis {name!r}", hint="give AXIS=VALUES in a --vary of its own"
        )
    if name not in axes()["axes"]:
        raise unknown_name("axis", name, axes()["axes"])
    found: Mapping[str, Any] = axes()["axes"][name]
    return found


def _swept(axis: str) -> Iterator[Design]:
    """All values of an axis, and where it is crossed with another, all pairs."""
    about = _axis(axis)
    for value in about["values"]:
        yield _value(axis, value)
    for other, crossed in about.get("crossed", {}).items():
        for value in about["values"]:
            for second in crossed:
                yield default_design(**{axis: value, other: second})


def _value(axis: str, value: Any) -> Design:
    return default_design(**(value if isinstance(value, Mapping) else {axis: value}))


def _chosen(axis: str, text: str) -> Design:
    """One value of an axis by its name; those that ``axes.yaml`` does not list may still be valid."""
    for value in _axis(axis)["values"]:
        shown = value[axis] if isinstance(value, Mapping) else value
        if str(shown) == text:
            return _value(axis, value)
    return default_design(**{axis: _typed(text, axes()["default"][axis])})


def _typed(text: str, like: Any) -> Any:
    if isinstance(like, str):
        return text
    try:
        return int(text) if text.lstrip("-").isdecimal() else float(text)
    except ValueError:
        raise InputError("bad_design", f"a number was expected; got {text!r}") from None


def _said(name: str, value: Any) -> str:
    if name == "matched":
        return "matched cards"
    name = name.replace("_", " ")
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
