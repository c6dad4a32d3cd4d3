"""Step: look into the database before the next query is written."""

from __future__ import annotations

from pydantic import Field

from sqlmend.databases import canonical
from sqlmend.modules import AskProbes, Known, Told, probe
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import AnswerSettings, Moment, Step


class ProbeSettings(AnswerSettings):
    """Settings of a look.

    Attributes:
        queries: Queries that one call may ask for.
        rows: First rows of each result that are kept.
        told: What the model is told of the attempts: ``none`` (not even that there were any), ``verdict``
            (their SQL, and that each is wrong) or ``message`` (also what the machine said of each).
    """

    queries: int = Field(default=2, ge=1, le=20)
    rows: int = Field(default=5, ge=1, le=100)
    told: Told = "message"


class ProbeStep(Step):
    """Asks the model, in one call, what it wants to look at, and runs that in the database's sandbox.

    A query that was run before is not run again: its answer is among the findings.
    """

    moment = Moment.REPAIR
    settings_type = ProbeSettings
    gives = frozenset({"probes"})
    prompts = frozenset({"probe"})
    settings: ProbeSettings

    def __init__(self, settings: ProbeSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.ask = AskProbes(settings.queries, section_order, settings.max_tokens)

    def forward(self, episode: Episode) -> None:
        """Add what was found to the episode's probes."""
        question = episode.question
        asked = self.ask(
            schema=episode.schema,
            question=question.text,
            evidence=question.evidence,
            known=Known(episode.history, self.settings.told, episode.probes),
        ).queries
        seen = {canonical(look.execution.sql) for look in episode.probes}
        for sql in asked:
            if canonical(sql) not in seen:
                seen.add(canonical(sql))
                episode.probes.append(
                    probe(
                        sql,
                        episode.database,
                        self.settings.rows,
                        len(episode.attempts),
                        timeout_s=episode.timeout_s,
                    )
                )
