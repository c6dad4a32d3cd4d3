"""Whose a trial is: another machine's processes are nobody's to declare dead."""

import pytest

from sqlmend.optimize import _owner
from sqlmend.optimize._owner import has_ended, owner

NOBODY = 2**22 + 1  # no process of Linux has so high a number


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Makes this process one of another machine of the same name."""

    def become(name):
        (tmp_path / "boot_id").write_text(f"{name}\n")
        monkeypatch.setattr(_owner, "_MACHINE", (tmp_path / "missing", tmp_path / "boot_id"))

    return become


def test_of_two_machines_of_one_name_none_ends_the_trials_of_the_other(machine):
    machine("one")
    there = owner().rpartition(":")[0]
    assert has_ended(f"{there}:{NOBODY}")
    assert not has_ended(owner())
    machine("other")
    assert not has_ended(f"{there}:{NOBODY}")


def test_a_machine_that_says_nothing_of_itself_has_its_name_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(_owner, "_MACHINE", (tmp_path / "missing",))
    monkeypatch.setattr(_owner, "_NAMESPACE", tmp_path / "missing")
    assert owner().count("/") == 0
    assert not has_ended(owner())
