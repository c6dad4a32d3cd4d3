"""``sqlmend tune``: search the retrieval settings of a program on causal streams."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from sqlmend.cli._frame import emit, example, json_option, write_page
from sqlmend.cli._options import (
    embedder_option,
    lm_options,
    optional_benchmark_options,
    orders_option,
    set_option,
    split_names,
    timeout_option,
)
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark
    from sqlmend.models import Memo
    from sqlmend.optimize import TuneRequest


class _Command(click.Command):
    """Keeps the arguments as they came: further workers are given the same."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["arguments"] = list(args)
        return super().parse_args(ctx, args)


@click.command(
    cls=_Command,
    epilog=example(
        "sqlmend tune merit --benchmark mini --lm local --sample 60 --budget 2 --trials 30 --out tuned",
        "sqlmend tune merit --benchmark spider:DIR:train --sample 200 --orders 0,1 --workers 4 \\",
        "    --holdout spider:DIR:dev --out tuned",
        "sqlmend run tuned/best.yaml --benchmark spider:DIR:dev --out runs/tuned",
        "sqlmend tune --what-if runs/merit",
    ),
)
@click.argument("program", required=False)
@optional_benchmark_options
@lm_options
@set_option
@embedder_option
@click.option("--budget", type=click.IntRange(0, 100), help="Revisions after the initial query at most.")
@orders_option
@click.option("--trials", type=click.IntRange(min=1), default=60, show_default=True, help="Trials in all.")
@click.option(
    "--objective",
    default="ex",
    show_default=True,
    metavar="ex[,tokens]",
    help="Execution accuracy, or its Pareto front with the tokens of a question.",
)
@click.option(
    "--space",
    type=click.Path(path_type=Path, dir_okay=False),
    help="YAML file that narrows or widens what is searched.",
)
@click.option(
    "--holdout",
    default="0.25",
    show_default=True,
    metavar="SHARE|SPEC|none",
    help="Share of the questions that no trial sees, or another benchmark.",
)
@click.option("--holdout-databases", metavar="A,B", help="Only held-out questions of these databases.")
@click.option("--holdout-sample", metavar="N[/db][:SEED]", help="Held-out questions, drawn by hash.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the draws.")
@click.option(
    "--storage", metavar="URL", help="sqlite:///FILE or postgresql://... (default: study.db in --out)."
)
@click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes on this machine."
)
@click.option("--definition", help="Definition of execution accuracy (default: the benchmark's own).")
@timeout_option
@click.option("--out", "folder", type=click.Path(path_type=Path), help="Folder of the study's files.")
@click.option("--resume", is_flag=True, help="Go on with a study, or take part in one that runs.")
@click.option(
    "--what-if",
    "run",
    type=click.Path(path_type=Path, file_okay=False),
    help="Rank the recalls of this finished run under other settings, without any model call.",
)
@click.option("--worker", is_flag=True, hidden=True, help="Run trials and nothing else.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    program: str | None,
    run: Path | None,
    space: Path | None,
    embedder: str,
    seed: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Tune the retrieval settings of PROGRAM (a preset's name or YAML file) on a benchmark's streams."""
    from sqlmend.cli._tune_tables import show_tuned, show_what_if
    from sqlmend.optimize import read_space, what_if, write_tuning_report
    from sqlmend.retrievers import get_embedder

    changes = None if space is None else read_space(space)
    if run is not None:
        _refuse_beside_what_if(context)
        chosen = _chosen(**options) if options["benchmark"] is not None else None
        found = what_if(run, get_embedder(embedder), changes=changes, benchmark=chosen, seed=seed)
        emit(found, as_json, lambda: show_what_if(found))
        return
    if program is None or options["benchmark"] is None or options["folder"] is None:
        raise InputError(
            "missing_arguments",
            "tune takes a PROGRAM, --benchmark and --out, or --what-if and a run",
            hint="sqlmend tune merit --benchmark mini --out tuned",
        )
    request = _request(program, embedder, seed, changes, **options)
    result = _tune(request, options["workers"], options["worker"], context.meta["arguments"])
    if result is None:
        return
    page = write_page(write_tuning_report, request.out, result)
    emit(result, as_json, lambda: show_tuned(result, request.out / "best.yaml", page))


#: What ``--what-if`` takes; the program and its settings are those of the run.
_WHAT_IF = frozenset({"run", "embedder", "space", "seed", "as_json", "benchmark"})
_OF_BENCHMARK = frozenset({"databases", "limit", "sample"})


def _refuse_beside_what_if(context: click.Context) -> None:
    known = _WHAT_IF | (_OF_BENCHMARK if context.params["benchmark"] is not None else frozenset())
    for parameter in context.command.params:
        name = str(parameter.name)
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE and name not in known:
            shown = parameter.opts[0] if isinstance(parameter, click.Option) else name.upper()
            raise InputError(
                "bad_what_if",
                f"--what-if ranks the recalls of a run as it was and takes no {shown}",
                hint="beside it: --space, --embedder, --seed, --json, --benchmark with its selection",
            )


def _tune(request: TuneRequest, workers: int, worker: bool, arguments: list[str]) -> dict[str, Any] | None:
    """The result of the whole study; None where this process is one of several workers."""
    import optuna

    from sqlmend.cli._tune_progress import TuneProgress
    from sqlmend.cli._tune_workers import Workers
    from sqlmend.optimize import prepare, tune, work

    # Trials are told by the progress bar.
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    if worker:
        work(request)
        return None
    prepare(request)
    with (
        Workers(workers - 1, arguments, request.out) as beside,
        TuneProgress(request.program.preset.name, request.trials) as progress,
    ):
        tuned = tune(replace(request, resume=True), observers=[progress, beside.check])
    return dict(tuned.result)


def _request(
    program: str,
    embedder: str,
    seed: int,
    changes: dict[str, Any] | None,
    *,
    lm: str,
    api_base: str | None,
    memo: Memo | None,
    thinking: bool,
    overrides: tuple[str, ...],
    budget: int | None,
    orders: tuple[int, ...],
    trials: int,
    objective: str,
    holdout: str,
    holdout_databases: str | None,
    holdout_sample: str | None,
    storage: str | None,
    definition: str | None,
    timeout: float,
    folder: Path,
    resume: bool,
    worker: bool,
    **selection: Any,
) -> TuneRequest:
    from sqlmend.models import load_lm
    from sqlmend.optimize import TuneRequest
    from sqlmend.programs import load_program
    from sqlmend.retrievers import get_embedder

    repair = load_program(program, [*overrides, *([] if budget is None else [f"budget={budget}"])])
    narrowed = {"databases": split_names(holdout_databases), "sample": holdout_sample}
    chosen = {
        **{name: selection[name] for name in ("limit", "sample")},
        "databases": split_names(selection["databases"]),
    }
    share = _share(holdout)
    train, held_out = _split(_chosen(**selection), holdout, narrowed, seed)
    return TuneRequest(
        program=repair,
        train=train,
        holdout=held_out,
        lm=load_lm(lm, api_base=api_base, memo=memo, thinking=thinking),
        out=folder,
        embedder=get_embedder(embedder) if repair.reads_memory else None,
        space=changes,
        objectives=tuple(name.strip() for name in objective.split(",")),
        trials=trials,
        orders=orders,
        storage=storage or f"sqlite:///{folder / 'study.db'}",
        seed=seed,
        definition=definition,
        timeout_s=timeout,
        resume=resume or worker,
        selection={**chosen, "holdout": None if share is None else holdout},
        holdout_selection=narrowed if share is None else {**chosen, "holdout": holdout, "seed": seed},
    )


def _chosen(
    *, benchmark: str, databases: str | None, limit: int | None, sample: str | None, **_: Any
) -> Benchmark:
    from sqlmend.eval import load_benchmark

    return load_benchmark(benchmark).select(databases=split_names(databases), limit=limit, sample=sample)


def _split(
    chosen: Benchmark, holdout: str, narrowed: dict[str, Any], seed: int
) -> tuple[Benchmark, Benchmark | None]:
    """The questions of the trials and those that no trial sees."""
    from sqlmend.eval import load_benchmark
    from sqlmend.optimize import split_off

    share = _share(holdout)
    if share is None and holdout != "none":
        return chosen, load_benchmark(holdout).select(**narrowed)
    if any(narrowed.values()):
        raise InputError(
            "bad_holdout",
            "--holdout-databases and --holdout-sample choose from another benchmark",
            hint="name it with --holdout SPEC",
        )
    return (chosen, None) if share is None else split_off(chosen, share, seed)


def _share(holdout: str) -> float | None:
    try:
        return float(holdout)
    except ValueError:
        return None
