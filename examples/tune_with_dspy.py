"""Tune what a repair program recalls, as any other DSPy optimizer tunes a program.

    python examples/tune_with_dspy.py --lm local --trials 20

The questions are plain examples without references; the benchmark alone can have a query judged. What comes
out is an ordinary DSPy program: it saves, loads and copies.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import dspy

import sqlmend
from sqlmend.optimize import RetrievalTuner, as_examples, split_off


def main() -> None:
    """Tune, say what it is worth, save, and load again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lm", default="local", help="as for sqlmend run")
    parser.add_argument("--embedder", default="minilm", help="as for sqlmend run")
    parser.add_argument("--sample", default="60", help="how many questions of the bundled benchmark")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("tuned"))
    options = parser.parse_args()

    dspy.configure(lm=sqlmend.load_lm(options.lm))
    student = sqlmend.load_program("merit", ["budget=2"])
    with sqlmend.load_benchmark("mini").select(sample=options.sample) as mini:
        train, held_out = split_off(mini, share=0.25, seed=0)
        tuner = RetrievalTuner(
            benchmark=mini,
            trials=options.trials,
            storage=f"sqlite:///{options.out / 'study.db'}",
            embedder=options.embedder,
            out=options.out,
        )
        better = tuner.compile(student, trainset=as_examples(train), valset=as_examples(held_out))

    for line in tuner.result["words"]:
        print(line)
    better.save(options.out / "merit_tuned.json")
    loaded = sqlmend.load_program("merit")
    loaded.load(options.out / "merit_tuned.json")
    for name, parameter in loaded.named_parameters():
        if name.endswith("tunable"):
            print(name, parameter.dump_state())


if __name__ == "__main__":
    main()
