"""The memory: append-only logs on disk, and what of them is live."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlmend._files import append_lines
from sqlmend.errors import InputError, unknown_name
from sqlmend.memory._folder import aside_file, check_folder, log_file, make_folder, set_aside
from sqlmend.memory._kinds import KINDS, Entry
from sqlmend.memory._line import IMPORTED, Record, Tombstone
from sqlmend.memory._lock import WriterLock
from sqlmend.memory._log import merge, read_log
from sqlmend.memory._view import MemoryView


class Memory:
    """What repairs have taught, one append-only log for each kind of entry (contract 3 of the design).

    Every line is on disk before :meth:`append` returns. The entries of one commit become visible in
    this object together; a crash between two of its lines leaves some of them in the logs, and
    running the episode again completes it, because what is there is not added twice.

    Args:
        path: Folder of the memory. For writing it is created where it is missing.
        write: Take the lock and allow changes. Without it nothing on disk is touched, and the end of
            a line that another process is just writing is ignored.

    Raises:
        InputError: No memory there, damage (with file and line), a newer format, or another writer.
    """

    def __init__(self, path: Path | str, *, write: bool = False) -> None:
        self.path = Path(path).resolve()
        self._records: dict[str, Record] = {}
        self._retired: set[str] = set()
        self._lock = WriterLock(self.path) if write else None
        try:
            if write:
                make_folder(self.path)
            self._load()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock; afterwards the memory can be read only."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def records(self, kind: str) -> Sequence[Record]:
        """The live records of one kind, in the order of the log.

        Raises:
            InputError: Unknown kind.
        """
        if kind not in KINDS:
            raise unknown_name("memory kind", kind, KINDS)
        return self._in_log_order[kind]

    def view(
        self,
        position: int,
        *,
        question_id: str,
        question: str,
        db_id: str,
        twins: frozenset[str] = frozenset(),
    ) -> MemoryView:
        """What the question at ``position`` may recall; later changes do not reach the view.

        Args:
            position: Stream position of the question, from 0.
            question_id: Its id.
            question: Its text.
            db_id: Its database.
            twins: Ids of the questions of its group.
        """
        return MemoryView(
            self._by_position, position, question_id=question_id, question=question, db_id=db_id, twins=twins
        )

    def append(self, entries: Iterable[Entry], position: int, provenance: Mapping[str, Any]) -> list[Record]:
        """Add the entries of one commit.

        An entry that is there already stays as it is, at its first position; a retired one stays
        retired. If a line cannot be written, none of the commit is kept.

        Args:
            entries: What the episode leaves.
            position: Stream position of its question, from 0.
            provenance: Where they come from, as plain JSON values: no time, path or random id.

        Returns:
            The live records of these entries.

        Raises:
            InputError: Opened for reading, an unknown kind, or a position below -1.
        """
        return self._add(Record.of(entry, position, provenance) for entry in entries)

    def adopt(self, records: Iterable[Record]) -> list[Record]:
        """Add records of another memory as imported ones: at position -1, before every question.

        Otherwise as :meth:`append`.
        """
        return self._add(Record.of(record.entry, IMPORTED, record.provenance) for record in records)

    def retire(self, record_id: str) -> None:
        """Recall a record no more: a tombstone is added, the record's line stays.

        Raises:
            InputError: Opened for reading, or no such record.
        """
        self.forget([record_id])

    def forget(self, ids: Iterable[str], purge: bool = False) -> int:
        """Retire records, or remove every trace of them from the memory.

        Args:
            ids: Whole ids of records, retired ones included.
            purge: Rewrite the logs without these records and their tombstones, and delete what was
                set aside, which may hold parts of them. A purged entry may be added anew.

        Returns:
            How many records this changed.

        Raises:
            InputError: Opened for reading, or an unknown id; nothing is changed then.
        """
        self._need_lock()
        wanted = dict.fromkeys(ids)
        if missing := [record_id for record_id in wanted if record_id not in self._records]:
            raise InputError(
                "unknown_record",
                f"no record {', '.join(missing)} in {self.path}",
                hint="ids are given whole; `sqlmend memory list` shows them",
            )
        if purge:
            aside_file(self.path).unlink(missing_ok=True)
            self._drop(set(wanted))
            return len(wanted)
        live = [self._records[record_id] for record_id in wanted if record_id not in self._retired]
        self._write((record.kind, Tombstone(record.id)) for record in live)
        self._retired.update(record.id for record in live)
        self._index()
        return len(live)

    def roll_back(self, position: int) -> int:
        """Set aside what came from ``position`` and later, so that a stream can run on from there.

        A resumed stream calls it with its first unfinished position. Running the episode again
        brings its entries back; an entry that it no longer yields would otherwise stay as a ghost.

        Returns:
            How many records were set aside.

        Raises:
            InputError: Opened for reading.
        """
        self._need_lock()
        later = {record.id for record in self._records.values() if record.position >= position}
        self._drop(later, keep_aside=True)
        return len(later)

    def _add(self, candidates: Iterable[Record]) -> list[Record]:
        self._need_lock()
        records = {record.id: record for record in candidates}
        new = [r for key, r in records.items() if key not in self._records and key not in self._retired]
        self._write((record.kind, record) for record in new)
        self._records.update((record.id, record) for record in new)
        self._index()
        return [self._records[key] for key in records if key not in self._retired]

    def _write(self, items: Iterable[tuple[str, Record | Tombstone]]) -> None:
        """Append to the logs of their kinds, all on disk or none; each log waits for the disk once."""
        lines: dict[Path, list[dict[str, Any]]] = {}
        for kind, item in items:
            lines.setdefault(log_file(self.path, kind), []).append(item.to_line())
        with _all_or_nothing(lines):
            for file, its_lines in lines.items():
                append_lines(file, its_lines)

    def _load(self) -> None:
        check_folder(self.path)
        logs = [read_log(self.path, kind) for kind in KINDS]
        for log in logs:
            log.refuse_damage()
        if self._lock is not None:
            for log in logs:
                log.mend()
        self._records, self._retired = merge(logs)
        self._index()

    def _drop(self, ids: set[str], *, keep_aside: bool = False) -> None:
        """Rewrite the logs without these records and their tombstones."""
        names = ids | {self._records[record_id].stored_id for record_id in ids}
        for kind in {self._records[record_id].kind for record_id in ids}:
            log = read_log(self.path, kind)
            log.refuse_damage()
            keep = [line for line in log.lines if _named(line.item) not in names]
            for line in log.lines if keep_aside else ():
                if _named(line.item) in names:
                    set_aside(self.path, kind, line.number, line.data)
            log.rewrite(keep)
        self._load()

    def _index(self) -> None:
        """Order what is live anew; views hold the tuples that they were given."""
        live: dict[str, list[Record]] = {kind: [] for kind in KINDS}
        for record in self._records.values():
            if record.id not in self._retired:
                live[record.kind].append(record)
        self._in_log_order = {kind: tuple(records) for kind, records in live.items()}
        self._by_position = {
            kind: tuple(sorted(records, key=lambda record: (record.position, record.id)))
            for kind, records in live.items()
        }

    def _need_lock(self) -> None:
        if self._lock is None:
            raise InputError(
                "read_only",
                f"the memory {self.path} is open for reading only",
                hint="open it with write=True",
            )


@contextmanager
def _all_or_nothing(files: Iterable[Path]) -> Iterator[None]:
    """Cut files back to their present ends if the block fails: no torn line gets a successor."""
    ends = {file: file.stat().st_size if file.exists() else 0 for file in files}
    try:
        yield
    except BaseException:
        for file, end in ends.items():
            if file.exists():
                os.truncate(file, end)
        raise


def _named(item: Record | Tombstone) -> str:
    return item.stored_id if isinstance(item, Record) else item.id
