"""The page of a study."""

import pytest

from sqlmend.optimize import write_tuning_report
from sqlmend.optimize._result import words


def trial(number, ex, *, state="complete", tokens=100.0, **settings):
    return {
        "number": number,
        "folder": f"trials/{number}",
        "state": state,
        "asked": 40 if state == "complete" else 10,
        "settings": {"recall.dense": 0.75, "recall.scope": "any", **settings},
        "changed": settings,
        "ex": ex,
        "tokens_per_question": tokens,
        "calls": 50,
        "calls_paid": 20,
        "seconds": 1.0,
    }


def result(**changes):
    first, best = trial(0, 0.5), trial(3, 0.6, **{"recall.dense": 0.5})
    history = [
        first,
        trial(1, 0.4, state="pruned", **{"recall.dense": 0.25}),
        trial(2, 0.55, **{"recall.scope": "<script>alert(1)</script>"}),
        best,
    ]
    document = {
        "format": 1,
        "program": "merit",
        "study": {
            "name": "merit-0123",
            "storage": "sqlite:///study.db",
            "objectives": ["ex"],
            "space": {"recall.dense": [0.25, 0.5, 0.75], "recall.scope": ["any", "same_database"]},
            "combinations": 6,
            "programs": 6,
            "sampler": "distinct-tpe/1",
            "seed": 0,
        },
        "provenance": {
            "definition": "bag",
            "lm": {"name": "m"},
            "data_hash": "sha256:0",
            "embedder": "hash64",
            "holdout": {"benchmark": "mini", "data_hash": "sha256:1", "selection": {"sample": "20"}},
        },
        "trials": {"asked": 4, "complete": 3, "pruned": 1, "fail": 0, "again": 0},
        "defaults": first,
        "best": best,
        "front": [],
        "train": {
            "benchmark": "mini",
            "questions": 40,
            "groups": 30,
            "orders": [0],
            "ex_defaults": 0.5,
            "ex_best": 0.6,
            "difference": 0.1,
        },
        "holdout": {
            "benchmark": "mini",
            "questions": 20,
            "groups": 18,
            "ex_defaults": 0.5,
            "ex_best": 0.55,
            "tokens_defaults": 110.0,
            "tokens_best": 95.5,
            "difference": 0.05,
            "low": -0.02,
            "high": 0.11,
            "differing": 7,
            "separated": False,
            "questions_needed": 140,
            "looks": 1,
        },
        "selection_bias": 0.05,
        "calls": 200,
        "calls_paid": 80,
        "seconds_streams": 10.0,
        "seconds_tuner": 0.1,
        "importance": {"recall.dense": 0.8, "recall.scope": 0.2},
        "history": history,
        **changes,
    }
    return {**document, "words": words(document)}


def test_the_words_say_what_the_figures_are_worth():
    lines = " ".join(result()["words"])
    for said in (
        "best of 4 trials",
        "not separated",
        "+5.0 points",
        "-2.0 to +11.0",
        "Selection bias",
        "140",
    ):
        assert said in lines
    best = result()["holdout"] | {"separated": True, "low": 0.01, "questions_needed": None}
    assert "not separated" not in " ".join(result(holdout=best)["words"])
    worse = result()["holdout"] | {"separated": True, "low": -0.2, "high": -0.01, "difference": -0.1}
    assert "worse: do not use it" in " ".join(result(holdout=worse)["words"])
    assert "do not use" not in lines
    other = result()["holdout"] | {"benchmark": "spider:dev"}
    assert "differs between mini and spider:dev" in " ".join(result(holdout=other)["words"])
    few = result()["holdout"] | {"low": 0.01, "differing": 4}
    assert "only 4 groups differ" in " ".join(result(holdout=few)["words"])
    assert "less held out" not in lines
    again = result()["holdout"] | {"looks": 3}
    assert "3 times" in " ".join(result(holdout=again)["words"])
    same = result(best=trial(0, 0.5))
    assert "None of 4 trials beat" in same["words"][0]
    assert "Nothing was held out" in result(holdout=None, selection_bias=None)["words"][-1]


@pytest.fixture
def html(tmp_path):
    pytest.importorskip("vl_convert", reason="needs the report extra")

    def write(document):
        files = write_tuning_report(tmp_path, document)
        assert [file.name for file in files] == ["report.md", "report.html"]
        return files[1].read_text("utf-8")

    return write


def test_the_page_has_every_part_and_runs_nothing_of_it(html):
    page = html(result())
    for part in ("What was found", "History", "Importance", "Slices", "recall.dense with recall.scope"):
        assert part in page
    assert "<svg" in page
    assert "<script>alert" not in page
    assert "Pareto" not in page


def test_a_front_is_shown(html):
    front = [trial(3, 0.6, tokens=120.0), trial(1, 0.5, tokens=80.0)]
    study = result()["study"] | {"objectives": ["ex", "tokens"]}
    document = result(front=front, study=study)
    page = html(document)
    assert "Pareto front" in page
    assert "tokens, best" in page
    lines = " ".join(document["words"])
    assert "only training figures" in lines
    assert "110 tokens as it is, 96 with" in lines


def test_a_space_that_was_tried_to_its_end_is_told():
    study = result()["study"] | {"programs": 4}
    assert "All 4 different programs" in " ".join(result(study=study)["words"])
    assert "different programs" not in " ".join(result()["words"])
    doubled = [trial(0, 0.5), trial(1, 0.5), trial(2, 0.6, **{"recall.dense": 0.5}), trial(3, 0.5)]
    assert "different programs" not in " ".join(result(study=study, history=doubled)["words"])


def test_what_settings_do_together_is_named(html):
    page = html(result(importance={"recall.dense": 0.3, "recall.scope": 0.1}))
    assert "interactions 60%" in page


def test_a_study_without_differences_and_holdout_has_a_page(html):
    page = html(result(importance={}, holdout=None, selection_bias=None, best=trial(0, 0.5)))
    assert "do not differ" in page
