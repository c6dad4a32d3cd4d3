"""``sqlmend tree``: the merged reasoning of one question of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from sqlmend._files import write_atomic
from sqlmend._text import for_terminal
from sqlmend.cli._frame import emit, example, json_option, out
from sqlmend.errors import InputError, unknown_name

_FORMATS = ("text", "mermaid", "svg", "html")


@click.command(epilog=example("sqlmend tree runs/sdam clinic-003 --format html --out tree.html"))
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("question_id", metavar="QUESTION_ID")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="How to show it."
)
@click.option("--out", "target", type=click.Path(path_type=Path), help="Write it to this file.")
@json_option
def command(folder: Path, question_id: str, form: str, target: Path | None, as_json: bool) -> None:
    """Show the merged reasoning tree of one question, and where its candidates part.

    RUN is the folder of a run whose program merges reasoning, such as sdam.
    """
    from sqlmend.modules.tree import tree_from_data

    reasoning = _reasoning(folder, question_id)
    if not reasoning.get("tree"):
        raise InputError(
            "no_tree",
            f"question {question_id} of {folder} has no reasoning tree",
            hint="run a program that merges reasoning: sqlmend programs show sdam",
        )
    tree = tree_from_data(reasoning["tree"])
    shown = _shown(tree, form, question_id)
    document = {
        "question_id": question_id,
        "tree": reasoning["tree"],
        "divergences": [str(divergence) for divergence in tree.divergences],
        "contradictions": reasoning.get("contradictions"),
    }
    if target is not None:
        try:
            write_atomic(target, shown + "\n")
        except OSError as error:
            raise InputError("not_writable", f"cannot write {target}: {error.strerror}") from error

    def render() -> None:
        if target is not None:
            out.print(Text(f"written to {for_terminal(str(target))}"))
        elif form == "text":
            _print(shown, tree, reasoning.get("contradictions") or [])
        else:
            click.echo(shown)

    emit(document, as_json, render)


def _shown(tree: Any, form: str, question_id: str) -> str:
    from sqlmend.modules.tree import to_html, to_mermaid, to_svg

    title = f"Reasoning tree of question {question_id}"
    forms = {
        "text": lambda: str(tree),
        "mermaid": lambda: to_mermaid(tree),
        "svg": lambda: to_svg(tree, title),
        "html": lambda: to_html(tree, title),
    }
    return str(forms[form]())


def _print(shown: str, tree: Any, contradictions: list[dict[str, Any]]) -> None:
    out.print(Text(for_terminal(shown, 20_000)), soft_wrap=True)
    for divergence in tree.divergences:
        out.print(Text(for_terminal(f"parts at {divergence}")), soft_wrap=True)
    for found in contradictions:
        labels = ", ".join(found["candidates"])
        line = f"{found['kind']}/{found['code']} [{labels}]: {found['text']}"
        out.print(Text(for_terminal(line)), soft_wrap=True)


def _reasoning(folder: Path, question_id: str) -> dict[str, Any]:
    from sqlmend.eval import read_episodes

    if not (folder / "episodes.jsonl").is_file():
        raise InputError("no_run", f"{folder} is no folder of a run: it has no episodes.jsonl")
    known = {record["question_id"]: record for record in read_episodes(folder)}
    if question_id not in known:
        raise unknown_name("question", question_id, known)
    found: dict[str, Any] = known[question_id].get("reasoning") or {}
    return found
