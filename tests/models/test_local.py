"""The local engine on the 0.5B weights, where they are on disk; what needs none of them, everywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sqlmend._weights import get_pin, present
from sqlmend.errors import InputError, SqlmendError
from sqlmend.models import Memo, context_window, count_tokens, load_lm, meter
from sqlmend.models import _local as local
from sqlmend.models._weights_file import OwnWeights

PROMPT = "Answer with one SQLite query and nothing else: how many rows has the table pets?"

weights = pytest.mark.skipif(
    present(get_pin("qwen2.5-coder-0.5b")) is None,
    reason="needs the 0.5B weights on disk (491 MB; `sqlmend models pull 0.5b`)",
)


@pytest.fixture
def no_loading(monkeypatch: pytest.MonkeyPatch):
    """Loading weights fails the test."""

    def load(path: Path):
        raise AssertionError(f"{path} was loaded")

    monkeypatch.setattr(local, "load", load)


@pytest.mark.local_model
@weights
def test_a_greedy_answer_is_counted_exactly_and_the_same_again():
    lm = load_lm("local:0.5b", memo=None, max_tokens=24)
    with meter() as usage:
        first = lm(PROMPT)
        assert lm(PROMPT) == first
    assert "SELECT" in first[0].upper()
    call, again = usage.records
    assert call.paid and again.paid
    assert call.prompt_tokens == again.prompt_tokens > count_tokens(lm, PROMPT) > 10
    assert 0 < call.output_tokens <= 24
    assert again.cached_tokens > call.prompt_tokens // 2


@pytest.mark.local_model
@weights
def test_no_bit_of_an_answer_depends_on_what_was_asked_before():
    start = "Tables: " + ", ".join(f"table_{n} (id, name, size)" for n in range(4)) + ". "
    questions = [start + "Count table_1.", start + "List the names in table_2.", "Say hello. " + start]
    settings = {"max_tokens": 3, "temperature": 0, "logprobs": True, "top_logprobs": 1}
    path = present(get_pin("qwen2.5-coder-0.5b"))
    assert path is not None
    loaded = local.load(path)

    def bits(reply) -> list[tuple[str, float]]:
        return [(token["token"], token["logprob"]) for token in reply["choices"][0]["logprobs"]["content"]]

    def message(question: str) -> list[dict[str, str]]:
        return [{"role": "user", "content": question}]

    alone = {}
    for question in questions:
        body = {"messages": message(question), **settings, "cache_prompt": False}
        alone[question] = bits(loaded.llama.chat(body))
    for question in [questions[n] for n in (0, 1, 2, 0, 1)]:
        assert bits(loaded.chat(message(question), settings)) == alone[question]


@pytest.mark.local_model
@weights
def test_an_answer_that_repeats_itself_is_stopped_and_the_next_one_is_as_ever():
    lm = load_lm("local:0.5b", memo=None, max_tokens=24)
    before = lm(PROMPT)
    with meter() as usage:
        (answer,) = lm(
            "Write the digit 7, again and again, a thousand times: 7777777777777777", max_tokens=900
        )
    assert answer.endswith("7" * 20)
    assert usage.records[0].output_tokens < 600
    assert lm(PROMPT) == before


@pytest.mark.local_model
@weights
def test_tokens_are_counted_by_the_models_own_tokenizer():
    lm = load_lm("local:0.5b", memo=None)
    assert count_tokens(lm, "SELECT a FROM b") == 4
    assert count_tokens(lm, "") == 0
    assert count_tokens(lm, "caf\u00e9 \u65e5\u672c") > 2


@pytest.mark.local_model
@weights
def test_a_prompt_beyond_the_context_says_so():
    lm = load_lm("local:0.5b", memo=None)
    with pytest.raises(SqlmendError) as caught:
        lm("select " * (context_window(lm) + 1))
    assert caught.value.code == "lm_context"


@pytest.mark.local_model
@weights
def test_an_answer_from_the_memo_loads_nothing(tmp_path: Path, no_loading: None):
    code = f"""
from sqlmend.models import Memo, load_lm
load_lm("local:0.5b", memo=Memo({str(tmp_path)!r}), max_tokens=40)({PROMPT!r})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with meter() as usage:
        load_lm("local:0.5b", memo=Memo(tmp_path), max_tokens=40)(PROMPT)
    assert (usage.calls, usage.calls_paid) == (1, 0)


def test_missing_weights_are_named_with_the_command_that_brings_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path))
    with pytest.raises(SqlmendError) as caught:
        load_lm("local", memo=None)
    assert caught.value.code == "weights_missing"
    assert caught.value.hint == "sqlmend models pull 1.5b"


def test_recorded_answers_need_no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path))
    lm = load_lm("local", memo=Memo(tmp_path / "memo", replay=True))
    with pytest.raises(SqlmendError) as caught:
        lm("never recorded")
    assert caught.value.code == "memo_miss"


def test_an_unknown_local_model_gets_near_names():
    with pytest.raises(InputError, match=r"0\.5b"):
        load_lm("local:0.5", memo=None)


def test_a_file_that_is_no_model_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    with pytest.raises(InputError):
        load_lm(str(tmp_path / "none.gguf"), memo=None)
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"GGUF" + bytes(1000))
    with pytest.raises(SqlmendError) as caught:
        load_lm(str(bad), memo=None)("a")
    assert caught.value.code == "weights_unloadable"


def test_a_file_of_ones_own_is_hashed_once_and_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    path = tmp_path / "own.gguf"
    path.write_bytes(b"one")
    first = OwnWeights(path).sha256
    with monkeypatch.context() as patch:
        patch.setattr("sqlmend.models._weights_file.sha256_file", lambda path: pytest.fail("hashed again"))
        assert OwnWeights(path).sha256 == first
    path.write_bytes(b"three")
    assert OwnWeights(path).sha256 != first


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "own.gguf").write_bytes(b"x")
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(InputError, match="sqlmend\\[local\\]"):
        load_lm(str(tmp_path / "own.gguf"), memo=None)
