from __future__ import annotations

import pytest

from sqlmend.errors import InputError
from sqlmend.retrievers import get_embedder


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("minilm", "minilm@8199be6f699a"),
        ("hash", "hash64"),
        ("openai:org/model@http://127.0.0.1:1/v1/", "openai:org/model@http://127.0.0.1:1/v1"),
        ("openai:model@v2@https://example.org", "openai:model@v2@https://example.org"),
    ],
)
def test_specs(spec: str, name: str) -> None:
    assert get_embedder(spec).name == name
    assert get_embedder(spec) is get_embedder(spec)


@pytest.mark.parametrize(
    "spec", ["st", "st:", "minilm:x", "openai:model", "openai:@http://x", "openai:m@ftp://x"]
)
def test_incomplete_specs_say_what_is_expected(spec: str) -> None:
    with pytest.raises(InputError, match="openai:MODEL@URL"):
        get_embedder(spec)


def test_unknown_specs_have_near_names() -> None:
    with pytest.raises(InputError, match="did you mean minilm"):
        get_embedder("minilmm")
