"""Colours are defined once, in daybook.css, for pages and for pictures that are drawn without it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from daybook.web.boards import colours

ROOT = Path(__file__).parents[2]
WHITE = "#ffffff"


def colours_in(text: str) -> set[str]:
    return {colour.lower() for colour in re.findall(r"#[0-9a-fA-F]{6}\b", text)}


def test_dark_theme_chosen_or_of_device_has_same_colours():
    css = colours.STYLE_SHEET.read_text(encoding="utf-8")
    device = css[css.index("@media (prefers-color-scheme: dark)") :]
    chosen = css[css.index(':root[data-theme="dark"]') :]
    names = [re.findall(r"--[\w-]+: #\w+;", rule[: rule.index("}")]) for rule in (device, chosen)]
    assert len(names[0]) > 20 and names[0] == names[1]


def test_colour_of_pages_is_written_in_one_file():
    ours = {*colours.LIGHT.values(), *colours.DARK.values()} - {WHITE}
    assert len(ours) > 40
    files = [
        file
        for room in ("web", "daybook")
        for kind in ("*.css", "*.py", "*.js", "*.html")
        for file in (ROOT / room).glob(f"**/{kind}")
        if file.name != colours.STYLE_SHEET.name
    ]
    assert len(files) > 300
    again = {str(file.relative_to(ROOT)): colours_in(file.read_text(encoding="utf-8")) & ours for file in files}
    assert {name: values for name, values in again.items() if values} == {}


def test_css_variables_follow_theme_of_device():
    assert colours.css_variables(["ink"]) == (
        ":root{--ink:#1e1b18;}@media (prefers-color-scheme:dark){:root{--ink:#ece7dd;}}"
    )
    with pytest.raises(KeyError):
        colours.css_variables(["sand"])


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [colours.LIGHT, colours.DARK], ids=["light", "dark"])
def test_letter_of_each_colour_is_its_own_and_readable(theme):
    css = colours.STYLE_SHEET.read_text(encoding="utf-8")
    marks = dict(re.findall(r"^\.([cs]-\w+) \{\s+--fill: var\(--\1\);\s+--mark: var\(--(on-\w+)\);", css, re.M))
    assert marks.keys() == {name for name in theme if re.fullmatch(r"[cs]-\w+", name)}, "none is inherited"
    for name, mark in marks.items():
        low, high = sorted((luminance(theme[name]), luminance(theme[mark])))
        assert (high + 0.05) / (low + 0.05) >= 3, f"{name} as large bold text"
