import pytest

from sqlmend.eval.report import Beside, Cases, Drawing, Estimate, Facts, Figure, Words, comparison_page
from sqlmend.eval.report._compare import _cases
from sqlmend.eval.report._compare._read import Results
from tests.eval.report.documents import document, unfinished, without


def blocks(page, name):
    (section,) = [section for section in page.sections if section.name == name]
    return section.blocks


def words(page, name="answer"):
    return [block.text for block in blocks(page, name) if isinstance(block, Words)]


def first_table(page):
    (beside,) = [block for block in blocks(page, "answer") if isinstance(block, Beside)]
    return [column.label for column in beside.first.columns], {row[0]: row for row in beside.first.rows}


def test_the_first_screen_answers_in_words():
    said = words(comparison_page(document()))
    assert said[0].startswith(
        "Highest EX measured: merit and merit_resample, 72.5 % (before repair 45.0 %), at 2,189 tokens"
    )
    assert said[1].startswith("Not separated. iterative - merit: ")
    assert said[2] == "Of 3 programs compared with iterative, none is separated from it."


def test_the_first_table_holds_both_ways_and_what_they_cost():
    labels, rows = first_table(comparison_page(document()))
    assert labels == ["Program", "EX", "EX", "Tokens", "Against iterative", "Against iterative", "Separated"]
    known = {(row["program"], row["same_group"]): row for row in document()["programs"]}
    allow, exclude = known["merit", "allow"], known["merit", "exclude"]
    row = rows["merit"]
    assert row[1] == Estimate(allow["mean"]["ex_after"], allow["ex_low"], allow["ex_high"])
    assert row[2] == Estimate(exclude["mean"]["ex_after"], exclude["ex_low"], exclude["ex_high"])
    assert row[3] == allow["mean"]["tokens_per_question"]
    assert rows["iterative"][2] is None
    assert rows["no repair"][1] == allow["mean"]["ex_before"]
    assert rows["no repair"][3] * 20 == allow["mean"]["tokens_answering"]


def test_a_pair_is_turned_where_the_reference_stands_first():
    known = document()
    (pair,) = [
        p for p in known["pairs"] if (p["a"], p["b"], p["same_group"]) == ("iterative", "merit", "allow")
    ]
    _, rows = first_table(comparison_page(known))
    ex = pair["ex"]
    assert rows["merit"][4] == Estimate(-ex["difference"], -ex["high"], -ex["low"])


ALONE = "separated alone, not after Holm over 6 pairs"


def test_separation_in_one_way_alone_is_named():
    known = document()
    for pair in known["pairs"]:
        if pair["same_group"] == "allow":
            pair["ex"] |= {"separated": True, "holds": True, "standing": "separated"}
    page = comparison_page(known)
    assert first_table(page)[1]["merit"][-1] == "allowed: separated; excluded: not separated"
    assert words(page)[2].endswith("iterative, separated: merit, merit_resample, merit:no_negative.")


def test_what_does_not_hold_after_holm_is_nowhere_called_separated():
    known = document()
    for pair in known["pairs"]:
        is_first = pair["b"] == "merit"
        standing = "separated" if is_first else ALONE
        pair["ex"] |= {"separated": True, "holds": is_first, "standing": standing}
    page = comparison_page(known)
    said = words(page)[2]
    assert said == (
        "Of 3 programs compared with iterative, separated: merit; "
        f"{ALONE}: merit_resample, merit:no_negative."
    )
    _, rows = first_table(page)
    assert (rows["merit"][-1], rows["merit_resample"][-1]) == ("separated", ALONE)
    (forest,) = [block for block in blocks(page, "pairs") if isinstance(block, Figure)]
    marks = forest.wide["data"]["values"]
    assert [mark["kind"].endswith("solid") for mark in marks] == [p["ex"]["holds"] for p in known["pairs"]]
    assert forest.alt.count(ALONE) == 10
    column = [column.label for column in forest.table.columns].index("Separated")
    assert [row[column] for row in forest.table.rows] == [p["ex"]["standing"] for p in known["pairs"]]


def test_every_regime_section_order_and_embedder_is_named():
    page = comparison_page(document())
    for word in ("the oracle ends episodes and sets polarity", "section order prefix", "embedder hash64"):
        assert word in page.lead


def test_an_unfinished_comparison_says_so_first():
    said = words(comparison_page(unfinished()))
    assert said[0] == "Not complete: 1 runs are not finished: merit order 0 (3 of 20)."
    assert said[1] == "No run is finished yet."


def test_notes_and_verdicts_are_said_as_they_are():
    known = document() | {"notes": ["Initial queries differ."]}
    page = comparison_page(known)
    assert "Initial queries differ." in words(page)
    (facts,) = [block for block in blocks(page, "pairs") if isinstance(block, Facts)]
    assert [verdict for _, verdict in facts.items] == [pair["verdict"] for pair in known["pairs"]]


def test_each_way_of_dividing_has_a_figure():
    titles = [
        block.title for block in blocks(comparison_page(document()), "kinds") if isinstance(block, Figure)
    ]
    assert titles == [
        "By initial failure type",
        "By difficulty",
        "By SQL feature of the initial query",
        "By database",
    ]


def test_bars_of_equal_length_are_named_together():
    known = document()
    rows = [
        row for row in known["breakdowns"] if row["by"] == "difficulty" and row["same_group"] != "exclude"
    ]
    first = [row for row in rows if row["value"] == rows[0]["value"]]
    for row, share in zip(first, (0.2, 0.6, 0.6, 0.1), strict=True):
        row["ex_after"] = share
    (figure,) = [b for b in blocks(comparison_page(known), "kinds") if b.title == "By difficulty"]
    assert f"{first[0]['value']}, highest merit and merit_resample with 60 %" in figure.alt
    for row in first:
        row["ex_after"] = 0.5
    (figure,) = [b for b in blocks(comparison_page(known), "kinds") if b.title == "By difficulty"]
    assert f"{first[0]['value']}, all 50 %" in figure.alt


def test_without_an_embedder_there_is_none_and_budgets_are_each_program_s_own():
    known = document()
    known["provenance"] |= {"embedder": None, "budget": None}
    page = comparison_page(known)
    facts = dict(next(b for b in blocks(page, "provenance") if isinstance(b, Facts)).items)
    assert facts["Embedder"] == "none"
    assert facts["Budget of revisions"] == "each program's own"


def test_memories_say_over_what_their_episodes_are_counted():
    known = document()
    page = comparison_page(known)
    (cases,) = [block for block in blocks(page, "recall") if isinstance(block, Cases)]
    assert "over all programs, orders and group rules" in cases.note
    identity = max(known["memories"], key=lambda name: known["memories"][name]["episodes"])
    memory = known["memories"][identity]
    assert f"recalled in {memory['episodes']} episodes, {memory['repaired']} of them" in cases.items[0].words


def test_attempts_stand_side_by_side_with_what_was_recalled():
    page = comparison_page(document())
    (cases,) = [block for block in blocks(page, "cases") if isinstance(block, Cases)]
    sides = [side for case in cases.items for side in case.sides]
    labels = [part.label for side in sides for part in side.parts]
    assert "Initial query" in labels
    assert any(label.startswith("Recalled ") for label in labels)
    named = [*blocks(page, "recall"), *blocks(page, "trees")]
    shown = {case.name for block in named if isinstance(block, Cases) for case in block.items}
    linked = {target for side in sides for part in side.parts for _, target in part.links}
    assert linked
    assert linked <= shown
    assert cases.choices("outcome") == [f"{name} wins" for name in cases.choices("program")]


def test_a_cut_leaves_examples_of_every_pair(monkeypatch):
    known = document()
    with_cases = {_cases.pair_key(pair) for pair in known["pairs"] if pair["cases"]}
    monkeypatch.setattr(_cases, "_MOST", len(with_cases))
    (cases,) = _cases.cases(Results(known)).section.blocks
    assert len({(*case.tags["program"], *case.tags["way"]) for case in cases.items}) == len(with_cases)
    assert "left out" in cases.note


def test_attempts_that_were_left_out_keep_their_numbers():
    known = document()
    case = known["pairs"][0]["cases"][0]
    case["a"]["attempts"] = [case["a"]["attempts"][0]] * 8
    case["a"]["dropped_attempts"] = 5
    section = _cases.cases(Results(known)).section
    labels = [part.label for part in section.blocks[0].items[0].sides[0].parts]
    assert labels[:4] == ["Initial query", "Revision 1", "5 attempts are left out here", "Revision 7"]


def test_no_pairs_and_nothing_learned_are_said():
    page = comparison_page(without("pairs", "curves"))
    assert words(page, "pairs") == ["No pairs were asked for."]
    assert words(page, "learning") == ["Nothing failed, so nothing was repaired."]


def test_programs_that_repair_nothing_are_followed_by_what_is_right():
    known = document()
    for program in known["provenance"]["programs"]:
        program["budget"] = 0
    for curve in known["curves"]:
        for done, point in enumerate(curve["points"]):
            point.update(cumulative=0.0, ex=1 - done / 20, ex_sd=0.0)
    (figure,) = blocks(comparison_page(known), "learning")
    assert figure.title == figure.table.title == "EX so far"
    assert "merit 100.0 % at the first, 55.0 % at the last" in figure.alt


def test_a_tree_is_drawn_once_and_named_by_its_cases():
    known = document()
    page = comparison_page(known)
    (cases,) = [block for block in blocks(page, "cases") if isinstance(block, Cases)]
    links = {
        link for case in cases.items for side in case.sides for part in side.parts for link in part.links
    }
    (link,) = [(text, target) for text, target in links if target.startswith("tree-")]
    assert link == ("4 candidates; they part at 2 places; pruned: c2", "tree-1")
    (trees,) = blocks(page, "trees")
    assert [(case.name, case.tags["program"]) for case in trees.items] == [
        ("tree-1", ["merit"]),
        ("tree-2", ["merit_resample"]),  # no case names it: it is the first of its program
    ]
    (drawing,) = trees.items[0].sides[0].parts
    assert isinstance(drawing, Drawing)
    assert drawing.code.count("sql: ") == 3
    assert "trees" not in [section.name for section in comparison_page(without("trees")).sections]


def test_what_questions_cost_is_told_apart():
    known = document()
    (table,) = [
        block for block in blocks(comparison_page(known), "measures") if block.title.startswith("What a")
    ]
    assert [(column.label, column.hint) for column in table.columns[1:4]] == [
        ("Calls", "answering"),
        ("Calls", "memory construction"),
        ("Calls", "repair"),
    ]
    (mean,) = [r["mean"] for r in known["programs"] if (r["program"], r["same_group"]) == ("merit", "allow")]
    (row,) = [row for row in table.rows if row[0] == "merit"]
    assert row[1:4] == [1.0, 0.0, mean["calls_repair"] / 20]
    assert sum(row[4:7]) == pytest.approx(mean["tokens_per_question"])
    (cases,) = [block for block in blocks(comparison_page(known), "cases") if isinstance(block, Cases)]
    cost = cases.items[0].sides[0].parts[-1]
    costs = known["pairs"][0]["cases"][0]["a"]["costs"]
    assert cost.label == "Cost"
    assert cost.text.startswith(f"answering: 1 call, {costs['tokens_answering']:,} tokens, ")
    assert "; repair: 2 calls, " in cost.text
