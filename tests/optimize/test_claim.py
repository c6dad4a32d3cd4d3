"""The folder of a study."""

from types import SimpleNamespace

import pytest

from sqlmend.errors import InputError
from sqlmend.optimize._tune import _claim


def claim(out, study="merit-1", *, resume=False):
    _claim(SimpleNamespace(out=out, resume=resume, lm=SimpleNamespace(context_window=32_000)), study)


def test_what_a_kill_leaves_of_the_claim_is_nothing(tmp_path):
    (tmp_path / ".study.json.x1").write_text('{"stu')
    claim(tmp_path)
    claim(tmp_path, resume=True)
    with pytest.raises(InputError, match="holds a study"):
        claim(tmp_path)
    with pytest.raises(InputError, match="merit-1, not of merit-2"):
        claim(tmp_path, "merit-2", resume=True)


def test_a_folder_with_anything_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(InputError, match="not empty"):
        claim(tmp_path, resume=True)
