"""Another query: what its prompt tells, and what is left out where it does not fit."""

import dspy
import pytest

from sqlmend.errors import SqlmendError
from sqlmend.memory import Execution
from sqlmend.modules import Known, Probe, Retry, load_prompt
from tests.modules.scripts import Recorder

ATTEMPTS = [
    Execution("SELECT nme FROM city", "unknown_column", "no such column: nme"),
    Execution("SELECT id FROM city", "mismatch"),
]
PROBES = [Probe(Execution(f"SELECT {n} AS look", "ok"), f"1 row of (look): ({n})", 1) for n in (7, 8, 9)]


def retry(known, order="prefix", question="Which?", **settings):
    model = Recorder("<answer>SELECT name FROM city</answer>", **settings)
    with dspy.context(lm=model.lm):
        written = Retry(order)(
            schema="CREATE TABLE city (name TEXT)", question=question, evidence="", known=known
        )
    (prompt,) = model.prompts
    return written, prompt


@pytest.mark.parametrize("order", ["prefix", "published"])
@pytest.mark.parametrize(
    ("told", "shown", "hidden"),
    [
        ("none", (), ("SELECT nme", "SELECT id", "no such column", "mismatch", "history", "wrong")),
        (
            "verdict",
            ("SELECT nme", "[2] SELECT id"),
            ("no such column", "unknown_column", "mismatch", "history"),
        ),
        ("message", ("SELECT nme", "no such column: nme", "[2] mismatch"), ("<wrong_queries>",)),
    ],
)
def test_a_prompt_tells_of_the_attempts_what_the_setting_says(told, shown, hidden, order):
    written, prompt = retry(Known(ATTEMPTS, told, PROBES), order)
    assert written.sql == "SELECT name FROM city"
    assert all(text in prompt for text in (*shown, "1 row of (look): (8)"))
    assert not any(text in prompt for text in hidden)
    assert "failure type" not in prompt


def test_a_prompt_without_findings_says_nothing_of_them():
    assert "indings" not in retry(Known(ATTEMPTS))[1]


def test_the_oldest_looks_go_first_then_the_oldest_attempts_and_the_last_one_stays():
    _, whole = retry(Known(ATTEMPTS, "message", PROBES), context_window=8192)
    dropped = set()
    for window in range(400, 1200, 4):
        try:
            written, prompt = retry(Known(ATTEMPTS, "message", PROBES), context_window=window, max_tokens=64)
        except SqlmendError as error:
            assert error.code in ("context_overflow", "no_room")
            continue
        now = (written.dropped_probes, written.dropped_attempts)
        dropped.add(now)
        assert len(prompt) <= len(whole)
        assert [f"({n})" in prompt for n in (7, 8, 9)] == [now[0] <= n for n in range(3)]
        assert "[2] mismatch" in prompt
        assert ("SELECT nme" in prompt) == (now[1] == 0)
    assert dropped == {(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)}


def test_room_is_left_for_the_answer_that_is_asked_for():
    model = Recorder("<answer>SELECT 1</answer>", context_window=2480)
    arguments = {"schema": "CREATE TABLE city (name TEXT)", "question": "Which?", "evidence": ""}
    with dspy.context(lm=model.lm):
        short = Retry()(**arguments, known=Known(ATTEMPTS, "message", PROBES))
        long = Retry("prefix", 2048)(**arguments, known=Known(ATTEMPTS, "message", PROBES))
    assert (short.dropped_probes, short.dropped_attempts) == (0, 0)
    assert long.dropped_probes > 0


def test_what_is_not_told_is_not_dropped():
    known = Known(ATTEMPTS, "none", PROBES)
    while known.less() is not None:
        known = known.less()
    assert (known.dropped_attempts, known.dropped_probes) == (0, 3)


def test_its_prompt_is_data_with_a_version():
    prompt = load_prompt("retry")
    assert prompt.version.startswith("retry/")
    assert {frozenset(order) for order in prompt.orders.values()} == {frozenset(prompt.sections)}
