"""Where the published downloads of a benchmark, and trimmed ones, keep their files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlmend.errors import InputError, near_names


@dataclass(frozen=True)
class Layout:
    """The files of one benchmark; ``{split}`` stands for the split's name.

    Attributes:
        name: The benchmark's name; also its own definition of a match.
        reference: The field of a question that holds its reference SQL.
        own_ids: Questions carry their own ids; otherwise their position in the split is their id.
        questions: Alternatives, first that is there wins; the files of one are read in order.
        databases: Folders with one folder for each database; the first that has a database wins.
        suites: A database's folder may hold several ``.sqlite`` files, all of which count.
    """

    name: str
    reference: str
    own_ids: bool
    questions: tuple[tuple[str, ...], ...]
    databases: tuple[str, ...]
    suites: bool

    def question_files(self, folder: Path, split: str) -> tuple[Path, ...]:
        """The files that together are the split.

        Raises:
            InputError: There are none; the splits that are there are named.
        """
        for names in self.questions:
            files = tuple(folder / name.format(split=split) for name in names)
            if all(file.is_file() for file in files):
                return files
        there = sorted(file.stem for file in folder.glob("*.json") if not file.stem.endswith("tables"))
        near = near_names(split, there)
        expected = self.questions[0][0].format(split=split)
        raise InputError(
            "unknown_split",
            f"{folder} has no split {split!r} of {self.name}: expected {expected}",
            hint=f"did you mean {', '.join(near)}?" if near else f"there: {', '.join(there) or 'no .json'}",
            context={"folder": str(folder), "split": split, "there": there},
        )

    def database_files(self, folder: Path, split: str, db_ids: Iterable[str]) -> dict[str, tuple[Path, ...]]:
        """For each database that is there its files, the one that bears its name first."""
        roots = [folder / name.format(split=split) for name in self.databases]
        found = {}
        for db_id in sorted(set(db_ids)):
            homes = (root / db_id for root in roots)
            home = next((home for home in homes if (home / f"{db_id}.sqlite").is_file()), None)
            if home is not None:
                main = home / f"{db_id}.sqlite"
                others = sorted(home.glob("[!.]*.sqlite")) if self.suites else []
                found[db_id] = (main, *(file for file in others if file != main))
        return found


SPIDER = Layout(
    name="spider",
    reference="query",
    own_ids=False,
    questions=(
        ("{split}.json",),
        ("{split}_spider.json", "{split}_others.json"),
        ("{split}_spider.json",),
    ),
    databases=("{split}_database", "database"),
    suites=True,
)

BIRD = Layout(
    name="bird",
    reference="SQL",
    own_ids=True,
    questions=(("{split}.json",), ("{split}_sqlite.json",), ("{split}/{split}.json",)),
    databases=("{split}_databases", "{split}/{split}_databases", "dev_databases"),
    suites=False,
)
