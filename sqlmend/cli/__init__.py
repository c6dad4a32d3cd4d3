"""The command line: one small file for each command, imported when it is called."""

from __future__ import annotations

import importlib
import io
import logging
import sys

import click

from sqlmend import __version__
from sqlmend.errors import SqlmendError, unknown_name

#: Command to its module; each module has one click command named ``command``.
COMMANDS = {
    "run": "Run a repair program over a benchmark as a causal stream.",
    "compare": "Compare repair programs side by side on the same streams.",
    "report": "Rebuild the report of a comparison or a study from what is on disk.",
    "crystallize": "Measure what stored corrections are worth: replay, retention, transfer.",
    "tune": "Tune the retrieval settings of a program on causal streams.",
    "ask": "Ask one question of your own database.",
    "eval": "Judge predictions against a benchmark's references.",
    "label": "Sample failures for labelling, and score the failure classifier on the labels.",
    "programs": "List, show and validate repair programs.",
    "tree": "Show the merged reasoning tree of one question of a run.",
    "memory": "List, check, export, import and forget what is remembered.",
    "cards": "Build, list, show, export and import banks of corrected questions.",
    "notes": "List, check, count and forget failure notes; measure what they change.",
    "models": "List and pull the pinned local models.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported only when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"sqlmend.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, with near names on a miss."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise unknown_name("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sqlmend")
def group() -> None:
    """Text-to-SQL that repairs its own failures and remembers how."""


def _no_warning(record: logging.LogRecord) -> bool:
    return record.levelno > logging.WARNING


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the ``sqlmend`` script: exits with 0, 2 for bad input, 1 for a failure."""
    from sqlmend.cli._frame import SafeFormatter, console, fail, say

    if logging.lastResort is not None:  # what writes the warnings of loggers that nobody has set up
        logging.lastResort.setFormatter(SafeFormatter())
    # Answers that are cut off are counted and shown; dspy's advice at each would tear the progress bar.
    # A filter, since importing dspy sets the level of this logger back.
    logging.getLogger("dspy.clients.lm").addFilter(_no_warning)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows fewer characters
    try:
        code = group.main(args=arguments, prog_name="sqlmend", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except SqlmendError as error:
        sys.exit(fail(error))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except OSError as error:
        say(f"error: {error.strerror or error}: {error.filename or ''}", style="bold red")
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        console.print("stopped; a run can be resumed with --resume")
        sys.exit(130)
