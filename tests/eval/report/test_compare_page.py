from sqlmend.eval.report import Beside, Cases, Estimate, Facts, Figure, Words, comparison_page
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
        "Highest EX measured: iterative, 85.0 % (before repair 45.0 %), at 1,707 tokens"
    )
    assert said[1].startswith("Not separated. iterative - merit:no_negative")
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
    assert rows["no repair"][3] * 20 == allow["mean"]["tokens"] - allow["mean"]["tokens_repair"]


def test_a_pair_is_turned_where_the_reference_stands_first():
    known = document()
    (pair,) = [
        p for p in known["pairs"] if (p["a"], p["b"], p["same_group"]) == ("iterative", "merit", "allow")
    ]
    _, rows = first_table(comparison_page(known))
    ex = pair["ex"]
    assert rows["merit"][4] == Estimate(-ex["difference"], -ex["high"], -ex["low"])


def test_separation_in_one_way_alone_is_named():
    known = document()
    for pair in known["pairs"]:
        pair["ex"]["separated"] = pair["same_group"] == "allow"
    page = comparison_page(known)
    assert first_table(page)[1]["merit"][-1] == "only allowed"
    assert words(page)[2].endswith("3 separated from it: merit:no_negative, merit, merit_resample.")


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


def test_attempts_stand_side_by_side_with_what_was_recalled():
    page = comparison_page(document())
    (cases,) = [block for block in blocks(page, "cases") if isinstance(block, Cases)]
    sides = [side for case in cases.items for side in case.sides]
    labels = [part.label for side in sides for part in side.parts]
    assert "Initial query" in labels
    assert any(label.startswith("Recalled ") for label in labels)
    shown = {
        case.name for block in blocks(page, "recall") if isinstance(block, Cases) for case in block.items
    }
    linked = {target for side in sides for part in side.parts for _, target in part.links}
    assert linked
    assert linked <= shown
    assert cases.choices("outcome") == [f"{name} wins" for name in cases.choices("program")]


def test_a_cut_leaves_examples_of_every_pair(monkeypatch):
    known = document()
    with_cases = {_cases.pair_key(pair) for pair in known["pairs"] if pair["cases"]}
    monkeypatch.setattr(_cases, "_MOST", len(with_cases))
    section, _ = _cases.cases(Results(known))
    (cases,) = section.blocks
    assert len({(*case.tags["program"], *case.tags["way"]) for case in cases.items}) == len(with_cases)
    assert "left out" in cases.note


def test_attempts_that_were_left_out_keep_their_numbers():
    known = document()
    case = known["pairs"][0]["cases"][0]
    case["a"]["attempts"] = [case["a"]["attempts"][0]] * 8
    case["a"]["dropped_attempts"] = 5
    section, _ = _cases.cases(Results(known))
    labels = [part.label for part in section.blocks[0].items[0].sides[0].parts]
    assert labels[:4] == ["Initial query", "Revision 1", "5 attempts are left out here", "Revision 7"]


def test_no_pairs_and_nothing_learned_are_said():
    page = comparison_page(without("pairs", "curves"))
    assert words(page, "pairs") == ["No pairs were asked for."]
    assert words(page, "learning") == ["Nothing failed, so nothing was repaired."]
