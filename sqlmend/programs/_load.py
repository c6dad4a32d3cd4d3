"""From a name or a file to a preset: bundled ones, variants of them, a user's own, and ``--set``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from sqlmend.errors import InputError, unknown_name
from sqlmend.programs._preset import Preset, preset_from_data
from sqlmend.programs._yaml import parse_yaml

_MOST_BYTES = 1 << 20
#: Settings of the program itself.
_SHARED = ("budget", "section_order")


@cache
def bundled_presets() -> Mapping[str, Preset]:
    """Every bundled preset by name, variants as ``base:variant``, in the order of the file names."""
    presets: dict[str, Preset] = {}
    folder = files("sqlmend.programs").joinpath("presets")
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        if not file.name.endswith(".yaml"):
            continue
        data = parse_yaml(file.read_text("utf-8"), file.name)
        variants = data.pop("variants", {})
        base = preset_from_data(data, file.name)
        presets[base.name] = base
        for name, variant in variants.items():
            presets[f"{base.name}:{name}"] = _derive(
                base, {"name": f"{base.name}:{name}", **variant}, f"{file.name}: variants.{name}"
            )
    return presets


def load_preset(source: str | Path) -> Preset:
    """The preset of that name, or of that YAML file.

    A file holds either all steps of a program, or ``base`` (the name of a bundled preset) and ``set``
    (settings that differ, as in ``{recall.top_k.positive: 5}``).

    Raises:
        InputError: The name is unknown (with near names), or the file is no valid preset.
    """
    text = str(source)
    if isinstance(source, str) and text in bundled_presets():
        return bundled_presets()[text]
    path = Path(source)
    if isinstance(source, Path) or path.suffix in (".yaml", ".yml"):
        return _from_file(path)
    raise unknown_name("program", text, bundled_presets())


def override(preset: Preset, assignments: Iterable[str]) -> Preset:
    """``preset`` with settings replaced, each given as ``path=value``, e.g. ``recall.top_k.positive=5``.

    Raises:
        InputError: A path or value is not valid, with near names for a typo.
    """
    changes: dict[str, Any] = {}
    for assignment in assignments:
        path, equals, value = assignment.partition("=")
        if not equals or not path:
            raise InputError(
                "bad_assignment",
                f"--set takes path=value; got {assignment!r}",
                hint="for example recall.top_k.positive=5",
            )
        changes[path.strip()] = _value(value.strip())
    return _assign(preset, changes, "--set")


def settings_of(preset: Preset) -> dict[str, Any]:
    """Every setting of a preset by its path, as ``override`` takes it, as plain JSON values."""
    return dict(_leaves(_tree(preset)))


def own_settings(preset: Preset) -> dict[str, Preset]:
    """The settings that make a preset another program than the bundled one that it derives from.

    Settings of a step that its base does not have are none of them; those that make its base a variant are.

    Returns:
        Path of the setting to the preset that has another value there.
    """
    base = bundled_presets().get(preset.base)
    if base is None:
        return {}
    own, before = settings_of(preset), settings_of(base)
    differ = {path: base for path, value in own.items() if path in before and value != before[path]}
    return {**{path: origin for path, origin in own_settings(base).items() if path in own}, **differ}


def _from_file(path: Path) -> Preset:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError("bad_preset", f"{path} is larger than a preset may be ({_MOST_BYTES} bytes)")
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("bad_preset", f"cannot read the preset {path}: {error}") from error
    data = parse_yaml(text, str(path))
    if "name" not in data:
        data = {"name": path.stem, **data}
    if "steps" in data:
        if "set" in data:
            raise InputError("bad_preset", f"{path}: set goes with base, not with steps")
        return preset_from_data(data, str(path))
    base = data.pop("base", None)
    if not isinstance(base, str):
        raise InputError(
            "bad_preset", f"{path} must hold steps, or base and set", hint="see: sqlmend programs show merit"
        )
    if base not in bundled_presets():
        raise unknown_name("program", base, bundled_presets())
    return _derive(bundled_presets()[base], data, str(path))


def _derive(base: Preset, data: Mapping[str, Any], where: str) -> Preset:
    """A variant of ``base``: other name, summary and origin, and either settings (``set``) or ``steps``."""
    fields = dict(data)
    changes = fields.pop("set", {})
    if not isinstance(changes, Mapping):
        raise InputError("bad_preset", f"{where}: set must be a mapping of paths to values; got {changes!r}")
    if unknown := sorted(set(fields) - {"name", "summary", "origin", "steps"}):
        raise unknown_name("field", unknown[0], ("name", "summary", "origin", "base", "set", "steps"))
    changed = _assign(base, changes, where)
    return preset_from_data({**changed.to_data(), "base": base.name, "origin": "own", **fields}, where)


def _assign(preset: Preset, changes: Mapping[str, Any], where: str) -> Preset:
    tree = _tree(preset)
    for path, value in changes.items():
        node: Any = tree
        parts = path.split(".")
        for depth, part in enumerate(parts):
            if not isinstance(node, dict) or part not in node:
                known = [".".join([*parts[:depth], key]) for key in node] if isinstance(node, dict) else []
                error = unknown_name("setting", path, known or [path])
                raise InputError(error.code, f"{where}: {error.message}", hint=error.hint if known else None)
            if depth < len(parts) - 1:
                node = node[part]
        if isinstance(node[parts[-1]], dict):
            raise InputError(
                "bad_assignment", f"{where}: {path} is a group of settings: {', '.join(node[parts[-1]])}"
            )
        node[parts[-1]] = value
    data = {**preset.to_data(), **{name: tree[name] for name in _SHARED}}
    data["steps"] = [{step.name: tree[step.name]} for step in preset.steps]
    return preset_from_data(data, where)


def _tree(preset: Preset) -> dict[str, Any]:
    """The settings of a preset: those of the program, and those of each step under its name."""
    steps = {step.name: step.settings.model_dump(mode="json") for step in preset.steps}
    return {**{name: getattr(preset, name) for name in _SHARED}, **steps}


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _value(text: str) -> Any:
    """A JSON value, or the text itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text
