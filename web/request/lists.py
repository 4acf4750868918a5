"""Limits of every growing list, next to the table of limits for writing addresses (`counts.py`).

A list that anyone can extend, or that grows as long as Daybook is used, is paged or shows only its first rows with a
link to the rest. Lists of one game, season or club are written only by its people and end with it. Addresses without
growing lists are listed with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar
from urllib.parse import urlencode

from flask import request, url_for

from daybook.services.paging import ListPage, UnknownPlaceError, page_of_list

ListRow = TypeVar("ListRow")

ROWS_PER_PAGE: dict[str, int] = {  # by endpoint; `after` in the address begins the next page
    "home.home": 24,
    "clubs.clubs": 50,
    "sheet.sheet": 20,
    "operator.lists": 24,
    "operator.reports": 24,
    "operation.reports": 24,
    "plays.plays": 50,
    "people.people": 30,
    "evenings.evenings": 30,
    "person.person": 5,
    "statistics.left_out": 50,
    "statistics.ask": 100,
    "Games.list_games": 100,
    "Clubs.list_clubs": 100,
    "Clubs.list_evenings": 100,
    "Clubs.show_club": 500,
    "Clubs.show_evening": 500,
    "Clubs.show_ratings": 500,
    "Clubs.show_season": 500,
    "Clubs.show_standings": 500,
    "Clubs.list_tables": 100,
    "Clubs.list_plays": 100,
    "Clubs.list_imports": 100,
    "Clubs.list_challenges": 50,
    "Rulesets and sheets.list_sheets": 100,
    "Evidence.list_audits": 100,
    "Statistics.show_answer": 1000,
    "Statistics.show_winners": 1000,
    "Statistics.show_records": 1000,
    "Statistics.show_meetings": 1000,
    "Statistics.show_streaks": 1000,
    "Statistics.show_luck": 1000,
}
ROWS_FROM: dict[
    str, int
] = {  # endpoint -> rows of its largest list on a page; `from` in the address begins the next one
    "people.people": 100,
    "players.players": 200,
    "season.standings": 100,
    "season.schedule": 100,
    "season.round": 100,
    "club.league": 100,
    "ratings.ratings": 200,
    "person.person": 15,
    "replay.figures": 100,
}
FIRST_ROWS: dict[str, str] = {  # by endpoint or blueprint: number of rows shown, and where the others are
    "new_game.new": "the 12 newest sheets; all of them on the sheet's page",
    "evening_review": "the games of one evening",
    "notifications": "the occasions that exist, and the 20 newest messages",
    "me.me": "the 30 newest changes, all of them in the file; sessions, keys and invitations have limits",
    "messages": "the 50 newest messages",
    "feeds": "the 50 newest news; results and seasons have their pages",
    "operation": "the parts of this Daybook, and as many newest rows of each kind as the page says",
    "audit.overview": "200 games and 60 findings of a rule; all of them by the API",
    "own_log.choose": "the 200 newest plays; filters show the others",
    "exchange.plays": "the 50 newest imports, rows and games; all of it in the files",
    "club.club": "3 results, games, winners and records; all of them on the pages of the seasons",
    "year": "8 years, 5 games and people, 3 records, 12 new games; all of them in the log of plays",
    "challenges.challenge": "60 games of each kind; all plays in the log",
    "challenges.challenges": "60 challenges, the newest first; all of them by the API",
    "Clubs.show_challenge": "60 games of each kind; all plays by Clubs.list_plays",
    "draw": "100 tables of a preview; all of them on the season's page",
    "statistics": "60 rows of a table, 200 games; all of them in the files",
    "openings": "50 games and the rows of what began alike; all of them in the files",
    "luck.luck": "20 moves; all people in the files",
    "Statistics.show_games": "200 games; narrower questions have the others",
    "live.events_of_games": "20 games of one stream",
    "live_round": "120 tables, 200 places of each group; all of them on the pages of the season and the evening",
    "Clubs.show_live_round": "120 tables, 200 places of each group",
    "Clubs.show_live_evening": "120 tables",
    "club_embed": "200 rows, 12 evenings; all of them on the pages of the club",
    "calendar": "of each club the 400 evenings and the 400 tables that come last",
    "Corrections.explain_count": "a piece of the search, with `next`",
}
COMPLETE_FILES: frozenset[str] = frozenset(  # endpoints with all rows, for authorized viewers
    {
        "about.export",
        "Records.export_record",
        "club.entries",
        "Clubs.export_club",
        "me.file",
        "sheet.save",
        "evidence.file",
        "luck.file",
        "openings.games_file",
        "openings.opening_file",
        "ratings.ratings_file",
        "exchange.file",
        "season.archive",
        "season.schedule_file",
        "season.standings_file",
        "statistics.ask_file",
        "statistics.games_file",
        "statistics.meetings_file",
        "statistics.table_file",
        "replay.figures_csv",
    }
)
BOUNDED_BY: dict[
    str, str
] = {  # by endpoint or blueprint: the group that adds rows, and the event after which they stop
    **dict.fromkeys(
        (
            "about",
            "adjust",
            "audit.one",
            "mistyped",
            "bg_stats",
            "chances",
            "claims",
            "compare",
            "correct",
            "count",
            "device_lease",
            "evidence.receipt",
            "figure",
            "lease",
            "links.joined",
            "links.links",
            "links.pen",
            "live",
            "moments",
            "paper.form_of_game",
            "printed_game.of_game",
            "passing",
            "photos",
            "pictures",
            "practice_table.why",
            "record",
            "replay",
            "ruling",
            "score",
            "shared",
            "as_played",
            "typed_line",
            "what_if",
            "wrong",
            "wrong_figure",
            "Analysis",
            "Claims",
            "Corrections",
            "Evidence.give_receipt",
            "Games",
            "Reading",
            "Records",
            "What if",
        ),
        "game",
    ),
    **dict.fromkeys(
        (
            "closing",
            "league.settle_season",
            "players",
            "season",
            "season_picture",
            "succession",
            "table",
            "Clubs.show_draw",
        ),
        "season",
    ),
    **dict.fromkeys(("anonymous.of_club", "club", "evenings", "league.open_season", "ratings", "Clubs"), "club"),
}
NO_GROWING_LIST: dict[str, str] = {  # by endpoint or blueprint: the reason
    "anonymous.myself": "one person",
    "merging.merge": "two accounts",
    "own_log.own_log": "one button",
    "me.picture": "one photo",
    "checking": "the file that is sent",
    "clubs.new_club": "a form",
    "clubs.import_club": "a form",
    "making.make": "a form, whose lines have a limit",
    "evidence.verifying": "the keys of this service",
    "Evidence.show_receipt_key": "the keys of this service",
    "help": "words",
    "terms": "words",
    "reports": "a form, one report",
    "here": "files of the program",
    "static": "files of the program",
    "manifest": "names of the program",
    "metrics": "a figure for each queue, projection and status",
    "pictures.example_board": "one board",
    "pictures.example_in_passing": "the steps of one example",
    "unreached": "words",
    "importing": "a form",
    "paper.blank": "a form to print",
    "invited": "one invitation",
    "links.join": "one link",
    "links.dropped": "the last eight links",
    "practice": "a form",
    "practice_table.table": "a form",
    "sign_in": "a form",
    "Health": "figures",
    "Clubs.list_years": "the years with plays",
    "Clubs.show_year": "the first games and people of one year",
    "challenges.new": "a form",
    "Keys": "the keys of one person, which have a limit",
    "Rulesets and sheets": "the games of the program, one sheet",
    "Statistics.list_measures": "what the program counts",
    "api-document": "the program's own addresses",
}


def list_bound(endpoint: str) -> str | None:
    """Return what bounds the lists of an address; None if nothing is declared."""
    for name in (endpoint, endpoint.partition(".")[0]):
        if name in ROWS_PER_PAGE:
            return "pages"
        if name in COMPLETE_FILES:
            return "a file"
        for table in (FIRST_ROWS, BOUNDED_BY, NO_GROWING_LIST):
            if name in table:
                return table[name]
    return None


def requested_page(endpoint: str, page_after: Callable[[str, int], ListPage[ListRow]]) -> tuple[list[ListRow], str]:
    """Return the requested page of a list and the address of the next; "" after the last.

    An unknown place starts at the first page.
    """
    try:
        page = page_after(request.args.get("after", ""), ROWS_PER_PAGE[endpoint])
    except UnknownPlaceError:
        page = page_after("", ROWS_PER_PAGE[endpoint])
    return page.rows, _requested_list_url(after=page.next) if page.next else ""


def rows_from(endpoint: str, rows: Iterable[ListRow], place: Callable[[ListRow], str]) -> tuple[list[ListRow], str]:
    """Return the rows from the place `from` in the address on, and the address of the next rows; "" after the last."""
    rows, limit = [*rows], ROWS_FROM[endpoint]
    try:
        list_page = page_of_list(rows, place, request.args.get("from", ""), limit)
    except UnknownPlaceError:
        list_page = page_of_list(rows, place, "", limit)
    if not list_page.next:
        return list_page.rows, ""
    query = {name: value for name, value in request.args.items() if name != "from"} | {"from": list_page.next}
    return list_page.rows, f"{url_for(request.endpoint or '', **(request.view_args or {}))}?{urlencode(query)}"


def first_page() -> str:
    """Return the address of the requested list's first page."""
    return _requested_list_url()


def _requested_list_url(**more: str) -> str:
    query = {name: value for name, value in request.args.items() if name != "after"} | more
    path = url_for(request.endpoint or "", **(request.view_args or {}))
    return f"{path}?{urlencode(query)}" if query else path
