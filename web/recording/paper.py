"""Paper form for writing a game down and typing it in later."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, render_template, request, url_for

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.web import words
from daybook.web.recording.new_game import requested_game
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.forms import option_fields
from daybook.web.request.origin import own_address
from daybook.web.request.sharing import qr_code
from daybook.web.words import say

page = Blueprint("paper", __name__)

FIRST_PAGE_LINES = 22  # shared by seats, options and rows
MAX_BLANK_SEATS = 12  # lines for players on a blank form
SECOND_PAGE_ROWS = 29  # for the words
WORDS_CHARACTERS_PER_ROW = 180
MAX_FIGURES_PER_DECISION = 3  # to compare with the record


@page.get("/paper")
def blank() -> str:
    """Show the paper form for a new game."""
    rules = requested_game()
    if rules is None:
        return render_template(
            "new_game_which.html", rulesets=RULESETS, goes_to="paper.blank", title=say("A sheet of paper")
        )
    return render_template("paper.html", **_sheet_of(rules, rules.id, url_for("importing.bring")))


@page.get("/games/<uuid:game_id>/paper")
def form_of_game(game_id: UUID) -> str:
    """Show the paper form of an open game with its players and a code for typing it in."""
    visit = visit_game(game_id)
    return render_game_page(
        "paper.html",
        visit,
        **_sheet_of(visit.game.ruleset, visit.game.game_key, url_for("typed_line.type_it", game_id=game_id)),
    )


def _sheet_of(rules: AnyRuleset, key: str, typed_at: str) -> dict[str, Any]:
    ledger = words.GAMES[rules.id].ledger
    seats, options = min(rules.seats[-1], MAX_BLANK_SEATS), option_fields(rules.types.options)
    figures = (ledger.at_hand or rules.ledger.columns)[:MAX_FIGURES_PER_DECISION]
    kinds = list(dict.fromkeys(words.kind_label(rules.id, tag) for tag in rules.by_tag))
    address = f"{own_address()}{typed_at.removeprefix(request.script_root)}"
    return {
        "game_key": key,
        "seats": seats,
        "options": options,
        "known_colours": rules.colours(book().sheets.printed_sheet(rules.id))[:MAX_BLANK_SEATS],
        "figures": [words.column_label(rules.id, figure) for figure in figures],
        "kinds": kinds,
        "rows": (
            FIRST_PAGE_LINES - seats - len(options) // 3,
            SECOND_PAGE_ROWS - sum(map(len, kinds)) // WORDS_CHARACTERS_PER_ROW,
        ),
        "address": address,
        "code": qr_code(address),
    }
