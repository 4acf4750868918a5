"""Commands about the leagues and seasons of a club."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.terms import because
from daybook.domain.league import club_commands as commands
from daybook.domain.league import club_events, club_writing
from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_writing import ClubDraft, produce
from daybook.domain.league.event_checks.common import no_season
from daybook.domain.league.seasons import Format
from daybook.services import days
from daybook.services.league.clubs.member_commands import admit_guests
from daybook.services.league.results import season_of
from daybook.services.league.season_end import final_orders, require_seen_orders, since_closing
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownRulesetError


def set_time_zone(book: Daybook, draft: ClubDraft, command: commands.SetTimeZone) -> None:
    if not days.is_zone(command.zone):
        raise Refused(because("no_zone", "“{zone}” is not a time zone", zone=command.zone[:40]))
    produce(draft, command)


def write_league(book: Daybook, draft: ClubDraft, command: commands.FoundLeague | commands.ChangeLeague) -> None:
    """Found or change a league. Raises UnknownRulesetError."""
    require_known(command.rulesets)
    produce(draft, command)


def require_known(rulesets: Sequence[str]) -> None:
    """Raise UnknownRulesetError for a game that is neither installed nor known by name."""
    for ruleset_id in rulesets:
        if ruleset_id not in RULESETS and not is_by_name(ruleset_id):
            raise UnknownRulesetError(ruleset_id)


def open_season(book: Daybook, draft: ClubDraft, command: commands.OpenSeason) -> None:
    _refuse_unplayable(draft.club, command.league, command.format)
    produce(draft, command)


def change_season(book: Daybook, draft: ClubDraft, command: commands.ChangeSeason) -> None:
    if command.season in draft.club.seasons:
        _refuse_unplayable(draft.club, draft.club.seasons[command.season].league, command.format)
    produce(draft, command)


def _refuse_unplayable(club: Club, league: str, season_format: Format) -> None:
    """Raise Refused for drawn tables at which none of a league's games can be played.

    In a free season people sit down as they like: their games decide how many may play.
    """
    if league not in club.leagues or season_format.kind == "free":
        return
    played = club.leagues[league].rulesets
    if any(map(is_by_name, played)):  # their numbers of players are not known
        return
    known = [RULESETS[ruleset_id] for ruleset_id in played if ruleset_id in RULESETS]
    for size in season_format.table_sizes:
        if known and not any(size in rules.seats for rules in known):
            raise Refused(because("table_size_of_game", "none of the league’s games is for {n} players", n=size))


def open_next_season(book: Daybook, draft: ClubDraft, command: commands.OpenNextSeason) -> None:
    if command.after not in draft.club.seasons:
        raise Refused(no_season(command.after))
    closed = draft.club.season(command.after)
    if closed.closed is None:
        raise Refused(because("season_open", "{season} is not closed yet", season=closed.name))
    season = draft.club.next_season()
    draft.add(
        club_events.SeasonOpened, season=season, league=closed.league, name=command.name.strip(), format=closed.format
    )
    club_writing.enter_players(draft, season, command)


def open_stage(book: Daybook, draft: ClubDraft, command: commands.OpenStage) -> None:
    """Open a stage with the best players of each group of a closed season. Raises Refused."""
    source = draft.club.seasons.get(command.after)
    if source is None:
        raise Refused(no_season(command.after))
    people = pick_stage_players(draft.club, source, command.qualifiers_per_group)
    _refuse_unplayable(draft.club, source.league, command.format)
    season = draft.club.next_season()
    draft.add(
        club_events.SeasonOpened,
        season=season,
        league=source.league,
        name=command.name.strip(),
        format=command.format,
        qualifying_season=source.id,
    )
    for person in people:
        draft.add(club_events.PlayerEntered, season=season, person=person)


def pick_stage_players(club: Club, source: Season, places: int) -> list[str]:
    """Return the best players of each group of a closed season: all winners, then all seconds. Raises Refused.

    The next players replace withdrawn ones.
    """
    if source.closed is None:
        raise Refused(because("season_open", "{season} is not closed yet", season=source.name))
    gone = {*club.withdrawn_people(source)} | club.people_left()
    orders = [[person for person in order.people if person not in gone] for order in club.orders(source.closed.orders)]
    if any(len(order) < places for order in orders):
        raise Refused(
            because("stage_places", "a group of {season} has fewer than {n} players", season=source.name, n=places)
        )
    return [order[place] for place in range(places) for order in orders]


def enter_players(book: Daybook, draft: ClubDraft, command: commands.EnterPlayers) -> None:
    if not command.players:
        raise Refused(because("no one", "enter at least one name"))
    admit_guests(book, draft, [player.person for player in command.players], command.guests)
    club_writing.enter_players(draft, command.season, command)


def close_season(book: Daybook, draft: ClubDraft, command: commands.CloseSeason) -> None:
    _close(book, draft, command.season)


def close_season_again(book: Daybook, draft: ClubDraft, command: commands.CloseSeasonAgain) -> None:
    """Close a closed season with its order now; seasons that were opened from it stay as they are."""
    draft.add(club_events.SeasonReopened, season=command.season, why=command.why.strip())
    require_seen_orders(final_orders(book, draft.club, command.season), command.orders_digest)
    _close(book, draft, command.season)


def _close(book: Daybook, draft: ClubDraft, season: str) -> None:
    """Close a season with its final orders."""
    orders = final_orders(book, draft.club, season)
    draft.add(club_events.SeasonClosed, season=season, orders=tuple(orders))


def keep_final_order(book: Daybook, draft: ClubDraft, command: commands.KeepFinalOrder) -> None:
    changed = since_closing(book, draft.club, season_of(draft.club, command.season))
    if changed is None or not changed.is_undecided:
        raise Refused(because("nothing_changed", "it is already like that"))
    require_seen_orders(changed.orders, command.orders_digest)
    draft.add(club_events.FinalOrderKept, season=command.season, orders=changed.orders, why=command.why.strip())


def season_at(club: Club, step: int) -> Season:
    """Return the season that the event of a step is about."""
    season = getattr(club.entries[step].event, "season", None)
    assert season is not None, f"step {step} is about no season"
    return club.season(season)


def league_at(club: Club, step: int) -> str:
    """Return the id of the league that was founded at a step."""
    event = club.entries[step].event
    assert isinstance(event, club_events.LeagueFounded)
    return event.league
