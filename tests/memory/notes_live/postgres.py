"""A PostgreSQL server of the machine's own packages, on a unix socket of a throw-away folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PACKAGED = Path("/usr/lib/postgresql")
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "shared_buffers": "16MB",
    "max_connections": "12",
    "autovacuum": "off",
}


class NoServerError(Exception):
    """No server can be started here, and why."""


@contextmanager
def server() -> Iterator[str]:
    """The folder of its socket; the superuser ``postgres`` needs no password.

    Raises:
        NoServerError: It is not installed, or does not start.
    """
    _program("initdb")
    user = _other_user() if os.geteuid() == 0 else None
    # Right under the temporary folder: the path of a socket must be short, and another user must get in.
    folder = Path(tempfile.mkdtemp(prefix="sqlmend-pg-"))
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    data = folder / "data"
    watcher = _watcher(user, folder)
    try:
        settled = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        _run(user, folder, "initdb", "-D", data, *settled)
        options = " ".join(f"-c {name}={value or repr(value)}" for name, value in _SETTINGS.items())
        started = ["-w", "-l", folder / "log", "-o", f"{options} -k {folder}", "start"]
        _run(user, folder, "pg_ctl", "-D", data, *started)
        yield str(folder)
    finally:
        watcher.communicate()  # closes its input


def _watcher(user: pwd.struct_passwd | None, folder: Path) -> subprocess.Popen[bytes]:
    """Ends the server and removes its folder when its input ends: also when this process is killed."""
    return subprocess.Popen(
        [
            "sh",
            "-c",
            'read _; "$0" -D "$1/data" -m immediate -w stop; rm -rf "$1"',
            _program("pg_ctl"),
            str(folder),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **_as(user),
    )


def _as(user: pwd.struct_passwd | None) -> dict[str, Any]:
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def _program(name: str) -> str:
    # Debian keeps the server's programs out of the path; the newest version comes last.
    packaged = sorted(_PACKAGED.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    found = str(packaged[-1]) if packaged else shutil.which(name)
    if found is None:
        raise NoServerError(f"PostgreSQL's {name} is not installed (Debian: apt-get install postgresql)")
    return found


def _other_user() -> pwd.struct_passwd:
    known = {user.pw_name: user for user in pwd.getpwall()}
    for name in ("postgres", "nobody"):
        if name in known:
            return known[name]
    raise NoServerError("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")


def _run(user: pwd.struct_passwd | None, folder: Path, program: str, *arguments: str | Path) -> None:
    with tempfile.TemporaryFile() as output:  # a pipe would stay open in the server
        done = subprocess.run(
            [_program(program), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
            check=False,
            **_as(user),
        )
        if done.returncode:
            output.seek(0)
            raise NoServerError(f"{program} failed: {output.read().decode(errors='replace')[-500:]}")
