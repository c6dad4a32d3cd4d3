"""A run goes on with the context window that it began with: what is served is no setting of the user's."""

import json
from dataclasses import replace

import pytest

from sqlmend.errors import SqlmendError
from sqlmend.eval import EpisodeDone, run
from sqlmend.models import LanguageModel, Memo
from sqlmend.testing import ScriptedEngine
from tests.eval.runs import reproducible, request
from tests.simulator import answer


class Gone(ScriptedEngine):
    """A model whose server is not there to say what it serves."""

    @property
    def context_window(self):
        raise SqlmendError("lm_unreachable", "the server does not answer")


class Stopped(Exception):
    pass


def stop(event):
    """An observer that ends a run after its third episode."""
    if isinstance(event, EpisodeDone) and event.record["position"] == 2:
        raise Stopped


def asked(out, engine, window, **changes):
    """A run of the simulator with a window of that many tokens."""
    backend = engine(answer, name="mini-simulator", context_window=window)
    lm = LanguageModel("scripted", backend, Memo(out.with_name(f"memo-{out.name}")))
    return replace(request(out, sample="6", **changes), lm=lm)


@pytest.mark.parametrize(("engine", "window"), [(ScriptedEngine, 64_000), (Gone, 32_000)])
def test_a_resumed_run_ends_as_an_undisturbed_one(tmp_path, engine, window):
    whole, part = tmp_path / "whole", tmp_path / "part"
    with asked(whole, ScriptedEngine, 32_000).benchmark:
        run(asked(whole, ScriptedEngine, 32_000))
        with pytest.raises(Stopped):
            run(asked(part, ScriptedEngine, 32_000), [stop])
        run(asked(part, engine, window, resume=True))
    assert reproducible(part) == reproducible(whole)
    assert json.loads((part / "config.json").read_text())["lm"]["context_window"] == 32_000


def test_a_run_does_not_begin_where_the_server_is_not_there(tmp_path):
    begun = asked(tmp_path / "out", Gone, 32_000, resume=True)
    with begun.benchmark, pytest.raises(SqlmendError, match="does not answer"):
        run(begun)
    assert not (tmp_path / "out" / "config.json").exists()
