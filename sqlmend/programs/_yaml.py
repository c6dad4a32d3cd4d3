"""YAML as data: no Python objects, no doubled keys, and ``off`` is a word, not a truth value.

Ids as keys are text, whatever they look like.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from sqlmend.errors import InputError


class _Loader(yaml.SafeLoader):
    """YAML 1.2's truth values (true and false alone), and an error for a key that stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(
                    None, None, f"keys must be text; got {key!r}", key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


class _IdLoader(_Loader):
    """The same with every key as it is written: ``007`` and ``"007"`` are one key."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        for key_node, _ in node.value:
            if isinstance(key_node, yaml.ScalarNode):
                key_node.tag = "tag:yaml.org,2002:str"
        return super().construct_mapping(node, deep)


def parse_yaml(text: str, where: str, *, ids: bool = False) -> dict[str, Any]:
    """The mapping that ``text`` holds.

    Args:
        text: A YAML document.
        where: What to call it in an error.
        ids: Whether its keys are ids, text as it is written; else a key that is no text is refused.

    Raises:
        InputError: It is no YAML, asks for a Python object, doubles a key or is no mapping.
    """
    try:
        # Both are SafeLoaders: they build plain values only.
        data = yaml.load(text, Loader=_IdLoader if ids else _Loader)
    except (yaml.YAMLError, RecursionError, ValueError, AttributeError) as error:
        raise InputError("bad_yaml", f"{where} is no valid YAML: {error}") from error
    if not isinstance(data, dict):
        raise InputError("bad_yaml", f"{where} must hold a mapping; got {type(data).__name__}")
    return data


def dump_yaml(data: dict[str, Any]) -> str:
    """``data`` as YAML that ``parse_yaml`` reads back as the same."""
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=False, width=100)
