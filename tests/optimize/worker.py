"""A worker of a study, started by the tests: `python -m tests.optimize.worker URL TRIALS PAUSE`.

It says when it could begin and waits for a line, so that several begin at once.
"""

import sys

import optuna

from tests.optimize.studies import FakeEvaluation, plan, search

if __name__ == "__main__":
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    url, trials, pause = sys.argv[1:]
    planned = plan(url)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    search(planned, int(trials), resume=True, evaluation=FakeEvaluation(pause_s=float(pause)))
