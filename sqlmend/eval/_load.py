"""Benchmarks by name and folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlmend.errors import InputError, unknown_name
from sqlmend.eval._benchmark import Benchmark
from sqlmend.eval._hub import load_hub
from sqlmend.eval._layouts import BIRD, SPIDER, Layout
from sqlmend.eval._mini import load_mini
from sqlmend.eval._question_rows import questions_dataset, read_rows
from sqlmend.eval._split import Split, build_split

FORMS = "mini, spider:DIR[:SPLIT], bird:DIR[:SPLIT] or hub:ORG/NAME:DIR[:SPLIT]"


def load_benchmark(spec: str) -> Benchmark:
    """The benchmark that ``spec`` names.

    - ``mini``: the bundled one.
    - ``spider:DIR[:SPLIT]``, ``bird:DIR[:SPLIT]``: a published download (or a part of one) in ``DIR``. The
      split is the name of a question file there, ``dev`` unless said otherwise: ``train``, ``mini_dev``.
    - ``hub:ORG/NAME:DIR[:SPLIT]``: the questions from the Hugging Face hub, the databases from ``DIR``, laid
      out as in a download. The split is ``dev`` or ``validation`` unless said otherwise.

    A ``DIR`` that is there as written may have colons in it. Questions whose database is not there are left
    out and counted.

    Raises:
        InputError: Another name, a folder or a split that is not there, or a file that is no question file.
    """
    kind, _, rest = spec.partition(":")
    if kind == "mini" and not rest:
        return Benchmark(load_mini())
    loaders: dict[str, Callable[[str], Split]] = {
        "spider": lambda text: _load_folder(SPIDER, text),
        "bird": lambda text: _load_folder(BIRD, text),
        "hub": _load_from_hub,
    }
    if kind not in loaders:
        raise unknown_name("benchmark", spec, ("mini", *loaders)) if kind != "mini" else _bad(spec)
    if not rest:
        raise _bad(spec)
    return Benchmark(loaders[kind](rest))


def _load_folder(layout: Layout, text: str) -> Split:
    folder, split = _folder_and_split(text)
    split = split or "dev"
    files = layout.question_files(folder, split)
    dataset = questions_dataset(
        [row for file in files for row in read_rows(file)],
        " + ".join(map(str, files)),
        reference=layout.reference,
        own_ids=layout.own_ids,
    )
    databases = layout.database_files(folder, split, dataset["db_id"])
    return build_split(dataset, databases, benchmark=layout.name, name=split, definition=layout.name)


def _load_from_hub(text: str) -> Split:
    name, _, rest = text.partition(":")
    if not rest:
        raise _bad(f"hub:{text}")
    return load_hub(name, *_folder_and_split(rest))


def _folder_and_split(text: str) -> tuple[Path, str]:
    """``DIR[:SPLIT]``: a folder that is there with all its colons goes first; the split may be ``""``."""
    folder = Path(text).expanduser()
    if folder.is_dir():
        return folder, ""
    head, _, split = text.rpartition(":")
    if head and Path(head).expanduser().is_dir():
        return Path(head).expanduser(), split
    raise InputError(
        "no_folder",
        f"there is no folder {text!r}",
        hint=f"a benchmark is {FORMS}",
        context={"folder": text},
    )


def _bad(spec: str) -> InputError:
    return InputError("bad_benchmark", f"{spec!r} names no benchmark", hint=f"a benchmark is {FORMS}")
