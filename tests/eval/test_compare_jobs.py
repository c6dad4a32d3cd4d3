"""Streams in threads: all of them run, one that fails ends the others between two steps."""

from __future__ import annotations

import threading

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval._jobs import run_streams
from sqlmend.eval.comparison._streams import StreamId
from sqlmend.models import Usage, meter
from sqlmend.models._meter import Call, count

STREAMS = [StreamId("merit", "allow", order) for order in range(6)]


@pytest.mark.parametrize("jobs", [1, 3, 20])
def test_every_stream_runs_once(jobs):
    assert run_streams(STREAMS, lambda stream, _: stream.order, jobs) == {s: s.order for s in STREAMS}


def test_as_many_run_at_the_same_time_as_asked_for():
    together = threading.Barrier(3, timeout=30)
    run_streams(STREAMS, lambda *_: together.wait(), 3)


def test_a_meter_around_the_comparison_sees_every_stream_and_streams_do_not_see_each_other():
    def run(stream, _):
        with meter() as usage:
            count(Call(str(stream), True, stream.order, 0, 0, 0.0, 0.0))
        return usage

    with meter() as whole:
        done = run_streams(STREAMS, run, 3)
    assert whole.calls == len(STREAMS)
    assert all(isinstance(usage, Usage) and usage.calls == 1 for usage in done.values())


@pytest.mark.parametrize("kind", [SqlmendError, InputError])
def test_a_failure_stops_the_others_and_says_where_it_was(kind):
    begun, steps = threading.Event(), []

    def run(stream, stopping):
        if stream.order == 0:
            begun.wait(30)
            raise kind("lm_unreachable", "nobody there", hint="start it")
        while True:
            begun.set()
            steps.append(stream.order)
            stopping()

    with pytest.raises(kind) as error:
        run_streams(STREAMS, run, 2)
    assert error.value.code == "lm_unreachable"
    assert "merit, same group allow, order 0: nobody there" in error.value.message
    assert error.value.hint == "start it"
    assert set(steps) == {1}  # the four that waited never began


def test_a_failure_of_another_kind_comes_out_as_it_is():
    def run(stream, _):
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left") as error:
        run_streams(STREAMS, run, 1)
    assert "order 0" in error.value.__notes__[0]
