"""Bar B1: a marker in the references is in no card, bank or prompt: every source, admission and format."""

import json

import dspy
import pytest

from sqlmend.eval.crystallization import candidates, parse_admission, write_bank
from sqlmend.memory import CardEntry
from sqlmend.modules.cards import FORMATS, KEYS, write_card
from sqlmend.testing import scripted_lm
from tests.eval.crystallization.geo import MARKER, Learner, benchmark
from tests.eval.runs import start

SOURCES = ("probe", "resample", "one_bit", "self_vote", "explore_first", "first_try")
ADMISSIONS = ("verified", "vote", "noisy:0.2", "noisy:1", "assertions", "confirmed")


def admission(kind, asking, place, database):
    """The admission; one with a file says yes to the correct ones."""
    text, name = kind, place / kind
    if kind == "assertions":
        name.write_text(json.dumps({one.question_id: "SELECT count(*) = 1 FROM result" for one in asking}))
        text = f"assertions:{name}"
    if kind == "confirmed":
        name.write_text("\n".join(one.question_id for one in asking if one.correct))
        text = f"confirmed:{name}"
    return parse_admission(text, seed=42, databases=lambda _: database)


@pytest.mark.parametrize("source", SOURCES)
def test_a_marker_in_the_references_is_nowhere_else(tmp_path, source):
    first_try = source == "first_try"
    model = Learner()
    written: dict[str, CardEntry] = {}
    with benchmark(tmp_path / "geo") as geo:
        start(tmp_path / "source", "probe" if first_try else source, sets=(), benchmark=geo, reply=model)
    with benchmark(tmp_path / "again") as geo, dspy.context(lm=scripted_lm(model)):
        asking = candidates(tmp_path / "source", geo, first_try=first_try)
        for kind in ADMISSIONS:
            if kind == "vote" and source != "self_vote":
                continue
            admitted = admission(kind, asking, tmp_path, geo.open("geo")).admit(asking)
            assert admitted
            for form in FORMATS:
                bank = [write_card(form, one.material, key) for one in admitted for key in KEYS]
                cards = [card for card in bank if card is not None]
                # A first try, and a vote for the first answer again, differ from nothing.
                assert cards or (form.startswith("diff") and (first_try or kind == "noisy:1"))
                write_bank(cards, tmp_path / "banks" / kind / form, {"source": source, "admission": kind})
                written |= {card.id: card for card in cards}
        write_bank(list(written.values()), tmp_path / "banks" / "all", {})
        start(
            tmp_path / "use",
            "cards",
            sets=("recall_cards.top_k=50", "recall_cards.own=allow"),
            benchmark=geo,
            reply=model,
            memory=tmp_path / "banks" / "all",
        )
    shown = [prompt for prompt in model.prompts if "<cards>" in prompt]
    assert len(shown) == 6
    assert {label for label in ("query", "lesson") if f"\n{label}: " in shown[0]} == {"query", "lesson"}
    assert not any(MARKER in prompt for prompt in model.prompts)
    files = [f for name in ("source", "banks", "use") for f in (tmp_path / name).rglob("*") if f.is_file()]
    assert len(files) > 100
    assert not [file for file in files if MARKER.encode() in file.read_bytes()]
