"""A worker of a study, started by the tests: `python -m tests.optimize.worker URL TRIALS PAUSE`."""

import sys

import optuna

from tests.optimize.studies import FakeEvaluation, plan, search

if __name__ == "__main__":
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    url, trials, pause = sys.argv[1:]
    search(plan(url), int(trials), resume=True, evaluation=FakeEvaluation(pause_s=float(pause)))
