import re

import pytest
from markdown_it import MarkdownIt

from sqlmend.eval.report import (
    Beside,
    Estimate,
    Facts,
    Figure,
    Spread,
    Table,
    Words,
    render_markdown,
    study_page,
)
from tests.eval.report.study_documents import (
    SETTINGS,
    document,
    empty,
    hostile,
    html,
    unfinished,
    without_headroom,
)
from tests.eval.report.test_html import Seen


def blocks(page, name, kind):
    (section,) = [section for section in page.sections if section.name == name]
    inner = [
        part
        for block in section.blocks
        for part in ([block.first, block.second] if isinstance(block, Beside) else [block])
    ]
    return [block for block in inner if isinstance(block, kind)]


def words(known, name="answer"):
    return [block.text for block in blocks(study_page(known), name, Words)]


def table(known, name, title):
    page = study_page(known)
    tables = [*blocks(page, name, Table), *(figure.table for figure in blocks(page, name, Figure))]
    (found,) = [block for block in tables if block.title == title]
    return found


def test_the_first_screen_answers_in_words():
    said = words(document())
    assert said[0].startswith(
        "On 24 held-out questions of 3 databases the cards of the default design move EX"
    )
    assert "95 % interval" in said[0]
    assert said[1].startswith("Crystallization ratio (gain over headroom): 0.")
    assert said[-1] == "A question that could not be evaluated counts as wrong."


def test_a_ratio_without_headroom_is_undefined_and_says_why():
    assert words(without_headroom())[1].startswith("Crystallization ratio: undefined, the denominator cannot")


def test_a_study_that_collected_nothing_says_so_and_no_figure():
    said = words(empty())
    assert said[0] == "No correction was collected: the default design has no card to gain or lose by."
    assert said[1] == "Crystallization ratio: none, as no correction was collected."
    assert words(empty(), "settings")[0].endswith("none, no question produced a card.")


def test_questions_that_would_separate_a_gain_are_of_more_databases():
    known = document()
    row = known["levels"][len(SETTINGS) - 1]
    gain = row["gain"] | {"separated": False, "questions_needed": 1234}
    known["levels"] = [row | {"gain": gain}]
    assert words(known)[0].endswith(
        "This is not separated from zero; about 1,234 questions of correspondingly more databases would"
        " separate a gain of that size."
    )


def test_what_is_held_against_the_floor_is_said_to_be():
    floor = "in replay and retention against the floor"
    steady = document() | {"floor": {"by_construction": True, "ex": 0.0, "questions": None}}
    for section, name in (("settings", "Gain over no memory"), ("changes", "Fixed and broken questions")):
        assert floor in table(document(), section, name).note
        assert floor not in table(steady, section, name).note


def test_the_settings_of_the_default_design_stand_below_each_other():
    known = document()
    found = table(known, "answer", "The default design in each setting")
    assert [row[0] for row in found.rows] == ["replay", "retention", "retention, twins excluded", "transfer"]
    transfer = known["levels"][len(SETTINGS) - 1]
    without, ex, gain = (transfer[name] for name in ("without", "ex", "gain"))
    cells = [Estimate(side["value"], side["low"], side["high"]) for side in (without, ex, gain)]
    assert found.rows[-1][1:5] == [*cells, gain["p"]]
    assert found.rows[-1][5] == f"+{gain['databases_improved']} −{gain['databases_worse']} of 3"


def test_primary_comparisons_are_apart_from_all_that_is_exploratory():
    known = document()
    found = table(known, "answer", "Primary comparisons, named in advance")
    assert [row[0] for row in found.rows] == [row["question"] for row in known["primary"]]
    assert "Everything else in this report is exploratory." in found.note
    exploratory = {row["first"] for row in known["exploratory"]} - {row["first"] for row in known["primary"]}
    shown = {cell for row in found.rows for cell in row[:2] if isinstance(cell, str)}
    assert not shown & exploratory
    (title,) = [section.title for section in study_page(known).sections if section.name == "sweeps"]
    assert "exploratory" in title


def test_a_primary_comparison_that_is_not_measured_is_named():
    known = document()
    known["primary"] = [
        known["primary"][0] | {"contrast": None},
        *(row | {"contrast": None, "measured": False} for row in known["primary"][1:3]),
    ]
    found = table(known, "answer", "Primary comparisons, named in advance")
    assert found.rows[1][3:] == [None] * 6
    assert (
        "Not measured in this study: verified against unverified cards of self_vote (--vary admission);"
        " k = 10 against k = 1 (--vary k)."
    ) in found.note
    assert "Not finished, or without a card on either side: cards against no memory." in found.note


def test_each_axis_has_its_designs_beside_what_they_vary():
    known = document()
    k = table(known, "sweeps", "How many cards a prompt shows (k)")
    assert [row[0] for row in k.rows] == ["k 1", "k 5, the default", "k 10"]
    source = table(known, "sweeps", "Source of the cards, at matched cards per database")
    assert [row[0] for row in source.rows] == ["matched cards", "source resample, matched cards"]
    admission = table(known, "sweeps", "Admission")
    assert [row[0] for row in admission.rows] == [
        "admission verified, the default",
        "source self_vote",
        "source self_vote, admission vote",
    ]
    crossed = table(known, "sweeps", "Share of the bank, crossed with k")
    assert [column.label for column in crossed.columns] == ["Share of the bank", "k 1", "k 5"]
    assert [row[0] for row in crossed.rows] == ["0.5", "1"]
    assert all(isinstance(cell, Estimate) for row in crossed.rows for cell in row[1:])


def test_several_values_of_k_are_a_curve_and_one_is_none():
    def titles(known):
        return [figure.title for figure in blocks(study_page(known), "sweeps", Figure)]

    known = document()
    assert "EX by k" in titles(known)
    known["levels"] = [row for row in known["levels"] if not row["design"].startswith("k-")]
    assert "EX by k" not in titles(known)


def test_what_was_named_in_advance_is_marked_among_the_sweeps():
    known = document()
    rows = [
        row
        for figure in blocks(study_page(known), "sweeps", Figure)
        if figure.table.title == "Differences in every setting"
        for row in figure.table.rows
    ]
    marked = [(row[0], row[2]) for row in rows if row[-1] == "yes"]
    assert marked == [("source self_vote, admission vote", "transfer"), ("pairing permuted", "transfer")]


def test_a_study_of_the_default_design_alone_has_no_sweeps():
    known = document()
    known["designs"] = known["designs"][:1]
    known["levels"] = [row for row in known["levels"] if row["design"] == "default"]
    known["exploratory"] = []
    assert "sweeps" not in [section.name for section in study_page(known).sections]


@pytest.mark.parametrize(
    ("floor", "said"),
    [
        ({"by_construction": True, "ex": 0.0, "questions": None}, "0 by construction"),
        ({"by_construction": False, "ex": 0.25, "questions": 8}, "25.0 % of the 8 questions"),
        ({"by_construction": False, "ex": None, "questions": 0}, "not measured yet"),
    ],
)
def test_the_floor_is_said_as_it_came_about(floor, said):
    assert said in words(document() | {"floor": floor}, "settings")[0]


def test_banks_are_means_over_their_seeds():
    found = table(document(), "banks", "Banks")
    assert found.rows[0][:6] == ["default design", 1, *map(Spread, (8.0, 0.5, 4.0, 1.0))]
    assert found.rows[1][4] == Spread(5.0, pytest.approx(2**0.5))
    known = document()
    known["banks"] = [known["banks"][0] | {"audited_correct": None}]
    assert table(known, "banks", "Banks").rows[0][5] is None
    by_database = table(document(), "banks", "Cards by database")
    assert by_database.rows[0] == ["default design", *map(Spread, (3.0, 1.0, 0.0))]


def test_serving_by_round_and_what_it_pays_back():
    found = table(document(), "serving", "EX, calls and tokens by round")
    assert found.rows[1] == ["1", 0.4, 0.5, 2.0, 1.9, 1600.0, 1800.0]
    said = words(document(), "serving")
    assert said[1].endswith("saves 0.50 for each later question; it breaks even after 200 questions.")
    assert said[2].endswith("costs 20.00 more for each later question; it never pays for itself.")


def test_fixed_questions_are_held_against_what_repair_resolves():
    (said,) = words(document(), "changes")
    assert "stably fix 2 held-out first answers" in said
    assert "resolves 50.0 % of those. Of the 2 whose databases" in said
    assert "and of those others, weighted alike, 25.0 %" in said
    (facts,) = blocks(study_page(document()), "changes", Facts)
    assert dict(facts.items) == {"Stably fixed (2)": "q02, q04", "Stably broken (1)": "q07"}


def test_an_unfinished_study_says_what_is_missing():
    said = words(unfinished())
    assert said[0].startswith("Not complete: 7 runs are not finished: use/replay/k-0/all (0 of 9), ")
    assert said[0].endswith(" and 3 more.")
    assert said[1] == "No question was answered with the default design's cards yet."
    assert "not measured yet" in said[2]
    missing = table(unfinished(), "provenance", "Not finished")
    assert missing.rows[6] == ["use/replay/k-6/all", 6, 9]


def test_every_figure_says_where_it_comes_from():
    page = study_page(document())
    figures = [figure for section in page.sections for figure in blocks(page, section.name, Figure)]
    assert len(figures) >= 8
    for figure in figures:
        assert "Definition bag, data sha256:0123456789ab, seed of the bootstrap 0." in figure.note
    for word in ("definition bag", "model no-model", "embedder hash64", "seeds 42, 7", "data sha256:"):
        assert word in page.lead


@pytest.mark.parametrize("make", [document, unfinished, empty])
def test_nothing_that_is_not_there_is_written(make):
    for text in (html(make), render_markdown(study_page(make()))):
        assert not re.search(r"\bNone\b|\bnan\b", text)


def test_hostile_text_adds_no_element():
    def outline(make):
        chart = {"svg", "g", "path", "line", "rect", "text", "circle", "defs", "clippath"}
        page = Seen(html(make))
        assert not [a for _, a in page.elements for name in a if name.startswith("on") or name == "src"]
        return [tag for tag, _ in page.elements if tag not in chart]

    assert outline(hostile) == outline(document)
    assert "<script>window" not in html(hostile)


def test_hostile_text_is_no_markup():
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    parsed, known = (parser.parse(render_markdown(study_page(make()))) for make in (hostile, document))
    assert [block.type for block in parsed] == [block.type for block in known]


def test_ids_are_unique():
    ids = [attrs["id"] for _, attrs in Seen(html(document)).elements if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_a_page_that_has_all_is_small():
    assert len(html(document)) < 500_000
