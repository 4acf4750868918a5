"""Check if an event may be written next in a club; a refusal states the reason and changes nothing.

In the figures of a reason `person`, `other` and `third` are ids of people, to be named where the reason is said.
"""

from __future__ import annotations

from daybook.domain.kernel.chronicle import Refused, checked_text
from daybook.domain.kernel.terms import WhyNot, because
from daybook.domain.league import club_events
from daybook.domain.league.club import Club
from daybook.domain.league.event_checks import (
    challenge_checks,
    evening_checks,
    game_checks,
    leagues,
    member_checks,
    schedules,
    table_days,
)
from daybook.domain.league.event_checks.common import CLUB_NAME_LIMIT as CLUB_NAME_LIMIT
from daybook.domain.league.event_checks.common import (
    entered_fault,
    missing_why_fault,
    name_fault,
    no_season,
    people_fault,
    twice_fault,
    unchanged_fault,
    zone_fault,
)

FITS_A_REMOVED_CLUB = (
    club_events.ClubRestored
    | club_events.ClubMoved
    | club_events.MemberLeft
    | club_events.PeopleMerged
    | club_events.TextsBlanked
)

FITS_AN_OWN_LOG = (
    FITS_A_REMOVED_CLUB
    | club_events.ClubRenamed
    | club_events.TimeZoneSet
    | club_events.PeopleSplit
    | club_events.ChallengeSet
    | club_events.ChallengeGivenUp
    | club_events.ClubRemoved
    | club_events.ClubDissolved
    | club_events.OfSeason
)


def checked_entry(club: Club, event: club_events.AnyEvent) -> club_events.ClubEntry:
    """Return the next entry. Raises Refused if the event does not fit."""
    reason = event_fault(club, event)
    if reason is not None:
        raise Refused(reason)
    return club.write(event)


def event_fault(club: Club, event: club_events.AnyEvent) -> WhyNot:
    """Return why an event cannot be written next, or None. Raises Refused for a text that is too long."""
    checked_text(getattr(event, "why", ""))
    if club.removed and not isinstance(event, FITS_A_REMOVED_CLUB):
        return because("club_removed", "the club was removed; restore it first")
    if club.is_own_log and not isinstance(event, FITS_AN_OWN_LOG):
        return because("own_log", "this is one person’s own log: create a club for what you share with others")
    match event:
        case club_events.ClubRenamed():
            return name_fault(event.name) or (unchanged_fault() if event.name == club.name else None)
        case club_events.ClubSettingsChanged():
            return member_checks.settings_fault(club, event)
        case club_events.TimeZoneSet():
            return unchanged_fault() if event.zone == club.zone else zone_fault(event.zone)
        case club_events.MemberJoined() | club_events.RolesGiven() | club_events.MemberLeft():
            return member_checks.member_fault(club, event)
        case club_events.PeopleMerged():
            return member_checks.merge_fault(club, event)
        case club_events.PeopleSplit():
            return member_checks.split_fault(club, event)
        case club_events.TextsBlanked():
            return member_checks.blanking_fault(club, event)
        case club_events.EveningPlanned():
            return evening_checks.plan_fault(club, event)
        case club_events.EveningCalledOff():
            return evening_checks.calling_off_fault(club, event)
        case club_events.EveningAnswered():
            return evening_checks.answer_fault(club, event)
        case club_events.ClubDissolved():
            return missing_why_fault(event.why)
        case club_events.ClubMoved():
            return people_fault((event.by, *event.former_members))
        case club_events.ChallengeSet():
            return challenge_checks.setting_fault(club, event)
        case club_events.ChallengeGivenUp():
            return challenge_checks.giving_up_fault(club, event)
        case club_events.EveningTablesSet():
            return evening_checks.tables_fault(club, event)
        case club_events.ClubRemoved() | club_events.ClubRestored():
            return leagues.club_removal_fault(club, event)
        case club_events.LeagueRemoved() | club_events.LeagueRestored():
            return leagues.league_removal_fault(club, event)
        case club_events.LeagueFounded() | club_events.LeagueChanged():
            return leagues.league_fault(club, event)
        case club_events.SeasonOpened():
            return leagues.opening_fault(club, event)
        case club_events.SeasonReopened():
            return leagues.reopening_fault(club, event)
        case club_events.SeasonRestored():
            return leagues.season_restoring_fault(club, event)
        case club_events.FinalOrderKept():
            return leagues.final_order_fault(club, event)
        case _:
            return (
                _fault_in_open_season(club, event)
                if isinstance(event, club_events.OfSeason)
                else because("founded_before", "the club exists already")
            )


def _fault_in_open_season(club: Club, event: club_events.OfSeason) -> WhyNot:
    if event.season != club_events.BESIDE and event.season not in club.seasons:
        return no_season(event.season)
    season = club.season(event.season)
    if season.league and club.leagues[season.league].removed:
        return leagues.league_gone(club.leagues[season.league].name)
    if season.removed:
        return because("season_removed", "{season} was removed; restore it first", season=season.name)
    if season.cancelled:
        return because("season_cancelled", "{season} was cancelled; reopen it first", season=season.name)
    if not season.is_open:
        return because("season_closed", "{season} is closed; reopen it first", season=season.name)
    match event:
        case club_events.GameEntered():
            return game_checks.game_entry_fault(club, season, event)
        case club_events.RecordedElsewhere():
            return game_checks.record_elsewhere_fault(club, season, event)
        case club_events.SeatingCorrected():
            return game_checks.who_sat_fault(club, season, event)
        case club_events.GameRemoved():
            return game_checks.removal_fault(season, event)
        case club_events.ResultTyped():
            return game_checks.typed_result_fault(club, season, event)
        case club_events.PlaysImported():
            return game_checks.import_fault(club, season, event)
        case club_events.PlaysUpdated():
            return game_checks.update_fault(club, season, event)
        case club_events.PlaysMerged():
            return game_checks.plays_merge_fault(club, season, event)
        case club_events.PlaySplit():
            return game_checks.split_fault(season, event)
        case club_events.ImportUndone():
            return game_checks.undoing_fault(season, event)
        case club_events.ResultVoided():
            return game_checks.voiding_fault(season, event)
        case club_events.ResultAccepted():
            return game_checks.acceptance_fault(season, event)
        case club_events.SeparateGamesConfirmed():
            return game_checks.apart_fault(club, season, event)
        case club_events.TablePlanned():
            return schedules.plan_fault(season, event)
        case _ if season.id == club_events.BESIDE:
            return because("beside", "what is played outside the seasons has only tables and results")
        case club_events.SeasonChanged():
            return leagues.settling_fault(club, season, event)
        case club_events.PlayerEntered():
            return leagues.player_fault(club, season, event)
        case club_events.PlayerWithdrew():
            return leagues.withdrawal_fault(club, season, event)
        case club_events.ScheduleDrawn():
            return schedules.draw_fault(club, season, event)
        case club_events.SeatsChanged():
            return schedules.seats_fault(club, season, event)
        case club_events.TablePostponed():
            return schedules.postponement_fault(season, event)
        case club_events.SubstituteSeated() | club_events.ForfeitRecorded():
            return schedules.stand_in_fault(club, season, event)
        case club_events.SeatRestored():
            return schedules.restored_seat_fault(club, season, event)
        case club_events.PlayerExcused():
            return schedules.excuse_fault(club, season, event)
        case club_events.RoundDeadlineSet():
            return schedules.round_deadline_fault(season, event)
        case club_events.AbsenceReported() | club_events.DayProposed() | club_events.DayAgreed():
            return table_days.request_fault(club, season, event)
        case club_events.PenaltyGiven():
            return leagues.penalty_fault(club, season, event)
        case club_events.TeamSet():
            return leagues.team_fault(club, season, event)
        case club_events.HandicapSet():
            return leagues.handicap_fault(club, season, event)
        case club_events.LotDrawn():
            return entered_fault(club, season, event.people) or twice_fault(club, event.people)
        case club_events.SeasonCancelled():
            return missing_why_fault(event.why)
        case club_events.SeasonRemoved():
            return leagues.season_removal_fault(season, event)
        case club_events.SeasonClosed():
            return leagues.closing_fault(club, season, event)
    return None
