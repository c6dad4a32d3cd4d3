"""What goes wrong with a language model, in our own words and without its keys."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

from sqlmend._text import cap
from sqlmend.errors import SqlmendError

#: dspy's code of a failure to ours, and what to do about it.
_CODES: dict[str | None, tuple[str, str | None]] = {
    "context_window_exceeded": ("lm_context", "the prompt is longer than the model's context"),
    "invalid_request": ("lm_request", None),
    "transport": ("lm_unreachable", "is the server running, and is --api-base its address?"),
    "timeout": ("lm_timeout", "run it again with --resume when the server answers faster"),
    "auth": ("lm_auth", "put the provider's API key into the environment variable that LiteLLM names for it"),
    "billing": ("lm_billing", None),
    "rate_limit": ("lm_rate_limit", "run it again with --resume later"),
    "unsupported_model": ("lm_model", "check the model's name, and that the server at --api-base serves it"),
    "server": ("lm_server", "look at the server's log; run it again with --resume when it is well"),
    "unsupported_feature": ("lm_setting", None),
    "configuration": ("lm_setting", None),
    "not_configured": ("lm_auth", "put the provider's API key into the environment"),
}

#: Codes of failures that belong to one prompt: the next question may well be answered. Every other one
#: would be met by every further call, so that a run stops with it and is resumed later.
PER_QUESTION = frozenset({"lm_context", "lm_request"})
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@|[^\s/@:]+:[^\s/@]+@(?=[\w.\[])")


def is_secret_name(name: str) -> bool:
    """Whether a setting of that name is a secret; a limit of tokens is none."""
    return bool(_SECRET_NAME.search(name)) and not name.lower().endswith("tokens")


def secrets_of_address(url: str) -> list[str]:
    """What may be a secret in the query of an address."""
    return [value for _, value in parse_qsl(urlsplit(url).query)]


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """``text`` without API keys: those given, those in the environment, and a URL's user and password."""
    known = [value for name, value in os.environ.items() if _SECRET_NAME.search(name)]
    for secret in sorted({*known, *secrets}, key=len, reverse=True):
        if len(secret) >= 6:
            text = text.replace(secret, "[redacted]")
    return _USERINFO.sub("", text)


def explain(error: Exception, model: str, secrets: Iterable[str] = ()) -> SqlmendError:
    """Our error for one of dspy's; one of ours that was raised below dspy comes out as it went in."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, SqlmendError):
            return cause
        cause = cause.__cause__
    code, hint = _CODES.get(getattr(error, "code", None), ("lm_unexpected", None))
    text = str(getattr(error, "message", "") or error)
    if code == "lm_context":
        text = text.partition("\n")[0]  # the rest is advice for somebody else's program
    if code == "lm_unexpected":
        text = f"{type(error.__cause__ or error).__name__}: {text}"
    status = getattr(error, "status", None)
    return SqlmendError(
        code,
        f"{model}: {cap(redact(text, secrets).strip(), 2000)}",
        hint=hint,
        context={"model": model, "status": status},
    )
