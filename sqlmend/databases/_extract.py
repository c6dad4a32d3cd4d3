"""The SQL in a model's answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from sqlmend.databases._statements import split
from sqlmend.databases._tokens import KEYWORDS, Token, significant, tokens

_TAG = re.compile(r"<think>|</think>|<answer>", re.IGNORECASE)
_ANSWER = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.IGNORECASE | re.DOTALL)
# A fence ends at the next one; one that stands at the start of a line with a word behind it opens anew.
_FENCE = re.compile(r"```+(.*?)(?:(?=^[ \t]*```+[A-Za-z])|```+|\Z)", re.DOTALL | re.MULTILINE)
# What ends a bare statement: a fence, or the close of an answer that was opened in the prompt.
_STOP = re.compile(r"^[^\S\n]*```|</answer>[^\S\n]*$", re.IGNORECASE | re.MULTILINE)
_WORDS = "select with values insert update delete replace create drop alter pragma attach explain"
_SQL_WORDS = frozenset(_WORDS.split())
_LINE = re.compile(rf"^[^\S\n]*(?=(?:{'|'.join(_SQL_WORDS)})\b)", re.IGNORECASE | re.MULTILINE)
# What must follow the first word of a line, so that it is a statement and not a sentence.
_STATEMENT = re.compile(
    r"""
    with\ (?:recursive\ )?\S+\ (?:\(\ [^()]*\ \)\ )?as\ (?:(?:not\ )?materialized\ )?\(
    | values\ \(
    | (?:insert|replace)\ (?:or\ \S+\ )?into\ \S+\ (?:\.\ \S+\ )?(?:\(|(?:as|values|select|with|default)\b)
    | update\ (?:or\ \S+\ )?\S+\ (?:\.\ \S+\ )?(?:as\ \S+\ )?set\b
    | delete\ from\b
    | create\ (?:temp|temporary|table|view|index|unique|trigger|virtual)\b
    | drop\ (?:table|view|index|trigger)\b
    | alter\ table\b
    | pragma\ \S+(?:\ [=(;.]|\Z)
    | attach\ (?:database|name|value|\S+\ as)\b
    """,
    re.VERBOSE,
)
_OTHER_STATEMENTS = frozenset(
    "analyze begin commit detach end reindex release rollback savepoint vacuum".split()
)
_PROSE = frozenset("the of this that these those which your our we you an".split())
_CONTINUES = frozenset(
    """
    select from where group having order limit offset join left right full inner outer cross natural on using
    union except intersect and or as window
    """.split()
)


def extract_sql(text: str) -> str | None:
    """The SQL in a model's answer, or None where there is none.

    In this order: thinking is dropped; the last non-empty ``<answer>`` counts, or else the whole text;
    in that the last fence that holds SQL, or else the text from the first line on that begins a statement.
    What begins with an SQL word but reads as a sentence ("With this in mind, ...") begins none. Space,
    comments around it and final ``;`` are trimmed. A second statement inside an answer or a fence is kept,
    so that it can be refused; never throws.
    """
    text = _without_thinking(text)
    answers = [answer for answer in _ANSWER.findall(text) if answer.strip()]
    if not answers:
        return _fenced(text) or _plain(text)
    answer = answers[-1]
    # An answer that opens inside an unclosed one replaces it, unless it is only text, as in '<answer>'.
    inner = re.split("<answer>", answer, flags=re.IGNORECASE)[-1]
    return _fenced(inner) or _answered(inner) or _fenced(answer) or _answered(answer)


def extract_answer(text: str) -> str:
    """A model's answer in words: its last non-empty ``<answer>``, or else all of it; without thinking."""
    text = _without_thinking(text)
    answers = [answer for answer in _ANSWER.findall(text) if answer.strip()]
    return (answers[-1] if answers else text).strip()


def _without_thinking(text: str) -> str:
    """The text without what was thought before the first answer."""
    kept: list[str] = []
    start, thinking = 0, False
    for tag in _TAG.finditer(text):
        name = tag[0].lower()
        if thinking:
            if name == "</think>":
                start, thinking = tag.end(), False
        elif name == "<answer>":
            break
        elif name == "<think>":
            kept.append(text[start : tag.start()])
            thinking = True
        else:
            kept.clear()
            start = tag.end()
    return "".join(kept) + ("" if thinking else text[start:])


def _fenced(text: str) -> str | None:
    """The content of the last fence that begins with an SQL word, a word for its language aside."""
    for content in reversed(_FENCE.findall(text)):
        found = significant(content)
        if found and found[0].folded not in _SQL_WORDS and "\n" not in content[: found[0].start]:
            found = found[1:]
        if found and found[0].folded in _SQL_WORDS:
            return _trimmed(content[found[0].start :])
    return None


def _plain(text: str) -> str | None:
    """The first statement of a text that is mostly prose."""
    text = _from_statement(text)
    found = tokens(text)
    end = next((token.start for token in found if token.folded == ";"), None)
    return _trimmed(text[: _paragraph(found) if end is None else end])


def _answered(text: str) -> str | None:
    """The statements of an answer, without the prose around them."""
    body = _from_statement(text)
    if not body:
        found = significant(text)
        return _trimmed(text) if found and found[0].folded in _SQL_WORDS else None
    end = 0
    for statement in split(significant(body)):
        start = statement[0].start
        if end and statement[0].folded not in _OTHER_STATEMENTS and not _begins(body, start):
            break
        end = start + _paragraph(tokens(body[start : statement[-1].end]))
        if end < statement[-1].end:
            break
    return _trimmed(body[:end])


def _from_statement(text: str) -> str:
    """The text from the first line on that begins a statement."""
    text = text[_leading(tokens(text)) :]
    # No answer has that many sentences that begin so; without a limit a hostile one could cost minutes.
    for line in islice(_LINE.finditer(text), 200):
        if _begins(text, line.end()):
            return _STOP.split(text[line.end() :], maxsplit=1)[0]
    return ""


def _begins(text: str, start: int = 0) -> bool:
    """Whether the line at ``start`` begins a statement and is not a sentence."""
    text = text[start : start + 1000]
    found = significant(text)
    if not found or found[0].folded not in _SQL_WORDS:
        return False
    if found[0].folded == "explain":
        rest = found[3:] if [t.folded for t in found[1:3]] == ["query", "plan"] else found[1:]
        return bool(rest) and _begins(text, rest[0].start)
    if found[0].folded != "select":
        return _STATEMENT.match(" ".join(map(_shown, found))) is not None
    return len(found) > 1 and not _is_prose(significant(text.partition("\n")[0]))


def _shown(token: Token) -> str:
    if token.kind in ("double", "quoted"):
        return "name"
    return token.folded or ("value" if token.kind in ("string", "blob", "number") else "?")


def _is_prose(line: Sequence[Token]) -> bool:
    """Whether a line that begins with "select" is English: an article, a colon, or three words on end.

    Broken SQL such as SELECT name FORM city has three words on end too; a sentence says "Select".
    """
    plain, most = 0, 0
    for before, token in pairwise(line):
        if token.text == ":" or (token.folded in _PROSE and before.folded not in (".", "as")):
            return True
        plain = plain + 1 if token.kind == "word" and token.folded not in KEYWORDS else 0
        most = max(most, plain)
    return most > 2 and line[0].text.istitle()


def _paragraph(found: Sequence[Token]) -> int:
    """Where the first blank line outside quotes ends the statement, or the end.

    It does not where a clause goes on behind it: a word such as FROM, not capitalised as a sentence is.
    """
    blank: int | None = None
    for token in found:
        if token.kind == "space" and token.text.count("\n") > 1:
            blank = token.start if blank is None else blank
        elif blank is not None and token.kind not in ("space", "comment"):
            if token.folded not in _CONTINUES or token.text.istitle():
                return blank
            blank = None
    return len(found) and found[-1].end


def _trimmed(text: str) -> str | None:
    found = tokens(text)
    last = next((t for t in reversed(found) if t.kind not in ("space", "comment") and t.folded != ";"), None)
    # Only an unclosed quote still ends in these; no engine reads it, trimmed or not.
    return text[_leading(found) : last.end].rstrip("; \t\r\n") if last else None


def _leading(found: Sequence[Token]) -> int:
    """Where the first token begins that is no space, comment or ``;``."""
    return next((t.start for t in found if t.kind not in ("space", "comment") and t.folded != ";"), 0)
