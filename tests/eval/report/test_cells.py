import pytest

from sqlmend.eval.report import Column, Estimate, Spread

CASES = [
    ("share", 0.5833, "58.3\u202f%"),
    ("share", Estimate(0.5, 0.4, 0.625), "50.0\u202f% [40.0, 62.5]"),
    ("share", Estimate(0.5), "50.0\u202f%"),
    ("share", Spread(0.5, 0.021), "50.0\u202f% ± 2.1"),
    ("share", Spread(0.5), "50.0\u202f%"),
    ("points", Estimate(-0.051, -0.1, 0.02), "−5.1 [−10.0, +2.0]"),
    ("points", 0.0, "0.0"),
    ("points", -0.00001, "0.0"),
    ("count", 12345.6, "12\u202f346"),
    ("amount", 12.0, "12"),
    ("amount", 1.645, "1.65"),
    ("amount", 18.5, "18.5"),
    ("number", 1.645, "1.65"),
    ("tenths", -3.25, "−3.2"),
    ("signed", 635.9, "+635.9"),
    ("times", 1.5, "1.50×"),
    ("p", 0.00019, "< 0.001"),
    ("p", 0.2, "0.200"),
    ("text", "merit", "merit"),
    ("count", None, "–"),
]


@pytest.mark.parametrize(("kind", "cell", "shown"), CASES)
def test_each_kind_of_cell_is_written_as_a_reader_expects(kind, cell, shown):
    assert Column("x", kind).show(cell) == shown


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="share"):
        Column("x", "percent")
