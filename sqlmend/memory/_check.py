"""Looking a memory over, and setting aside what cannot be read."""

from __future__ import annotations

from collections import Counter
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

from sqlmend.memory._folder import check_folder
from sqlmend.memory._kinds import KINDS
from sqlmend.memory._lock import WriterLock
from sqlmend.memory._log import Damage, merge, read_log


@dataclass(frozen=True)
class CheckReport:
    """What a check found.

    Attributes:
        live: Records of each kind that can be recalled; kinds without any record are left out.
        retired: Records of the same kinds that have a tombstone.
        damage: Lines that cannot be read, torn ends included.
        fixed: Whether these lines were set aside.
    """

    live: dict[str, int]
    retired: dict[str, int]
    damage: tuple[Damage, ...]
    fixed: bool

    @property
    def ok(self) -> bool:
        """Whether the memory can be opened now without loss."""
        return self.fixed or not self.damage


def check_memory(path: Path | str, *, fix: bool = False) -> CheckReport:
    """Read every line of a memory; unlike opening it, this goes on after damage.

    Args:
        path: Folder of the memory.
        fix: Set damaged lines and torn ends aside, under the lock, into a file beside the folder.

    Raises:
        InputError: No memory, a newer format (which is no damage), or with ``fix`` another writer.
    """
    folder = Path(path).resolve()
    check_folder(folder)
    with closing(WriterLock(folder)) if fix else nullcontext():
        logs = [read_log(folder, kind) for kind in KINDS]
        if fix:
            for log in logs:
                log.mend()
    records, retired = merge(logs)
    dead = Counter(record.kind for record in records.values() if record.id in retired)
    live = Counter(record.kind for record in records.values() if record.id not in retired)
    kinds = [kind for kind in KINDS if live[kind] or dead[kind]]
    return CheckReport(
        live={kind: live[kind] for kind in kinds},
        retired={kind: dead[kind] for kind in kinds},
        damage=tuple(damage for log in logs for damage in log.damage),
        fixed=fix,
    )
