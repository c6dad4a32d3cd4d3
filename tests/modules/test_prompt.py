"""Prompts are data with a version: other words need another version."""

from importlib.resources import files

import pytest

from sqlmend._files import sha256_text
from sqlmend.errors import InputError
from sqlmend.modules import load_prompt

#: Where a prompt is changed, raise its version and put its new hash here: versions stand in every result.
VERSIONS = {
    "generate": ("generate/2", "66dab40e3dce5fe2"),
    "reflect": ("reflect/1", "0416fb3b57c7080a"),
    "revise": ("revise/6", "75413c0a8e827870"),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_the_words_of_a_version_do_not_change(name):
    text = files("sqlmend.modules").joinpath("prompts", f"{name}.yaml").read_text("utf-8")
    assert (load_prompt(name).version, sha256_text(text)[:16]) == VERSIONS[name]


def test_empty_sections_say_so_and_an_unknown_order_is_named():
    prompt = load_prompt("revise")
    assert "<reflections>\n(none)\n</reflections>" in prompt.render({}, "prefix")
    with pytest.raises(InputError, match="did you mean prefix"):
        prompt.render({}, "prefx")
