"""From the text after ``--lm`` to a language model."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any, Literal

import dspy
from dspy.utils.exceptions import LMError

from sqlmend.errors import InputError, near_names
from sqlmend.models._code import code_version
from sqlmend.models._errors import redact
from sqlmend.models._foreign import ForeignBackend
from sqlmend.models._lm import LanguageModel
from sqlmend.models._local import LocalBackend
from sqlmend.models._memo import Memo
from sqlmend.models._served import ServedBackend
from sqlmend.models._weights_file import LOCAL_MODELS, OwnWeights, PinnedWeights

_SERVED = re.compile(r"[\w.-]+/\S+")
_FACTORY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def load_lm(
    spec: str,
    *,
    api_base: str | None = None,
    memo: Memo | Literal["default"] | None = "default",
    temperature: float = 0.0,
    max_tokens: int = 512,
    seed: int = 0,
    thinking: bool = True,
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
        thinking: False: a model that vLLM serves is asked to answer without thinking first.

    Raises:
        InputError: The text names no model, or what it needs is not installed.
        SqlmendError: The weights are not there (``weights_missing``).
    """
    memo = Memo() if memo == "default" else memo
    settings: dict[str, Any] = {"temperature": temperature, "max_tokens": max_tokens, "seed": seed}
    kind = _kind(spec, api_base)
    if api_base is not None and kind != "served":
        raise InputError("bad_api_base", f"an API base says nothing about {spec!r}", hint="leave it out")
    match kind:
        case "local":
            return _local(PinnedWeights(spec.partition(":")[2] or next(iter(LOCAL_MODELS))), memo, settings)
        case "gguf":
            return _local(OwnWeights(Path(spec)), memo, settings)
        case "served":
            try:
                return LanguageModel(spec, ServedBackend(spec, api_base, thinking=thinking), memo, **settings)
            except LMError as error:  # e.g. reasoning models, which dspy wants other settings for
                raise InputError("bad_lm", f"{spec}: {error}", context={"spec": spec}) from error
        case "factory":
            return _from_factory(spec, memo)
    near = near_names(spec, ["local", "local:1.5b", "local:0.5b"])
    kinds = "local, local:0.5b, a .gguf path, PROVIDER/MODEL or module:factory"
    raise InputError(
        "bad_lm",
        f"{spec!r} names no language model",
        hint=f"did you mean {near[0]}?" if near else kinds,
        context={"spec": spec},
    )


def _kind(spec: str, api_base: str | None) -> str | None:
    if spec == "local" or spec.startswith("local:"):
        return "local"
    # A server may call its model as its file is called.
    if spec.lower().endswith(".gguf") and (api_base is None or Path(spec).expanduser().is_file()):
        return "gguf"
    if _SERVED.fullmatch(spec):
        return "served"
    return "factory" if _FACTORY.fullmatch(spec) else None


def _local(weights: PinnedWeights | OwnWeights, memo: Memo | None, settings: dict[str, Any]) -> LanguageModel:
    if memo is None or not memo.replay:
        weights.require()
    return LanguageModel(f"local/{weights.name}", LocalBackend(weights), memo, **settings)


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
    except Exception as error:
        what = redact(f"{type(error).__name__}: {error}")
        raise InputError("bad_lm", f"{spec!r} cannot be imported: {what}", context={"spec": spec}) from error
    finally:
        sys.path.remove(here)
    if not isinstance(lm, dspy.LM):
        raise InputError(
            "bad_lm", f"{spec} returned {type(lm).__name__}, not a dspy.LM", context={"spec": spec}
        )
    return as_language_model(lm, memo=memo, made_by=code_version(module))


def as_language_model(
    lm: dspy.LM, *, memo: Memo | Literal["default"] | None = "default", made_by: str | None = None
) -> LanguageModel:
    """Any ``dspy.LM`` as a model whose answers are memoised and counted; one that is keeps its memo.

    Args:
        lm: The language model.
        memo: Where answers are kept that no memo keeps yet; by default the one of this user.
        made_by: Version of the code that made it, for the memo key.
    """
    kept = Memo() if memo == "default" else memo
    if isinstance(lm, LanguageModel):
        return lm if lm.memo or kept is None else lm.remembering(kept)
    backend = ForeignBackend(lm, made_by=made_by)
    return LanguageModel(lm.model, backend, kept, **backend.settings)
