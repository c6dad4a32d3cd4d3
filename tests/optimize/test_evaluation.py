"""A trial that goes on: what failed last runs again, and counts once."""

from sqlmend.eval import load_benchmark
from sqlmend.optimize._evaluation import StreamEvaluation
from sqlmend.programs import load_program
from tests.eval.runs import broken_from, request


def test_questions_that_run_again_count_once(tmp_path):
    def evaluated(place, watch, **model):
        with load_benchmark("mini").select(sample="6") as benchmark:
            lm = request(tmp_path, benchmark=benchmark, **model).lm
            trial = StreamEvaluation(benchmark, lm, tmp_path)
            return trial(load_program("iterative", ["budget=1"]), place, watch)

    whole = evaluated("whole", lambda outcomes: True)
    given_up = evaluated("trial", lambda outcomes: len(outcomes) < 2, reply=broken_from(1))
    assert given_up.outcomes == (0, 0)
    seen = []
    again = evaluated("trial", lambda outcomes: seen.append(tuple(outcomes)) or True)
    assert again.outcomes == whole.outcomes
    assert seen == [(0, 0), *(whole.outcomes[: n + 1] for n in range(6))]
