"""What of a step log counts."""

from __future__ import annotations

from sqlmend.eval._summary import last_runs


def log(*keys):
    return [
        {"position": position, "step": step, "attempt": attempt, "at": n}
        for n, (position, step, attempt) in enumerate(keys)
    ]


def test_steps_count_since_their_episode_was_last_begun():
    first = [(0, "generate", 0), (0, "observe", 1), (0, "commit", 1)]
    killed = [(1, "generate", 0), (1, "observe", 1), (1, "revise", 1), (1, "observe", 2)]
    again = [(1, "generate", 0), (1, "observe", 1)]
    last = [(1, "generate", 0), (1, "observe", 1), (1, "commit", 1), (2, "generate", 0)]
    found = last_runs(log(*first, *killed, *again, *last))
    assert [step["at"] for step in found] == [0, 1, 2, 9, 10, 11, 12]


def test_an_episode_that_was_killed_in_its_first_step_is_begun_once():
    assert last_runs(log((0, "observe", 1), (0, "observe", 1), (0, "revise", 1)))[0]["at"] == 1
    assert last_runs([]) == []


def test_an_episode_that_failed_in_its_first_step_leaves_nothing_of_an_earlier_one_and_nothing_to_a_later():
    whole = [(0, "generate", 0), (0, "observe", 1), (0, "commit", 1)]
    killed = [(0, "generate", 0), (0, "observe", 1)]
    for before in (whole, killed):
        assert [step["at"] for step in last_runs(log(*before, (0, "commit", 0)))] == [len(before)]
    assert [step["at"] for step in last_runs(log((0, "commit", 0), *whole))] == [1, 2, 3]
