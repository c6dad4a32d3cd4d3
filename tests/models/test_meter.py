"""Calls are counted once, memo hits as what they would have cost, and paid ones by who paid."""

from __future__ import annotations

from pathlib import Path

from sqlmend.models import Memo, meter, paying
from sqlmend.testing import scripted_lm


def test_every_call_is_paid_without_a_memo():
    lm = scripted_lm(str.upper)
    with meter() as usage:
        assert lm("select one") == ["SELECT ONE"]
        lm("select one")
    assert (usage.calls, usage.calls_paid) == (2, 2)
    assert usage.prompt_tokens == 2 * usage.records[0].prompt_tokens > 0
    assert usage.waited >= usage.seconds >= 0


def test_answers_that_end_at_their_limit_are_counted_from_the_memo_too(tmp_path: Path):
    lm = scripted_lm(str.upper, memo=Memo(tmp_path), max_tokens=2)
    with meter() as usage:
        assert lm("five words, and no more") == lm("five words, and no more") != ["FIVE WORDS, AND NO MORE"]
        lm("one")
    assert (usage.calls, usage.cut_off) == (3, 2)


def test_meters_nest_and_end():
    lm = scripted_lm(str.upper)
    with meter() as outer:
        lm("a")
        with meter() as inner:
            lm("b")
    lm("c")
    assert (outer.calls, inner.calls) == (2, 1)


def test_a_hit_costs_what_it_would_have_cost_but_is_not_paid(tmp_path: Path):
    lm = scripted_lm(str.upper, memo=Memo(tmp_path))
    with meter() as first:
        lm("a question")
    with meter() as second:
        lm("a question")
    assert (first.calls_paid, second.calls_paid) == (1, 0)
    assert second.prompt_tokens == first.prompt_tokens
    assert second.output_tokens == first.output_tokens
    assert second.seconds == 0


def test_another_run_that_finds_the_answer_does_not_pay(tmp_path: Path):
    lm = scripted_lm(str.upper, memo=Memo(tmp_path))
    with paying("one"):
        lm("a")
    with paying("two"), meter() as usage:
        lm("a")
        lm("b")
    assert (usage.calls, usage.calls_paid) == (2, 1)


def test_a_resumed_run_pays_as_often_as_an_undisturbed_one(tmp_path: Path):
    questions = ["a", "b", "a", "c", "b"]

    def run(memo: Memo, ask: list[str], settled: list[str]) -> list[tuple[str, bool]]:
        lm = scripted_lm(str.upper, memo=memo)
        with paying("run", settled), meter() as usage:
            for question in ask:
                lm(question)
        return [(call.key, call.paid) for call in usage.records]

    undisturbed = run(Memo(tmp_path / "undisturbed"), questions, [])
    assert [paid for _, paid in undisturbed] == [True, True, False, True, False]
    for logged in range(len(questions)):
        for asked in range(
            logged, len(questions) + 1
        ):  # killed after `asked` calls of which `logged` are kept
            memo = Memo(tmp_path / f"{logged}-{asked}")
            kept = run(memo, questions[:asked], [])[:logged]
            rest = run(memo, questions[logged:], [key for key, _ in kept])
            assert kept + rest == undisturbed
