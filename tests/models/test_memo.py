"""An answer is on disk before it is used, under everything that it depends on, and readable."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from sqlmend.errors import SqlmendError
from sqlmend.models import Answer, Memo, memo_key
from sqlmend.testing import scripted_lm

ASKED = {"engine": {"engine": "test"}, "messages": [{"role": "user", "content": "caf\u00e9"}], "draw": 0}
ANSWER = Answer("SELECT '\ud800'", "stop", 3, 2, 1, 0.25, "run")


def only_file(folder: Path) -> Path:
    (path,) = folder.rglob("*.json")
    return path


def test_what_is_put_is_got(tmp_path: Path):
    memo = Memo(tmp_path)
    key = memo_key(ASKED)
    assert memo.get(key) is None
    memo.put(ASKED, ANSWER)
    assert Memo(tmp_path).get(key) == ANSWER
    record = json.loads(only_file(tmp_path).read_text())
    assert record["asked"] == ASKED
    assert only_file(tmp_path).name == f"{key}.json"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("first", ["put", "paying_for"])
def test_a_new_folder_is_its_owners_alone(tmp_path: Path, first: str):
    memo = Memo(tmp_path / "new" / "memo")
    if first == "put":
        memo.put(ASKED, ANSWER)
    else:
        with memo.paying_for(memo_key(ASKED)):
            pass
    assert stat.S_IMODE(memo.folder.stat().st_mode) == 0o700
    old = Memo(tmp_path)
    mode = tmp_path.stat().st_mode
    old.put(ASKED, ANSWER)
    assert tmp_path.stat().st_mode == mode


def test_a_damaged_answer_writes_nothing_to_the_terminal(tmp_path: Path):
    memo = Memo(tmp_path)
    memo.put(ASKED, ANSWER)
    path = only_file(tmp_path)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "answer": {"\x1b]0;PWN\x07": 1}}))
    with pytest.warns(RuntimeWarning, match=r"\\x1b\]0;PWN") as warned:
        assert memo.get(memo_key(ASKED)) is None
    assert "\x1b" not in str(warned[0].message)


@pytest.mark.parametrize(
    "damage", [lambda b: b[: len(b) // 2], lambda b: b"", lambda b: b.replace(b"caf", b"tea")]
)
def test_a_damaged_answer_is_a_miss_with_a_warning(tmp_path: Path, damage):
    memo = Memo(tmp_path)
    memo.put(ASKED, ANSWER)
    path = only_file(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert memo.get(memo_key(ASKED)) is None
    memo.put(ASKED, ANSWER)
    assert memo.get(memo_key(ASKED)) == ANSWER


def test_the_answer_is_on_disk_before_it_is_used(tmp_path: Path):
    lm = scripted_lm(str.upper, memo=Memo(tmp_path))
    seen = []

    class Watched(Memo):
        def put(self, asked, answer):
            super().put(asked, answer)
            seen.append(only_file(tmp_path).is_file())

    assert lm.remembering(Watched(tmp_path))("a") == ["A"]
    assert seen == [True]


def test_everything_an_answer_depends_on_is_in_the_key(tmp_path: Path):
    calls = []

    def answer(prompt: str) -> str:
        calls.append(prompt)
        return "x"

    lm = scripted_lm(answer, memo=Memo(tmp_path))
    others = [
        lm,
        lm.copy(max_tokens=7),
        lm.copy(seed=1),
        lm.copy(stop=["</answer>"]),
        lm.copy(temperature=0.5),
        lm.copy(temperature=0.5, rollout_id=1),
        lm.copy(temperature=0.5, top_p=0.9),
        scripted_lm(answer, name="another", memo=Memo(tmp_path)),
    ]
    for one in [*others, *others]:
        one("a")
    assert len(calls) == len(others)


def test_a_greedy_call_has_one_draw(tmp_path: Path):
    calls = []
    lm = scripted_lm(lambda p: calls.append(p) or "x", memo=Memo(tmp_path))
    lm("a")
    with pytest.warns(UserWarning, match="rollout_id"):
        lm.copy(rollout_id=3)("a")
    assert len(calls) == 1


def test_replay_never_pays_and_one_switch_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(SqlmendError) as caught:
        scripted_lm(str.upper, memo=Memo(tmp_path, replay=True))("a")
    assert caught.value.code == "memo_miss"
    monkeypatch.setenv("SQLMEND_RECORD", "1")
    scripted_lm(str.upper, memo=Memo(tmp_path, replay=True))("a")
    monkeypatch.delenv("SQLMEND_RECORD")
    assert scripted_lm(str.upper, memo=Memo(tmp_path, replay=True))("a") == ["A"]


def _ask(folder: str, calls: str) -> None:
    def answer(prompt: str) -> str:
        with Path(calls).open("a") as file:
            file.write("paid\n")
        return prompt.upper()

    assert scripted_lm(answer, memo=Memo(folder))("one prompt") == ["ONE PROMPT"]


def test_of_several_processes_one_pays(tmp_path: Path):
    context = multiprocessing.get_context("spawn")
    arguments = (str(tmp_path / "memo"), str(tmp_path / "calls"))
    processes = [context.Process(target=_ask, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert (tmp_path / "calls").read_text() == "paid\n"


def test_a_run_that_died_while_it_paid_does_not_block(tmp_path: Path):
    memo = Memo(tmp_path)
    with pytest.raises(KeyboardInterrupt), memo.paying_for(memo_key(ASKED)):
        raise KeyboardInterrupt
    with memo.paying_for(memo_key(ASKED)):
        memo.put(ASKED, replace(ANSWER, payer=""))
    assert memo.get(memo_key(ASKED)) == replace(ANSWER, payer="")
