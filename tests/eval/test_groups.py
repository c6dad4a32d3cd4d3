from collections import Counter

import pytest

from sqlmend.eval import load_benchmark
from sqlmend.eval._groups import group_ordinals


def test_equal_references_of_one_database_are_one_group():
    pairs = [
        ("a", "SELECT x FROM t"),
        ("b", "SELECT x FROM t"),
        ("a", "select  X\nfrom T ;"),
        ("a", "SELECT y FROM t"),
        ("b", "SELECT x FROM t -- again"),
    ]
    assert group_ordinals(pairs) == [0, 1, 0, 2, 1]


def test_the_case_of_literals_does_not_part_twins():
    assert group_ordinals([("a", "SELECT 'Asia'"), ("a", "SELECT 'asia'"), ("a", "SELECT 'Asia '")]) == [
        0,
        0,
        1,
    ]


@pytest.mark.parametrize(
    ("spec", "questions", "twins"),
    [
        ("spider:{}/spider", 972, 904),
        ("spider:{}/spider:train", 6090, 5122),
        ("bird:{}/bird", 287, 2),
    ],
)
def test_twins_of_the_real_benchmarks(shared_dir, spec, questions, twins):
    benchmark = load_benchmark(spec.format(shared_dir / "data"))
    sizes = Counter(benchmark.groups.values())
    assert len(benchmark.groups) == len(benchmark.questions) == questions
    assert sum(size for size in sizes.values() if size > 1) == twins


def test_a_group_never_spans_databases(shared_dir):
    benchmark = load_benchmark(f"spider:{shared_dir / 'data/spider'}")
    databases = {}
    for question in benchmark.questions:
        databases.setdefault(benchmark.groups[question.id], set()).add(question.db_id)
    assert {len(names) for names in databases.values()} == {1}
