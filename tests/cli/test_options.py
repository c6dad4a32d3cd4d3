"""Options that several commands take: which language model, and whether it thinks first."""

import json

import pytest

from sqlmend.cli._notes_measure import command as notes_measure
from sqlmend.cli.ask import command as ask
from sqlmend.cli.cards import build_command
from sqlmend.cli.compare import command as compare
from sqlmend.cli.crystallize import command as crystallize
from sqlmend.cli.run import command as run
from sqlmend.cli.tune import command as tune
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
