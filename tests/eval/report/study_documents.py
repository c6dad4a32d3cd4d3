"""Results documents of studies for tests: made by code from outcomes that are written down here."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache

from sqlmend.eval.crystallization import default_design
from sqlmend.eval.crystallization._contrast import Outcomes, contrast, level
from sqlmend.eval.crystallization._design import axes, axis_with
from sqlmend.eval.crystallization._results import _plain
from sqlmend.eval.crystallization._worth import crystallization_ratio
from sqlmend.eval.report import render_html, study_page
from tests.eval.report.documents import attack

DRAWS = {"resamples": 60, "seed": 0}
DATABASES = ("clinic", "shop", "zoo")
EACH = 8  # questions of each database
SETTINGS = tuple(axes()["settings"])

#: Every which question each design gets right: 2 is every other one.
STRIDES = {
    default_design(): 2,
    default_design(matched=True): 3,
    default_design(source="resample", matched=True): 4,
    default_design(source="self_vote"): 3,
    default_design(source="self_vote", admission="vote"): 5,
    default_design(k=10): 2,
    default_design(k=1): 3,
    default_design(fraction=0.5): 3,
    default_design(fraction=0.5, k=1): 4,
    default_design(pairing="permuted"): 6,
}


def outcomes(stride):
    """Of every ``stride`` questions one is right; 0: none."""
    count = len(DATABASES) * EACH
    return Outcomes(
        tuple(f"q{n:02}" for n in range(count)),
        tuple(DATABASES[n // EACH] for n in range(count)),
        tuple(range(count)),
        None,
        [[float(bool(stride) and n % stride == 0)] for n in range(count)],
    )


@cache
def _document(headroom):
    without = outcomes(7)
    contrasts = {
        design: asdict(contrast(outcomes(stride), without, **DRAWS)) for design, stride in STRIDES.items()
    }
    return _plain(
        {
            "title": "What stored corrections are worth: made up",
            "complete": True,
            "missing": [],
            "provenance": _PROVENANCE,
            "split": [_SPLIT | {"db_id": db_id} for db_id in DATABASES],
            "sources": [_SOURCE],
            "banks": [
                _BANK,
                *(
                    _BANK
                    | {"design": "noisy", "label": "noisy", "seed": s, "admitted": 4 + s, "cards": 4 + s}
                    for s in (0, 2)
                ),
            ],
            "collected": 4,
            "settings": [
                {"key": key, "title": about["title"], "summary": about["summary"]}
                for key, about in axes()["settings"].items()
            ],
            "designs": [
                {"key": d.key, "label": d.label, "values": asdict(d), "changes": d.changes} for d in STRIDES
            ],
            "levels": [
                _level(design, setting, stride, contrasts[design], without)
                for design, stride in STRIDES.items()
                for setting in SETTINGS
            ],
            "primary": _primary(contrasts),
            "exploratory": list(_exploratory()),
            "floor": {"by_construction": False, "ex": 0.25, "questions": 8},
            "ratio": asdict(crystallization_ratio(outcomes(2), without, outcomes(headroom), **DRAWS)),
            "serving": _SERVING,
            "amortisation": {
                "build": {"calls": 100, "tokens": 90_000},
                "saved": {"calls": 0.5, "tokens": -20.0},
                "break_even": {"calls": 200.0, "tokens": None},
            },
            "notes": ["A question that could not be evaluated counts as wrong."],
        }
    )


def _level(design, setting, stride, gain, without):
    return {
        "design": design.key,
        "label": design.label,
        "setting": setting,
        "seeds_coincide": not design.sampled,
        "ex": asdict(level(outcomes(stride), **DRAWS)),
        "without": asdict(level(without, **DRAWS)),
        "gain": gain,
        "fixed": 6.0,
        "broken": 2.5,
        "cards_shown": 2.5,
        "cards_left_out": 0.5,
        "stably_fixed": 5,
        "stably_broken": 1,
    }


def _primary(contrasts):
    rows = []
    for named in axes()["primary"]:
        first = default_design(**named["first"])
        second = None if named["second"] is None else default_design(**named["second"])
        found = (
            contrasts[first]
            if second is None
            else asdict(contrast(outcomes(STRIDES[first]), outcomes(STRIDES[second]), **DRAWS))
        )
        label = "no memory" if second is None else second.label
        designs = [design for design in (first, second) if design is not None]
        about = {"name": named["name"], "question": named["question"]}
        about |= {"vary": axis_with(designs), "measured": True}
        rows.append({**about, "first": first.label, "second": label, "contrast": found})
    return rows


def _exploratory():
    for design, stride in STRIDES.items():
        base = default_design()
        if design.matched:
            base = default_design(matched=True)
        if design.source == "self_vote":
            base = default_design(source="self_vote")
        if design != base:
            found = asdict(contrast(outcomes(stride), outcomes(STRIDES[base]), **DRAWS))
            about = {"first": design.label, "second": base.label, "design": design.key, "contrast": found}
            yield from ({"setting": setting, **about} for setting in SETTINGS)


def document():
    """A finished study of ten designs."""
    return dict(_document(headroom=1))


def without_headroom():
    """One in which repair gains nothing."""
    return dict(_document(headroom=7))


def hostile():
    """The same with an attack in every text that is not one of the schema's own words."""
    known = document()
    kept = {name: name for name in (*SETTINGS, "default", "matched")}  # the last names a setting too
    keys = {row["key"]: f"{row['key']}<b>" for row in known["designs"] if row["key"] not in kept}
    return attack(known, {**keys, **kept})


def unfinished():
    """A study that has only begun."""
    known = document()
    known |= {key: [] for key in ("sources", "banks", "levels", "exploratory")}
    known["primary"] = [row | {"contrast": None} for row in known["primary"]]
    nothing = {"fixed": 0, "resolved_of_fixed": None, "with_comparable": 0}
    nothing |= {"resolved_of_those": None, "resolved_of_comparable": None}
    known["serving"] = {
        "rounds": [{"round": 0, "without": None, "with": None}],
        "changes": None,
        "resolved": nothing,
    }
    known |= {"ratio": None, "amortisation": None, "complete": False, "collected": None}
    known["floor"] = {"by_construction": False, "ex": None, "questions": 0}
    known["missing"] = [{"path": f"use/replay/k-{n}/all", "done": n, "of": 9} for n in range(7)]
    return known


def empty():
    """One that collected no correction."""
    known = document() | {"ratio": None, "collected": 0}
    kept = [row for row in known["levels"] if row["setting"] == "transfer" and row["design"] == "default"]
    known["levels"] = [{k: v for k, v in row.items() if "fixed" not in k} | {"gain": None} for row in kept]
    known["floor"] = {"by_construction": False, "ex": None, "questions": 0}
    known["serving"] = known["serving"] | {"changes": None}
    known["primary"] = [row | {"contrast": None} for row in known["primary"]]
    known["exploratory"] = []
    return known


@cache
def html(make):
    """The page of `make()`, rendered once."""
    return render_html(study_page(make()))


_PROVENANCE = {
    "benchmark": {
        "data_hash": "sha256:0123456789abcdef",
        "left_out": {"no_reference": ["q99"]},
        "name": "made",
    },
    "selection": {"databases": list(DATABASES), "limit": None, "sample": None},
    "definition": "bag",
    "regime": "the oracle ends episodes and sets polarity",
    "timeout_s": 30.0,
    "lm": {"name": "no-model", "temperature": 0.0},
    "embedder": "hash64",
    "prompts": {"generate": "generate/2"},
    "versions": {"sqlmend": "0.1.0", "python": "3.11"},
    "seeds": [42, 7],
    "resamples": 60,
    "seed": 0,
    "margin": 0.025,
}
_SPLIT = {
    "collection_questions": 20,
    "collection_wrong_at_first": 9,
    "held_out_questions": EACH,
    "held_out_wrong_at_first": 5,
    "cards": 4,
}
_SOURCE = {
    "path": "acquire/probe/all",
    "preset": "probe",
    "questions": 60,
    "wrong_at_first": 27,
    "right_at_last": 12,
    "further_attempts": 60,
    "same_query_again": 9,
    "calls": 160,
    "tokens": 150_000,
    "cut_off": 3,
}
_BANK = {
    "design": "default",
    "label": "default design",
    "seed": None,
    "for": "",
    "candidates": 8,
    "would_pass": 4,
    "admitted": 4,
    "audited_correct": 4,
    "calls": 0,
    "prompt_tokens": 0,
    "output_tokens": 0,
    "cards": 4,
    "by_database": {"clinic": 3, "shop": 1},
}
_SERVING = {
    "rounds": [
        {
            "round": n,
            "without": {"ex": 0.3 + 0.1 * n, "calls": 1.0 + n, "tokens": 800.0 * (n + 1)},
            "with": {"ex": 0.4 + 0.1 * n, "calls": 1.0 + 0.9 * n, "tokens": 900.0 * (n + 1)},
        }
        for n in range(3)
    ],
    "changes": {
        "fixed": 6.0,
        "broken": 2.5,
        "stably_fixed": 2,
        "stably_broken": 1,
        "fixed_ids": ["q02", "q04"],
        "broken_ids": ["q07"],
    },
    "resolved": {
        "fixed": 2,
        "resolved_of_fixed": 0.5,
        "with_comparable": 2,
        "resolved_of_those": 0.5,
        "resolved_of_comparable": 0.25,
    },
}
