from __future__ import annotations

import json
import threading
import traceback
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from sqlmend.errors import SqlmendError
from sqlmend.retrievers import Embedder, HashEmbedder, get_embedder
from sqlmend.retrievers._embedders import _openai
from sqlmend.retrievers._embedders._openai import OpenAIEmbedder
from sqlmend.testing import EmbedderContract


class Server(ThreadingHTTPServer):
    """An embeddings endpoint on loopback, over the hash embedder; first it answers with its ``faults``."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None, dict]] = []
        self.faults: list[tuple[int, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        vectors = HashEmbedder().embed(body["input"]).tolist()
        data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
        answer = {
            "object": "list",
            "model": body["model"],
            "data": data[::-1],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        status, text = self.server.faults.pop(0) if self.server.faults else (200, json.dumps(answer))
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(_openai, "_WAITS_S", (0.0, 0.0))
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture(autouse=True)
    def use(self, server: Server) -> None:
        self.server = server

    def embedder(self) -> Embedder:
        return OpenAIEmbedder("org/model", self.server.url)


def test_rows_are_in_the_order_of_the_texts(server: Server) -> None:
    vectors = get_embedder(f"openai:org/model@{server.url}").embed(["one", "two words", "three more words"])
    assert np.allclose(vectors, HashEmbedder().embed(["one", "two words", "three more words"]), atol=1e-6)
    path, authorization, body = server.asked[0]
    assert (path, authorization, body["model"]) == ("/v1/embeddings", None, "org/model")


def test_many_texts_go_in_batches(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_openai, "_BATCH", 4)
    embedder = OpenAIEmbedder("m", server.url)
    assert embedder.embed([f"text {i}" for i in range(10)]).shape == (10, 64)
    assert [len(body["input"]) for _, _, body in server.asked if body["input"] != ["dimension"]] == [4, 4, 2]


def test_the_key_comes_from_the_environment_and_stays_out_of_errors(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    server.faults = [(401, "no such key: sk-secret")]
    with pytest.raises(SqlmendError, match=r"HTTP 401: no such key: \*\*\*") as caught:
        OpenAIEmbedder("m", server.url).embed(["a"])
    assert server.asked[0][1] == "Bearer sk-secret"
    assert "sk-secret" not in "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value))


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(server: Server, status: int) -> None:
    server.faults = [(status, "later")] * 2
    assert OpenAIEmbedder("m", server.url)._call(["a"]).shape == (1, 64)
    server.faults = [(status, "never")] * 3
    with pytest.raises(SqlmendError, match=f"HTTP {status}: never"):
        OpenAIEmbedder("m", server.url).embed(["a"])
    assert len(server.asked) == 6


def test_a_refusal_is_final(server: Server) -> None:
    server.faults = [(400, "too long")]
    with pytest.raises(SqlmendError, match="too long"):
        OpenAIEmbedder("m", server.url).embed(["a"])
    assert len(server.asked) == 1


@pytest.mark.parametrize("text", ["<html>", "{}", '{"data": 3}', '{"data": [{"index": 0}]}'])
def test_an_answer_of_another_form(server: Server, text: str) -> None:
    server.faults = [(200, text)] * 3
    with pytest.raises(SqlmendError, match="gave no embeddings"):
        OpenAIEmbedder("m", server.url).embed(["a"])


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://[", "http://"])
def test_no_server_is_an_error_that_names_it(url: str) -> None:
    with pytest.raises(SqlmendError, match="gave no embeddings") as caught:
        OpenAIEmbedder("m", url).embed(["a"])
    assert url in caught.value.message
