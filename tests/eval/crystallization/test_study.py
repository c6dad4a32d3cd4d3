"""One study of every kind of design, with a marker in every reference."""

import json
import shutil
from collections import Counter

import pytest

from sqlmend.errors import InputError
from sqlmend.eval import read_episodes
from sqlmend.eval.crystallization import read_bank, study_results
from sqlmend.eval.crystallization._design import axes, default_design
from sqlmend.eval.crystallization._pieces import bank_path
from sqlmend.eval.crystallization._request import LARGEST_SEED
from sqlmend.eval.crystallization._tables import Tables
from sqlmend.memory import Memory
from sqlmend.modules.cards import FORMATS
from sqlmend.programs import load_preset, override
from sqlmend.testing import ScriptedEngine
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
    permuted = [row for row in document["banks"] if row["design"] == "pairing-permuted"]
    assert {row["audited_correct"] for row in permuted} == {None}
    for name in ("pairing-permuted", "scope-foreign"):
        assert [row["setting"] for row in document["levels"] if row["design"] == name] == ["transfer"]


def test_what_could_not_be_done_to_a_bank_is_said_in_numbers(everything):
    folder, _ = everything
    document = study_results(folder)
    notes = " ".join(document["notes"])
    aligned = cards(folder)
    for row in document["banks"]:
        if row["design"] == "scope-foreign":
            own = sum(card.db_id == row["for"] for card in aligned)
            assert row["own_cards"] == own
            said = f"{row['for']} {row['cards']} of {own}" in notes
            assert said == (row["cards"] < own)
        if row["design"] == "pairing-permuted":
            moved = cards(folder, row["seed"], pairing="permuted")
            unmoved = sum(one.parts == other.parts for one, other in zip(aligned, moved, strict=True))
            assert row["unmoved"] == unmoved
            assert not unmoved or f"{unmoved}" in notes.partition("In permuted banks ")[2]
        if "sources_without" in row:
            assert not row["by_database"].keys() & row["sources_without"].keys()
            assert row["by_database"].keys() | row["sources_without"].keys() == set(
                Tables(folder).plan.db_ids
            )
            for db_id, sources in row["sources_without"].items():
                assert f"{db_id} (none from " in notes
                assert all(source in notes for source in sources)
    assert "Sources are matched at " in notes


def test_how_many_cards_the_draws_of_first_answers_share_is_said(everything):
    folder, _ = everything
    drawn = {
        draw: [{c.question_id for c in cards(folder, seed, source=draw, matched=True)} for seed in (42, 7)]
        for draw in ("first_try:1", "first_try:2")
    }
    shared = [len(one & other) for one, other in zip(*drawn.values(), strict=True)]
    low, high = min(shared), max(shared)
    said = f"have {low} of " if low == high else f"have {low} to {high} of "
    (note,) = [note for note in study_results(folder)["notes"] if note.startswith("Draws 1 and 2 of correct")]
    assert said in note


def test_how_many_retries_gave_a_query_again_is_counted_and_said_where_it_is_most(everything):
    folder, _ = everything
    document = study_results(folder)
    for row in document["sources"]:
        tried = [[a["sql"] for a in episode["attempts"]] for episode in read_episodes(folder / row["path"])]
        assert row["further_attempts"] == sum(len(queries) - 1 for queries in tried)
        assert row["cut_off"] == 0
        assert row["same_query_again"] == sum(len(queries) - len({*queries}) for queries in tried)
        said = any(note.startswith(f"{row['path']}: ") for note in document["notes"])
        most = 2 * row["same_query_again"] > row["further_attempts"]
        assert said == (most and row["preset"] in ("probe", "one_bit"))
    assert any(row["same_query_again"] for row in document["sources"])


def test_a_source_whose_retries_mostly_repeat_is_named(everything, tmp_path):
    folder = shutil.copytree(everything[0], tmp_path / "cry")
    file = folder / "acquire" / "probe" / "all" / "episodes.jsonl"
    episodes = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for episode in episodes:
        for attempt in episode["attempts"]:
            attempt["sql"] = episode["attempts"][0]["sql"]
    file.write_text("".join(f"{json.dumps(episode)}\n" for episode in episodes), "utf-8")
    further = sum(len(episode["attempts"]) - 1 for episode in episodes)
    said = f"acquire/probe/all: {further} of {further} further attempts gave a query of their question again"
    assert further
    assert [note for note in study_results(folder)["notes"] if note.startswith(said)]


def test_a_log_of_before_answers_were_counted_as_cut_off_does_not_say_none(everything, tmp_path):
    folder = shutil.copytree(everything[0], tmp_path / "cry")
    file = folder / "acquire" / "probe" / "all" / "steps.jsonl"
    steps = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    file.write_text("".join(f"{json.dumps(s | {'cut_off': 1})}\n" for s in steps), "utf-8")
    (row,) = (row for row in study_results(folder)["sources"] if row["path"] == "acquire/probe/all")
    assert row["cut_off"] == len(steps) - 1  # the first line names the run
    del steps[-1]["cut_off"]
    file.write_text("".join(f"{json.dumps(step)}\n" for step in steps), "utf-8")
    (row,) = (row for row in study_results(folder)["sources"] if row["path"] == "acquire/probe/all")
    assert row["cut_off"] is None


def test_a_source_that_is_there_for_its_vote_is_held_against_no_other(everything):
    folder, _ = everything
    document = study_results(folder)
    assert "source-self_vote" in {row["design"] for row in document["levels"]}
    assert "source-self_vote" not in {row["design"] for row in document["exploratory"]}


def test_a_study_without_cards_says_so(asked, tmp_path):
    def wrong(prompt):
        return "<answer>SELECT 'wrong'</answer>"

    model = Model(reply=wrong)
    folder = study(asked, tmp_path / "cry", model, "k=1", temperature=0.7)
    assert model.temperatures == {0}, "the solver is greedy, whatever its factory has set"
    document = study_results(folder)
    assert document["provenance"]["lm"]["temperature"] == 0
    assert document["complete"]
    assert document["exploratory"] == []
    assert document["collected"] == 0
    assert {row["contrast"] for row in document["primary"]} == {None}
    assert [row["measured"] for row in document["primary"]] == [True, False, False, False]
    assert any(note.startswith("Banks without any card: default design.") for note in document["notes"])
    assert [row["setting"] for row in document["levels"]] == ["transfer"] * 2
    for row in document["levels"]:
        assert row["without"]["value"] == row["ex"]["value"] == 0
        assert row["gain"] is None
        assert "fixed" not in row
    assert document["ratio"] is None
    assert document["serving"]["changes"] is None
    assert document["amortisation"]["break_even"] == {"calls": None, "tokens": None}


@pytest.mark.parametrize(
    "changes",
    [
        {"seeds": ()},
        {"seeds": (1, 1)},
        {"seeds": (-1,)},
        {"seeds": (1_000_001,)},
        {"jobs": 0},
        {"resamples": 0},
        {"margin": 0},
    ],
)
def test_what_is_no_study_is_refused(asked, tmp_path, changes):
    with pytest.raises(InputError):
        request(asked, tmp_path / "cry", Model(), **{"resamples": 10, **changes})


def test_a_seed_that_is_taken_is_one_that_every_draw_takes():
    for name in ("redraw", "vote"):
        (preset,) = (about["preset"] for about in axes()["sources"].values() if about.get("seeded") == name)
        override(load_preset(preset), [f"{name}.seed={LARGEST_SEED}"])
        with pytest.raises(InputError):
            override(load_preset(preset), [f"{name}.seed={LARGEST_SEED + 1}"])


def test_cards_of_other_databases_need_other_databases(asked, tmp_path):
    one = asked.select(databases=[asked.questions[0].db_id])
    with pytest.raises(InputError, match="scope foreign"):
        request(one, tmp_path / "cry", Model(), "scope")
    assert request(one, tmp_path / "cry", Model(), "k=1").plan.db_ids == (asked.questions[0].db_id,)


def test_a_model_of_ones_own_is_made_greedy(tmp_path, monkeypatch):
    import dspy

    from sqlmend.eval.crystallization._study import greedy
    from sqlmend.models import as_language_model

    engine = ScriptedEngine(lambda _: "SELECT 1")
    asked = []
    monkeypatch.setattr(engine, "complete", lambda request: asked.append(request) or answered(request))
    answered = ScriptedEngine(lambda _: "SELECT 1").complete
    for settings in ({"temperature": 0.7}, {}, {"temperature": 0.0}):
        own = as_language_model(dspy.LM("my/model", engine=engine, **settings), memo=None)
        assert greedy(own)("a") == ["SELECT 1"]
        assert asked.pop().config.temperature == 0
