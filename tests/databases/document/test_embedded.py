"""The server lives as long as whoever started it."""

from __future__ import annotations

import subprocess
import sys

import pymongo
import pytest

from sqlmend.databases.document import embedded_store

HOLDER = """
import sys
from sqlmend.databases.document import embedded_store

with embedded_store() as client:
    print(*client.address, flush=True)
    sys.stdin.read()
"""


def answers(port: int) -> bool:
    try:
        with pymongo.MongoClient("127.0.0.1", port, serverSelectionTimeoutMS=200) as client:
            client.admin.command("ping")
    except pymongo.errors.PyMongoError:
        return False
    return True


def test_ends_with_its_context():
    with embedded_store() as client:
        port = client.address[1]
        assert answers(port)
    assert not answers(port)


@pytest.mark.timeout(120)
def test_ends_with_a_killed_process():
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    port = int(holder.stdout.readline().split()[1])
    assert answers(port)
    holder.kill()
    holder.communicate()
    while answers(port):
        pass
