from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sqlmend._weights import Pin, fetch
from sqlmend.errors import SqlmendError


class Hub(ThreadingHTTPServer):
    """A hub on loopback: ``ranges`` whether it honours Range, ``cut`` bytes after which it hangs up."""

    ranges = True
    cut: int | None = None

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = content
        self.asked: list[tuple[str, str | None]] = []


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_GET(self) -> None:
        wanted = self.headers["Range"]
        self.server.asked.append((self.path, wanted))
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.server.ranges else 0
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(self.server.content) - start))
        self.end_headers()
        self.wfile.write(self.server.content[start : self.server.cut])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub(content: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    server = Hub(content)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
    yield server
    server.shutdown()
    server.server_close()


def test_hub_comes_first(hub: Hub, pin: Pin, shelf: Any, content: bytes, tmp_path: Path) -> None:
    assert fetch(pin, folder=tmp_path, download=shelf).read_bytes() == content
    assert hub.asked == [("/owner/toy/resolve/main/toy.bin", None)]
    assert shelf.asked == []


@pytest.mark.parametrize("ranges", [True, False])
def test_hub_goes_on_where_it_stopped(
    hub: Hub, pin: Pin, content: bytes, tmp_path: Path, ranges: bool
) -> None:
    hub_only = replace(pin, mirror=None)
    hub.cut = 700
    with pytest.raises(SqlmendError, match=r"700|IncompleteRead"):
        fetch(hub_only, folder=tmp_path)
    hub.cut, hub.ranges = None, ranges
    assert fetch(hub_only, folder=tmp_path).read_bytes() == content
    assert hub.asked[1][1] == "bytes=700-"


def test_mirror_goes_on_where_the_hub_stopped(
    hub: Hub, pin: Pin, shelf: Any, content: bytes, tmp_path: Path
) -> None:
    hub.cut = 2100
    assert fetch(pin, folder=tmp_path, download=shelf).read_bytes() == content
    assert shelf.asked == [3]


def test_all_bytes_there_but_not_yet_checked(hub: Hub, pin: Pin, content: bytes, tmp_path: Path) -> None:
    (tmp_path / ".toy.bin.part").write_bytes(content)
    assert fetch(replace(pin, mirror=None), folder=tmp_path).read_bytes() == content
    assert hub.asked == []


def test_an_endpoint_that_is_no_url(
    pin: Pin, shelf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "nonsense")
    fetch(pin, folder=tmp_path, download=shelf)
    assert shelf.asked == [1, 2, 3]
