"""Where a study is kept: Optuna's own storages, opened so that many processes may share one."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import optuna
from filelock import FileLock
from optuna.storages import BaseStorage, InMemoryStorage, RDBStorage

from sqlmend._text import address
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from optuna.trial import FrozenTrial, TrialState

#: Seconds between two signs of life of a trial, and after how many without one it is taken for dead.
HEARTBEAT_S = 20
GRACE_S = 120

_ATTEMPTS = 5


class _SqliteStorage(RDBStorage):
    """A study in one file.

    SQLite locks no row between reading and writing it: a lock beside the file does. With a write-ahead log
    a commit does not wait for the disk; a killed process loses nothing by that, a power cut the last trial.
    """

    def __init__(self, url: str, lock: str, **settings: Any) -> None:
        from sqlalchemy import event

        self._file_lock = FileLock(lock)
        with self._file_lock:
            super().__init__(url, **settings)
            event.listen(self.engine, "connect", _write_ahead)
            self.engine.dispose()  # connections made so far

    def create_new_trial(self, study_id: int, template_trial: FrozenTrial | None = None) -> int:
        with self._file_lock:
            number: int = super().create_new_trial(study_id, template_trial)
            return number

    def set_trial_state_values(
        self, trial_id: int, state: TrialState, values: Sequence[float] | None = None
    ) -> bool:
        with self._file_lock:
            changed: bool = super().set_trial_state_values(trial_id, state, values)
            return changed


def open_storage(
    url: str | None, on_dead: Callable[[optuna.Study, FrozenTrial], None] | None = None
) -> BaseStorage:
    """The storage of that address.

    Args:
        url: ``sqlite:///FILE``, ``postgresql://...`` or another address of SQLAlchemy; None: this process.
        on_dead: Told of each trial whose process died; only one process is told of one.

    Raises:
        InputError: It is no such address, its driver is not installed, or nothing answers.
    """
    if url is None:
        return InMemoryStorage()
    import sqlalchemy
    from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

    settings: dict[str, Any] = {
        "heartbeat_interval": HEARTBEAT_S,
        "grace_period": GRACE_S,
        "heartbeat_stale_trial_callback": on_dead,
    }
    shown = address(url)
    try:
        parsed = sqlalchemy.make_url(url)
        if parsed.drivername == "postgresql":
            # The driver that the hint below names; SQLAlchemy before 2.1 takes another one.
            parsed = parsed.set(drivername="postgresql+psycopg")
            url = parsed.render_as_string(hide_password=False)
        for attempt in range(_ATTEMPTS):
            try:
                with _quiet():
                    if parsed.get_backend_name() == "sqlite" and parsed.database:
                        connect = {"connect_args": {"timeout": 60}}
                        return _SqliteStorage(
                            url, f"{parsed.database}.lock", engine_kwargs=connect, **settings
                        )
                    return RDBStorage(url, engine_kwargs={"pool_pre_ping": True}, **settings)
            except (IntegrityError, sqlalchemy.exc.ProgrammingError):
                # Another process made the tables at the same moment; they are there the next time.
                if attempt == _ATTEMPTS - 1:
                    raise
    except ImportError as error:
        raise InputError(
            "bad_storage",
            f"{shown}: the driver of this database is not installed",
            hint="for PostgreSQL: pip install 'psycopg[binary]'",
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise InputError(
            "bad_storage",
            f"{shown!r} is no address of a storage",
            hint="for example sqlite:///study.db or postgresql://HOST/DATABASE",
        ) from error
    except (SQLAlchemyError, RuntimeError, OSError) as error:
        # The text of the error may quote the address with its password.
        raise InputError(
            "bad_storage", f"the storage {shown} cannot be used: {type(error).__name__}"
        ) from None
    raise AssertionError("unreachable")


def _write_ahead(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without Optuna's word that heartbeats are experimental."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        yield
