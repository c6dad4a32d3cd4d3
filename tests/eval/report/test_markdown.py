from markdown_it import MarkdownIt

from sqlmend.eval.report import (
    Case,
    Cases,
    Column,
    Facts,
    Page,
    Part,
    Section,
    Side,
    Table,
    Words,
    comparison_page,
    render_markdown,
)
from tests.eval.report.documents import ATTACK, document, hostile

ALLOWED = set(
    "heading_open heading_close paragraph_open paragraph_close inline table_open table_close thead_open "
    "thead_close tbody_open tbody_close tr_open tr_close th_open th_close td_open td_close fence "
    "bullet_list_open bullet_list_close list_item_open list_item_close".split()
)


def tokens(text):
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    blocks = parser.parse(text)
    return blocks, [child for block in blocks for child in block.children or ()]


def test_a_page_is_read_back_as_what_it_says():
    table = Table("T", [Column("a"), Column("b", "share", "of all")], [["x|y", 0.5], ["*z*", None]], "small")
    case = Case("Q?", "w", {}, [Side("s", [Part("Query", "err", "SELECT `a`", "match", True)])])
    blocks = [Words("1. take", "lead"), table, Facts("F", [("k", ["v", "w"])]), Cases("C", "cs", {}, [case])]
    text = render_markdown(Page("P", "lead", [Section("S", "s", blocks)], "foot"))
    parsed, inner = tokens(text)
    words = [child.content for child in inner if child.type == "text"]
    for word in ("1. take", "x|y", "*z*", "50.0 %", "b of all", "–", "v", "Q?", "Query: match", "foot"):
        assert word in words
    assert [block.content for block in parsed if block.type == "fence"] == ["SELECT `a`\n"]


def test_hostile_text_is_never_markup_and_adds_no_block():
    parsed, inner = tokens(render_markdown(comparison_page(hostile())))
    known, _ = tokens(render_markdown(comparison_page(document())))
    assert [block.type for block in parsed] == [block.type for block in known]
    assert {block.type for block in parsed} <= ALLOWED
    assert {child.type for child in inner} <= {
        "text",
        "text_special",
        "strong_open",
        "strong_close",
        "softbreak",
    }
    assert any("<script>" in child.content for child in inner)


def test_no_fence_is_closed_from_inside():
    part = Part("Query", code=ATTACK)
    case = Cases("C", "cs", {}, [Case("q", "w", {}, [Side("s", [part])])])
    parsed, _ = tokens(render_markdown(Page("P", "l", [Section("S", "s", [case])])))
    (fence,) = [block for block in parsed if block.type == "fence"]
    assert "```\n# x" in fence.content
