"""The command line, called in this process."""

import pytest

from sqlmend.cli import main


def call(capsys, *arguments):
    """Run the command line in this process: exit code, stdout, stderr."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    captured = capsys.readouterr()
    return stop.value.code or 0, captured.out, captured.err
