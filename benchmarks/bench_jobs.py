"""What ``--jobs`` gains: a comparison against a slow server, one stream at a time and eight.

The server is a simulator, no language model: an OpenAI-compatible address on the loopback, in a process of
its own, that answers each chat after 200 ms by a function of the prompt. It is asked through LiteLLM, with
the memo off, so that every call is paid. Embeddings are hashes.

    python benchmarks/bench_jobs.py [--jobs 8] [--sample 12]

The bar: the wall time at most 1.3 times the longer of the longest stream and the total divided by the jobs,
both as one stream at a time took, with the same bytes in every ``episodes.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sqlmend.eval import load_benchmark
from sqlmend.eval.comparison import ComparisonRequest, compare, load_contenders
from sqlmend.models import load_lm
from sqlmend.testing import HashEmbedder
from tests.simulator import answer

LATENCY_S = 0.2
PROGRAMS = ("iterative", "dynamic_rag", "reflexion", "merit", "merit_reliability")
BAR = 1.3


class Handler(BaseHTTPRequestHandler):
    """Answers chats late, connections kept open."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        self._reply({"data": [{"id": "simulator", "max_model_len": 32_000}]})

    def do_POST(self) -> None:
        began = time.monotonic()
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = body["messages"][-1]["content"]
        text = answer(prompt)
        tokens = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4}
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            ],
            "usage": {**tokens, "total_tokens": sum(tokens.values())},
        }
        time.sleep(max(0.0, LATENCY_S - (time.monotonic() - began)))
        self._reply(reply)

    def _reply(self, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def serve(port: multiprocessing.Queue[int]) -> None:
    """Serve until the process is ended."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    port.put(server.server_port)
    server.serve_forever()


def measure(out: Path, api_base: str, sample: int, jobs: int) -> tuple[float, list[float], dict[str, bytes]]:
    """Wall time of a comparison, the time between the ends of its streams, and its episodes."""
    last: dict[object, float] = {}
    with load_benchmark("mini").select(sample=str(sample)) as benchmark:
        request = ComparisonRequest(
            load_contenders(PROGRAMS, budget=3),
            benchmark,
            load_lm("hosted_vllm/simulator", api_base=api_base, memo=None),
            out,
            orders=(0, 1, 2),
            embedder=HashEmbedder(),
            jobs=jobs,
        )
        began = time.perf_counter()
        compare(request, [lambda stream, _: last.update({stream: time.perf_counter()})])
        wall = time.perf_counter() - began
    ends = sorted(last.values())
    streams = [end - start for start, end in zip([began, *ends], ends, strict=False)]
    episodes = {str(s): (s.folder(out) / "episodes.jsonl").read_bytes() for s in request.streams}
    return wall, streams, episodes


def main() -> None:
    """Measure both and print them with the ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--sample", type=int, default=12)
    arguments = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    port: multiprocessing.Queue[int] = context.Queue()
    server = context.Process(target=serve, args=(port,), daemon=True)
    server.start()
    api_base = f"http://127.0.0.1:{port.get()}/v1"
    with tempfile.TemporaryDirectory() as place:
        # LiteLLM and Chroma take seconds to load, which is neither run's.
        measure(Path(place) / "warm", api_base, 1, arguments.jobs)
        total, streams, one = measure(Path(place) / "one", api_base, arguments.sample, 1)
        wall, _, many = measure(Path(place) / "many", api_base, arguments.sample, arguments.jobs)
    server.terminate()
    least = max(*streams, total / arguments.jobs)
    print(f"{len(one)} streams, one at a time: {total:.1f} s, the longest {max(streams):.1f} s")
    print(f"{arguments.jobs} at a time: {wall:.1f} s, {wall / least:.2f} times the least (bar {BAR})")
    print(f"the same episodes: {one == many}")
    sys.exit(0 if one == many and wall <= BAR * least else 1)


if __name__ == "__main__":
    main()
