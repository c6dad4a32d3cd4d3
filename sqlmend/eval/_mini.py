"""The bundled benchmark: databases are kept as SQL scripts and built on first use."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from sqlmend._files import canonical_json, sha256_text
from sqlmend._home import cache_dir
from sqlmend.errors import SqlmendError
from sqlmend.eval._question_rows import questions_dataset, read_rows
from sqlmend.eval._split import Split, build_split

_DATA = Path(__file__).parent / "data" / "mini"


def load_mini() -> Split:
    """The bundled benchmark, judged by ``bag`` unless told otherwise.

    Raises:
        SqlmendError: The cache folder cannot be written.
    """
    scripts = {path.stem: path for path in sorted((_DATA / "databases").glob("*.sql"))}
    files = _build({name: path.read_text(encoding="utf-8") for name, path in scripts.items()})
    questions = _DATA / "questions.jsonl"
    return build_split(
        questions_dataset(read_rows(questions), questions.name, reference="SQL", own_ids=True),
        files,
        benchmark="mini",
        name="",
        definition="bag",
        # A database file tells which SQLite wrote it; the script is the same everywhere.
        sources={name: (path,) for name, path in scripts.items()},
    )


def _build(scripts: dict[str, str]) -> dict[str, tuple[Path, ...]]:
    """The databases of the scripts, in a folder that is named after their content and complete or absent."""
    home = cache_dir("mini", sha256_text(canonical_json(scripts))[:16])
    if not home.is_dir():
        try:
            home.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=home.parent, prefix=".building-") as scratch:
                built = Path(scratch) / "databases"
                for name, script in scripts.items():
                    (built / name).mkdir(parents=True)
                    with closing(sqlite3.connect(built / name / f"{name}.sqlite")) as connection:
                        connection.executescript(f"BEGIN;\n{script}\nCOMMIT;")  # one sync, not one a line
                _move(built, home)
        except OSError as error:
            raise SqlmendError(
                "cache_not_writable",
                f"cannot build the bundled databases in {home}: {error.strerror}",
                hint="set SQLMEND_HOME to a folder that can be written",
            ) from error
    return {name: (home / name / f"{name}.sqlite",) for name in scripts}


def _move(built: Path, home: Path) -> None:
    """Give the finished folder its name; where another process was faster, its folder stays."""
    try:
        built.rename(home)
    except OSError:
        if not home.is_dir():
            raise
