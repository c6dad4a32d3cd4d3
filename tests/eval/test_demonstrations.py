"""Demonstrations: a split whose references may be shown, to questions of other databases alone."""

import pytest

from sqlmend.errors import InputError
from sqlmend.eval import load_benchmark
from sqlmend.eval._demonstrations import demonstrations
from sqlmend.testing import HashEmbedder
from tests.eval.runs import start
from tests.reasoner import answer


def of(*databases, sample=None):
    return load_benchmark("mini").select(databases=databases, sample=sample)


def test_examples_have_their_query_and_the_shape_of_its_schema():
    pool = demonstrations(of("clinic"), of("web_shop"), HashEmbedder())
    example = next(e for e in pool.examples if e.question == "How many patients live in Marlow?")
    assert example.sql == "SELECT COUNT(*) FROM patients WHERE town = 'Marlow'"
    assert example.shape == (1, 0, 0, 0, 1)
    assert pool.vectors.shape[0] == len(pool.examples)


def test_what_is_judged_is_no_demonstration():
    with pytest.raises(InputError, match="share the database clinic"):
        demonstrations(of("clinic", "web_shop"), of("clinic"), HashEmbedder())


def test_prompts_show_three_of_them_and_the_configuration_says_so(tmp_path):
    prompts = []
    summary = start(
        tmp_path / "run",
        "sdam_small:baseline",
        sets=(),
        benchmark=of("web_shop", sample="3"),
        demonstrations=of("clinic"),
        reply=lambda prompt: prompts.append(prompt) or answer(prompt),
    )
    assert summary["n"] == 3
    assert all(prompt.count("\nquery: ") == 3 for prompt in prompts)
    assert '"demonstrations"' in (tmp_path / "run" / "config.json").read_text("utf-8")
