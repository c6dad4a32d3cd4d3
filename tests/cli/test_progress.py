"""What bars say of a run that goes on: questions that run again count once."""

import pytest

from sqlmend.cli._compare_progress import ComparisonProgress
from sqlmend.cli._progress import StreamProgress
from sqlmend.eval import EpisodeDone
from tests.eval.comparisons import request
from tests.eval.runs import broken_from, episodes, killed, start


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    """A comparison whose one stream was killed among its failures, and its episodes when it is whole."""
    place = tmp_path_factory.mktemp("progress")
    asked = request(place / "cmp", ("iterative",), orders=(0,), sample="6", resume=True)
    (stream,) = asked.streams
    killed(stream.folder(asked.out), 2, "iterative", sample="6", reply=broken_from(1))
    start(place / "whole", "iterative", sample="6")
    return asked, stream, episodes(place / "whole")


def test_of_a_run(streams):
    asked, stream, whole = streams
    progress = StreamProgress("run", 6, episodes(stream.folder(asked.out)))
    for record in whole:
        progress(EpisodeDone(record, 6))
    (task,) = progress._bar.tasks
    assert task.completed == 6
    assert task.fields["words"].startswith(f"EX {sum(e['score_after'] for e in whole) / 6:.1%}, ")


def test_of_a_comparison(streams, capsys):
    asked, stream, whole = streams
    progress = ComparisonProgress(asked)
    done = []
    for record in whole:
        progress(stream, EpisodeDone(record, 6))
        done.append([task.completed for task in progress._bar.tasks])
    assert done == [[n, n] for n in (2, 2, 3, 4, 5, 6)]
    assert capsys.readouterr().err.count("finished: ") == 1
