"""What may stand after --lm, and what is said where it names nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.models import Memo, load_lm, meter
from sqlmend.models._errors import redact

MODULE = """
import dspy
from dspy.lm15 import Message, Response, TextPart, Usage
from sqlmend.testing import scripted_lm

CALLS = []

class Engine:
    def complete(self, request):
        CALLS.append(request)
        return Response(id=None, model=request.model, message=Message.assistant([TextPart("SELECT 1")]),
                        finish_reason="stop", usage=Usage(input_tokens=5, output_tokens=2))

def own():
    return dspy.LM("my/model", engine=Engine(), temperature=0.0, max_tokens=9, api_key=None)

def keyed():
    return dspy.LM("openai/m", api_key="planted-in-code-7", api_base="http://me:planted-word@127.0.0.1:1/v1",
                   num_retries=0)

def scripted():
    return scripted_lm(str.upper)

def wrong():
    return "a string"
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A user's module in the current folder, under a name that no other test has imported."""
    name = f"own_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return name


def test_a_factory_of_ones_own_is_memoised_and_counted(module: str, tmp_path: Path):
    memo = Memo(tmp_path / "memo")
    for paid in (1, 0):
        lm = load_lm(f"{module}:own", memo=memo)
        with meter() as usage:
            assert lm("a") == ["SELECT 1"]
        assert (usage.calls_paid, usage.prompt_tokens, usage.output_tokens) == (paid, 5, 2)
    (record,) = (tmp_path / "memo").rglob("*.json")
    assert '"max_tokens": 9' in record.read_text()


def test_a_changed_script_is_asked_again(module: str, tmp_path: Path):
    import importlib
    import sys

    memo = Memo(tmp_path / "memo")
    assert load_lm(f"{module}:own", memo=memo)("a") == ["SELECT 1"]
    (tmp_path / f"{module}.py").write_text(MODULE.replace("SELECT 1", "SELECT 22"))
    del sys.modules[module]
    importlib.invalidate_caches()
    assert load_lm(f"{module}:own", memo=memo)("a") == ["SELECT 22"]


def test_a_factory_may_return_a_model_of_ours(module: str, tmp_path: Path):
    assert load_lm(f"{module}:scripted", memo=None).memo is None
    assert load_lm(f"{module}:scripted", memo=Memo(tmp_path)).memo is not None


def test_the_default_memo_is_this_users(monkeypatch: pytest.MonkeyPatch, module: str, tmp_path: Path):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    load_lm(f"{module}:own")("a")
    assert list((tmp_path / "home" / "memo").rglob("*.json"))


@pytest.mark.parametrize("attribute", ["wrong", "missing"])
def test_a_factory_that_gives_no_model_is_bad_input(module: str, attribute: str):
    with pytest.raises(InputError, match=f"{module}:{attribute}|{attribute}"):
        load_lm(f"{module}:{attribute}", memo=None)


@pytest.mark.parametrize("spec", ["", "lokal", "gpt", "no_such_module_here:factory"])
def test_what_names_no_model_is_bad_input(spec: str):
    with pytest.raises(InputError) as caught:
        load_lm(spec, memo=None)
    assert caught.value.code == "bad_lm"


def test_a_served_model_may_be_called_as_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    spec, api_base = "hosted_vllm/qwen2.5-7b-q4.gguf", "http://127.0.0.1:1/v1"
    monkeypatch.chdir(tmp_path)
    assert load_lm(spec, api_base=api_base, memo=None).backend.identity["model"] == spec
    with pytest.raises(InputError, match="there is no file"):
        load_lm(spec, memo=None)
    (tmp_path / spec).parent.mkdir()
    (tmp_path / spec).touch()
    with pytest.raises(InputError, match="an API base says nothing"):
        load_lm(spec, api_base=api_base, memo=None)


def test_a_key_given_in_code_is_in_no_identity_and_no_error(module: str):
    lm = load_lm(f"{module}:keyed", memo=None)
    assert "planted" not in str(lm.backend.identity)
    assert "planted" not in str(lm.kwargs)
    with pytest.raises(SqlmendError) as caught:
        lm("a")
    assert "planted" not in str(caught.value)
    assert redact("Bearer planted-in-code-7", lm.backend.secrets) == "Bearer [redacted]"
