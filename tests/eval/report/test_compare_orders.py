"""Pages of comparisons whose programs have finished different orders, or ran without twins alone."""

from __future__ import annotations

import pytest

from sqlmend.eval.measures import results
from sqlmend.eval.report import Beside, Figure, Table, Words, comparison_page
from tests.eval.measures.comparisons import BROKEN, RIGHT, WRONG, Hand, episode, questions

ASKED = questions(0, 0, 1, 2, 3, 4, 5, 6)


def answered(repaired=()):
    """The first is right at once, these are repaired in one step, the others not at all."""
    return [
        episode(q, *([RIGHT] if n == 0 else [WRONG, RIGHT] if n in repaired else [WRONG, WRONG, BROKEN]))
        for n, q in enumerate(ASKED)
    ]


@pytest.fixture
def page(tmp_path):
    """Order 0 is even: plain 3 of 8, memo 2 of 8; order 1 is a good one that only memo has finished."""
    made = Hand(tmp_path / "cmp", ASKED, orders=(0, 1, 2)).begin()
    made.run("plain", "allow", 0, answered({1, 2}))
    made.run("memo", "allow", 0, answered({1}))
    made.run("memo", "allow", 1, answered(range(1, 8)))
    made.run("memo", "exclude", 0, answered({1}))
    return comparison_page(results(made.folder))


def blocks(page, name, kind):
    (section,) = [section for section in page.sections if section.name == name]
    return [block for block in section.blocks if isinstance(block, kind)]


def leads(page):
    return [block.text for block in blocks(page, "answer", Words) if block.weight == "lead"]


def first_table(page):
    (beside,) = blocks(page, "answer", Beside)
    return beside.first


def test_programs_are_ranked_on_the_orders_that_all_have_finished(page):
    assert leads(page)[1].startswith(
        "Highest EX measured over order 0, which all have finished: plain, 37.5 % (before repair 12.5 %), at "
    )


def test_allow_and_exclude_are_held_against_each_other_on_the_same_orders(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, orders=(0, 1)).begin()
    made.run("plain", "allow", 0, answered())
    made.run("memo", "allow", 0, answered({1}))
    made.run("memo", "allow", 1, answered(range(1, 8)))
    made.run("memo", "exclude", 0, answered({1}))
    lead = leads(comparison_page(results(made.folder)))[1]
    assert "memo, 25.0 % (before repair 12.5 %, with twins excluded 25.0 %)" in lead


def test_rows_name_their_orders_where_they_differ(page):
    table = first_table(page)
    assert [row[0] for row in table.rows] == [
        "no repair",
        "plain (order 0)",
        "memo (orders 0, 1; excluded: order 0)",
    ]
    assert "mean over the orders named; a difference is over those that both" in table.note
    names = [row[0] for row in blocks(page, "measures", Table)[1].rows]
    assert names == ["plain (order 0)", "memo (orders 0, 1)", "memo, twins excluded (order 0)"]
    (forest,) = blocks(page, "pairs", Figure)
    assert [row[0] for row in forest.table.rows] == [
        "memo − plain (order 0)",
        "memo − plain, twins excluded (order 0)",
    ]


def test_no_picture_ranks_what_is_over_different_orders(page):
    (beside,) = blocks(page, "answer", Beside)
    figures = [beside.second, *blocks(page, "kinds", Figure), *blocks(page, "learning", Figure)]
    for figure in figures:
        assert "highest" not in figure.alt
        assert "over the orders that it has finished" in figure.note
    assert "EX after repair of 2 programs in 1 classes: easy, 38 % to 62 %" in next(
        f.alt for f in figures if f.title == "By difficulty"
    )


def test_without_an_order_in_common_nothing_is_ranked(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED).begin()
    made.run("plain", "allow", 0, answered())
    made.run("memo", "allow", 1, answered({1}))
    page = comparison_page(results(made.folder))
    assert leads(page)[1] == "There is no order that all have finished, so they are not ranked."
    assert "Not compared." in blocks(page, "answer", Words)[2].text


def test_a_program_that_has_finished_nothing_is_one_of_all(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=("memo", "late")).begin()
    made.run("plain", "allow", 0, answered())
    for rule in ("allow", "exclude"):
        made.run("memo", rule, 0, answered({1}))
    made.run("late", "allow", 0, answered()[:3], finished=False)
    page = comparison_page(results(made.folder))
    assert leads(page)[1] == "There is no order that all have finished, so they are not ranked."
    assert "mean over the orders named" in first_table(page).note
    assert [row[0] for row in first_table(page).rows][1:] == ["plain (order 0)", "memo (order 0)"]


def test_the_mean_is_over_what_was_finished_and_not_over_what_was_asked(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, orders=(0, 1, 2)).begin()
    for order in (0, 1):
        made.run("plain", "allow", order, answered())
        for rule in ("allow", "exclude"):
            made.run("memo", rule, order, answered({1}))
    page = comparison_page(results(made.folder))
    assert leads(page)[1].startswith("Highest EX measured: memo, 25.0 %")
    assert ", mean over 2 orders. " in first_table(page).note
    assert blocks(page, "measures", Table)[1].note.startswith("Mean over orders 0, 1;")


def test_figures_without_twins_do_not_stand_under_twins_allowed(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=("one", "two"), plain=(), orders=(0,)).begin()
    made.run("one", "allow", 0, answered({1}))
    made.run("two", "exclude", 0, answered({1, 2, 3}))
    page = comparison_page(results(made.folder))
    assert leads(page)[1] == "There is no order that all have finished, so they are not ranked."
    rows = {row[0].split()[0]: row for row in first_table(page).rows}
    assert [rows["one"][1].value, rows["one"][2]] == [0.25, None]
    assert [rows["two"][1], rows["two"][2].value] == [None, 0.5]


def test_exclude_alone_says_so_in_every_place(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, config={"same_group": ["exclude"]}).begin()
    for order in (0, 1):
        made.run("plain", "allow", order, answered())
        made.run("memo", "exclude", order, answered({1, 2}))
    page = comparison_page(results(made.folder))
    assert "twins excluded" in page.lead
    assert leads(page)[0].startswith("Highest EX measured with twins excluded: memo, 37.5 %")
    table = first_table(page)
    assert table.columns[1].hint == "twins excluded"
    assert "may not recall the answer to a paraphrase" in table.note
    (figure,) = [b for b in blocks(page, "kinds", Figure) if b.title == "By difficulty"]
    assert "highest memo with 38 %" in figure.alt
