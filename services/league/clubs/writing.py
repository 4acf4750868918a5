"""Write commands to clubs, as `services.play.writing` does to games: the entries of each command and their inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import Written
from daybook.domain.league import club_commands as commands
from daybook.domain.league import club_events as events
from daybook.domain.league import club_writing
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import ClubCommand
from daybook.domain.league.club_writing import ClubDraft
from daybook.services.league.clubs import (
    challenge_commands,
    evening_commands,
    game_commands,
    import_plan,
    leagues,
    member_commands,
    schedules,
)
from daybook.services.permissions.actions import OPERATOR, ClubVisit, require
from daybook.services.permissions.club_roles import role_grants
from daybook.services.play import writing
from daybook.services.play.writing import Draft, RecordKind, Writer
from daybook.services.store.daybook import Daybook
from daybook.services.written import new_written

Producer = Callable[[Daybook, ClubDraft, Any], None]

PRODUCES: Mapping[type[ClubCommand], Producer] = {  # the other commands: domain.league.club_writing
    commands.SetTimeZone: leagues.set_time_zone,
    commands.AddMember: member_commands.add_member,
    commands.AddMembers: member_commands.add_members,
    commands.MergePeople: member_commands.merge_people,
    commands.SplitPeople: member_commands.split_people,
    commands.PlanEvening: evening_commands.write_plan,
    commands.SetEveningTables: evening_commands.set_tables,
    commands.AnswerEvening: evening_commands.answer_evening,
    commands.SetChallenge: challenge_commands.set_challenge,
    commands.FoundLeague: leagues.write_league,
    commands.ChangeLeague: leagues.write_league,
    commands.OpenSeason: leagues.open_season,
    commands.OpenNextSeason: leagues.open_next_season,
    commands.OpenStage: leagues.open_stage,
    commands.ChangeSeason: leagues.change_season,
    commands.EnterPlayers: leagues.enter_players,
    commands.CloseSeason: leagues.close_season,
    commands.CloseSeasonAgain: leagues.close_season_again,
    commands.KeepFinalOrder: leagues.keep_final_order,
    commands.DrawSchedule: schedules.draw_schedule,
    commands.PlanTable: schedules.plan_table,
    commands.PostponeTable: schedules.plan_table,
    commands.SeatSubstitute: schedules.seat_substitute,
    commands.EnterGame: game_commands.enter_game,
    commands.CorrectSeating: game_commands.correct_seating,
    commands.EnterResult: game_commands.enter_result,
    commands.AcceptResult: game_commands.accept_result,
    commands.AcceptWaitingPlays: game_commands.accept_waiting_plays,
    commands.ImportPlays: import_plan.import_plays,
    commands.MergePlays: game_commands.merge_plays,
    commands.AdmitInvited: member_commands.admit_invited,
    commands.MergeAccounts: member_commands.merge_accounts,
    commands.BlankNames: member_commands.blank_names,
}


def preview(book: Daybook, club_id: UUID, command: ClubCommand, *, by: str) -> Club:
    """Return the club as a command would leave it. Nothing is written. Raises as `write` does."""
    club = book.clubs.get(club_id)
    _permit(book, club, command, Writer(by))
    draft = ClubDraft(club, new_written(by, "preview"))
    _produce(book, draft, command)
    return draft.club


def _permit(book: Daybook, club: Club, command: ClubCommand, writer: Writer) -> None:
    """Raise Refused if the writer may not give this command."""
    visit = ClubVisit(club, writer.by, writer.grants, writer.own_session)
    if isinstance(command, commands.EnterGame) and writer.by != OPERATOR:
        require(visit, "enter_results")  # others do not learn if there is such a game
        game = book.games.get(UUID(command.game))
        visit = msgspec.structs.replace(visit, grants=(*writer.grants, *role_grants(book, writer.by, game.id)))
    require(visit, type(command), **msgspec.structs.asdict(command))


def _draft(book: Daybook, club: Club, command: ClubCommand, written: Written) -> Draft:
    """Return the entries that a command produces, and the people it adds."""
    draft = ClubDraft(club, written)
    _produce(book, draft, command)
    return draft.entries, draft.new_people


def _produce(book: Daybook, draft: ClubDraft, command: ClubCommand) -> None:
    """Add the events of a command to the draft."""
    produce = PRODUCES.get(type(command))
    if produce is None:
        club_writing.produce(draft, command)
    else:
        produce(book, draft, command)


def _append(book: Daybook, club: Club, draft: Draft) -> None:
    """Store new people, then append the entries to the log."""
    entries, new_people = draft
    if new_people:
        book.kept.keep_people(new_people)
    book.clubs.append(entries)


# --- what a command depends on ---------------------------------------------------------------------------------------


def _bears(club: Club, command: ClubCommand, entry: events.ClubEntry) -> bool:
    """Check if an entry that the writer has not seen may change what a command means."""
    event = entry.event
    match command:
        case commands.ChangeClubSettings():
            return isinstance(event, events.ClubSettingsChanged)
        case commands.PlanEvening() | commands.CallOffEvening():
            return (
                isinstance(event, events.EveningPlanned | events.EveningCalledOff) and event.evening == command.evening
            )
        case commands.ChangeSeason():
            return isinstance(event, events.SeasonChanged) and event.season == command.season
        case commands.CloseSeason() | commands.CancelSeason() | commands.RemoveSeason() | commands.DrawSchedule():
            return _is_of_season(event, command.season)
        case commands.AcceptResult() | commands.VoidResult():
            return _is_of_season(event, command.season) and getattr(event, "table", command.table) == command.table
        case commands.EnterGame(season=events.BESIDE, table=""):
            return isinstance(event, events.GameEntered | events.ResultTyped) and event.season == events.BESIDE
        case (
            commands.ChangeSeats()
            | commands.SeatSubstitute()
            | commands.RecordForfeit()
            | commands.RestoreSeat()
            | commands.PostponeTable()
            | commands.EnterResult()
        ):
            return _is_of_season(event, command.season) and (
                not command.table
                or isinstance(event, events.ScheduleDrawn)
                or getattr(event, "table", command.table) == command.table
            )
    return True


def _is_of_season(event: events.AnyEvent, season: str) -> bool:
    return getattr(event, "season", None) == season


CLUBS = RecordKind(
    "club",
    read=lambda book, club_id: book.clubs.get(club_id),
    permit=_permit,
    bears=_bears,
    draft=_draft,
    append=_append,
)
# The writer is a person's id or OPERATOR. Raises as `writing.write` does, and UnknownClubError.
write = partial(writing.write, CLUBS)
