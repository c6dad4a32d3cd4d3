"""The README's commands run, in its order, except those marked by hand; its snippets too."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sqlmend._weights import get_pin, present

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\S+)(?: ([\w-]+))?\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands():
    """Each command of the README on one line, those marked by hand left out."""
    for text in (text for kind, mark, text in BLOCKS if kind == "sh" and not mark):
        for line in text.replace("\\\n", " ").splitlines():
            if command := line.split("#")[0].strip():
                yield command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a reader would be: a folder with the examples in it."""
    place = tmp_path_factory.mktemp("reader")
    shutil.copytree(ROOT / "examples", place / "examples")
    return place


def run(arguments, folder, **settings):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        arguments,
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )


@pytest.mark.local_model
@pytest.mark.timeout(900)
def test_every_command_runs(folder):
    if not all(present(get_pin(name)) for name in ("qwen2.5-coder-0.5b", "minilm", "minilm-tokenizer")):
        pytest.skip("needs the weights: sqlmend models pull 0.5b; sqlmend models pull minilm")
    ran = 0
    for command in commands():
        done = run(command, folder, shell=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        ran += 1
    assert ran > 10


@pytest.mark.parametrize("page", ["README.md", "docs/programs.md", "docs/tuning.md", "docs/cards.md"])
def test_every_python_snippet_runs(folder, page):
    snippets = re.findall(
        r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert snippets
    for snippet in snippets:
        done = run([sys.executable, "-c", snippet], folder)
        assert done.returncode == 0, done.stderr


def test_every_command_and_program_of_the_readme_is_there():
    from sqlmend.cli import COMMANDS
    from sqlmend.programs import bundled_presets

    for name in re.findall(r"^sqlmend (\w+)", README, re.MULTILINE):
        assert name in COMMANDS
    for name in bundled_presets():
        assert f"`{name}`" in README
