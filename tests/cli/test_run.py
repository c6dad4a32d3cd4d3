"""`sqlmend run` from the outside: what it prints, and what it refuses before it writes anything."""

import json

import pytest

from sqlmend.memory import Memory
from tests.cli.calls import call
from tests.modules.cards import card

MINI = (
    "--benchmark",
    "mini",
    "--sample",
    "6",
    "--lm",
    "tests.simulator:make",
    "--embedder",
    "hash",
    "--budget",
    "1",
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))


def test_a_run_prints_one_document_and_resumes(capsys, tmp_path):
    out = tmp_path / "run"
    code, text, _ = call(capsys, "run", "merit", *MINI, "--out", str(out), "--json")
    assert code == 0
    summary = json.loads(text)
    assert summary["n"] == 6
    assert summary["provenance"]["budget"] == 1
    assert summary == json.loads((out / "summary.json").read_text())
    code, text, _ = call(capsys, "run", "merit", *MINI, "--out", str(out), "--json", "--resume")
    assert (code, json.loads(text)) == (0, summary)


def test_a_run_shows_a_table_with_its_definition_and_where_it_lies(capsys, tmp_path):
    code, text, _ = call(capsys, "run", "merit", *MINI, "--sample", "30", "--out", str(tmp_path / "run"))
    assert code == 0
    for words in (
        "EX before",
        "definition bag",
        "the oracle ends episodes",
        "A repaired query",
        str(tmp_path / "run"),
    ):
        assert words in text


def test_a_run_that_repaired_nothing_says_so(capsys, tmp_path, monkeypatch):
    (tmp_path / "hopeless.py").write_text(
        "from sqlmend.testing import scripted_lm\n"
        "def answer(prompt): return '<answer>SELECT nme FROM nowhere</answer>'\n"
        "def make(): return scripted_lm(answer, name='hopeless')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    code, text, _ = call(
        capsys, "run", "merit", *MINI, "--lm", "hopeless:make", "--out", str(tmp_path / "run")
    )
    assert code == 0
    assert "No query was repaired; the last attempt" in text
    assert "still wrong  SELECT nme FROM nowhere" in text
    assert "recalled" in text


def test_answers_that_were_cut_off_are_counted(capsys, tmp_path, monkeypatch):
    (tmp_path / "brief.py").write_text(
        "from sqlmend.testing import scripted_lm\n"
        "from tests.simulator import answer\n"
        "def make(): return scripted_lm(answer, name='brief', max_tokens=20)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    run = ("run", "iterative", *MINI, "--lm", "brief:make", "--out", str(tmp_path / "run"))
    code, text, err = call(capsys, *run)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert code == 0
    assert 0 < summary["cut_off"] <= summary["calls"]
    assert f"answers cut off │ {summary['cut_off']}, at their limit" in " ".join(text.split())
    assert "truncated" not in err


def test_a_bank_is_a_memory_that_the_stream_starts_with(capsys, tmp_path):
    with Memory(tmp_path / "bank", write=True) as memory:
        memory.append([card("How many farms are there?", question_id="x", db_id="farm_coop")], -1, {})
    cards = ("run", "cards", *MINI[:-2], "--out", str(tmp_path / "run"), "--json")
    code, text, _ = call(capsys, *cards, "--bank", str(tmp_path / "bank"))
    assert code == 0
    assert json.loads(text)["provenance"]["memory"].startswith("sha256:")
    resumed = call(capsys, *cards, "--memory", str(tmp_path / "bank"), "--resume")
    assert (resumed[0], resumed[1]) == (0, text)


def test_recalled_reflections_are_shown_with_what_they_say(capsys, tmp_path):
    run = ("run", "reflexion", *MINI[:-2], "--sample", "30", "--budget", "2")
    code, text, _ = call(capsys, *run, "--out", str(tmp_path / "run"))
    assert code == 0
    assert "recalled  reflections" in text


def test_predictions_of_a_run_can_be_repaired_and_judged(capsys, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    _, text, _ = call(capsys, "run", "iterative", *MINI, "--out", str(first), "--json")
    before = json.loads(text)
    given = ("--initial", str(first / "predictions.json"))
    code, text, _ = call(capsys, "run", "iterative", *MINI, *given, "--out", str(second), "--json")
    assert code == 0
    assert json.loads(text)["ex_before"] == before["ex_after"]
    judged = ("--benchmark", "mini", "--sample", "6", "--out", str(tmp_path / "v.jsonl"), "--json")
    code, text, _ = call(capsys, "eval", str(second / "predictions.json"), *judged)
    assert code == 0
    assert json.loads(text)["ex"] == pytest.approx(
        json.loads((second / "summary.json").read_text())["ex_after"]
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (("--set", "recall.top_k.positve=5"), "recall.top_k.positive"),
        (("--ids", "position"), "--initial"),
        (("--set", "nonsense"), "path=value"),
        (("--benchmark", "minni"), "mini"),
        (("--benchmark", "spider:no-such-folder"), "no-such-folder"),
        (("--databases", "clinc"), "clinic"),
        (("--sample", "many"), "--sample 40"),
        (("--lm", "lokal"), "local"),
        (("--lm", "no.such.module:make"), "no.such.module"),
        (("--lm", "nosuch/model"), "provider"),
        (("--lm", "openai/gpt-5"), "openai/gpt-5"),
        (("--embedder", "minilmm"), "minilm"),
        (("--definition", "brid"), "bird"),
        (("--initial", "missing.json"), "missing.json"),
        (("--memory", "missing"), "missing"),
        (("--budget", "-1"), "budget"),
        (("--timeout", "0"), "timeout"),
        (("--timeout", "nan"), "timeout"),
        (("--timeout", "inf"), "timeout"),
        (("--order", "x"), "order"),
    ],
)
def test_bad_input_is_exit_2_says_why_and_writes_nothing(capsys, tmp_path, changes, says):
    out = tmp_path / "run"
    code, text, err = call(capsys, "run", "merit", *MINI, *changes, "--out", str(out))
    assert (code, text) == (2, "")
    assert says in err.replace("\n", " ")
    assert not out.exists()


def test_a_preset_cannot_write_control_characters_to_the_terminal(capsys, tmp_path):
    (tmp_path / "hostile.yaml").write_text('base: merit\nname: "\\e[31m[red]<script>=1+1"\n')
    code, text, err = call(
        capsys, "run", str(tmp_path / "hostile.yaml"), *MINI, "--out", str(tmp_path / "run")
    )
    assert code == 0
    assert "\x1b[31m" not in text + err
    assert "[red]" in text


def test_a_folder_that_cannot_be_made_is_exit_2(capsys, tmp_path):
    (tmp_path / "file").write_text("keep")
    code, _, err = call(capsys, "run", "merit", *MINI, "--out", str(tmp_path / "file" / "run"))
    assert code == 2
    assert "cannot be made" in err


def test_an_occupied_folder_is_exit_2(capsys, tmp_path):
    (tmp_path / "mine.txt").write_text("keep")
    code, _, err = call(capsys, "run", "merit", *MINI, "--out", str(tmp_path))
    assert code == 2
    assert "not empty" in err
