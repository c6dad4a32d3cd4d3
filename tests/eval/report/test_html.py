import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from sqlmend.eval.report import comparison_page, render_html
from tests.eval.report.documents import document, hostile, html, unfinished, without


class Seen(HTMLParser):
    """The elements of a page with their attributes, ids, and the text of style and script."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.inline, self._open = [], {"style": [], "script": []}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._open = tag if tag in self.inline else None

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open:
            self.inline[self._open].append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture(scope="module")
def good():
    return Seen(html(document))


@pytest.fixture(scope="module")
def attacked():
    return Seen(html(hostile))


def test_only_its_own_style_and_script_may_act(good):
    (policy,) = [m["content"] for m in good.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    for kind in ("style", "script"):
        (text,) = good.inline[kind]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_nothing_is_loaded_and_nothing_is_inline(good, attacked):
    for page in (good, attacked):
        for tag, attrs in page.elements:
            assert "src" not in attrs
            assert "style" not in attrs
            assert not [name for name in attrs if name.startswith("on")]
            assert attrs.get("href", "#").startswith("#") or (tag == "link" and attrs["href"] == "data:,")


def test_hostile_text_adds_no_element(good, attacked):
    # Charts are left out: two names that were near may have taken a row of their own.
    def outline(page):
        chart = {"svg", "g", "path", "line", "rect", "text", "circle", "defs", "clippath"}
        return [tag for tag, _ in page.elements if tag not in chart]

    assert outline(attacked) == outline(good)


def test_ids_are_unique_and_links_lead_somewhere(good):
    ids = [attrs["id"] for _, attrs in good.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {attrs["href"][1:] for attrs in good.all("a")} <= set(ids)


def test_every_figure_has_words_and_numbers(good):
    figures, images = good.all("figure"), [a for a in good.all("div") if a.get("role") == "img"]
    assert len(figures) == len(images) >= 6
    assert all(len(image["aria-label"]) > 40 for image in images)
    trees = [a for a in good.all("svg") if a.get("class") == "tree"]
    assert len(good.all("svg")) == 2 * len(figures) + len(trees)
    assert len(good.all("title")) == 1 + len(trees) == 3


def test_the_page_stays_small():
    assert len(html(document)) < 700_000


@pytest.mark.parametrize(
    "known",
    [unfinished(), without("pairs", "group_effects", "curves", "recall", "breakdowns", "runs")],
    ids=["unfinished", "nothing to compare"],
)
def test_a_comparison_that_has_less_to_say_is_shown_too(known):
    text = render_html(comparison_page(known))
    assert "Provenance" in text
    assert not re.search(r"\bNone\b|\bnan\b", text)
