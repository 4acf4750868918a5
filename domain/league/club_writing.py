"""Entries that each command writes into a club: a table, and the draft that collects the entries.

Commands that depend on more than the club (accounts, records, standings) are in `services.league.clubs.writing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from daybook.domain.kernel.chronicle import Refused, Written, key_within, writing_fields
from daybook.domain.league import club_commands as commands
from daybook.domain.league import club_events as events
from daybook.domain.league.club import Club, list_anonymous_ids
from daybook.domain.league.club_commands import ClubCommand
from daybook.domain.league.event_checks import checked_entry

TEXTS = frozenset({"name", "place", "why"})  # fields without spaces around them
PEOPLE = frozenset({"people", "seats"})  # fields with ids of people

Producer = Callable[["ClubDraft", Any], None]


class ClubDraft:
    """The entries that a command adds to a club, all of them or none."""

    def __init__(self, club: Club, written: Written) -> None:
        self.club = club  # with the entries added so far; no one else has it
        self.at, self.by, self.key = written.at, written.by, written.key
        self.entries: list[events.ClubEntry] = []
        self.new_people: dict[str, str] = {}  # names by id, stored with the entries
        self._written = written

    def add(self, kind: Callable[..., events.AnyEvent], /, **fields: Any) -> None:
        """Add an event. The first one has the writer's key. Raises Refused if the club cannot take it."""
        written, place = self._written, len(self.entries)
        if place:
            written = msgspec.structs.replace(written, key=key_within(written, place), nonce="")
        entry = checked_entry(self.club, kind(step=self.club.step + 1, **writing_fields(written), **fields))
        self.entries.append(entry)
        self.club = self.club.then(entry)


def produce(draft: ClubDraft, command: ClubCommand) -> None:
    """Add what a command writes. Raises Refused."""
    PRODUCES[type(command)](draft, command)


def added_roles(roles: tuple[events.Role, ...]) -> tuple[events.Role, ...]:
    """Return roles in their order, without that of every member."""
    return tuple(role for role in events.ROLES if role in roles and role != "member")


# --- commands with some work -----------------------------------------------------------------------------------------


def _rename_club(draft: ClubDraft, command: commands.RenameClub) -> None:
    draft.add(events.ClubRenamed, name=" ".join(command.name.split()))


def _give_roles(draft: ClubDraft, command: commands.GiveRoles) -> None:
    draft.add(events.RolesGiven, person=draft.club.person(command.person), roles=added_roles(command.roles))


def _plan_evening(draft: ClubDraft, command: commands.PlanEvening) -> None:
    plan_evening(draft, command, command.when, command.until, command.evening)


def plan_evening(
    draft: ClubDraft, command: commands.PlanEvening, when: str, until: str, evening: str = "", series: str = ""
) -> None:
    """Plan an evening at one of the times of a command. evening: the evening to change; empty: a new one."""
    known = draft.club.evenings.get(evening)
    draft.add(
        events.EveningPlanned,
        evening=evening or draft.club.next_evening(),
        when=when,
        place=command.place.strip(),
        games=tuple(command.games),
        chairs=command.chairs,
        until=until,
        remark=command.remark.strip(),
        series=known.series if known is not None else series,
    )


def _set_evening_tables(draft: ClubDraft, command: commands.SetEveningTables) -> None:
    tables = tuple(
        events.EveningTable(table.game, tuple(map(draft.club.person, table.people))) for table in command.tables
    )
    draft.add(events.EveningTablesSet, evening=command.evening, tables=tables, seed=command.seed)


def _call_off_evening(draft: ClubDraft, command: commands.CallOffEvening) -> None:
    evening = draft.club.evenings.get(command.evening)
    called_off = [command.evening]
    if command.with_later and evening is not None:
        later = draft.club.evenings_after(evening)
        called_off = [other.id for other in later if not other.called_off] or called_off
    for evening_id in called_off:
        draft.add(events.EveningCalledOff, evening=evening_id, why=command.why.strip())


def _found_league(draft: ClubDraft, command: commands.FoundLeague) -> None:
    draft.add(
        events.LeagueFounded,
        league=draft.club.next_league(),
        name=command.name.strip(),
        rulesets=tuple(command.rulesets),
        spectator_delay_seconds=command.spectator_delay_seconds,
    )


def _open_season(draft: ClubDraft, command: commands.OpenSeason) -> None:
    draft.add(
        events.SeasonOpened,
        season=draft.club.next_season(),
        league=command.league,
        name=command.name.strip(),
        format=command.format,
    )


def enter_players(draft: ClubDraft, season: str, command: commands.EnterPlayers | commands.OpenNextSeason) -> None:
    """Add the players of a command to a season."""
    for player in command.players:
        draft.add(
            events.PlayerEntered,
            season=season,
            person=draft.club.person(player.person),
            division=player.division,
            group=player.group,
        )


def _report_absence(draft: ClubDraft, command: commands.ReportAbsence) -> None:
    """Write an absence, or its end. Write nothing if it is known already."""
    person, club = _player_of(draft, command), draft.club
    table = club.seasons[command.season].tables.get(command.table) if command.season in club.seasons else None
    if table is not None and (person in club.absent(table)) == command.absent and person in club.seats(table):
        return
    draft.add(events.AbsenceReported, season=command.season, table=command.table, person=person, absent=command.absent)


def _propose_day(draft: ClubDraft, command: commands.ProposeDay) -> None:
    draft.add(
        events.DayProposed,
        season=command.season,
        table=command.table,
        person=_player_of(draft, command),
        when=command.when,
        place=command.place.strip(),
    )
    _plan_agreed_day(draft, command)


def _agree_to_day(draft: ClubDraft, command: commands.AgreeToDay) -> None:
    draft.add(
        events.DayAgreed,
        season=command.season,
        table=command.table,
        person=_player_of(draft, command),
        when=command.when,
    )
    _plan_agreed_day(draft, command)


def _player_of(draft: ClubDraft, command: commands.ReportAbsence | commands.ProposeDay | commands.AgreeToDay) -> str:
    return draft.club.person(command.person or draft.by)


def _plan_agreed_day(draft: ClubDraft, command: commands.ProposeDay | commands.AgreeToDay) -> None:
    """Plan a table for the proposed day if all its players agree."""
    table = draft.club.seasons[command.season].tables[command.table]
    if table.proposal is not None and not draft.club.players_to_agree(table):
        place = table.proposal.place or table.place
        draft.add(
            events.TablePlanned, season=command.season, table=command.table, when=table.proposal.when, place=place
        )


def _confirm_separate_games(draft: ClubDraft, command: commands.ConfirmSeparateGames) -> None:
    draft.add(
        events.SeparateGamesConfirmed,
        season=command.season,
        table=command.table,
        other_season=command.other_season,
        other_table=command.other_table,
        why=command.why.strip(),
    )


def _remove_game(draft: ClubDraft, command: commands.RemoveGame) -> None:
    """Remove a record. Plays that were merged with it become one play of their own again."""
    why = command.why.strip()
    draft.add(events.GameRemoved, season=command.season, table=command.table, game=command.game, why=why)
    first = ""
    while (table := draft.club.season(command.season).tables[command.table]).joined and table.typed is None:
        part = table.joined[0]
        draft.add(events.PlaySplit, season=events.BESIDE, table=part, why=why)
        if not first:
            first = part
            continue
        try:
            draft.add(events.PlaysMerged, season=events.BESIDE, table=part, into_season=events.BESIDE, into_table=first)
        except Refused:  # the people of the two plays differ by now, so both stay
            continue


def _record_forfeit(draft: ClubDraft, command: commands.RecordForfeit) -> None:
    club, automa = draft.club, ""
    table = club.season(command.season).tables.get(command.table) if club.has_season(command.season) else None
    if table is not None and command.with_automa:
        seats = [club.person(seat) for seat in table.seats]
        person = club.person(command.person)
        automa = list_anonymous_ids(club.id)[seats.index(person)] if person in seats else ""
    draft.add(
        events.ForfeitRecorded,
        season=command.season,
        table=command.table,
        person=club.person(command.person),
        automa=automa,
        why=command.why.strip(),
    )


# --- the table -------------------------------------------------------------------------------------------------------


def _event(kind: Callable[..., events.AnyEvent], **more: Any) -> Producer:
    """Return what adds one event with the fields of a command."""

    def add(draft: ClubDraft, command: ClubCommand) -> None:
        fields = {name: _event_field(draft.club, name, getattr(command, name)) for name in command.__struct_fields__}
        draft.add(kind, **fields, **more)

    return add


def _event_field(club: Club, name: str, value: Any) -> Any:
    """Return a field of a command as events have it: people as the club knows them, texts without outer spaces."""
    if name == "person":
        return club.person(value)
    if name in PEOPLE:
        return tuple(map(club.person, value))
    if name in TEXTS:
        return value.strip()
    return tuple(value) if isinstance(value, list) else value


PRODUCES: Mapping[type[ClubCommand], Producer] = {
    commands.RenameClub: _rename_club,
    commands.ChangeClubSettings: _event(events.ClubSettingsChanged),
    commands.SetTimeZone: _event(events.TimeZoneSet),
    commands.RemoveClub: _event(events.ClubRemoved),
    commands.DissolveClub: _event(events.ClubDissolved),
    commands.RestoreClub: _event(events.ClubRestored),
    commands.GiveRoles: _give_roles,
    commands.EndMembership: _event(events.MemberLeft),
    commands.SplitPeople: _event(events.PeopleSplit),
    commands.PlanEvening: _plan_evening,
    commands.CallOffEvening: _call_off_evening,
    commands.GiveUpChallenge: _event(events.ChallengeGivenUp),
    commands.SetEveningTables: _set_evening_tables,
    commands.FoundLeague: _found_league,
    commands.ChangeLeague: _event(events.LeagueChanged),
    commands.RemoveLeague: _event(events.LeagueRemoved),
    commands.RestoreLeague: _event(events.LeagueRestored),
    commands.OpenSeason: _open_season,
    commands.ChangeSeason: _event(events.SeasonChanged),
    commands.WithdrawPlayer: _event(events.PlayerWithdrew),
    commands.GivePenalty: _event(events.PenaltyGiven),
    commands.SetTeam: _event(events.TeamSet),
    commands.SetHandicap: _event(events.HandicapSet),
    commands.RecordLot: _event(events.LotDrawn),
    commands.CancelSeason: _event(events.SeasonCancelled),
    commands.RemoveSeason: _event(events.SeasonRemoved),
    commands.RestoreSeason: _event(events.SeasonRestored),
    commands.ReopenSeason: _event(events.SeasonReopened),
    commands.PlanTable: _event(events.TablePlanned),
    commands.ChangeSeats: _event(events.SeatsChanged),
    commands.PostponeTable: _event(events.TablePostponed),
    commands.RecordForfeit: _record_forfeit,
    commands.RestoreSeat: _event(events.SeatRestored),
    commands.ExcusePlayer: _event(events.PlayerExcused),
    commands.SetRoundDeadline: _event(events.RoundDeadlineSet),
    commands.ReportAbsence: _report_absence,
    commands.ProposeDay: _propose_day,
    commands.AgreeToDay: _agree_to_day,
    commands.RemoveGame: _remove_game,
    commands.VoidResult: _event(events.ResultVoided),
    commands.ConfirmSeparateGames: _confirm_separate_games,
    commands.MergePlays: _event(events.PlaysMerged),
    commands.SplitPlay: _event(events.PlaySplit, season=events.BESIDE),
    commands.UndoImport: _event(events.ImportUndone, season=events.BESIDE),
}
