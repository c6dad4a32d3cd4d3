"""Cards for tests."""

from sqlmend.memory import CardEntry, CardPart, Record
from sqlmend.retrievers import Scored


def card(question, sql="SELECT 1", *, question_id="q0", db_id="world", key=None, note=None):
    """A card of that question with that query, and a note where one is given."""
    notes = () if note is None else (CardPart("lesson", note),)
    return CardEntry(
        question_id=question_id,
        question=question,
        db_id=db_id,
        schema_fingerprint="sha256:0",
        format="verbatim",
        failure_type="result_mismatch",
        key=question if key is None else key,
        parts=(CardPart("corrected query", sql, code=True), *notes),
    )


def scored(entry, score=0.5):
    """The entry as a recall gives it."""
    return Scored(Record.of(entry, 0, {}), score, score, 0.0, score, 0.0, type_match=False)
