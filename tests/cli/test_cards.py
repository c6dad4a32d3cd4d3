import io
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from sqlmend.cli import main
from sqlmend.errors import SqlmendError
from sqlmend.eval import read_episodes
from sqlmend.eval.crystallization import read_bank, write_bank
from sqlmend.memory import CardEntry, CardPart, Memory
from sqlmend.testing import repair_entry
from tests.cli.calls import call
from tests.eval.crystallization.geo import Learner, benchmark
from tests.eval.runs import start
from tests.models.server import openai_server
from tests.modules.scripts import world

HOSTILE = "\x1b[31m<script>[red]=1+1"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the benchmark `geo`, and runs over it."""
    root = tmp_path_factory.mktemp("cards")
    geo = benchmark(root / "geo")
    start(root / "probe", "probe", sets=(), benchmark=geo, reply=Learner())
    start(root / "vote", "self_vote", sets=(), benchmark=geo, reply=Learner())
    start(root / "once", "iterative", sets=("budget=0",), benchmark=geo, reply=Learner())
    return root


def build(capsys, source, out, *arguments):
    """Build a bank: exit code, document, stderr."""
    code, shown, said = call(capsys, "cards", "build", str(source), "--out", str(out), *arguments, "--json")
    return code, json.loads(shown) if shown else None, said


def over_geo(place):
    return ("--benchmark", f"spider:{place / 'geo'}")


def test_a_run_gives_its_verified_corrections(place, tmp_path, capsys):
    code, document, _ = build(capsys, place / "probe", tmp_path / "bank", *over_geo(place))
    assert code == 0
    assert document == {
        "candidates": 5,
        "admitted": 3,
        "lost": 0,
        "cards": 3,
        "by_database": {"geo": 3},
        "admission": "verified",
        "format": "verbatim",
        "key": "question",
        "calls": 0,
        "prompt_tokens": 0,
        "output_tokens": 0,
    }
    cards = read_bank(tmp_path / "bank")
    assert {card.parts[0].text for card in cards} == {
        f"SELECT name FROM city WHERE id = {n}" for n in (2, 4, 6)
    }
    (record, *_) = Memory(tmp_path / "bank").records("cards")
    assert record.provenance == {"source": "probe", "benchmark": "spider:dev", "admission": "verified"}


def test_a_run_without_revisions_gives_its_first_answers(place, tmp_path, capsys):
    _, document, _ = build(capsys, place / "once", tmp_path / "bank", *over_geo(place))
    assert (document["candidates"], document["cards"]) == (6, 1)


def test_formats_keys_and_admissions_are_options(place, tmp_path, capsys):
    options = ("--format", "diff_mode", "--key", "payload", "--admit", "noisy:1")
    _, document, _ = build(capsys, place / "probe", tmp_path / "bank", *over_geo(place), *options)
    assert (document["admitted"], document["cards"]) == (2, 1)  # one of the wrong ones has no query
    (card,) = read_bank(tmp_path / "bank")
    assert card.key.startswith(f"{card.question}\nresult_mismatch: ")
    _, document, _ = build(capsys, place / "vote", tmp_path / "voted", *over_geo(place), "--admit", "vote")
    assert document["admission"] == "vote"
    assert document["admitted"] == document["candidates"] == 5


def test_checks_may_name_what_a_run_had_right_at_first_and_nothing_that_it_did_not_ask(
    place, tmp_path, capsys
):
    checks = tmp_path / "checks.json"
    asked = [episode["question_id"] for episode in read_episodes(place / "probe")]
    checks.write_text(json.dumps(dict.fromkeys(asked, "SELECT count(*) > 0 FROM result")))
    options = (*over_geo(place), "--admit", f"assertions:{checks}")
    code, document, said = build(capsys, place / "probe", tmp_path / "bank", *options)
    assert code == 0, said
    assert len(asked) == 6 > document["candidates"] > document["cards"] > 0
    checks.write_text(json.dumps({"nobody": "SELECT 1"}))
    code, _, said = build(capsys, place / "probe", tmp_path / "other", *options)
    assert (code, "not asked: nobody" in said) == (2, True)


def test_the_same_build_is_the_same_bytes(place, tmp_path, capsys):
    for out, admit in (("one", "verified"), ("two", "verified"), ("noisy", "noisy:0")):
        build(capsys, place / "probe", tmp_path / out, *over_geo(place), "--admit", admit, "--seed", "7")
    one, two, noisy = ((tmp_path / out / "cards.jsonl").read_bytes() for out in ("one", "two", "noisy"))
    assert one == two == noisy


def lessons():
    from sqlmend.testing import scripted_lm

    return scripted_lm(lambda _: "<answer>A city is found by its id.</answer>")


def test_a_capsule_asks_the_model(place, tmp_path, capsys):
    options = ("--format", "capsule", "--lm", "tests.cli.test_cards:lessons", "--memo", "off")
    code, document, _ = build(capsys, place / "probe", tmp_path / "bank", *over_geo(place), *options)
    assert code == 0
    assert (document["calls"], document["cards"]) == (3, 3)
    assert document["prompt_tokens"] > 100
    assert {card.parts[0].text for card in read_bank(tmp_path / "bank")} == {"A city is found by its id."}


def short():
    """A model whose window one of the questions does not fit."""
    from sqlmend.testing import scripted_lm

    def answer(prompt):
        if "number 2?" in prompt:
            raise SqlmendError("lm_context", "the prompt is too long")
        return "<answer>A city is found by its id.</answer>"

    return scripted_lm(answer)


def offline():
    from sqlmend.testing import scripted_lm

    def answer(_):
        raise SqlmendError("lm_unreachable", "nobody answers")

    return scripted_lm(answer)


def test_a_question_that_the_model_fails_over_costs_its_card_alone(place, tmp_path, capsys):
    options = (*over_geo(place), "--format", "capsule", "--memo", "off", "--lm")
    probe = place / "probe"
    code, document, said = build(capsys, probe, tmp_path / "bank", *options, "tests.cli.test_cards:short")
    assert code == 0, said
    assert (document["admitted"], document["lost"], document["cards"]) == (3, 1, 2)
    code, _, said = build(capsys, probe, tmp_path / "none", *options, "tests.cli.test_cards:offline")
    assert (code, "nobody answers" in said) == (1, True)
    assert not (tmp_path / "none").exists()


def test_a_served_model_writes_capsules_without_thinking_first(place, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("HOSTED_VLLM_API_KEY", raising=False)
    with openai_server() as server:
        model = ("--lm", "hosted_vllm/served", "--api-base", server.api_base, "--memo", "off")
        options = ("--format", "capsule", *model)
        code, document, _ = build(capsys, place / "probe", tmp_path / "bank", *over_geo(place), *options)
    assert (code, document["cards"]) == (0, 3)
    assert all(body["chat_template_kwargs"]["enable_thinking"] is False for _, body in server.chats)


@pytest.fixture
def mine(tmp_path):
    """A file of questions of one's own, and the arguments for its database."""
    rows = [
        {
            "id": "area",
            "question": "Which cities are large?",
            "sql": "SELECT name FROM city WHERE area >= 400",
            "wrong": ["SELECT nam FROM city", "SELECT name FROM city WHERE area > 9"],
            "evidence": "large: 400 and more",
        },
        {"question": "How many countries are there?", "sql": "SELECT count(*) FROM country"},
    ]
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file, ("--database", str(world(tmp_path)))


def test_questions_of_ones_own_are_admitted_by_checks(mine, tmp_path, capsys):
    file, database = mine
    checks = {"area": "SELECT count(*) = 2 FROM result", "1": "SELECT count(*) > 9 FROM result"}
    (tmp_path / "checks.yaml").write_text(json.dumps(checks))
    admit = ("--admit", f"assertions:{tmp_path / 'checks.yaml'}")
    code, document, _ = build(capsys, file, tmp_path / "bank", *database, *admit, "--format", "trace")
    assert code == 0
    assert (document["candidates"], document["cards"]) == (2, 1)
    (card,) = read_bank(tmp_path / "bank")
    assert (card.question_id, card.db_id, card.failure_type) == ("area", "world", "schema_linking")
    assert [(part.label, part.text) for part in card.parts] == [
        ("attempt 1", "SELECT nam FROM city"),
        ("attempt 1 gave", "unknown_column: no such column: nam"),
        ("attempt 2", "SELECT name FROM city WHERE area > 9"),
        ("attempt 2 gave", "it ran, but its result is not the answer"),
        ("query", "SELECT name FROM city WHERE area >= 400"),
    ]


def test_or_by_a_persons_yes(mine, tmp_path, capsys, monkeypatch):
    file, database = mine
    (tmp_path / "yes").write_text("1\n")
    by_file = ("--admit", f"confirmed:{tmp_path / 'yes'}")
    _, document, _ = build(capsys, file, tmp_path / "a", *database, *by_file)
    assert document["cards"] == 1
    terminal = io.StringIO("n\ny\n")
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    code, document, said = build(capsys, file, tmp_path / "b", *database, "--admit", "confirmed")
    assert (code, document["admitted"], document["admission"]) == (0, 1, "confirmed")
    assert (tmp_path / "a" / "cards.jsonl").read_bytes() == (tmp_path / "b" / "cards.jsonl").read_bytes()
    for words in ("[1 of 2] world: Which cities are large?", "400 and more", "2 rows of (name)", "Keep it?"):
        assert words in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nobody has judged these queries, so verified cannot admit"),
        (("--admit", "vote"), "nobody has judged these queries, so vote"),
        (("--admit", "confirmed"), "there is none"),
        (("--benchmark", "mini"), "is a file of questions"),
        (("--format", "verbatm", "--admit", "vote"), "did you mean verbatim"),
        (("--key", "answer"), "Invalid value for '--key'"),
    ],
)
def test_bad_input_is_refused_and_leaves_nothing(mine, tmp_path, capsys, arguments, message):
    file, database = mine
    code, _, said = build(capsys, file, tmp_path / "bank", *database, *arguments)
    assert code == 2
    assert message in said
    assert not (tmp_path / "bank").exists()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "Q?", "sql": "SELECT nope FROM city"}, "sql does not run: unknown_column"),
        ({"question": "Q?"}, "question and sql must be text"),
        ({"question": "Q?", "sql": "SELECT 1", "wrong": "SELECT 2"}, "wrong must be a list"),
        ({"question": "Q?", "sql": "SELECT 1", "query": "SELECT 2"}, "expected an object of question, sql"),
        ({"question": "Q?", "sql": "SELECT 1", "id": "area"}, "the id area is there twice"),
        ({"question": "Q?", "sql": "SELECT 1", "id": 1.5}, "id must be text or a whole number"),
    ],
)
def test_a_bad_row_is_named(mine, tmp_path, capsys, row, message):
    file, database = mine
    file.write_text(file.read_text() + json.dumps(row))
    code, _, said = build(capsys, file, tmp_path / "bank", *database, "--admit", "confirmed")
    assert code == 2
    assert "question 2" in said
    assert message in " ".join(said.split())


def test_a_run_needs_its_benchmark_and_a_new_bank_a_new_place(place, tmp_path, capsys):
    for source, arguments, message in (
        (place / "probe", (), "give its --benchmark"),
        (place / "probe", ("--benchmark", "mini"), "its questions are not those of mini here"),
        (place / "geo", over_geo(place), "holds no run"),
        (place / "nowhere", over_geo(place), "is not there"),
    ):
        code, _, said = build(capsys, source, tmp_path / "bank", *arguments)
        assert code == 2
        assert message in " ".join(said.split())
    code, _, said = build(capsys, place / "probe", place, *over_geo(place))
    assert (code, "holds something already" in said) == (2, True)


def card(number, **changes):
    fields = {
        "question_id": str(number),
        "question": f"Question {number}? {HOSTILE}",
        "db_id": "pets",
        "schema_fingerprint": "sha256:0",
        "format": "diff_mode",
        "failure_type": "syntax",
        "key": "payload",
        "parts": (CardPart("failure", HOSTILE), CardPart("change", "a -> b", code=True)),
    }
    return CardEntry(**{**fields, **changes})


@pytest.fixture
def bank(tmp_path):
    write_bank([card(0), card(1), card(2, db_id="zoo")], tmp_path / "bank", {"admission": "verified"})
    return tmp_path / "bank"


def test_cards_are_listed(bank, capsys):
    code, shown, _ = call(capsys, "cards", "list", str(bank), "--json")
    listed = json.loads(shown)["cards"]
    assert code == 0
    assert listed[0] == {
        "id": card(0).id,
        "question_id": "0",
        "db_id": "pets",
        "format": "diff_mode",
        "failure_type": "syntax",
        "question": f"Question 0? {HOSTILE}",
    }
    _, shown, _ = call(capsys, "cards", "list", str(bank), "--database", "zoo")
    assert "1 cards" in shown
    assert "\x1b[31m" not in shown
    assert "[red]" in shown


def test_a_card_is_shown_whole(bank, capsys):
    _, shown, _ = call(capsys, "cards", "show", str(bank), card(1).id[:8])
    for words in ("failure: \\x1b[31m<script>[red]=1+1", "change: a -> b", "found by: payload"):
        assert words in shown
    _, shown, _ = call(capsys, "cards", "show", str(bank), card(1).id, "--json")
    assert json.loads(shown)["entry"] == card(1).to_dict()
    code, _, said = call(capsys, "cards", "show", str(bank), "zz")
    assert (code, "0 records have an id" in said) == (2, True)


def test_cards_travel_without_what_lies_beside_them(bank, tmp_path, capsys):
    with Memory(bank, write=True) as memory:
        memory.append([repair_entry()], 0, {})
        memory.retire(card(0).id)
    _, shown, _ = call(capsys, "cards", "export", str(bank), "--out", str(tmp_path / "out"), "--json")
    assert json.loads(shown) == {"exported": 2}
    assert read_bank(tmp_path / "out") == [card(1), card(2, db_id="zoo")]
    assert not Memory(tmp_path / "out").records("positive")
    for added, present in ((2, 0), (0, 2)):
        _, shown, _ = call(capsys, "cards", "import", str(tmp_path / "new"), "--from", str(bank), "--json")
        assert json.loads(shown) == {"added": added, "present": present, "retired": 0}
    assert not Memory(tmp_path / "new").records("positive")
    assert read_bank(tmp_path / "new") == read_bank(tmp_path / "out")
    Memory(tmp_path / "run" / "memory", write=True).close()
    for name in ("config.json", "steps.jsonl"):  # what a run lays beside its memory
        (tmp_path / "run" / name).touch()
    code, _, said = call(capsys, "cards", "import", str(tmp_path / "run"), "--from", str(bank))
    assert (code, "sqlmend memory export" in " ".join(said.split())) == (2, True)
    (bank / "cards.jsonl").write_text("{}\n")
    code, _, said = call(capsys, "cards", "import", str(tmp_path / "new"), "--from", str(bank))
    assert (code, "cards.jsonl line 1" in " ".join(said.split())) == (2, True)
    for command in ("cards", "memory"):
        code, _, _ = call(capsys, command, "import", str(tmp_path / "none"), "--from", str(bank))
        assert (code, (tmp_path / "none").exists()) == (2, False)


@pytest.mark.parametrize("command", ["build", "list", "show", "export", "import"])
def test_help_ends_with_an_example(capsys, command):
    with pytest.raises(SystemExit):
        main(["cards", command, "--help"])
    assert f"sqlmend cards {command}" in capsys.readouterr().out.split("Example:")[1]


ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cards.md").read_text("utf-8")


def test_the_commands_of_the_page_run(tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            code, _, said = call(capsys, *shlex.split(line)[1:])
            assert code == 0, said
    assert [card.question_id for card in read_bank(tmp_path / "my-bank")] == ["lima", "revenue", "idle"]
    checks = (ROOT / "examples" / "shop_checks.yaml").read_text("utf-8")
    for line in re.search(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[1].splitlines():
        assert line in checks


def test_the_page_names_every_command_format_and_admission():
    from sqlmend.cli.cards import command
    from sqlmend.eval.crystallization._admission import KINDS
    from sqlmend.modules.cards import FORMATS

    assert set(re.findall(r"sqlmend cards (\w+)", PAGE)) == set(command.commands)
    for name in (*FORMATS, *KINDS):
        assert f"`{name}" in PAGE
