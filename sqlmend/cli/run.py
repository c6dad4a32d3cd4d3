"""``sqlmend run``: a repair program over a benchmark as a causal stream."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from sqlmend._text import for_terminal
from sqlmend.cli._frame import console, emit, example, json_option, out
from sqlmend.cli._options import (
    benchmark_options,
    demonstrations_option,
    embedder_option,
    initial_options,
    lm_options,
    read_initial,
    set_option,
    split_names,
    timeout_option,
)

if TYPE_CHECKING:
    from sqlmend.models import Memo


@click.command(
    epilog=example(
        "sqlmend run merit --benchmark mini --lm local --sample 40 --budget 3 --out runs/merit",
        "sqlmend run merit --benchmark mini --lm local --sample 40 --budget 3 --out runs/merit --resume",
    )
)
@click.argument("program")
@benchmark_options
@lm_options
@set_option
@embedder_option
@click.option("--budget", type=click.IntRange(0, 100), help="Revisions after the initial query at most.")
@click.option("--order", type=click.IntRange(min=0), default=0, show_default=True, help="Which stream order.")
@click.option("--definition", help="Definition of execution accuracy (default: the benchmark's own).")
@initial_options
@click.option(
    "--memory",
    "--bank",
    "memory",
    type=click.Path(path_type=Path, file_okay=False),
    help="Run, memory or card bank whose entries the stream starts with (default: none).",
)
@demonstrations_option
@timeout_option
@click.option("--out", "folder", required=True, type=click.Path(path_type=Path), help="The run's folder.")
@click.option("--resume", is_flag=True, help="Go on where a killed run stopped.")
@json_option
def command(
    program: str,
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
    order: int,
    definition: str | None,
    initial: Path | None,
    ids: str,
    memory: Path | None,
    demonstrations: str | None,
    timeout: float,
    folder: Path,
    resume: bool,
    as_json: bool,
) -> None:
    """Run PROGRAM (a preset's name or YAML file) over a benchmark as a causal stream."""
    from sqlmend.cli._progress import StreamProgress
    from sqlmend.cli._repair import show_repair
    from sqlmend.eval import RunRequest, load_benchmark, read_episodes, run
    from sqlmend.models import load_lm
    from sqlmend.programs import load_program
    from sqlmend.retrievers import get_embedder

    changes = [*overrides, *([] if budget is None else [f"budget={budget}"])]
    repair = load_program(program, changes)
    chosen = load_benchmark(benchmark).select(databases=split_names(databases), limit=limit, sample=sample)
    request = RunRequest(
        program=repair,
        benchmark=chosen,
        lm=load_lm(lm, api_base=api_base, memo=memo, thinking=thinking),
        out=folder,
        definition=definition,
        order=order,
        initial=read_initial(initial, ids, chosen),
        memory=memory,
        embedder=get_embedder(embedder) if repair.reads_memory or demonstrations else None,
        demonstrations=None if demonstrations is None else load_benchmark(demonstrations),
        timeout_s=timeout,
        resume=resume,
        selection={"databases": split_names(databases), "limit": limit, "sample": sample},
    )
    with chosen, StreamProgress(repair.preset.name, len(chosen.questions), read_episodes(folder)) as progress:
        summary = run(request, observers=[progress])
    questions = {question.id: question.text for question in chosen.questions}

    def render() -> None:
        _show_summary(summary)
        show_repair(folder, questions)
        out.print(f"run: {folder}", soft_wrap=True)

    emit(summary, as_json, render)


def _cut_off(summary: dict[str, Any]) -> dict[str, str]:
    """The row of answers that did not come to their own end, where there are any."""
    if "cut_off" not in summary:
        return {}
    return {"answers cut off": f"{summary['cut_off']}, at their limit or where they repeat themselves"}


def _show_summary(summary: dict[str, Any]) -> None:
    """The summary for people, with what its figures mean."""
    provenance = summary["provenance"]
    before, after = summary["ex_before"], summary["ex_after"]
    table = Table(show_header=False, title_justify="left")
    title = f"{summary['program']} on {summary['benchmark']}, order {provenance['order']}"
    table.title = for_terminal(title)
    for name, value in {
        "questions": str(summary["n"]),
        "EX before, after": f"{before:.1%}, {after:.1%} ({after - before:+.1%})",
        "failed initially": str(summary["failed_initially"]),
        "repaired": f"{summary['repaired']} in {summary['steps']} revisions (budget {provenance['budget']})",
        "entries left": ", ".join(f"{n} {kind}" for kind, n in summary["committed"].items()) or "none",
        "model calls": f"{summary['calls']} asked, {summary['calls_paid']} paid",
        **_cut_off(summary),
        "tokens": f"{summary['prompt_tokens']:,} in, {summary['output_tokens']:,} out",
        "seconds": f"{summary['seconds_model']:,.1f} in the model, {summary['seconds_outside']:,.1f} outside",
    }.items():
        table.add_row(name, value)
    out.print(table)
    out.print(
        f"EX by definition {summary['definition']}; {provenance['regime']};"
        f" data {provenance['data_hash'][:19]}",
        soft_wrap=True,
    )
    if summary["left_out"]:
        console.print(f"left out for want of their database: {sum(summary['left_out'].values())} questions")
    if summary["errors"]:
        console.print(f"{summary['errors']} questions could not be finished; see error in episodes.jsonl")
