"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A time limit is no check of speed, and machines differ.
settings.register_profile("sqlmend", deadline=None)
settings.load_profile("sqlmend")

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The README's commands, which run a real model, first: at the end one process would wait for them."""
    items.sort(key=lambda item: "test_readme" not in item.nodeid)


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The workplace's shared folder beside the checkout; tests that need it skip elsewhere."""
    folder = Path(__file__).parents[2] / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("needs ../shared (real benchmark data), which is not here")
    return folder
