"""A study that was killed, or whose folder was touched, and goes on."""

import json
import shutil

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval.crystallization import read_bank, study_results, write_bank
from tests.eval.crystallization.studies import Model, marked, study


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    with marked(tmp_path_factory.mktemp("marked")) as found:
        yield found


@pytest.fixture(scope="module")
def whole(asked, tmp_path_factory):
    """The folder of a study that nothing happened to, and how many prompts it took."""
    model = Model()
    return study(asked, tmp_path_factory.mktemp("whole") / "cry", model, "k=1"), len(model.prompts)


def copy(whole, tmp_path, *without):
    folder = shutil.copytree(whole[0], tmp_path / "cut")
    for name in without:
        shutil.rmtree(folder / name)
    return folder


@pytest.mark.parametrize(("at", "stage"), [(30, ""), (-3, "use/")])
def test_a_killed_study_goes_on_and_ends_the_same(asked, whole, tmp_path, at, stage):
    cut, prompts = tmp_path / "cut", whole[1]
    with pytest.raises(KeyboardInterrupt):
        study(asked, cut, Model(stop_at=at % prompts), "k=1")
    halfway = study_results(cut)
    assert not halfway["complete"]
    assert halfway["missing"]
    assert all(run["path"].startswith(stage) for run in halfway["missing"])
    with pytest.raises(InputError, match="study"):
        study(asked, cut, Model(), "k=1")
    with pytest.raises(InputError, match="another study"):
        study(asked, cut, Model(), "k=10", resume=True)
    study(asked, cut, Model(), "k=1", resume=True)
    finished = Model()
    study(asked, cut, finished, "k=1", resume=True)
    assert finished.prompts == []
    assert study_results(cut) == study_results(whole[0])


def test_one_killed_between_a_bank_and_its_record_goes_on_and_ends_the_same(asked, whole, tmp_path):
    cut = copy(whole, tmp_path, "use", "serve", "floor")
    (cut / "bank.json").unlink()
    half = cut / "bank" / "cards.jsonl"
    written = half.read_bytes()
    half.write_bytes(written[:-2])  # whatever lies there, nothing vouches for it
    study(asked, cut, Model(), "k=1", resume=True)
    assert half.read_bytes() == written
    assert study_results(cut) == study_results(whole[0])


@pytest.mark.parametrize("piece", ["repair", "use/transfer/default/all"])
def test_a_finished_run_that_lost_its_end_is_completed(asked, whole, tmp_path, piece):
    cut = copy(whole, tmp_path)
    lost = cut / piece / "episodes.jsonl"
    written = lost.read_bytes()
    lost.write_bytes(written[:-50])
    assert [run["path"] for run in study_results(cut)["missing"]] == [piece]
    study(asked, cut, Model(), "k=1", resume=True)
    assert lost.read_bytes() == written
    assert study_results(cut) == study_results(whole[0])


class Moody(Model):
    """Words every lesson in another way."""

    def reply(self, prompt):
        said = super().reply(prompt)
        return f"<answer>Lesson {len(self.prompts)}.</answer>" if "short lesson" in prompt else said


def test_after_a_kill_a_bank_without_sql_is_made_of_the_lessons_that_were_written(asked, tmp_path):
    folder = study(asked, tmp_path / "cry", Moody(), "content")
    whole = folder / "banks" / "format-capsule" / "all"
    bare = folder / "banks" / "format-capsule_content-lesson_only" / "all"
    written = read_bank(bare)
    assert [card.question_id for card in written] == [card.question_id for card in read_bank(whole)] != []
    shutil.rmtree(bare)
    record = bare.with_name(f"{bare.name}.json")
    said = record.read_text("utf-8")
    record.unlink()
    resumed = Moody()
    study(asked, folder, resumed, "content", resume=True)
    assert resumed.prompts == []
    assert (read_bank(bare), record.read_text("utf-8")) == (written, said)


def test_a_bank_that_is_not_the_one_that_was_built_is_not_used(asked, whole, tmp_path):
    cut = copy(whole, tmp_path, "bank")
    write_bank(read_bank(whole[0] / "bank")[1:], cut / "bank", {})
    finished = Model()
    study(asked, cut, finished, "k=1", resume=True)
    assert finished.prompts == [], "nothing is to be asked with it"
    shutil.rmtree(cut / "use" / "transfer")
    with pytest.raises(InputError, match="does not hold the cards that the study built") as caught:
        study(asked, cut, Model(), "k=1", resume=True)
    assert caught.value.code == "other_bank"
    shutil.rmtree(cut / "bank")
    (cut / "bank.json").unlink()
    study(asked, cut, Model(), "k=1", resume=True)
    assert study_results(cut) == study_results(whole[0])


def test_a_record_of_an_earlier_version_does_not_know_its_bank(asked, whole, tmp_path):
    cut = copy(whole, tmp_path, "use/transfer/k-1")
    record = json.loads((cut / "bank.json").read_text("utf-8"))
    del record["cards_hash"], record["lost"]
    (cut / "bank.json").write_text(json.dumps(record))
    study(asked, cut, Model(), "k=1", resume=True)
    assert study_results(cut)["levels"] == study_results(whole[0])["levels"]


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("bank.json", lambda _: {}),
        ("bank.json", lambda _: []),
        ("bank.json", lambda found: {name: found[name] for name in found if name != "cards"}),
        ("crystallization.json", lambda found: {name: found[name] for name in found if name != "questions"}),
        ("crystallization.json", lambda found: {name: found[name] for name in found if name != "margin"}),
        ("crystallization.json", lambda found: found | {"questions": [{"id": "q1"}]}),
        ("crystallization.json", lambda found: found | {"designs": [{}]}),
        ("crystallization.json", lambda found: found | {"seeds": 42}),
    ],
)
def test_a_damaged_folder_is_said_to_be_one(whole, tmp_path, file, change):
    (tmp_path / "cry").mkdir()
    for name in ("bank.json", "crystallization.json"):
        shutil.copy(whole[0] / name, tmp_path / "cry" / name)
    found = json.loads((whole[0] / file).read_text("utf-8"))
    (tmp_path / "cry" / file).write_text(json.dumps(change(found)))
    with pytest.raises(SqlmendError) as caught:
        study_results(tmp_path / "cry")
    assert caught.value.code == "damaged_study"
