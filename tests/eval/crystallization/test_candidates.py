import json
import shutil

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval import load_benchmark
from sqlmend.eval.crystallization import SourceRun, candidates
from sqlmend.modules.cards import FORMATS, write_card
from tests.eval.crystallization.geo import Learner, benchmark
from tests.eval.runs import episodes, start


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the benchmark `geo`, and runs of `probe` and `self_vote` over it."""
    root = tmp_path_factory.mktemp("candidates")
    geo = benchmark(root / "geo")
    for program in ("probe", "self_vote"):
        start(root / program, program, sets=(), benchmark=geo, reply=Learner())
    return root


@pytest.fixture
def geo(place):
    with load_benchmark(f"spider:{place / 'geo'}") as opened:
        yield opened


def by_question(found):
    return {one.material.question[-2:-1]: one for one in found}


def test_corrections_are_of_questions_that_were_wrong_and_tried_again(place, geo):
    found = by_question(candidates(place / "probe", geo))
    assert {number: one.correct for number, one in found.items()} == {
        "1": False,
        "2": True,
        "4": True,
        "5": False,
        "6": True,
    }
    assert not any(one.voted for one in found.values())
    material = found["2"].material
    assert (material.db_id, material.evidence) == ("geo", "")
    assert material.schema == geo.open("geo").schema()
    assert [(one.sql, one.status) for one in material.attempts] == [
        ("SELECT name FROM city WHERE id = 3", "mismatch"),
        ("SELECT name FROM city WHERE id = 2", "match"),
    ]
    assert material.failure_types == ("result_mismatch", "")
    (look,) = material.probes
    assert (look.execution.sql, look.execution.status, look.attempt) == (
        "SELECT id FROM city WHERE id < 3",
        "ok",
        1,
    )
    assert look.rows == "2 rows of (id): (1); (2)"
    assert len(found["1"].material.attempts) == 4


def test_first_answers_are_all_of_them_without_what_came_after(place, geo):
    found = by_question(candidates(place / "probe", geo, first_try=True))
    assert {number for number, one in found.items() if one.correct} == {"3"}
    assert len(found) == 6
    assert all(len(one.material.attempts) == 1 and not one.material.probes for one in found.values())


def test_a_vote_is_marked_and_not_its_first_answers(place, geo):
    assert SourceRun.read(place / "self_vote").voted
    found = by_question(candidates(place / "self_vote", geo))
    assert all(one.voted for one in found.values())
    assert found["2"].correct
    assert not found["1"].correct
    assert not any(one.voted for one in candidates(place / "self_vote", geo, first_try=True))


def test_an_attempt_without_a_query_makes_no_card(place, geo):
    none = by_question(candidates(place / "probe", geo))["5"].material
    assert none.sql == ""
    for form in FORMATS:
        if form != "capsule":
            assert write_card(form, none) is None


def changed(place, tmp_path, change):
    """The run of `probe` with its episodes changed."""
    shutil.copytree(place / "probe", tmp_path / "run")
    records = episodes(place / "probe")
    change(records)
    text = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "run" / "episodes.jsonl").write_text(text)
    return tmp_path / "run"


def test_what_nobody_can_judge_and_what_was_cut_short_is_no_candidate(place, geo, tmp_path):
    def spoil(records):
        one, other = [record for record in records if len(record["attempts"]) > 1][:2]
        one["attempts"][0]["status"] = "reference_failed"
        other["error"] = "context_overflow"

    assert len(candidates(changed(place, tmp_path, spoil), geo)) == 3


def test_a_run_of_other_questions_is_refused(place, geo, tmp_path):
    with pytest.raises(InputError, match="is a run over spider:dev"):
        candidates(place / "probe", geo.select(limit=2))
    with pytest.raises(InputError, match="questions are not those of mini"):
        SourceRun.read(place / "probe").open_benchmark("mini")
    shutil.copytree(place / "geo", tmp_path / "geo")
    asked = json.loads((tmp_path / "geo" / "dev.json").read_text())
    asked[0]["query"] = "SELECT 1"
    (tmp_path / "geo" / "dev.json").write_text(json.dumps(asked))
    with pytest.raises(InputError, match="questions are not those of spider:dev here"):
        SourceRun.read(place / "probe").open_benchmark(f"spider:{tmp_path / 'geo'}")


def test_the_benchmark_of_a_run_is_found_again_with_its_questions(place, tmp_path):
    spec = f"spider:{place / 'geo'}"
    start(tmp_path / "run", "iterative", benchmark=load_benchmark(spec).select(limit=3), reply=Learner())
    run = SourceRun.read(tmp_path / "run")
    assert (run.program, run.budget, run.voted, run.questions) == ("iterative", 2, False, 3)
    with run.open_benchmark(spec) as chosen:
        assert len(chosen.questions) == 3


def test_no_run_an_unfinished_and_a_damaged_one(place, tmp_path):
    with pytest.raises(InputError, match="holds no run"):
        SourceRun.read(tmp_path)
    run = changed(place, tmp_path, lambda records: records.pop())
    with pytest.raises(InputError, match="has finished 5 of 6 questions"):
        SourceRun.read(run).open_benchmark(f"spider:{place / 'geo'}")
    (run / "config.json").write_text("{}")
    with pytest.raises(SqlmendError, match="is damaged"):
        SourceRun.read(run)
