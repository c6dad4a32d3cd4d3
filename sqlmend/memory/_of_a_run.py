"""The memory of a run or a study: what that has left, and nothing that somebody adds to it."""

from __future__ import annotations

from pathlib import Path

from sqlmend.errors import InputError


def is_of_a_run(memory: Path) -> bool:
    """Whether a memory's folder is the one that a run has made: what a run writes lies beside it.

    Args:
        memory: The folder, which need not be there.
    """
    beside = (memory.with_name(name) for name in ("config.json", "steps.jsonl"))
    return memory.name == "memory" and memory.is_dir() and all(file.is_file() for file in beside)


def is_of_a_study(memory: Path) -> bool:
    """Whether a memory's folder is a bank of a study: its record lies beside it, in the folder of the study.

    Args:
        memory: The folder, which need not be there.
    """
    record = memory.with_name(f"{memory.name}.json")
    return record.is_file() and any((above / "crystallization.json").is_file() for above in memory.parents)


def require_own(path: Path | str) -> None:
    """Refuse to add to the memory of a run or to a bank of a study, whose figures and resume stand on it.

    Args:
        path: The folder of a run or of a memory, which need not be there.

    Raises:
        InputError: It is a run's, or the memory in it, or a study's.
    """
    folder = Path(path).resolve()
    if is_of_a_study(folder):
        raise InputError(
            "memory_of_a_study",
            f"{path} is a bank of a study, which holds what that study has collected and nothing else",
            hint=f"sqlmend cards export {path} --out FOLDER, and add to that one",
            context={"path": str(path)},
        )
    if is_of_a_run(folder) or is_of_a_run(folder / "memory"):
        raise InputError(
            "memory_of_a_run",
            f"{path} is of a run, whose memory holds what that run has left and nothing else",
            hint=f"sqlmend memory export {path} --out FOLDER, and add to that one",
            context={"path": str(path)},
        )
