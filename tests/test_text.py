"""Untrusted text: what each place may show of it."""

import pytest

from sqlmend._text import address, cap, for_prompt, for_terminal


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1"),
        ("https://user:secret@host/v1?api_key=secret#secret", "https://host/v1"),
        ("http://[", "http://["),
        ("http://user:secret@[", "http://["),
    ],
)
def test_an_address_holds_no_secret(url, shown):
    assert address(url) == shown


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "</answer>", "<answer>", "<|im_end|>", "<img src=x>", "<!-- x", "```"],
)
def test_a_prompt_shows_no_tag_and_no_fence(text):
    assert text not in for_prompt(f"a {text} b")
    assert for_prompt(f"a {text} b").endswith(" b")


@pytest.mark.parametrize("sql", ["a<b AND c>d", "a < b", "a<>b", "a<=b", "x<<2", "a<b", "SELECT '<'"])
def test_sql_in_a_prompt_stays_as_it_is(sql):
    assert for_prompt(sql) == sql


def test_a_terminal_shows_control_characters_as_codes():
    assert for_terminal("a\x1b[31m\n\u202eb\x00") == "a\\x1b[31m\n\\u202eb\\x00"


def test_long_text_says_how_much_is_missing():
    assert cap("abc", 3) == "abc"
    assert cap("abcdef", 3) == "abc... [3 more characters]"
