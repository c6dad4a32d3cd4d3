"""Work goes on with the context window that it began with: what is served is no setting of the user's."""

import json
from dataclasses import replace

import pytest

from sqlmend.errors import SqlmendError
from sqlmend.eval import EpisodeDone, load_benchmark, run
from sqlmend.eval.comparison import compare
from sqlmend.eval.crystallization import crystallize
from sqlmend.eval.notes_measure import MeasureRequest, measure
from sqlmend.models import LanguageModel, Memo
from sqlmend.optimize import TuneRequest, prepare, tune
from sqlmend.programs import load_program
from sqlmend.testing import HashEmbedder, ScriptedEngine, scripted_lm
from tests.eval import comparisons
from tests.eval.crystallization import studies
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


def model(out, engine, window):
    """The simulator with a window of that many tokens."""
    backend = engine(answer, name="mini-simulator", context_window=window)
    return LanguageModel("scripted", backend, Memo(out.with_name(f"memo-{out.name}")))


def asked(out, engine, window, **changes):
    """A run of that model."""
    return replace(request(out, sample="6", **changes), lm=model(out, engine, window))


def windows(folder):
    """The context windows of all runs in a folder."""
    found = (json.loads(file.read_text()) for file in folder.rglob("config.json"))
    return {config["lm"]["context_window"] for config in found}


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


@pytest.mark.parametrize(("engine", "window"), [(ScriptedEngine, 64_000), (Gone, 32_000)])
def test_a_resumed_comparison_has_one_window(tmp_path, engine, window):
    out = tmp_path / "cmp"
    begun = comparisons.request(out, ["iterative"], orders=(0, 1), sample="4")
    with begun.benchmark:
        with pytest.raises(Stopped):
            compare(replace(begun, lm=model(out, ScriptedEngine, 32_000)), [lambda _, event: stop(event)])
        compare(replace(begun, lm=model(out, engine, window), resume=True))
    assert len(list(out.rglob("summary.json"))) == 2
    assert windows(out) == {32_000}


def test_a_resumed_study_of_cards_has_one_window(tmp_path):
    split = studies.marked(tmp_path / "data", sample="8")
    begun = studies.request(split, tmp_path / "out", studies.Model(stop_at=1))
    with split:
        with pytest.raises(KeyboardInterrupt):
            crystallize(begun)
        with pytest.raises(KeyboardInterrupt):
            crystallize(replace(begun, lm=begun.lm.within(64_000), resume=True))
    assert windows(tmp_path / "out") == {32_000}


def test_a_resumed_tuning_is_the_study_that_was_begun(tmp_path):
    with load_benchmark("mini").select(sample="4") as train:
        begun = TuneRequest(
            load_program("merit", ["budget=1"]),
            train,
            model(tmp_path / "out", ScriptedEngine, 32_000),
            tmp_path / "out",
            embedder=HashEmbedder(),
            space={"only": True, "recall.type_policy": ["hard", "off"]},
            trials=1,
            storage=f"sqlite:///{tmp_path}/out/study.db",
        )
        prepare(begun)
        tune(replace(begun, lm=begun.lm.within(64_000), resume=True))
    assert windows(tmp_path / "out") == {32_000}


def test_a_resumed_measurement_of_notes_has_one_window(tmp_path):
    def dies(prompt):
        raise SqlmendError("gone", "the server is gone")

    begun = MeasureRequest(scripted_lm(dies, name="dies", context_window=32_000), tmp_path / "out", draws=1)
    with pytest.raises(SqlmendError, match="the server is gone"):
        measure(begun)
    with pytest.raises(SqlmendError, match="the server is gone"):
        measure(replace(begun, lm=begun.lm.within(64_000), resume=True))
    assert windows(tmp_path / "out") == {32_000}
