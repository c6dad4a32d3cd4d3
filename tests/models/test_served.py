"""Served models go through LiteLLM, to the address given and to no other, and leave no key behind."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.models import LanguageModel, Memo, _served, _served_window, context_window, load_lm, meter
from sqlmend.models._tokens import DEFAULT_WINDOW
from tests.models.server import ANSWER, FAILURES, Server, openai_server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HOSTED_VLLM", "OPENAI", "ANTHROPIC"):
        for setting in ("API_BASE", "BASE_URL", "API_KEY"):
            monkeypatch.delenv(f"{name}_{setting}", raising=False)
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
    assert served(server).describe()["context_window"] == 4321


@pytest.mark.parametrize(
    "says",
    [
        (200, {"data": [{"id": "served"}]}),
        (200, {"data": [{"id": "another", "max_model_len": 1}]}),
        (200, {"data": None}),
        (200, []),
        (401, {"error": "Unauthorized"}),
        (404, {}),
        (500, {}),
    ],
)
def test_a_server_that_does_not_say_has_the_usual_context(server: Server, says):
    server.models = says
    assert context_window(served(server)) == DEFAULT_WINDOW


def test_a_server_that_does_not_answer_is_an_error_before_anything_is_fitted(server: Server):
    nobody = load_lm("hosted_vllm/served", api_base="http://me:planted@127.0.0.1:1/v1?k=planted", memo=None)
    server.models = (503, {})
    for lm in (nobody, served(server)):
        for ask in (lambda lm=lm: context_window(lm), lm.describe):
            with pytest.raises(SqlmendError, match="does not answer") as caught:
                ask()
            assert caught.value.code == "lm_unreachable"
            assert "planted" not in "".join(traceback.format_exception(caught.value))
    server.models = (200, {"data": [{"id": "served", "max_model_len": 99}]})
    assert context_window(served(server)) == 99


def test_a_server_that_keeps_silent_is_said_to_be_late(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_served_window, "_TIMEOUT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        base = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        with pytest.raises(SqlmendError) as caught:
            context_window(load_lm("hosted_vllm/served", api_base=base, memo=None))
    assert caught.value.code == "lm_timeout"


def test_a_known_context_is_not_asked_for(server: Server):
    lm = served(server).within(777)
    assert context_window(lm) == context_window(lm.copy(temperature=0.5)) == 777
    assert lm.describe()["context_window"] == 777
    assert server.paths == []


def test_an_address_keeps_its_query_and_its_password_when_it_is_asked(server: Server):
    base = server.api_base.replace("http://", "http://me:word@") + "/?token=1"
    assert context_window(load_lm("hosted_vllm/served", api_base=base, memo=None)) == 4321
    assert server.paths == ["/v1/models?token=1"]


@pytest.mark.parametrize(
    ("model", "first", "second"),
    [
        ("hosted_vllm/served", "HOSTED_VLLM_API_BASE", None),
        ("openai/served", "OPENAI_BASE_URL", "OPENAI_API_BASE"),
        ("anthropic/served", "ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
        ("mistral/served", "MISTRAL_AZURE_API_BASE", None),
    ],
)
def test_the_environments_address_is_asked_and_in_the_memo_key(
    server: Server, monkeypatch: pytest.MonkeyPatch, model: str, first: str, second: str | None
):
    """LiteLLM's own order: what it would have asked is what is named."""
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key-1")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "planted-key-1")
    monkeypatch.setenv("MISTRAL_API_KEY", "planted-key-1")
    with openai_server() as other:
        if second:
            monkeypatch.setenv(second, other.api_base)
            assert load_lm(model, memo=None).backend.identity["endpoint"] == other.api_base
        monkeypatch.setenv(first, server.api_base)
        lm = load_lm(model, memo=None)
        lm.num_retries = 0
        with contextlib.suppress(SqlmendError):  # the server speaks no Anthropic
            lm("a")
        assert lm.backend.identity["endpoint"] == server.api_base
        assert (len(server.chats), len(other.chats)) == (1, 0)
        litellm = _served._litellm()
        with contextlib.suppress(litellm.exceptions.APIConnectionError):
            litellm.completion(model, [{"role": "user", "content": "a"}], max_tokens=9, num_retries=0)
        assert (len(server.chats), len(other.chats)) == (2, 0)


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


def test_an_address_that_comes_too_late_for_the_memo_key_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    lm = load_lm("openai/served", memo=None)
    monkeypatch.setenv("OPENAI_BASE_URL", server.api_base)
    with pytest.raises(InputError, match="came after the model was named"):
        lm("a")
    assert server.chats == []
