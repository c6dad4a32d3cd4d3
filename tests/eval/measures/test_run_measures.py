"""The measures of one run, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.errors import SqlmendError
from sqlmend.eval.measures import catalogue, episode_figures, over_orders, run_measures
from tests.eval.measures.comparisons import ALSO_WRONG, BROKEN, RIGHT, WRONG, episode, questions, steps


def measured(*attempts, budget=3, errors=()):
    records = [
        episode(question, *sqls, position=n, error="timeout" if n in errors else None)
        for n, (question, sqls) in enumerate(zip(questions(*range(len(attempts))), attempts, strict=True))
    ]
    return run_measures(episode_figures(records, [s for r in records for s in steps(r)]), budget)


COUNTED = ("calls", "prompt_tokens", "output_tokens", "tokens", "seconds_model", "seconds_outside")
HAND = [
    (RIGHT,),  # right at once
    (WRONG, RIGHT),  # repaired in one step
    (BROKEN, WRONG, WRONG, ALSO_WRONG),  # budget spent, one repeat
    (WRONG, WRONG),  # given up early, one repeat: counts the budget of 3
]


def test_measures_by_hand():
    found = measured(*HAND)
    expected = {
        "n": 4,
        "errors": 0,
        "ex_before": 1 / 4,
        "ex_after": 2 / 4,
        "failed_initially": 3,
        "repaired": 1,
        "repair_rate": 1 / 3,
        "revisions": 5,
        "repair_steps": (1 + 3 + 3) / 3,
        "repeats": 2,
        "oscillation": 2 / 5,
        "calls": 9,
        "prompt_tokens": 900,
        "output_tokens": 90,
        "tokens": 990,
        "tokens_per_question": 990 / 4,
        "calls_repair": 5,
        "prompt_tokens_repair": 500,
        "output_tokens_repair": 50,
        "tokens_repair": 550,
        "cached_tokens": 200,
        "calls_paid": 4,
        "cut_off": 0,
        "seconds_model": 18.0,  # what the answers took when they were paid for
        "seconds_outside": 9 * (0.5 + 0.25),
        "calls_answering": 4,
        "prompt_tokens_answering": 400,
        "output_tokens_answering": 40,
        "tokens_answering": 440,
        "seconds_model_answering": 8.0,
        "seconds_outside_answering": 4 * (0.5 + 0.25),
        **dict.fromkeys([f"{name}_construction" for name in COUNTED], 0),
        "seconds_model_repair": 10.0,
        "seconds_outside_repair": 5 * (0.5 + 0.25),
    }
    assert found == pytest.approx(expected)
    assert list(found) == list(expected) == [measure["key"] for measure in catalogue()]


def test_a_repeat_is_told_by_its_canonical_text():
    assert measured((WRONG, RIGHT))["repeats"] == 0
    record = episode(questions(0)[0], WRONG, WRONG)
    record["attempts"][1]["sql"] = "select  ID\nfrom T -- again"
    assert run_measures(episode_figures([record], steps(record)), 2)["repeats"] == 1
    record["attempts"][1]["sql"] = "select 'ID' from T"
    assert run_measures(episode_figures([record], steps(record)), 2)["repeats"] == 0


def test_what_is_a_share_of_nothing_is_none():
    found = measured((RIGHT,), (RIGHT,))
    assert found["repair_rate"] is found["repair_steps"] is found["oscillation"] is None
    assert found["ex_after"] == 1


def test_an_episode_that_could_not_be_finished_counts_as_wrong():
    found = measured((WRONG, RIGHT), (RIGHT,), (), errors={0, 2})
    assert (found["errors"], found["ex_after"], found["repaired"]) == (2, 1 / 3, 0)
    assert found["failed_initially"] == 2
    assert found["repair_steps"] == 3


def test_steps_of_a_killed_episode_count_once():
    record = episode(questions(0)[0], WRONG, RIGHT)
    twice = [*steps(record)[:2], *steps(record)]
    assert run_measures(episode_figures([record], twice), 2) == run_measures(
        episode_figures([record], steps(record)), 2
    )


def test_answers_that_were_cut_off_count_once():
    record = episode(questions(0)[0], WRONG, RIGHT)
    killed, log = steps(record)[:2], steps(record)
    for step in (killed[0], log[0], log[2]):
        step["cut_off"] = 1
    assert run_measures(episode_figures([record], [*killed, *log]), 2)["cut_off"] == 2


def test_what_a_failed_call_cost_is_kept():
    record = episode(questions(0)[0], WRONG, error="timeout") | {"calls": 3, "prompt_tokens": 500}
    found = run_measures(episode_figures([record], steps(record)), 2)
    assert (found["calls"], found["prompt_tokens"], found["calls_repair"]) == (3, 500, 2)


def test_what_a_killed_attempt_at_an_episode_went_beyond_is_not_of_it():
    killed, again = episode(questions(0)[0], WRONG, WRONG, BROKEN), episode(questions(0)[0], RIGHT)
    found = run_measures(episode_figures([again], [*steps(killed), *steps(again)]), 2)
    assert found == run_measures(episode_figures([again], steps(again)), 2)
    assert (found["calls_repair"], found["seconds_model_repair"], found["cached_tokens"]) == (0, 0, 0)


@pytest.mark.parametrize("attempts", [(RIGHT,), (WRONG, RIGHT)])
def test_what_a_failed_step_of_learning_cost_is_construction(attempts):
    record = episode(questions(0)[0], *attempts)
    repair = len(attempts) - 1
    lost = {"calls": record["calls"] + 2, "prompt_tokens": record["prompt_tokens"] + 200}
    found = run_measures(episode_figures([record | lost | {"unlearnt": "ValueError"}], steps(record)), 2)
    parts = [found[f"calls_{part}"] for part in ("answering", "construction", "repair")]
    assert parts == [1, 2, repair]
    assert found["prompt_tokens_construction"] == 200


def log(*names, calls=1):
    """The last of these steps was not finished: it is in the episode's sums alone."""
    record = episode(questions(0)[0], error="timeout") | {"calls": len(names), "prompt_tokens": 0}
    cost = {"calls": calls, "prompt_tokens": 0, "output_tokens": 10, "cached_tokens": 0, "paid": []}
    seconds = {"cut_off": 0, "seconds": 0.5, "seconds_model": 0, "seconds_answers": 0}
    base = {"position": 0, "question_id": "q0", "attempt": 0, **cost, **seconds}
    return run_measures(episode_figures([record], [{**base, "step": name} for name in names[:-1]]), 2)


def test_all_steps_that_answer_are_answering_and_those_that_learn_construction():
    answering = ("link_schema", "recall_rules", "generate_views", "select")
    found = log(*answering, "reason_views", "extract_rules", "filter_rules")
    assert [found[f"calls_{part}"] for part in ("answering", "construction", "repair")] == [4, 3, 0]
    assert found["seconds_outside_construction"] == 1.0
    assert log(*answering)["calls_answering"] == 4


def test_a_step_log_of_an_earlier_version_is_refused():
    record = episode(questions(0)[0], WRONG)
    old = [{k: v for k, v in step.items() if k != "prompt_tokens"} for step in steps(record)]
    with pytest.raises(SqlmendError, match="prompt_tokens"):
        episode_figures([record], old)


@pytest.mark.parametrize(
    ("changes", "failure_type"),
    [
        ({}, "result_mismatch"),
        ({"failure_type": None}, "result_mismatch"),  # it broke off before it was classified
        ({"failure_type": None, "status": "unknown_column"}, "schema_linking"),
        ({"failure_type": None, "status": "reference_failed"}, "undecidable"),
    ],
)
def test_the_failure_type_is_that_of_the_initial_query(changes, failure_type):
    record = episode(questions(0)[0], WRONG, BROKEN)
    record["attempts"][0] |= changes
    assert episode_figures([record], steps(record))[0].failure_type == failure_type


def test_without_a_query_nothing_was_run():
    record = episode(questions(0)[0], error="context_overflow")
    assert episode_figures([record], [])[0].failure_type == "not_run"
    record = episode(questions(0)[0], RIGHT)
    assert episode_figures([record], steps(record))[0].failure_type is None


def test_mean_and_sample_deviation_over_orders():
    mean, deviation = over_orders([{"a": 1.0, "b": None, "c": None}, {"a": 2.0, "b": 4.0, "c": None}])
    assert mean == {"a": 1.5, "b": 4.0, "c": None}
    assert deviation == {"a": pytest.approx(0.5**0.5), "b": None, "c": None}
    assert over_orders([{"a": 1.0}])[1] == {"a": None}


attempts = st.lists(st.sampled_from([WRONG, ALSO_WRONG, BROKEN]), min_size=0, max_size=4)


@given(st.lists(st.tuples(attempts, st.booleans()), min_size=1, max_size=8))
def test_measures_keep_within_what_they_count(episodes):
    found = measured(*[(*sqls, RIGHT) if right else tuple(sqls) for sqls, right in episodes], budget=4)
    assert 0 <= found["ex_before"] <= found["ex_after"] <= 1
    assert found["n"] * (found["ex_after"] - found["ex_before"]) == pytest.approx(found["repaired"])
    assert found["repaired"] <= found["failed_initially"] <= found["n"]
    assert found["repeats"] <= found["revisions"]
    for name in COUNTED:
        parts = sum(found[f"{name}_{part}"] for part in ("answering", "construction", "repair"))
        assert parts == pytest.approx(found[name])
    assert found["repair_steps"] is None or 1 <= found["repair_steps"] <= 4


def test_oscillation_says_that_it_is_of_the_queries_that_were_run():
    meanings = {measure["key"]: measure["definition"] for measure in catalogue()}
    assert "of the queries that were run" in meanings["oscillation"]
    assert "stops at a repetition has none by construction" in meanings["oscillation"]


def test_the_catalogue_says_what_each_measure_means():
    for measure in catalogue():
        assert set(measure) == {"key", "name", "unit", "better", "definition"}
        assert measure["better"] in ("higher", "lower", None)
        assert measure["definition"].endswith(".")
