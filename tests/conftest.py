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


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The workplace's shared folder beside the checkout; tests that need it skip elsewhere."""
    folder = Path(__file__).parents[2] / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("needs ../shared (real benchmark data), which is not here")
    return folder
