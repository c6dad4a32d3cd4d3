"""The document of a comparison, from folders written by hand and from a simulated one."""

from __future__ import annotations

import json

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval.measures import catalogue, results
from sqlmend.eval.statistics import holm, paired_bootstrap
from tests.eval.measures.comparisons import BROKEN, RIGHT, WRONG, Hand, entry, episode, questions

ASKED = questions(0, 0, 1, 2, 3, 4, 5, 6)
#: The first of two twins leaves an entry.
LEFT = entry(ASKED[0])
#: What a question outside of the comparison left.
OTHER = entry({"id": "q99", "db_id": "db0", "text": "Another?"}, "negative")


def plain(right=(0,)):
    """The baseline repairs nothing: only these questions are right, at once."""
    return [episode(q, *([RIGHT] if n in right else [WRONG, WRONG, BROKEN])) for n, q in enumerate(ASKED)]


def memo(repaired, right=(0,), recalled=()):
    """The same initial queries, some of them repaired in one step."""
    return [
        episode(
            q,
            *([RIGHT] if n in right else [WRONG, RIGHT] if n in repaired else [WRONG, WRONG, BROKEN]),
            recalled=recalled,
        )
        for n, q in enumerate(ASKED)
    ]


@pytest.fixture
def hand(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED).begin()
    for order in (0, 1):
        made.run("plain", "allow", order, plain())
    both = (LEFT.id, OTHER.id)
    made.run("memo", "allow", 0, memo({1, 2, 3, 4, 5, 6, 7}, recalled=both), entries=[LEFT, OTHER])
    made.run("memo", "allow", 1, memo({1, 2, 3, 4, 5}, recalled=both), entries=[LEFT, OTHER])
    made.run("memo", "exclude", 0, memo({2, 3, 4}, recalled=[OTHER.id]), entries=[LEFT, OTHER])
    made.run("memo", "exclude", 1, memo({2, 3, 4}), entries=[LEFT, OTHER])
    return made


def row(rows, **wanted):
    found = [r for r in rows if all(r[key] == value for key, value in wanted.items())]
    assert len(found) == 1, (wanted, found)
    return found[0]


def test_programs_have_the_mean_and_spread_over_orders(hand):
    document = results(hand.folder)
    assert document["complete"]
    assert document["missing"] == []
    assert [(p["program"], p["same_group"]) for p in document["programs"]] == [
        ("plain", None),
        ("memo", "allow"),
        ("memo", "exclude"),
    ]
    found = row(document["programs"], program="memo", same_group="allow")
    assert found["orders"] == [0, 1]
    assert found["mean"]["ex_after"] == pytest.approx((1 + 6 / 8) / 2)
    assert found["sd"]["ex_after"] == pytest.approx(0.25 / 2**0.5)
    assert found["mean"]["ex_before"] == 1 / 8
    assert found["sd"]["ex_before"] == 0
    assert 0 <= found["ex_low"] <= found["mean"]["ex_after"] <= found["ex_high"] <= 1
    assert set(found["mean"]) == set(found["sd"]) == {m["key"] for m in document["measures"]}


def test_runs_are_flat_rows(hand):
    rows = results(hand.folder)["runs"]
    assert len(rows) == 6
    found = row(rows, program="memo", same_group="allow", order=1)
    assert found["ex_after"] == 6 / 8
    assert set(found) == {"program", "same_group", "order"} | {measure["key"] for measure in catalogue()}


def test_pairs_bring_orders_and_twins_together(hand):
    document = results(hand.folder)
    found = row(document["pairs"], a="memo", b="plain", same_group="allow")
    after = [[1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 0], [1, 0]]
    alone = paired_bootstrap(
        after, [[1, 1], *[[0, 0]] * 7], [q["group"] for q in ASKED], resamples=2_000, seed=0
    )
    assert {key: found["ex"][key] for key in vars(alone) if key != "value"} == {
        key: pytest.approx(value) if isinstance(value, float) else value
        for key, value in vars(alone).items()
        if key != "value"
    }
    assert found["ex"]["difference"] == pytest.approx(12 / 16)
    assert (found["wins"], found["losses"], found["ties"]) == (7, 0, 1)
    assert found["ex"]["separated"]
    assert found["verdict"].startswith("Separated. memo - plain: +75.0 points of EX")
    # A repaired failure takes one step, one that is not counts the budget of two.
    assert found["repair_steps"]["difference"] == pytest.approx((12 + 2 * 2) / 14 - 2)
    assert found["tokens_per_question"]["difference"] == pytest.approx(-110 * 12 / 16)
    assert found["mcnemar"] is None


def test_a_difference_that_is_not_separated_is_said_plainly(hand):
    found = row(results(hand.folder)["pairs"], same_group="exclude")
    assert (found["wins"], found["losses"], found["ties"]) == (3, 0, 5)
    assert not found["ex"]["separated"]
    assert found["ex"]["p"] == 0.25  # three groups that go one way
    assert found["verdict"].startswith("Not separated. memo - plain: +37.5 points")
    assert "3 groups of twins, too few to tell" in found["verdict"]


def test_the_worth_of_a_twin_is_shown(hand):
    (found,) = results(hand.folder)["group_effects"]
    assert found["program"] == "memo"
    assert found["ex_allow"] - found["ex_exclude"] == pytest.approx(found["difference"])
    assert found["difference"] == pytest.approx((7 + 5 - 3 - 3) / 16)
    assert "twins allowed - excluded" in found["verdict"]


def test_cases_show_the_attempts_side_by_side(hand):
    document = results(hand.folder)
    found = row(document["pairs"], same_group="allow")
    assert [case["question_id"] for case in found["cases"]] == ["q1", "q2", "q3", "q4", "q5", "q6", "q7"]
    case = row(found["cases"], question_id="q6")
    assert (case["outcome"], case["order"]) == ("win", 0)
    assert (case["scores_a"], case["scores_b"]) == ([1, 0], [0, 0])
    assert [a["sql"] for a in case["a"]["attempts"]] == [WRONG, RIGHT]
    assert [a["sql"] for a in case["b"]["attempts"]] == [WRONG, WRONG, BROKEN]
    assert [a["repeats"] for a in case["b"]["attempts"]] == [False, True, False]
    assert case["a"]["attempts"][1]["recalled"] == [LEFT.id, OTHER.id]
    shown = document["memories"][LEFT.id]
    assert (shown["kind"], shown["question_id"], shown["after"]["sql"]) == ("positive", "q0", RIGHT)
    assert "schema" not in shown
    assert "sql" in shown["before"]


def test_recall_tells_twins_from_others(hand):
    found = row(results(hand.folder)["recall"], same_group="allow")
    groups = {group["with"]: (group["failed"], group["repaired"]) for group in found["groups"]}
    # In the group of q0 only q1 failed, once in each order.
    assert groups == {"none": (0, 0), "twins": (2, 2), "others": (12, 10)}
    assert found["top"] == [
        {"id": name, "episodes": 14, "repaired": 12} for name in sorted((LEFT.id, OTHER.id))
    ]
    excluded = row(results(hand.folder)["recall"], same_group="exclude")
    groups = {group["with"]: (group["failed"], group["repaired"]) for group in excluded["groups"]}
    assert groups == {"none": (7, 3), "twins": (0, 0), "others": (7, 3)}
    assert excluded["entries"] == 1


def test_breakdowns_add_up(hand):
    rows = results(hand.folder)["breakdowns"]
    for by in ("difficulty", "database", "failure_type"):
        of = [r for r in rows if r["by"] == by and (r["program"], r["same_group"]) == ("memo", "allow")]
        assert sum(r["failed"] for r in of) == 14
        assert sum(r["repaired"] for r in of) == 12
    found = row(rows, by="database", value="db1", program="memo", same_group="allow")
    assert (found["n"], found["failed"], found["repaired"]) == (8, 8, 6)
    assert found["ex_after"] == 6 / 8
    assert found["ex_after_sd"] == pytest.approx(0.5 / 2**0.5)
    assert row(rows, by="failure_type", program="plain")["value"] == "result_mismatch"
    assert {r["value"] for r in rows if r["by"] == "feature"} == {"plain"}


def test_the_learning_curve_follows_the_stream(hand):
    found = row(results(hand.folder)["curves"], program="memo", same_group="allow")
    assert [point["until"] for point in found["points"]] == [1, 2, 3, 4, 5, 6, 7, 8]
    first, *_, last = found["points"]
    assert (first["failed"], first["share"], first["cumulative"]) == (0, None, None)
    assert (last["failed"], last["repaired"], last["share"]) == (2, 1, 0.5)
    assert last["cumulative"] == pytest.approx((1 + 5 / 7) / 2)
    assert last["cumulative_sd"] == pytest.approx(2 / 7 / 2**0.5)
    total = row(results(hand.folder)["programs"], program="memo", same_group="allow")
    assert first["ex"] == 1.0
    assert last["ex"] == pytest.approx(total["mean"]["ex_after"])
    assert last["ex_sd"] == pytest.approx(total["sd"]["ex_after"])


def test_runs_that_are_not_finished_are_named_and_left_out(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED).begin()
    made.run("plain", "allow", 0, plain())
    made.run("plain", "allow", 1, plain())
    made.run("memo", "allow", 0, memo({1, 2}))
    made.run("memo", "allow", 1, memo({1})[:3], finished=False)
    document = results(made.folder)
    assert not document["complete"]
    assert document["missing"] == [
        {"program": "memo", "same_group": "allow", "order": 1, "done": 3, "of": 8},
        {"program": "memo", "same_group": "exclude", "order": 0, "done": 0, "of": 8},
        {"program": "memo", "same_group": "exclude", "order": 1, "done": 0, "of": 8},
    ]
    assert document["notes"][0].startswith("3 of 6 runs are not finished")
    assert "memo, same group allow, order 1 (3 of 8 questions)" in document["notes"][0]
    found = row(document["pairs"], same_group="allow")
    assert found["orders"] == [0]
    assert found["mcnemar"] == {"wins": 2, "losses": 0, "p": 0.5, "p_holm": 0.5}
    nothing = row(document["pairs"], same_group="exclude")
    assert (nothing["ex"], nothing["orders"], nothing["cases"]) == (None, [], [])
    assert nothing["verdict"] == "Not compared. memo - plain: no order of both is finished."
    assert row(document["programs"], program="memo")["sd"]["ex_after"] is None
    assert row(document["programs"], program="plain")["orders"] == [0, 1]
    assert document["group_effects"] == []


def test_with_nothing_finished_there_is_a_document_still(tmp_path):
    document = results(Hand(tmp_path / "cmp", ASKED).begin().folder)
    assert len(document["missing"]) == 6
    assert document["programs"] == document["runs"] == document["curves"] == []
    json.dumps(document, allow_nan=False)


def test_holm_is_over_the_pairs_of_one_group_rule(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=("a", "b"), plain=("c", "d"), orders=(0,))
    made.config["pairs"] = [["a", "b"], ["a", "c"], ["c", "d"]]
    made.begin()
    repaired = {"a": {1, 2, 3, 4, 5, 6, 7}, "b": {1, 2}, "c": set(), "d": {5}}
    for key in ("a", "b"):
        for rule in ("allow", "exclude"):
            made.run(key, rule, 0, memo(repaired[key] if rule == "allow" else {1}))
    for key in ("c", "d"):
        made.run(key, "allow", 0, memo(repaired[key]))
    rows = results(made.folder)["pairs"]
    assert [(r["a"], r["b"], r["same_group"]) for r in rows] == [
        ("a", "b", "allow"),
        ("a", "b", "exclude"),
        ("a", "c", "allow"),
        ("a", "c", "exclude"),
        ("c", "d", None),
    ]
    by_rule = {rule: [r for r in rows if r["same_group"] in (rule, None)] for rule in ("allow", "exclude")}
    for rule in ("allow", "exclude"):
        adjusted = holm([r["ex"]["p"] for r in by_rule[rule]])
        for r, p in zip(by_rule[rule], adjusted, strict=True):
            assert r["ex"]["p_holm"] == pytest.approx(p) or r["same_group"] is None
    assert rows[-1]["ex"]["p_holm"] == 1
    assert "Holm's correction over 3 pairs" in rows[2]["verdict"]
    assert rows[0]["mcnemar"]["p"] == pytest.approx(2 * 0.5**5)


def test_holm_counts_pairs_that_are_not_finished(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=(), plain=("a", "b", "c", "d"), orders=(0,))
    made.config["pairs"] = [["a", "b"], ["a", "c"], ["a", "d"], ["b", "c"]]
    made.begin()
    made.run("a", "allow", 0, memo({1, 2, 3, 4, 5, 6, 7}))
    made.run("b", "allow", 0, memo(set()))
    document = results(made.folder)
    found = row(document["pairs"], a="a", b="b")
    assert found["ex"]["separated"]
    assert found["ex"]["p_holm"] == pytest.approx(4 * found["ex"]["p"])
    assert found["mcnemar"]["p_holm"] == pytest.approx(4 * found["mcnemar"]["p"])
    assert not found["ex"]["holds"]
    assert found["ex"]["standing"] == "separated alone, not after Holm over 4 pairs"
    assert found["verdict"].startswith("Separated alone, not after Holm over 4 pairs. a - b: +")
    assert "counts as p = 1" in document["provenance"]["statistics"]["holm"]


def test_a_difference_over_some_of_the_orders_names_them(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, orders=(0, 1, 2)).begin()
    made.run("plain", "allow", 0, plain())
    for order in (0, 1):
        made.run("memo", "allow", order, memo({1, 2}))
        made.run("memo", "exclude", order, memo({1}))
    document = results(made.folder)
    assert "memo - plain (order 0): +" in row(document["pairs"], same_group="allow")["verdict"]
    assert "excluded (orders 0, 1): +" in document["group_effects"][0]["verdict"]


def test_a_memory_counts_wherever_it_was_recalled(tmp_path):
    others = [entry({"id": f"q{n}", "db_id": "db0", "text": f"Another {n}?"}) for n in range(40, 72)]
    made = Hand(tmp_path / "cmp", ASKED).begin()
    for order in (0, 1):
        made.run("plain", "allow", order, plain())
        entries = [LEFT, *others[order::2]]
        most = [e.id for e in others[order::2]]
        # Under no condition is it among the 30 that were recalled most, by a hair or by far.
        allowed = memo({1, 2, 3}, recalled=most)
        allowed[1] = episode(ASKED[1], WRONG, RIGHT, recalled=[*most, LEFT.id])
        made.run("memo", "allow", order, allowed, entries=entries)
        made.run("memo", "exclude", order, allowed, entries=entries)
    document = results(made.folder)
    assert all(LEFT.id not in {m["id"] for m in r["top"]} for r in document["recall"])
    shown = document["memories"][LEFT.id]  # a case names it
    assert (shown["episodes"], shown["repaired"]) == (4, 4)
    shown = document["memories"][others[0].id]
    assert (shown["episodes"], shown["repaired"]) == (14, 6)


def test_exclude_alone_is_noted(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, config={"same_group": ["exclude"]}).begin()
    for order in (0, 1):
        made.run("plain", "allow", order, plain())
        made.run("memo", "exclude", order, memo({1, 2}))
    (note,) = results(made.folder)["notes"]
    assert note.startswith("Twins are excluded throughout")


def test_all_versions_that_runs_were_finished_with_are_named(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, config={"versions": {"sqlmend": "1.0", "dspy": "3"}}).begin()
    made.run("plain", "allow", 0, plain(), versions={"sqlmend": "1.0", "dspy": "3"})
    made.run("plain", "allow", 1, plain(), versions={"sqlmend": "1.1", "dspy": "3"})
    found = results(made.folder)["provenance"]
    assert found["versions"] == {"sqlmend": "1.0 and 1.1", "dspy": "3"}


def test_errors_and_unequal_starts_are_noted(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=(), plain=("one", "two"), orders=(0,)).begin()
    one = plain()
    one[3] = episode(ASKED[3], BROKEN, RIGHT, error="context_overflow")
    made.run("one", "allow", 0, one)
    made.run("two", "allow", 0, plain())
    document = results(made.folder)
    assert "one, order 0: 1 questions could not be finished (context_overflow)" in document["notes"][0]
    assert any("initial queries differ" in note for note in document["notes"])
    assert any("One stream order" in note for note in document["notes"])
    assert document["provenance"]["initial_equal"] is False
    assert row(document["runs"], program="one")["errors"] == 1


def test_provenance_names_the_regime_the_section_order_and_the_embedder(hand):
    found = results(hand.folder)["provenance"]
    assert found["regime"] == "the oracle ends episodes and sets polarity"
    assert found["section_orders"] == ["prefix"]
    assert found["embedder"] == "hash64"
    assert (found["questions"], found["groups"], found["databases"]) == (8, 7, ["db0", "db1"])
    assert "groups of twins" in found["statistics"]["interval"]
    assert found["programs"][1]["budget"] == 2


def test_with_questions_as_units_twins_count_alone(hand):
    config = json.loads((hand.folder / "comparison.json").read_text())
    (hand.folder / "comparison.json").write_text(json.dumps({**config, "unit": "question"}))
    found = row(results(hand.folder)["pairs"], same_group="exclude")
    assert "3 questions, too few" in found["verdict"]


def test_equal_folders_give_equal_documents_without_nan(hand):
    assert results(hand.folder) == results(hand.folder)
    json.dumps(results(hand.folder), allow_nan=False)


def test_long_episodes_are_cut_in_the_middle(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=(), plain=("one", "two"), orders=(0,)).begin()
    made.run("one", "allow", 0, plain(right=range(8)))
    long = [episode(q, *[BROKEN] * 11) for q in ASKED]
    made.run("two", "allow", 0, long)
    side = results(made.folder)["pairs"][0]["cases"][0]["a"]
    assert (len(side["attempts"]), side["dropped_attempts"]) == (8, 3)


def test_another_runs_episodes_are_refused(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED).begin()
    made.run("plain", "allow", 0, plain()[:5])
    with pytest.raises(SqlmendError, match="not those of its comparison"):
        results(made.folder)


def test_a_folder_without_a_comparison_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no comparison"):
        results(tmp_path)


def test_a_comparison_that_was_killed_within_a_line_is_reported(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED).begin()
    folder = made.run("plain", "allow", 0, plain(), finished=False)
    file = folder / "episodes.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    missing = row(results(made.folder)["missing"], program="plain", order=0)
    assert missing["done"] == len(ASKED) - 1


def test_a_run_that_lost_its_step_log_is_damaged_and_not_free(hand):
    folder = hand.folder / "runs" / "plain" / "allow" / "order1"
    (folder / "steps.jsonl").unlink()
    with pytest.raises(SqlmendError, match=r"order1: steps\.jsonl lacks the steps of question") as caught:
        results(hand.folder)
    assert caught.value.code == "damaged_run"


def test_what_comparison_json_lacks_is_named(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED).begin()
    file = made.folder / "comparison.json"
    file.write_text(json.dumps({k: v for k, v in json.loads(file.read_text()).items() if k != "pairs"}))
    with pytest.raises(SqlmendError, match="lacks pairs") as caught:
        results(made.folder)
    assert caught.value.code == "damaged_comparison"


def test_a_single_resample_has_no_standard_error(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, config={"resamples": 1}).begin()
    made.run("plain", "allow", 0, plain())
    made.run("memo", "allow", 0, memo({1, 2}))
    document = results(made.folder)
    assert row(document["pairs"], same_group="allow")["ex"]["se"] is None
    json.dumps(document, allow_nan=False)
