"""Prompts as data: sections, their orders and a version id, kept in ``prompts/*.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from sqlmend.errors import unknown_name

#: What an empty section shows, so that all programs share one template.
NOTHING = "(none)"


@dataclass(frozen=True)
class Section:
    """One section of a prompt.

    Attributes:
        text: Constant words; empty where the section shows an input.
        tag: The tag around an input's value.
        when: The section is shown only where this input is not empty; ``""``: always.
        unless: Where this input is not empty, the section is shown only if it has something to show.
    """

    text: str = ""
    tag: str = ""
    when: str = ""
    unless: str = ""


@dataclass(frozen=True)
class Prompt:
    """A prompt: named sections and the orders in which they may be sent.

    Attributes:
        version: Name and number; a change of words changes it.
        sections: Section by name; a section with a tag shows the input of its name.
        orders: Section names by name of the order.
    """

    version: str
    sections: Mapping[str, Section]
    orders: Mapping[str, tuple[str, ...]]

    def render(self, inputs: Mapping[str, str], order: str) -> str:
        """The prompt's text.

        Args:
            inputs: Text by section name, already safe to show; an empty one becomes ``(none)``.
            order: Name of an order of this prompt.

        Raises:
            InputError: The order is unknown.
        """
        if order not in self.orders:
            raise unknown_name("section order", order, self.orders)
        shown = [self._show(name, inputs) for name in self.orders[order]]
        return "\n\n".join(text for text in shown if text)

    def _show(self, name: str, inputs: Mapping[str, str]) -> str:
        section = self.sections[name]
        if section.when and not inputs.get(section.when):
            return ""
        if section.unless and inputs.get(section.unless) and not inputs.get(name):
            return ""
        if section.text:
            return section.text
        return f"<{section.tag}>\n{inputs.get(name) or NOTHING}\n</{section.tag}>"


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt kept in ``prompts/<name>.yaml``."""
    data: dict[str, Any] = yaml.safe_load(
        files("sqlmend.modules").joinpath("prompts", f"{name}.yaml").read_text("utf-8")
    )
    return Prompt(
        version=data["version"],
        sections={key: Section(**value) for key, value in data["sections"].items()},
        orders={key: tuple(value) for key, value in data["orders"].items()},
    )
