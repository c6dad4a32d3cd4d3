"""The tuner keeps DSPy's contract of an optimizer, on real streams with the simulated model."""

import json
from dataclasses import replace

import dspy
import pytest
from dspy.teleprompt import Teleprompter
from dspy.utils.callback import BaseCallback

from sqlmend.databases import Descriptions
from sqlmend.errors import InputError
from sqlmend.eval import Benchmark, RunRequest, load_benchmark, read_episodes
from sqlmend.eval._run import _config
from sqlmend.models import Memo
from sqlmend.optimize import RetrievalTuner, TuneRequest, as_examples, split_off
from sqlmend.optimize._tune import plan_of
from sqlmend.programs import load_program
from sqlmend.testing import HashEmbedder, scripted_lm
from tests.simulator import answer

SPACE = {
    "only": True,
    "recall.top_k.positive": [0, 1, 3, 6],
    "recall.type_policy": ["hard", "off"],
    "revise.repeat": ["keep", "stop"],
}


class Heard(BaseCallback):
    def __init__(self):
        self.compiles = []
        self.modules = set()

    def on_module_start(self, call_id, instance, inputs):
        self.modules.add(type(instance).__name__)


class Compiled:
    """One study for all tests of this file."""

    def __init__(self, folder):
        self.out = folder / "tuned"
        self.mini = load_benchmark("mini").select(sample="24")
        self.train, self.held = split_off(self.mini, 0.3, 0)
        self.lm = scripted_lm(
            answer, name="mini-simulator", context_window=32_000, memo=Memo(folder / "memo")
        )
        self.student = load_program("merit", ["budget=2"])
        self.student.steps[0].generate.predict.demos = [dspy.Example(question="q", sql="SELECT 1")]
        self.before = json.dumps(self.student.dump_state())
        self.heard = Heard()
        self.tuner = self.make()
        with dspy.context(lm=self.lm, callbacks=[self.heard]):
            self.better = self.tuner.compile(
                self.student, trainset=as_examples(self.train), valset=as_examples(self.held)
            )

    def make(self, **changes):
        settings = {
            "benchmark": self.mini,
            "space": SPACE,
            "trials": 5,
            "storage": f"sqlite:///{self.out}/study.db",
            "embedder": HashEmbedder(),
            "out": self.out,
        }
        return RetrievalTuner(**{**settings, **changes})


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    return Compiled(tmp_path_factory.mktemp("tuner"))


def test_it_is_an_optimizer_of_dspy(compiled):
    assert isinstance(compiled.tuner, Teleprompter)
    assert isinstance(compiled.better, dspy.Module)
    assert compiled.tuner.get_params()["trials"] == 5


def test_the_student_stays_as_it_is(compiled):
    assert json.dumps(compiled.student.dump_state()) == compiled.before
    assert compiled.student == load_with_demos(compiled.student)
    assert compiled.better is not compiled.student


def load_with_demos(student):
    fresh = load_program("merit", ["budget=2"])
    fresh.steps[0].generate.predict.demos = student.steps[0].generate.predict.demos
    return fresh


def test_what_the_predictors_hold_is_kept(compiled):
    assert compiled.better.steps[0].generate.predict.demos == compiled.student.steps[0].generate.predict.demos
    names = [name for name, _ in compiled.better.named_parameters()]
    assert names == [name for name, _ in compiled.student.named_parameters()]


def test_it_saves_loads_and_copies(compiled, tmp_path):
    compiled.better.save(tmp_path / "tuned.json")
    loaded = load_program("merit", ["budget=2"])
    loaded.load(tmp_path / "tuned.json")
    assert loaded == compiled.better
    assert compiled.better.deepcopy() == compiled.better
    assert load_program(compiled.out / "best.yaml").preset.steps == compiled.better.preset.steps


def test_callbacks_hear_the_program(compiled):
    assert "RepairProgram" in compiled.heard.modules


def test_trials_are_ordinary_runs_and_the_memo_pays_once(compiled):
    result = compiled.tuner.result
    first = compiled.out / "trials" / "0" / "order0"
    assert len(read_episodes(first)) == len(compiled.train.questions)
    assert json.loads((first / "summary.json").read_text())["ex_after"] == result["train"]["ex_defaults"]
    assert result["calls_paid"] < result["calls"]
    paid = [trial["calls_paid"] for trial in result["history"]]
    assert paid[0] == result["history"][0]["calls"]
    assert sum(paid[1:]) < sum(trial["calls"] for trial in result["history"][1:])


def test_the_result_says_what_it_is_worth(compiled):
    result = compiled.tuner.result
    assert result == json.loads((compiled.out / "result.json").read_text())
    assert result["trials"]["complete"] + result["trials"]["pruned"] == 5
    assert result["best"]["ex"] >= result["defaults"]["ex"]
    held = result["holdout"]
    assert held["questions"] == len(compiled.held.questions)
    assert held["low"] <= held["difference"] <= held["high"]
    assert result["selection_bias"] == pytest.approx(result["train"]["difference"] - held["difference"])
    assert any("separated" in line for line in result["words"])


def test_the_held_out_figures_are_those_of_the_programs(compiled):
    held = compiled.tuner.result["holdout"]
    folder = compiled.out / held["folders"]["defaults"] / "order0"
    assert held["ex_defaults"] == json.loads((folder / "summary.json").read_text())["ex_after"]
    about = compiled.tuner.result["provenance"]["holdout"]
    assert about["data_hash"] == compiled.held.data_hash
    assert json.loads((folder / "config.json").read_text())["selection"] == about["selection"]


def test_a_finished_study_goes_on_with_other_trials_and_another_holdout(compiled, tmp_path):
    train = compiled.mini.select(ids=[question.id for question in compiled.train.questions[:6]])
    rest = [as_examples(compiled.held)[:3], as_examples(compiled.held)[3:]]
    space = {"only": True, "recall.top_k.positive": [0, 3], "revise.repeat": ["keep", "stop"]}
    found = []
    for trials, held_out in ((1, rest[0]), (3, rest[0]), (3, rest[1]), (3, rest[1])):
        tuner = compiled.make(
            trials=trials, space=space, out=tmp_path, storage=f"sqlite:///{tmp_path}/s.db", resume=True
        )
        with dspy.context(lm=compiled.lm):
            tuner.compile(compiled.student, trainset=as_examples(train), valset=held_out)
        assert tuner.result == json.loads((tmp_path / "result.json").read_text())
        assert f"in {trials} trials" in (tmp_path / "best.yaml").read_text()
        found.append(tuner.result["holdout"])
    better = found[1]["folders"] != found[0]["folders"]
    assert [held["looks"] for held in found] == [1, 1 + better, 2 + better, 2 + better]
    assert found[1]["folders"]["defaults"] == found[0]["folders"]["defaults"]
    assert found[2]["questions"] != found[1]["questions"]
    assert any("times" in line for line in tuner.result["words"])


def test_compiling_again_needs_resume_and_changes_nothing(compiled):
    questions = {"trainset": as_examples(compiled.train), "valset": as_examples(compiled.held)}
    with dspy.context(lm=compiled.lm):
        with pytest.raises(InputError, match="--resume"):
            compiled.make().compile(compiled.student, **questions)
        again = compiled.make(resume=True)
        assert again.compile(compiled.student, **questions) == compiled.better
    assert again.result["history"] == compiled.tuner.result["history"]


def test_another_study_in_the_same_folder_is_refused(compiled):
    other = compiled.make(resume=True, orders=(1,))
    with dspy.context(lm=compiled.lm), pytest.raises(InputError, match="runs of the study"):
        other.compile(compiled.student, trainset=as_examples(compiled.train))


def test_shared_groups_are_refused_before_anything_runs(compiled, tmp_path):
    tuner = compiled.make(out=tmp_path / "out", storage=None)
    questions = as_examples(compiled.train)
    with dspy.context(lm=compiled.lm), pytest.raises(InputError, match="paraphrase"):
        tuner.compile(compiled.student, trainset=questions, valset=questions[:1])
    assert not (tmp_path / "out").exists()


def test_loaded_parameters_are_what_the_study_starts_from(compiled, tmp_path, caplog):
    student = load_program("merit", ["budget=1"])
    student.steps[2].recall.tunable.load_state(
        {**student.steps[2].recall.tunable.dump_state(), "top_k_positive": 6}
    )
    tuner = compiled.make(trials=1, storage=None, out=None)
    with dspy.context(lm=compiled.lm):
        better = tuner.compile(student, trainset=as_examples(compiled.train)[:3])
    assert tuner.result["defaults"]["settings"]["recall.top_k.positive"] == 6
    assert better.steps[2].recall.tunable.settings.top_k_positive == 6
    assert tuner.result["holdout"] is None
    assert "Nothing was held out" in tuner.result["words"][-1]
    told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert tuner.result["words"][-1] in told


def test_a_program_whose_memory_stays_empty_is_refused(compiled, tmp_path):
    tuner = compiled.make(out=tmp_path / "out", storage=None, space=None)
    for name in ("cards", "cards_probe"):
        with dspy.context(lm=compiled.lm), pytest.raises(InputError, match="none of its steps writes"):
            tuner.compile(load_program(name), trainset=as_examples(compiled.train))
    assert not (tmp_path / "out").exists()


def test_a_refused_storage_leaves_the_folder_as_it_was(compiled, tmp_path):
    (tmp_path / "empty").mkdir()
    questions = as_examples(compiled.train)[:3]
    for name in ("new", "empty"):
        with dspy.context(lm=compiled.lm), pytest.raises(InputError, match="no address"):
            compiled.make(out=tmp_path / name, storage="study.db").compile(
                compiled.student, trainset=questions
            )
    assert [item.name for item in tmp_path.iterdir()] == ["empty"]
    assert not list((tmp_path / "empty").iterdir())


def test_both_sides_are_judged_by_one_definition(compiled, tmp_path):
    other = Benchmark(replace(compiled.mini._split, definition="ordered"))
    assert compiled.mini.definition == "bag"
    tuner = compiled.make(trials=1, storage=None, out=tmp_path / "out", holdout=other)
    with dspy.context(lm=compiled.lm):
        tuner.compile(
            compiled.student,
            trainset=as_examples(compiled.train)[:2],
            valset=as_examples(compiled.held)[:2],
        )
    place = tmp_path / "out" / tuner.result["holdout"]["folders"]["defaults"] / "order0"
    assert json.loads((place / "config.json").read_text())["definition"] == "bag"
    assert tuner.result["provenance"]["definition"] == "bag"


def test_a_study_is_named_by_all_that_its_prompts_say(compiled, tmp_path, monkeypatch):
    asked = {"train": compiled.train, "lm": compiled.lm, "out": tmp_path, "embedder": HashEmbedder()}
    program = load_program("sdam_small")
    request = TuneRequest(program=program, **asked)
    plan = plan_of(request)
    assert plan.meaning["prompts"].keys() >= {"generate", "revise", "reflect", *program.prompts}
    config = _config(RunRequest(program, compiled.train, compiled.lm, tmp_path), (), "bag", None)
    assert plan.meaning["prompts"] == config["prompts"]
    monkeypatch.setattr(Benchmark, "descriptions", lambda *_: Descriptions({"city": {}}))
    described = plan_of(request)
    assert described.meaning["descriptions"].startswith("sha256:")
    assert described.name != plan.name
    assert "descriptions" not in plan_of(TuneRequest(program=compiled.student, **asked)).meaning


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"trials": 0}, "at least one trial"),
        ({"orders": (0, 0)}, "orders"),
        ({"metric": "exx"}, "exx"),
        ({"space": {"recall.dens": True}}, "recall.dense"),
    ],
)
def test_bad_settings_are_refused(compiled, changes, says):
    tuner = compiled.make(**{"storage": None, "out": None, **changes})
    with dspy.context(lm=compiled.lm), pytest.raises(InputError, match=says):
        tuner.compile(compiled.student, trainset=as_examples(compiled.train))


def test_a_student_with_a_model_of_its_own_is_refused(compiled):
    student = compiled.student.deepcopy()
    student.set_lm(compiled.lm)
    with dspy.context(lm=compiled.lm), pytest.raises(InputError, match=r"of its own in steps\[0\]"):
        compiled.make().compile(student, trainset=as_examples(compiled.train))


def test_without_a_language_model_it_says_so(compiled):
    with dspy.context(lm=None), pytest.raises(InputError, match="no language model"):
        compiled.make().compile(compiled.student, trainset=as_examples(compiled.train))
