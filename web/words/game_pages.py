"""Page parts that games provide, through entry points of the group `daybook.games.web`.

An entry point is named after its game and names a `GamePages`. It is separate from the game, so that rules know no
pages, and loaded on first use, since it is built from this package and `web.boards`. A game without one is shown by the
names of its decisions, effects and fields, and as a table of values.
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


LINE_NAME = re.compile(r"line\.[0-9]{1,3}\.name")  # form field that names a line


@dataclass(frozen=True, kw_only=True)
class SheetMaker:
    """A form that makes a sheet, for a ruleset with sheets that are games of their own."""

    template: str
    read: Callable[[Mapping[str, str]], dict[str, Any]]  # (form fields): values by path
    fields: Callable[[Sheet], dict[str, str]]  # form fields of a sheet
    preview: Callable[[Sheet], Any]  # for the template
    field: Callable[[Mapping[str, str], str, Mapping[str, Any]], str] = lambda form, rule, figures: ""
    # (form fields, rule or path, figures of the reason): the field that a refusal is about; "" for no single one
    rounds: Callable[[Sheet], Mapping[int, int]] = lambda sheet: {}  # fixed number of rounds by number of players
    most_rounds: int = 0
    with_rounds: Callable[[int], dict[str, Any]] = lambda rounds: {}  # overrides for another number of rounds


@dataclass(frozen=True, kw_only=True)
class GamePages:
    """Page parts of one game; missing parts have plain defaults.

    Args:
        counted: names for values of its measures that its words lack.
        labels: names of printed numbers by path, where the words of the path are not enough.
        maker: form that makes one of its sheets.
        drawing: module with `parts`, `TEMPLATE` and `STYLES`, as in `web.boards`.
        miniature: draws the small board, as in `web.boards.miniature`.
        folder: of its files: templates/boards/, static/ and translations/.
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
    """Return the page parts of a game; empty ones for a game without any."""
    rules = rules_of(ruleset_id)
    return NOTHING if rules is None else _installed_pages().get(rules.id, NOTHING)


def game_folders(name: str) -> list[Path]:
    """Return the games' folders "templates", "static" or "translations", in the order of the games."""
    all_folders = (pages_of(ruleset_id).folder for ruleset_id in PACKAGES)
    return [folder / name for folder in all_folders if folder is not None and (folder / name).is_dir()]


@cache
def _installed_pages() -> dict[str, GamePages]:
    pages_by_game, failed = load("daybook.games.web", GamePages, find_unknown_field)
    for failure in failed:
        logger.error("pages of %s", failure)
    return {ruleset_id: pages for ruleset_id, pages in pages_by_game.items() if ruleset_id in PACKAGES}


def find_unknown_field(ruleset_id: str, pages: GamePages, loaded: Mapping[str, GamePages]) -> str:
    """Return the error of words about fields that their decision or effect lacks; "" if all fit."""
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
