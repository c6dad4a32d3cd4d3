"""Bar B5 of the banks: what is done to cards keeps what it says it keeps."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.errors import InputError
from sqlmend.eval.crystallization import (
    foreign,
    fraction,
    matched,
    permuted,
    read_bank,
    without_sql,
    write_bank,
)
from sqlmend.memory import IMPORTED, CardPart, Execution, Memory
from sqlmend.modules.cards import write_card
from tests.modules.materials import LOOK, NEAR, WRONG, material

SEEDS = (42, 7, 13)


def card(number, db_id="world", sql=None, form="verbatim", key="question"):
    """The card of a question; of equal `sql` they say the same."""
    last = Execution(f"SELECT {number if sql is None else sql} FROM city", "match")
    episode = material(
        NEAR, last, question_id=f"{db_id}-{number}", question=f"Question {number}?", db_id=db_id
    )
    return write_card(form, episode, key)


def cards(**databases):
    """So many cards of each database."""
    return [card(number, db_id) for db_id, count in databases.items() for number in range(count)]


def by_database(bank):
    return Counter(one.db_id for one in bank)


def is_part_of(part, whole):
    """Whether `part` is `whole` with some left out."""
    rest = iter(whole)
    return all(one in rest for one in part)


def test_matched_counts_match_by_database():
    bank = cards(a=7, b=3, c=5)
    for seed in SEEDS:
        taken = matched(bank, {"a": 2, "b": 3, "c": 0}, seed)
        assert by_database(taken) == {"a": 2, "b": 3}
        assert is_part_of(taken, bank)
    assert len({tuple(matched(bank, {"a": 2}, seed)) for seed in range(20)}) > 5
    assert matched(bank, by_database(bank), 0) == bank
    with pytest.raises(InputError, match="b has 3 cards; 4 are wanted"):
        matched(bank, {"b": 4}, 0)
    with pytest.raises(InputError, match="d has 0 cards"):
        matched(bank, {"d": 1}, 0)


def test_matching_looks_at_ids_alone_so_that_formats_lose_the_same_questions():
    taken = [
        [one.question_id for one in matched([card(n, form=form) for n in range(9)], {"world": 4}, 7)]
        for form in ("verbatim", "diff_guard")
    ]
    assert taken[0] == taken[1]


def test_a_smaller_fraction_lies_within_a_larger_one():
    bank = cards(a=8, b=3, c=1)
    for seed in SEEDS:
        quarter, half, whole = (fraction(bank, share, seed) for share in (0.25, 0.5, 1))
        assert by_database(quarter) == {"a": 2, "b": 1, "c": 1}
        assert by_database(half) == {"a": 4, "b": 2, "c": 1}
        assert whole == bank
        assert is_part_of(quarter, half)
        assert is_part_of(half, whole)
    for share in (0, -1, 1.5):
        with pytest.raises(InputError, match="above 0"):
            fraction(bank, share, 0)


def test_a_foreign_bank_is_of_other_databases_and_of_the_size_asked_for():
    bank = cards(a=7, b=3, c=5)
    drawn = {seed: foreign(bank, "a", 6, seed) for seed in range(20)}
    for taken in drawn.values():
        assert len(taken) == 6
        assert "a" not in by_database(taken)
        assert is_part_of(taken, bank)
    assert len({tuple(taken) for taken in drawn.values()}) > 5
    with pytest.raises(InputError, match="beside a have 8 cards; 9 are wanted"):
        foreign(bank, "a", 9, 0)


@settings(max_examples=60, derandomize=True)
@given(
    said=st.dictionaries(
        st.sampled_from("abc"), st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1
    ),
    seed=st.integers(0, 99),
)
def test_a_permuted_bank_has_the_same_questions_and_the_same_sql(said, seed):
    bank = [card(n, db_id, sql) for db_id, sqls in said.items() for n, sql in enumerate(sqls)]
    moved = permuted(bank, seed)
    assert [one.question_id for one in moved] == [one.question_id for one in bank]
    assert [(one.question, one.key, one.db_id) for one in moved] == [
        (b.question, b.key, b.db_id) for b in bank
    ]
    for db_id, sqls in said.items():
        before, after = ([one.parts for one in some if one.db_id == db_id] for some in (bank, moved))
        assert Counter(before) == Counter(after)
        commonest = max(Counter(sqls).values())
        if 2 * commonest <= len(sqls):
            assert all(one != other for one, other in zip(before, after, strict=True))
        else:
            kept = sum(one == other for one, other in zip(before, after, strict=True))
            assert kept == 2 * commonest - len(sqls), "as few as there can be"


def test_permutations_differ_by_seed_and_a_single_card_stays():
    bank = cards(a=6, b=1)
    assert len({tuple(permuted(bank, seed)) for seed in range(20)}) > 10
    assert permuted(bank, 3)[-1] == bank[-1]
    assert permuted([], 0) == []


def test_a_permuted_key_with_payload_is_that_of_what_the_card_says_now():
    bank = [card(n, key="payload") for n in range(3)]
    for one in permuted(bank, 0):
        assert one.key == f"{one.question}\n{one.parts[0].text}"
        assert one not in bank


def test_without_sql_the_cards_are_the_same_but_for_it():
    episode = material(WRONG, NEAR, Execution("SELECT name FROM city", "match"))
    bank = [write_card(form, episode, "payload") for form in ("trace", "diff_mode", "verbatim", "diff")]
    plain = without_sql(bank)
    assert [one.question for one in plain] == [one.question for one in bank]
    assert not any(part.code for one in plain for part in one.parts)
    assert not any("SELECT" in one.key for one in plain)
    assert [part.label for part in plain[0].parts] == ["attempt 1 gave", "attempt 2 gave"]
    assert [part.label for part in plain[1].parts] == ["failure"]
    assert plain[2].parts == plain[3].parts == (CardPart("note", "the query that answered it is not shown"),)
    assert without_sql(plain) == plain


def test_without_sql_a_look_shows_its_rows_alone():
    (plain,) = without_sql([write_card("trace", material(probes=(LOOK,)))])
    assert [(part.label, part.text) for part in plain.parts] == [
        ("attempt 1 gave", "unknown_column: no such column: nam"),
        ("look 1 found", "1 row: (9.5)"),
    ]


def test_equal_cards_are_equal_bytes_and_a_memory_like_any_other(tmp_path):
    bank = cards(b=2, a=3)
    for out in ("one", "two"):
        write_bank(bank, tmp_path / out, {"source": "probe", "admission": "verified"})
    files = {file.name: file.read_bytes() for file in (tmp_path / "one").iterdir()}
    assert files == {file.name: file.read_bytes() for file in (tmp_path / "two").iterdir()}
    assert {file.name for file in tmp_path.iterdir()} == {"one", "two"}
    assert read_bank(tmp_path / "one") == bank
    for record in Memory(tmp_path / "one").records("cards"):
        assert (record.position, record.provenance["source"]) == (IMPORTED, "probe")


def test_a_bank_never_replaces_anything_and_may_be_empty(tmp_path):
    write_bank([], tmp_path / "empty", {})
    assert read_bank(tmp_path / "empty") == []
    with pytest.raises(InputError, match="holds something already"):
        write_bank(cards(a=1), tmp_path / "empty", {})
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="holds something already"):
        write_bank(cards(a=1), tmp_path / "file", {})
    assert read_bank(tmp_path / "empty") == []
