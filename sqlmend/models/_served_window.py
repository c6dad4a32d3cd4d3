"""How long a prompt and its answer may be: asked of the server that serves the model."""

from __future__ import annotations

import base64
import http.client
import json
import ssl
import urllib.error
import urllib.request
from urllib.parse import unquote, urlsplit, urlunsplit

from sqlmend._text import address
from sqlmend.errors import SqlmendError
from sqlmend.models._errors import redact

#: As long as a server may take that is busy with other prompts.
_TIMEOUT_S = 60.0
#: What a gateway says for a server behind it that is not there.
_NOBODY = (502, 503, 504)


def served_window(model: str, api_base: str, served_name: str, key: str | None = None) -> int | None:
    """What the server says of a model's window (``max_model_len`` of ``/models``); None: it says nothing.

    Args:
        model: The model's name, for errors.
        api_base: Address of the server.
        served_name: Its name there.
        key: The API key.

    Raises:
        SqlmendError: The server does not answer at all (``lm_unreachable``, ``lm_timeout``). Prompts would
            be fitted to a window that is not its own.
    """
    try:
        with urllib.request.urlopen(_question(api_base, key), timeout=_TIMEOUT_S) as reply:
            models = json.load(reply)["data"]
        return next((int(m["max_model_len"]) for m in models if m.get("id") == served_name), None)
    except urllib.error.HTTPError as error:
        if error.code not in _NOBODY:
            return None  # not every server has such a list, or shows it
        silence: Exception = error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLError):
            return None  # LiteLLM brings certificates of its own
        silence = reason if isinstance(reason, Exception) else error
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    late = isinstance(silence, TimeoutError)
    raise SqlmendError(
        "lm_timeout" if late else "lm_unreachable",
        f"{model}: the server at {address(api_base)} does not answer: {redact(str(silence))}",
        hint="wait until it is ready" if late else "is the server running, and is --api-base its address?",
        context={"model": model},
    )


def _question(api_base: str, key: str | None) -> urllib.request.Request:
    url = urlsplit(api_base)
    login, _, host = url.netloc.rpartition("@")
    path = f"{url.path.rstrip('/')}/models"
    ask = urllib.request.Request(urlunsplit((url.scheme, host, path, url.query, "")))
    if login:
        ask.add_header("Authorization", f"Basic {base64.b64encode(unquote(login).encode()).decode('ascii')}")
    elif key:
        ask.add_header("Authorization", f"Bearer {key}")
    return ask
