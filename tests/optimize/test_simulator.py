"""The simulator of the benchmark computes in memory what real streams do."""

import pytest

from benchmarks import tuner_simulator as simulator
from sqlmend.eval import load_benchmark
from sqlmend.optimize import StreamEvaluation
from sqlmend.programs import load_program
from sqlmend.testing import scripted_lm


@pytest.mark.parametrize(
    "sets", [(), ("recall.fusion=rrf", "recall.type_policy=off", "recall.top_k.positive=2")]
)
def test_memory_and_real_streams_agree(tmp_path, sets):
    questions = simulator.items(seed=1, questions=40, lessons=5)
    program = load_program("merit", [*simulator.DEFAULTS, *sets])
    with load_benchmark(simulator.write_benchmark(tmp_path / "data", questions)) as benchmark:
        schema = benchmark.open(simulator.DB).schema()
        simulated = simulator.Simulation(questions, schema=(schema.ddl(), schema.fingerprint))
        computed = simulator.SimulatedEvaluation(simulated)(program, "", lambda outcomes: True)
        lm = scripted_lm(simulator.answer(questions), name="lessons", context_window=100_000)
        real = StreamEvaluation(benchmark, lm, tmp_path / "runs", embedder=simulator.ConceptEmbedder())
        found = real(program, "trial", lambda outcomes: True)
    assert found.outcomes == computed.outcomes
    assert found.calls == computed.calls
    assert 0 < sum(found.outcomes) < len(questions)
