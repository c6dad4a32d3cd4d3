"""A failing model says what happened, whether the next call would fail as well, and none of its keys."""

from __future__ import annotations

import traceback

import pytest
from dspy import lm15

from sqlmend.errors import SqlmendError
from sqlmend.models import PER_QUESTION
from sqlmend.models._errors import redact
from sqlmend.testing import scripted_lm

CASES = [
    (lm15.ContextLengthError, "lm_context"),
    (lm15.InvalidRequestError, "lm_request"),
    (lm15.TransportError, "lm_unreachable"),
    (lm15.TimeoutError, "lm_timeout"),
    (lm15.AuthError, "lm_auth"),
    (lm15.BillingError, "lm_billing"),
    (lm15.RateLimitError, "lm_rate_limit"),
    (lm15.UnsupportedModelError, "lm_model"),
    (lm15.ServerError, "lm_server"),
    (lm15.UnsupportedFeatureError, "lm_setting"),
    (RuntimeError, "lm_unexpected"),
]


def failing(error: Exception, **settings):
    def answer(prompt: str) -> str:
        raise error

    return scripted_lm(answer, num_retries=0, **settings)


def failure(lm) -> SqlmendError:
    with pytest.raises(SqlmendError) as caught:
        lm("a")
    return caught.value


@pytest.mark.parametrize(("error", "code"), CASES)
def test_each_failure_has_its_code(error, code: str):
    caught = failure(failing(error("what happened")))
    assert caught.code == code
    assert "what happened" in caught.message
    assert (code in PER_QUESTION) == (code in ("lm_context", "lm_request"))


def test_an_error_of_ours_comes_out_as_it_went_in():
    raised = SqlmendError("weights_missing", "not here")
    assert failure(failing(raised)) is raised


def test_a_transient_failure_is_tried_again_by_dspy():
    tries = []

    def answer(prompt: str) -> str:
        tries.append(prompt)
        if len(tries) == 1:
            raise lm15.ServerError("busy", retry_after=0)
        return "SELECT 1"

    assert scripted_lm(answer)("a") == ["SELECT 1"]
    assert len(tries) == 2


def test_no_key_is_in_an_error_or_its_traceback(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOME_API_KEY", "planted-8f2c1d")
    error = lm15.TransportError(
        "Illegal header value b'Bearer planted-8f2c1d' for http://me:hunter22@host/v1"
    )
    caught = failure(failing(error))
    shown = "".join(traceback.format_exception(caught))
    assert "planted-8f2c1d" not in shown
    assert "hunter22" not in shown
    assert "http://host/v1" in shown


def test_short_values_of_the_environment_do_not_eat_the_text(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    assert redact("that is false") == "that is false"


def test_a_bad_draw_is_bad_input():
    with pytest.raises(SqlmendError) as caught:
        scripted_lm(str.upper, temperature=0.5).copy(rollout_id=-1)("a")
    assert caught.value.code == "bad_draw"
