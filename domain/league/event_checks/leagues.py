"""Check if a league or season may be created, changed, entered, left, closed or reopened."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.kernel.game_names import ANY, is_by_name, name_in_key
from daybook.domain.kernel.terms import Reason, WhyNot, because
from daybook.domain.league import club_events, seasons
from daybook.domain.league.club import Club, Season
from daybook.domain.league.event_checks.common import (
    ID,
    entered_fault,
    missing_why_fault,
    name_fault,
    no_season,
    not_entered,
    person_fault,
    twice_fault,
    unchanged_fault,
)

PENALTY_LIMIT = 1000  # points
MAX_SPECTATOR_DELAY_SECONDS = 3600


def league_fault(club: Club, event: club_events.LeagueFounded | club_events.LeagueChanged) -> WhyNot:
    known = club.leagues.get(event.league)
    if isinstance(event, club_events.LeagueFounded):
        if known or not ID.fullmatch(event.league):
            return because("league_id", "“{id}” cannot be the id of a new league", id=event.league[:40])
    elif known is None:
        return _no_league(event.league)
    elif known.removed:
        return league_gone(known.name)
    elif (known.name, known.rulesets, known.spectator_delay_seconds) == (
        event.name,
        event.rulesets,
        event.spectator_delay_seconds,
    ):
        return unchanged_fault()
    if not 0 <= event.spectator_delay_seconds <= MAX_SPECTATOR_DELAY_SECONDS:
        return because(
            "spectator_delay", "the delay for spectators is 0 to {most} seconds", most=MAX_SPECTATOR_DELAY_SECONDS
        )
    if wrong := _name_taken_fault(club, event.league, event.name):
        return wrong
    if not event.rulesets or len({*event.rulesets}) != len(event.rulesets):
        return because("league_games", "choose at least one game for the league, each once")
    named = [name_in_key(key) for key in event.rulesets if is_by_name(key) and key != ANY]
    return next(filter(None, map(name_fault, [event.name, *named])), None)


def _name_taken_fault(club: Club, league_id: str, name: str) -> WhyNot:
    if any(league.name == name for league in club.leagues_shown() if league.id != league_id):
        return because("league_name", "there is already a league “{name}”", name=name)
    return None


def league_gone(name: str) -> Reason:
    return because("league_removed", "the league {name} was removed; restore it first", name=name)


def league_removal_fault(club: Club, event: club_events.LeagueRemoved | club_events.LeagueRestored) -> WhyNot:
    known = club.leagues.get(event.league)
    if known is None:
        return _no_league(event.league)
    if isinstance(event, club_events.LeagueRestored):
        return (
            unchanged_fault()
            if not known.removed
            else missing_why_fault(event.why) or _name_taken_fault(club, known.id, known.name)
        )
    if known.removed:
        return unchanged_fault()
    return missing_why_fault(event.why) or _played_fault(club.seasons_of(event.league))


def club_removal_fault(club: Club, event: club_events.ClubRemoved | club_events.ClubRestored) -> WhyNot:
    if isinstance(event, club_events.ClubRestored) and not club.removed:
        return unchanged_fault()
    if isinstance(event, club_events.ClubRestored):
        return missing_why_fault(event.why)
    return missing_why_fault(event.why) or _played_fault(club.all_seasons())


def _played_fault(seasons_to_remove: Iterable[Season]) -> WhyNot:
    """Refuse to remove results: they would vanish from standings and ratings."""
    for season in seasons_to_remove:
        for table in season.tables.values():
            if (table.game or table.typed) and not table.voided:
                return because(
                    "has_results",
                    "table {table} of {season} has a game or a result: remove the game or make the table void first",
                    table=table.id,
                    season=season.name or "–",
                )
    return None


def _no_league(league_id: str) -> Reason:
    return because("no_league", "the club has no league “{id}”", id=league_id[:40])


def opening_fault(club: Club, event: club_events.SeasonOpened) -> WhyNot:
    if event.league not in club.leagues:
        return _no_league(event.league)
    if club.leagues[event.league].removed:
        return league_gone(club.leagues[event.league].name)
    if event.season in club.seasons or not ID.fullmatch(event.season):
        return because("season_id", "“{id}” cannot be the id of a new season", id=event.season[:40])
    source = club.seasons.get(event.qualifying_season)
    if event.qualifying_season and (source is None or source.league != event.league):
        return no_season(event.qualifying_season)
    if source is not None and source.closed is None:
        return because("season_open", "{season} is not closed yet", season=source.name)
    return _season_name_fault(club, event.league, event.season, event.name) or seasons.format_fault(event.format)


def _season_name_fault(club: Club, league: str, season_id: str, name: str) -> WhyNot:
    if any(season.name == name for season in club.seasons_of(league) if season.id != season_id):
        return because("season_name", "the league already has a season “{name}”", name=name)
    return name_fault(name)


def season_removal_fault(season: Season, event: club_events.SeasonRemoved) -> WhyNot:
    return missing_why_fault(event.why) or _played_fault([season])


def season_restoring_fault(club: Club, event: club_events.SeasonRestored) -> WhyNot:
    season = club.seasons.get(event.season)
    if season is None:
        return no_season(event.season)
    if not season.removed:
        return unchanged_fault()
    if club.leagues[season.league].removed:
        return league_gone(club.leagues[season.league].name)
    return missing_why_fault(event.why) or _season_name_fault(club, season.league, season.id, season.name)


def reopening_fault(club: Club, event: club_events.SeasonReopened) -> WhyNot:
    season = club.seasons.get(event.season)
    if season is None:
        return no_season(event.season)
    if season.removed:
        return because("season_removed", "{season} was removed; restore it first", season=season.name)
    if season.is_open:
        return because("season_open", "{season} is open", season=season.name)
    if stages := [stage for stage in club.stages_after(season) if stage.tables]:
        return because(
            "stage_drawn", "{season} is frozen: {stage} is drawn from it", season=season.name, stage=stages[0].name
        )
    return missing_why_fault(event.why)


def final_order_fault(club: Club, event: club_events.FinalOrderKept) -> WhyNot:
    """Return why the event is refused: unknown or open season, or no reason given."""
    season = club.seasons.get(event.season)
    if season is None:
        return no_season(event.season)
    if season.closed is None:
        return because("season_open", "{season} is not closed yet", season=season.name)
    return missing_why_fault(event.why)


def settling_fault(club: Club, season: Season, event: club_events.SeasonChanged) -> WhyNot:
    if (season.name, season.format) == (event.name, event.format):
        return unchanged_fault()
    if season.format.kind != event.format.kind and season.tables:
        return because("kind_drawn", "{season} already has tables, so its settings cannot change", season=season.name)
    for player in season.players.values():
        if not _has_group(event.format, player.division, player.group):
            return because(
                "group_gone",
                "{person} plays in division {division}, group {group}",
                person=player.person,
                division=player.division,
                group=player.group,
            )
    return _season_name_fault(club, season.league, season.id, event.name) or seasons.format_fault(event.format)


def _has_group(season_format: seasons.Format, division: int, group: int) -> bool:
    if not season_format.divisions:
        return (division, group) == (1, 1)
    return 1 <= division <= len(season_format.divisions) and 1 <= group <= len(
        season_format.divisions[division - 1].groups
    )


def player_fault(club: Club, season: Season, event: club_events.PlayerEntered) -> WhyNot:
    if not _has_group(season.format, event.division, event.group):
        return because(
            "no_group",
            "{season} has no division {division} with a group {group}",
            season=season.name,
            division=event.division,
            group=event.group,
        )
    known = club.player(season, event.person)
    if known is None and len(season.players) >= seasons.ENTRANTS_LIMIT:
        return because(
            "season_full", "{season} has at most {most} players", season=season.name, most=seasons.ENTRANTS_LIMIT
        )
    stays = known is not None and (known.division, known.group) == (event.division, event.group)
    if known and stays and known.withdrew is None:
        return because("entered_already", "{person} already plays in {season}", person=event.person, season=season.name)
    if known and not stays:
        for table in season.tables.values():
            if club.person(event.person) in club.names_at(table):
                return because(
                    "group_drawn",
                    "{person} sits at table {table} of the group they would leave",
                    person=event.person,
                    table=table.id,
                )
    return person_fault(event.person)


def withdrawal_fault(club: Club, season: Season, event: club_events.PlayerWithdrew) -> WhyNot:
    known = club.player(season, event.person)
    if known is None:
        return not_entered(season, event.person)
    if known.withdrew is not None:
        return because(
            "withdrawn_already", "{person} has already withdrawn from {season}", person=event.person, season=season.name
        )
    return None


def team_fault(club: Club, season: Season, event: club_events.TeamSet) -> WhyNot:
    wrong = entered_fault(club, season, event.people) or twice_fault(club, event.people)
    return wrong or (name_fault(event.name) if event.name else None)


def handicap_fault(club: Club, season: Season, event: club_events.HandicapSet) -> WhyNot:
    if not 0 <= event.points <= seasons.HANDICAP_LIMIT:
        return because("handicap_points", "a handicap is 0 to {limit} points a game", limit=seasons.HANDICAP_LIMIT)
    return entered_fault(club, season, event.people) or twice_fault(club, event.people)


def penalty_fault(club: Club, season: Season, event: club_events.PenaltyGiven) -> WhyNot:
    if not event.points or abs(event.points) > PENALTY_LIMIT:
        return because(
            "penalty_points", "a penalty is 1 to {limit} points, or returns up to {limit} points", limit=PENALTY_LIMIT
        )
    return entered_fault(club, season, [event.person]) or missing_why_fault(event.why)


def closing_fault(club: Club, season: Season, event: club_events.SeasonClosed) -> WhyNot:
    for table in season.tables.values():
        if not table.is_settled:
            return because(
                "table_unplayed",
                "table {table} of round {round} has no result: enter one, or make it void",
                table=table.id,
                round=table.round,
            )
        if table.is_unapproved:
            return because(
                "table_unconfirmed",
                "the result of table {table} waits for another player’s or an organiser’s confirmation",
                table=table.id,
            )
    placed = [person for order in event.orders for person in order.people]
    if wrong := twice_fault(club, placed) or entered_fault(club, season, placed):
        return wrong
    with_place = {club.person(person) for person in placed}
    for entrant in club.entrants(season):
        if entrant.person not in with_place:
            return because(
                "unplaced",
                "{person} plays in {season} and has no place in the final order",
                person=entrant.person,
                season=season.name,
            )
    for order in event.orders:
        for person in (*order.promoted, *order.relegated):
            if person not in order.people:
                return because("moved_unplaced", "{person} has no place in the group they would leave", person=person)
    return None
