"""Served models go through LiteLLM, to the address given and to no other, and leave no key behind."""

from __future__ import annotations

import json
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.models import LanguageModel, Memo, context_window, load_lm, meter
from tests.models.server import ANSWER, FAILURES, Server, openai_server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HOSTED_VLLM_API_BASE", "HOSTED_VLLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with openai_server() as running:
        yield running


def served(server: Server, model: str = "served", memo: Memo | None = None, **settings) -> LanguageModel:
    lm = load_lm(f"hosted_vllm/{model}", api_base=server.api_base, memo=memo, **settings)
    lm.num_retries = 0
    return lm


def test_a_call_is_sent_by_litellm_and_counted(server: Server):
    with meter() as usage:
        assert served(server, max_tokens=9)("a question") == [ANSWER]
    ((headers, body),) = server.chats
    assert headers["User-Agent"].startswith("litellm/")
    assert body["model"] == "served"
    assert body["messages"] == [{"role": "user", "content": "a question"}]
    assert body["temperature"] == 0
    assert 9 in (body.get("max_tokens"), body.get("max_completion_tokens"))
    (call,) = usage.records
    assert (call.prompt_tokens, call.output_tokens, call.cached_tokens) == (11, 7, 4)
    assert call.paid


def test_a_seed_goes_where_something_is_sampled(server: Server):
    served(server, seed=5)("a")
    served(server, seed=5, temperature=0.7)("a")
    served(server, seed=5, temperature=0.7).copy(rollout_id=2)("a")
    assert [body.get("seed") for _, body in server.chats] == [None, 5, 7]


def test_a_model_behind_vllm_can_be_asked_not_to_think(server: Server, tmp_path: Path):
    memo = Memo(tmp_path)
    for thinking in (True, False, False):
        served(server, memo=memo, thinking=thinking)("a")
    switches = [body.get("chat_template_kwargs") for _, body in server.chats]
    assert switches == [None, {"enable_thinking": False, "thinking": False}]
    assert "thinking" not in served(server).describe()
    assert served(server, thinking=False).describe()["thinking"] is False
    elsewhere = load_lm("openai/served", api_base=server.api_base, memo=None, thinking=False)
    assert "thinking" not in elsewhere.describe()


def test_an_answer_is_paid_for_once_for_each_endpoint(server: Server, tmp_path: Path):
    memo = Memo(tmp_path)
    with openai_server() as other, meter() as usage:
        for which in (server, other, server, other):
            served(which, memo=memo)("a")
        assert (len(server.chats), len(other.chats)) == (1, 1)
    assert (usage.calls, usage.calls_paid, usage.cached_tokens) == (4, 2, 16)


@pytest.mark.parametrize(
    ("model", "code"),
    {
        "missing": "lm_model",
        "long": "lm_context",
        "refused": "lm_request",
        "locked": "lm_auth",
        "broken": "lm_server",
    }.items(),
)
def test_what_the_server_says_has_its_code(server: Server, model: str, code: str):
    assert model in FAILURES
    with pytest.raises(SqlmendError) as caught:
        served(server, model)("a")
    assert caught.value.code == code


def test_a_server_that_is_not_there(server: Server):
    lm = load_lm("hosted_vllm/served", api_base="http://127.0.0.1:1/v1", memo=None)
    lm.num_retries = 0
    with pytest.raises(SqlmendError) as caught:
        lm("a")
    assert caught.value.code == "lm_unreachable"
    assert "--api-base" in (caught.value.hint or "")
    assert context_window(lm) > 0


def test_no_secret_is_in_the_memo_or_an_error(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "planted-key-1")
    with_password = server.api_base.replace("http://", "http://me:planted-word-2@") + "?token=planted-3"
    lm = load_lm("hosted_vllm/served", api_base=with_password.partition("?")[0], memo=Memo(tmp_path))
    lm("a")
    assert lm.backend.identity["endpoint"] == server.api_base
    broken = load_lm("hosted_vllm/locked", api_base=with_password, memo=Memo(tmp_path))
    broken.num_retries = 0
    with pytest.raises(SqlmendError) as caught:
        broken("a")
    written = "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    shown = "".join(traceback.format_exception(caught.value)) + json.dumps(caught.value.context)
    assert "served" in written
    assert "planted" not in written
    assert "planted" not in shown


def test_the_context_is_the_servers(server: Server):
    assert context_window(served(server)) == 4321


def test_an_unknown_provider_is_bad_input():
    lm = load_lm("nosuchprovider/model", memo=None)
    with pytest.raises(InputError) as caught:
        lm("a")
    assert caught.value.code == "bad_lm"


@pytest.mark.parametrize("spec", ["hosted_vllm/m", "local"])
def test_an_address_that_is_none_is_bad_input(spec: str):
    with pytest.raises(InputError) as caught:
        load_lm(spec, api_base="127.0.0.1:8000", memo=None)
    assert caught.value.code == "bad_api_base"


def test_no_other_address_is_asked_and_a_memo_hit_asks_none(server: Server, tmp_path: Path):
    code = """
import socket, sys
asked = []
connect = socket.socket.connect
def watched(self, address):
    asked.append(address)
    return connect(self, address)
socket.socket.connect = watched
from sqlmend.models import Memo, load_lm
lm = load_lm("hosted_vllm/served", api_base=sys.argv[1], memo=Memo(sys.argv[2]))
assert "litellm" not in sys.modules
lm("a")
print("litellm.main" in sys.modules, sorted({address[1] for address in asked}))
"""
    command = [sys.executable, "-c", code, server.api_base, str(tmp_path)]
    port = server.api_base.split(":")[2].removesuffix("/v1")
    for expected in (f"True [{port}]", "False []"):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip(), done.stderr) == (0, expected, "")
