"""The page of a tree in a real browser: every candidate is seen, pruned branches told without colour."""

import shutil

import pytest

from sqlmend.modules.tree import Candidate, Path, Result, merge, to_html

FLAGS = "--headless --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
MADE = [
    Candidate(
        f"c{n}",
        Path("How many?", (table,), functions=(function,), sql=f"SELECT {function}(*) FROM {table}"),
        Result("ok", signature=signature, count=1),
    )
    for n, (table, function, signature) in enumerate(
        [("city", "COUNT", "a"), ("city", "SUM", "b"), ("country", "COUNT", "a"), ("city", "COUNT", "a")], 1
    )
]


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_shows_the_tree(browser, tmp_path, scheme):
    path = tmp_path / "tree.html"
    path.write_text(to_html(merge(MADE), "Reasoning tree of question 7"), "utf-8")
    page = browser.new_page(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    heard, asked = [], []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    assert page.get_by_role("img", name="Reasoning tree of question 7").is_visible()
    shown = page.locator("svg text").all_text_contents()
    for label in ("c1", "c2", "c3", "c4"):
        assert any(text.startswith(f"{label}: 1 row") for text in shown)
    dashes = "node => getComputedStyle(node.querySelector('rect')).strokeDasharray"
    groups = page.locator("svg g")
    pruned = {n for n in range(groups.count()) if groups.nth(n).evaluate(dashes) != "none"}
    marked = {n for n in range(groups.count()) if "(pruned)" in (groups.nth(n).text_content() or "")}
    assert pruned == marked
    assert pruned
    assert page.evaluate("document.documentElement.scrollWidth") <= 400, "the drawing scrolls, not the page"
    assert heard == []
    assert asked == [path.as_uri()]
    page.close()
