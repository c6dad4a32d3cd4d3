"""From the text after ``--lm`` to a language model."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any, Literal

import dspy

from sqlmend.errors import InputError, near_names
from sqlmend.models._code import code_version
from sqlmend.models._foreign import ForeignBackend
from sqlmend.models._lm import LanguageModel
from sqlmend.models._memo import Memo

_FACTORY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def load_lm(
    spec: str,
    *,
    api_base: str | None = None,
    memo: Memo | Literal["default"] | None = "default",
    temperature: float = 0.0,
    max_tokens: int = 512,
    seed: int = 0,
) -> LanguageModel:
    """The language model that ``spec`` names; nothing is loaded or asked before its first paid call.

    Args:
        spec: ``local`` or ``local:NAME`` (pinned weights), a path that ends in ``.gguf``, a LiteLLM name
            with its provider (``hosted_vllm/MODEL``), or ``module:factory`` of a callable that returns a
            ``dspy.LM``, whose own settings then count rather than the ones below.
        api_base: Address of the server, for a LiteLLM name; API keys come from the environment.
        memo: Where answers are kept; by default the one of this user, None pays for every call.
        temperature: 0 is greedy.
        max_tokens: Limit of an answer.
        seed: Seed of sampling; part of the memo key.

    Raises:
        InputError: The text names no model, or what it needs is not installed.
        SqlmendError: The weights are not there (``weights_missing``).
    """
    memo = Memo() if memo == "default" else memo
    if _FACTORY.fullmatch(spec):
        return _from_factory(spec, memo)
    near = near_names(spec, ["local"])
    raise InputError(
        "bad_lm",
        f"{spec!r} names no language model",
        hint=f"did you mean {near[0]}?"
        if near
        else "local, local:0.5b, a .gguf path, PROVIDER/MODEL or module:factory",
        context={"spec": spec},
    )


def _from_factory(spec: str, memo: Memo | None) -> LanguageModel:
    module_name, _, attribute = spec.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)  # a console script has no current folder to import from
    try:
        module = importlib.import_module(module_name)
        made: Any = module
        for name in attribute.split("."):
            made = getattr(made, name)
        lm = made() if callable(made) and not isinstance(made, dspy.BaseLM) else made
    except (ImportError, AttributeError) as error:
        raise InputError("bad_lm", f"{spec!r} cannot be imported: {error}", context={"spec": spec}) from error
    finally:
        sys.path.remove(here)
    if not isinstance(lm, dspy.LM):
        raise InputError(
            "bad_lm", f"{spec} returned {type(lm).__name__}, not a dspy.LM", context={"spec": spec}
        )
    if isinstance(lm, LanguageModel):
        return lm if lm.memo or memo is None else lm.remembering(memo)
    backend = ForeignBackend(lm, made_by=code_version(module))
    return LanguageModel(lm.model, backend, memo, **backend.settings)
