"""A page as one HTML file that opens from disk, asks no network, and runs no text as code."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sqlmend._files import canonical_json
from sqlmend._text import for_terminal
from sqlmend.errors import InputError
from sqlmend.eval.report._blocks import Drawing, Page
from sqlmend.eval.report._svg import draw
from sqlmend.modules.tree import STYLE, to_svg

_LONGEST = 20_000  # of a text in the page


def render_html(page: Page) -> str:
    """The page as HTML with a content security policy that lets only its own style and script run.

    Without the ``report`` extra, which draws the charts, a line stands in their place.
    """
    style, script = f"{_asset('page.css')}{STYLE}\n", _asset("page.js")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    environment = Environment(
        loader=PackageLoader(__package__, "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
    )
    return environment.get_template("page.html").render(
        page=page,
        policy=Markup(policy),
        style=Markup(style),
        script=Markup(script),
        draw=_drawn,
        draw_tree=_drawn_tree,
        as_json=_as_json,
    )


def _drawn(spec: Mapping[str, Any], name: str) -> Markup:
    """The chart; without the library that draws it a line that says so, the numbers stand below it."""
    try:
        return Markup(draw(spec, name))
    except InputError as error:
        if error.code != "missing_extra":
            raise
        return Markup('<p class="note">The chart needs {}; its numbers are below.</p>').format(error.hint)


def _drawn_tree(part: Drawing) -> Markup:
    """The drawing, in which every text is escaped."""
    return Markup(to_svg(part.tree, _visible(part.name)))


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _as_json(tags: Mapping[str, Sequence[str]]) -> str:
    """Tags for the script, which compares them with the values of the filters as they are written."""
    shown = {facet: [_visible(value) for value in values] for facet, values in tags.items()}
    return canonical_json(shown)


def _visible(value: Any) -> Any:
    """What is written of a value: control and direction characters of a text as codes, so that none acts."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    is_plain = value.isprintable() and len(value) <= _LONGEST  # most texts are
    return value if is_plain else for_terminal(value, _LONGEST)
