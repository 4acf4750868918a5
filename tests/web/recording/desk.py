"""The record page, read and pressed with forms and links alone."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from daybook.domain.kernel.events import DecisionRecorded
from tests.web.conftest import Form, Opened, VisitedPage, Visitor


def desk(game: Opened, somebody: Visitor | None = None, **query: Any) -> VisitedPage:
    return (somebody or game.visitor()).get(f"{game.path}/record", **query)


def choices(page: VisitedPage) -> list[str]:
    """Return the texts of the page's buttons in order."""
    found = []
    for kind, attributes, inside in re.findall(
        r'<(?:a|button) class="(pick|cell)\b([^>]*)>(.*?)</(?:a|button)>', page.html, re.S
    ):
        named = re.search(r'aria-label="([^"]*)"', attributes)
        label = named[1] if named else inside.split("<span>")[-1].split("<")[0]
        found.append(unescape(label.partition(",")[0] if kind == "cell" else label).strip())
    return found


def press(somebody: Visitor, page: VisitedPage, text: str) -> VisitedPage:
    """The page after a button or a link that says this."""
    for form in page.forms:
        if "decision" in form.fields and any(text in button for button in form.buttons):
            return somebody.send(form)
    return somebody.get(next(href for words, href in page.links if text in words and "/record?" in href))


def wholly(page: VisitedPage) -> bool:
    """Return whether a decision is chosen as a whole."""
    return any("Save" in form.buttons for form in page.forms)


def save_page(somebody: Visitor, page: VisitedPage) -> VisitedPage:
    return somebody.send(page.form("Save"))


def form_that_writes(page: VisitedPage, text: str) -> Form:
    """The button that says this and writes the turn with it."""
    return next(form for form in page.forms if "turn" in form.fields and any(text in button for button in form.buttons))


def decision_types(game: Opened) -> list[str]:
    return [entry.event.decision["type"] for entry in game.game.entries if isinstance(entry.event, DecisionRecorded)]
