"""The players of a season: entering members and guests, moving them between groups, withdrawing."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from daybook.domain.league.club import Club, Season, SeasonPlayer
from daybook.domain.league.club_commands import (
    ClubCommand,
    EnterPlayers,
    ExcusePlayer,
    SetHandicap,
    SetTeam,
    WithdrawPlayer,
)
from daybook.domain.league.event_checks.common import CLUB_NAME_LIMIT
from daybook.domain.league.results import PLAYERS_LIMIT
from daybook.domain.league.seasons import HANDICAP_LIMIT, Entrant
from daybook.services.league.season_progress import DRAWN, undrawn_of
from daybook.services.names import NAME_LIMIT
from daybook.web.request.clubs import (
    guest_id,
    people_offered,
    person_typed,
    real_season_at,
    render_club_page,
    require_club,
    require_season,
    user_may,
    write_in_club,
)
from daybook.web.request.forms import fresh_key, key_sent, parse_number, see_other, text_fault, text_sent, why_sent
from daybook.web.request.lists import rows_from
from daybook.web.words import league_words, say

page = Blueprint("players", __name__)

GUESTS_LIMIT = 60  # in one form


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/players")
def players(club_id: UUID, season_id: str) -> str:
    return _players_page(require_club(club_id), season_id)


def _players_page(club: Club, season_id: str, error: str = "", guests_error: str = "") -> str:
    season = real_season_at(club, season_id)
    entered = {entrant.person for entrant in club.entrants(season)}
    others = [person for person in club.everybody() if person not in entered]
    all_rows = groups_of(club, season)
    rows = [(at, row) for at, (*_, people) in enumerate(all_rows) for row in people]
    rows, more = rows_from("players.players", rows, lambda row: f"{row[0]}.{row[1][1]}")
    listed = {at for at, _ in rows}
    groups = [
        (name, size, people, [row for place, row in rows if place == at])
        for at, (name, size, people) in enumerate(all_rows)
        if at in listed or not people
    ]
    next_round = max(season.rounds, default=0) + 1
    return render_club_page(
        "league/players.html",
        club,
        season=season,
        heading=say("Players"),
        wrong=error,
        wrong_guests=guests_error,
        groups_of=groups,
        more=more,
        others=people_offered(club, others, _people_ticked()),
        draws=user_may(club, "schedule")
        and entered
        and season.is_open
        and season.format.kind in DRAWN
        and not season.rounds,
        next_round=next_round,
        excused=club.excused(season, next_round),
        late={entrant.person for entrant in undrawn_of(club, season).late},
        all_groups=all_groups(season),
        key=fresh_key(),
        keys=fresh_key,
        guests=text_sent("guests") if error or guests_error else "",
        entered=[person for _, (_, person, withdrawn) in rows if not withdrawn],
        handicaps=club.handicaps(season),
        team_limit=CLUB_NAME_LIMIT,
        handicap_limit=HANDICAP_LIMIT,
        requested_group=text_sent("group") or first_free(club, season),
        ticked=set(_people_ticked()),
        withdrawn_says=say(
            "What happens to their games: {what}.", what=say(league_words.WITHDRAWN[season.format.withdrawn])
        ),
    )


def all_groups(season: Season) -> list[tuple[str, str]]:
    """Return every group of the season, as its value in a form and its name."""
    return [
        (f"{division}.{group}", league_words.group_name(season.format, division, group))
        for division, named in enumerate(season.format.divisions, 1)
        for group in range(1, len(named.groups) + 1)
    ]


def groups_of(club: Club, season: Season) -> list[tuple[str, int, list[tuple[SeasonPlayer | None, str, bool]]]]:
    """Return each group with its intended size and its people: (season entry, person, has withdrawn)."""
    withdrawn, groups = (
        club.withdrawn_people(season),
        list[tuple[str, int, list[tuple[SeasonPlayer | None, str, bool]]]](),
    )
    sizes = {
        (division, group): size
        for division, named in enumerate(season.format.divisions, 1)
        for group, size in enumerate(named.groups, 1)
    }
    entrants = club.entrants(season)
    for division, group in sorted({*sizes, *((entrant.division, entrant.group) for entrant in entrants)}):
        people = [entrant.person for entrant in entrants if (entrant.division, entrant.group) == (division, group)]
        groups.append(
            (
                league_words.group_name(season.format, division, group),
                sizes.get((division, group), 0),
                [(club.player(season, person), person, person in withdrawn) for person in people],
            )
        )
    return groups


def first_free(club: Club, season: Season) -> str:
    """Return the first group that is not full yet, as its value in a form."""
    for division, named in enumerate(season.format.divisions, 1):
        for group, size in enumerate(named.groups, 1):
            inside = sum((entrant.division, entrant.group) == (division, group) for entrant in club.entrants(season))
            if inside < size:
                return f"{division}.{group}"
    return "1.1"


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/players")
def enter(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Enter members and guests, or move players to another group."""
    club, season = require_season(club_id, season_id, "schedule")
    key = key_sent()
    division, group = _group_sent(season)
    everybody = {*club.everybody()}
    people = [person for person in _people_ticked() if person in everybody]
    named = [" ".join(line.split()) for line in text_sent("guests").splitlines()]
    guests = list(dict.fromkeys(name for name in named if name))
    for name in guests:
        if sentence := text_fault(name, NAME_LIMIT, ""):
            return _players_page(club, season_id, guests_error=f"{name[:40]}: {sentence}"), 422
    if len(guests) > GUESTS_LIMIT:
        return _players_page(club, season_id, guests_error=say("At most {n} at once.", n=GUESTS_LIMIT)), 422
    if not people and not guests:
        return _players_page(club, season_id, error=say("Enter at least one name.")), 422
    typed = {name: person for name in guests if (person := person_typed(club, name, club.everybody()))}
    people = list(dict.fromkeys([*people, *typed.values()]))
    new = {guest_id(club, name, key): name for name in guests if name not in typed}
    players = tuple(Entrant(person, division, group) for person in (*people, *new))
    if against := write_in_club(club_id, EnterPlayers(season.id, players, new)):
        return _players_page(club, season_id, error=against), 422
    return see_other("players.players", club_id=club_id, season_id=season_id)


def _people_ticked() -> list[str]:
    """Return the ids of the people that the form names."""
    return [person for name, person in request.form.items() if name.startswith("person.") and person]


def _group_sent(season: Season) -> tuple[int, int]:
    division, _, group = request.form.get("group", "1.1").partition(".")
    numbers = parse_number(division), parse_number(group)
    return (numbers[0] or 1, numbers[1] or 1) if season.format.divisions else (1, 1)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/players/withdraw")
def withdraw(club_id: UUID, season_id: str) -> ResponseReturnValue:
    club, season = require_season(club_id, season_id, "schedule")
    person = text_sent("person")
    if against := write_in_club(club_id, WithdrawPlayer(season.id, person, why_sent())):
        return _players_page(club, season_id, error=against), 422
    return see_other("players.players", club_id=club_id, season_id=season_id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/players/excuse")
def excuse(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Excuse a player from the next round of a Swiss season, or withdraw the excuse."""
    club, season = require_season(club_id, season_id, "schedule")
    number, excused = parse_number(text_sent("round")) or 0, text_sent("excused") == "yes"
    if against := write_in_club(club_id, ExcusePlayer(season.id, text_sent("person"), number, excused, why_sent())):
        return _players_page(club, season_id, error=against), 422
    return see_other("players.players", club_id=club_id, season_id=season_id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/players/team")
def set_team(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Put the ticked players into a team."""
    return _set_for_ticked(
        club_id, season_id, lambda season, people: SetTeam(season.id, people, " ".join(text_sent("team").split()))
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/players/handicap")
def set_handicap(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Give the ticked players a handicap."""
    points = parse_number(text_sent("handicap"))
    if points is None:
        club, _ = require_season(club_id, season_id, "schedule")
        return _players_page(club, season_id, error=say("Enter a whole number.")), 422
    return _set_for_ticked(club_id, season_id, lambda season, people: SetHandicap(season.id, people, points))


def _set_for_ticked(
    club_id: UUID, season_id: str, command_for: Callable[[Season, tuple[str, ...]], ClubCommand]
) -> ResponseReturnValue:
    """Write a command about the ticked players."""
    club, season = require_season(club_id, season_id, "schedule")
    people = tuple(_people_ticked())
    if not people:
        return _players_page(club, season_id, error=say("Choose at least one player.")), 422
    if len(people) > PLAYERS_LIMIT:
        return _players_page(club, season_id, error=say("At most {n} at once.", n=PLAYERS_LIMIT)), 422
    if against := write_in_club(club_id, command_for(season, people)):
        return _players_page(club, season_id, error=against), 422
    return see_other("players.players", club_id=club_id, season_id=season_id)
