"""Studies for tests: a space of three settings and an evaluation that is a function of them."""

from __future__ import annotations

import time
from hashlib import sha256

from sqlmend.optimize import Evaluated, build_space
from sqlmend.optimize._search import Search
from sqlmend.optimize._study import StudyPlan, open_study
from sqlmend.programs import load_program

SPACE = {
    "only": True,
    "recall.dense": {"low": 0.0, "high": 1.0, "step": 0.25},
    "recall.top_k.positive": {"low": 0, "high": 5, "step": 1},
    "recall.type_policy": ["hard", "off"],
}


class FakeEvaluation:
    """40 questions; more of them come out right near dense 0.25 and top-k 2, and with policy off."""

    total = 40

    def __init__(self, fail_at=None, pause_s=0.0):
        self.places = []
        self.programs = []
        self._fail_at = fail_at
        self._pause_s = pause_s

    def __call__(self, program, place, watch):
        self.places.append(place)
        self.programs.append(program)
        recall = program.preset.steps[2].settings
        chance = 60 - 30 * abs(recall.dense - 0.25) - 5 * abs(recall.top_k.positive - 2)
        chance += 10 * (recall.type_policy == "off")
        outcomes = []
        started = time.perf_counter()
        for question in range(self.total):
            if self._fail_at == (len(self.places), question):
                raise OSError("the disk is full")
            if self._pause_s:
                time.sleep(self._pause_s)
            outcomes.append(int(int(sha256(str(question).encode()).hexdigest()[:6], 16) % 100 < chance))
            if not watch(outcomes):
                break
        seconds = time.perf_counter() - started
        return Evaluated(tuple(outcomes), 10 * len(outcomes), len(outcomes), len(outcomes), seconds)


def program():
    return load_program("merit", ["budget=1"])


def plan(storage=None, seed=0, objectives=("ex",), space=SPACE, prune=True, **meaning):
    return StudyPlan(build_space(program().preset, space), objectives, seed, meaning, storage, prune)


def search(planned, trials=12, *, resume=False, evaluation=None, wait=True, observers=()):
    """Run a study to its end and return it."""
    study = open_study(planned, resume=resume)
    evaluation = evaluation or FakeEvaluation()
    Search(study, planned, program(), evaluation, trials, observers).run(wait=wait)
    return study


def settings(study):
    """The settings of the trials that count, in the order of their ranks."""
    return [t.user_attrs["settings"] for t in study.get_trials() if t.state.name in ("COMPLETE", "PRUNED")]
