"""A tuned program as a preset file like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlmend.programs import Preset


def preset_data(preset: Preset, *, name: str, summary: str) -> dict[str, Any]:
    """What a preset file holds: the bundled program and what differs, or all steps where there is none.

    Args:
        preset: The tuned program.
        name: Its new name.
        summary: One line for people.
    """
    from sqlmend.programs import bundled_presets, settings_of

    head = {"name": name, "summary": summary, "origin": "own"}
    for base in (preset.name, preset.base):
        bundled = bundled_presets().get(base)
        if bundled is not None and [s.name for s in bundled.steps] == [s.name for s in preset.steps]:
            before = settings_of(bundled)
            changed = {path: value for path, value in settings_of(preset).items() if value != before[path]}
            return {**head, "base": base, "set": changed}
    return {**preset.to_data(), **head}
