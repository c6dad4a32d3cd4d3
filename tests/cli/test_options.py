"""Options that several commands take: which language model, whether it thinks first, initial queries."""

import json

import pytest

from sqlmend.cli._notes_measure import command as notes_measure
from sqlmend.cli.ask import command as ask
from sqlmend.cli.cards import build_command
from sqlmend.cli.compare import command as compare
from sqlmend.cli.crystallize import command as crystallize
from sqlmend.cli.run import command as run
from sqlmend.cli.tune import command as tune
from sqlmend.eval import load_benchmark, read_episodes
from tests.cli.calls import call
from tests.models.server import openai_server


@pytest.fixture
def server(monkeypatch, tmp_path):
    for name in ("HOSTED_VLLM_API_BASE", "HOSTED_VLLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    with openai_server() as running:
        yield running


def test_a_model_can_be_told_not_to_think_where_the_protocol_does_not_say_so_already():
    def offers(command):
        return any("--no-thinking" in option.opts for option in command.params)

    assert all(map(offers, (run, ask, compare, tune, notes_measure)))
    assert not any(map(offers, (crystallize, build_command)))


def test_it_answers_without_thinking_and_a_run_that_thinks_does_not_go_on_with_it(capsys, server, tmp_path):
    model = ("--lm", "hosted_vllm/served", "--api-base", server.api_base)
    asked = ("run", "iterative", "--benchmark", "mini", "--sample", "1", "--budget", "0", *model)
    out = ("--out", str(tmp_path / "run"), "--json")
    code, _, err = call(capsys, *asked, *out, "--no-thinking")
    assert code == 0, err
    ((_, body),) = server.chats
    assert body["chat_template_kwargs"]["enable_thinking"] is False
    assert json.loads((tmp_path / "run" / "config.json").read_text("utf-8"))["lm"]["thinking"] is False
    code, _, err = call(capsys, *asked, *out, "--resume")
    assert code == 2
    assert "thinking" in err
    assert len(server.chats) == 1


@pytest.mark.parametrize("model", ["local", "openai/served", "tests.simulator:make"])
def test_for_any_other_model_the_switch_is_refused(capsys, tmp_path, model):
    asked = ("run", "iterative", "--benchmark", "mini", "--out", str(tmp_path / "run"), "--lm", model)
    code, out, err = call(capsys, *asked, "--no-thinking")
    assert (code, out) == (2, "")
    assert f"got --lm {model}" in err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["run", "compare"])
def test_initial_queries_may_be_keyed_by_position(capsys, monkeypatch, tmp_path, command):
    """BIRD's own files of predictions are; and a hint names nothing that the command does not take."""
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sqlmend.eval.report.write_report", lambda *_: [], raising=False)
    file, out = tmp_path / "predict.json", tmp_path / "out"
    with load_benchmark("mini") as mini:
        file.write_text(json.dumps({str(position): "SELECT 1" for position in range(len(mini.split_ids))}))
    asked = (command, "iterative", "--benchmark", "mini", "--sample", "3", "--budget", "0", "--json")
    given = ("--lm", "tests.simulator:make", "--initial", str(file), "--out", str(out))
    code, _, err = call(capsys, *asked, *given)
    assert code == 2
    assert "--ids position" in err.replace("\n", " ")
    assert "--partial" not in err
    assert not out.exists()
    code, _, err = call(capsys, *asked, *given, "--ids", "position")
    assert code == 0, err
    episodes = read_episodes(next(out.rglob("episodes.jsonl")).parent)
    assert [episode["attempts"][0]["sql"] for episode in episodes] == ["SELECT 1"] * 3
