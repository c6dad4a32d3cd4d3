"""One run of a program over a benchmark: from what a user asks for to a finished folder."""

from __future__ import annotations

import platform
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend._files import canonical_json, sha256_text
from sqlmend.eval._run_folder import FORMAT, RunFolder
from sqlmend.eval._selection import order as in_order
from sqlmend.eval._stream import Observer, Stream
from sqlmend.eval._window import as_begun
from sqlmend.memory import KINDS, Memory, memory_folder
from sqlmend.modules import load_prompt
from sqlmend.programs import Question, RepairProgram

if TYPE_CHECKING:
    from sqlmend.eval._benchmark import Benchmark
    from sqlmend.eval._oracle import Oracle
    from sqlmend.models import LanguageModel
    from sqlmend.modules import ExamplePool
    from sqlmend.retrievers import Embedder

#: Who ends an episode and sets the polarity of what it leaves; named in every result.
REGIME = "the oracle ends episodes and sets polarity"


@dataclass(frozen=True)
class RunRequest:
    """What a run is asked to do.

    Attributes:
        program: What repairs.
        benchmark: The benchmark with the selected questions.
        lm: The language model.
        out: The run's folder.
        definition: Definition of execution accuracy; None: the benchmark's own.
        order: Which stream order.
        initial: Initial SQL by question id, None: the program writes it.
        memory: Folder of a memory (or of a run) to start from, None: empty.
        embedder: Embeds queries and entries; needed where the program reads a memory or has demonstrations.
        demonstrations: Split that is declared as demonstrations, None: no references are shown.
        timeout_s: Seconds for each query.
        resume: Go on where a killed run stopped.
        selection: How the questions were selected, for the record.
        oracle: Judge that several runs of one definition and time limit share; None: the run's own.
        examples: The examples of ``demonstrations``, which several runs share; None: the run's own.
    """

    program: RepairProgram
    benchmark: Benchmark
    lm: LanguageModel
    out: Path
    definition: str | None = None
    order: int = 0
    initial: Mapping[str, str] | None = None
    memory: Path | None = None
    embedder: Embedder | None = None
    demonstrations: Benchmark | None = None
    timeout_s: float = 30.0
    resume: bool = False
    selection: Mapping[str, Any] = field(default_factory=dict)
    oracle: Oracle | None = None
    examples: ExamplePool | None = None


def run(request: RunRequest, observers: Sequence[Observer] = ()) -> dict[str, Any]:
    """Run the program as a causal stream and return its summary; everything lies in ``request.out``.

    Raises:
        InputError: The folder is occupied, another run's, or in use.
        SqlmendError: A failure that every further question would meet; resume when it is mended.
    """
    if request.resume:
        request = replace(request, lm=as_begun(request.lm, request.out / "config.json"))
    questions = in_order(request.benchmark.questions, request.order)
    oracle = request.oracle or request.benchmark.oracle(
        definition=request.definition, timeout_s=request.timeout_s
    )
    with ExitStack() as stack:
        imported = None
        if request.memory is not None:
            imported = stack.enter_context(Memory(memory_folder(request.memory)))
        config = _config(request, questions, oracle.definition, imported)
        folder = stack.enter_context(RunFolder(request.out, config, resume=request.resume))
        stream = Stream(
            request.program,
            request.benchmark,
            questions,
            oracle,
            request.lm,
            folder,
            order=request.order,
            embedder=request.embedder,
            initial=request.initial,
            imported=None if imported is None else imported.path,
            demonstrations=_pool(request),
            timeout_s=request.timeout_s,
            observers=observers,
        )
        return stream.run(_provenance(request, config))


def _config(
    request: RunRequest,
    questions: Sequence[Question],
    definition: str,
    imported: Memory | None,
) -> dict[str, Any]:
    """What ``--resume`` compares: everything that can change a byte of the run, and no path."""
    benchmark = request.benchmark
    return {
        "format": FORMAT,
        "program": request.program.preset.to_data(),
        **prompts_shown(request.program, benchmark),
        "parameters": {
            name: parameter.dump_state()
            for name, parameter in request.program.named_parameters()
            if not hasattr(parameter, "signature")
        },
        "benchmark": {"name": benchmark.name, "data_hash": benchmark.data_hash},
        "selection": dict(request.selection),
        "questions": {"n": len(questions), "sha256": _hash([question.id for question in questions])},
        "order": request.order,
        "definition": definition,
        "timeout_s": request.timeout_s,
        "lm": request.lm.describe(),
        "embedder": request.embedder.name if request.embedder and request.program.reads_memory else None,
        **_demonstrated(request),
        "initial": None if request.initial is None else _hash(dict(request.initial)),
        "memory": None
        if imported is None
        else _hash([[r.id for r in imported.records(kind)] for kind in KINDS]),
    }


def _demonstrated(request: RunRequest) -> dict[str, Any]:
    """What the configuration says of demonstrations, where there are any."""
    source = request.demonstrations
    if source is None or request.embedder is None:
        return {}
    return {
        "embedder": request.embedder.name,
        "demonstrations": {"name": source.name, "data_hash": source.data_hash},
    }


def prompts_shown(program: RepairProgram, benchmark: Benchmark) -> dict[str, Any]:
    """What the configuration says of a program's prompts, whose words are none of its settings.

    Returns:
        ``prompts`` (name to version), and ``descriptions`` (a hash) where the benchmark describes its
        columns and the prompts may show that.
    """
    versions = prompt_versions(program.prompts)
    if not program.prompts & {"answer_view", "reason"}:
        return {"prompts": versions}
    read = {db_id: benchmark.descriptions(db_id) for db_id in benchmark.db_ids}
    said = {db_id: asdict(found) for db_id, found in read.items() if found is not None}
    return {"prompts": versions, **({"descriptions": _hash(said)} if said else {})}


def _pool(request: RunRequest) -> ExamplePool | None:
    if request.demonstrations is None:
        return None
    if request.examples is not None:
        return request.examples
    if request.embedder is None:
        raise ValueError("demonstrations need an embedder")
    from sqlmend.eval._demonstrations import demonstrations

    return demonstrations(request.demonstrations, request.benchmark, request.embedder)


def _provenance(request: RunRequest, config: Mapping[str, Any]) -> dict[str, Any]:
    """What the summary says of where its figures come from."""
    preset = request.program.preset
    return {
        "program": preset.name,
        "benchmark": request.benchmark.name,
        "definition": config["definition"],
        "left_out": request.benchmark.left_out,
        "data_hash": request.benchmark.data_hash,
        "selection": config["selection"],
        "order": request.order,
        "budget": preset.budget,
        "section_order": preset.section_order,
        "preset": config["program"],
        "parameters": config["parameters"],
        "prompts": config["prompts"],
        "lm": config["lm"],
        "embedder": config["embedder"],
        "initial": "given" if request.initial is not None else "generated",
        "memory": config["memory"],
        "regime": REGIME,
        "versions": versions(),
    }


def prompt_versions(names: Iterable[str]) -> dict[str, str]:
    """Prompt to its version id: of those named, and of what every program of repair may ask."""
    return {name: load_prompt(name).version for name in sorted({"generate", "reflect", "revise", *names})}


def versions() -> dict[str, str]:
    """What a result depends on, and which version of it is installed."""
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        **{name: version(name) for name in ("sqlmend", "dspy", "litellm", "chromadb", "bm25s")},
    }


def _hash(value: Any) -> str:
    return "sha256:" + sha256_text(canonical_json(value))
