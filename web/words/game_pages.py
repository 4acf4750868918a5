"""What games bring to the pages, by the entry points of the group `daybook.games.web`.

An entry point has the id of its game as its name and names a `GamePages`. It is found apart from the game itself, so
that the rules know no page. They are loaded when the first page asks for them: what they bring is made of what this
package and `web.boards` provide. A game that brings nothing is told by the names of its
decisions, effects and fields, and drawn as a table of its values.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from daybook.domain.games import PACKAGES, rules_of
from daybook.domain.kernel.installed import load
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import ByNumber
from daybook.web.words.game_words import GameWords
from daybook.web.words.say import Filled, figures_in

logger = logging.getLogger(__name__)


LINE_NAME = re.compile(r"line\.[0-9]{1,3}\.name")  # the field of a maker's form that names a line


@dataclass(frozen=True, kw_only=True)
class SheetMaker:
    """A form that makes a sheet, of a game of which each sheet is a game of its own.

    template: draws the form; read: (fields as they were sent), by path what they say; fields: (sheet), what the form
    says of one; preview: (sheet), what its template shows of it, as it would be played.
    """

    template: str
    read: Callable[[Mapping[str, str]], dict[str, Any]]
    fields: Callable[[Sheet], dict[str, str]]
    preview: Callable[[Sheet], Any]


@dataclass(frozen=True, kw_only=True)
class GamePages:
    """What one game brings to the pages; what it leaves out has something plain in its place.

    counted: names of things that its measures are told apart by and its words have no name for. labels: names of
    printed numbers, by path, where the words of the path do not say enough. maker: a form of its own that makes one. drawing: a module with `parts`, `TEMPLATE` and `STYLES`, as `web.boards` describes it. miniature:
    draws the board small from what its parts show, as `web.boards.miniature` describes it. folder: where its files lie:
    the drawing's template in templates/boards/, its style sheets in static/, its texts in other languages in
    translations/.
    """

    words: GameWords | None = None
    counted: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    maker: SheetMaker | None = None
    drawing: ModuleType | None = None
    miniature: Callable[..., Any] | None = None
    folder: Path | None = None


NOTHING = GamePages()


def pages_of(ruleset_id: str) -> GamePages:
    """What a game brings to the pages; of a game that brings nothing, nothing."""
    rules = rules_of(ruleset_id)
    return NOTHING if rules is None else _installed_pages().get(rules.id, NOTHING)


def folders(name: str) -> list[Path]:
    """What games have of the folders "templates", "static" and "translations", in the order of the games."""
    whole = (pages_of(ruleset_id).folder for ruleset_id in PACKAGES)
    return [folder / name for folder in whole if folder is not None and (folder / name).is_dir()]


@cache
def _installed_pages() -> dict[str, GamePages]:
    found, failed = load("daybook.games.web", GamePages, unknown_field)
    for one in failed:
        logger.error("pages of %s", one)
    return {ruleset_id: pages for ruleset_id, pages in found.items() if ruleset_id in PACKAGES}


def unknown_field(ruleset_id: str, pages: GamePages, known: Mapping[str, GamePages]) -> str:
    """What words are about that its decision or effect does not have; "" where all of them fit."""
    if pages.words is None:
        return ""
    for row in (*pages.words.decisions.rows, *pages.words.decisions.parts_of_lists):
        if missing := sorted({*row.fields, row.needless} - {"", *row.kind.__struct_fields__}):
            return f"{row.kind.__name__} has no {', '.join(missing)}, which is asked for"
    for sentences in (pages.words.decisions.sentences, pages.words.effects):
        for kind, sentence in sentences.items():
            text, figures = (sentence.text, sentence.figures) if isinstance(sentence, Filled) else (sentence, {})
            text = text.many if isinstance(text, ByNumber) else text
            if isinstance(text, str) and (missing := sorted(figures_in(text) - {*kind.__struct_fields__, *figures})):
                return f"{kind.__name__} has no {', '.join(missing)}, which its sentence names: {text!r}"
    return ""
