"""The failure classifier against labels, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.errors import InputError
from sqlmend.eval.measures import LABELS, Labelled, score_labels


def rows(predicted, population, *labels):
    return [Labelled(label, predicted, population) for label in labels]


def test_the_table_by_hand():
    # 4 of 80 mismatches are labelled, 3 of them right: each stands for 20. 2 of 10 syntax errors, both right.
    labelled = [
        *rows("result_mismatch", 80, *["result_mismatch"] * 3, "filter_value", ""),
        *rows("syntax", 10, "syntax", "syntax"),
    ]
    found = score_labels(labelled)
    assert (found["sampled"], found["labelled"], found["population"], found["covered"]) == (7, 6, 90, 90)
    assert found["accuracy"] == 5 / 6
    assert found["accuracy_weighted"] == pytest.approx((80 * 3 / 4 + 10) / 90)
    # F1 on the rows: 2 x 3 / (4 + 3), 1, and 0 for filter_value, which is never predicted.
    assert found["macro_f1"] == pytest.approx((6 / 7 + 1 + 0) / 3)
    assert found["macro_f1_weighted"] == pytest.approx((2 * 60 / (80 + 60) + 1 + 0) / 3)
    types = {row["type"]: row for row in found["types"]}
    assert list(types) == ["syntax", "filter_value", "result_mismatch"]
    mismatch = types["result_mismatch"]
    assert mismatch["share_predicted"] == pytest.approx(80 / 90)
    assert mismatch["share_labelled"] == pytest.approx(60 / 90)
    assert (mismatch["sampled"], mismatch["labelled"], mismatch["right"]) == (5, 4, 3)
    assert (mismatch["precision"], mismatch["recall"]) == (0.75, 1)
    assert types["filter_value"]["precision"] is None
    assert types["filter_value"]["recall"] == 0
    assert {"predicted": "result_mismatch", "label": "filter_value", "count": 1} in found["confusion"]
    assert len(found["confusion"]) == 3


def test_a_type_of_which_nothing_is_labelled_is_not_covered():
    found = score_labels([*rows("syntax", 10, "syntax"), *rows("execution", 30, "")])
    assert (found["population"], found["covered"]) == (40, 10)
    assert found["accuracy_weighted"] == 1
    assert [row["type"] for row in found["types"]] == ["syntax", "execution"]
    assert [row["f1"] for row in found["types"]] == [1, None]
    assert found["macro_f1"] == found["macro_f1_weighted"] == 1


def test_a_label_of_a_type_that_is_not_covered_does_not_say_what_its_recall_is():
    found = score_labels([*rows("syntax", 10, "syntax", "execution"), *rows("execution", 30, "")])
    execution = found["types"][1]
    assert (execution["type"], execution["share_labelled"]) == ("execution", 0.5)
    assert execution["precision"] is execution["recall"] is execution["f1"] is None
    assert found["macro_f1"] == pytest.approx(2 / 3)  # of syntax alone


def test_without_a_label_there_is_nothing_to_score():
    with pytest.raises(InputError, match="no row is labelled"):
        score_labels(rows("syntax", 3, "", ""))


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=30))
def test_where_all_is_labelled_the_sample_is_the_population(pairs):
    sizes = {name: sum(predicted == name for predicted, _ in pairs) for name in LABELS}
    found = score_labels([Labelled(label, predicted, sizes[predicted]) for predicted, label in pairs])
    assert found["accuracy"] == pytest.approx(found["accuracy_weighted"])
    assert found["macro_f1"] == pytest.approx(found["macro_f1_weighted"])
    assert 0 <= found["macro_f1"] <= 1
    assert sum(row["share_labelled"] for row in found["types"]) == pytest.approx(1)
    assert (found["accuracy"] == 1) == all(a == b for a, b in pairs) == (found["macro_f1"] == 1)
