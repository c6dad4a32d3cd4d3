"""Addresses of storages."""

import pytest

from sqlmend.errors import InputError
from sqlmend.optimize._storage import open_storage


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("study.db", "no address"),
        ("nosuch://host/db", "no address"),
        ("sqlite:////dev/null/study.db", "cannot be used"),
        ("postgresql://user:secret@127.0.0.1:1/db", "cannot be used"),
    ],
)
def test_a_bad_storage_is_refused_without_its_password(url, says):
    with pytest.raises(InputError, match=says) as refused:
        open_storage(url)
    assert "secret" not in str(refused.value)
