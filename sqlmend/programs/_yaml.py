"""YAML as data: no Python objects, no doubled keys, and ``off`` is a word, not a truth value."""

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


def parse_yaml(text: str, where: str) -> dict[str, Any]:
    """The mapping that ``text`` holds.

    Args:
        text: A YAML document.
        where: What to call it in an error.

    Raises:
        InputError: It is no YAML, asks for a Python object, doubles a key or is no mapping.
    """
    try:
        # _Loader is a SafeLoader: it builds plain values only.
        data = yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError, AttributeError) as error:
        raise InputError("bad_yaml", f"{where} is no valid preset: {error}") from error
    if not isinstance(data, dict):
        raise InputError("bad_yaml", f"{where} must hold a mapping; got {type(data).__name__}")
    return data


def dump_yaml(data: dict[str, Any]) -> str:
    """``data`` as YAML that ``parse_yaml`` reads back as the same."""
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=False, width=100)
