"""The estimate for models whose tokenizer is not here: never too low, or a prompt would not fit."""

from __future__ import annotations

import pytest

from sqlmend._weights import get_pin, present
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


def test_words_numbers_and_signs_are_counted():
    assert estimate_tokens("") == 0
    assert estimate_tokens("SELECT name") == 3
    assert estimate_tokens("1985") == 4


@pytest.mark.local_model
@pytest.mark.skipif(
    present(get_pin("qwen2.5-coder-0.5b")) is None,
    reason="needs the 0.5B weights on disk (491 MB; `sqlmend models pull 0.5b`)",
)
@pytest.mark.parametrize("text", TEXTS)
def test_the_estimate_is_not_below_a_real_tokenizer(text: str):
    exact = count_tokens(load_lm("local:0.5b", memo=None), text)
    assert exact <= estimate_tokens(text) <= 4 * exact
