"""Whether an event may be written next in a club: each refusal states what stands against it, and changes nothing.

In the figures of a reason `person`, `other` and `third` are ids of people, to be named where the reason is said.
"""

from __future__ import annotations

from daybook.domain.kernel.chronicle import Refused, checked_text
from daybook.domain.kernel.ruleset import Reason, because
from daybook.domain.league.club import Club
from daybook.domain.league.events import (
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
from daybook.domain.league.fitting import games, leagues, people, schedules
from daybook.domain.league.fitting.common import NAME_LIMIT as NAME_LIMIT
from daybook.domain.league.fitting.common import all_entered, each_once, name_fault, unchanged


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
            return name_fault(event.name) or (unchanged() if event.name == club.name else None)
        case ClubSettled():
            return people.settings(club, event)
        case MemberJoined() | RolesGiven() | MemberLeft():
            return people.member(club, event)
        case PeopleMerged():
            return people.merge(club, event)
        case PeopleSplit():
            return people.split(club, event)
        case LeagueFounded() | LeagueSettled():
            return leagues.league(club, event)
        case SeasonOpened():
            return leagues.opening(club, event)
        case SeasonReopened():
            return leagues.reopening(club, event)
        case _:
            return _of_open_season(club, event) if isinstance(event, OfSeason) else because(
                "founded_before", "the club is founded already")


def _of_open_season(club: Club, event: OfSeason) -> Reason | None:
    if event.season != BESIDE and event.season not in club.seasons:
        return leagues.no_season(event.season)
    season = club.season(event.season)
    if not season.is_open:
        return because("season_closed", "{season} is closed; reopen it first", season=season.name)
    match event:
        case GameEntered():
            return games.entered(club, season, event)
        case GameRemoved():
            return games.removed(season, event)
        case ResultTyped():
            return games.typed(club, season, event)
        case ResultVoided():
            return games.voided(season, event)
        case TablePlanned():
            return schedules.planned(season, event)
        case _ if season.id == BESIDE:
            return because("beside", "what is played beside every season has tables and results alone")
        case SeasonSettled():
            return leagues.settled(club, season, event)
        case PlayerEntered():
            return leagues.entered(club, season, event)
        case PlayerWithdrew():
            return leagues.withdrew(club, season, event)
        case ScheduleDrawn():
            return schedules.drawn(club, season, event)
        case SeatsChanged():
            return schedules.reseated(club, season, event)
        case PenaltyGiven():
            return leagues.penalty(club, season, event)
        case LotDrawn():
            return all_entered(club, season, event.people) or each_once(club, event.people)
        case SeasonClosed():
            return leagues.closing(club, season, event)
    return None
