"""Structure-difference memory over a stream: it answers, learns without a verdict, recalls what it learnt."""

import json
import sqlite3
from contextlib import closing

import pytest

from sqlmend.databases import ColumnDescription, Descriptions
from sqlmend.eval import load_benchmark
from sqlmend.eval._feedback import OracleFeedback
from sqlmend.modules.tree import observe, tree_from_data
from sqlmend.programs import Judgement, bundled_presets
from tests.eval.runs import episodes, reproducible, start
from tests.reasoner import answer

SAID = ColumnDescription(description="what it holds")
VARIANTS = sorted(name for name in bundled_presets() if name.startswith("sdam_small"))


def ran(out, program="sdam_small", reply=answer, sample="10", **changes):
    return start(out, program, sets=(), sample=sample, reply=reply, **changes)


def rules(folder):
    file = folder / "memory" / "rules.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a finished run, and its prompts."""
    out = tmp_path_factory.mktemp("sdam") / "run"
    prompts = []
    ran(out, reply=lambda prompt: prompts.append(prompt) or answer(prompt), sample="16")
    return out, prompts


def test_rules_are_kept_with_anchors_and_origin(run):
    kept = rules(run[0])
    assert kept
    for line in kept:
        assert line["entry"]["rule"]["anchors"]
        assert line["entry"]["rule"]["anchors"] != ["nowhere.nothing"]
        assert "/" in line["entry"]["origin"]
    dropped = [j for e in episodes(run[0]) for j in e["reasoning"]["judged"] or () if not j["kept"]]
    assert "unknown_anchor" in {judged["code"] for judged in dropped}
    assert all(judged["reason"] for judged in dropped)


def test_later_questions_see_rules_of_earlier_ones(run):
    out, prompts = run
    shown = [e["reasoning"]["rules"] for e in episodes(out)]
    assert not shown[0]
    assert any(shown)
    position = {line["id"]: line["position"] for line in rules(out)}
    for n, ids in enumerate(shown):
        assert all(position[key] < n for key in ids)
    assert any("<lessons>\n[1] domain [" in prompt for prompt in prompts)


def test_a_small_model_is_asked_at_most_eight_times_a_question(run):
    assert max(e["calls"] for e in episodes(run[0])) <= 8


def test_an_episode_holds_its_candidates_its_tree_and_what_was_found(run):
    for episode in episodes(run[0]):
        reasoning = episode["reasoning"]
        tree = tree_from_data(reasoning["tree"])
        assert tree.candidates == ("c1", "c2", "c3")
        assert [c["label"] for c in reasoning["candidates"]] == ["c1", "c2", "c3"]
        assert reasoning["selected"] in tree.candidates
        assert 0 <= reasoning["confidence"] <= 1
        assert set(reasoning["parsed"].values()) <= {"whole", "repaired", "none"}


class Inverted(OracleFeedback):
    """Says the opposite of what the oracle says."""

    def __call__(self, sql):
        judgement = super().__call__(sql)
        solved = not judgement.solved
        return Judgement("match" if solved else "mismatch", None, solved=solved)


class Undecided(OracleFeedback):
    """Says that nobody can say what is right."""

    def __call__(self, sql):
        super().__call__(sql)
        return Judgement("reference_failed", None, solved=False, undecidable=True)


def without_verdicts(folder):
    """The bytes of a run, but for its score and what the oracle said of an attempt."""
    files = {
        name: data
        for name, data in reproducible(folder).items()
        if name not in ("episodes.jsonl", "summary.json")
    }
    for episode in episodes(folder):
        for attempt in episode["attempts"]:
            for name in ("status", "error", "failure_type"):
                attempt.pop(name)
        files[f"episode {episode['position']}"] = json.dumps(episode, sort_keys=True).encode()
    return files


@pytest.mark.parametrize("feedback", [Inverted, Undecided])
def test_no_verdict_of_the_oracle_changes_anything_but_the_score(tmp_path, monkeypatch, feedback):
    ran(tmp_path / "right")
    monkeypatch.setattr("sqlmend.eval._stream.OracleFeedback", feedback)
    ran(tmp_path / "other")
    assert without_verdicts(tmp_path / "other") == without_verdicts(tmp_path / "right")
    assert rules(tmp_path / "right")


def test_two_runs_are_the_same(tmp_path, run):
    ran(tmp_path / "again", sample="16")
    again, first = reproducible(tmp_path / "again"), reproducible(run[0])
    for files in (again, first):
        files.pop("summary.json")  # it names the simulator's code, which the fixture wraps
    assert again == first


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_runs(tmp_path, name):
    ran(tmp_path / "run", name, sample="5")
    first = episodes(tmp_path / "run")[0]["reasoning"]
    variant = name.partition(":")[2]
    kept = rules(tmp_path / "run")
    assert bool(kept) == (variant != "baseline")
    assert (first["tree"] is None) == (variant in ("baseline", "generic", "no_tree"))
    assert (first["contradictions"] is None) == (variant in ("baseline", "generic", "no_contradiction"))
    assert (first["judged"] is None) == (variant in ("baseline", "generic", "no_filter"))
    assert bool(first["reasoned"]) == (variant not in ("baseline", "shared"))
    if variant == "generic":
        assert {line["entry"]["rule"]["type"] for line in kept} == {""}


def test_the_full_program_links_judges_and_filters_with_the_model(tmp_path):
    prompts = []
    ran(tmp_path / "run", "sdam", reply=lambda prompt: prompts.append(prompt) or answer(prompt), sample="6")
    first = episodes(tmp_path / "run")[0]["reasoning"]
    assert len(first["candidates"]) == 5
    assert first["links"]
    assert any("<answer>table: column, column</answer>" in prompt for prompt in prompts)
    assert any("<answer>1 keep: why</answer>" in prompt for prompt in prompts)


def test_repair_leaves_answers_alone_that_candidates_agree_on(tmp_path):
    def reply(prompt):
        return "<answer>SELECT 1</answer>" if "<history>" in prompt else answer(prompt)

    start(tmp_path / "run", "sdam_repair", sets=("budget=1",), sample="16", reply=reply)
    for episode in episodes(tmp_path / "run"):
        attempts, confidence = episode["attempts"], episode["reasoning"]["confidence"]
        ran_wrong = attempts[0]["status"] == "mismatch"
        if ran_wrong:
            assert (len(attempts) == 2) == (confidence < 0.6)
    assert {len(episode["attempts"]) for episode in episodes(tmp_path / "run")} == {1, 2}


def test_what_fails_while_learning_costs_no_answer(tmp_path, monkeypatch):
    def fail(step, episode):
        raise ValueError(f"not of {episode.question.id}")

    monkeypatch.setattr("sqlmend.programs.steps._learn.ExtractRulesStep.forward", fail)
    ran(tmp_path / "run", sample="4")
    ran(tmp_path / "baseline", "sdam_small:baseline", sample="4")
    assert [e["unlearnt"] for e in episodes(tmp_path / "run")] == ["ValueError"] * 4
    for learns, answers in zip(episodes(tmp_path / "run"), episodes(tmp_path / "baseline"), strict=True):
        assert (learns["sql"], learns["score_after"]) == (answers["sql"], answers["score_after"])
        assert learns["error"] is None
        assert "unlearnt" not in answers
    assert rules(tmp_path / "run") == []


def test_a_run_shows_descriptions_and_gives_candidates_its_time(tmp_path, monkeypatch):
    def described(benchmark, db_id):
        tables = benchmark.open(db_id).schema().tables
        return Descriptions(
            {t.name.casefold(): dict.fromkeys([c.name.casefold() for c in t.columns], SAID) for t in tables}
        )

    def timed(sql, database, timeout_s):
        limits.add(timeout_s)
        return observe(sql, database, timeout_s)

    limits, prompts = set(), []
    monkeypatch.setattr("sqlmend.eval._benchmark.Benchmark.descriptions", described)
    monkeypatch.setattr("sqlmend.programs.steps._views.observe", timed)
    reply = lambda prompt: prompts.append(prompt) or answer(prompt)  # noqa: E731
    ran(tmp_path / "run", "sdam_small:baseline", reply=reply, sample="4", timeout_s=7.0)
    assert sum("what it holds" in prompt for prompt in prompts) == len(prompts) / 3 == 4
    config = json.loads((tmp_path / "run" / "config.json").read_text("utf-8"))
    assert config["descriptions"].startswith("sha256:")
    assert limits == {7.0}


SENTINEL = "zq9sentinelzq9"


def test_a_reference_reaches_nothing_but_the_oracle(tmp_path):
    root = tmp_path / "planted"
    (root / "database" / "geo").mkdir(parents=True)
    with closing(sqlite3.connect(root / "database" / "geo" / "geo.sqlite")) as connection:
        connection.executescript(
            "CREATE TABLE city (id INTEGER, name TEXT); INSERT INTO city VALUES (1, 'Lima');"
        )
    (root / "tables.json").write_text("[]")
    asked = [
        {
            "db_id": "geo",
            "question": f"Which city has number {n}?",
            "query": f"SELECT name /* {SENTINEL} */ FROM city WHERE id = {n} AND name <> '{SENTINEL}'",
        }
        for n in range(1, 4)
    ]
    (root / "dev.json").write_text(json.dumps(asked))
    prompts = []
    start(
        tmp_path / "run",
        "sdam",
        sets=(),
        benchmark=load_benchmark(f"spider:{root}"),
        reply=lambda prompt: prompts.append(prompt) or answer(prompt),
    )
    written = [file.read_bytes() for file in (tmp_path / "run").rglob("*") if file.is_file()]
    assert len(prompts) > 20
    assert not any(SENTINEL in prompt for prompt in prompts)
    assert not any(SENTINEL.encode() in data for data in written)
