"""Events of a club. Their tags and field names never change their meaning.

A club is a group of players, a league is its competition, and a season is one edition of a league. Events contain only
the ids of people. Names, photos and addresses are stored elsewhere, so that a person can be made anonymous. Leagues,
seasons and tables have ids of the club, in the order of their creation: "1", "2", and so on. The season "" stands for
plays outside all seasons.
"""

from __future__ import annotations

from typing import Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel import chronicle
from daybook.domain.kernel.chronicle import ChronicleEvent
from daybook.domain.kernel.frozen import Exact
from daybook.domain.league.results import NO_DETAILS, Mark, Placed, PlayDetails
from daybook.domain.league.seasons import Bye, Fixture, Format

BESIDE = ""  # the season of plays outside the seasons
BLANK = "…"  # replaces a removed name in a text

Role = Literal["organiser", "umpire", "scorekeeper", "member"]
ROLES: tuple[Role, ...] = ("organiser", "umpire", "scorekeeper", "member")
# Every person of a club is a member; the other roles add to that. A guest plays without being a member.
MemberAction = Literal["report_results", "report_absences", "propose_days", "name_substitutes"]
MEMBER_ACTIONS: tuple[MemberAction, ...] = ("report_results", "report_absences", "propose_days", "name_substitutes")
# Actions that a club can allow to members without a role, at their own tables of a season. Another player of the table
# confirms a reported result.


class ClubSettings(Exact):
    """The settings of a club for all its seasons.

    Args:
        public: anyone may read standings and results.
        public_evenings: anyone may read the times, places and attendance of its evenings.
        correction_days: the usual days of a new season in which results can be corrected.
        appeal_hours: the usual hours of a new season for an appeal.
        simulated: a demonstration, in which practice games count.
        approval: plays that members without a role log count after an organiser's approval.
        members_may: actions that members may take at their own tables of a season.
        embeds: other sites may frame the standings, tables and calendar, as far as these are public.
        embed_sites: the sites that may, as "https://club.example"; empty: all.
    """

    public: bool = False
    public_evenings: bool = False
    correction_days: int = 7
    appeal_hours: int = 48
    simulated: bool = False
    approval: bool = False
    members_may: tuple[MemberAction, ...] = ()
    embeds: bool = False
    embed_sites: tuple[str, ...] = ()


class Order(Exact):
    """Final order of one group, with promotion and relegation."""

    people: tuple[str, ...]
    division: int = 1
    group: int = 1
    promoted: tuple[str, ...] = ()
    relegated: tuple[str, ...] = ()


class ClubEvent(ChronicleEvent, kw_only=True):
    """An event of a club. Its tag begins with club_, league_ or season_, as no game's does."""


# --- the club and its people -----------------------------------------------------------------------------------------


class ClubFounded(ClubEvent, kw_only=True, tag="club_founded"):
    """Foundation of a club."""

    club: str  # the club's id
    format: int
    name: str
    founder: str  # the first organiser
    is_own_log: bool = False  # the founder's own log of plays, which no one else joins


class ClubRenamed(ClubEvent, kw_only=True, tag="club_renamed"):
    name: str


class ClubSettingsChanged(ClubEvent, kw_only=True, tag="club_settings_changed"):
    settings: ClubSettings


class TimeZoneSet(ClubEvent, kw_only=True, tag="club_time_zone_set"):
    """The time zone of the club's days, by its name: Asia/Seoul."""

    zone: str


class ClubRemoved(ClubEvent, kw_only=True, tag="club_removed"):
    """The club was a mistake: it is in no list, and nothing but its restoring is written in it."""

    why: str


class ClubDissolved(ClubEvent, kw_only=True, tag="club_dissolved"):
    """The club has ended: it is in no list, its past stays readable, and it accepts no event except its restoration."""

    why: str


class ClubRestored(ClubEvent, kw_only=True, tag="club_restored"):
    why: str


class ClubMoved(ClubEvent, kw_only=True, tag="club_moved"):
    """The club was imported from another Daybook. The entries before this one are copies of the entries there.

    People, records and the club have new ids, and the writer is the only member: the former members are guests.

    origin: the club's id there. entries, seal: the number of its entries there, and the seal of the last one.
    former_members: their new ids.
    """

    origin: UUID
    entries: int
    seal: str
    former_members: tuple[str, ...] = ()


class MemberJoined(ClubEvent, kw_only=True, tag="club_member_joined"):
    person: str
    roles: tuple[Role, ...]


class RolesGiven(ClubEvent, kw_only=True, tag="club_roles_given"):
    """All the roles a member has from now on."""

    person: str
    roles: tuple[Role, ...]


class MemberLeft(ClubEvent, kw_only=True, tag="club_member_left"):
    person: str
    why: str = ""


class PeopleMerged(ClubEvent, kw_only=True, tag="club_people_merged"):
    """Two ids belong to one person; `kept` stays."""

    kept: str
    merged: str
    why: str


class PeopleSplit(ClubEvent, kw_only=True, tag="club_people_split"):
    """Two ids that were merged at a step are two people after all."""

    merge: int
    why: str


class BlankedText(Exact):
    """Blanked parts of one text of an earlier event."""

    step: int
    path: tuple[str, ...]  # the fields that lead to the text
    spans: tuple[tuple[int, int], ...]  # start and end in the text as shown before this event


class TextsBlanked(ClubEvent, kw_only=True, tag="club_texts_blanked"):
    """Parts of texts are replaced by "…" from now on: the name of an anonymous person."""

    texts: tuple[BlankedText, ...]


# --- its evenings ----------------------------------------------------------------------------------------------------

Answer = Literal["yes", "maybe", "no"]


class EveningPlanned(ClubEvent, kw_only=True, tag="club_evening_planned"):
    """An evening of the club is planned. A later event of the same evening replaces the plan, and revives a cancelled one.

    Args:
        when: the start in UTC, as `at` is written.
        games: ids of the planned games; none: open.
        chairs: the number of people who have room, in the order of their answers; 0: no limit.
        until: the end in UTC; empty: unknown.
        remark: a text for members only.
        series: the first evening of its series; empty: the evening does not repeat.
    """

    evening: str
    when: str
    place: str = ""
    games: tuple[str, ...] = ()
    chairs: int = 0
    until: str = ""
    remark: str = ""
    series: str = ""


class EveningCalledOff(ClubEvent, kw_only=True, tag="club_evening_called_off"):
    evening: str
    why: str = ""


class EveningAnswered(ClubEvent, kw_only=True, tag="club_evening_answered"):
    """A person answers for an evening; the newest answer counts.

    games_brought, games_wanted: ids of the games that the person brings and would like to play.
    """

    evening: str
    person: str
    answer: Answer
    games_brought: tuple[str, ...] = ()
    games_wanted: tuple[str, ...] = ()


class EveningTable(Exact):
    """A planned table of an evening. game: the id of its game; empty: not chosen."""

    game: str
    people: tuple[str, ...]


class EveningTablesSet(ClubEvent, kw_only=True, tag="club_evening_tables_set"):
    """The planned tables of an evening are replaced by these. seed: the number of the draw; 0: set by hand."""

    evening: str
    tables: tuple[EveningTable, ...]
    seed: int = 0


ChallengeKind = Literal["repeated_games", "shelf", "plays", "different_games"]


class ChallengeSet(ClubEvent, kw_only=True, tag="club_challenge_set"):
    """A person or the club sets a goal of plays. Progress is counted from the plays.

    Args:
        person: the person's id; empty: the club.
        kind: repeated_games: `goal` games, `plays_per_game` plays of each; shelf: every game of `games` once;
            plays: `goal` plays; different_games: `goal` different games.
        games: the games of a shelf.
        since: the first day that counts.
        until: the last day that counts; empty: no end.
    """

    challenge: str
    person: str
    kind: ChallengeKind
    goal: int
    plays_per_game: int = 1
    games: tuple[str, ...] = ()
    since: str
    until: str = ""


class ChallengeGivenUp(ClubEvent, kw_only=True, tag="club_challenge_given_up"):
    challenge: str


# --- leagues and seasons ---------------------------------------------------------------------------------------------


class LeagueFounded(ClubEvent, kw_only=True, tag="league_founded"):
    """rulesets: the games that are played in it, by their ids. spectator_delay_seconds: as of `League`."""

    league: str
    name: str
    rulesets: tuple[str, ...]
    spectator_delay_seconds: int = 0


class LeagueChanged(ClubEvent, kw_only=True, tag="league_changed"):
    league: str
    name: str
    rulesets: tuple[str, ...]
    spectator_delay_seconds: int = 0


class LeagueRemoved(ClubEvent, kw_only=True, tag="league_removed"):
    """The league was a mistake, and with it its seasons, in which nothing was played."""

    league: str
    why: str


class LeagueRestored(ClubEvent, kw_only=True, tag="league_restored"):
    league: str
    why: str


class SeasonOpened(ClubEvent, kw_only=True, tag="season_opened"):
    """A season of a league begins.

    qualifying_season: the closed season whose best players take part; empty: players enter freely.
    """

    season: str
    league: str
    name: str
    format: Format
    qualifying_season: str = ""


class SeasonChanged(ClubEvent, kw_only=True, tag="season_changed"):
    """Another name or format than it was opened with."""

    season: str
    name: str
    format: Format
    why: str = ""


class PlayerEntered(ClubEvent, kw_only=True, tag="season_player_entered"):
    """A person plays a season, moves to another group, or comes back after withdrawing."""

    season: str
    person: str
    division: int = 1
    group: int = 1


class PlayerWithdrew(ClubEvent, kw_only=True, tag="season_player_withdrew"):
    season: str
    person: str
    why: str = ""


class ScheduleDrawn(ClubEvent, kw_only=True, tag="season_schedule_drawn"):
    """Tables of whole rounds, which replace the earlier draws of these rounds.

    division, group: only for these; 0: for all. seed: the number of the draw; unfairness: as
    `domain.league.schedule` counts. games: the game of each table by the table's id, in a league of several games.
    """

    season: str
    rounds: tuple[int, ...]
    fixtures: tuple[Fixture, ...]
    byes: tuple[Bye, ...] = ()
    division: int = 0
    group: int = 0
    seed: int = 0
    unfairness: int = 0
    games: dict[str, str] = {}


class TablePlanned(ClubEvent, kw_only=True, tag="season_table_planned"):
    """The time and place of a table.

    when: UTC, as `at` is written, or empty.
    """

    season: str
    table: str
    when: str
    place: str = ""


class SeatsChanged(ClubEvent, kw_only=True, tag="season_seats_changed"):
    """Change of the people at a planned table. seats: the people in seat order from now on."""

    season: str
    table: str
    seats: tuple[str, ...]
    why: str = ""


class TablePostponed(ClubEvent, kw_only=True, tag="season_table_postponed"):
    """A table is postponed to a later day.

    when: UTC, as `at` is written.
    """

    season: str
    table: str
    when: str
    why: str = ""


class SubstituteSeated(ClubEvent, kw_only=True, tag="season_substitute_seated"):
    """A substitute plays at a planned table for a player of the season.

    person: the player who has the seat. substitute: the person who plays. `Format.substitute_result` says who gets the
    result.
    """

    season: str
    table: str
    person: str
    substitute: str
    why: str = ""


class ForfeitRecorded(ClubEvent, kw_only=True, tag="season_forfeit_recorded"):
    """A player is absent from a planned table, at which the others play.

    automa: the id of the anonymous player for whom the rules play in the seat; empty: the seat stays empty.
    """

    season: str
    table: str
    person: str
    automa: str = ""
    why: str = ""


class SeatRestored(ClubEvent, kw_only=True, tag="season_seat_restored"):
    """A player has the seat again: no substitute plays, and nothing is forfeited."""

    season: str
    table: str
    person: str
    why: str = ""


class PlayerExcused(ClubEvent, kw_only=True, tag="season_player_excused"):
    """A player is excused from a round that is not drawn yet, or plays it after all (`excused` is false)."""

    season: str
    person: str
    round: int
    excused: bool = True
    why: str = ""


class RoundDeadlineSet(ClubEvent, kw_only=True, tag="season_round_deadline_set"):
    """A round of a season gets a last day for its tables, or loses it.

    until: the last day in the club's time zone: 2026-11-20; empty: no deadline.
    """

    season: str
    round: int
    until: str = ""


class AbsenceReported(ClubEvent, kw_only=True, tag="season_absence_reported"):
    """A player of a planned table cannot come on its day, or can after all (`absent` is false)."""

    season: str
    table: str
    person: str
    absent: bool = True


class DayProposed(ClubEvent, kw_only=True, tag="season_day_proposed"):
    """A player proposes another day for a table, instead of any day proposed before.

    when: UTC, as `at` is written.
    """

    season: str
    table: str
    person: str
    when: str
    place: str = ""


class DayAgreed(ClubEvent, kw_only=True, tag="season_day_agreed"):
    """A player agrees to the day that is proposed for a table; the table is planned when all players agree."""

    season: str
    table: str
    person: str
    when: str


class GameEntered(ClubEvent, kw_only=True, tag="season_game_entered"):
    """A recorded game belongs to a table. seats: the players by seat, as the record has them.

    table: a planned one, or a new one. A typed result of the table is replaced by what the record says. recorded: the
    people that the record names, if others sat there; why: the reason for that. separate_from: a game of the club whose record says
    nearly the same, and of which an organiser or scorekeeper says that it was another evening.
    """

    season: str
    table: str
    game: str
    ruleset: str
    seats: tuple[str, ...]
    recorded: tuple[str, ...] = ()
    why: str = ""
    separate_from: str = ""


class RecordedElsewhere(ClubEvent, kw_only=True, tag="season_recorded_elsewhere"):
    """A table has the result of a record on another Daybook, from which the club was moved.

    record: the id of the game there. seal: the last seal of the record there. marks: of the result. accepted: an organiser
    let it count although the rules disagree with the record. separate_from: the result of the club that is a different
    game, although it looks like this one.
    """

    season: str
    table: str
    ruleset: str
    placed: tuple[Placed, ...]
    ended_at: str
    record: str
    seal: str
    marks: tuple[Mark, ...] = ()
    lowest_wins: bool = False
    accepted: bool = False
    separate_from: str = ""

    def as_typed(self) -> ResultTyped:
        return ResultTyped(
            step=self.step,
            at=self.at,
            by=self.by,
            key=self.key,
            season=self.season,
            table=self.table,
            ruleset=self.ruleset,
            placed=self.placed,
            ended_at=self.ended_at,
            details=PlayDetails(lowest_wins=self.lowest_wins),
        )


class SeatingCorrected(ClubEvent, kw_only=True, tag="season_seating_corrected"):
    """Correction of the players at a table, by the seats of the record."""

    season: str
    table: str
    game: str
    seats: tuple[str, ...]
    why: str


class GameRemoved(ClubEvent, kw_only=True, tag="season_game_removed"):
    season: str
    table: str
    game: str
    why: str


class ResultTyped(ClubEvent, kw_only=True, tag="season_result_typed", gc=False):
    """A result without a record.

    ended_at: when the game ended; empty: when this was written. walkover: it was not played; the places stand for what
    each player is given. details: what else is known of it. unapproved: it counts when an organiser, or in a season
    another player of the table, has accepted it.
    """

    season: str
    table: str
    ruleset: str
    placed: tuple[Placed, ...]
    ended_at: str = ""
    why: str = ""
    walkover: bool = False
    details: PlayDetails = NO_DETAILS
    unapproved: bool = False

    @property
    def day(self) -> str:
        """Time at which the game ended, or of the entry if that is unknown."""
        return self.ended_at or self.at


class ImportedPlay(Exact, omit_defaults=True, gc=False):
    """Result from a file of another program.

    same_as: the result of the club that it is, if both are one play; `table` is then used only after a split.
    """

    table: str
    id: str
    ruleset: str
    placed: tuple[Placed, ...]
    ended_at: str = ""
    second_id: str = ""
    details: PlayDetails = NO_DETAILS
    same_as: str = ""


class PlaysImported(ClubEvent, kw_only=True, tag="season_plays_imported"):
    """Results out of a file, each at a new table, as if they had been typed in. A large file makes several of these.

    batch: the same for all of one import; source: the program; source_people: the club's
    person for each of its ids of people; source_games: the club's game for each of its ids of games, and for each name
    that was matched by hand; source_places: the same for places; columns: the meaning of each heading of a table, if
    it was given by hand.
    """

    season: str
    batch: str
    source: str
    plays: tuple[ImportedPlay, ...]
    source_people: dict[str, str] = {}
    source_games: dict[str, str] = {}
    source_places: dict[str, str] = {}
    columns: dict[str, str] = {}
    unapproved: bool = False  # a member brought the plays, and each counts after an organiser's approval

    def typed(self, table: str) -> ResultTyped | None:
        """Return what was imported for a table, as a typed result."""
        return next((self.as_typed(play) for play in self.plays if play.table == table), None)

    def as_typed(self, play: ImportedPlay) -> ResultTyped:
        return _as_typed(self, play)


def _as_typed(event: PlaysImported | PlaysUpdated, play: ImportedPlay) -> ResultTyped:
    return ResultTyped(
        step=event.step,
        at=event.at,
        by=event.by,
        key=event.key,
        season=event.season,
        table=play.table,
        ruleset=play.ruleset,
        placed=play.placed,
        ended_at=play.ended_at,
        details=play.details,
        unapproved=event.unapproved,
    )


class PlaysUpdated(ClubEvent, kw_only=True, tag="season_plays_updated"):
    """Plays that were imported before have changed at their source.

    plays: new versions, each at the table of its play; deleted: tables of plays that were deleted there, and are void
    now; answered: by id of a play, the digest of the version at the source that the club adopted or declined. The same
    version is not offered again.
    """

    season: str
    batch: str
    source: str
    plays: tuple[ImportedPlay, ...] = ()
    deleted: tuple[str, ...] = ()
    answered: dict[str, str] = {}
    unapproved: bool = False

    def as_typed(self, play: ImportedPlay) -> ResultTyped:
        return _as_typed(self, play)


class PlaySplit(ClubEvent, kw_only=True, tag="season_play_split"):
    """A merged play is a separate play again.

    table: its own table.
    """

    season: str
    table: str
    why: str


class PlaysMerged(ClubEvent, kw_only=True, tag="season_plays_merged"):
    """A typed or imported play becomes part of another play, until it is split again.

    season, table: of the play that becomes part. into_season, into_table: of the play that stays.
    """

    season: str
    table: str
    into_season: str
    into_table: str
    why: str = ""


class ImportUndone(ClubEvent, kw_only=True, tag="season_import_undone"):
    """An import was undone. Results that replaced it since, and records, stay."""

    season: str
    batch: str
    why: str = ""


class ResultVoided(ClubEvent, kw_only=True, tag="season_result_voided"):
    """The result of a table does not count, or nothing will be played there."""

    season: str
    table: str
    why: str


class ResultAccepted(ClubEvent, kw_only=True, tag="season_result_accepted"):
    """The result of a game counts although the rules disagree with its record, or a typed result is approved.

    game: empty for a play without a record. game_step: the newest step of the game at that time, or the club's step that
    wrote the play; another end or result has to be accepted again.
    """

    season: str
    table: str
    game: str
    game_step: int
    why: str


class SeparateGamesConfirmed(ClubEvent, kw_only=True, tag="season_separate_games_confirmed"):
    """Two tables look like one evening, and an organiser or scorekeeper says that they were two: both count.

    other_season, other_table: the other table.
    """

    season: str
    table: str
    other_season: str
    other_table: str
    why: str


class PenaltyGiven(ClubEvent, kw_only=True, tag="season_penalty_given"):
    """points: how many are taken off; below 0 they are given."""

    season: str
    person: str
    points: int
    why: str


class TeamSet(ClubEvent, kw_only=True, tag="season_team_set"):
    """Players of a season form or join a team, which has its name within the season; empty: they have no team."""

    season: str
    people: tuple[str, ...]
    name: str


class HandicapSet(ClubEvent, kw_only=True, tag="season_handicap_set"):
    """Players of a season get a handicap: points for each of their games that count; 0: none."""

    season: str
    people: tuple[str, ...]
    points: int


class LotDrawn(ClubEvent, kw_only=True, tag="season_lot_drawn"):
    """A lot decided the order of people after all tie-breaks."""

    season: str
    people: tuple[str, ...]


class SeasonClosed(ClubEvent, kw_only=True, tag="season_closed"):
    season: str
    orders: tuple[Order, ...]


class SeasonReopened(ClubEvent, kw_only=True, tag="season_reopened"):
    season: str
    why: str


class SeasonCancelled(ClubEvent, kw_only=True, tag="season_cancelled"):
    """The season ends early, without a winner. Its results stay."""

    season: str
    why: str


class SeasonRemoved(ClubEvent, kw_only=True, tag="season_removed"):
    """The season is removed as a mistake: nothing was played in it, and it is in no list."""

    season: str
    why: str


class SeasonRestored(ClubEvent, kw_only=True, tag="season_restored"):
    season: str
    why: str


class FinalOrderKept(ClubEvent, kw_only=True, tag="season_final_order_kept"):
    """The final order of a closed season stays, although its results now lead to another one (`orders`)."""

    season: str
    orders: tuple[Order, ...]
    why: str


AnyEvent = (
    ClubFounded
    | ClubRenamed
    | ClubSettingsChanged
    | TimeZoneSet
    | MemberJoined
    | RolesGiven
    | MemberLeft
    | PeopleMerged
    | PeopleSplit
    | LeagueFounded
    | LeagueChanged
    | SeasonOpened
    | SeasonChanged
    | PlayerEntered
    | PlayerWithdrew
    | ScheduleDrawn
    | TablePlanned
    | SeatsChanged
    | TablePostponed
    | SubstituteSeated
    | ForfeitRecorded
    | SeatRestored
    | PlayerExcused
    | RoundDeadlineSet
    | AbsenceReported
    | DayProposed
    | DayAgreed
    | GameEntered
    | RecordedElsewhere
    | SeatingCorrected
    | GameRemoved
    | ResultTyped
    | PlaysImported
    | PlaysUpdated
    | PlaySplit
    | PlaysMerged
    | ImportUndone
    | ResultVoided
    | ResultAccepted
    | SeparateGamesConfirmed
    | PenaltyGiven
    | TeamSet
    | HandicapSet
    | LotDrawn
    | SeasonClosed
    | SeasonReopened
    | SeasonCancelled
    | SeasonRemoved
    | SeasonRestored
    | ClubDissolved
    | FinalOrderKept
    | LeagueRemoved
    | LeagueRestored
    | ClubRemoved
    | ClubRestored
    | ClubMoved
    | TextsBlanked
    | EveningPlanned
    | EveningCalledOff
    | EveningAnswered
    | EveningTablesSet
    | ChallengeSet
    | ChallengeGivenUp
)
OfEvening = EveningPlanned | EveningCalledOff | EveningAnswered | EveningTablesSet
OfTable = (
    TablePlanned
    | SeatsChanged
    | TablePostponed
    | SubstituteSeated
    | ForfeitRecorded
    | SeatRestored
    | AbsenceReported
    | DayProposed
    | DayAgreed
    | GameEntered
    | RecordedElsewhere
    | SeatingCorrected
    | GameRemoved
    | ResultTyped
    | ResultVoided
    | ResultAccepted
    | SeparateGamesConfirmed
)
OfSeason = (
    SeasonOpened
    | SeasonChanged
    | PlayerEntered
    | PlayerWithdrew
    | PlayerExcused
    | RoundDeadlineSet
    | ScheduleDrawn
    | OfTable
    | PlaysImported
    | PlaysUpdated
    | PlaySplit
    | PlaysMerged
    | ImportUndone
    | PenaltyGiven
    | TeamSet
    | HandicapSet
    | LotDrawn
    | SeasonClosed
    | SeasonReopened
    | SeasonCancelled
    | SeasonRemoved
    | SeasonRestored
    | FinalOrderKept
)

ClubEntry = chronicle.Entry[AnyEvent]

_decoder = msgspec.json.Decoder(AnyEvent)
TOPICS = ("club_", "league_", "season_")  # with one of these every tag begins, and those of later versions too
_BEGINS = tuple(f'{{"type":"{topic}'.encode() for topic in TOPICS)


def is_of_club(line: bytes) -> bool:
    """Check if a stored line is an event of a club, not of a game."""
    return line.startswith(_BEGINS)


def read_line(club: UUID, version: int, line: bytes) -> ClubEntry:
    """Return the entry of a club's stored line. Raises InvalidLineError for a damaged one, or one in another place."""
    return chronicle.read_entry_line(_decoder, club, version, line)
