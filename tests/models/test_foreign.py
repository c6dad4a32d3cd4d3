"""A user's own ``dspy.LM``: memoised like the others, and nothing that it is told in secret is in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dspy
import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.models import LanguageModel, Memo, as_language_model, meter
from sqlmend.models._errors import redact
from tests.models.server import ANSWER, Server, openai_server

SECRETS = {
    "api_key": "planted-1",
    "aws_secret_access_key": "planted-2",
    "vertex_credentials": {"private_key": "planted-3"},
    "extra_body": {"token": "planted-4", "top_k": 3},
    "extra_headers": {"X-Token": "planted-5"},
}


def foreign(server: Server, memo: Memo | None = None, **settings: Any) -> LanguageModel:
    """A model of dspy's over LiteLLM, asked once where it fails."""
    fields = {"engine": "litellm", "api_base": f"{server.api_base}?key=planted-6", "num_retries": 0}
    return as_language_model(dspy.LM("openai/served", **{**fields, **SECRETS, **settings}), memo=memo)


@pytest.mark.parametrize("engine", ["litellm", "auto"])
def test_what_is_told_in_secret_goes_to_the_server_and_into_no_file(tmp_path: Path, engine: str):
    with openai_server() as server:
        lm = foreign(server, Memo(tmp_path), engine=engine)
        assert lm("a") == [ANSWER]
        ((headers, body),) = server.chats
    sent = {name.lower(): value for name, value in headers.items()}
    assert (sent["authorization"], sent["x-token"]) == ("Bearer planted-1", "planted-5")
    assert (body["token"], body["top_k"]) == ("planted-4", 3)
    assert "planted-2" not in json.dumps(body)
    assert lm.backend.identity["endpoint"] == server.api_base
    (answer,) = tmp_path.rglob("*.json")
    assert "planted" not in answer.read_text() + json.dumps(lm.describe()) + str(lm.kwargs)


def test_an_error_shows_none_of_it():
    with openai_server() as server:
        lm = foreign(server)
        assert redact(f"planted-3 planted-4 planted-5 planted-6 {server.api_base}", lm.backend.secrets) == (
            f"[redacted] [redacted] [redacted] [redacted] {server.api_base}"
        )
    with pytest.raises(SqlmendError) as caught:
        lm("a")
    assert "planted" not in str(caught.value)


def test_another_body_is_another_question_and_another_credential_is_not(tmp_path: Path):
    memo = Memo(tmp_path)
    with openai_server() as server, meter() as usage:
        for settings in ({}, {"aws_secret_access_key": "planted-7"}, {"extra_body": {"top_k": 4}}):
            foreign(server, memo, **settings)("a")
        assert (usage.calls, usage.calls_paid, len(server.chats)) == (3, 2, 2)


def test_an_engine_that_cannot_send_it_is_refused():
    with pytest.raises(InputError, match="only LiteLLM takes aws_region_name"):
        as_language_model(dspy.LM("openai/served", engine="lm15", aws_region_name="x"), memo=None)
