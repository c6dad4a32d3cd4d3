"""Scores that are counted as episodes come."""

from sqlmend.cli._tally import Tally


def test_an_episode_that_runs_again_counts_once():
    tally = Tally()
    for position, before, after in [(0, 1, 1), (1, 0, 0), (2, 0, 0), (1, 0, 1), (2, 1, 1)]:
        tally.count({"position": position, "score_before": before, "score_after": after})
    assert (len(tally), tally.before, tally.after) == (3, 2, 3)
