"""``sqlmend compare``: repair programs side by side over the same streams."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from sqlmend.cli._frame import emit, example, json_option, out, write_page
from sqlmend.cli._options import (
    benchmark_options,
    demonstrations_option,
    embedder_option,
    initial_options,
    lm_options,
    orders_option,
    read_initial,
    set_option,
    split_names,
    timeout_option,
)

if TYPE_CHECKING:
    from sqlmend.eval.comparison import SameGroup
    from sqlmend.models import Memo


@click.command(
    epilog=example(
        "sqlmend compare iterative merit merit:no_lexical --benchmark mini --sample 40 --budget 3 \\",
        "    --orders 0,1,2 --lm hosted_vllm/MODEL --api-base http://127.0.0.1:8000/v1 --jobs 8 --out cmp",
    )
)
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@benchmark_options
@lm_options
@set_option
@embedder_option
@click.option("--budget", type=click.IntRange(0, 100), help="Revisions after the initial query at most.")
@orders_option
@click.option(
    "--same-group",
    type=click.Choice(["both", "allow", "exclude"]),
    default="both",
    show_default=True,
    help="Whether questions recall what their paraphrase twins left.",
)
@click.option("--pairs", metavar="A:B,...", help="Programs held against each other (default: every pair).")
@click.option(
    "--unit",
    type=click.Choice(["group", "question"]),
    default="group",
    show_default=True,
    help="What the bootstrap draws: groups of twins, or questions.",
)
@click.option(
    "--resamples", type=click.IntRange(min=1), default=10_000, show_default=True, help="Bootstrap draws."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the bootstrap."
)
@click.option("--definition", help="Definition of execution accuracy (default: the benchmark's own).")
@initial_options
@demonstrations_option
@timeout_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Streams that run at the same time, for a served model; a local one answers one at a time.",
)
@click.option(
    "--out", "folder", required=True, type=click.Path(path_type=Path), help="The comparison's folder."
)
@click.option("--resume", is_flag=True, help="Go on where a killed comparison stopped.")
@json_option
def command(
    programs: tuple[str, ...],
    benchmark: str,
    databases: str | None,
    limit: int | None,
    sample: str | None,
    lm: str,
    api_base: str | None,
    memo: Memo | None,
    thinking: bool,
    overrides: tuple[str, ...],
    embedder: str,
    budget: int | None,
    orders: tuple[int, ...],
    same_group: str,
    pairs: str | None,
    unit: str,
    resamples: int,
    seed: int,
    definition: str | None,
    initial: Path | None,
    ids: str,
    demonstrations: str | None,
    timeout: float,
    jobs: int,
    folder: Path,
    resume: bool,
    as_json: bool,
) -> None:
    """Run every PROGRAM (a preset's name or a YAML file) over the same streams and compare them."""
    from sqlmend.cli._compare_progress import ComparisonProgress
    from sqlmend.cli._compare_tables import show_results
    from sqlmend.eval import load_benchmark
    from sqlmend.eval.comparison import (
        SAME_GROUPS,
        ComparisonRequest,
        compare,
        load_contenders,
        parse_pairs,
    )
    from sqlmend.eval.measures import results
    from sqlmend.eval.report import write_report
    from sqlmend.models import load_lm
    from sqlmend.retrievers import get_embedder

    contenders = load_contenders(programs, overrides, budget)
    chosen = load_benchmark(benchmark).select(databases=split_names(databases), limit=limit, sample=sample)
    shown = None if demonstrations is None else load_benchmark(demonstrations)
    embeds = shown is not None or any(c.reads_memory for c in contenders)
    request = ComparisonRequest(
        contenders,
        chosen,
        load_lm(lm, api_base=api_base, memo=memo, thinking=thinking),
        folder,
        orders=orders,
        same_groups=SAME_GROUPS if same_group == "both" else (cast("SameGroup", same_group),),
        pairs=None if pairs is None else parse_pairs(pairs, contenders),
        definition=definition,
        initial=read_initial(initial, ids, chosen),
        embedder=get_embedder(embedder) if embeds else None,
        demonstrations=shown,
        timeout_s=timeout,
        selection={"databases": split_names(databases), "limit": limit, "sample": sample},
        unit=cast("Any", unit),
        resamples=resamples,
        seed=seed,
        jobs=jobs,
        resume=resume,
    )
    with chosen, shown or nullcontext(), ComparisonProgress(request) as progress:
        compare(request, [progress])
    document = results(folder)
    page = write_page(write_report, folder, document)

    def render() -> None:
        show_results(document)
        out.print(f"report: {page}", soft_wrap=True)

    emit(document, as_json, render)
