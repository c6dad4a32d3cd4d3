import json
import sqlite3
from contextlib import closing

import pytest

from sqlmend.databases import open_database
from sqlmend.errors import InputError
from sqlmend.eval.crystallization import Candidate, Noisy, Verified, Vote, parse_admission, write_bank
from sqlmend.memory import Execution
from sqlmend.modules.cards import FORMATS, write_card
from tests.modules.materials import WRONG, material
from tests.modules.scripts import world


def candidate(number, correct=True, sql="SELECT 1", voted=False):
    last = Execution(sql, "match" if correct else "mismatch")
    return Candidate(material(WRONG, last, question_id=str(number)), correct, voted)


MANY = [candidate(number, number % 3 > 0) for number in range(300)]


def ids(admitted):
    return [one.question_id for one in admitted]


def test_verified_lets_in_what_the_oracle_confirmed():
    assert parse_admission("verified").admit(MANY) == [one for one in MANY if one.correct]


def test_noise_of_zero_is_verified_to_the_byte(tmp_path):
    for seed in (42, 7, 13):
        noisy, verified = parse_admission("noisy:0", seed=seed), parse_admission("verified")
        assert noisy.admit(MANY) == verified.admit(MANY)
        assert noisy.name == verified.name
    for admission in (noisy, verified):
        for form in FORMATS:
            if form != "capsule":
                bank = [write_card(form, one.material) for one in admission.admit(MANY)]
                write_bank(bank, tmp_path / admission.kind / form, {"admission": admission.name})
    for form in FORMATS:
        if form != "capsule":
            noisy, verified = (tmp_path / kind / form / "cards.jsonl" for kind in ("noisy", "verified"))
            assert noisy.read_bytes() == verified.read_bytes()


def test_noise_turns_a_share_of_the_decisions_around_and_more_noise_the_same_ones_and_more():
    verified = set(ids(Verified().admit(MANY)))
    turned_before: set[str] = set()
    for probability in (0.05, 0.1, 0.2, 0.5, 1):
        turned = verified ^ set(ids(Noisy(probability, 42).admit(MANY)))
        assert abs(len(turned) - 300 * probability) <= 20  # 4 standard deviations of 300 draws, and more
        assert turned_before <= turned
        turned_before = turned
    assert turned_before == set(ids(MANY))
    assert ids(Noisy(0.2, 42).admit(MANY)) != ids(Noisy(0.2, 7).admit(MANY))


def test_noise_refuses_right_ones_and_lets_in_wrong_ones():
    admitted = Noisy(0.2, 13).admit(MANY)
    assert any(not one.correct for one in admitted)
    assert not set(ids(Verified().admit(MANY))) <= set(ids(admitted))


def test_a_vote_is_checked_by_nobody_and_for_votes_alone():
    voted = [candidate(1, True, voted=True), candidate(2, False, voted=True)]
    assert Vote().admit(voted) == voted
    with pytest.raises(InputError, match="question 3 was not voted on"):
        Vote().admit([*voted, candidate(3)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("verifed", "unknown admission 'verifed'"),
        ("noisy", "written noisy:P"),
        ("noisy:", "written noisy:P"),
        ("noisy:x", "takes a number"),
        ("noisy:nan", "between 0 and 1"),
        ("noisy:1.5", "between 0 and 1"),
        ("verified:x", "written verified"),
        ("confirmed:/no/such/file", "cannot be read"),
    ],
)
def test_bad_ones_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        parse_admission(text)


def test_confirmed_takes_the_ids_that_a_person_said_yes_to(tmp_path):
    file = tmp_path / "yes.txt"
    file.write_text("7\n\n 3 \n")
    admission = parse_admission(f"confirmed:{file}")
    assert ids(admission.admit(MANY)) == ["3", "7"]
    file.write_text("7\nnine\n")
    with pytest.raises(InputError, match="not asked: nine"):
        parse_admission(f"confirmed:{file}").admit(MANY)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    with open_database(world(tmp_path_factory.mktemp("world"))) as opened:
        yield opened


def assertions(tmp_path, database, checks, name="checks.json"):
    file = tmp_path / name
    file.write_text(checks if isinstance(checks, str) else json.dumps(checks))
    return parse_admission(f"assertions:{file}", databases=lambda _: database)


CITIES = "SELECT name, country_id FROM city"


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ("SELECT count(*) = 3 FROM result", True),
        ("SELECT count(*) = 2 FROM result", False),
        ("SELECT count(*) = (SELECT count(*) FROM city) FROM result", True),
        ("SELECT NOT EXISTS (SELECT 1 FROM result WHERE country_id NOT IN (SELECT id FROM country))", True),
        ("WITH peru AS (SELECT * FROM result WHERE country_id = 1) SELECT count(*) = 2 FROM peru", True),
        ("SELECT count(*) = 3 FROM result -- every city", True),
        ("SELECT max(area) > 0 FROM result", False),  # it gives no such column
        ("SELECT NULL", False),
        ("SELECT 'yes'", False),
    ],
)
def test_a_check_reads_the_result_and_the_tables(tmp_path, database, check, holds):
    for sql in (CITIES, f"{CITIES};", f"{CITIES} -- all of them", f"WITH c AS ({CITIES}) SELECT * FROM c"):
        admitted = assertions(tmp_path, database, {"1": check}).admit([candidate(1, sql=sql)])
        assert bool(admitted) is holds


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("SELECT score FROM result", 2),
        ("SELECT a.score, b.score FROM result a JOIN result b", 4),
        ("SELECT score FROM candidate", 1),
        ("SELECT score FROM every", 2),
        ("WITH result AS (SELECT 7 AS score) SELECT score FROM result", 1),
    ],
)
def test_a_candidate_may_read_tables_of_any_name(tmp_path, sql, count):
    path = tmp_path / "scores.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE result (score); INSERT INTO result VALUES (1), (2);"
            "CREATE TABLE candidate (score); INSERT INTO candidate VALUES (3);"
            "CREATE VIEW every AS SELECT * FROM result"
        )
    checks = {"1": [f"SELECT count(*) = {count} FROM result", "SELECT count(*) = 1 FROM candidate"]}
    with open_database(path) as opened:
        assert ids(assertions(tmp_path, opened, checks).admit([candidate(1, sql=sql)])) == ["1"]


def test_values_that_a_check_fails_over_are_the_candidates_fault(tmp_path, database):
    checks = assertions(tmp_path, database, {"1": "SELECT sum(n) > 0 FROM result"})
    sql = "SELECT 9223372036854775807 AS n UNION ALL SELECT 9223372036854775807"
    assert checks.admit([candidate(1, sql="SELECT 1 AS n")])
    assert checks.admit([candidate(1, sql=sql)]) == []


def test_checks_of_a_question_that_was_not_asked_are_refused(tmp_path, database):
    checks = {str(number): "SELECT 1 FROM result" for number in (1, 2, 3)}
    with pytest.raises(InputError, match="checked, but not asked: 1, 3") as caught:
        assertions(tmp_path, database, checks).admit([candidate(2), candidate(4)])
    assert caught.value.code == "unknown_question"


@pytest.mark.parametrize("kind", ["assertions", "confirmed"])
def test_a_question_that_was_right_at_first_may_be_named(tmp_path, database, kind):
    file = tmp_path / "named"
    file.write_text("1: SELECT 1\n2: SELECT 1\n" if kind == "assertions" else "1\n2\n")

    def admit(*asked):
        admission = parse_admission(f"{kind}:{file}", databases=lambda _: database, asked=asked)
        return ids(admission.admit([candidate(2)]))

    assert admit("1", "2", "3") == ["2"]
    with pytest.raises(InputError, match="not asked: 1"):
        admit("3")


def test_all_checks_must_hold_and_there_must_be_one(tmp_path, database):
    checks = assertions(
        tmp_path,
        database,
        """
1: [SELECT count(*) = 3 FROM result, SELECT count(*) > 0 FROM result]
2: [SELECT count(*) = 3 FROM result, SELECT count(*) > 3 FROM result]
""",
        "checks.yaml",
    )
    assert ids(checks.admit([candidate(n, sql=CITIES) for n in (1, 2, 3)])) == ["1"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1) SELECT 1 --",
        "SELECT 1), x AS (SELECT 1",
        "SELECT 1 /*",
        "SELECT no_such_column FROM city",
        "DELETE FROM city",
        "SELECT 1; SELECT 2",
        "",
    ],
)
def test_a_candidate_cannot_talk_its_check_round(tmp_path, database, sql):
    checks = {"1": "SELECT count(*) = 99 FROM result"}
    assert assertions(tmp_path, database, checks).admit([candidate(1, sql=sql)]) == []


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("SELEC count(*) FROM result", "a check of question 1.*syntax error"),
        ("SELECT * FROM no_such_table", "no such table"),
        ("SELECT name FROM result", "3 rows of 1 columns, not one value"),
        ("DELETE FROM city", "a check of question 1"),
        ("SELECT 1) SELECT (1", "a check of question 1"),
    ],
)
def test_a_check_that_cannot_run_is_an_error_and_not_a_no(tmp_path, database, check, message):
    with pytest.raises(InputError, match=message):
        assertions(tmp_path, database, {"1": check}).admit([candidate(1, sql=CITIES)])


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "1: 2", "1: []", "1: [2]", "{", "!!python/name:os.system x"]
)
def test_a_file_that_holds_no_checks_is_refused(tmp_path, database, text):
    with pytest.raises(InputError, match=r"checks\.json"):
        assertions(tmp_path, database, text)


@pytest.mark.parametrize(
    "text",
    [
        "1: SELECT count(*) = 99 FROM result\n1: SELECT 1",
        '1: SELECT count(*) = 99 FROM result\n"1": SELECT 1',
        '{"1": "SELECT count(*) = 99 FROM result", "1": "SELECT 1"}',
    ],
)
def test_an_id_that_stands_twice_is_refused(tmp_path, database, text):
    with pytest.raises(InputError, match="the key '1' stands twice"):
        assertions(tmp_path, database, text)


@pytest.mark.parametrize(
    "key", ["007", "7", "1e3", "0x1F", "on", "yes", "true", "null", "~", "2020-01-02", "<<"]
)
def test_an_id_is_what_is_written(tmp_path, database, key):
    for text in (f"{key}: SELECT 1", f'"{key}": SELECT 1'):
        assert list(assertions(tmp_path, database, text, "checks.yaml").checks) == [key]


def test_the_name_of_assertions_is_that_of_their_content(tmp_path, database):
    one = assertions(tmp_path, database, {"1": "SELECT 1"}, "one.json")
    same = assertions(tmp_path, database, "1: SELECT 1", "two.yaml")
    other = assertions(tmp_path, database, {"1": "SELECT 2"})
    assert one.name == same.name != other.name
    assert one.name.startswith("assertions:")
