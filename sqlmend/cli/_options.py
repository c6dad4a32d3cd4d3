"""Options that several commands take."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _together(*options: Decorator) -> Decorator:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _benchmark_options(*, required: bool) -> Decorator:
    return _together(
        click.option(
            "--benchmark",
            required=required,
            metavar="SPEC",
            help="mini, spider:DIR[:split], bird:DIR[:split] or hub:ORG/NAME:DIR[:split].",
        ),
        click.option("--databases", metavar="A,B", help="Only questions of these databases."),
        click.option("--limit", type=click.IntRange(min=1), help="The first N questions of the split."),
        click.option("--sample", metavar="N[/db][:SEED]", help="N questions (of each database), by hash."),
    )


#: Which questions, of which benchmark.
benchmark_options = _benchmark_options(required=True)
#: The same where a command has work without a benchmark.
optional_benchmark_options = _benchmark_options(required=False)


def _memo(_: click.Context, __: click.Parameter, value: Path | None) -> Any:
    """The memo of that folder, the user's own for None, none at all for ``off``."""
    from sqlmend.models import Memo

    return None if value == Path("off") else Memo(value)


#: Which language model, for a command that never lets it think first; ``memo`` comes as a ``Memo`` or None.
unthinking_lm_options = _together(
    click.option(
        "--lm",
        default="local",
        show_default=True,
        metavar="MODEL",
        help="local, local:0.5b, a GGUF file, a LiteLLM name, or module:factory.",
    ),
    click.option("--api-base", metavar="URL", help="Address of the server of a served model."),
    click.option(
        "--memo",
        type=click.Path(path_type=Path, file_okay=False),
        callback=_memo,
        help="Folder of the answers' memo (default: the user's cache folder), or off: pay for every call.",
    ),
)
_no_thinking = click.option(
    "--no-thinking",
    is_flag=True,
    help="A model that vLLM serves (hosted_vllm/) answers without thinking first.",
)


def lm_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Which language model, and whether it thinks first: ``lm``, ``api_base``, ``memo`` and ``thinking``."""

    @functools.wraps(function)
    def checked(*arguments: Any, lm: str, no_thinking: bool, **options: Any) -> Any:
        if no_thinking and not lm.startswith("hosted_vllm/"):
            raise InputError(
                "bad_options",
                f"--no-thinking is for a model that vLLM serves (hosted_vllm/MODEL); got --lm {lm}",
                hint="turn it off where the model is served, or made",
            )
        return function(*arguments, lm=lm, thinking=not no_thinking, **options)

    return unthinking_lm_options(_no_thinking(checked))


class _Number(click.FloatRange):
    """A number in a range; neither infinite nor NaN, which compare as if they were in it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number", param, ctx)
        return number


timeout_option = click.option(
    "--timeout",
    type=_Number(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Seconds for each query.",
)
tolerance_option = click.option(
    "--float-tolerance", type=_Number(min=0), metavar="T", help="Numbers this near are equal."
)

#: Changes of a preset's settings.
set_option = click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="PATH=VALUE",
    help="Replace a setting of the preset; may be repeated.",
)
embedder_option = click.option(
    "--embedder",
    default="minilm",
    show_default=True,
    metavar="NAME",
    help="minilm, st:NAME (sentence-transformers) or openai:MODEL@URL.",
)
demonstrations_option = click.option(
    "--demonstrations",
    metavar="SPEC",
    help="Split whose references may be shown as examples; it shares no database with the benchmark.",
)


#: What the ids of a file of predictions are.
ids_option = click.option(
    "--ids",
    type=click.Choice(["benchmark", "position"]),
    default="benchmark",
    show_default=True,
    help="What the ids of the file are: the benchmark's own, or positions in the split.",
)
#: Predictions that a repair begins with, for :func:`read_initial`.
initial_options = _together(
    click.option(
        "--initial",
        type=click.Path(path_type=Path, dir_okay=False),
        help="File of initial predictions to repair, in any format that `sqlmend eval` reads.",
    ),
    ids_option,
)


def read_initial(initial: Path | None, ids: str, benchmark: Benchmark) -> dict[str, str] | None:
    """The initial query of each question by its id; None where no file is given.

    Raises:
        InputError: The file does not fit the questions, or there is none whose ids are positions.
    """
    from sqlmend.eval import read_predictions

    by_position = ids == "position"
    if initial is None:
        if by_position:
            raise InputError("bad_options", "--ids position is about the file of --initial; got none")
        return None
    return read_predictions(initial, benchmark.questions, benchmark.split_ids, by_position=by_position).sql


def split_names(text: str | None) -> list[str] | None:
    """``A,B`` as a list; None stays None."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


class WholeNumbers(click.ParamType[tuple[int, ...]]):
    """``0,1,2`` as a tuple of whole numbers.

    Args:
        name: What they are, in the plural.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        try:
            return tuple(int(part) for part in value.split(","))
        except ValueError:
            self.fail(f"{self.name} are whole numbers with commas between; got {value!r}", param, ctx)


orders_option = click.option(
    "--orders",
    type=WholeNumbers("orders"),
    default="0",
    show_default=True,
    metavar="K,...",
    help="Stream orders.",
)
