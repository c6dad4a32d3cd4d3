"""Step: which tables and columns the question needs."""

from __future__ import annotations

from pydantic import field_validator

from sqlmend.databases.views import SchemaView
from sqlmend.modules import LinkSchema
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class LinkSchemaSettings(Settings):
    """Settings of a linking: one call for each format; without a format words are looked up instead.

    A model is asked for the columns as well; words name tables, whose columns then all stay.
    """

    formats: tuple[str, ...] = ("m_schema", "ddl")

    @field_validator("formats")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            SchemaView(name)
        return value


class LinkSchemaStep(Step):
    """Links the question to tables and columns of the schema."""

    moment = Moment.ANSWER
    settings_type = LinkSchemaSettings
    gives = frozenset({"links"})
    prompts = frozenset({"link"})

    def __init__(self, settings: LinkSchemaSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.link = LinkSchema(settings.formats, section_order)

    def forward(self, episode: Episode) -> None:
        """Link the question."""
        question = episode.question
        episode.reasoning.whole_tables = not self.link.views
        episode.reasoning.links = self.link(
            schema=episode.database.schema(),
            question=question.text,
            evidence=question.evidence,
            samples=episode.samples,
        ).links
