"""sqlmend models: what is pinned, what is here, and fetching what is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sqlmend._weights import Pin, get_pin, pins
from tests.cli.calls import call


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home of sqlmend's."""
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def fetched(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the pins that were fetched, by a fetch that writes sparse files of the right size."""
    names: list[str] = []

    def fetch(pin: Pin, *, progress) -> Path:
        names.append(pin.name)
        path = home / "weights" / pin.file
        path.parent.mkdir(exist_ok=True)
        progress(pin.bytes // 2, pin.bytes)
        with path.open("wb") as file:
            file.truncate(pin.bytes)
        return path

    monkeypatch.setattr("sqlmend.cli.models.fetch", fetch)
    return names


def test_the_list_says_what_is_here(capsys, fetched: list[str]):
    code, before, _ = call(capsys, "models", "list", "--json")
    assert code == 0
    rows = {row["name"]: row for row in json.loads(before)["models"]}
    assert list(rows) == ["1.5b", "0.5b", "minilm"]
    assert {row["path"] for row in rows.values()} == {None}
    assert rows["1.5b"]["sha256"] == get_pin("qwen2.5-coder-1.5b").sha256
    call(capsys, "models", "pull", "0.5b")
    _, table, _ = call(capsys, "models", "list")
    assert [line.split()[0] for line in table.splitlines() if " yes " in line] == ["0.5b"]


def test_everything_pinned_can_be_pulled(capsys, fetched: list[str], home: Path):
    for name in ("1.5b", "0.5b", "minilm"):
        assert call(capsys, "models", "pull", name)[0] == 0
    assert set(fetched) == set(pins())


def test_the_default_is_the_larger_model_and_progress_is_not_on_stdout(
    capsys, fetched: list[str], home: Path
):
    code, stdout, _ = call(capsys, "models", "pull")
    assert (code, fetched) == (0, ["qwen2.5-coder-1.5b"])
    assert Path(stdout.strip()) == home / "weights" / get_pin("qwen2.5-coder-1.5b").file
    assert call(capsys, "models", "path")[1] == stdout
    document = json.loads(call(capsys, "models", "pull", "--json")[1])
    assert document["path"] == stdout.strip()


def test_a_model_that_is_not_here_has_no_path(capsys, home: Path):
    code, stdout, stderr = call(capsys, "models", "path", "0.5b")
    assert (code, stdout) == (1, "")
    assert "sqlmend models pull 0.5b" in stderr


def test_a_file_of_another_size_is_not_here(capsys, fetched: list[str], home: Path):
    call(capsys, "models", "pull", "0.5b")
    (home / "weights" / get_pin("qwen2.5-coder-0.5b").file).write_bytes(b"torn")
    assert call(capsys, "models", "path", "0.5b")[0] == 1


@pytest.mark.parametrize("action", ["pull", "path"])
def test_an_unknown_name_gets_near_names(capsys, home: Path, action: str):
    code, _, stderr = call(capsys, "models", action, "1.5")
    assert code == 2
    assert "1.5b" in stderr
