"""One study of every kind of design, with a marker in every reference."""

import json
from collections import Counter

import pytest

from sqlmend.errors import InputError
from sqlmend.eval import read_episodes
from sqlmend.eval.crystallization import read_bank, study_results
from sqlmend.eval.crystallization._design import default_design
from sqlmend.eval.crystallization._pieces import bank_path
from sqlmend.eval.crystallization._tables import Tables
from sqlmend.memory import Memory
from sqlmend.modules.cards import FORMATS
from tests.eval.crystallization.studies import SENTINEL, Model, marked, request, study

VARIED = (
    "source",
    "admission=verified,vote,noisy:0,noisy:0.2",
    "format",
    "k=1,10",
    "scope,pairing,content",
    "retriever=random,payload_key",
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    with marked(tmp_path_factory.mktemp("marked")) as found:
        yield found


@pytest.fixture(scope="module")
def everything(asked, tmp_path_factory):
    """The folder of the study, and the model that it asked."""
    model = Model()
    out = tmp_path_factory.mktemp("study") / "cry"
    return study(asked, out, model, *VARIED, seeds=(42, 7)), model


def cards(folder, seed=42, **changes):
    design = default_design(**changes)
    return read_bank(folder / bank_path(design, seed if design.bank_sampled else None))


def test_a_reference_is_in_no_prompt_and_no_file(everything):
    folder, model = everything
    assert len(model.prompts) > 200
    assert not any(SENTINEL in prompt for prompt in model.prompts)
    held = [file for file in folder.rglob("*") if file.is_file() and SENTINEL.encode() in file.read_bytes()]
    assert held == []


def test_every_format_and_source_is_there(everything):
    folder, _ = everything
    for name in FORMATS:
        found = cards(folder, format=name)
        assert {card.format for card in found} == {name}
    for source in (
        "probe",
        "resample",
        "one_bit",
        "self_vote",
        "explore_first",
        "first_try:1",
        "first_try:2",
    ):
        assert cards(folder, source=source, matched=True), source


def test_without_noise_the_bank_is_the_verified_one_byte_for_byte(everything):
    folder, _ = everything
    noiseless = default_design(admission="noisy:0")
    assert (folder / bank_path(noiseless, 42) / "cards.jsonl").read_bytes() == (
        folder / "bank" / "cards.jsonl"
    ).read_bytes()


def test_a_permuted_bank_has_the_same_questions_and_the_same_sql(everything):
    folder, _ = everything
    aligned, permuted = cards(folder), cards(folder, pairing="permuted")
    for part in ("question", "parts"):
        assert Counter((card.db_id, getattr(card, part)) for card in aligned) == Counter(
            (card.db_id, getattr(card, part)) for card in permuted
        )
    assert aligned != permuted


def test_matched_sources_have_as_many_cards_of_each_database(everything):
    folder, _ = everything
    counts = {
        source: Counter(card.db_id for card in cards(folder, source=source, matched=True))
        for source in (
            "probe",
            "resample",
            "one_bit",
            "self_vote",
            "explore_first",
            "first_try:1",
            "first_try:2",
        )
    }
    assert len({frozenset(count.items()) for count in counts.values()}) == 1
    foreign = folder / "banks" / "scope-foreign" / "seed42"
    own = Counter(card.db_id for card in cards(folder))
    for record in foreign.glob("*.json"):
        found = read_bank(foreign / record.stem)
        assert record.stem not in {card.db_id for card in found}
        assert len(found) == min(own[record.stem], own.total() - own[record.stem])


def test_no_card_is_of_a_held_out_question_or_of_its_twin(everything, asked):
    folder, _ = everything
    plan = Tables(folder).plan
    out = {twin for question_id in plan.held_out for twin in asked.twins[question_id]}
    banks = [log.parent for log in folder.rglob("cards.jsonl") if "memory" not in log.parts]
    assert len(banks) > 15
    for bank in banks:
        assert not out & {card.question_id for card in read_bank(bank)}


def test_retention_never_shows_a_question_its_own_card_and_replay_does(everything):
    folder, _ = everything
    shown = Counter()
    for setting in ("replay", "retention", "retention_no_twins"):
        for run in (folder / "use" / setting).rglob("episodes.jsonl"):
            entries = {r.id: r.entry for r in Memory(run.parent / "memory").records("cards")}
            for episode in read_episodes(run.parent):
                own = [
                    key
                    for key in episode["attempts"][0]["recalled"]
                    if entries[key].question_id == episode["question_id"]
                ]
                shown[setting] += len(own)
    assert shown["replay"] > 0
    assert shown["retention"] == shown["retention_no_twins"] == 0


def test_the_results_are_whole(everything):
    folder, _ = everything
    document = study_results(folder)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["complete"]
    assert all(row["contrast"] is not None for row in document["primary"])
    default = {row["setting"]: row for row in document["levels"] if row["design"] == "default"}
    assert set(default) == {"replay", "retention", "retention_no_twins", "transfer"}
    assert default["replay"]["without"]["value"] == 0, "corrections are of questions that were wrong"
    transfer = default["transfer"]
    assert transfer["gain"]["value"] == pytest.approx(transfer["ex"]["value"] - transfer["without"]["value"])
    assert transfer["gain"]["value"] * transfer["ex"]["questions"] == pytest.approx(
        transfer["fixed"] - transfer["broken"]
    )
    first, *_, last = document["serving"]["rounds"]
    assert first["with"]["ex"] == pytest.approx(transfer["ex"]["value"])
    assert first["with"]["calls"] == first["without"]["calls"] == 1
    assert last["without"]["ex"] >= first["without"]["ex"]
    assert document["floor"] == {"by_construction": False, "ex": 0.0, "questions": len(cards(folder))}
    vote = next(row for row in document["banks"] if row["design"] == "source-self_vote_admission-vote")
    assert vote["admitted"] == vote["candidates"] > vote["would_pass"] >= vote["audited_correct"]
    assert vote["cards"] >= vote["audited_correct"]
    for name in ("pairing-permuted", "scope-foreign"):
        assert [row["setting"] for row in document["levels"] if row["design"] == name] == ["transfer"]


def test_a_killed_study_goes_on_and_ends_the_same(asked, tmp_path):
    whole = study(asked, tmp_path / "whole", Model(), "k=1")
    with pytest.raises(KeyboardInterrupt):
        study(asked, tmp_path / "cut", Model(stop_at=30), "k=1")
    halfway = study_results(tmp_path / "cut")
    assert not halfway["complete"]
    assert halfway["missing"]
    with pytest.raises(InputError, match="study"):
        study(asked, tmp_path / "cut", Model(), "k=1")
    with pytest.raises(InputError, match="another study"):
        study(asked, tmp_path / "cut", Model(), "k=10", resume=True)
    study(asked, tmp_path / "cut", Model(), "k=1", resume=True)
    finished = Model()
    study(asked, tmp_path / "cut", finished, "k=1", resume=True)
    assert finished.prompts == []
    assert study_results(tmp_path / "cut") == study_results(whole)


def test_a_study_without_cards_says_so(asked, tmp_path):
    def wrong(prompt):
        return "<answer>SELECT 'wrong'</answer>"

    document = study_results(study(asked, tmp_path / "cry", Model(reply=wrong)))
    assert document["complete"]
    assert [row["setting"] for row in document["levels"]] == ["transfer"]
    assert document["ratio"]["ratio"]["undefined"]
    assert document["amortisation"]["break_even"] == {"calls": None, "tokens": None}


@pytest.mark.parametrize(
    "changes", [{"seeds": ()}, {"seeds": (1, 1)}, {"jobs": 0}, {"resamples": 0}, {"margin": 0}]
)
def test_what_is_no_study_is_refused(asked, tmp_path, changes):
    with pytest.raises(InputError):
        request(asked, tmp_path / "cry", Model(), **{"resamples": 10, **changes})
