"""The estimate for models whose tokenizer is not here: never too low, or a prompt would not fit."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import pytest

from sqlmend._weights import get_pin, present
from sqlmend.databases import render_ddl
from sqlmend.eval import load_benchmark
from sqlmend.models import count_tokens, load_lm
from sqlmend.models._tokens import estimate_tokens

TEXTS = [
    "",
    "How many pets have a greater weight than 10?",
    "SELECT T1.name, COUNT(*) FROM singer AS T1 WHERE T1.age >= 1985 GROUP BY T1.name HAVING COUNT(*) > 2;",
    'CREATE TABLE "concert" (\n    "concert_ID" INTEGER PRIMARY KEY,\n    "concert_Name" TEXT,\n);\n\n',
    "\u65e5\u672c\u8a9e caf\u00e9 \U0001f600 \u0644",
    "internationalization_of_pneumonoultramicroscopic_names " * 5,
]


def identifiers(alphabet: str) -> str:
    """The columns of a table that somebody has named by codes."""
    draw = random.Random(f"{alphabet}")
    names = ("".join(draw.choices(alphabet, k=draw.randint(3, 20))) for _ in range(60))
    return "CREATE TABLE t (\n" + "".join(f'    "{name}" TEXT,\n' for name in names) + ");"


CODES = {
    "upper": identifiers(string.ascii_uppercase),
    "lower": identifiers(string.ascii_lowercase),
    "either": identifiers(string.ascii_letters),
    "consonants": identifiers("BCDFGHJKLMNPQRSTVWXZ"),
    "hex": identifiers("0123456789abcdef"),
    "base64": identifiers(string.ascii_letters + string.digits),
}


def tokenizers() -> dict[str, Callable[[str], int]]:
    """The tokenizers that LiteLLM brings along, as functions that count."""
    from tokenizers import Tokenizer

    found = files("litellm").joinpath("litellm_core_utils", "tokenizers")
    texts = (f for f in sorted(found.iterdir(), key=str) if f.name.endswith(".json"))
    return {f.name: _counting(Tokenizer.from_str(f.read_text("utf-8"))) for f in texts}


def _counting(tokenizer: Any) -> Callable[[str], int]:
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def schemas() -> Iterator[str]:
    with load_benchmark("mini") as benchmark:
        for db_id in benchmark.db_ids:
            yield render_ddl(benchmark.open(db_id).schema())


def test_the_estimate_is_not_below_what_others_count():
    texts = {**dict(enumerate((*TEXTS, *schemas()))), **CODES}
    counting = tokenizers()
    assert counting
    for name, count in counting.items():
        for which, text in texts.items():
            exact = count(text)
            assert exact <= estimate_tokens(text) <= 4 * exact, (name, which)


def test_a_code_counts_more_than_a_word():
    assert estimate_tokens("QZXJWKVBPF") >= 6
    assert estimate_tokens("customer") == 2
    assert estimate_tokens("PRIMARY KEY") == 3


def test_words_numbers_and_signs_are_counted():
    assert estimate_tokens("") == 0
    assert estimate_tokens("SELECT name") == 3
    assert estimate_tokens("1985") == 4


@pytest.mark.local_model
@pytest.mark.skipif(
    present(get_pin("qwen2.5-coder-0.5b")) is None,
    reason="needs the 0.5B weights on disk (491 MB; `sqlmend models pull 0.5b`)",
)
@pytest.mark.parametrize("text", [*TEXTS, *CODES.values()])
def test_the_estimate_is_not_below_a_real_tokenizer(text: str):
    exact = count_tokens(load_lm("local:0.5b", memo=None), text)
    assert exact <= estimate_tokens(text) <= 4 * exact
