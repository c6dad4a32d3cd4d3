"""The pieces of a study: each an ordinary run of a preset over some of its questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlmend.eval.crystallization._design import Design, axes, default_design
from sqlmend.eval.crystallization._plan import Plan
from sqlmend.programs import RepairProgram, load_preset, override

#: The preset that answers with cards, and the one that then repairs by probes.
SOLVER = "cards"
SERVING = "cards_probe"
#: The preset that repairs without memory: headroom, and what serving is held against.
REPAIR = "probe"

#: Token limit of the solver's answer, and so of every query that is written in its place.
_LIMIT = 2048
#: And of a look into the database, a few short queries: a small model that repeats itself writes up to any.
_LOOK_LIMIT = 512


@dataclass(frozen=True)
class Piece:
    """One run of a study.

    Attributes:
        path: Its folder within the study's.
        preset: Name of its preset.
        overrides: What is set in the preset.
        ids: The questions that are asked.
        bank: Folder of the bank that it starts from, within the study's; ``""``: none.
        anew: Whether it asks the model again what the memo knows, unless that would say the same: the floor
            does, and what is held against it.
    """

    path: str
    preset: str
    overrides: tuple[str, ...]
    ids: tuple[str, ...]
    bank: str = ""
    anew: bool = False

    def __str__(self) -> str:
        return self.path

    @property
    def program(self) -> RepairProgram:
        """A program of its own."""
        return RepairProgram(override(load_preset(self.preset), self.overrides))

    def folder(self, study: Path) -> Path:
        """The run's folder."""
        return study / self.path


def seed_name(seed: int | None) -> str:
    """A seed as a folder's name; one that stands for all is ``all``."""
    return "all" if seed is None else f"seed{seed}"


def acquisition(plan: Plan, source: str, seed: int | None) -> Piece:
    """The run that collects the attempts of a source; sources with one preset share it."""
    about = axes()["sources"][source]
    overrides = list(_limits(about["preset"]))
    if seed is not None:
        overrides.append(f"{about['seeded']}.seed={seed}")
    path = f"acquire/{about['preset']}/{seed_name(seed)}"
    return Piece(path, about["preset"], tuple(overrides), plan.collection)


def acquisitions(plan: Plan) -> tuple[Piece, ...]:
    """All runs that collect attempts, each once."""
    return tuple(
        dict.fromkeys(
            acquisition(plan, design.source, seed)
            for design in plan.designs
            for seed in plan.seeds_of(design.acquisition_sampled)
        )
    )


def repair(plan: Plan) -> Piece:
    """Held-out questions without memory: first attempts and what repair makes of them."""
    return Piece("repair", REPAIR, _limits(REPAIR), plan.held_out)


def serving(plan: Plan) -> Piece:
    """Held-out questions, first answered with the default bank."""
    design = default_design()
    settings = (*_recall(design, "transfer", None), *_limits(SERVING))
    return Piece("serve", SERVING, settings, plan.held_out, bank_path(design, None))


def floor(ids: Sequence[str]) -> Piece:
    """Questions asked again without memory."""
    return Piece("floor", "iterative", ("budget=0", *_limits("iterative")), tuple(ids), anew=True)


def bank_path(design: Design, seed: int | None, db_id: str = "") -> str:
    """Folder of a bank; the default one is the study's product and lies at its top."""
    name = design.bank.key
    if name == "default":
        return "bank"
    return "/".join(filter(None, ("banks", name, seed_name(seed), db_id)))


def uses(
    plan: Plan, design: Design, setting: str, carded: Mapping[int | None, Sequence[str]]
) -> Iterator[tuple[int | None, Piece]]:
    """The runs of a design in one setting, each with its seed.

    Args:
        plan: The study.
        design: The design.
        setting: Name of a setting of ``axes.yaml``.
        carded: By seed of the bank, the questions that produced a card of it.
    """
    asks_carded = axes()["settings"][setting]["asked"] == "carded"
    if asks_carded and not design.of_corrections:
        return
    for seed in plan.seeds_of(design.sampled):
        bank_seed = seed if design.bank_sampled else None
        ids = tuple(carded[bank_seed]) if asks_carded else plan.held_out
        overrides = _recall(design, setting, seed)
        path = f"use/{setting}/{design.key}/{seed_name(seed)}"
        for db_id in plan.databases_of(design):
            asked = tuple(i for i in ids if not db_id or plan.by_id[i].db_id == db_id)
            if asked:
                bank = bank_path(design, bank_seed, db_id)
                place = f"{path}/{db_id}" if db_id else path
                yield seed, Piece(place, SOLVER, overrides, asked, bank, anew=asks_carded)


def _limits(preset: str) -> tuple[str, ...]:
    """The token limits, for every step of a preset that has one."""
    names = [step.name for step in load_preset(preset).steps if hasattr(step.settings, "max_tokens")]
    return tuple(f"{name}.max_tokens={_LOOK_LIMIT if name == 'probe' else _LIMIT}" for name in names)


def _recall(design: Design, setting: str, seed: int | None) -> tuple[str, ...]:
    about = axes()["settings"][setting]
    settings = {
        "top_k": design.k,
        **axes()["retrievers"][design.retriever],
        "scope": axes()["scopes"][design.scope],
        "own": about["own"],
        "same_group": about["same_group"],
        "seed": seed or 0,
    }
    return tuple(f"recall_cards.{name}={value}" for name, value in settings.items())
