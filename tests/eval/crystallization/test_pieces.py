"""The runs that a study is made of."""

from __future__ import annotations

from sqlmend.eval.crystallization._pieces import repair, serving
from sqlmend.eval.crystallization._plan import Plan


def test_an_answer_may_be_long_and_a_look_is_a_few_short_queries():
    plan = Plan((), (), (42,))
    limits = {"generate.max_tokens=2048", "probe.max_tokens=512", "retry.max_tokens=2048"}
    assert limits == set(repair(plan).overrides)
    assert limits <= set(serving(plan).overrides)
