"""The context window of work that is resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlmend.models import LanguageModel


def as_begun(lm: LanguageModel, config: Path) -> LanguageModel:
    """The model with the context window that the work in a folder began with.

    What a server serves is no setting of the user's, and prompts that are fitted to another window would
    not be those of undisturbed work.

    Args:
        lm: The model.
        config: The folder's file of what was asked, with ``lm`` as ``LanguageModel.describe`` gives it.
    """
    try:
        window = json.loads(config.read_text("utf-8"))["lm"]["context_window"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return lm  # it begins now, or the folder says what is damaged
    return lm.within(window) if isinstance(window, int) and window > 0 else lm
