"""The measurement with a simulator: what is asked, what counts, and how it goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval.notes_measure import ARMS, MeasureRequest, load_scenarios, measure
from sqlmend.models import Memo
from sqlmend.testing import scripted_lm
from tests.eval.notes_measure.model import answer, scenario_of

SCENARIOS = load_scenarios()
POSSIBLE = [scenario for scenario in SCENARIOS if scenario.good]


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "attempts.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One draw with the simulator."""
    folder = tmp_path_factory.mktemp("measure") / "out"
    measure(MeasureRequest(scripted_lm(answer, name="whole"), folder, draws=1))
    return folder


def test_outcomes_are_told_apart(measured):
    results = json.loads((measured / "results.json").read_text())
    n = len(SCENARIOS)
    assert results["first"]["all"]["failed"] == results["first"]["all"]["noted"] == n
    rates = results["rates"]["all"]
    assert {arm: rates[arm]["n"] for arm in ARMS} == dict.fromkeys(ARMS, n)
    assert {arm: rates[arm]["scenarios"] for arm in ARMS} == dict.fromkeys(ARMS, len(SCENARIOS))
    counts = {
        arm: {name: found["count"] for name, found in rates[arm].items() if isinstance(found, dict)}
        for arm in ARMS
    }
    nothing = {"failed": 0, "answered": 0, "off_task": 0, "declined": 0, "no_statement": 0, "same": 0}
    assert counts["nothing"] == nothing | {"failed": n, "same": n}
    assert counts["warning"] == nothing | {"off_task": n}
    assert counts["instruction"] == nothing | {
        "answered": len(POSSIBLE),
        "declined": n - len(POSSIBLE),
    }
    assert results["rates"]["no_alternative"]["instruction"]["declined"]["rate"] == 1.0
    gap = results["differences"]["all"]["instruction - nothing"]["failed"]
    assert gap == {"difference": -1.0, "low": -1.0, "high": -1.0, "separated": True}
    assert results["cost"]["calls"] == n * 4
    assert set(results["differences"]["all"]) == {
        "warning - nothing",
        "instruction - nothing",
        "instruction - warning",
    }


def test_attempts_hold_what_was_shown(measured):
    rows = records(measured)
    assert len(rows) == 4 * len(SCENARIOS)
    first = next(row for row in rows if (row["scenario"], row["arm"], row["draw"]) == ("fee", "first", 1))
    assert (first["outcome"], first["error_class"]) == ("failed", "raised_rule")
    assert "an account must keep a balance of 25 or more" in first["note"]


def test_prompts_differ_in_the_arm_alone(tmp_path):
    prompts: list[str] = []

    def remember(prompt: str) -> str:
        prompts.append(prompt)
        return answer(prompt)

    measure(MeasureRequest(scripted_lm(remember, name="prompts"), tmp_path / "out", draws=1))
    first, nothing, warning, instruction = prompts[:4]
    cue = "\n\nAnswer with"
    common = nothing[: nothing.index(cue)]
    assert warning.startswith(common)
    assert instruction.startswith(common)
    assert common.startswith(first[: first.index(cue)])
    assert SCENARIOS[0].naive in common
    assert "rule" not in first[: first.index("<task>")]
    assert "must keep" not in warning
    assert "must keep" in instruction


def test_only_a_failure_that_left_a_note_counts(tmp_path):
    def careful(prompt: str) -> str:
        scenario = scenario_of(prompt)
        return {
            "fee": f"<answer>{scenario.good}</answer>",
            "correction": f"<answer>{scenario.miss}</answer>",
            "cancellation": "<answer>BLOCKED: a rule</answer>",
            "retention": "I do not know.",
        }.get(scenario.name, answer(prompt))

    results = measure(MeasureRequest(scripted_lm(careful, name="careful"), tmp_path / "out", draws=1))
    first = results["first"]["non_inferable"]
    expected = {
        "answered": 1,
        "off_task": 1,
        "declined": 1,
        "no_statement": 1,
        "failed": 1,
        "noted": 1,
        "n": 5,
    }
    assert {name: first[name] for name in expected} == expected
    assert results["rates"]["non_inferable"]["nothing"]["n"] == 1


def test_draws_are_sampled_one_by_one(tmp_path):
    lm = scripted_lm(answer, name="draws", memo=Memo(tmp_path / "memo"))
    results = measure(MeasureRequest(lm, tmp_path / "out", draws=2, temperature=0.5, arms=("instruction",)))
    assert results["cost"]["calls"] == 2 * 2 * len(SCENARIOS)
    assert len({row["draw"] for row in records(tmp_path / "out")}) == 2
    assert results["config"]["temperature"] == 0.5
    assert results["differences"]["all"] == {}


@pytest.mark.parametrize("calls", [0, 1, 6])
def test_a_stopped_measurement_goes_on(measured, tmp_path, calls):
    made = 0

    def dies(prompt: str) -> str:
        nonlocal made
        made += 1
        if made > calls:
            raise SqlmendError("gone", "the server is gone")
        return answer(prompt)

    out = tmp_path / "out"
    with pytest.raises(SqlmendError, match="the server is gone"):
        measure(MeasureRequest(scripted_lm(dies, name="whole"), out, draws=1))
    with (out / "attempts.jsonl").open("a") as file:
        file.write('{"torn')
    config = json.loads((out / "config.json").read_text())
    config["lm"]["code"] = json.loads((measured / "config.json").read_text())["lm"]["code"]
    (out / "config.json").write_text(json.dumps(config))
    measure(MeasureRequest(scripted_lm(answer, name="whole"), out, draws=1, resume=True))
    for name in ("attempts.jsonl", "results.json"):
        assert (out / name).read_bytes() == (measured / name).read_bytes()


def test_a_folder_holds_one_measurement(measured, tmp_path):
    lm = scripted_lm(answer, name="whole")
    with pytest.raises(InputError, match="holds a measurement"):
        measure(MeasureRequest(lm, measured, draws=1))
    with pytest.raises(InputError, match=r"draws was 1, is now 3"):
        measure(MeasureRequest(lm, measured, draws=3, resume=True))
    (tmp_path / "other").write_text("x")
    with pytest.raises(InputError, match="holds no measurement"):
        measure(MeasureRequest(lm, tmp_path))
    with pytest.raises(InputError, match="is a file"):
        measure(MeasureRequest(lm, tmp_path / "other"))
    assert [item.name for item in tmp_path.iterdir()] == ["other"]  # somebody else's folder is left alone


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000])
def test_a_damaged_folder_is_named(tmp_path, text):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(SqlmendError, match=r"config\.json") as error:
        measure(MeasureRequest(scripted_lm(answer, name="whole"), tmp_path, resume=True))
    assert error.value.code == "damaged_measurement"


def test_bad_requests():
    lm = scripted_lm(answer)
    with pytest.raises(InputError, match="did you mean instruction"):
        MeasureRequest(lm, Path("x"), arms=("instructions",))
    for wrong in ({"arms": ()}, {"arms": ("nothing", "nothing")}, {"draws": 0}, {"temperature": 0.0}):
        with pytest.raises(InputError):
            MeasureRequest(lm, Path("x"), **wrong)
