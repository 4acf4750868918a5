"""The colours of pages, read from their style sheet for whatever is drawn without it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

STYLE_SHEET = Path(__file__).parent.parent / "static" / "daybook.css"


def _read_rule(css: str, selector: str) -> dict[str, str]:
    """Return the colours that the first rule with a selector sets, by the names of their variables."""
    begin = css.index(f"\n{selector} {{")
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", css[begin : css.index("}", begin)]))


_CSS = STYLE_SHEET.read_text(encoding="utf-8")
LIGHT = _read_rule(_CSS, ":root")
DARK = LIGHT | _read_rule(_CSS, ':root[data-theme="dark"]')


def css_variables(names: Iterable[str]) -> str:
    """Return CSS that sets colours as variables, in the theme of the device. Raises KeyError."""
    light, dark = ("".join(f"--{name}:{colours[name]};" for name in names) for colours in (LIGHT, DARK))
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
