"""A sheet of paper to write a game on, and to type it in from: who plays what, a row a decision, the words to write."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, render_template, request, url_for

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.web import words
from daybook.web.recording.new_game import asked_game
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.forms import option_fields
from daybook.web.request.origin import own_address
from daybook.web.request.sharing import qr_code
from daybook.web.words import say

page = Blueprint("paper", __name__)

LINES = 22  # of the first page, that seats, options and rows share
ROWS = 30  # of the second, that the words share
LETTERS = 180  # of words in the height of a row
FIGURES = 3  # that are written beside a decision, to be held against the record


@page.get("/paper")
def blank() -> str:
    """For a game that is not opened yet."""
    rules = asked_game()
    if rules is None:
        return render_template(
            "new_game_which.html", rulesets=RULESETS, goes_to="paper.blank", title=say("A sheet of paper")
        )
    return render_template("paper.html", **_sheet_of(rules, rules.id, url_for("importing.bring")))


@page.get("/games/<uuid:game_id>/paper")
def of_game(game_id: UUID) -> str:
    """For a game that is opened: its players are written in, and the code leads to where it is typed."""
    visit = visit_game(game_id)
    return render_game_page(
        "paper.html",
        visit,
        **_sheet_of(visit.game.ruleset, visit.game.game_key, url_for("typed_line.type_it", game_id=game_id)),
    )


def _sheet_of(rules: AnyRuleset, key: str, typed_at: str) -> dict[str, Any]:
    ledger = words.GAMES[rules.id].ledger
    seats, options = rules.seats[-1], option_fields(rules.types.options)
    figures = (ledger.at_hand or rules.ledger.columns)[:FIGURES]
    kinds = list(dict.fromkeys(words.kind_label(rules.id, tag) for tag in rules.by_tag))
    address = f"{own_address()}{typed_at.removeprefix(request.script_root)}"
    return {
        "game_key": key,
        "seats": seats,
        "options": options,
        "known_colours": rules.colours(book().sheets.printed_sheet(rules.id)),
        "figures": [words.column_label(rules.id, figure) for figure in figures],
        "kinds": kinds,
        "rows": (LINES - seats - len(options) // 3, ROWS - sum(map(len, kinds)) // LETTERS),
        "address": address,
        "code": qr_code(address),
    }
