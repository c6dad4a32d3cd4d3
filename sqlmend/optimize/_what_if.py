"""Whether tuning can matter at all: a finished run's recalls, ranked again under other settings, no model."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend.errors import InputError
from sqlmend.memory import Memory
from sqlmend.optimize._replay import Given, RecallMoment, moments_of, recall_again, view_of
from sqlmend.optimize._retune import current_preset, retuned
from sqlmend.optimize._space import Space, build_space
from sqlmend.programs import RepairProgram, preset_from_data, settings_of
from sqlmend.programs.steps import Moment
from sqlmend.retrievers import HybridRetriever, MemoryIndex

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark
    from sqlmend.programs import Preset
    from sqlmend.retrievers import Embedder

_DRAWS = 30

#: What a step gives whose recall is written to the step log.
_RANKED = frozenset({"recalled", "cards"})


def what_if(
    folder: Path,
    embedder: Embedder,
    *,
    changes: Mapping[str, Any] | None = None,
    benchmark: Benchmark | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Rank every recall of a finished run again under other settings, and count what changes.

    The memory at each position is the one that the run had; under other settings it would have been
    another one in time. So this says whether the settings reach the prompts, not what they are worth.

    Args:
        folder: The run's folder; it stays as it is.
        embedder: The run's embedder.
        changes: Changes of the space, see ``build_space``.
        benchmark: The run's benchmark; needed where a setting hides what came from paraphrase twins, and for
            cards.
        seed: Seeds the combinations that are drawn from the whole space.

    Returns:
        Plain JSON values: ``recalls``; ``reproduced`` (those that the run's own settings rank as the run
        did); ``settings`` (each setting varied alone: for each value how many recalled ``sets`` and
        ``orders`` change); ``drawn`` (combinations: mean and greatest number of sets that change);
        ``reachable`` (recalls whose set changes under any of them); ``not_ranked`` (steps that recall in
        another way); ``words``.

    Raises:
        InputError: No run, one without recalls that can be ranked again, another embedder, a benchmark of
            another name or of other questions, or none where it is needed.
    """
    config = _config(folder)
    if config["embedder"] != embedder.name:
        raise InputError(
            "other_embedder",
            f"the run in {folder} has the embedder {config['embedder']!r}, not {embedder.name!r}",
            hint="give --embedder as the run had it",
        )
    program = _program(config)
    recalls = _recall_steps(program)
    _check_benchmark(program, config, benchmark)
    preset = current_preset(program)
    space = build_space(preset, _recall_changes(preset, recalls, changes))
    if benchmark is None and _looks_at_twins(space):
        raise InputError(
            "needs_benchmark",
            "same_group hides what came from paraphrase twins, which the benchmark alone knows",
            hint="give --benchmark as the run had it, or leave same_group out of the space",
        )
    with Memory(folder / "memory") as memory, tempfile.TemporaryDirectory() as scratch:
        moments = list(moments_of(folder, config, memory, recalls, benchmark))
        if not moments:
            raise InputError("no_recalls", f"the run in {folder} recalled nothing")
        if (folder / "index").is_dir():
            shutil.copytree(folder / "index", Path(scratch) / "index")
        views = [view_of(memory, moment) for moment in moments]
        retriever = HybridRetriever(MemoryIndex(memory, Path(scratch) / "index", embedder))
        left = _not_ranked(program, recalls)

        def ranked(settings: Mapping[str, Any]) -> list[Given]:
            tuned = retuned(program, space.with_settings(settings))
            pairs = zip(moments, views, strict=True)
            return [recall_again(tuned, moment, view, retriever) for moment, view in pairs]

        return _document(space, moments, ranked, config, seed, left)


def _document(
    space: Space,
    moments: Sequence[RecallMoment],
    ranked: Any,
    config: Mapping[str, Any],
    seed: int,
    not_ranked: Sequence[str],
) -> dict[str, Any]:
    own = ranked(space.settings(space.own))
    reached: set[int] = set()

    def count(parameters: Mapping[str, Any]) -> dict[str, int]:
        found = ranked(space.settings(parameters))
        pairs = list(zip(own, found, strict=True))
        sets = {number for number, (one, other) in enumerate(pairs) if _set(one) != _set(other)}
        reached.update(sets)
        return {"sets": len(sets), "orders": sum(one != other for one, other in pairs)}

    settings = [
        {
            "path": dimension.path,
            "own": dimension.own,
            "values": [
                {"value": value, **count({**space.own, dimension.path: dimension.label(value)})}
                for value in dimension.values
                if value != dimension.own
            ],
        }
        for dimension in space.dimensions
    ]
    drawn = [count(space.draw(f"{seed}:{number}"))["sets"] for number in range(_DRAWS)]
    document = {
        "program": config["program"]["name"],
        "benchmark": config["benchmark"]["name"],
        "order": config["order"],
        "recalls": len(moments),
        "not_ranked": list(not_ranked),
        "reproduced": sum(a == moment.given for a, moment in zip(own, moments, strict=True)),
        "settings": settings,
        "drawn": {"combinations": len(drawn), "mean": sum(drawn) / len(drawn), "most": max(drawn)},
        "reachable": len(reached),
    }
    return {**document, "words": _words(document)}


def _words(document: Mapping[str, Any]) -> list[str]:
    recalls, reachable = document["recalls"], document["reachable"]
    drawn = document["drawn"]
    lines = [
        f"{reachable} of {recalls} recalled sets change under some setting of this space;"
        f" under a combination drawn from it {drawn['mean']:.1f} on average, {drawn['most']} at most.",
    ]
    if not reachable:
        lines.append("No prompt would change: tuning these settings cannot matter on this run.")
    if document["reproduced"] < recalls:
        lines.append(
            f"{recalls - document['reproduced']} recalls are not ranked as the run ranked them: its memory"
            " was changed since, or another version ran it."
        )
    if document["not_ranked"]:
        lines.append(f"Not ranked again, and so not in these figures: {', '.join(document['not_ranked'])}.")
    lines.append("A changed prompt may or may not change an answer: what settings are worth, a study says.")
    return lines


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        return {name: config[name] for name in ("program", "parameters", "benchmark", "order", "embedder")}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            "no_run", f"{folder} holds no run: {error}", hint="give a folder of sqlmend run"
        ) from error


def _program(config: Mapping[str, Any]) -> RepairProgram:
    """The run's program with the parameters that it had."""
    program = RepairProgram(preset_from_data(config["program"], "the run"))
    for name, parameter in program.named_parameters():
        if name in config["parameters"]:
            parameter.load_state(config["parameters"][name])
    return program


def _recall_steps(program: RepairProgram) -> tuple[str, ...]:
    """The steps whose recalls a run writes down and that rank by settings alone.

    Raises:
        InputError: The program recalls, and none of its steps is such a one.
    """
    steps = zip(program.preset.steps, program.steps, strict=True)
    found = tuple(spec.name for spec, step in steps if step.gives & _RANKED)
    if not found and (left := _not_ranked(program, found)):
        raise InputError(
            "not_ranked",
            f"{program.preset.name} recalls by {', '.join(left)}, which what-if cannot rank again",
            hint="rules hang on the schema and notes match exactly: what their settings do, a study says",
        )
    return found


def _not_ranked(program: RepairProgram, recalls: Sequence[str]) -> list[str]:
    # What learns looks up what is known already: no prompt hangs on that.
    steps = zip(program.preset.steps, program.steps, strict=True)
    reading = [spec.name for spec, step in steps if step.reads_memory and step.moment is not Moment.LEARN]
    return [name for name in reading if name not in recalls]


def _check_benchmark(program: RepairProgram, config: Mapping[str, Any], benchmark: Benchmark | None) -> None:
    name = config["benchmark"]["name"]
    if benchmark is not None and benchmark.name != name:
        raise InputError(
            "other_benchmark",
            f"the run is over {name}, not over {benchmark.name}",
            hint="give --benchmark as the run had it",
        )
    if benchmark is None and any("cards" in step.gives for step in program.steps):
        raise InputError(
            "needs_benchmark",
            f"cards are recalled for questions whose text the benchmark {name} alone has",
            hint="give --benchmark as the run had it",
        )


def _recall_changes(
    preset: Preset, recalls: Sequence[str], changes: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The space of the recalls alone: what else a study searches needs the model."""
    asked = dict(changes or {})
    declared = build_space(preset, asked).dimensions
    elsewhere = {d.path: False for d in declared if d.path.partition(".")[0] not in recalls}
    return {**asked, **elsewhere}


def _looks_at_twins(space: Space) -> bool:
    searched = any(path.endswith(".same_group") for path in space.own)
    settings = settings_of(space.preset).items()
    return searched or any(value == "exclude" for path, value in settings if path.endswith(".same_group"))


def _set(given: Given) -> dict[str, frozenset[str]]:
    return {part: frozenset(ids) for part, ids in given.items()}
