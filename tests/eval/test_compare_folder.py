"""A comparison's folder: occupied, in use, resumed, of another configuration."""

from __future__ import annotations

import json

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval.comparison import read_config
from sqlmend.eval.comparison._folder import FORMAT, ComparisonFolder

CONFIG = {"format": FORMAT, "orders": [0], "versions": {"python": "3.11"}}


def test_a_new_folder_holds_what_was_asked(tmp_path):
    with ComparisonFolder(tmp_path / "a" / "b", CONFIG):
        pass
    assert read_config(tmp_path / "a" / "b") == CONFIG


def test_a_comparison_is_not_overwritten_but_resumed(tmp_path):
    ComparisonFolder(tmp_path, CONFIG).close()
    with pytest.raises(InputError, match="--resume"):
        ComparisonFolder(tmp_path, CONFIG)
    ComparisonFolder(tmp_path, CONFIG, resume=True).close()


def test_another_version_may_resume_and_another_configuration_is_named(tmp_path):
    ComparisonFolder(tmp_path, CONFIG).close()
    ComparisonFolder(tmp_path, {**CONFIG, "versions": {"python": "3.12"}}, resume=True).close()
    with pytest.raises(InputError, match=r"orders was \[0\], is now \[0, 1\]"):
        ComparisonFolder(tmp_path, {**CONFIG, "orders": [0, 1]}, resume=True)
    assert read_config(tmp_path) == CONFIG


def test_resume_begins_where_nothing_is(tmp_path):
    ComparisonFolder(tmp_path / "new", CONFIG, resume=True).close()
    assert read_config(tmp_path / "new") == CONFIG


@pytest.mark.parametrize("resume", [True, False])
def test_somebody_elses_folder_is_left_alone(tmp_path, resume):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(InputError, match="no comparison"):
        ComparisonFolder(tmp_path, CONFIG, resume=resume)
    assert [item.name for item in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="a file"):
        ComparisonFolder(tmp_path / "thesis.tex", CONFIG, resume=resume)


def test_what_a_kill_at_the_very_start_leaves_is_no_obstacle(tmp_path):
    (tmp_path / ".lock").touch()
    (tmp_path / ".comparison.json.ab12").write_text("{")
    ComparisonFolder(tmp_path, CONFIG).close()
    assert not list(tmp_path.glob(".comparison.json.*"))


def test_one_process_at_a_time(tmp_path):
    with (
        ComparisonFolder(tmp_path, CONFIG),
        pytest.raises(InputError, match="another process"),
    ):
        ComparisonFolder(tmp_path, CONFIG, resume=True)


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("{", SqlmendError, "damaged"),
        ("[]", SqlmendError, "no configuration"),
        ("[" * 100_000, SqlmendError, "damaged"),
        (json.dumps({"format": FORMAT + 1}), InputError, "newer|update"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, text, kind, says):
    (tmp_path / "comparison.json").write_text(text)
    with pytest.raises(kind, match=says) as error:
        read_config(tmp_path)
    assert "comparison.json" in str(error.value)


@pytest.mark.parametrize("name", ["", "missing"])
def test_a_folder_without_a_comparison_is_no_comparison(tmp_path, name):
    with pytest.raises(InputError, match="holds no comparison"):
        read_config(tmp_path / name)
