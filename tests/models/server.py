"""An OpenAI-compatible server on the loopback that answers every chat alike and keeps what it was sent."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Model names that fail, with status and body, as vLLM words it.
FAILURES = {
    "missing": (404, {"object": "error", "message": "The model `missing` does not exist.", "code": 404}),
    "long": (400, {"error": {"message": "This model's maximum context length is 4096 tokens.", "code": 400}}),
    "refused": (400, {"error": {"message": "temperature must be non-negative", "code": 400}}),
    "locked": (401, {"error": "Unauthorized"}),
    "broken": (500, {"error": {"message": "EngineDeadError"}}),
}
ANSWER = "<answer>SELECT 1</answer>"


class Server:
    """What a test sees of it.

    Attributes:
        api_base: Its address.
        chats: Headers and body of each chat request, in order.
        paths: Path of each request for what it serves, in order, with the query.
        models: Status and body of what it says of that.
    """

    def __init__(self, port: int) -> None:
        self.api_base = f"http://127.0.0.1:{port}/v1"
        self.chats: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.paths: list[str] = []
        self.models: tuple[int, Any] = (200, {"data": [{"id": "served", "max_model_len": 4321}]})


@contextlib.contextmanager
def openai_server() -> Iterator[Server]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None: ...

        def do_GET(self) -> None:
            server.paths.append(self.path)
            self._reply(*server.models)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.chats.append((dict(self.headers), body))
            usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
            usage["prompt_tokens_details"] = {"cached_tokens": 4}  # type: ignore[assignment]
            message = {"role": "assistant", "content": ANSWER}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            reply = {"id": "1", "object": "chat.completion", "created": 1, "model": body["model"]}
            good = (200, {**reply, "choices": [choice], "usage": usage})
            self._reply(*FAILURES.get(body["model"], good))

        def _reply(self, status: int, body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(http.server_port)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
