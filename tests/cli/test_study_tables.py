from sqlmend.cli._study_tables import show_study
from tests.eval.report.study_documents import document, empty, hostile, unfinished, without_headroom


def shown(capsys, known):
    show_study(known)
    return capsys.readouterr().out


def test_primary_comparisons_stand_apart_and_are_not_said_twice(capsys):
    out = shown(capsys, document())
    primary, exploratory = out.split("exploratory, on transfer")
    assert "primary, named in advance" in primary
    assert "aligned against permuted" in primary
    assert "pairing permuted" not in exploratory
    assert "source resample" in exploratory
    assert "crystallization ratio: 0." in primary
    assert "even after 200" in exploratory
    assert "never paid back" in exploratory


def test_what_is_not_defined_or_not_there_is_said(capsys):
    assert "crystallization ratio: undefined, the denominator" in shown(capsys, without_headroom())
    out = shown(capsys, unfinished())
    assert "not finished: use/replay/k-0/all, 0 of 9" in out
    assert "not finished: 2 more runs" in out
    assert "crystallization ratio: not measured yet" in out
    assert "crystallization ratio: none, as no correction was collected" in shown(capsys, empty())
    known = document()
    known["primary"] = [*known["primary"][:3], known["primary"][3] | {"contrast": None, "measured": False}]
    assert "aligned against permuted pairs; --vary pairing measures it" in shown(capsys, known)
    by_construction = {"by_construction": True, "ex": 0.0, "questions": None}
    assert "floor: 0 by construction" in shown(capsys, document() | {"floor": by_construction})


def test_hostile_text_does_not_reach_the_terminal(capsys):
    out = shown(capsys, hostile())
    assert not [c for c in out if c in "\x00\x1b\u202e"]
