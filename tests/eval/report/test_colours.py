"""Contrast of the page's colours, those of the charts included (WCAG 2.1: 4.5 for text, 3 for marks)."""

import re
from importlib.resources import files

import pytest

STYLE = files("sqlmend.eval.report").joinpath("assets/page.css").read_text("utf-8")
THEMES = {
    number: dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6});", block))
    for number, block in enumerate(re.findall(r":root \{([^}]*)\}", STYLE))
}
TEXT = ("ink", "soft", "accent", "second", "good", "bad")


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_there_is_a_theme_for_light_dark_and_paper():
    assert len(THEMES) == 3
    assert len({frozenset(theme) for theme in THEMES.values()}) == 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=["light", "dark", "paper"])
def test_text_and_marks_stand_out(theme):
    for name in TEXT:
        for ground in ("paper", "wash"):
            assert contrast(theme[name], theme[ground]) >= 4.5, (name, ground)
