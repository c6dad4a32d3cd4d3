"""What a repair step costs outside the model, with a memory that grows to 1,000 entries.

A simulator answers in no time (no language model) and embeddings are hashes (no embedding model), so
that what is left is ours: rendering the prompt, ranking, the sandbox, the oracle, the files.

    python benchmarks/bench_step.py [--entries 1000]
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import statistics
import tempfile
from pathlib import Path

from sqlmend.eval import RunRequest, load_benchmark, run
from sqlmend.programs import load_program
from sqlmend.testing import HashEmbedder, scripted_lm

STEPS = ("classify", "recall", "revise", "observe")


def build(root: Path, questions: int) -> str:
    """A benchmark in Spider's layout: mini's questions and databases, each question many times."""
    with load_benchmark("mini") as mini:
        for db_id in mini.db_ids:
            folder = root / "database" / db_id
            folder.mkdir(parents=True)
            shutil.copy(mini.files(db_id)[0], folder / f"{db_id}.sqlite")
        source = itertools.islice(itertools.cycle(mini.questions), questions)
        rows = [
            {"db_id": q.db_id, "question": f"{q.text} (asked as number {n})", "query": f"SELECT {n}, 'x'"}
            for n, q in enumerate(source)
        ]
    (root / "dev.json").write_text(json.dumps(rows), "utf-8")
    return f"spider:{root}"


def main() -> None:
    """Run the stream and print medians by size of the memory."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=1000)
    entries = parser.parse_args().entries
    number = itertools.count()

    def answer(prompt: str) -> str:
        # Every other revision is right, so that both polarities grow: the reference is `SELECT n, 'x'`.
        asked = prompt.split("(asked as number ")[1].split(")", maxsplit=1)[0]
        right = "<history>" in prompt and int(asked) % 2
        return (
            f"<answer>SELECT {asked}, 'x'</answer>"
            if right
            else f"<answer>SELECT {next(number)}, nme FROM t</answer>"
        )

    with (
        tempfile.TemporaryDirectory() as place,
        load_benchmark(build(Path(place) / "data", entries)) as benchmark,
    ):
        out = Path(place) / "run"
        program = load_program("merit", ["budget=2"])
        lm = scripted_lm(answer, name="zero-latency", context_window=100_000)
        run(RunRequest(program, benchmark, lm, out, embedder=HashEmbedder()))
        lines = [json.loads(line) for line in (out / "steps.jsonl").read_text("utf-8").splitlines()]
    steps = [line for line in lines if "step" in line]
    sizes = list(range(100, entries + 1, max(100, entries // 5)))
    print(f"{'entries':>8} {'step ms':>8} " + " ".join(f"{name:>9}" for name in (*STEPS, "commit")))
    for size in sizes:
        window = [s for s in steps if size - 100 <= s["position"] < size]
        outside = {
            name: statistics.median(
                (s["seconds"] - s["seconds_model"]) * 1e3 for s in window if s["step"] == name
            )
            for name in (*STEPS, "commit")
        }
        total = sum(outside[name] for name in STEPS)
        print(f"{size:>8} {total:>8.2f} " + " ".join(f"{outside[name]:>9.2f}" for name in (*STEPS, "commit")))


if __name__ == "__main__":
    main()
