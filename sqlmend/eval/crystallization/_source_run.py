"""The finished run that cards are made from: what it was, and the benchmark that it ran over."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval._load import load_benchmark
from sqlmend.eval._run_folder import read_episodes

if TYPE_CHECKING:
    from sqlmend.eval._benchmark import Benchmark


@dataclass(frozen=True)
class SourceRun:
    """A run's folder and what its configuration says.

    Attributes:
        folder: The folder.
        program: Name of its program.
        budget: How often the program may try again.
        voted: Whether a vote of samples chose its last attempts.
        benchmark: Name of the benchmark.
        data_hash: Hash of the questions that were asked, with their references and databases.
        questions: How many they were.
    """

    folder: Path
    program: str
    budget: int
    voted: bool
    benchmark: str
    data_hash: str
    questions: int

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The run in a folder.

        Raises:
            InputError: No run there.
            SqlmendError: Its configuration is damaged.
        """
        file = folder / "config.json"
        try:
            config = json.loads(file.read_text("utf-8"))
            program, benchmark = config["program"], config["benchmark"]
            return cls(
                folder,
                program["name"],
                program["budget"],
                any(_name(step) == "vote" for step in program["steps"]),
                benchmark["name"],
                benchmark["data_hash"],
                config["questions"]["n"],
            )
        except (FileNotFoundError, NotADirectoryError):
            raise InputError("no_run", f"{folder} holds no run", hint="`sqlmend run` makes one") from None
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            raise SqlmendError("damaged_run", f"{file} is damaged: {error!r}") from error

    def open_benchmark(self, spec: str) -> Benchmark:
        """The benchmark, with the questions that the run asked.

        Args:
            spec: Where it lies, as ``load_benchmark`` takes it.

        Raises:
            InputError: The run is unfinished, or had other questions, references or databases.
            SqlmendError: The run's episodes are damaged.
        """
        ids = {episode["question_id"] for episode in read_episodes(self.folder)}
        if len(ids) < self.questions:
            raise InputError(
                "unfinished_run",
                f"{self.folder} has finished {len(ids)} of {self.questions} questions",
                hint="go on with `sqlmend run ... --resume`",
            )
        whole = load_benchmark(spec)
        if ids <= {question.id for question in whole.questions}:
            asked = whole.select(ids=ids)
            if asked.data_hash == self.data_hash:
                return asked
        raise self.other(whole)

    def other(self, benchmark: Benchmark) -> InputError:
        """The error for a benchmark that the run was not over."""
        return InputError(
            "other_benchmark",
            f"{self.folder} is a run over {self.benchmark}, and its questions are not those of"
            f" {benchmark.name} here",
            hint="name the benchmark that the run had",
        )


def _name(step: Any) -> str:
    """A step's name in a preset's plain values: it stands alone, or before its settings."""
    return str(step if isinstance(step, str) else next(iter(step)))
