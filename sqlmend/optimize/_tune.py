"""A tuning from request to result: study, trials, one look at what was held out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend._files import canonical_json, is_draft, sha256_text, write_atomic
from sqlmend.errors import InputError
from sqlmend.eval._run import prompts_shown
from sqlmend.eval._window import as_begun
from sqlmend.optimize._evaluation import StreamEvaluation
from sqlmend.optimize._held_out import check_held_out, judge_held_out, place_of
from sqlmend.optimize._looks import look
from sqlmend.optimize._preset_file import preset_data
from sqlmend.optimize._pruner import DEFAULTS
from sqlmend.optimize._request import Tuned, TuneRequest
from sqlmend.optimize._result import best_of, front_of, result_document
from sqlmend.optimize._retune import current_preset, retuned
from sqlmend.optimize._search import SETTINGS, Search, TrialObserver
from sqlmend.optimize._space import build_space
from sqlmend.optimize._study import StudyPlan, open_study
from sqlmend.programs import dump_yaml

if TYPE_CHECKING:
    from optuna import Study

    from sqlmend.eval import Benchmark

#: The file of the study's name, what a folder is for, and of the window, without which there is no name.
_STUDY = "study.json"


def tune(request: TuneRequest, observers: Sequence[TrialObserver] = ()) -> Tuned:
    """Search, judge what was held out, and write ``best.yaml`` and ``result.json``.

    Of several processes that end a study at once, one asks the held-out questions and the others wait for
    what it finds.

    Raises:
        InputError: Something in the request is not valid, or the folder or study is another one's.
        SqlmendError: A failure that every further question would meet; resume when it is mended.
    """
    request, plan, study = _begin(request)
    _search(request, plan, study, observers).run()
    best = best_of(study)
    preset = plan.space.with_settings(best.user_attrs[SETTINGS])
    program = retuned(request.program, preset)
    held_out = None
    if request.holdout is not None:
        evaluation = _evaluation(request, request.holdout, request.holdout_selection)
        found = None if best.user_attrs[DEFAULTS] else program
        held_out = look(
            study,
            place_of(preset, evaluation).rpartition("/")[2],
            lambda beat: judge_held_out(request, evaluation, found, beat),
        )
    result = result_document(request, plan, study, held_out)
    name = preset.name
    trials = result["trials"]["complete"] + result["trials"]["pruned"]
    words = f"{name}, tuned on {request.train.name} in {trials} trials."
    data = preset_data(preset, name=f"{name}_tuned", summary=words)
    write_atomic(request.out / "best.yaml", dump_yaml(data))
    front = front_of(study) if len(request.objectives) > 1 else []
    for trial in front:
        member = plan.space.with_settings(trial.user_attrs[SETTINGS])
        text = dump_yaml(preset_data(member, name=f"{preset.name}_{trial.number}", summary=preset.summary))
        write_atomic(request.out / "front" / f"trial{trial.number}.yaml", text)
    members = {f"trial{trial.number}.yaml" for trial in front}
    for file in (request.out / "front").glob("trial*.yaml"):
        if file.name not in members:  # beaten since
            file.unlink(missing_ok=True)
    write_atomic(request.out / "result.json", json.dumps(result, indent=2, ensure_ascii=True) + "\n")
    return Tuned(program, result, data)


def prepare(request: TuneRequest) -> None:
    """Check a request, claim its folder and make its study, so that other processes may take part.

    Raises:
        InputError: As ``tune``.
    """
    _begin(request)


def work(request: TuneRequest, observers: Sequence[TrialObserver] = ()) -> None:
    """Take part in a study and do nothing else: run trials while there are any to begin.

    Raises:
        InputError: As ``tune``.
        SqlmendError: As ``tune``.
    """
    request, plan, study = _begin(request)
    _search(request, plan, study, observers).run(wait=False)


def _begin(request: TuneRequest) -> tuple[TuneRequest, StudyPlan, Study]:
    """The request with the window that the study began with, and the study."""
    check_held_out(request)
    if request.resume:
        request = replace(request, lm=as_begun(request.lm, request.out / _STUDY))
    plan = plan_of(request)
    made = not request.out.exists()
    claimed = _claim(request, plan.name)
    try:
        return request, plan, open_study(plan, resume=request.resume)
    except InputError:
        if claimed:
            _give_back(request.out, made=made)
        raise


def plan_of(request: TuneRequest) -> StudyPlan:
    """The study that a request is for.

    Raises:
        InputError: The space or an objective is not valid.
    """
    preset = current_preset(request.program)
    embedder = request.embedder.name if request.embedder and request.program.reads_memory else None
    meaning = {
        "program": preset.to_data(),
        "predictors": sha256_text(canonical_json(_predictors(request))),
        **prompts_shown(request.program, request.train),
        "benchmark": request.train.name,
        "data_hash": request.train.data_hash,
        "orders": list(request.orders),
        "definition": request.judged_by,
        "timeout_s": request.timeout_s,
        "lm": request.lm.describe(),
        "embedder": embedder,
    }
    return StudyPlan(
        space=build_space(preset, request.space),
        objectives=request.objectives,
        seed=request.seed,
        meaning=meaning,
        storage=request.storage,
    )


def _predictors(request: TuneRequest) -> dict[str, Any]:
    return {name: predictor.dump_state() for name, predictor in request.program.named_predictors()}


def _claim(request: TuneRequest, study: str) -> bool:
    """The folder holds runs of this study, or nothing; whether it held nothing."""
    file = request.out / _STUDY
    if file.exists():
        held = json.loads(file.read_text("utf-8")).get("study")
        if held != study:
            raise InputError(
                "other_study",
                f"{request.out} holds runs of the study {held}, not of {study}",
                hint="program, data, model or space differ; choose another --out",
            )
        if not request.resume:
            raise InputError("out_exists", f"{request.out} holds a study", hint="go on with --resume")
        return False
    # What a kill inside write_atomic leaves is nothing.
    if request.out.exists() and (
        not request.out.is_dir() or not all(is_draft(item, file) for item in request.out.iterdir())
    ):
        raise InputError(
            "out_exists", f"{request.out} is not empty and holds no study", hint="choose another --out"
        )
    try:
        about = {"study": study, "lm": {"context_window": request.lm.context_window}}
        write_atomic(file, json.dumps(about) + "\n")
    except OSError as error:
        raise InputError("bad_out", f"{request.out} cannot be made: {error.strerror}") from error
    return True


def _give_back(folder: Path, *, made: bool) -> None:
    """Leave nothing of a claim for a study that could not be opened; where more came of it, it stays."""
    if [item.name for item in folder.iterdir()] == [_STUDY]:
        (folder / _STUDY).unlink()
        if made:
            folder.rmdir()


def _evaluation(request: TuneRequest, benchmark: Benchmark, selection: Mapping[str, Any]) -> StreamEvaluation:
    return StreamEvaluation(
        benchmark=benchmark,
        lm=request.lm,
        out=request.out,
        orders=request.orders,
        embedder=request.embedder,
        definition=request.judged_by,
        timeout_s=request.timeout_s,
        selection=selection,
    )


def _search(
    request: TuneRequest, plan: StudyPlan, study: Study, observers: Sequence[TrialObserver]
) -> Search:
    evaluation = _evaluation(request, request.train, request.selection)
    return Search(study, plan, request.program, evaluation, request.trials, observers)
