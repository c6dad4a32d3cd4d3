"""The tuner on a simulator with a known optimum (see ``tuner_simulator``): what it finds, and at what price.

    python benchmarks/bench_tuner.py [--seeds 10] [--trials 60] [--pruners paired,wilcoxon,median,none]

An exhaustive grid gives the best EX. Each seed runs a study with memo and pruning and one without both; calls
of the simulated model are counted on the same seed. The pruners are compared on the same seeds.
"""

from __future__ import annotations

import argparse
import itertools
import time
import warnings
from collections.abc import Callable
from typing import Any

import optuna
from tuner_simulator import DEFAULTS, SPACE, SimulatedEvaluation, Simulation, items

from sqlmend.optimize import PairedPruner, build_space
from sqlmend.optimize._result import best_of
from sqlmend.optimize._retune import retuned
from sqlmend.optimize._search import FIGURES, Search
from sqlmend.optimize._study import StudyPlan, open_study
from sqlmend.programs import RepairProgram, load_program

#: One point of EX, and the rounding of a sum.
POINT = 0.01 + 1e-9
PRUNERS: dict[str, Callable[[], optuna.pruners.BasePruner]] = {
    "paired": PairedPruner,
    "wilcoxon": lambda: optuna.pruners.WilcoxonPruner(p_threshold=0.05),
    "median": optuna.pruners.MedianPruner,
    "none": optuna.pruners.NopPruner,
}


def grid(simulation: Simulation, program: RepairProgram) -> list[float]:
    """EX of every point of the space."""
    space = build_space(program.preset, SPACE)
    labels = [[dimension.label(value) for value in dimension.values] for dimension in space.dimensions]
    found = []
    for point in itertools.product(*labels):
        parameters = dict(zip(space.own, point, strict=True))
        tuned = retuned(program, space.with_settings(space.settings(parameters)))
        evaluation = SimulatedEvaluation(simulation)
        found.append(evaluation(tuned, "", lambda outcomes: True).ex)
    return found


def study(
    simulation: Simulation,
    program: RepairProgram,
    seed: int,
    trials: int,
    *,
    memo: bool,
    pruner: optuna.pruners.BasePruner,
) -> dict[str, Any]:
    """One study: the best EX, calls asked and paid, trials given up, seconds of the tuner."""
    plan = StudyPlan(build_space(program.preset, SPACE), ("ex",), seed, {})
    evaluation = SimulatedEvaluation(simulation, memo=memo)
    opened = open_study(plan, resume=False)
    opened.pruner = pruner
    started = time.perf_counter()
    Search(opened, plan, program, evaluation, trials).run()
    whole = time.perf_counter() - started
    done = opened.get_trials(deepcopy=False)
    inside = sum(t.user_attrs[FIGURES]["seconds"] - t.user_attrs[FIGURES]["seconds_watching"] for t in done)
    return {
        "best": best_of(opened).user_attrs[FIGURES]["ex"],
        "asked": evaluation.calls,
        "paid": evaluation.paid,
        "pruned": sum(trial.state is optuna.trial.TrialState.PRUNED for trial in done),
        "tuner_s": whole - inside,
    }


def main() -> None:
    """Print the grid, the studies and the pruners."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--pruners", default="paired", help=f"of {', '.join(PRUNERS)}, with commas")
    options = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    simulation = Simulation(items())
    program = load_program("merit", DEFAULTS)
    started = time.perf_counter()
    values = grid(simulation, program)
    best = max(values)
    near = sum(value >= best - POINT for value in values)
    own = SimulatedEvaluation(simulation)(program, "", lambda outcomes: True).ex
    print(
        f"grid: {len(values)} points in {time.perf_counter() - started:.0f} s, EX {min(values):.3f} to"
        f" {best:.3f}, {near} points within one point of the best; the program as it is {own:.3f}",
        flush=True,
    )
    full = {}
    for seed in range(options.seeds):
        nothing = PRUNERS["none"]()
        full[seed] = study(simulation, program, seed, options.trials, memo=False, pruner=nothing)
    head = ("pruner", 9), ("seed", 4), ("best EX", 8), ("of full", 8), ("paid", 6), ("asked", 6)
    print(" ".join(f"{name:>{width}}" for name, width in (*head, ("given up", 8), ("ms", 6))))
    for name in options.pruners.split(","):
        within, shares = 0, []
        for seed in range(options.seeds):
            found = study(simulation, program, seed, options.trials, memo=True, pruner=PRUNERS[name]())
            shares.append(found["paid"] / full[seed]["paid"])
            within += found["best"] >= best - POINT
            print(
                f"{name:>9} {seed:>4} {found['best']:>8.3f} {shares[-1]:>8.1%} {found['paid']:>6}"
                f" {found['asked']:>6} {found['pruned']:>8} {1e3 * found['tuner_s'] / options.trials:>6.1f}",
                flush=True,
            )
        mean = sum(shares) / len(shares)
        print(
            f"{name:>9}: within one point in {within} of {options.seeds} seeds, {mean:.1%} of the calls"
            f" (most {max(shares):.1%})",
            flush=True,
        )


if __name__ == "__main__":
    main()
