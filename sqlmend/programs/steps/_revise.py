"""Step: write one revision."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from sqlmend.databases import is_query, schema_hint
from sqlmend.modules import Draw, Revise
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs.steps._base import Moment, Settings, Step
from sqlmend.programs.steps._tunable import Tunable


class ReviseSettings(Settings):
    """How a revision is written.

    Attributes:
        hints: ``schema``: the prompt also says where the schema has a table or column that the DBMS did not
            find; ``none``: the DBMS's text alone (the published way).
        repeat: A revision that is an earlier attempt again, by canonical text: ``keep`` it (the published
            way), ``resample`` at a temperature until it is a new query, or ``stop``: give the episode up.
        temperature: Temperature of resampling.
        draws: Draws of one revision at most; where none is new, the greedy one is kept.
    """

    hints: Literal["none", "schema"] = "none"
    repeat: Annotated[Literal["keep", "resample", "stop"], Tunable(choices=("keep", "resample", "stop"))] = (
        "keep"
    )
    temperature: float = Field(default=0.8, gt=0, le=2)
    draws: int = Field(default=4, ge=1, le=100)


class ReviseStep(Step):
    """Writes one revision from history, feedback and what was recalled."""

    moment = Moment.REPAIR
    settings_type = ReviseSettings
    needs = frozenset({"failure_type"})
    uses = frozenset({"recalled", "notes", "reflections"})
    drafts = True
    settings: ReviseSettings

    def __init__(self, settings: ReviseSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.revise = Revise(section_order)

    def forward(self, episode: Episode) -> None:
        """Draft the revision, or no draft where a repetition ends the episode."""
        written = self._write(episode)
        if episode.repeats(written.sql):
            if self.settings.repeat == "stop":
                return
            if self.settings.repeat == "resample":
                written = self._resample(episode, written)
        episode.draft = Draft(
            written.sql,
            recalled=(*written.shown, *(note.id for note in episode.notes)),
            dropped_memories=written.dropped_memories,
            dropped_attempts=written.dropped_attempts,
        )

    def _resample(self, episode: Episode, greedy: Any) -> Any:
        for index in range(1, self.settings.draws + 1):
            drawn = self._write(episode, Draw(index, self.settings.temperature))
            # At a temperature a small model sometimes recites the schema.
            if is_query(drawn.sql) and not episode.repeats(drawn.sql):
                return drawn
        return greedy

    def _write(self, episode: Episode, draw: Draw | None = None) -> Any:
        last = episode.last.execution
        hint = ""
        if self.settings.hints == "schema":
            hint = schema_hint(last.sql, last.error, episode.database.schema())
        return self.revise(
            schema=episode.schema,
            question=episode.question.text,
            evidence=episode.question.evidence,
            history=episode.history,
            failure_type=episode.failure_type,
            recalled=episode.recalled,
            reflections=tuple(episode.reflections),
            notes=episode.notes,
            schema_hint=hint,
            draw=draw,
        )
