"""The frame: names, exit codes, help with an example, one document on stdout."""

import json
import logging
import subprocess
import sys

import pytest

from sqlmend.cli import COMMANDS, LazyGroup, group
from tests.cli.calls import call


def leaves():
    """Every command that does something, as its words."""
    for name in COMMANDS:
        command = LazyGroup().get_command(None, name)
        yield from [(name, sub) for sub in command.commands] if hasattr(command, "commands") else [(name,)]


@pytest.mark.parametrize("words", list(leaves()), ids=" ".join)
def test_every_command_has_json_and_help_with_an_example(words, capsys):
    code, out, _ = call(capsys, *words, "--help")
    assert code == 0
    assert "--json" in out
    assert f"Example:\n    sqlmend {' '.join(words)}" in out


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), *[(name, "--help") for name in COMMANDS]], ids=" ".join
)
def test_help_and_version(words, capsys):
    code, out, _ = call(capsys, *words)
    assert code == 0
    assert out.strip()


def test_a_warning_writes_nothing_to_the_terminal(capsys):
    """Of any logger that nobody has set up: sqlglot, for one, quotes the SQL that it does not know."""
    call(capsys, "--version")
    record = logging.LogRecord("other", logging.WARNING, "", 0, "cannot read %s", ("\x1b]0;PWN\x07",), None)
    assert logging.lastResort.format(record) == "cannot read \\x1b]0;PWN\\x07"


def test_an_unknown_command_gets_near_names(capsys):
    code, out, err = call(capsys, "evla")
    assert (code, out) == (2, "")
    assert "did you mean eval" in err


def test_an_unknown_option_is_bad_input(capsys):
    code, _, err = call(capsys, "run", "merit", "--nonsense")
    assert code == 2
    assert "--nonsense" in err


def test_the_list_of_commands_imports_none_of_them():
    heavy = "import sys; from sqlmend.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    heavy += "assert not {'dspy', 'chromadb', 'datasets', 'litellm'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", heavy], check=True, stdout=subprocess.DEVNULL)


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, sqlmend; dir(sqlmend)\n"
    code += "assert not {'dspy', 'chromadb', 'datasets', 'litellm', 'numpy', 'sqlglot'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_export_is_there():
    import sqlmend

    for name in sqlmend.__all__:
        assert getattr(sqlmend, name) is not None
    with pytest.raises(AttributeError):
        _ = sqlmend.nothing_of_the_kind


def test_programs_list_is_one_document(capsys):
    code, out, _ = call(capsys, "programs", "list", "--json")
    programs = {program["name"]: program for program in json.loads(out)["programs"]}
    assert code == 0
    assert programs["merit"]["base"] is None
    assert programs["merit:no_negative"]["base"] == "merit"
    assert all(set(program) == {"name", "summary", "base", "origin"} for program in programs.values())


def test_programs_show_is_yaml_that_loads_as_the_same(capsys, tmp_path):
    from sqlmend.programs import load_program

    code, out, _ = call(capsys, "programs", "show", "merit:no_negative")
    assert code == 0
    (tmp_path / "shown.yaml").write_text(out)
    assert load_program(tmp_path / "shown.yaml") == load_program("merit:no_negative")


@pytest.mark.parametrize("arguments", [("show", "merrit"), ("validate", "missing.yaml")])
def test_programs_say_what_is_wrong(arguments, capsys):
    code, out, err = call(capsys, "programs", *arguments)
    assert (code, out) == (2, "")
    assert "merit" in err or "cannot read" in err


def test_programs_validate(capsys, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("base: merit\nset: {budget: 1}\n")
    code, out, _ = call(capsys, "programs", "validate", str(file), "--json")
    assert (code, json.loads(out)["valid"]) == (0, True)


def test_the_group_lists_what_the_table_has():
    assert group.list_commands(None) == list(COMMANDS)
