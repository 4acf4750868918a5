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
