"""Commands: what can be written into a club.

Pages, the API and the command line build one of these; `services.league.clubs.write` writes it. The tables that belong
to them: what each produces (`domain.league.club_writing`, and `services.league.clubs.writing` where that depends on more
than the club), and who may write it (`services.permissions.actions`).

Ids of leagues, seasons, tables and evenings are the club's own. The season "" is what is played outside the seasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from daybook.domain.kernel.field_types import FilledText, Text
from daybook.domain.kernel.frozen import Exact
from daybook.domain.league.club_events import Answer, ChallengeKind, ClubSettings, EveningTable, Role
from daybook.domain.league.event_checks import CLUB_NAME_LIMIT
from daybook.domain.league.event_checks.challenge_checks import MAX_SHELF_GAMES
from daybook.domain.league.event_checks.evening_checks import (
    CHAIRS_LIMIT,
    GAMES_LIMIT,
    MAX_GAMES_PER_ANSWER,
    TABLES_LIMIT,
)
from daybook.domain.league.event_checks.leagues import MAX_SPECTATOR_DELAY_SECONDS
from daybook.domain.league.plays import Play
from daybook.domain.league.results import NO_DETAILS, PLAYERS_LIMIT, Placed, PlayDetails
from daybook.domain.league.seasons import ENTRANTS_LIMIT, HANDICAP_LIMIT, ROUNDS_LIMIT, Entrant, Format

Guests = Mapping[str, str]
NO_GUESTS: Guests = {}
REPEATS_LIMIT = 26  # evenings of one series
DRAW_LIMIT = 1_000_000  # short enough to read aloud

Name = Annotated[str, Meta(max_length=CLUB_NAME_LIMIT)]
FilledName = Annotated[str, Meta(min_length=1, max_length=CLUB_NAME_LIMIT)]
Time = Annotated[str, Meta(max_length=24)]
GamesOfPerson = Annotated[tuple[FilledName, ...], Meta(max_length=MAX_GAMES_PER_ANSWER)] | None
DelaySeconds = Annotated[int, Meta(ge=0, le=MAX_SPECTATOR_DELAY_SECONDS)]
Id = Annotated[str, Meta(min_length=1, max_length=40)]  # of a season, a table or an evening
PersonId = Annotated[str, Meta(min_length=1, max_length=64)]
People = Annotated[tuple[PersonId, ...], Meta(max_length=PLAYERS_LIMIT)]
FilledPeople = Annotated[tuple[PersonId, ...], Meta(min_length=1, max_length=PLAYERS_LIMIT)]


class ClubCommand(Exact, tag_field="command"):
    """The base of all commands. The tag is the command's name and never changes."""


# --- the club --------------------------------------------------------------------------------------------------------


class RenameClub(ClubCommand, tag="rename_club"):
    name: str  # up to 120 characters


class ChangeClubSettings(ClubCommand, tag="change_club_settings"):
    settings: ClubSettings  # all tables of the evening; they replace the present ones


class SetTimeZone(ClubCommand, tag="set_time_zone"):
    zone: str  # the time zone of the club's days: Asia/Seoul


class RemoveClub(ClubCommand, tag="remove_club"):
    """Remove a club in which nothing was played. It can be restored."""

    why: str  # the reason


class DissolveClub(ClubCommand, tag="dissolve_club"):
    """End a club. Its past stays readable, nothing more is written, and it can be restored."""

    why: FilledText  # the reason


class RestoreClub(ClubCommand, tag="restore_club"):
    why: str  # the reason


# --- members ---------------------------------------------------------------------------------------------------------


class AddMember(ClubCommand, tag="add_member"):
    """Make a guest of the club, or a new person without an account, a member."""

    person: str  # the person's id
    roles: tuple[Role, ...] = ()  # besides "member"
    guests: Guests = NO_GUESTS  # the names of new people, by the ids that were made for them


class AddMembers(ClubCommand, tag="add_members"):
    """Add new people without accounts. Names that a member has already are left out."""

    names: tuple[str, ...]  # one for each person


class GiveRoles(ClubCommand, tag="give_roles"):
    person: str  # the member's id
    roles: tuple[Role, ...]  # all roles from now on, besides "member"


class EndMembership(ClubCommand, tag="end_membership"):
    """Leave the club, or have a member leave it. Games and names stay."""

    person: str  # the member's id
    why: str = ""  # the reason


class MergePeople(ClubCommand, tag="merge_people"):
    """Treat two ids as one person. An id with an account is the one that stays."""

    kept: str  # the id that stays
    merged: str  # the other id
    why: str = ""  # the reason


class SplitPeople(ClubCommand, tag="split_people"):
    """Undo a merge."""

    merge: int  # the step that merged the two
    why: str = ""  # the reason


# --- evenings --------------------------------------------------------------------------------------------------------


class PlanEvening(ClubCommand, tag="plan_evening"):
    """Plan an evening, or change one. An evening that was called off takes place again."""

    when: Time  # UTC: 2026-11-20T19:30:00.000Z
    place: Name = ""  # where the club meets
    # what is to be played: ids of rulesets, or the names of other games
    games: Annotated[tuple[FilledName, ...], Meta(max_length=GAMES_LIMIT)] = ()
    evening: str = ""  # the evening to change; empty: a new one
    chairs: Annotated[int, Meta(ge=0, le=CHAIRS_LIMIT)] = 0  # places for people; further ones wait; 0: no limit
    until: Time = ""  # UTC, when it ends; empty: unknown
    remark: Text = ""  # only members see it
    repeat: Literal["", "weekly", "monthly"] = ""  # for a new evening; monthly: on the same weekday of the month
    repeat_count: Annotated[int, Meta(ge=1, le=REPEATS_LIMIT)] = 1  # evenings of the series, with the first


class CallOffEvening(ClubCommand, tag="call_off_evening"):
    """Call an evening off. Members' calendars show it."""

    evening: str  # the evening's id
    why: Text = ""  # the reason
    with_later: bool = False  # also call off the later evenings of its series


class AnswerEvening(ClubCommand, tag="answer_evening"):
    """Answer for an evening: yes, maybe or no. Members also answer for their guests, organisers for everyone."""

    evening: str  # the evening's id
    answer: Answer  # "yes", "maybe" or "no"
    person: Annotated[str, Meta(max_length=64)] = ""  # the person's id; default: you
    guests: Guests = NO_GUESTS  # as in AddMember
    games_brought: GamesOfPerson = None  # games that the person games_brought: ids or names; null: as before
    games_wanted: GamesOfPerson = None  # games that the person would like to play; null: as before


class SetEveningTables(ClubCommand, tag="set_evening_tables"):
    """Set the tables of an evening: games and people. A draw proposes them."""

    evening: str  # the evening's id
    tables: Annotated[tuple[EveningTable, ...], Meta(max_length=TABLES_LIMIT)]  # all of them, as they are from now on
    seed: Annotated[int, Meta(ge=0, lt=DRAW_LIMIT)] = 0  # the number of the draw; 0: set by hand


# --- challenges ------------------------------------------------------------------------------------------------------


class SetChallenge(ClubCommand, tag="set_challenge"):
    """Set a challenge: for yourself, or for the club if you organise it."""

    # repeated_games: `goal` games, `plays_per_game` plays of each; shelf: every game of `games` once; plays: `goal` plays;
    # different_games: `goal` different games
    kind: ChallengeKind
    goal: int = 0  # not for a shelf
    plays_per_game: int = 1  # for repeated_games
    games: Annotated[
        tuple[FilledName, ...], Meta(max_length=MAX_SHELF_GAMES)
    ] = ()  # a shelf; none: all games played so far
    year: Annotated[str, Meta(pattern="^([0-9]{4})?$")] = ""  # empty: from today on, without an end
    person: str = ""  # the person's id; empty: you
    for_club: bool = False  # for the club instead of a person


class GiveUpChallenge(ClubCommand, tag="give_up_challenge"):
    """Give up a challenge. It stays in the history."""

    challenge: Id  # the challenge's id


# --- leagues and seasons ---------------------------------------------------------------------------------------------


class FoundLeague(ClubCommand, tag="found_league"):
    name: str  # up to 120 characters
    rulesets: tuple[str, ...]  # the games that are played in it: ids of rulesets, or keys of games known by name
    spectator_delay_seconds: DelaySeconds = 0  # users without a seat see its games so much later


class ChangeLeague(ClubCommand, tag="change_league"):
    league: str  # the league's id
    name: str  # its name from now on
    rulesets: tuple[str, ...]  # its games from now on
    spectator_delay_seconds: DelaySeconds = 0  # users without a seat see its games so much later


class RemoveLeague(ClubCommand, tag="remove_league"):
    """Remove a league in which nothing was played. It can be restored."""

    league: str  # the league's id
    why: str  # the reason


class RestoreLeague(ClubCommand, tag="restore_league"):
    league: str  # the league's id
    why: str  # the reason


class OpenSeason(ClubCommand, tag="open_season"):
    league: str  # the league's id
    name: str  # such as Autumn 2026
    format: Format  # how the season is played and counted


class OpenNextSeason(ClubCommand, tag="open_next_season"):
    """Open the season after a closed one, in its format, with these players: all of it or nothing."""

    after: str  # the closed season's id
    name: str  # such as Spring 2027
    players: tuple[Entrant, ...]  # each in a division and a group


class OpenStage(ClubCommand, tag="open_stage"):
    """Open a final or another stage: the best players of each group of a closed season, seeded by their places."""

    after: str  # the closed season's id
    name: str  # such as Final 2026
    format: Format  # the way the stage is played
    qualifiers_per_group: Annotated[int, Meta(ge=1, le=ENTRANTS_LIMIT)]  # number of qualifying players of each group


class ChangeSeason(ClubCommand, tag="change_season"):
    season: str  # the season's id
    name: str  # its name from now on
    format: Format  # its format from now on
    why: str = ""  # the reason


class EnterPlayers(ClubCommand, tag="enter_players"):
    """Enter people in a season, or move them to another group: all of them or none."""

    season: str  # the season's id
    players: tuple[Entrant, ...]  # each in a division and a group
    guests: Guests = NO_GUESTS  # as in AddMember


class WithdrawPlayer(ClubCommand, tag="withdraw_player"):
    season: str  # the season's id
    person: str  # the player's id
    why: str = ""  # the reason


class GivePenalty(ClubCommand, tag="give_penalty"):
    """Take points off a player of a season, or give them back."""

    season: str  # the season's id
    person: PersonId  # the player's id
    points: int  # taken off; below 0: given
    why: FilledText  # the reason


class SetTeam(ClubCommand, tag="set_team"):
    """Put players of a season into a team. The season's standings also rank the teams by their players' points."""

    season: str  # the season's id
    people: FilledPeople  # the players' ids
    name: Name  # the team's name; empty: they leave their team


class SetHandicap(ClubCommand, tag="set_handicap"):
    """Give players of a season a handicap: points for each of their games that count. Ratings ignore it."""

    season: str  # the season's id
    people: FilledPeople  # the players' ids
    points: Annotated[int, Meta(ge=0, le=HANDICAP_LIMIT)]  # for each game; 0: none


class RecordLot(ClubCommand, tag="record_lot"):
    """Record a lot that decided the order of people after all tie-breaks."""

    season: str  # the season's id
    people: FilledPeople  # in the order that the lot gave


class CloseSeason(ClubCommand, tag="close_season"):
    """Close a season with the order of its standings."""

    season: str  # the season's id


class ReopenSeason(ClubCommand, tag="reopen_season"):
    """Reopen a closed season. The record keeps its final order."""

    season: str  # the season's id
    why: FilledText  # the reason


class CancelSeason(ClubCommand, tag="cancel_season"):
    """End a season without a winner. Its results stay, and it can be reopened."""

    season: str  # the season's id
    why: FilledText  # the reason


class RemoveSeason(ClubCommand, tag="remove_season"):
    """Remove a season in which nothing was played. It can be restored."""

    season: str  # the season's id
    why: FilledText  # the reason


class RestoreSeason(ClubCommand, tag="restore_season"):
    season: str  # the season's id
    why: FilledText  # the reason


class CloseSeasonAgain(ClubCommand, tag="close_season_again"):
    """Close a closed season with the order of its standings now: its results have changed."""

    season: str  # the season's id
    why: str  # the reason
    orders_digest: str  # the digest of the orders shown


class KeepFinalOrder(ClubCommand, tag="keep_final_order"):
    """Keep a closed season's final order although later corrections of results lead to another."""

    season: str  # the season's id
    why: str  # the reason
    orders_digest: str  # the digest of the orders shown


# --- schedules -------------------------------------------------------------------------------------------------------


class DrawSchedule(ClubCommand, tag="draw_schedule"):
    """Draw the tables of a season's remaining rounds. The same seed draws the same tables."""

    season: str  # the season's id
    seed: Annotated[int, Meta(ge=0, lt=DRAW_LIMIT)]  # the number of the draw
    # number of rounds, if the season's format does not set it
    rounds: Annotated[int, Meta(ge=0, le=ROUNDS_LIMIT)] = 0
    # the entrants of a heat; null: all players
    people: Annotated[tuple[PersonId, ...], Meta(max_length=ENTRANTS_LIMIT)] | None = None


class PlanTable(ClubCommand, tag="plan_table"):
    """Set the time and place of a table."""

    season: str  # the season's id
    table: str  # the table's id
    when: Time  # UTC: 2026-11-20T19:30:00.000Z; empty: unknown
    place: Name = ""  # where the table meets


class ChangeSeats(ClubCommand, tag="change_seats"):
    """Seat other people at a planned table without a result, or the same ones in other seats."""

    season: str  # the season's id
    table: str  # the table's id
    seats: tuple[str, ...]  # the people's ids, by seat
    why: str = ""  # the reason


class PostponeTable(ClubCommand, tag="postpone_table"):
    """Postpone a table to a later day."""

    season: str  # the season's id
    table: str  # the table's id
    when: Time  # UTC: 2026-11-20T19:30:00.000Z
    why: Text = ""  # the reason


class SeatSubstitute(ClubCommand, tag="seat_substitute"):
    """Let a substitute play for a player at one planned table. The season's format gives the result to one of them."""

    season: str  # the season's id
    table: str  # the table's id
    person: PersonId  # the id of the player with the seat
    substitute: PersonId  # the substitute's id
    why: Text = ""  # the reason
    guests: Guests = NO_GUESTS  # as in AddMember


class RecordForfeit(ClubCommand, tag="record_forfeit"):
    """Record that a player is absent from a planned table. The others play, and the player gets a forfeit."""

    season: str  # the season's id
    table: str  # the table's id
    person: PersonId  # the id of the player with the seat
    with_automa: bool = False  # the rules play in the seat (an automa)
    why: Text = ""  # the reason


class RestoreSeat(ClubCommand, tag="restore_seat"):
    """Give a player the seat back: no substitute plays, and nothing is forfeited."""

    season: str  # the season's id
    table: str  # the table's id
    person: PersonId  # the player's id
    why: Text = ""  # the reason


class ExcusePlayer(ClubCommand, tag="excuse_player"):
    """Excuse a player from a round of a Swiss season that is not drawn yet."""

    season: str  # the season's id
    person: PersonId  # the player's id
    round: Annotated[int, Meta(ge=1, le=ROUNDS_LIMIT)]  # the round's number
    excused: bool = True  # false: the player plays the round after all
    why: Text = ""  # the reason


class SetRoundDeadline(ClubCommand, tag="set_round_deadline"):
    """Set or remove the last day of a round. Daybook reminds the club's chat two days before."""

    season: str  # the season's id
    round: Annotated[int, Meta(ge=1, le=ROUNDS_LIMIT)]  # the round's number
    until: Annotated[str, Meta(max_length=10)] = (
        ""  # the last day in the club's time zone: 2026-11-20; empty: no deadline
    )


class ReportAbsence(ClubCommand, tag="report_absence"):
    """Report that a player will miss a planned table, or take part again. Organisers report for others too."""

    season: str  # the season's id
    table: str  # the table's id
    absent: bool = True  # false: the player can come
    person: Annotated[str, Meta(max_length=64)] = ""  # the player's id, sent by organisers; default: you


class ProposeDay(ClubCommand, tag="propose_day"):
    """Propose another day for a planned table. The table moves when all its players agree."""

    season: str  # the season's id
    table: str  # the table's id
    when: Time  # UTC: 2026-11-20T19:30:00.000Z
    place: Name = ""  # where the table would meet; empty: where it meets now
    person: Annotated[str, Meta(max_length=64)] = ""  # the player's id, sent by organisers; default: you


class AgreeToDay(ClubCommand, tag="agree_to_day"):
    """Agree to the day that a player proposes for a table."""

    season: str  # the season's id
    table: str  # the table's id
    when: Time  # the proposed time
    person: Annotated[str, Meta(max_length=64)] = ""  # the player's id, sent by organisers; default: you


# --- games and results -----------------------------------------------------------------------------------------------


class EnterGame(ClubCommand, tag="enter_game"):
    """Enter a recorded game. The club's scorekeepers may record in it from then on."""

    season: str  # the season's id
    game: str  # the game's id
    table: str = ""  # a planned table; empty: a new one
    # the players, by the record's seats; null: those that the record names
    people: FilledPeople | None = None
    why: Text = ""  # needed if others played than the record names
    separate: bool = False  # it is a different game, although another record is almost identical


class CorrectSeating(ClubCommand, tag="correct_seating"):
    """Say that others sat at a table than its record names, or in other seats. The game has to be closed."""

    season: str  # the season's id
    table: str  # the table's id
    people: FilledPeople  # the players, by the record's seats
    why: FilledText  # the reason


class RemoveGame(ClubCommand, tag="remove_game"):
    """Remove a game that was entered by mistake. Its record stays as it is."""

    season: str  # the season's id
    table: str  # the table's id
    game: str  # the game's id
    why: str  # the reason


class EnterResult(ClubCommand, tag="enter_result"):
    """Enter a result that was not recorded. It is marked as typed in, and a record may replace it.

    Members log plays outside the seasons, and correct those that they logged. If the club allows it, they report the
    result of their own table in a season, and another player of the table confirms it.
    """

    season: str  # the season's id
    ruleset: str  # the id of a ruleset, or the key of a game known by name
    placed: tuple[Placed, ...]  # the players' places
    table: str = ""  # a planned table, or one with a typed result; empty: a new one
    ended_at: str = ""  # when the game ended, UTC; empty: now, or as the table's result says
    why: str = ""  # why another result is replaced
    walkover: bool = False  # it was not played: the places stand for what each player is given
    details: PlayDetails = NO_DETAILS  # further facts
    guests: Guests = NO_GUESTS  # as in AddMember


class VoidResult(ClubCommand, tag="void_result"):
    """Let what was played at a table not count, or say that nothing will be played there.

    Members only make plays outside the seasons void that they logged.
    """

    season: str  # the season's id
    table: str  # the table's id
    why: FilledText  # the reason


class AcceptResult(ClubCommand, tag="accept_result"):
    """Let the result of a game count although the rules disagree with its record, or approve a result of a member.

    Make a play void to refuse it. A player of a season's table confirms the result that another player reported.
    """

    season: str  # the season's id
    table: str  # the table's id
    why: Text = ""  # the reason; a play is approved without one


class AcceptWaitingPlays(ClubCommand, tag="accept_waiting_plays"):
    """Approve the plays that wait for an organiser, at most 200 at once, the oldest first."""

    up_to_step: Annotated[
        int, Meta(ge=0)
    ]  # the club's step when you saw the plays; plays logged or corrected later still wait


class ConfirmSeparateGames(ClubCommand, tag="confirm_separate_games"):
    """Say that two tables which look like one evening were two: both count."""

    season: str  # the season's id
    table: str  # the table's id
    other_season: str  # the season of the other table
    other_table: str  # the id of the other table
    why: FilledText  # the reason


class ImportPlays(ClubCommand, tag="import_plays"):
    """Import what is new of another program's plays, as typed results outside the seasons."""

    source: (
        str  # the program: "bgstats", "bgg" or "table"; of plays out of a person's own log "log:" and the person's id
    )
    plays: tuple[Play, ...]  # in the order of the file
    people: Mapping[str, str]  # name in the file -> id of a person of the club, or "new"
    games: Mapping[str, str]  # what a game of the file is called here
    places: Mapping[str, str] = {}  # what a place of the file is called here
    answers: Mapping[str, str] = {}  # id of a play -> "one" or "two" plays, "take" or "keep" a change at the source
    deleted: tuple[str, ...] = ()  # ids of plays that were deleted at the source
    columns: Mapping[str, str] = {}  # heading of a table -> its meaning, if it was given by hand


class MergePlays(ClubCommand, tag="merge_plays"):
    """Merge two records of one play: a typed or imported play outside the seasons becomes part of another play.

    The other play stays, and gets the facts that only the first one has.
    """

    season: str  # of the play that becomes part: the season of plays outside the seasons
    table: str  # of the play that becomes part
    into_season: str  # of the play that stays
    into_table: str  # of the play that stays
    why: Text = ""  # the reason


class SplitPlay(ClubCommand, tag="split_play"):
    """Split a merged play: it is a separate play again."""

    table: str  # the play's own table
    why: Text  # the reason


class UndoImport(ClubCommand, tag="undo_import"):
    """Take away what an import brought. Results that replaced it since, and records, stay."""

    batch: str  # the import's id
    why: Text = ""  # the reason


# --- written by Daybook alone ----------------------------------------------------------------------------------------


class AdmitInvited(ClubCommand, tag="admit_invited"):
    """Admit an invited person, as the guest that the invitation names, if any."""

    person: str  # the person's id
    guest: str  # the invited guest; empty: any person
    roles: tuple[Role, ...]  # the invitation's
    used_at: str = ""  # when it was used, if what follows may have been written then


class MergeAccounts(ClubCommand, tag="merge_accounts"):
    """Treat two accounts as one person. Their owner signed in as both."""

    kept: str  # the account that stays
    merged: str  # the other one


class BlankNames(ClubCommand, tag="blank_names"):
    """Show "…" instead of the name of an anonymous person, in all texts of the club."""

    people: tuple[str, ...]  # all ids of the person
