"""Costs of answering and of memory construction, and the use of rules."""

from sqlmend.eval import rule_counters
from sqlmend.eval._apart import costs_apart


def step(name, calls, question="q1", **fields):
    costs = dict.fromkeys(("prompt_tokens", "output_tokens", "seconds_model", "seconds_answers"), 0)
    return {"step": name, "calls": calls, "attempt": 0, "question_id": question, **costs, **fields}


def test_construction_is_told_from_answering_by_question():
    steps = [
        step("generate_views", 3, prompt_tokens=30),
        step("reason_views", 3, prompt_tokens=50, seconds_model=0.5),
        step("extract_rules", 1),
        step("observe", 0, attempt=1),
        step("revise", 7, attempt=1),
        step("observe", 0, attempt=2, seconds_model=0.25),
        step("remember", 0, attempt=2, seconds_model=0.125),
        step("commit", 0, attempt=2),
        step("generate_views", 2, "q2"),
        step("reason_views", 5, "q2"),
    ]
    costs = costs_apart(steps)
    assert [costs[part]["calls"] for part in ("answering", "construction", "repair")] == [5, 9, 7]
    assert costs["construction"]["prompt_tokens"] == 50
    assert [costs[part]["seconds_model"] for part in ("construction", "repair")] == [0.625, 0.25]
    assert costs["by_question"]["q2"]["construction"]["calls"] == 5


def test_programs_that_do_not_learn_so_have_no_such_costs():
    assert costs_apart([step("generate", 1), step("revise", 1)]) == {}


def test_a_baseline_that_only_answers_has_the_parts_of_what_it_is_compared_with():
    costs = costs_apart([step("link_schema", 2), step("generate_views", 3), step("observe", 0, attempt=1)])
    assert [costs[part]["calls"] for part in ("answering", "construction", "repair")] == [5, 0, 0]
    assert costs["by_question"]["q1"]["answering"]["calls"] == 5


def test_counters_hold_only_what_the_run_could_see():
    def episode(rules, status, confidence):
        return {
            "reasoning": {
                "rules": rules,
                "candidates": [{"label": "c1", "status": status}],
                "selected": "c1",
                "confidence": confidence,
            }
        }

    counters = rule_counters(
        [episode(["a", "b"], "ok", 0.6), episode(["a"], "ok", 0.4), episode(["a"], "syntax_error", 0.0), {}]
    )
    assert counters == {
        "a": {"shown": 3, "executed": 2, "agreed": 1},
        "b": {"shown": 1, "executed": 1, "agreed": 1},
    }
