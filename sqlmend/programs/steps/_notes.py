"""Steps: failure notes of earlier episodes, and those that this one leaves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sqlmend.databases import STATUSES, Outcome
from sqlmend.memory import Execution, NoteEntry
from sqlmend.memory.notes import Key, NoteIndex, Refusal, key_of, note_of, refusal_of
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step
from sqlmend.programs.steps._ranking import SameGroupName
from sqlmend.programs.steps._tunable import Tunable

#: The machine that runs the attempts of an episode.
_BACKEND = "sqlite"
_REFUSED = frozenset(STATUSES) - {"ok"}


class NoteSettings(Settings):
    """How statements are compared: the smallest overlap of two shapes that counts as the same kind."""

    threshold: Annotated[float, Tunable(low=0.5, high=1.0)] = Field(default=0.8, gt=0, le=1)


class RecallNotesSettings(NoteSettings):
    """Settings of a look-up; ``same_group: exclude`` passes over notes of the question's paraphrases."""

    same_group: SameGroupName = "allow"


class RecallNotesStep(Step):
    """Looks up the note for the statement on the table, the one that the machine has just refused.

    What ran has none, however wrong its result is; and the initial query has none once it was revised.
    """

    moment = Moment.REPAIR
    settings_type = RecallNotesSettings
    gives = frozenset({"notes"})
    reads_memory = True
    settings: RecallNotesSettings

    def forward(self, episode: Episode) -> None:
        """Give the episode at most one note, and what it had before is gone."""
        episode.notes = ()
        key = _key(episode, episode.last.execution)
        if episode.memory is None or key is None or episode.last.execution.status not in _REFUSED:
            return
        index = NoteIndex(self.settings.threshold)
        for record in episode.memory.pool("notes", same_group=self.settings.same_group):
            index.apply(record.entry.refusal)
        found = index.find(key)
        if found is not None:
            episode.notes = (note_of(*found, key.shape),)


class RecordNotesStep(Step):
    """Leaves a note of every attempt that the machine refused; a wrong result is no refusal."""

    moment = Moment.FINISH
    settings_type = NoteSettings
    writes_memory = True
    settings: NoteSettings

    def forward(self, episode: Episode) -> None:
        """Add the notes to the episode's commit, each with what ran later in its place."""
        question = episode.question
        history = episode.history
        for number, attempt in enumerate(history):
            key = _key(episode, attempt)
            if key is None or attempt.status not in _REFUSED:
                continue
            verdict = Outcome(attempt.status, error=attempt.error or attempt.status)
            refusal = refusal_of(key, verdict)
            entry = NoteEntry(
                question_id=question.id,
                question=question.text,
                db_id=question.db_id,
                backend=key.backend,
                schema_fingerprint=key.fingerprint,
                shape=key.shape,
                error_class=refusal.error_class,
                detail=refusal.detail,
                worked=self._worked(episode, refusal, history[number + 1 :]),
            )
            if entry.id not in {known.id for known in episode.commit}:
                episode.commit.append(entry)

    def _worked(self, episode: Episode, refusal: Refusal, later: list[Execution]) -> str:
        """Shape of the first later attempt that ran and is of the refused one's kind, else ``""``."""
        index = NoteIndex(self.settings.threshold)
        index.apply(refusal)
        for attempt in later:
            key = _key(episode, attempt)
            if key is not None and attempt.status not in _REFUSED and index.replaced_by(key) is not None:
                return key.shape
        return ""


def _key(episode: Episode, attempt: Execution) -> Key | None:
    return key_of(attempt.sql, episode.database.schema(), _BACKEND)
