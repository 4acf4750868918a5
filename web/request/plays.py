"""Visited games as plays for other programs."""

from __future__ import annotations

from daybook.domain.league.plays import Play
from daybook.services.exchange import recorded
from daybook.services.league import clubs
from daybook.services.people import seated
from daybook.services.permissions.visits import Visit
from daybook.web import words
from daybook.web.request.access import book


def play_of_visit(visit: Visit) -> Play | None:
    """Return a finished game as a play in the viewer's words; None for open, practice and abandoned games."""
    game, rules = visit.game, visit.rules
    return recorded.play_of_game(
        game,
        visit.names,
        seated.people_of(game, visit.kept),
        words.game_title(game.game_key),
        [words.colour_label(rules, colour) for colour in visit.colours],
        words.options_label(rules, game.opening.options),
        clubs.meeting_place(book(), game.id, visit.person),
    )
