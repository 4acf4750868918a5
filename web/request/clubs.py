"""Clubs of a request: the requested club, the user's permissions, and display names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn
from uuid import UUID, uuid5

from flask import abort, render_template, request, url_for

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.game_names import ANY
from daybook.domain.kernel.terms import Reason
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_commands import ClubCommand
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Result
from daybook.domain.league.standings import GroupStandings
from daybook.services.league import clubs
from daybook.services.league.season_progress import Undrawn, undrawn_of
from daybook.services.names import BadNameError, appearance_key
from daybook.services.permissions.actions import ClubAction, ClubVisit, may, require
from daybook.services.permissions.readable_clubs import as_seen
from daybook.services.play.repetition import KeyUsedError, MovedOnError
from daybook.services.play.writing import Writer
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.log import RecordErasedError
from daybook.web.request.access import book, current_person, held_grants, link_here
from daybook.web.request.forms import key_sent, text_sent
from daybook.web.request.sharing import set_preview
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import game_title, league_words, say
from daybook.web.words.challenge_words import challenge_state, challenge_title

GUEST_ID_NAMESPACE = UUID("0a3d1c1e-6f0e-5f5e-8f57-6e8f2d6a4b90")  # a guest named twice by one form is one person
BESIDE_PATH = "beside"  # part of addresses for games outside of seasons

MAX_PEOPLE_LISTED = 200  # in a form; in larger clubs, others are typed
Names = Mapping[str, str]
NO_GUESTS: Names = {}


def user_id() -> str:
    """Return the id of the signed-in user; "" for no one."""
    return current_person() or ""


def visit_club(club: Club) -> ClubVisit:
    """Return a club as the user may meet it, with the links that the browser holds."""
    link = link_here()
    own_session = link is None or link.made_by == clubs.OPERATOR
    return ClubVisit(club, user_id(), held_grants(), own_session)


def require_club(club_id: UUID, action: ClubAction = "read_club") -> Club:
    """Return the requested club if the user may do something there, without evenings that they may not see.

    404 for an unknown club, 410 for an erased one. Raises MayNotError.
    """
    try:
        visit = visit_club(book().clubs.get(club_id))
    except RecordErasedError:
        raise
    except UnknownClubError:
        abort(404)
    if action != "see_evenings":  # evenings may be public in a club that is not
        require(visit, "read_club")
    require(visit, action)
    return as_seen(visit)


def user_may(club: Club, action: ClubAction | type[ClubCommand], **fields: Any) -> bool:
    """Check if the user may do something in a club. fields: those of a command that decide it."""
    return bool(may(visit_club(club), action, **fields))


def require_role(club: Club, action: ClubAction | type[ClubCommand], **fields: Any) -> None:
    """Raise MayNotError if the user may not do something in a club. fields: as in `user_may`."""
    require(visit_club(club), action, **fields)


def season_at(club: Club, season_id: str) -> Season:
    """Return the requested season; 404 if the club has none."""
    try:
        return club.season(BESIDE if season_id == BESIDE_PATH else season_id)
    except KeyError:
        abort(404)


def real_season_at(club: Club, season_id: str) -> Season:
    """Return the requested season; 404 also for games outside of seasons."""
    return season_at(club, season_id) if season_id in club.seasons else _abort_not_found()


def require_season(club_id: UUID, season_id: str, action: ClubAction = "read_club") -> tuple[Club, Season]:
    """Return the requested club and season if the user may do something there."""
    club = require_club(club_id, action)
    return club, real_season_at(club, season_id)


def table_at(season: Season, table_id: str) -> SeasonTable:
    return season.tables[table_id] if table_id in season.tables else _abort_not_found()


def person_at(club: Club, person_id: str) -> str:
    """Return the person of a club that an address or form names; 404 for others."""
    person = club.person(person_id)
    return person if club.knows(person) else _abort_not_found()


def _abort_not_found() -> NoReturn:
    abort(404)


def guest_id(club: Club, name: str, key: str) -> str:
    """Return the id of a guest of this name; the same form gives the same id."""
    return uuid5(GUEST_ID_NAMESPACE, f"{club.id} {key} {name}").hex


def season_path(season: Season) -> str:
    """Return a season's segment in URLs: its id, or a fixed word for the games of no season."""
    return season.id or BESIDE_PATH


def games_sent(club: Club, limit: int) -> tuple[str, ...]:
    """Return the ids of the games that a form ticks or names, at most `limit` names."""
    offered = (*RULESETS, ANY, *clubs.games_by_name(club))
    ticked = [game_id for game_id in offered if request.form.get(f"game.{game_id}")]
    names = [" ".join(line.split()) for line in text_sent("games").splitlines()[:limit]]
    return tuple(dict.fromkeys([*ticked, *(clubs.game_named(club, name) for name in names if name)]))


# --- names -----------------------------------------------------------------------------------------------------------


def club_names(club: Club, more: Iterable[str] = ()) -> Names:
    """Return the names of a club's people by id."""
    names: dict[str, str] = book().kept.names({*club.everybody(), *more})
    return names | dict.fromkeys(club.anonymous_ids, say("an anonymous player"))


def club_reason(reason: Reason, guests: Names = NO_GUESTS) -> str:
    """Return a refusal as a sentence with names.

    Args:
        guests: names of people who are not stored yet.
    """
    people = {str(reason.figures[name]) for name in league_words.PEOPLE if name in reason.figures}
    return as_sentence(league_words.league_reason(reason, {**guests, **book().kept.names(people)}))


def table_label(season: Season, table: SeasonTable, within: int | None = None) -> str:
    """Return a table's label in lists: round, group and number.

    Args:
        within: a round that is named above.
    """
    where = league_words.group_name(season.format, table.division, table.group)
    if table.round and table.round == within:
        return say("{group}, table {table}", group=where, table=table.id) if where else say("Table {n}", n=table.id)
    if table.round and where:
        return say("{group}, round {round}, table {table}", group=where, round=table.round, table=table.id)
    if table.round:
        return say("Round {round}, table {table}", round=table.round, table=table.id)
    return _free_table_label(table.ruleset, table.id)


def result_table_label(result: Result) -> str:
    """Return the label of a result's table on a page about a person."""
    if result.round:
        return say("Round {round}, table {table}", round=result.round, table=result.table)
    return _free_table_label(result.ruleset, result.table or "")


def _free_table_label(game: str, table_id: str) -> str:
    """Return the label of an unscheduled table: its game, or its number before one is chosen."""
    return game_title(game) if game else say("Game {n}", n=table_id)


def count_games(club: Club) -> Counter[str]:
    """Count the games of each person in a club."""
    tables = (table for season in club.all_seasons() for table in season.tables.values() if table.is_settled)
    return Counter(person for table in tables for person in {*club.seats(table)})


def names_are_typed(club: Club) -> bool:
    """Check if a club has more people than its forms list."""
    return len(club.everybody()) > MAX_PEOPLE_LISTED


def people_offered(club: Club, people: Sequence[str], chosen: Collection[str] = ()) -> list[str]:
    """Return the people for a form's list; of a large club, the chosen ones and those with most games."""
    if len(people) <= MAX_PEOPLE_LISTED:
        return [*people]
    played = count_games(club)
    offered = {
        *sorted(people, key=lambda person: (person not in chosen, -played[person]))[
            : max(MAX_PEOPLE_LISTED, len(chosen))
        ]
    }
    return [person for person in people if person in offered]


def person_typed(club: Club, name: str, people: Sequence[str]) -> str:
    """Return the person with a typed name in a large club; empty if not unique, or if forms list everyone."""
    if len(people) <= MAX_PEOPLE_LISTED or not name:
        return ""
    wanted, names = appearance_key(name), club_names(club)
    matches = [person for person in people if appearance_key(league_words.person_name(person, names)) == wanted]
    return matches[0] if len(matches) == 1 else ""


# --- writing ---------------------------------------------------------------------------------------------------------


def write_in_club(club_id: UUID, command: ClubCommand, *, at: int | None = None, key: str | None = None) -> str:
    """Write what a form says to a club. Return why it is refused, or an empty text.

    Args:
        at: the newest step that the visitor has seen.
        key: by default the form's.
    """
    visit = visit_club(book().clubs.get(club_id))
    by, key = Writer(visit.person, visit.grants, visit.own_session), key_sent() if key is None else key
    guests = getattr(command, "guests", NO_GUESTS)
    return run_club_write(lambda: clubs.write(book(), club_id, command, by=by, key=key, at=at), guests)


def run_club_write(act: Callable[[], object], guests: Names = NO_GUESTS) -> str:
    """Run a write in a club; return why it was refused, or an empty text.

    Args:
        guests: names of new guests by id.
    """
    try:
        act()
    except (Refused, BadNameError, MovedOnError) as no:
        return refusal_sentence(no, guests)
    return ""


def refusal_sentence(no: Refused | BadNameError | MovedOnError, guests: Names = NO_GUESTS) -> str:
    match no:
        case Refused():
            return club_reason(no.reason, guests)
        case BadNameError():
            return as_sentence(no.says)
        case KeyUsedError():  # a page that a browser cached, from which something else was sent before
            return say("You sent something else from this page before. Check it, then send it again.")
    return say("Someone else changed this club in the meantime. Check it, then send your change again.")


def step_written(club_id: UUID, key: str | None = None) -> tuple[Club, int]:
    """Return the club, and the step that a form wrote. key: by default the form's."""
    club = book().clubs.get(club_id)
    return club, club.keys[key_sent() if key is None else key]


# --- what templates may use ------------------------------------------------------------------------------------------


def render_club_page(template: str, club: Club, /, **shown: Any) -> str:
    """Render a page of a club with the context that all of them need."""
    shown.setdefault("names", club_names(club))
    return render_template(
        template,
        club=club,
        may=partial(may, visit_club(club)),
        me=user_id(),
        table_name=table_label,
        result_table=result_table_label,
        season_path=season_path,
        names_of_people=lambda people: [league_words.person_name(person, shown["names"]) for person in people],
        group_has=has_tie_break,
        club_tabs=club_tabs(club),
        season_tabs=season_tabs(club, shown),
        undrawn=undrawn_in(club, shown),
        names_are_typed=names_are_typed(club),
        challenge_title=challenge_title,
        challenge_state=challenge_state,
        **{function.__name__: function for function in league_words.IN_TEMPLATES},
        **shown,
    )


class Tab(NamedTuple):
    """A tab of several pages."""

    says: str
    to: str
    current: str  # as aria-current: "page" for the page itself, "true" for a page below it


TAB_OF_PAGE = {  # tab of a page or blueprint that is not a tab itself
    "season.round": "season.schedule",
    "draw": "season.schedule",
    "succession": "closing.run",
    "exchange": "plays.plays",
    "own_log": "plays.plays",
    "messages": "club.settings",
}


def build_tabs(links: Sequence[tuple[str, str]], **at: Any) -> list[Tab]:
    """Build the tabs of a page from labels and endpoints; a page below them marks its blueprint's first tab."""
    here = request.endpoint or ""
    blueprint = here.partition(".")[0]
    named = [to for _, to in links]
    first = next((to for to in named if to.partition(".")[0] == blueprint), "")
    shown = here if here in named else TAB_OF_PAGE.get(here) or TAB_OF_PAGE.get(blueprint) or first
    return [Tab(says, url_for(to, **at), "" if to != shown else "page" if to == here else "true") for says, to in links]


def club_tabs(club: Club) -> list[Tab]:
    """Return the tabs of a club."""
    links = [
        (say("Leagues"), "club.club"),
        *([(say("Evenings"), "evenings.evenings")] if user_may(club, "see_evenings") else []),
        (say("Plays"), "plays.plays"),
        (say("People"), "people.people"),
        (say("Ratings"), "ratings.ratings"),
        (say("Statistics"), "statistics.club_statistics"),
    ]
    if club.is_own_log:
        links = [(says, to) for says, to in links if to not in ("club.club", "evenings.evenings", "ratings.ratings")]
    if user_may(club, "settle_club"):
        links.append((say("Settings"), "club.settings"))
    return build_tabs(links, club_id=club.id)


def season_tabs(club: Club, shown: Mapping[str, Any]) -> list[Tab]:
    """Return the tabs of a season."""
    season = shown.get("season")
    if not isinstance(season, Season) or not season.league:
        return []
    links = [
        (say("Standings"), "season.standings"),
        (say("Tables"), "season.schedule"),
        (say("Players"), "players.players"),
        (say("Statistics"), "statistics.season_statistics"),
    ]
    if user_may(club, "rule_results") or user_may(club, "close_seasons"):
        links.append((say("Manage"), "closing.run"))
    return build_tabs(links, club_id=club.id, season_id=season.id)


def undrawn_in(club: Club, shown: Mapping[str, Any]) -> Undrawn:
    """Return players without a place in the season's tables, and places of players that have left."""
    season = shown.get("season")
    return undrawn_of(club, season) if isinstance(season, Season) and season.league else Undrawn()


def has_tie_break(group: GroupStandings, code: str) -> bool:
    """Check if a tie-break has values in a group."""
    return any(row.columns[code] is not None for row in group.rows)


def preview_club_page(club: Club, title: str, description: str, picture: str = "") -> None:
    """Set the link preview of a page if the club is public."""
    if club.settings.public and str(club.id) not in book().kept.withheld("club"):
        set_preview(title, description, picture)
