"""What `sqlmend compare` prints of a document."""

from __future__ import annotations

from sqlmend.cli._compare_tables import show_results
from tests.eval.report.documents import document


def printed(capsys, known):
    show_results(known)
    return capsys.readouterr().out


def test_a_difference_that_does_not_hold_after_holm_is_not_called_separated(capsys):
    known = document()
    alone = "separated alone, not after Holm over 6 pairs"
    known["pairs"][0]["ex"] |= {
        "separated": True,
        "p_holm": 0.42,
        "standing": alone,
        "questions_needed": None,
    }
    few = "not separated: too few groups of twins differ (4)"
    lines = printed(capsys, known).splitlines()
    assert [line for line in lines if line.endswith(f"p 0.420 (Holm): {alone}")]
    (line,) = [line for line in lines if line.startswith("iterative - merit:no_negative (same group allow)")]
    assert line.endswith(f"{few}; about 393 questions would separate it")


def test_the_columns_are_explained_below_the_table(capsys):
    known = document()
    oscillation = next(m for m in known["measures"] if m["key"] == "oscillation")
    lines = printed(capsys, known).splitlines()
    assert [line for line in lines if line.startswith("means over 2 orders, EX with ± its sample")]
    assert [line for line in lines if f"oscillation: {oscillation['definition']}" in line]
    assert not [line for line in lines if line.startswith("mean ±")]


def test_orders_are_named_where_programs_have_finished_others(capsys):
    known = document()
    known["programs"][0]["orders"] = [0]
    known["pairs"][0]["orders"] = [0]
    text = printed(capsys, known)
    assert "means over the orders named" in text
    assert "iterative - merit (same group allow) (order 0): EX" in text
