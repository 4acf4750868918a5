"""The first page: the games being recorded, those that are finished, and practice games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from flask import Blueprint, render_template, request, url_for
from markupsafe import Markup

from daybook.domain import commands
from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.points import Points
from daybook.services.league.seekers import seeker_of
from daybook.services.permissions.actions import has_role
from daybook.services.permissions.delays import game_for
from daybook.services.play.game_search import GameFilter, PageEnd, Searcher, search_games
from daybook.services.store import disagreements, read_models
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError
from daybook.services.store.read_models import GameList, GameRow, list_of
from daybook.web.boards.cards import draw_bars
from daybook.web.boards.pen import COVERED
from daybook.web.request.access import book, current_person, grants_of, held_grants, shows_veiled, signed_in_name
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.game_query import LISTS, GameQuery, read_query
from daybook.web.request.lists import ROWS_PER_PAGE
from daybook.web.request.parts import has_part
from daybook.web.site.here import is_built
from daybook.web.site.summary import example_names, example_record, summary_steps
from daybook.web.words import points_label, won_label
from daybook.web.words.game_pages import pages_of
from daybook.web.words.seat_marks import seat_paint

page = Blueprint("home", __name__)

MAX_NEWEST_GAMES = 200  # on pages about all games
FRONT_PAGE_ROWS: dict[GameList, int] = {"running": 12, "finished": 10, "practice": 3}  # of each list


class GameLine(Frozen):
    """A game in the list."""

    row: GameRow
    records: bool  # this browser may record it
    totals: list[Points | None]  # by seat; None for covered ones
    hangs: bool  # the rules cover totals during the game

    @property
    def is_drawn(self) -> bool:
        """Check if the list shows a small board."""
        return has_part("pictures") and pages_of(self.row.ruleset).miniature is not None

    @property
    def bars(self) -> Markup:
        """Small bars of the standing."""
        return draw_bars([seat_paint(seat, colour) for seat, colour in enumerate(self.row.colours)], self.totals)


class Playing(Frozen):
    """The game that replays itself on the first page."""

    at: str  # address of its pictures
    title: str = ""  # empty for the example
    ruleset: str = ""
    says: str = ""
    step: int | None = None
    opening_step: int = 0  # that it starts from: pieces are on the board by then
    names: Sequence[str] = ()
    colours: Sequence[str] = ()
    totals: Sequence[str] = ()


class GamePage(Frozen):
    """A page of a list of games."""

    games: list[GameLine]
    more: str  # address of the next page, or ""


def _filter_choices(shown: Iterable[str]) -> list[str]:
    """Return the games to filter by: all rulesets, and the sheets among the shown games."""
    return [*RULESETS, *sorted({key for key in shown if is_by_name(key)})]


@page.get("/")
def home() -> str:
    query, seeker = read_query(request.args, zone_of_visitor()), current_searcher()
    first_visit = not held_grants() and not signed_in_name()
    shown = {
        "without_network": has_part("here") and is_built(),
        "query": query,
        "lists": LISTS,
        "may_be_mine": not first_visit,
    }
    if not query.is_empty:
        found = (
            GamePage([], "")
            if query.faults
            else search_page(seeker, query.asked, query.filled_fields, ROWS_PER_PAGE["home.home"], query.after)
        )
        shown["rulesets"] = _filter_choices([query.fields["game"], *(line.row.ruleset for line in found.games)])
        return render_template("games_found.html", found=found, club=club_named(seeker, query), **shown)
    lists = {
        name: search_page(seeker, GameFilter(list=name), {"list": name}, limit)
        for name, limit in FRONT_PAGE_ROWS.items()
    }
    listed = {line.row.game for part in lists.values() for line in part.games}
    unlisted = unlisted_games({grant.game for grant in held_grants()} - listed)
    for line in unlisted:
        part = list_of(line.row.kind, line.row.status)
        lists[part] = GamePage([line, *lists[part].games], lists[part].more)
    shown["rulesets"] = _filter_choices(line.row.ruleset for part in lists.values() for line in part.games)
    return render_template(
        "home.html",
        first_visit=first_visit,
        playing=playing_here([*lists["finished"].games, *lists["practice"].games, *lists["running"].games]),
        running=lists["running"],
        finished=lists["finished"],
        practice=lists["practice"],
        **shown,
    )


def playing_here(games: Sequence[GameLine]) -> Playing | None:
    """Return the first drawn game, else the example; None without pictures."""
    if not has_part("pictures"):
        return None
    line = next((line for line in games if line.is_drawn), None)
    if line is None:
        return _example()
    row = line.row
    says = won_label(row.names, row.ranks) if row.status == "closed" and row.ranks else ""
    totals = [COVERED if total is None else points_label(row.ruleset, total) for total in line.totals]
    at = url_for("replay.replay", game_id=row.game)
    return Playing(at, row.title, row.ruleset, says, row.step, row.step // 3, row.names, row.colours, totals)


def _example() -> Playing:
    """Return the bundled game, where no game has been played."""
    game, names = example_record().game, example_names()
    *_, (_, says, totals) = summary_steps(game, names)
    return Playing(
        url_for("pictures.example_board").rpartition("/")[0],
        says=says,
        names=names,
        colours=[seat.colour for seat in game.opening.seats],
        totals=totals,
    )


def current_searcher() -> Searcher:
    """Return the user as a searcher."""
    return seeker_of(book(), current_person(), (grant.game for grant in held_grants()))


def search_page(
    seeker: Searcher, filters: GameFilter, query_fields: dict[str, str], limit: int, after: PageEnd | UUID | None = None
) -> GamePage:
    """Search games and build a page of the list.

    Args:
        query_fields: the query as the address has it.
    """
    page = search_games(book(), seeker, filters, after, limit)
    query = {**query_fields, "after": page.next.text} if page.next else {}
    more = f"{url_for('home.home')}?{urlencode(query)}" if query else ""
    return GamePage([game_line(row) for row in page.rows], more)


def club_named(seeker: Searcher, query: GameQuery) -> str:
    """Return the name of the filtered club; "" if its pages are closed to the viewer."""
    return next((name for club_id, name in seeker.readable if club_id == query.asked.club), "")


def unlisted_games(ids: set[UUID]) -> list[GameLine]:
    """Return games that the list does not have yet, the newest first."""
    missing = ids - read_models.games_listed(book().views, ids)
    rows = [row for row in map(unlisted_row, missing) if row is not None]
    return [game_line(row) for row in sorted(rows, key=lambda row: row.position, reverse=True)]


def game_line(row: GameRow) -> GameLine:
    """Build a line of the list of games for this visitor."""
    grants = grants_of(row.game)
    own = {grant.seat for grant in grants if grant.role == "seat"}
    rules = rules_of(row.ruleset)
    veil = rules.secrecy.veil if rules else None
    hangs = veil is not None and not row.revealed and not row.over
    totals = [
        None if hangs and not shows_veiled() and seat not in own else total for seat, total in enumerate(row.totals)
    ]
    return GameLine(row, has_role(grants, row.game, commands.Note), totals, hangs)


def shown_games() -> list[GameRow]:
    """Return the newest readable games: public ones, those of held links, and those of the user's clubs."""
    newest = search_games(book(), current_searcher(), GameFilter(), limit=MAX_NEWEST_GAMES).rows
    later = [
        line.row for line in unlisted_games({grant.game for grant in held_grants()} - {row.game for row in newest})
    ]
    return sorted([*newest, *later], key=lambda row: row.position, reverse=True)


def unlisted_row(game_id: UUID) -> GameRow | None:
    """Return the row of a game that the list does not have yet; None if it is missing or unreadable."""
    kept = book().kept.game(game_id)
    if kept is None:
        return None
    try:
        game = game_for(book(), book().games.get(game_id), grants_of(game_id))
        row = read_models.build_game_row(
            game, game.step, book().log.position(game_id, game.step), disagreements.select_of_game(book().kept, game_id)
        )
    except (UnknownGameError, *UNREADABLE):
        return None
    scores = game.ruleset.scoring.standing(game.ruleset.so_far(game.board))
    return GameRow(
        game=game_id,
        title=kept.title,
        public=kept.public,
        names=kept.names,
        colours=tuple(seat.colour for seat in game.opening.seats),
        ruleset=game.game_key,
        kind=game.opening.kind,
        status=game.status,
        revealed=game.is_revealed,
        step=game.step,
        marks=game.figures_at(game.step)[1],
        totals=tuple(score.total for score in scores),
        over=row["over"],
        ranks=tuple(msgspec.json.decode(row["ranks"])),
        as_played=row["as_played"],
        against_rules=row["against_rules"],
        provisional=row["claims_open"] > 0,
        opened_at=row["opened_at"],
        last_at=row["last_at"],
        played_on=row["played_on"],
        position=row["position"],
    )
