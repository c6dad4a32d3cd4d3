"""Charts as static SVG: Vega-Lite renders them when the report is written, no script is needed to see them.

The library is `vl-convert`, which holds Vega-Lite and needs no network. It was chosen over one that
is inlined into the page (megabytes, inline styles, nothing without script) and over one whose SVG
carries inline styles, which a content security policy without ``unsafe-inline`` refuses: Vega writes
presentation attributes, so a colour is a variable of the page, follows dark mode and prints.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

from sqlmend._extras import require
from sqlmend._text import for_terminal

_SVG = "http://www.w3.org/2000/svg"
_VERSION = "5.20"

#: What may stand in a chart; everything else is dropped.
_ELEMENTS = frozenset({"svg", "g", "path", "line", "rect", "circle", "text", "tspan", "defs", "clipPath"})
_ATTRIBUTES = frozenset(
    "d x y x1 y1 x2 y2 cx cy r width height viewBox transform fill stroke opacity dx dy id class".split()
    + "fill-opacity stroke-opacity stroke-width stroke-dasharray stroke-linecap stroke-linejoin".split()
    + "stroke-miterlimit font-family font-size font-weight font-style text-anchor clip-path".split()
)
_CLIP = re.compile(r"url\(#([\w-]+)\)")


def draw(spec: Mapping[str, Any], name: str) -> str:
    """A Vega-Lite specification as an SVG element for a page.

    Args:
        spec: The specification; its data are plain values inside it.
        name: Names it in the page: ids inside it begin so.

    Raises:
        InputError: The ``report`` extra is not installed.
    """
    library = require("vl_convert", extra="report")
    whole = {**_clean(spec), "config": theme()}
    text = library.vegalite_to_svg(whole, vl_version=_VERSION, allowed_base_urls=[])
    root = ElementTree.fromstring(text)
    _strip(root, name)
    width, height = root.attrib.pop("width"), root.attrib.pop("height")
    root.attrib.update({"viewBox": f"0 0 {width} {height}", "aria-hidden": "true", "focusable": "false"})
    root.attrib.update({"width": width, "height": height})
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


@cache
def theme() -> Mapping[str, Any]:
    """Vega-Lite's ``config`` of every chart; its colours are variables of the page's style sheet."""
    loaded: dict[str, Any] = json.loads(files(__package__).joinpath("assets/theme.json").read_text("utf-8"))
    return loaded


def _clean(value: Any) -> Any:
    """The same plain value without characters that XML cannot hold."""
    if isinstance(value, str):
        return for_terminal(value)
    if isinstance(value, Mapping):
        return {_clean(key): _clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    return value


def _strip(element: ElementTree.Element, name: str) -> None:
    """Keep what is seen: known elements and attributes, ids made unique in the page."""
    for child in list(element):
        local = child.tag.removeprefix(f"{{{_SVG}}}")
        unseen = child.get("opacity") == "0" or child.get("display") == "none"
        empty = local == "path" and child.get("d", "") in ("", "M0,0h0v0h0Z")
        if local not in _ELEMENTS or unseen or empty:
            element.remove(child)
        else:
            _strip(child, name)
    for key, value in list(element.attrib.items()):
        if key not in _ATTRIBUTES or (key, value) == ("opacity", "1"):
            del element.attrib[key]
        elif key == "id":
            element.set(key, f"{name}-{value}")
        elif key == "clip-path":
            element.set(key, _CLIP.sub(rf"url(#{name}-\1)", value))
    if element.tag == f"{{{_SVG}}}g" and not len(element):
        return
    for child in list(element):
        if child.tag == f"{{{_SVG}}}g" and not len(child):
            element.remove(child)
