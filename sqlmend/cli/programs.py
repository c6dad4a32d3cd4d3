"""``sqlmend programs``: what can be run."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.table import Table

from sqlmend._text import for_terminal
from sqlmend.cli._frame import emit, example, json_option, out


@click.group()
def command() -> None:
    """List, show and validate repair programs."""


@command.command("list", epilog=example("sqlmend programs list"))
@json_option
def list_programs(as_json: bool) -> None:
    """All bundled programs, ablations as base:variant."""
    from sqlmend.programs import bundled_presets

    programs = [
        {"name": preset.name, "summary": preset.summary, "base": preset.base or None, "origin": preset.origin}
        for preset in bundled_presets().values()
    ]

    def render() -> None:
        table = Table("name", "origin", "summary")
        for program in programs:
            table.add_row(program["name"], program["origin"], program["summary"])
        out.print(table)

    emit({"programs": programs}, as_json, render)


@command.command(epilog=example("sqlmend programs show merit"))
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """The fully resolved preset of NAME (or of a YAML file) as YAML."""
    from sqlmend.programs import dump_yaml, load_preset

    preset = load_preset(name)

    def render() -> None:
        sys.stdout.write(dump_yaml(preset.to_data()))

    emit(preset.to_data(), as_json, render)


@command.command(epilog=example("sqlmend programs validate my_variant.yaml"))
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def validate(file: Path, as_json: bool) -> None:
    """Check the preset in FILE and build its program."""
    from sqlmend.programs import load_program

    preset = load_program(file).preset
    steps = [step.name for step in preset.steps]
    emit(
        {"valid": True, "name": preset.name, "steps": steps},
        as_json,
        lambda: out.print(
            for_terminal(f"{file} is valid: {preset.name}, {' > '.join(steps)}"), soft_wrap=True
        ),
    )
