"""A MongoDB-compatible server for as long as it is needed: SecantusDB, a program of its own on loopback."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any

from sqlmend._extras import require
from sqlmend.errors import InputError, SqlmendError

if TYPE_CHECKING:
    from pymongo import MongoClient

# Its standard input is ours to hold: when this process is gone, however it ended, so are server and data.
_PROGRAM = """
import os, shutil, sys, threading

def watch():
    sys.stdin.buffer.read()
    shutil.rmtree(os.getcwd(), ignore_errors=True)
    os._exit(0)

threading.Thread(target=watch, daemon=True).start()
from secantus.cli import main
sys.exit(main(sys.argv[1:]))
"""
_LISTENING = re.compile(r"listening on (127\.0\.0\.1:\d+)")
_START_LINES = 50
_CACHE = "64M"


@contextmanager
def embedded_store() -> Iterator[MongoClient[dict[str, Any]]]:
    """A client of a fresh, empty server, which ends with the context and leaves nothing.

    SecantusDB speaks MongoDB's wire protocol over the WiredTiger storage engine. It is not MongoDB, and it is
    beta software: good for tests and measurements. It is never imported here, it runs beside us.

    Raises:
        InputError: What it needs is not installed.
        SqlmendError: It does not start (``store_start``).
    """
    pymongo = require("pymongo", extra="measure")
    if find_spec("secantus") is None:
        raise InputError(
            "missing_extra",
            "SecantusDB is not installed",
            hint="pip install 'sqlmend[measure]'",
            context={"module": "secantus", "extra": "measure"},
        )
    with tempfile.TemporaryDirectory(prefix="sqlmend-store-") as folder:
        arguments = [
            "--standalone",
            "--port",
            "0",
            "--storage-path",
            f"{folder}/data",
            "--cache-size",
            _CACHE,
        ]
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *arguments, "--log-level", "INFO"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={"HOME": folder, "PATH": ""},  # no settings of this user
            start_new_session=True,
        )
        try:
            with pymongo.MongoClient(f"mongodb://{_address(process)}/", directConnection=True) as client:
                yield client
        finally:
            process.kill()  # the data goes, too: no need to wait for an orderly end
            process.wait()
            for stream in (process.stdin, process.stderr):
                if stream is not None:
                    stream.close()


def _address(process: subprocess.Popen[str]) -> str:
    said = []
    assert process.stderr is not None
    for line in process.stderr:
        found = _LISTENING.search(line)
        if found:
            # A full pipe would stop the server at its next word.
            threading.Thread(target=_drain, args=(process.stderr,), daemon=True).start()
            return found[1]
        said.append(line)
        if len(said) >= _START_LINES:
            break
    raise SqlmendError("store_start", f"the document store does not start: {''.join(said)[-500:]}")


def _drain(stream: IO[str]) -> None:
    # The stream is closed under it when the server has ended.
    with contextlib.suppress(ValueError):
        for _ in stream:
            pass
