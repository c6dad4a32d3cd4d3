"""``sqlmend crystallize``: what stored corrections are worth, as replay, retention and transfer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqlmend.cli._frame import emit, example, json_option, out, write_page
from sqlmend.cli._options import (
    WholeNumbers,
    benchmark_options,
    embedder_option,
    split_names,
    timeout_option,
    unthinking_lm_options,
)

if TYPE_CHECKING:
    from sqlmend.models import Memo


@click.command(
    epilog=example(
        "sqlmend crystallize --benchmark mini --lm local --out cry",
        "sqlmend crystallize --benchmark mini --lm local --vary k=1,10 --vary format --out cry2",
        "sqlmend crystallize --benchmark mini --lm local --vary admission,k,pairing --out cry3",
    )
)
@benchmark_options
@unthinking_lm_options
@embedder_option
@click.option(
    "--vary",
    "varied",
    multiple=True,
    metavar="AXES",
    help="Axes to sweep around the default design, with commas between (source, admission, format, k, scope,"
    " retriever, pairing, content, fraction), or some values of one: k=1,10. May be repeated."
    " admission,k,pairing measures all four primary comparisons.",
)
@click.option(
    "--seeds",
    type=WholeNumbers("seeds"),
    default="42,7,13",
    show_default=True,
    metavar="N,...",
    help="Paired seeds.",
)
@click.option("--definition", help="Definition of execution accuracy (default: the benchmark's own).")
@timeout_option
@click.option(
    "--resamples", type=click.IntRange(min=1), default=10_000, show_default=True, help="Bootstrap draws."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the bootstrap."
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=2.5,
    show_default=True,
    metavar="POINTS",
    help="Difference in EX that would matter, for the test of equivalence.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs that go on at the same time, for a served model; a local one answers one at a time.",
)
@click.option("--out", "folder", required=True, type=click.Path(path_type=Path), help="The study's folder.")
@click.option("--resume", is_flag=True, help="Go on where a killed study stopped.")
@json_option
def command(
    benchmark: str,
    databases: str | None,
    limit: int | None,
    sample: str | None,
    lm: str,
    api_base: str | None,
    memo: Memo | None,
    embedder: str,
    varied: tuple[str, ...],
    seeds: tuple[int, ...],
    definition: str | None,
    timeout: float,
    resamples: int,
    seed: int,
    margin: float,
    jobs: int,
    folder: Path,
    resume: bool,
    as_json: bool,
) -> None:
    """Measure what stored corrections are worth, as replay, retention and held-out transfer.

    Corrections of a part of the questions become cards; the same solver then answers with and without them.
    The default design is always measured; --vary adds designs that differ from it in one setting.
    """
    from sqlmend.cli._study_progress import StudyProgress
    from sqlmend.cli._study_tables import show_study
    from sqlmend.eval import load_benchmark
    from sqlmend.eval.crystallization import (
        CrystallizationRequest,
        crystallize,
        parse_vary,
        study_results,
    )
    from sqlmend.eval.report import write_study_report
    from sqlmend.models import load_lm
    from sqlmend.retrievers import get_embedder

    designs = parse_vary(varied)
    chosen = load_benchmark(benchmark).select(databases=split_names(databases), limit=limit, sample=sample)
    request = CrystallizationRequest(
        chosen,
        load_lm(lm, api_base=api_base, memo=memo, thinking=False),
        folder,
        get_embedder(embedder),
        designs=designs,
        seeds=seeds,
        definition=definition,
        timeout_s=timeout,
        selection={"databases": split_names(databases), "limit": limit, "sample": sample},
        resamples=resamples,
        seed=seed,
        margin=margin / 100,
        jobs=jobs,
        resume=resume,
    )
    with chosen, StudyProgress(folder) as progress:
        crystallize(request, [progress])
    document = study_results(folder)
    page = write_page(write_study_report, folder, document)

    def render() -> None:
        show_study(document)
        out.print(f"report: {page}", soft_wrap=True)

    emit(document, as_json, render)
