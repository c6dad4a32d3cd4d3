"""Optional libraries: imported late, with an error that names the extra."""

from __future__ import annotations

import importlib
from types import ModuleType

from sqlmend.errors import InputError


def require(module: str, *, extra: str) -> ModuleType:
    """Import ``module`` or say which extra brings it.

    Raises:
        InputError: The library is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and not module.startswith(error.name.split(".")[0]):
            raise
        raise InputError(
            "missing_extra",
            f"{module} is not installed",
            hint=f"pip install 'sqlmend[{extra}]'",
            context={"module": module, "extra": extra},
        ) from error
