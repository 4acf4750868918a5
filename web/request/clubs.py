"""A club as a request sees it: which one an address names, who asks, what they may do, and what everybody is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypedDict
from uuid import UUID, uuid5

from flask import abort, render_template, request, url_for

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.game_names import ANY, is_by_name
from daybook.domain.kernel.terms import Reason
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Result
from daybook.domain.league.standings import GroupStandings
from daybook.services.league import clubs
from daybook.services.league.clubs import NotAllowed, What
from daybook.services.league.season_progress import Undrawn, undrawn_of
from daybook.services.names import BadName, look_of
from daybook.services.play.repetition import KeyUsedError
from daybook.services.play.writing import Conflict
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.log import RecordErasedError
from daybook.web.request.access import book, link_here, person
from daybook.web.request.forms import key_sent, text_sent
from daybook.web.request.sharing import share
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import game_title, league_words, say

GUESTS_OF_FORMS = UUID("0a3d1c1e-6f0e-5f5e-8f57-6e8f2d6a4b90")  # a guest named twice by one form is one person
OF_OWNERS: frozenset[What] = frozenset({"people", "settle"})  # not where a person's link signed in
BESIDE_PATH = "beside"  # how addresses name what is played beside every season

OFFERED = 200  # people whom a form lists; in a larger club others are named by typing
Names = Mapping[str, str]
NO_GUESTS: Names = {}


def me() -> str:
    """The id of who asks; empty: nobody is signed in."""
    return person() or ""


def club_at(club_id: UUID, what: What = "read") -> Club:
    """The club that an address names, for who may do something there. 404 where there is none, 410 for one that was
    erased, 403 where its pages are for its members, or this is for other roles.
    """
    try:
        club = book().clubs.get(club_id)
    except RecordErasedError:
        raise
    except UnknownClubError:
        abort(404)
    if what == "evenings":
        if not may(club, "evenings"):
            abort(403, "club evenings")
        return club
    if not may(club, "read"):
        abort(403, "club")
    require_role(club, what)
    return clubs.as_seen(club, me())


def may(club: Club, what: What) -> bool:
    """Whether who asks may do something in a club."""
    return clubs.may(club, me(), what)


def require_role(club: Club, what: What) -> None:
    """403 for who may not do this, and for what is not done on a device that another person's link signed in."""
    if not may(club, what):
        abort(403, "club role")
    if what in OF_OWNERS and (link := link_here()) is not None and link.made_by != clubs.OPERATOR:
        abort(403, "by link")


def season_at(club: Club, season_id: str) -> Season:
    """The season an address names. 404 where the club has none."""
    try:
        return club.season(BESIDE if season_id == BESIDE_PATH else season_id)
    except KeyError:
        abort(404)


def real_season_at(club: Club, season_id: str) -> Season:
    """As `season_at`, for what there is of seasons alone."""
    return season_at(club, season_id) if season_id in club.seasons else _missing()


def in_season(club_id: UUID, season_id: str, what: What = "read") -> tuple[Club, Season]:
    """The club and the season that an address names, for who may do something there."""
    club = club_at(club_id, what)
    return club, real_season_at(club, season_id)


def table_at(season: Season, table_id: str) -> SeasonTable:
    return season.tables[table_id] if table_id in season.tables else _missing()


def person_at(club: Club, id: str) -> str:
    """The person of a club that an address or a form names, by the id they are known by. 404 for anybody else."""
    person = club.person(id)
    return person if club.knows(person) else _missing()


def _missing() -> NoReturn:
    abort(404)


def guest_id(club: Club, name: str, key: str) -> str:
    """A guest of this name, kept with what they are entered in; the same form sent again means the same one."""
    return uuid5(GUESTS_OF_FORMS, f"{club.id} {key} {name}").hex


def season_path(season: Season) -> str:
    return season.id or BESIDE_PATH


def games_sent(club: Club, limit: int) -> tuple[str, ...]:
    """The games that a form ticks or names, one on each line, by their ids; up to so many names."""
    known = (*RULESETS, ANY, *clubs.games_by_name(club))
    ticked = [id for id in known if request.form.get(f"game.{id}")]
    names = [" ".join(line.split()) for line in text_sent("games").splitlines()[:limit]]
    return tuple(dict.fromkeys([*ticked, *(clubs.game_named(club, name) for name in names if name)]))


# --- names -----------------------------------------------------------------------------------------------------------


def names_in(club: Club, more: Iterable[str] = ()) -> Names:
    """What the people of a club are called, by their ids."""
    names: dict[str, str] = book().kept.names({*club.everybody(), *more})
    return names | dict.fromkeys(club.nobody, say("an anonymous player"))


def club_reason(reason: Reason, guests: Names = NO_GUESTS) -> str:
    """What stands against something, as a sentence with people's names. guests: of those who are kept nowhere yet."""
    people = {str(reason.figures[name]) for name in league_words.PEOPLE if name in reason.figures}
    return as_sentence(league_words.league_reason(reason, {**guests, **book().kept.names(people)}))


def table_name(season: Season, table: SeasonTable, within: int | None = None) -> str:
    """How a table is called in lists: by its round and group, and its number. within: a round that is named above."""
    where = league_words.group_name(season.format, table.division, table.group)
    if table.round and table.round == within:
        return say("{group}, table {table}", group=where, table=table.id) if where else say("Table {n}", n=table.id)
    if table.round and where:
        return say("{group}, round {round}, table {table}", group=where, round=table.round, table=table.id)
    if table.round:
        return say("Round {round}, table {table}", round=table.round, table=table.id)
    return _free_table(table.ruleset, table.id)


def result_table(result: Result) -> str:
    """The table of a result, in an account of one person."""
    if result.round:
        return say("Round {round}, table {table}", round=result.round, table=result.table)
    return _free_table(result.ruleset, result.table or "")


def _free_table(game: str, id: str) -> str:
    """One that no schedule has: by its number, or by its game where the club plays any, or where it came in with many."""
    return game_title(game) if is_by_name(game) or not id.isdigit() else say("Game {n}", n=id)


def games_of(club: Club) -> Counter[str]:
    """How many games of the club each of its people sat in."""
    tables = (table for season in club.all_seasons() for table in season.tables.values() if table.is_settled)
    return Counter(id for table in tables for id in {*club.seats(table)})


def names_are_typed(club: Club) -> bool:
    """Check if a club has more people than its forms list."""
    return len(club.everybody()) > OFFERED


def people_offered(club: Club, people: Sequence[str], chosen: Collection[str] = ()) -> list[str]:
    """Return those of some people whom a form lists: all, or of very many the chosen and those with most games."""
    if len(people) <= OFFERED:
        return [*people]
    played = games_of(club)
    offered = {*sorted(people, key=lambda id: (id not in chosen, -played[id]))[: max(OFFERED, len(chosen))]}
    return [id for id in people if id in offered]


def person_typed(club: Club, name: str, people: Sequence[str]) -> str:
    """Return the one of very many people who has a typed name; empty if a form lists everyone, or several have it."""
    if len(people) <= OFFERED or not name:
        return ""
    wanted, names = look_of(name), names_in(club)
    found = [id for id in people if look_of(league_words.person_name(id, names)) == wanted]
    return found[0] if len(found) == 1 else ""


# --- writing ---------------------------------------------------------------------------------------------------------


class Signed(TypedDict):
    by: str
    key: str


def signed() -> Signed:
    """Who writes what a form says, and under which key."""
    return Signed(by=me(), key=key_sent())


def write_in_club(act: Callable[[], Any], guests: Names = NO_GUESTS) -> str:
    """Has something written; what stands against it, or nothing if it is done. guests: who is new with it. 403 and 400
    for who should not ask.
    """
    try:
        act()
    except Refused as no:
        return club_reason(no.reason, guests)
    except Conflict:
        return say("Somebody else has changed this club meanwhile. Look at it again, then send it again.")
    except NotAllowed:
        abort(403, "club role")
    except BadName as bad:
        return as_sentence(bad.says)
    except KeyUsedError:  # a page that a browser kept, from which something else was sent before
        return say("Something else was sent from this page before. Look at it again, then send it again.")
    return ""


# --- what templates may use ------------------------------------------------------------------------------------------


def page_of(template: str, club: Club, /, **shown: Any) -> str:
    """A page of a club, with all that every one of them has."""
    shown.setdefault("names", names_in(club))
    return render_template(
        template,
        club=club,
        may=lambda what: may(club, what),
        me=me(),
        table_name=table_name,
        result_table=result_table,
        season_path=season_path,
        names_of_people=lambda people: [league_words.person_name(one, shown["names"]) for one in people],
        group_has=group_has,
        club_tabs=club_tabs(club),
        season_tabs=season_tabs(club, shown),
        undrawn=undrawn_in(club, shown),
        names_are_typed=names_are_typed(club),
        **{one.__name__: one for one in league_words.IN_TEMPLATES},
        **shown,
    )


class Tab(NamedTuple):
    """One page of several. current: "page" for the one that is shown, "true" for the one under which it stands."""

    says: str
    to: str
    current: str


UNDER = {  # the tab of a page, or of a blueprint, that is not the tab's own
    "season.round": "season.schedule",
    "draw": "season.schedule",
    "succession": "closing.run",
    "exchange": "club.club",
}


def tabs_of(links: Sequence[tuple[str, str]], **at: Any) -> list[Tab]:
    """The tabs of a page: what each says, and its endpoint. A page below them stands under the first of its blueprint."""
    here = request.endpoint or ""
    blueprint = here.partition(".")[0]
    named = [to for _, to in links]
    first = next((to for to in named if to.partition(".")[0] == blueprint), "")
    shown = here if here in named else UNDER.get(here) or UNDER.get(blueprint) or first
    return [Tab(says, url_for(to, **at), "" if to != shown else "page" if to == here else "true") for says, to in links]


def club_tabs(club: Club) -> list[Tab]:
    """The pages of a club."""
    links = [
        (say("Leagues"), "club.club"),
        *([(say("Evenings"), "evenings.evenings")] if may(club, "evenings") else []),
        (say("People"), "people.people"),
        (say("Ratings"), "ratings.ratings"),
        (say("Statistics"), "statistics.club_statistics"),
    ]
    if may(club, "settle"):
        links.append((say("Settings"), "club.settings"))
    return tabs_of(links, club_id=club.id)


def season_tabs(club: Club, shown: Mapping[str, Any]) -> list[Tab]:
    """The pages of a season."""
    season = shown.get("season")
    if not isinstance(season, Season) or not season.league:
        return []
    links = [
        (say("Standings"), "season.standings"),
        (say("Tables"), "season.schedule"),
        (say("Players"), "players.players"),
        (say("Statistics"), "statistics.season_statistics"),
    ]
    if may(club, "rule") or may(club, "close"):
        links.append((say("Run it"), "closing.run"))
    return tabs_of(links, club_id=club.id, season_id=season.id)


def undrawn_in(club: Club, shown: Mapping[str, Any]) -> Undrawn:
    """Who has no place in the tables of the season of a page, or should have none any more."""
    season = shown.get("season")
    return undrawn_of(club, season) if isinstance(season, Season) and season.league else Undrawn()


def group_has(group: GroupStandings, code: str) -> bool:
    """Whether a tie-break says anything in a group."""
    return any(row.columns[code] is not None for row in group.rows)


def shared_as(club: Club, title: str, says: str, picture: str = "") -> None:
    """Say how a link to this page looks where it is shared: only of a club whose pages everybody may read."""
    if club.settings.public and str(club.id) not in book().kept.withheld("club"):
        share(title, says, picture)
