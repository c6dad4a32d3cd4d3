from xml.etree import ElementTree

import pytest

from sqlmend.errors import InputError
from sqlmend.eval.report import (
    Bar,
    Curve,
    Figure,
    Interval,
    Mark,
    Page,
    Section,
    Table,
    bars,
    both,
    curves,
    forest,
    render_html,
    tradeoff,
)
from sqlmend.eval.report._charts import NARROW, WIDE
from sqlmend.eval.report._svg import draw
from tests.eval.report.documents import ATTACK

MARKS = [Mark("a", 900, 0.5, 0.4, 0.6, (950, 0.45)), Mark(ATTACK, 900, 0.5)]
INTERVALS = [Interval("a − b", 0.1, 0.02, 0.2, True), Interval(ATTACK, 0.0, 0.0, 0.0, False, True)]
BARS = [Bar("easy", "a", 0.5, 0.2, 0.4), Bar(ATTACK, "a", None), Bar("easy", ATTACK, 0.0)]
CURVES = [Curve("a", [(1, 0.0), (2, 0.5)]), Curve(ATTACK, [(1, 0.1)], True)]
CHARTS = {
    "tradeoff": lambda canvas, marks=MARKS: tradeoff(marks, "tokens", "EX", canvas),
    "forest": lambda canvas, rows=INTERVALS: forest(rows, "points", canvas),
    "bars": lambda canvas, rows=BARS: bars(rows, canvas),
    "curves": lambda canvas, lines=CURVES: curves(lines, canvas),
}
ELEMENTS = {"svg", "g", "path", "line", "rect", "circle", "text", "tspan", "defs", "clipPath"}


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("canvas", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_chart_is_plain_svg_with_the_page_s_colours(name, canvas):
    text = draw(CHARTS[name](canvas), "f")
    root = ElementTree.fromstring(text)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= ELEMENTS
    for element in root.iter():
        assert not {key for key in element.attrib if key.startswith("on") or key in ("style", "href")}
        for paint in (element.get("fill"), element.get("stroke")):
            assert paint in (None, "none", "transparent") or paint.startswith("var(--"), paint
        assert element.get("id", "f-").startswith("f-")
    assert "\x1b" not in text


@pytest.mark.parametrize("name", CHARTS)
def test_a_phone_s_chart_fits_a_phone(name):
    root = ElementTree.fromstring(draw(CHARTS[name](NARROW), "f"))
    assert float(root.get("width")) <= 345


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_of_nothing_is_drawn(name):
    assert "<svg" in draw(CHARTS[name](WIDE, []), "f")


def test_without_the_library_the_page_says_what_is_missing(monkeypatch):
    def missing(module, *, extra):
        raise InputError("missing_extra", module, hint=f"pip install 'sqlmend[{extra}]'")

    monkeypatch.setattr("sqlmend.eval.report._svg.require", missing)
    wide, narrow = both(CHARTS["bars"])
    figure = Figure("F", "alt", wide, narrow, Table("T", [], []))
    html = render_html(Page("P", "l", [Section("S", "s", [figure])]))
    assert "pip install &#39;sqlmend[report]&#39;" in html
    assert "<svg" not in html
