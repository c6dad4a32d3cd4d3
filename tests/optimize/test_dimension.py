"""Values of a dimension and their labels."""

import pytest

from sqlmend.errors import InputError
from sqlmend.optimize._dimension import Dimension, spaced
from sqlmend.programs.steps import Tunable


def test_spaced_numbers_are_written_as_people_write_them():
    assert spaced(0, 1, 0.1, "x") == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert spaced(1, 6, 1, "x") == (1, 2, 3, 4, 5, 6)
    assert all(isinstance(value, int) for value in spaced(1, 6, 1, "x"))


@pytest.mark.parametrize("numbers", [(0, 1, 0), (0, 1, -1), (1, 0, 1), (0, 1, 0.3), (0, 1, 1e-9)])
def test_a_step_that_leads_nowhere_is_refused(numbers):
    with pytest.raises(InputError, match="no range of steps"):
        spaced(*numbers, "recall.dense")


def test_the_own_value_must_be_searched():
    with pytest.raises(InputError, match=r"recall.dense: the program's own value 0.75"):
        Dimension("recall.dense", 0.75, (0.1, 0.2), True)


def test_what_is_no_number_goes_by_a_label_and_comes_back():
    lists = Dimension("recall.reliable_types", ["syntax"], (["syntax"], []), False)
    assert [lists.label(value) for value in lists.values] == ['["syntax"]', "[]"]
    assert [lists.value(label) for label in lists.distribution.choices] == [["syntax"], []]
    words = Dimension("recall.scope", "any", ("any", "same_database"), False)
    assert words.distribution.choices == ("any", "same_database")


def test_a_number_that_floating_point_has_moved_is_put_back():
    dense = Dimension("recall.dense", 0.5, spaced(0, 1, 0.1, "x"), True)
    assert dense.value(0.30000000000000004) == 0.3
    assert dense.distribution.step == 0.1


def test_a_range_without_a_step_has_one():
    assert Tunable(low=0.5, high=1.0).spacing == pytest.approx(0.05)
    assert Tunable(low=1, high=6).spacing == 1
    assert Tunable(low=0, high=1, step=0.5).spacing == 0.5


@pytest.mark.parametrize("wrong", [{}, {"low": 1}, {"low": 0, "high": 1, "choices": (1,)}])
def test_a_range_is_numbers_or_choices(wrong):
    with pytest.raises(ValueError, match="low and high, or choices"):
        Tunable(**wrong)
