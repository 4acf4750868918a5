"""Whether an event may be written next in a club: each refusal states what stands against it, and changes nothing.

In the figures of a reason `person`, `other` and `third` are ids of people, to be named where the reason is said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from domain.chronicle import Refused, checked_text
from domain.league import results, seasons
from domain.league.club import Club, Season, SeasonTable, replaced
from domain.league.events import (
    BESIDE,
    AnyEvent,
    ClubEntry,
    ClubRenamed,
    ClubSettled,
    GameEntered,
    GameRemoved,
    LeagueFounded,
    LeagueSettled,
    LotDrawn,
    MemberJoined,
    MemberLeft,
    OfSeason,
    PenaltyGiven,
    PeopleMerged,
    PeopleSplit,
    PlayerEntered,
    PlayerWithdrew,
    ResultTyped,
    ResultVoided,
    RolesGiven,
    ScheduleDrawn,
    SeasonClosed,
    SeasonOpened,
    SeasonReopened,
    SeasonSettled,
    SeatsChanged,
    TablePlanned,
)
from domain.ruleset import Reason, because

NAME_LIMIT = 120  # characters of a club's, a league's or a season's name, or of a place
PENALTY_LIMIT = 1000  # points
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
PERSON = re.compile(r"[!-~]{1,64}")
TIME = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z")


def added(club: Club, event: AnyEvent) -> ClubEntry:
    """The next entry, if the event fits there. Raises Refused."""
    reason = against(club, event)
    if reason is not None:
        raise Refused(reason)
    return club.write(event)


def against(club: Club, event: AnyEvent) -> Reason | None:
    """What stands against writing an event next; None: it may be written. Raises Refused for a text too long."""
    checked_text(getattr(event, "why", ""))
    match event:
        case ClubRenamed():
            return _name(event.name) or (_unchanged() if event.name == club.name else None)
        case ClubSettled():
            return _settings(club, event)
        case MemberJoined() | RolesGiven() | MemberLeft():
            return _member(club, event)
        case PeopleMerged():
            return _merge(club, event)
        case PeopleSplit():
            return _split(club, event)
        case LeagueFounded() | LeagueSettled():
            return _league(club, event)
        case SeasonOpened():
            return _opening(club, event)
        case SeasonReopened():
            return _reopening(club, event)
        case _:
            return _of_open_season(club, event) if isinstance(event, OfSeason) else because(
                "founded_before", "the club is founded already")


# --- the club and its people -----------------------------------------------------------------------------------------


def _name(name: str) -> Reason | None:
    if not name.strip() or name != name.strip():
        return because("name_empty", "a name is not empty, and neither begins nor ends with a space")
    if len(name) > NAME_LIMIT:
        return because("name_long", "a name of {n} characters; at most {limit}", n=len(name), limit=NAME_LIMIT)
    return None if name.isprintable() else because("name_signs", "the name holds characters that cannot be shown")


def _unchanged() -> Reason:
    return because("nothing_changed", "it is like that already")


def _settings(club: Club, event: ClubSettled) -> Reason | None:
    if event.settings == club.settings:
        return _unchanged()
    for marks in (event.settings.ratings, event.settings.statistics, event.settings.standings):
        if len({*marks}) != len(marks):
            return because("mark_twice", "a kind of game is named twice")
    return seasons.period_fault(event.settings.correction_days, event.settings.appeal_hours)


def _person(person: str) -> Reason | None:
    return None if PERSON.fullmatch(person) else because("no_person", "“{id}” is no person's id", id=person[:64])


def _member(club: Club, event: MemberJoined | RolesGiven | MemberLeft) -> Reason | None:
    held, person = club.roles(event.person), event.person
    if isinstance(event, MemberJoined):
        return _person(person) or (
            because("member_already", "{person} is a member already", person=person) if held else None)
    if not held:
        return because("no_member", "{person} is no member of the club", person=person)
    keeps = isinstance(event, RolesGiven) and "organiser" in event.roles
    if not keeps and club.organisers() == [club.person(person)]:
        return because("last_organiser", "{person} is the only organiser, and a club has one", person=person)
    if isinstance(event, RolesGiven) and {*event.roles, "member"} == {*held}:
        return _unchanged()
    return None


def _merge(club: Club, event: PeopleMerged) -> Reason | None:
    kept, gone = club.person(event.kept), club.person(event.gone)
    if wrong := _person(event.kept) or _person(event.gone) or _why(event.why):
        return wrong
    if kept == gone:
        return because("one_person", "{person} and {other} are one person already", person=event.kept, other=event.gone)
    for season in club.all_seasons():
        for table in season.tables.values():
            for people in (club.seats(table), tuple(club.person(id) for id in table.seats)):
                if {kept, gone} <= {*people}:
                    return _sat_together(season, table, kept, gone)
        if season.id == BESIDE:
            continue
        one, two = club.player(season, kept), club.player(season, gone)
        if one and two and (one.division, one.group) != (two.division, two.group):
            return because(
                "groups_apart", "{person} and {other} play {season} in different groups: one of them moves first",
                person=kept, other=gone, season=season.name)
    return None


def _sat_together(season: Season, table: SeasonTable, kept: str, gone: str) -> Reason:
    if season.id == BESIDE:
        return because("sat_together_beside", "{person} and {other} both sat at table {table}, so they are two",
                       person=kept, other=gone, table=table.id)
    return because("sat_together", "{person} and {other} both sit at table {table} of {season}, so they are two",
                   person=kept, other=gone, table=table.id, season=season.name)


def _split(club: Club, event: PeopleSplit) -> Reason | None:
    if event.merge not in club.merges:
        return because("no_merge", "nobody was merged at step {step}, or they are apart again", step=event.merge)
    return _why(event.why)


def _why(why: str) -> Reason | None:
    return None if why.strip() else because("why_missing", "this needs a reason")


# --- leagues and seasons ---------------------------------------------------------------------------------------------


def _league(club: Club, event: LeagueFounded | LeagueSettled) -> Reason | None:
    known = club.leagues.get(event.league)
    if isinstance(event, LeagueFounded):
        if known or not ID.fullmatch(event.league):
            return because("league_id", "“{id}” is no id for a new league", id=event.league[:40])
    elif known is None:
        return _no_league(event.league)
    elif (known.name, known.rulesets) == (event.name, event.rulesets):
        return _unchanged()
    if any(league.name == event.name for league in club.leagues.values() if league.id != event.league):
        return because("league_name", "there is a league “{name}” already", name=event.name)
    if not event.rulesets or len({*event.rulesets}) != len(event.rulesets):
        return because("league_games", "a league names the games that are played in it, each once")
    return _name(event.name)


def _no_league(id: str) -> Reason:
    return because("no_league", "the club has no league “{id}”", id=id[:40])


def _opening(club: Club, event: SeasonOpened) -> Reason | None:
    if event.league not in club.leagues:
        return _no_league(event.league)
    if event.season in club.seasons or not ID.fullmatch(event.season):
        return because("season_id", "“{id}” is no id for a new season", id=event.season[:40])
    return _season_name(club, event.league, event.season, event.name) or seasons.fault(event.format)


def _season_name(club: Club, league: str, id: str, name: str) -> Reason | None:
    if any(season.name == name for season in club.seasons_of(league) if season.id != id):
        return because("season_name", "the league has a season “{name}” already", name=name)
    return _name(name)


def _reopening(club: Club, event: SeasonReopened) -> Reason | None:
    season = club.seasons.get(event.season)
    if season is None:
        return _no_season(event.season)
    if season.is_open:
        return because("season_open", "{season} is open", season=season.name)
    return _why(event.why)


def _no_season(id: str) -> Reason:
    return because("no_season", "the club has no season “{id}”", id=id[:40])


def _of_open_season(club: Club, event: OfSeason) -> Reason | None:
    if event.season != BESIDE and event.season not in club.seasons:
        return _no_season(event.season)
    season = club.season(event.season)
    if not season.is_open:
        return because("season_closed", "{season} is closed; reopen it first", season=season.name)
    match event:
        case GameEntered():
            return _game_entered(club, season, event)
        case GameRemoved():
            return _game_removed(season, event)
        case ResultTyped():
            return _typed(club, season, event)
        case ResultVoided():
            return _voided(season, event)
        case TablePlanned():
            return _planned(season, event)
        case _ if season.id == BESIDE:
            return because("beside", "what is played beside every season has tables and results alone")
        case SeasonSettled():
            return _settled(club, season, event)
        case PlayerEntered():
            return _entered(club, season, event)
        case PlayerWithdrew():
            return _withdrew(club, season, event)
        case ScheduleDrawn():
            return _drawn(club, season, event)
        case SeatsChanged():
            return _reseated(club, season, event)
        case PenaltyGiven():
            return _penalty(club, season, event)
        case LotDrawn():
            return _all_entered(club, season, event.people) or _each_once(club, event.people)
        case SeasonClosed():
            return _closing(club, season, event)
    return None


def _settled(club: Club, season: Season, event: SeasonSettled) -> Reason | None:
    if (season.name, season.format) == (event.name, event.format):
        return _unchanged()
    if season.format.kind != event.format.kind and season.tables:
        return because("kind_drawn", "{season} has tables already: how it is played stays as it is", season=season.name)
    for player in season.players.values():
        if not _has_group(event.format, player.division, player.group):
            return because("group_gone", "{person} plays in division {division}, group {group}", person=player.person,
                           division=player.division, group=player.group)
    return _season_name(club, season.league, season.id, event.name) or seasons.fault(event.format)


def _has_group(format: seasons.Format, division: int, group: int) -> bool:
    if not format.divisions:
        return (division, group) == (1, 1)
    return 1 <= division <= len(format.divisions) and 1 <= group <= len(format.divisions[division - 1].groups)


def _entered(club: Club, season: Season, event: PlayerEntered) -> Reason | None:
    if not _has_group(season.format, event.division, event.group):
        return because("no_group", "{season} has no division {division} with a group {group}", season=season.name,
                       division=event.division, group=event.group)
    known = club.player(season, event.person)
    stays = known is not None and (known.division, known.group) == (event.division, event.group)
    if known and stays and known.withdrew is None:
        return because("entered_already", "{person} plays {season} already", person=event.person, season=season.name)
    if known and not stays:
        for table in season.tables.values():
            if club.person(event.person) in club.seats(table):
                return because("group_drawn", "{person} sits at table {table} of the group they would leave",
                               person=event.person, table=table.id)
    return _person(event.person)


def _withdrew(club: Club, season: Season, event: PlayerWithdrew) -> Reason | None:
    known = club.player(season, event.person)
    if known is None:
        return _not_entered(season, event.person)
    if known.withdrew is not None:
        return because("withdrawn_already", "{person} has withdrawn from {season} already", person=event.person,
                       season=season.name)
    return None


def _not_entered(season: Season, person: str) -> Reason:
    return because("not_entered", "{person} does not play {season}", person=person, season=season.name)


def _all_entered(club: Club, season: Season, people: Iterable[str]) -> Reason | None:
    for person in people:
        if club.player(season, person) is None:
            return _not_entered(season, person)
    return None


def _each_once(club: Club, people: Collection[str]) -> Reason | None:
    for person, n in Counter(club.person(id) for id in people).items():
        if n > 1:
            return because("person_twice", "{person} stands there {n} times", person=person, n=n)
    return None


# --- schedules -------------------------------------------------------------------------------------------------------


def _drawn(club: Club, season: Season, event: ScheduleDrawn) -> Reason | None:
    for table in season.tables.values():
        if replaced(table, event) and table.is_settled:
            return because("round_played", "table {table} of round {round} has a result: that round is drawn",
                           table=table.id, round=table.round)
    kept = {id for id, table in season.tables.items() if not replaced(table, event)}
    for fixture in event.fixtures:
        if fixture.table in kept or not ID.fullmatch(fixture.table):
            return because("table_id", "“{id}” is no id for a new table", id=fixture.table[:40])
        kept.add(fixture.table)
        if wrong := _out_of_draw(event, fixture) or _seats(club, season, fixture):
            return wrong
    for bye in event.byes:
        if wrong := _out_of_draw(event, bye) or _in_group(club, season, bye.person, bye.division, bye.group):
            return wrong
    for round in event.rounds:
        seated = [person for one in event.fixtures if one.round == round for person in one.seats]
        seated += [bye.person for bye in event.byes if bye.round == round]
        if (wrong := _each_once(club, seated)) and season.format.kind != "free":
            return wrong
    return None


def _out_of_draw(event: ScheduleDrawn, one: seasons.Fixture | seasons.Bye) -> Reason | None:
    if one.round < 1 or one.round not in event.rounds:
        return because("round_not_drawn", "round {round} is none of those that are drawn", round=one.round)
    if event.division not in (0, one.division) or event.group not in (0, one.group):
        return because("group_not_drawn", "division {division}, group {group} is none of those that are drawn",
                       division=one.division, group=one.group)
    return None


def _seats(club: Club, season: Season, fixture: seasons.Fixture) -> Reason | None:
    if len(fixture.seats) not in season.format.table_sizes:
        return because("table_seats", "table {table} has {n} seats, and {season} is not played by so many",
                       table=fixture.table, n=len(fixture.seats), season=season.name)
    for person in fixture.seats:
        if wrong := _in_group(club, season, person, fixture.division, fixture.group):
            return wrong
    return _each_once(club, fixture.seats)


def _in_group(club: Club, season: Season, person: str, division: int, group: int) -> Reason | None:
    player = club.player(season, person)
    if player is None:
        return _not_entered(season, person)
    if player.withdrew is not None:
        return because("withdrawn", "{person} has withdrawn from {season}", person=person, season=season.name)
    if (player.division, player.group) != (division, group):
        return because("other_group", "{person} plays in division {division}, group {group}", person=person,
                       division=player.division, group=player.group)
    return None


def _planned(season: Season, event: TablePlanned) -> Reason | None:
    table = season.tables.get(event.table)
    if table is None:
        return _no_table(season, event.table)
    if event.when and not TIME.fullmatch(event.when):
        return because("no_time", "{when} is no time such as 2026-11-20T19:30:00.000Z", when=event.when[:40])
    if (table.when, table.place) == (event.when, event.place):
        return _unchanged()
    return _name(event.place) if event.place else None


def _no_table(season: Season, id: str) -> Reason:
    if season.id == BESIDE:
        return because("no_table_beside", "there is no table {table}", table=id[:40])
    return because("no_table", "{season} has no table {table}", season=season.name, table=id[:40])


def _reseated(club: Club, season: Season, event: SeatsChanged) -> Reason | None:
    table = season.tables.get(event.table)
    if table is None:
        return _no_table(season, event.table)
    if table.is_settled:
        return because("table_played", "table {table} has a result: who sat there is settled", table=table.id)
    if table.seats == event.seats:
        return _unchanged()
    fixture = seasons.Fixture(table.id, table.round, event.seats, table.division, table.group)
    if wrong := _seats(club, season, fixture):
        return wrong
    for other in season.tables.values():
        if other.round == table.round and other.id != table.id and other.planned:
            both = {*club.seats(other)} & {club.person(id) for id in event.seats}
            if both:
                return because("elsewhere", "{person} sits at table {table} in round {round}", person=min(both),
                               table=other.id, round=table.round)
    return None


# --- games and results -----------------------------------------------------------------------------------------------


def _game_entered(club: Club, season: Season, event: GameEntered) -> Reason | None:
    if event.game in club.games:
        where, table = club.games[event.game]
        if where == BESIDE:
            return because("game_entered_beside", "this game is entered already, as table {table} beside the seasons",
                           table=table)
        return because("game_entered", "this game is entered already, as table {table} of {season}", table=table,
                       season=club.season(where).name)
    known = season.tables.get(event.table)
    if known and known.game:
        return because("table_has_game", "table {table} has another game: remove it first", table=known.id)
    return (
        _ruleset(club, season, event.ruleset) or _each_once(club, event.seats)
        or _fits_table(club, season, known, event.table, event.seats))


def _ruleset(club: Club, season: Season, ruleset: str) -> Reason | None:
    played = club.rulesets(season)
    return because("other_game", "this is another game than {season} is played with", season=season.name) if (
        played and ruleset not in played) else None


def _fits_table(
    club: Club, season: Season, known: SeasonTable | None, id: str, people: tuple[str, ...],
) -> Reason | None:
    """Whether these people may have played at a table. known: the table, if it is none that is new."""
    if known is None:
        if not ID.fullmatch(id):
            return because("table_id", "“{id}” is no id for a new table", id=id[:40])
        if season.id != BESIDE and season.format.kind not in ("free", "heats"):
            return because("no_table", "{season} has no table {table}", season=season.name, table=id[:40])
    elif known.planned:
        planned, sat = {club.person(one) for one in known.seats}, {club.person(one) for one in people}
        for person in sorted(sat - planned):
            return because("not_at_table", "{person} is not planned for table {table}: change its seats first",
                           person=person, table=known.id)
        for person in sorted(planned - sat):
            return because("missing_at_table", "{person} is planned for table {table} and did not sit there: change"
                           " its seats first", person=person, table=known.id)
        return None
    if season.id == BESIDE:
        return None
    if season.format.table_sizes and len(people) not in season.format.table_sizes:
        return because("table_seats", "table {table} has {n} seats, and {season} is not played by so many",
                       table=id[:40], n=len(people), season=season.name)
    return _all_entered(club, season, people)


def _game_removed(season: Season, event: GameRemoved) -> Reason | None:
    table = season.tables.get(event.table)
    if table is None:
        return _no_table(season, event.table)
    if table.game != event.game:
        return because("other_record", "that is not the game of table {table}", table=table.id)
    return _why(event.why)


def _typed(club: Club, season: Season, event: ResultTyped) -> Reason | None:
    known = season.tables.get(event.table)
    if known and known.game:
        return because("table_recorded", "table {table} has a record, which says how it ended", table=known.id)
    if known and known.typed and known.typed.placed == event.placed and known.typed.ended == event.ended:
        return _unchanged()
    if known and (known.typed or known.voided) and not event.why.strip():
        return because("result_stands", "table {table} has a result: another one needs a reason", table=known.id)
    if known and known.typed and not known.voided and (days := _days_over(club, season, known.typed, event.at)):
        return because(
            "correction_over",
            "a typed result is put right within {days} days: an organiser or umpire makes table {table} void first",
            days=days, table=known.id)
    if event.ended and not TIME.fullmatch(event.ended):
        return because("no_time", "{when} is no time such as 2026-11-20T19:30:00.000Z", when=event.ended[:40])
    if event.ended > event.at:
        return because("not_yet", "a game that has not ended has no result")
    people = tuple(one.person for one in event.placed)
    return (
        results.fault(event.placed) or _ruleset(club, season, event.ruleset) or _each_once(club, people)
        or _fits_table(club, season, known, event.table, people))


def _days_over(club: Club, season: Season, typed: ResultTyped, at: str) -> int:
    """For how many days a typed result could be put right, if they are over; 0 while they are not, or for ever."""
    days = club.settings.correction_days if season.id == BESIDE else season.format.correction_days
    return days if datetime.fromisoformat(at) - datetime.fromisoformat(typed.at) > timedelta(days) else 0


def _voided(season: Season, event: ResultVoided) -> Reason | None:
    table = season.tables.get(event.table)
    if table is None:
        return _no_table(season, event.table)
    if table.voided:
        return because("void_already", "table {table} is void already", table=table.id)
    return _why(event.why)


def _penalty(club: Club, season: Season, event: PenaltyGiven) -> Reason | None:
    if not event.points or abs(event.points) > PENALTY_LIMIT:
        return because("penalty_points", "a penalty is 1 to {limit} points, or as many given back",
                       limit=PENALTY_LIMIT)
    return _all_entered(club, season, [event.person]) or _why(event.why)


# --- the end of a season ---------------------------------------------------------------------------------------------


def _closing(club: Club, season: Season, event: SeasonClosed) -> Reason | None:
    for table in season.tables.values():
        if not table.is_settled:
            return because("table_unplayed", "table {table} of round {round} has no result: enter one, or make it void",
                           table=table.id, round=table.round)
    placed = [person for order in event.orders for person in order.people]
    if wrong := _each_once(club, placed) or _all_entered(club, season, placed):
        return wrong
    for entrant in club.entrants(season):
        if entrant.person not in {club.person(person) for person in placed}:
            return because("unplaced", "{person} plays {season} and has no place in the final order",
                           person=entrant.person, season=season.name)
    for order in event.orders:
        for person in (*order.promoted, *order.relegated):
            if person not in order.people:
                return because("moved_unplaced", "{person} has no place in the group they would leave", person=person)
    return None
