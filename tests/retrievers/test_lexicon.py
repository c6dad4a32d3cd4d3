from __future__ import annotations

import logging
from pathlib import Path

import bm25s
import pytest

from sqlmend.retrievers._lexicon import Lexicon

TOKENS = {"b": ["select", "name", "name"], "a": ["no", "such", "column"], "c": []}


def test_tokens_come_back_in_order(tmp_path: Path) -> None:
    Lexicon(tmp_path).save("positive", TOKENS)
    found = Lexicon(tmp_path).load()["positive"]
    assert found == TOKENS and list(found) == list(TOKENS)
    assert Lexicon(tmp_path).load().keys() == {"positive"}
    assert Lexicon(tmp_path / "missing").load() == {}


def test_it_is_a_bm25s_index(tmp_path: Path) -> None:
    Lexicon(tmp_path).save("positive", TOKENS)
    index = bm25s.BM25.load(tmp_path / "positive", load_corpus=True, show_progress=False)
    documents, scores = index.retrieve([["column"]], k=1, show_progress=False)
    assert documents[0, 0]["id"] == "a" and scores[0, 0] > 0
    assert (index.k1, index.b, index.method) == (1.5, 0.75, "lucene")


def test_saving_replaces(tmp_path: Path) -> None:
    lexicon = Lexicon(tmp_path)
    lexicon.save("positive", TOKENS)
    lexicon.save("positive", {"d": ["x"]})
    assert lexicon.load().get("positive", {}) == {"d": ["x"]}
    lexicon.save("positive", {"d": []})  # a question in another script has no token
    assert lexicon.load().get("positive", {}) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "file", ["params.index.json", "corpus.jsonl", "data.csc.index.npy", "vocab.index.json"]
)
@pytest.mark.parametrize("content", [None, b"", b"\xff{", b"[]", b'{"a": 1}\n'])
def test_damage_means_nothing_is_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, file: str, content: bytes | None
) -> None:
    lexicon = Lexicon(tmp_path)
    lexicon.save("positive", TOKENS)
    path = tmp_path / "positive" / file
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert (found := lexicon.load()["positive"]) in ({}, TOKENS)
    assert (tmp_path / "positive").exists() is bool(found), "what cannot be read is not kept"
    lexicon.save("positive", TOKENS)
    assert lexicon.load()["positive"] == TOKENS
