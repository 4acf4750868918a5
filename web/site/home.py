"""The first page: the games being recorded, those that are finished, and practice games."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Blueprint, render_template

from daybook.domain.games import RULESETS
from daybook.services.store import read_models
from daybook.services.store.games import UnknownGame
from daybook.services.store.read_models import GameRow
from daybook.web.request.access import book, club_games, grants_of, held_grants, shows_veiled, signed_in_name
from daybook.web.request.parts import part_here
from daybook.web.site.here import is_built

page = Blueprint("home", __name__)


class GameLine(msgspec.Struct, frozen=True):
    """One line of the list: the game, whether this browser may record it, and the totals it shows, by seat.

    hangs: whether the rules keep totals covered; of those that are, there is None.
    """

    row: GameRow
    records: bool
    totals: list[int | None]
    hangs: bool


@page.get("/")
def home() -> str:
    rows = shown_games()
    games = [game_line(row) for row in rows]
    return render_template(
        "home.html", without_network=part_here("here") and is_built(),
        first_visit=not held_grants() and not signed_in_name(),
        running=[g for g in games if g.row.kind == "table" and g.row.status == "running"],
        finished=[g for g in games if g.row.kind == "table" and g.row.status != "running"],
        practice=[g for g in games if g.row.kind == "practice"])


def game_line(row: GameRow) -> GameLine:
    grants = grants_of(row.game)
    own = {grant.seat for grant in grants if grant.role == "seat"}
    veil = RULESETS[row.ruleset].secrecy.veil
    hangs = veil is not None and row.kind == "table" and row.status == "running" and not row.over
    totals = [
        None if hangs and not shows_veiled() and seat not in own else total for seat, total in enumerate(row.totals)]
    return GameLine(row, any(grant.role in ("scorekeeper", "seat") for grant in grants), totals, hangs)


def shown_games() -> list[GameRow]:
    """Public games, those this browser holds a link to, those of the clubs of who is signed in; the newest first."""
    mine = {grant.game for grant in held_grants()}
    found = {row.game: row for row in read_models.list_games(book(), public_only=True)}
    found.update((row.game, row) for row in read_models.list_games(book(), ids=mine | club_games()))
    for id in mine - found.keys():
        row = not_listed_yet(id)
        if row is not None:
            found[id] = row
    return sorted(found.values(), key=lambda row: row.last_at, reverse=True)


def not_listed_yet(id: UUID) -> GameRow | None:
    """The row of a game that the list has not heard of yet; None for one that is gone."""
    kept = book().kept.game(id)
    if kept is None:
        return None
    try:
        game = book().games.get(id)
    except UnknownGame:
        return None
    row = read_models.row_of(game, game.step)
    board = game.ruleset.scoring.standing(game.board)
    return GameRow(
        game=id, title=kept.title, public=kept.public, names=kept.names,
        colours=tuple(seat.colour for seat in game.opening.seats), ruleset=game.opening.ruleset,
        kind=game.opening.kind, status=game.status, step=game.step, marks=game.figures_at(game.step)[1],
        totals=tuple(score.total for score in board), over=row["over"], ranks=tuple(msgspec.json.decode(row["ranks"])),
        as_played=row["as_played"], provisional=row["claims_open"] > 0, opened_at=row["opened_at"],
        last_at=row["last_at"])
