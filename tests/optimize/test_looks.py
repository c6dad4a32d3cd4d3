"""Looks at the held-out questions: had once, by one process, and counted."""

import os

import optuna
import pytest

from sqlmend.errors import InputError
from sqlmend.optimize import _looks
from sqlmend.optimize._looks import look
from sqlmend.optimize._owner import owner


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(_looks, "_POLL_S", 0.0)
    monkeypatch.setattr(_looks, "_SETTLE_S", 0.0)


@pytest.fixture
def study():
    return optuna.create_study(storage=optuna.storages.InMemoryStorage())


def had(value):
    return lambda beat: {"ex": value}


def never(beat):
    raise AssertionError("it was looked at twice")


def elsewhere(process=1):
    """A process that is not this one, on another machine or on this."""
    return owner().rpartition(":")[0] + f":{process}"


def test_a_look_is_had_once_and_the_different_ones_are_counted(study):
    assert look(study, "a", had(1)) == {"ex": 1, "looks": 1}
    assert look(study, "b", had(2)) == {"ex": 2, "looks": 2}
    assert look(study, "a", never) == {"ex": 1, "looks": 2}


def test_a_look_that_failed_is_free_again(study):
    def fail(beat):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk"):
        look(study, "a", fail)
    assert look(study, "a", had(1))["looks"] == 1


def test_it_is_waited_for_where_another_process_has_it(study, monkeypatch, caplog):
    study.set_user_attr("judge", {"owner": f"another-machine:{os.getpid()}", "beat": 0})
    polls = []

    def poll(seconds):
        polls.append(seconds)
        if len(polls) == 3:
            study.set_user_attr("look:a", {"ex": 5})

    monkeypatch.setattr(_looks.time, "sleep", poll)
    assert look(study, "a", never) == {"ex": 5, "looks": 1}
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "waiting" in caplog.text


def test_it_is_taken_over_from_a_process_that_is_gone(study, monkeypatch):
    study.set_user_attr("judge", {"owner": elsewhere(4_194_305), "beat": 0})
    assert look(study, "a", had(1))["ex"] == 1
    # One of another machine is given up when it has been silent for long.
    study.set_user_attr("judge", {"owner": "another-machine:1", "beat": 0})
    clock = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(_looks.time, "monotonic", lambda: next(clock))
    assert look(study, "b", had(2))["ex"] == 2


def test_of_two_that_begin_at_once_the_last_name_stays(study, monkeypatch):
    def overtaken(seconds):
        attributes = study.user_attrs
        if attributes["judge"] and attributes["judge"]["owner"] == owner():
            study.set_user_attr("judge", {"owner": elsewhere(1), "beat": 0})
        else:
            study.set_user_attr("look:a", {"ex": 7})

    monkeypatch.setattr(_looks.time, "sleep", overtaken)
    assert look(study, "a", never)["ex"] == 7


def test_a_folder_that_another_process_writes_in_is_waited_for(study):
    calls = []

    def judge(beat):
        calls.append(1)
        beat()
        if len(calls) < 3:
            raise InputError("memory_locked", "process 1 is writing to the memory")
        return {"ex": 3}

    assert look(study, "a", judge)["ex"] == 3
