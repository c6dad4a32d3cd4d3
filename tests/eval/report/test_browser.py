"""The page in a real browser: quiet, without a network, readable by everyone."""

from __future__ import annotations

import shutil

import pytest

from tests.eval.report.documents import document, hostile, html, short

FLAGS = (
    "--headless --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    "resultTypes": ["violations"],
}


@pytest.fixture(scope="module")
def browser():
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("needs chromium (Debian: apt-get install chromium), which is not here")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the dev extra")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html(document), "utf-8")
    return path


@pytest.fixture
def opened(browser, report):
    """A page, and what it complained of or asked for."""
    yield from _open(browser, report)


def _open(browser, path, **settings):
    page = browser.new_page(**settings)
    heard, asked = [], []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    yield page
    assert heard == []
    assert asked == [path.as_uri()]
    page.close()


def _violations(page):
    from axe_playwright_python.sync_playwright import Axe

    # The charts are hidden from assistive technology; their colours have a test of their own.
    found = Axe().run(page, context={"exclude": [["svg"]]}, options=AXE).response["violations"]
    return [(v["id"], [node["target"] for node in v["nodes"][:3]]) for v in found]


@pytest.mark.parametrize(
    "settings",
    [
        {"viewport": {"width": 1280, "height": 900}},
        {"viewport": {"width": 375, "height": 812}, "color_scheme": "dark"},
    ],
    ids=["desktop", "dark phone"],
)
def test_axe_finds_nothing_and_nothing_runs_off_the_page(browser, tmp_path, settings):
    path = tmp_path / "report.html"
    path.write_text(html(short), "utf-8")
    for page in _open(browser, path, **settings):
        page.evaluate(
            "for (const kind of ['.data', '.case', '#tree-1']) document.querySelector(kind).open = true"
        )
        _require_drawn(page.locator("#tree-1"))
        assert _violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= settings["viewport"]["width"]
        charts = page.locator(".wide svg, .narrow svg")
        assert 2 * charts.filter(visible=True).count() == charts.count()


def _require_drawn(case):
    """All candidates stand on the drawing, and a pruned branch is told without colour."""
    assert case.get_by_role("img").is_visible()
    shown = case.locator("svg text").all_text_contents()
    assert {text[:2] for text in shown if text[2:].startswith(": 1 row")} == {"c1", "c2", "c3", "c4"}
    look = "g => [getComputedStyle(g.querySelector('rect')).strokeDasharray, g.textContent]"
    groups = case.locator("svg g").evaluate_all(f"groups => groups.map({look})")
    assert any(dashes != "none" for dashes, _ in groups)
    assert all((dashes != "none") == ("(pruned)" in text) for dashes, text in groups)


def test_filters_work_by_keyboard(opened):
    block = opened.locator(".cases").first
    cases, said = block.locator(".case:visible"), block.locator("output")
    every = cases.count()
    assert said.text_content() == f"{every} of {every} examples"
    block.get_by_label("Outcome").focus()
    opened.keyboard.press("ArrowDown")
    winner = block.get_by_label("Outcome").input_value()
    assert 0 < cases.count() < every
    assert all(winner.removesuffix(" wins") + " wins over" in text for text in cases.all_text_contents())
    block.get_by_label("Database").select_option(index=1)
    block.get_by_label("Program").select_option(index=1)
    block.get_by_label("Text").fill("no such text anywhere")
    assert cases.count() == 0
    assert said.text_content() == f"0 of {every} examples"
    block.get_by_role("button", name="Clear").click()
    block.locator("output", has_text=f"{every} of {every}").wait_for()
    assert cases.count() == every
    cases.first.locator("summary").focus()
    opened.keyboard.press("Enter")
    assert cases.first.locator("pre").first.is_visible()


def test_a_link_opens_the_memory_or_the_tree_that_it_names(opened):
    for kind in ("memory", "tree"):
        link = opened.locator(f".case .part a[href^='#{kind}-']").first
        link.evaluate("link => { link.closest('details').open = true }")
        target = link.get_attribute("href")
        link.click()
        opened.locator(f"{target}[open]").wait_for()
        assert opened.evaluate("document.activeElement.closest('details').id") == target[1:]


def test_without_a_script_everything_is_there(browser, report):
    for page in _open(browser, report, java_script_enabled=False):
        assert page.locator(".filters:visible").count() == 0
        page.locator(".case summary").first.click()
        assert page.locator(".case pre").first.is_visible()
        assert page.locator("svg:visible").count() > 5


def test_hostile_text_does_nothing(browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(html(hostile), "utf-8")
    for page in _open(browser, path, viewport={"width": 375, "height": 812}):
        block = page.locator(".cases").first
        block.get_by_label("Database").select_option(index=1)
        assert block.locator(".case:visible").count() > 0
        page.evaluate("document.querySelector('#tree-1').open = true")
        assert page.locator("#tree-1 svg text", has_text="<script>").first.is_visible()
        assert page.evaluate("window.pwned") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_print_has_paper_s_colours_and_no_controls(browser, report):
    for page in _open(browser, report, color_scheme="dark"):
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator("form:visible, nav:visible").count() == 0
        assert page.locator("figure:visible").count() > 5
