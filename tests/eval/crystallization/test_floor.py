"""What replay and retention are held against where a model does not answer twice alike."""

import re

import pytest

from sqlmend.eval.crystallization import study_results
from sqlmend.models import Memo
from tests.eval.crystallization.studies import Model, marked, request, study
from tests.simulator import references

_QUESTION = re.compile(r"<question>\n(.*?)\n</question>", re.DOTALL)


@pytest.mark.parametrize("bit_stable", [False, True])
def test_a_question_that_is_shown_no_card_gets_the_floors_own_answer(tmp_path, bit_stable):
    """One question is wrong at first and right ever after; the others need no card."""
    with marked(tmp_path / "data", sample="10") as asked:
        plan = request(asked, tmp_path / "cry", Model()).plan
        unsure = [plan.by_id[plan.collection[0]].text.strip()]

        def reply(prompt):
            text = _QUESTION.search(prompt)[1].strip()
            if text in unsure:
                unsure.remove(text)
                return "<answer>SELECT 'wrong'</answer>"
            return f"<answer>{references()[text]}</answer>"

        model = Model(reply=reply)
        model.bit_stable = bit_stable
        folder = study(asked, tmp_path / "cry", model, memo=Memo(tmp_path / "memo"))
    document = study_results(folder)
    rows = {row["setting"]: row for row in document["levels"]}
    assert rows["retention"]["cards_shown"] == 0, "the only card is its own"
    for row in (rows["retention"], rows["retention_no_twins"]):
        assert row["ex"]["questions"] == 1
        assert row["gain"]["value"] == 0
    assert document["floor"]["ex"] == (0 if bit_stable else 1)
    assert (folder / "floor-memo").exists() is not bit_stable
