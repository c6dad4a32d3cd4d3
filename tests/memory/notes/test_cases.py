"""B1: every labelled case is found, under its class, and nothing else is; unrelated notes change nothing."""

from __future__ import annotations

import pytest

from sqlmend.databases import Outcome
from sqlmend.memory.notes import BACKENDS, ERROR_CLASSES, FailureNotes, Refusal, key_of
from tests.memory.notes.cases import TABLES, error

SCHEMA = "sha256:shop"


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    """All cases of all backends in one file."""
    made = FailureNotes(tmp_path_factory.mktemp("notes") / "notes.jsonl")
    for backend, table in TABLES.items():
        for case in table["refused"]:
            made.record(case["sql"], SCHEMA, backend=backend, error=error(case["error"]))
    assert made.flush()
    return made


@pytest.fixture(scope="module")
def with_unrelated(notes, tmp_path_factory):
    """The same file, and a thousand notes of other statements, other schemas and other backends."""
    path = tmp_path_factory.mktemp("notes") / "more.jsonl"
    path.write_bytes(notes.path.read_bytes())
    statements = [case["sql"] for table in TABLES.values() for case in table["refused"]]
    unrelated = []
    for number in range(1000):
        backend = BACKENDS[number % len(BACKENDS)]
        if number % 2:
            sql, fingerprint = (
                f"SELECT w{number}, v{number} FROM warehouse_{number} WHERE u{number} < 3",
                SCHEMA,
            )
        else:
            sql, fingerprint = statements[number % len(statements)], f"sha256:{number}"
        key = key_of(sql, fingerprint, backend)
        unrelated.append(
            Refusal.of(key, ERROR_CLASSES[number % len(ERROR_CLASSES)], f"text {number}").to_line()
        )
    with path.open("a") as file:
        file.writelines(f"{line}\n" for line in unrelated)
    made = FailureNotes(path)
    assert len(made.refusals()) == len(notes.refusals()) + 1000
    return made


def asked():
    """Every statement that must find a case: (backend, statement, case)."""
    for backend, table in TABLES.items():
        for number, case in enumerate(table["refused"]):
            for sql in (case["sql"], *case["ask"]):
                yield pytest.param(backend, sql, case, id=f"{backend} {number}")


def silent():
    for backend, table in TABLES.items():
        for sql in table["silent"]:
            yield pytest.param(backend, sql, id=f"{backend}: {sql[:40]}")


def test_there_are_enough():
    by_backend = {backend: len(table["refused"]) for backend, table in TABLES.items()}
    assert set(by_backend) == set(BACKENDS)
    assert sum(by_backend.values()) >= 120
    assert min(by_backend.values()) >= 20
    classes = {case["class"] for table in TABLES.values() for case in table["refused"]}
    assert classes == set(ERROR_CLASSES)


@pytest.mark.parametrize(("backend", "sql", "case"), asked())
def test_recognised(notes, with_unrelated, backend, sql, case):
    for memory in (notes, with_unrelated):
        note = memory.lookup(sql, SCHEMA, backend=backend)
        assert note is not None, "a miss"
        assert note.error_class == case["class"], note
        assert note.score == 1.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_nearly_the_same_is_told_apart_from_the_same(notes, backend):
    for near in TABLES[backend]["near"]:
        note = notes.lookup(near["sql"], SCHEMA, backend=backend)
        assert note is not None and note.error_class == near["class"]
        assert 0.8 <= note.score < 1.0
        assert "nearly this form" in note


@pytest.mark.parametrize(("backend", "sql"), silent())
def test_not_recognised(notes, with_unrelated, backend, sql):
    assert notes.lookup(sql, SCHEMA, backend=backend) is None, "a false alarm"
    assert with_unrelated.lookup(sql, SCHEMA, backend=backend) is None, "a false alarm"


def test_on_no_other_backend_and_no_other_schema(notes):
    for backend, table in TABLES.items():
        for case in table["refused"]:
            assert notes.lookup(case["sql"], "sha256:other", backend=backend) is None
    only = {case["sql"].lower() for case in TABLES["postgres"]["refused"]} - {
        case["sql"].lower() for case in TABLES["duckdb"]["refused"]
    }
    assert only
    exact = FailureNotes(notes.path, threshold=1.0)
    assert [sql for sql in only if exact.lookup(sql, SCHEMA, backend="duckdb")] == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_text_alone_says_as_much(backend, tmp_path):
    """Where a driver hands on no code, only what a rule of its own says is lost: any text may be one."""
    with FailureNotes(tmp_path / "n.jsonl") as memory:
        for case in TABLES[backend]["refused"]:
            memory.record(case["sql"], SCHEMA, backend=backend, error=case["error"]["text"])
            note = memory.lookup(case["sql"], SCHEMA, backend=backend)
            expected = {case["class"]} | ({"unclassified"} if case["class"] == "raised_rule" else set())
            assert note.error_class in expected, note


@pytest.mark.parametrize(
    ("backend", "error", "expected"),
    [
        (
            "sqlite",
            "(sqlite3.OperationalError) no such column: timeout\n[SQL: SELECT deadlock]",
            "schema_reference",
        ),
        ("sqlite", "sqlite3.OperationalError: database is locked", "timeout"),
        ("sqlite", "  ambiguous column name: id\n", "schema_reference"),
        ("sqlite", "Parse error near line 3: no such function: DATE_TRUNC", "schema_reference"),
        ("sqlite", Outcome("constraint_violation", error="unsupported currency"), "raised_rule"),
        ("sqlite", Outcome("constraint_violation", error="the order already exists"), "raised_rule"),
        (
            "sqlite",
            Outcome("constraint_violation", error="cannot store TEXT value in INTEGER column t.a"),
            "type_mismatch",
        ),
        (
            "duckdb",
            'duckdb.BinderException: Binder Error: column "a" must appear in the GROUP BY clause',
            "syntax",
        ),
        ("postgres", 'column "timeout_ms" does not exist\nLINE 1: SELECT timeout_ms', "schema_reference"),
        (
            "postgres",
            'duplicate key value violates unique constraint "timeouts_pkey"',
            "constraint_violation",
        ),
        ("postgres", "terminating connection due to idle-in-transaction timeout", "timeout"),
        ("postgres", "numeric field overflow", "type_mismatch"),
    ],
)
def test_as_libraries_and_shells_write_it(tmp_path, backend, error, expected):
    with FailureNotes(tmp_path / "n.jsonl") as memory:
        memory.record("SELECT 1", SCHEMA, backend=backend, error=error)
        (refusal,) = memory.refusals()
    assert refusal.error_class == expected
    assert "[SQL" not in refusal.detail


def test_an_outcome_says_as_much(tmp_path):
    from sqlmend.databases._status import status_of

    with FailureNotes(tmp_path / "n.jsonl") as memory:
        for case in TABLES["sqlite"]["refused"]:
            code = case["error"].get("sqlite_errorcode", 0)
            outcome = Outcome(status_of(code, case["error"]["text"]), error=case["error"]["text"])
            memory.record(case["sql"], SCHEMA, backend="sqlite", error=outcome)
            assert memory.lookup(case["sql"], SCHEMA, backend="sqlite").error_class == case["class"]


def test_what_our_classes_add(notes):
    """Without the four classes of ours these would all be unclassified."""
    found = [refusal.error_class for refusal in notes.refusals()]
    assert 0 < found.count("unclassified") / len(found) < 0.05
    assert sum(name in ("raised_rule", "syntax", "schema_reference", "permission") for name in found) > 60
