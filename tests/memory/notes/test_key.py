"""Keys: literals, case, space and comments leave no trace, in the spelling of each backend (B2)."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import TokenError
from sqlglot.tokens import TokenType

from sqlmend.databases import Column, Schema, Table, shape
from sqlmend.memory.notes import BACKENDS, FailureNotes, key_of
from sqlmend.memory.notes._key import QUERY_LIMIT, shape_tokens
from tests.databases.texts import literals, spelt, statements_of_words, texts
from tests.memory.notes.cases import FOLDER

CASES = json.loads((FOLDER / "spelling.json").read_text("utf-8"))


def shaped(sql, backend="sqlite"):
    key = key_of(sql, "f", backend)
    return "" if key is None else key.shape


@pytest.mark.parametrize("case", CASES, ids=[f"{case['backend']} {n}" for n, case in enumerate(CASES)])
def test_spellings(case):
    assert shaped(case["sql"], case["backend"]) == case["shape"]


@pytest.mark.parametrize("backend", ["postgres", "duckdb"])
def test_spacing_in_arrays_and_casts_does_not_count(backend):
    tight = "select a[i+1], b[lo:hi], array[1,2]::int[], [x,-1] from t"
    loose = "SELECT A [ I + 1 ] , B [ LO : HI ] , ARRAY [ 3 ] :: INT [ ] , [ X , 5 ] FROM T"
    assert shaped(tight, backend) == shaped(loose, backend)
    assert shape_tokens(shaped("select a[i + 1]", backend)) == {*"select a [ i + ? ]".split()}


def test_in_postgres_the_case_of_a_quoted_name_counts(tmp_path):
    with FailureNotes(tmp_path / "notes.jsonl") as notes:
        error = 'ERROR:  42703: column "userid" does not exist'
        notes.record('SELECT "userid" FROM users', "f", backend="postgres", error=error)
        note = notes.lookup('SELECT "userId" FROM users', "f", backend="postgres")
        assert note is None or note.score < 1.0
        assert notes.lookup('select "userid" from USERS', "f", backend="postgres").score == 1.0


def test_in_mysql_the_case_of_a_table_counts(tmp_path):
    with FailureNotes(tmp_path / "notes.jsonl") as notes:
        error = "ERROR 1146 (42S02): Table 'shop.Orders' doesn't exist"
        notes.record("SELECT id FROM Orders", "f", backend="mysql", error=error)
        assert notes.lookup("SELECT id FROM orders", "f", backend="mysql") is None
        assert notes.lookup("select ID from Orders", "f", backend="mysql").score == 1.0


@given(texts, st.sampled_from(BACKENDS))
def test_any_text_has_a_key_or_none(sql, backend):
    key = key_of(sql, "f", backend)
    assert key is None or key.shape


@given(st.data(), statements_of_words(literal=st.just("LITERAL")), st.sampled_from(BACKENDS))
def test_literals_case_space_and_comments_do_not_count(data, words, backend):
    # A back-quoted or bracketed name is SQLite's; `--` right before a word is MySQL's minus.
    words = ["name" if word[0] in '`["' else word for word in words]
    if backend == "mysql":  # where the case of a table's name counts, and `spelt` changes that of words
        words = ["`k`" if word in ("a", "t1", "Name", "name") else word for word in words]

    def filled():
        return [data.draw(literals) if word == "LITERAL" else word for word in words]

    assert shaped(data.draw(spelt(filled())), backend) == shaped(" ".join(filled()), backend)


def test_a_statement_that_is_too_long_has_no_key():
    assert key_of("SELECT " + "a" * QUERY_LIMIT, "f", "sqlite") is None


@pytest.mark.parametrize(
    "sql", "COMMIT;|END TRANSACTION|rollback -- now|ROLLBACK TO SAVEPOINT a|savepoint a|RELEASE a".split("|")
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_only_ends_or_marks_a_transaction_has_no_key(sql, backend):
    assert key_of(sql, "f", backend) is None
    assert key_of(f"{sql.rstrip(';').split('--')[0]}; SELECT 1", "f", backend) is not None


def test_two_phase_commit_has_no_key():
    assert key_of("PREPARE TRANSACTION 'a'", "f", "postgres") is None
    assert key_of("PREPARE a AS SELECT 1", "f", "postgres") is not None


COLUMNS = {"orders": {"id": "INTEGER", "status": "TEXT", "city": "TEXT"}}


@pytest.mark.parametrize(
    "sql",
    [
        'DELETE FROM orders WHERE "status" = 5',
        'DELETE FROM orders WHERE status = "open"',
        'SELECT "city" FROM orders WHERE "status" NOT IN ("open", "new") AND "id" BETWEEN 1 AND "9"',
        'SELECT id FROM orders WHERE "status" = "city" AND "city" LIKE "a%"',
    ],
)
def test_all_forms_of_a_schema_make_one_key(sql):
    schema = Schema(
        tuple(
            Table(name, tuple(Column(column, kind) for column, kind in columns.items()))
            for name, columns in COLUMNS.items()
        )
    )
    keys = {key_of(sql, form, "sqlite") for form in (schema, COLUMNS, schema.fingerprint)}
    assert len(keys) == 1


def test_names_are_told_apart_whatever_the_form_of_the_schema():
    one, other = ('DELETE FROM orders WHERE "status" = 5', 'DELETE FROM orders WHERE "city" = 7')
    for form in (COLUMNS, "sha256:0"):
        assert key_of(one, form, "sqlite") != key_of(other, form, "sqlite")


def test_a_fuzzer_finds_no_text_without_a_shape(shared_dir):
    """Real statements with pieces cut, doubled, swapped and overwritten by random characters."""
    chance = random.Random(2026)
    statements = sorted(real_statements(shared_dir / "data"))
    alphabet = "'\"`[]()-/*;.,?@:$#%\\\n\x00 aE0é\ud800"
    for _ in range(4000):
        text = chance.choice(statements)
        for _ in range(chance.randint(1, 4)):
            start, end = sorted(chance.randint(0, len(text)) for _ in range(2))
            change = chance.randrange(3)
            if change == 0:
                text = text[:start] + text[end:]
            elif change == 1:
                text = text[:end] + text[start:]
            else:
                text = text[:start] + "".join(chance.choices(alphabet, k=3)) + text[start:]
        assert isinstance(shape(text), str)
        shaped(text, chance.choice(BACKENDS))


def test_real_statements_collide_only_where_an_independent_parser_sees_no_difference(shared_dir):
    statements = real_statements(shared_dir / "data")
    assert len(statements) >= 5000
    groups = defaultdict(set)
    read = 0
    for sql in statements:
        folded = folded_by_sqlglot(sql)
        if folded is not None:
            read += 1
            groups[shape(sql)].add(folded)
    assert read >= 5000
    assert [group for group in groups.values() if len(group) > 1] == []


def real_statements(data: Path) -> set[str]:
    """References and predictions of the benchmarks that lie beside the checkout."""
    found = set()
    for name in ("spider/train.json", "spider/dev.json", "bird/dev.json", "bird/mini_dev.json"):
        for row in json.loads((data / name).read_text("utf-8")):
            found.add(row["query"] if "query" in row else row["SQL"])
    for path in sorted((data / "verdicts").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            found.add(json.loads(line)["predicted_sql"])
    return found


_LITERALS = (TokenType.STRING, TokenType.NUMBER, TokenType.HEX_STRING)


def folded_by_sqlglot(sql):
    """Tokens of sqlglot with literals, case and the final ``;`` folded; None where it cannot read the text.

    A double-quoted word may be a literal of SQLite, and a sign belongs to its number: both fold as one.
    """
    try:
        tokens = SQLite.Tokenizer().tokenize(sql)
    except TokenError:
        return None
    kept = []
    for token in tokens:
        quoted = token.token_type is TokenType.IDENTIFIER and sql[token.start] == '"'
        if token.token_type in _LITERALS or quoted:
            if kept and kept[-1] in "+-" and (len(kept) == 1 or kept[-2] in _BEFORE_A_SIGN):
                kept.pop()
            kept.append("?")
        else:
            kept.append(token.text.lower())
    while kept and kept[-1] == ";":
        kept.pop()
    return _lists_folded(" ".join(kept))


_BEFORE_A_SIGN = frozenset("( , = < > <= >= <> != between and limit then else when select".split())


def _lists_folded(text):
    while "in ( ? , ?" in text:
        text = text.replace("in ( ? , ?", "in ( ?")
    return text
