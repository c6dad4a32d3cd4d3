"""A study for tests: `mini` with a marker in every reference, answered by the simulator."""

import json
import shutil
from pathlib import Path

from sqlmend.eval import load_benchmark
from sqlmend.eval.crystallization import CrystallizationRequest, crystallize, parse_vary
from sqlmend.models import LanguageModel
from sqlmend.testing import HashEmbedder, ScriptedEngine
from tests.simulator import answer, references

SENTINEL = "zq9sentinelzq9"


def marked(root: Path, sample="20"):
    """A sample of `mini` whose references hold the marker."""
    mini = load_benchmark("mini")
    for db_id in mini.db_ids:
        (root / "database" / db_id).mkdir(parents=True)
        shutil.copy(mini.files(db_id)[0], root / "database" / db_id / f"{db_id}.sqlite")
    (root / "tables.json").write_text("[]")
    rows = [
        {
            "db_id": question.db_id,
            "question": question.text,
            "query": f"{references()[question.text.strip()].rstrip(';')} /* {SENTINEL} */",
        }
        for question in mini.select(sample=sample).questions
    ]
    (root / "dev.json").write_text(json.dumps(rows))
    return load_benchmark(f"spider:{root}")


class Model(ScriptedEngine):
    """The simulator, which draws, looks where it may, writes lessons, and keeps what it was asked.

    Args:
        stop_at: Number of the prompt at which it is killed.
    """

    def __init__(self, stop_at=None, reply=answer):
        super().__init__(self.reply, name="mini-simulator", context_window=32_000)
        self.prompts = []
        self.stop_at = stop_at
        self.simulate = reply
        self.draw = ""
        self.temperatures = set()

    def complete(self, request):
        self.temperatures.add(request.config.temperature)
        self.draw = f" draw {request.config.seed}" if request.config.temperature else ""
        return super().complete(request)

    def reply(self, prompt):
        self.prompts.append(prompt)
        if self.stop_at is not None and len(self.prompts) >= self.stop_at:
            raise KeyboardInterrupt
        if "<queries_at_most>" in prompt:
            return "<answer>SELECT 1 AS one</answer>"
        if "short lesson" in prompt:
            return "<answer>Count what the question counts.</answer>"
        return self.simulate(prompt + self.draw)


def request(benchmark, out, model, *vary, seeds=(42,), temperature=0.0, memo=None, **changes):
    """A study of the designs that ``vary`` names."""
    changes = {"resamples": 200, **changes}
    lm = LanguageModel("mini-simulator", model, memo, temperature=temperature)
    return CrystallizationRequest(
        benchmark,
        lm,
        Path(out),
        HashEmbedder(),
        designs=parse_vary(vary),
        seeds=seeds,
        **changes,
    )


def study(benchmark, out, model, *vary, **changes):
    """Run it, and return its folder."""
    return crystallize(request(benchmark, out, model, *vary, **changes))
