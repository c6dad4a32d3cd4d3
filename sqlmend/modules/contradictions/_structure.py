"""Structure findings: candidates whose results differ, and what in their queries differs with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from sqlmend.modules.contradictions._finding import Anchor, Finding, some_anchors
from sqlmend.modules.contradictions._profile import FEATURES, Profile
from sqlmend.modules.tree import Candidate, Result

_MOST_CODES = 2
#: What a difference explains away: a nested query in place of a join changes joins and conditions too.
_IMPLIED = {
    "null_list": frozenset(FEATURES),
    "division": frozenset(FEATURES),
    "aggregate": frozenset(("argument", "select", "nesting", "order")),
    "argument": frozenset(("select",)),
    "set_operation": frozenset(("distinct", "condition", "nesting", "join")),
    "nesting": frozenset(("join", "condition", "distinct", "group", "select")),
    "group": frozenset(("select",)),
}


def structure_findings(candidates: Sequence[Candidate], profiles: Mapping[str, Profile]) -> list[Finding]:
    """One finding for each feature in which candidates of different results differ.

    Two results are compared through the two candidates that differ least. An integer division that others
    do not have is reported even where the results agree: it agrees by the luck of the data.

    Args:
        candidates: Candidates that ran.
        profiles: The features of their queries, by label.
    """
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.result is not None and candidate.label in profiles:
            groups.setdefault(candidate.result.signature, []).append(candidate)
    involved: dict[str, set[str]] = {}
    for one, other in combinations(groups.values(), 2):
        pairs = [(a, b) for a in one for b in other]
        nearest = min(pairs, key=lambda pair: (len(_differing(pair, profiles)), pair[0].label, pair[1].label))
        for code in _causes(nearest, profiles):
            labels = [
                c.label for c in (*one, *other) if profiles[c.label][code] in _sides(nearest, code, profiles)
            ]
            involved.setdefault(code, set()).update(labels)
    differ = dict.fromkeys(involved, True)
    if (
        "division" not in involved
        and len({profiles[c.label]["division"] for g in groups.values() for c in g}) > 1
    ):
        involved["division"] = {c.label for group in groups.values() for c in group}
        differ["division"] = False
    return [
        Finding(
            "structure",
            code,
            _text(code, involved[code], profiles),
            tuple(sorted(involved[code])),
            _anchors(code, [profiles[label] for label in sorted(involved[code])]),
            results_differ=differ[code],
        )
        for code in FEATURES
        if code in involved
    ]


def _differing(pair: tuple[Candidate, Candidate], profiles: Mapping[str, Profile]) -> list[str]:
    one, other = (profiles[candidate.label] for candidate in pair)
    return [code for code in FEATURES if one[code] != other[code]]


def _sides(
    pair: tuple[Candidate, Candidate], code: str, profiles: Mapping[str, Profile]
) -> list[tuple[str, ...]]:
    return [profiles[candidate.label][code] for candidate in pair]


def _causes(pair: tuple[Candidate, Candidate], profiles: Mapping[str, Profile]) -> list[str]:
    """The differences that tell most, at most two."""
    differing = _differing(pair, profiles)
    if _repeats(pair[0].result, pair[1].result):
        for code in ("set_operation", "nesting", "distinct", "join", "group"):
            if code in differing:
                return [code]
    causes: list[str] = []
    implied: set[str] = set()
    for code in differing:
        if code not in implied:
            causes.append(code)
            implied |= _IMPLIED.get(code, frozenset())
    return causes[:_MOST_CODES]


def _repeats(one: Result | None, other: Result | None) -> bool:
    """Whether two results hold the same rows, in different numbers."""
    return one is not None and other is not None and bool(one.rows) and set(one.rows) == set(other.rows)


def _anchors(code: str, profiles: Sequence[Profile]) -> tuple[Anchor, ...]:
    """What the parts read that not all of the profiles have."""
    shared = set.intersection(*(set(profile[code]) for profile in profiles))
    found = [
        anchor
        for profile in profiles
        for text in profile[code]
        if text not in shared
        for anchor in profile.anchors[code, text]
    ]
    return some_anchors(found, {t.name: t for profile in profiles for t in profile.tables}.values())


def _text(code: str, labels: set[str], profiles: Mapping[str, Profile]) -> str:
    sides: dict[tuple[str, ...], list[str]] = {}
    for label in sorted(labels):
        sides.setdefault(profiles[label][code], []).append(label)
    shown = "; ".join(
        f"{', '.join(members)}: {', '.join(texts) or 'none'}"
        for texts, members in sorted(sides.items(), key=lambda s: s[1])
    )
    return f"{FEATURES[code]} differ: {shown}"
