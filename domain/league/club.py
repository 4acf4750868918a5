"""A club: its people and roles, its leagues and seasons, folded from its events.

A `Club` that other code has never changes: `then` returns a new one. `as_of_step` returns the club after an earlier step,
by a fold of its first entries. `domain.league.event_checks` checks if an event may be written next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid5

import msgspec

from daybook.domain.kernel import chronicle
from daybook.domain.kernel.chronicle import FORMAT, Written, writing_fields
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.times import later_time
from daybook.domain.league import club_events
from daybook.domain.league.blanking import blank_event
from daybook.domain.league.results import COUNTED_MARKS, PLAYERS_LIMIT, Mark, Result, StandIn
from daybook.domain.league.scores import Score
from daybook.domain.league.seasons import Bye, Entrant, Format, MissedRound, Penalty

GUESTS = UUID("5f4b1a52-7a43-4e0c-9a55-6c1a0e7a3c11")  # namespace for people named in files of other programs
MAX_ID_DIGITS = 9  # of a table id; longer ones are not continued
EVENING_HOURS = 12  # maximum duration of an evening
NO_FORMAT = Format("free", (4, 3, 5, 2, 6, 7, 8))  # for games outside all seasons


@lru_cache(maxsize=256)  # clubs in use
def list_anonymous_ids(club: UUID) -> tuple[str, ...]:
    """Return the ids, by seat, that stand for anonymous players."""
    return tuple(uuid5(GUESTS, f"{club} anonymous {seat}").hex for seat in range(PLAYERS_LIMIT))


class Merge(Frozen):
    """Statement that two ids are one person."""

    step: int  # of the event
    kept: str
    merged: str
    why: str


class MergedIds(Frozen):
    """Ids of people with several ids."""

    whole: Mapping[str, str]  # id -> the id of the person
    of: Mapping[str, Sequence[str]]  # id of the person -> all ids


def merged_ids(merges: Iterable[Merge]) -> MergedIds:
    """Resolve all merges at once, so that no request has to follow a long chain of them."""
    holding, above = [*merges], dict[str, str]()
    for merge in holding:
        gone, kept = _root(above, merge.merged), _root(above, merge.kept)
        if gone != kept:
            above[gone] = kept
    of: dict[str, list[str]] = {}
    for merged_id in dict.fromkeys([*(merge.merged for merge in holding), *(merge.kept for merge in holding)]):
        of.setdefault(_root(above, merged_id), []).append(merged_id)
    return MergedIds({merged_id: person for person, ids in of.items() for merged_id in ids}, of)


class League(Frozen):
    """A league. spectator_delay_seconds: users without a seat see its games so much later.

    removed: the reason; empty: the league is not removed.
    """

    id: str
    name: str
    rulesets: tuple[str, ...]
    spectator_delay_seconds: int = 0
    removed: str = ""


class SeasonPlayer(Frozen):
    """A player of a season.

    entered: the step of the newest entry. since: the step of the first entry. withdrew: the step of the withdrawal; None:
    the player still plays.
    """

    person: str
    division: int
    group: int
    entered: int
    withdrew: int | None = None
    why: str = ""
    since: int = 0


class DayProposal(Frozen, gc=False):
    """Another day for a table, as a player proposes it. agreed: ids of the players in agreement, the proposer first."""

    when: str
    place: str
    agreed: tuple[str, ...]


class SeasonTable(Frozen, gc=False):  # a club has thousands of them, without cycles
    """Table of a season: planned seats, time and place, and its result.

    planned: it was drawn. round: 0 if it was not drawn. game: its record. played: who sat where. planned_game: the
    drawn game. typed: the newest typed result; a record replaces it. voided: why what was played does not count.
    accepted: its result counts although the rules disagree with the record. apart: pairs of `evening` values of this
    table and another that look like one evening and were two. steps: all events about the table. batch: the import of
    its typed result, until another one is typed in. joined: the tables of imported plays that are one play with it.
    before: results that imports replaced here, each with that import. source: the program of the import that made the
    table; it stays when the result is corrected. recorded: the record on another Daybook that gives the result `typed`.
    stand_ins: seats whose players do not play, by the ids in `seats`. postponed: the newest postponement. absent: the
    ids of players who cannot come on its day. proposal: another day that a player proposes.
    """

    id: str
    season: str
    planned: bool
    seats: tuple[str, ...] = ()
    division: int = 1
    group: int = 1
    round: int = 0
    when: str = ""
    place: str = ""
    game: str = ""
    played: tuple[str, ...] = ()
    ruleset: str = ""
    planned_game: str = ""
    typed: club_events.ResultTyped | None = None
    voided: club_events.ResultVoided | None = None
    accepted: club_events.ResultAccepted | None = None
    apart: tuple[tuple[str, str], ...] = ()
    steps: tuple[int, ...] = ()
    batch: str = ""
    joined: tuple[str, ...] = ()
    before: tuple[tuple[str, club_events.ResultTyped | None], ...] = ()
    source: str = ""
    recorded: club_events.RecordedElsewhere | None = None
    stand_ins: tuple[StandIn, ...] = ()
    postponed: club_events.TablePostponed | None = None
    absent: tuple[str, ...] = ()
    proposal: DayProposal | None = None

    @property
    def result_id(self) -> str:
        """The id of its result in the club."""
        return f"{self.season}.{self.id}"

    @property
    def evening(self) -> str:
        """The id of what was played: the record, else the typed result."""
        return self.game or self.result_id

    @property
    def is_settled(self) -> bool:
        """If a game or a result is entered, or none will be."""
        return bool(self.game or self.typed or self.voided or self.is_forfeited)

    @property
    def is_forfeited(self) -> bool:
        """True if no player came to the table."""
        return bool(self.stand_ins) and not self.expected

    @property
    def expected(self) -> tuple[str, ...]:
        """Ids of the expected players, by seat: substitutes instead of the members that they replace."""
        instead = {seat.person: seat.replacement for seat in self.stand_ins}
        return tuple(filter(None, (instead.get(person_id, person_id) for person_id in self.seats)))

    @property
    def is_unapproved(self) -> bool:
        """If its typed result waits for an organiser's approval."""
        typed = self.typed
        if typed is None or self.game or not typed.unapproved:
            return False
        return self.accepted is None or (self.accepted.game, self.accepted.game_step) != ("", typed.step)

    @property
    def ids(self) -> list[str] | tuple[str, ...]:
        """The ids of its players in any order."""
        return [player.person for player in self.typed.placed] if self.typed and not self.game else self.people

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of its players: as it was played, else as it is planned."""
        if self.game:
            return self.played
        if self.typed is None:
            return self.expected
        by_seat = sorted(self.typed.placed, key=lambda player: PLAYERS_LIMIT if player.seat is None else player.seat)
        return tuple(player.person for player in by_seat)


class Answered(Frozen):
    """An answer to an evening.

    step: of the person's newest answer. since: the step of the first of the same answers without another in between.
    host: the writer of the person's first answer to the evening.
    """

    answer: club_events.Answer
    step: int
    since: int = 0
    host: str = ""
    games_brought: tuple[str, ...] = ()
    games_wanted: tuple[str, ...] = ()


class Evening(Frozen):
    """Evening on which the club meets."""

    id: str
    when: str
    place: str = ""
    games: tuple[str, ...] = ()
    chairs: int = 0  # places for people; 0: no limit
    until: str = ""  # the end; empty: unknown
    remark: str = ""  # for members
    series: str = ""  # the first evening of its series; empty: none
    tables: tuple[club_events.EveningTable, ...] = ()  # drawn or set by hand
    tables_since: int = 0  # the step of the first tables
    called_off: club_events.EveningCalledOff | None = None
    moved: int = 0  # the step that set its time
    steps: tuple[int, ...] = ()  # that planned it or called it off
    answers: dict[str, Answered] = {}  # by the ids under which they were given
    times: dict[tuple[str, str], int] = {}  # number of answers by each writer for each id, also before a person left

    @property
    def ends(self) -> str:
        """End of the evening; if unknown, the latest possible end."""
        return self.until or later_time(self.when, hours=EVENING_HOURS)


class Challenge(Frozen):
    """A goal of a person, or of the club if `person` is empty. given_up: the time; empty: the challenge continues."""

    id: str
    person: str
    kind: club_events.ChallengeKind
    goal: int
    plays_per_game: int
    games: tuple[str, ...]
    since: str
    until: str
    given_up: str = ""


class Season(msgspec.Struct):
    """A season at one step of its club. players and tables: in the order in which they were added.

    kept: the newest decision to keep the final order although results changed. imported: the imported plays that count,
    by the ids of their sources, each with its import. joined: the result of each merged play, by the play's own table.
    set_aside: the tables of plays that were merged by hand. seated: the number of tables of each id. highest: the highest
    table number so far.
    """

    id: str
    league: str
    name: str
    format: Format
    opened_at: str
    qualifying_season: str = ""  # the season that qualifies its best players
    players: dict[str, SeasonPlayer] = {}
    tables: dict[str, SeasonTable] = {}
    byes: tuple[Bye, ...] = ()
    draws: tuple[club_events.ScheduleDrawn, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    team_names: dict[str, str] = {}  # by the ids of players
    handicap_points: dict[str, int] = {}  # of one game, by the ids of players
    lots: tuple[tuple[str, ...], ...] = ()
    excused: tuple[tuple[str, int], ...] = ()  # (person, round) of each excuse
    round_deadlines: dict[int, club_events.RoundDeadlineSet] = {}  # the newest event of each round that has a last day
    closed: club_events.SeasonClosed | None = None
    cancelled: club_events.SeasonCancelled | None = None
    removed: str = ""  # the reason; empty: not removed
    kept: club_events.FinalOrderKept | None = None
    imported: dict[str, str] = {}
    joined: dict[str, str] = {}
    set_aside: dict[str, SeasonTable] = {}
    seated: dict[str, int] = {}
    highest: int = 0

    def put_table(self, table: SeasonTable) -> None:
        """Add a table, or replace the one with its id."""
        if table.id in self.tables:
            self._unseat(table.id)
        self.tables[table.id] = table
        if table.id.isdecimal() and len(table.id) <= MAX_ID_DIGITS:
            self.highest = max(self.highest, int(table.id))
        for person_id in table.ids:
            self.seated[person_id] = self.seated.get(person_id, 0) + 1

    def remove_table(self, table_id: str) -> None:
        self._unseat(table_id)
        del self.tables[table_id]

    def _unseat(self, table_id: str) -> None:
        for person_id in self.tables[table_id].ids:
            self.seated[person_id] -= 1
            if not self.seated[person_id]:
                del self.seated[person_id]

    def copy(self) -> Season:
        return msgspec.structs.replace(
            self,
            players={**self.players},
            team_names={**self.team_names},
            handicap_points={**self.handicap_points},
            tables={**self.tables},
            round_deadlines={**self.round_deadlines},
            imported={**self.imported},
            joined={**self.joined},
            set_aside={**self.set_aside},
            seated={**self.seated},
        )

    @property
    def is_open(self) -> bool:
        return self.closed is None and self.cancelled is None and not self.removed

    @property
    def rounds(self) -> list[int]:
        """The rounds with tables or byes, in order."""
        return sorted({table.round for table in self.tables.values() if table.round} | {bye.round for bye in self.byes})

    def next_table(self) -> str:
        """Return the id of the next new table."""
        number = self.highest + 1
        while str(number) in self.tables:
            number += 1
        return str(number)


def first_free(tables: Iterable[str]) -> int:
    """Return the first number above those of these tables. Ids that are not numbers, or too long, are ignored."""
    taken = {*tables}
    number = 1 + max(
        (int(table_id) for table_id in taken if table_id.isdecimal() and len(table_id) <= MAX_ID_DIGITS), default=0
    )
    while str(number) in taken:
        number += 1
    return number


class Club:
    """A club folded from its entries."""

    def __init__(self, club_id: UUID) -> None:
        self.id = club_id
        self.entries: list[club_events.ClubEntry] = []
        self.keys: dict[str, int] = {}  # idempotency key -> step
        self.name = ""
        self.founded_at = ""
        self.is_own_log = False  # one person's own plays: no other members, leagues or evenings
        self.settings = club_events.ClubSettings()
        self.zone = "UTC"  # of its days
        self.removed = ""  # the reason; empty: not removed
        self.is_dissolved = False  # removed with its past, not as a mistake
        self.moved: club_events.ClubMoved | None = None  # from another Daybook
        self.members: dict[str, tuple[club_events.Role, ...]] = {}  # by the id with which they joined
        self.merges: dict[int, Merge] = {}  # without undone merges
        self.evenings: dict[str, Evening] = {}
        self.challenges: dict[str, Challenge] = {}
        self.shows_days_only = False  # of results and entries: `without_evenings`
        self.delays_results = False  # of games in open seasons: `with_delayed_results`
        self.leagues: dict[str, League] = {}
        self.beside = Season(club_events.BESIDE, "", "", NO_FORMAT, "")  # games outside all seasons
        self.seasons: dict[str, Season] = {}
        self.games: dict[str, tuple[str, str]] = {}  # record -> its season and table
        self._alike: MergedIds | None = None
        self._known: frozenset[str] | None = None
        self._outside: Club | None = None  # cache of `without_evenings`
        self._delayed: Club | None = None  # cache of `with_delayed_results`
        self._own = set[str]()  # seasons that no other club shares

    # --- reading ---

    @property
    def counted_marks(self) -> tuple[Mark, ...]:
        """The marks of results that count in ratings and statistics: all but practice and games against the rules."""
        return ("practice", *COUNTED_MARKS) if self.settings.simulated else COUNTED_MARKS

    @property
    def step(self) -> int:
        return len(self.entries) - 1

    @property
    def seal(self) -> str:
        return self.entries[-1].seal if self.entries else ""

    def person(self, person_id: str) -> str:
        """Return the id of the person that an id belongs to, after merges."""
        return self._merged_ids().whole.get(person_id, person_id)

    def ids_of(self, person: str) -> list[str]:
        """Return all ids of a person, the current one first."""
        whole = self.person(person)
        return [whole, *(other_id for other_id in self._merged_ids().of.get(whole, ()) if other_id != whole)]

    def _merged_ids(self) -> MergedIds:
        if self._alike is None:
            self._alike = merged_ids(self.merges.values())  # complete before it is assigned: threads share a club
        return self._alike

    def roles(self, person: str) -> tuple[club_events.Role, ...]:
        """Return the roles of a person in the order of ROLES; none: not a member."""
        held = {role for other_id in self.ids_of(person) for role in self.members.get(other_id, ())}
        return tuple(role for role in club_events.ROLES if role in held)

    def people(self) -> dict[str, tuple[club_events.Role, ...]]:
        """Return all members with their roles, in the order in which they joined."""
        return {
            person: self.roles(person) for person in dict.fromkeys(self.person(person_id) for person_id in self.members)
        }

    def everybody(self) -> list[str]:
        """Return members, and guests that play, are entered or answered for an evening, without anonymous ones."""
        ids = [*self.members, *(self.moved.former_members if self.moved else ())]
        for evening in self.evenings.values():
            ids += evening.answers
        for season in self.all_seasons():
            ids += season.players
            ids += season.seated
        known, anonymous_ids = dict.fromkeys(self.person(person_id) for person_id in ids), self.anonymous_ids
        return [person for person in known if person not in anonymous_ids]

    @property
    def anonymous_ids(self) -> frozenset[str]:
        return frozenset(list_anonymous_ids(self.id))

    def knows(self, person_id: str) -> bool:
        """Check if an id belongs to a member or guest."""
        if self._known is None:
            self._known = frozenset(self.everybody())
        return self.person(person_id) in self._known

    def ids_elsewhere(self) -> dict[str, str]:
        """Return the club's person for each id of another program."""
        imports = (entry.event for entry in self.entries if isinstance(entry.event, club_events.PlaysImported))
        return {
            foreign_id: self.person(person) for event in imports for foreign_id, person in event.source_people.items()
        }

    def people_left(self) -> set[str]:
        """Return former members."""
        left = (entry.event for entry in self.entries if isinstance(entry.event, club_events.MemberLeft))
        return {person for event in left if not self.roles(person := self.person(event.person))}

    def organisers(self) -> list[str]:
        return [person for person, roles in self.people().items() if "organiser" in roles]

    def challenges_of(self, person: str) -> list[Challenge]:
        """Return the challenges of a person, or of the club for an empty id, the newest first."""
        wanted = self.person(person) if person else ""
        return [
            challenge
            for challenge in reversed(self.challenges.values())
            if (self.person(challenge.person) if challenge.person else "") == wanted
        ]

    def answers(self, evening: Evening) -> dict[str, Answered]:
        """Return the newest answer of each person to an evening, in the order of the answers."""
        by_step = sorted(evening.answers.items(), key=lambda item: item[1].step)
        newest = {self.person(person_id): answered for person_id, answered in by_step}
        return dict(sorted(newest.items(), key=lambda item: item[1].step))

    def expected(self, evening: Evening, *answers: club_events.Answer) -> list[str]:
        """Return the people with one of these answers, in the order of the answers."""
        return [person for person, answered in self.answers(evening).items() if answered.answer in answers]

    def coming(self, evening: Evening) -> list[str]:
        """Return the people with a chair, the first answers first."""
        yes = self._by_answer(evening)
        return yes[: evening.chairs] if evening.chairs else yes

    def waiting(self, evening: Evening) -> list[str]:
        """Return the people that wait for a chair, the next first."""
        return self._by_answer(evening)[evening.chairs :] if evening.chairs else []

    def _by_answer(self, evening: Evening) -> list[str]:
        """Return the people with the answer yes, in the order in which they began to give it."""
        said = [
            (answered.since, person) for person, answered in self.answers(evening).items() if answered.answer == "yes"
        ]
        return [person for _, person in sorted(said)]

    def guests_of(self, evening: Evening, member: str) -> list[str]:
        """Return the guests and children of a member; the member gave their first answer."""
        host = self.person(member)
        return [
            self.person(person_id)
            for person_id, answered in evening.answers.items()
            if self.person(answered.host) == host and self.person(person_id) != host and not self.roles(person_id)
        ]

    def tables_set(self, evening: Evening) -> list[club_events.EveningTable]:
        """Return the planned tables of an evening, with merged people as one."""
        return [msgspec.structs.replace(table, people=self._people_once(table.people)) for table in evening.tables]

    def evenings_after(self, evening: Evening) -> list[Evening]:
        """Return the evenings of the same series from this one on, the next first."""
        if not evening.series:
            return [evening]
        same = (other for other in self.evenings.values() if other.series == evening.series)
        return sorted((other for other in same if other.when >= evening.when), key=lambda other: other.when)

    def all_seasons(self) -> Iterator[Season]:
        yield from self.seasons.values()
        yield self.beside

    def season(self, season_id: str) -> Season:
        """Return a season. Raises KeyError for an unknown one."""
        return self.beside if season_id == club_events.BESIDE else self.seasons[season_id]

    def has_season(self, season_id: str) -> bool:
        return season_id == club_events.BESIDE or season_id in self.seasons

    def open_seasons(self) -> list[Season]:
        """Return the seasons that are neither closed nor removed with their league."""
        return (
            []
            if self.removed
            else [
                season for season in self.seasons.values() if season.is_open and not self.leagues[season.league].removed
            ]
        )

    def leagues_shown(self) -> list[League]:
        return [league for league in self.leagues.values() if not league.removed]

    def spectator_delay(self, season_id: str) -> int:
        """Return the delay of a season's games for users without a seat, in seconds."""
        season = self.seasons.get(season_id)
        return self.leagues[season.league].spectator_delay_seconds if season else 0

    def seasons_of(self, league: str) -> list[Season]:
        """Return the seasons of a league, without removed ones."""
        return [season for season in self.seasons.values() if season.league == league and not season.removed]

    def stages_after(self, season: Season) -> list[Season]:
        """Return the finals and other stages that take the best players of a season."""
        return [other for other in self.seasons.values() if other.qualifying_season == season.id and not other.removed]

    def rulesets(self, season: Season) -> tuple[str, ...]:
        """Return the ids of the games that are played in a season; none: every game."""
        return self.leagues[season.league].rulesets if season.league else ()

    def entrants(self, season: Season) -> list[Entrant]:
        """Return the players of a season, including withdrawn ones, each once."""
        people = dict.fromkeys(self.person(person_id) for person_id in season.players)
        playing = ((person, self.player(season, person)) for person in people)
        return [Entrant(person, entered.division, entered.group) for person, entered in playing if entered is not None]

    def withdrawn_people(self, season: Season) -> list[str]:
        """Return the people that withdrew from a season."""
        still = {self.person(player.person) for player in season.players.values() if player.withdrew is None}
        gone = [self.person(player.person) for player in season.players.values() if player.withdrew is not None]
        return [person for person in dict.fromkeys(gone) if person not in still]

    def player(self, season: Season, person: str) -> SeasonPlayer | None:
        """Return how a person plays a season: an entry that has not withdrawn first."""
        found = [season.players[person_id] for person_id in self.ids_of(person) if person_id in season.players]
        return next((player for player in found if player.withdrew is None), found[0] if found else None)

    def orders(self, orders: Iterable[club_events.Order]) -> list[club_events.Order]:
        """Return final orders with the people after all merges, each once: of two places the better one counts."""
        found = []
        for order in orders:
            people, promoted = self._people_once(order.people), self._people_once(order.promoted)
            relegated = tuple(person for person in self._people_once(order.relegated) if person not in promoted)
            found.append(msgspec.structs.replace(order, people=people, promoted=promoted, relegated=relegated))
        return found

    def lots(self, season: Season) -> list[tuple[str, ...]]:
        return [self._people_once(lot) for lot in season.lots]

    def _people_once(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.person(person_id) for person_id in ids))

    def penalties(self, season: Season) -> list[Penalty]:
        return [msgspec.structs.replace(penalty, person=self.person(penalty.person)) for penalty in season.penalties]

    def teams(self, season: Season) -> dict[str, tuple[str, ...]]:
        """Return the teams of a season with their players, in the order in which they entered."""
        found = dict[str, tuple[str, ...]]()
        for entrant in self.entrants(season):
            if name := self.team_of(season, entrant.person):
                found[name] = (*found.get(name, ()), entrant.person)
        return found

    def team_of(self, season: Season, person: str) -> str:
        """Return the name of a player's team; empty: none."""
        return next(filter(None, (season.team_names.get(person_id, "") for person_id in self.ids_of(person))), "")

    def handicaps(self, season: Season) -> dict[str, int]:
        """Return the handicap of each player that has one: points for each game that counts."""
        return {self.person(person_id): points for person_id, points in season.handicap_points.items() if points}

    def seats(self, table: SeasonTable) -> tuple[str, ...]:
        """Return the players of a table after merges, as of `SeasonTable.people`."""
        return tuple(self.person(person_id) for person_id in table.people)

    def stand_ins(self, table: SeasonTable) -> tuple[StandIn, ...]:
        """Return the replaced and empty seats of a table, with merged people as one."""
        return tuple(
            msgspec.structs.replace(
                seat, person=self.person(seat.person), replacement=seat.replacement and self.person(seat.replacement)
            )
            for seat in table.stand_ins
        )

    def names_at(self, table: SeasonTable) -> tuple[str, ...]:
        """Return the people of a table by seat: its players, also replaced and absent ones, instead of their substitutes."""
        seats = self.stand_ins(table)
        names = {seat.replacement: seat.person for seat in seats if seat.replacement}
        people = tuple(names.get(person, person) for person in self.seats(table))
        return (*people, *(seat.person for seat in seats if seat.person not in people))

    def players_met(self, season: Season, table: SeasonTable) -> tuple[str, ...]:
        """Return the players with a game at a table, by seat.

        A substitute counts as the member if the member gets the result.
        """
        names = dict[str, str]()
        for seat in self.stand_ins(table):
            if seat.replacement:
                names[seat.replacement] = (
                    seat.person if seat.is_substitute and season.format.substitute_result == "member" else ""
                )
        return tuple(filter(None, (names.get(person, person) for person in self.seats(table))))

    def excused(self, season: Season, round_number: int) -> set[str]:
        """Return the people with an excuse for a round."""
        return {self.person(person_id) for person_id, number in season.excused if number == round_number}

    def missed_rounds(self, season: Season) -> list[MissedRound]:
        """Return the rounds that players missed, without byes and without absences at tables with a result."""
        missed = [
            MissedRound(self.person(seat.person), table.round, "forfeit", table.id)
            for table in season.tables.values()
            if table.is_forfeited and not table.voided
            for seat in table.stand_ins
        ]
        drawn = dict[tuple[int, int, int], int]()  # division, group, round -> the newest step that drew it
        for draw in season.draws:
            places = [(fixture.division, fixture.group, fixture.round) for fixture in draw.fixtures]
            drawn |= dict.fromkeys([*places, *((bye.division, bye.group, bye.round) for bye in draw.byes)], draw.step)
        placed = {
            (person, table.round)
            for table in season.tables.values()
            if table.planned
            for person in (*self.names_at(table), *self.seats(table))
        } | {(self.person(bye.person), bye.round) for bye in season.byes}
        for entrant in self.entrants(season) if season.format.kind in ("rounds", "divisions", "swiss") else ():
            player = self.player(season, entrant.person)
            assert player is not None
            for (division, group, number), step in sorted(drawn.items()):
                if (division, group) != (entrant.division, entrant.group) or (entrant.person, number) in placed:
                    continue
                if entrant.person in self.excused(season, number):
                    missed.append(MissedRound(entrant.person, number, "excused"))
                else:
                    missed.append(
                        MissedRound(entrant.person, number, "late_entry" if step < player.since else "withdrawn")
                    )
        return missed

    def absent(self, table: SeasonTable) -> list[str]:
        """Return the players of a planned table that cannot come on its day."""
        absent = {self.person(person_id) for person_id in table.absent}
        return [] if table.is_settled else [person for person in self.seats(table) if person in absent]

    def players_to_agree(self, table: SeasonTable) -> list[str]:
        """Return the players without an agreement to the proposed day of a table."""
        agreed = {self.person(person_id) for person_id in table.proposal.agreed} if table.proposal else set[str]()
        return [person for person in self.seats(table) if person not in agreed]

    def confirmers(self, table: SeasonTable) -> list[str]:
        """Return the players with the right to confirm a result that another player of the table reported."""
        typed = table.typed
        if typed is None or not table.season or not table.is_unapproved:
            return []
        return [person for person in self.seats(table) if person != self.person(typed.by)]

    def typed_result(self, table: SeasonTable) -> Result | None:
        """Return the typed result of a table without a record, if there is one."""
        if table.typed is None or table.game:
            return None
        marks: dict[Mark, bool] = {"typed": True, "walkover": table.typed.walkover, "unapproved": table.is_unapproved}
        record = table.recorded
        return self.result(
            table,
            Result(
                table.result_id,
                table.typed.ruleset,
                table.typed.day,
                table.typed.placed,
                "record" if record else "typed",
                marks=record.marks if record else tuple(mark for mark, holds in marks.items() if holds),
                accepted=record is not None and record.accepted,
                lowest_wins=table.typed.details.lowest_wins,
                cooperative=table.typed.details.cooperative,
                automas=table.typed.details.automas,
                counted=not table.typed.details.uncounted,
                written_scores=self._written_scores(table.typed),
            ),
        )

    def _written_scores(self, typed: club_events.ResultTyped) -> dict[str, Score]:
        """Return the scores that are only written, as numbers."""
        scores = {
            player.person: typed.details.score_of(player)
            for player in typed.placed
            if typed.details.scores and player.score is None
        }
        return {self.person(person): score for person, score in scores.items() if score is not None}

    def result(self, table: SeasonTable, ended: Result) -> Result:
        """Return a game's end as the result of a table."""
        played = dict(enumerate(table.played)) if table.game else {}  # a record says it by ids of its own
        placed = tuple(
            msgspec.structs.replace(
                player,
                person=self.person(player.person if player.seat is None else played.get(player.seat, player.person)),
            )
            for player in ended.placed
        )
        return msgspec.structs.replace(
            ended,
            id=table.result_id,
            season=table.season or None,
            table=table.id,
            division=table.division,
            group=table.group,
            round=table.round,
            placed=placed,
            stand_ins=self.stand_ins(table),
        )

    def sources_of(self, table: SeasonTable) -> list[tuple[str, str]]:
        """Return the programs that an import brought the play of a table from, each with the play's id there."""
        imports = (self.entries[step].event for step in table.steps)
        return list(
            dict.fromkeys(
                (event.source, play_id)
                for event in imports
                if isinstance(event, club_events.PlaysImported | club_events.PlaysUpdated)
                for play in event.plays
                if table.result_id == play.same_as or (table.id == play.table and not play.same_as)
                for play_id in (play.id, play.second_id)
                if play_id in self.beside.imported
            )
        )

    def is_put_right(self, table: SeasonTable) -> bool:
        """Check if the club says that others sat at a table than its record names, or in other seats."""
        events = (self.entries[step].event for step in table.steps)
        return any(
            isinstance(event, club_events.SeatingCorrected | club_events.GameEntered)
            and event.game == table.game
            and (isinstance(event, club_events.SeatingCorrected) or bool(event.recorded))
            for event in events
        )

    def without_evenings(self) -> Club:
        """Return the club as shown to viewers without access to its evenings: no times or places.

        Times of results and entries are shortened to their day (`services.days.time_shown`). Only people who play or
        organise are shown, so guests and children who only come to evenings are not.
        """
        if self._outside is None:
            club = self._twin()
            club.evenings, club.shows_days_only = {}, True
            club.beside = _without_places(self.beside)
            club.seasons = {season_id: _without_places(season) for season_id, season in self.seasons.items()}
            playing = {person_id for season in self.all_seasons() for person_id in season.players}
            playing |= {person_id for season in self.all_seasons() for person_id in season.seated}
            playing = {self.person(person_id) for person_id in playing} | {*self.organisers()}
            club.members = {
                person_id: roles for person_id, roles in self.members.items() if self.person(person_id) in playing
            }
            self._outside = club  # complete before it is assigned: threads share a club
        return self._outside

    def with_delayed_results(self) -> Club:
        """Return the club as spectators see it: results of games appear with the delay of their league."""
        if self.delays_results or not any(league.spectator_delay_seconds for league in self.leagues.values()):
            return self
        if self._delayed is None:
            club = self._twin()
            club.delays_results = True
            self._delayed = club
        return self._delayed

    def result_delay(self, season_id: str) -> int:
        """Return how many seconds the results of a season's games are withheld from this view of the club."""
        season = self.seasons.get(season_id)
        return self.spectator_delay(season_id) if self.delays_results and season and season.is_open else 0

    # --- next entries ---

    def next_evening(self) -> str:
        return str(len(self.evenings) + 1)

    def next_challenge(self) -> str:
        return str(len(self.challenges) + 1)

    def next_league(self) -> str:
        return str(len(self.leagues) + 1)

    def next_season(self) -> str:
        return str(len(self.seasons) + 1)

    def next(self, written: Written) -> dict[str, Any]:
        """Return the fields of the next event that tell of its place and writing."""
        return {"step": self.step + 1, **writing_fields(written)}

    def write(self, event: club_events.AnyEvent) -> club_events.ClubEntry:
        """Return the sealed entry of an event."""
        return chronicle.seal_entry(self.id, event, self.seal)

    def then(self, entry: club_events.ClubEntry) -> Club:
        """Return the club with one more entry. This one stays as it is."""
        club = self._twin()
        club.apply(entry)
        return club

    def _twin(self) -> Club:
        club = Club(self.id)
        club.entries, club.keys = [*self.entries], {**self.keys}
        club.name, club.founded_at, club.settings, club.zone = self.name, self.founded_at, self.settings, self.zone
        club.removed, club.is_dissolved, club.moved = self.removed, self.is_dissolved, self.moved
        club.is_own_log = self.is_own_log
        club.members, club.merges, club.leagues = {**self.members}, {**self.merges}, {**self.leagues}
        club.evenings, club.challenges = {**self.evenings}, {**self.challenges}
        club.beside, club.seasons, club.games = self.beside, {**self.seasons}, {**self.games}
        club._alike = self._alike
        club.shows_days_only, club.delays_results = self.shows_days_only, self.delays_results
        return club

    # --- folding ---

    def apply(self, entry: club_events.ClubEntry) -> None:
        """Apply the next entry. Only for a club that is not shared yet."""
        event = entry.event
        self.note_entry(entry)
        match event:
            case club_events.ClubFounded():
                self.name, self.founded_at, self.is_own_log = event.name, event.at, event.is_own_log
                self.members[event.founder] = ("organiser", "member")
            case club_events.ClubRenamed():
                self.name = event.name
            case club_events.ClubSettingsChanged():
                self.settings = event.settings
            case club_events.TimeZoneSet():
                self.zone = event.zone
            case club_events.TextsBlanked():
                self._blank_texts(event)
            case club_events.ClubRemoved():
                self.removed = event.why
            case club_events.ClubDissolved():
                self.removed, self.is_dissolved = event.why, True
            case club_events.ClubRestored():
                self.removed, self.is_dissolved = "", False
            case club_events.ClubMoved():
                self.removed, self.is_dissolved, self.moved = "", False, event
                self.members = {event.by: ("organiser", "member")}
                self.settings = msgspec.structs.replace(
                    self.settings, public=False, public_evenings=False, embeds=False
                )
            case (
                club_events.EveningPlanned()
                | club_events.EveningCalledOff()
                | club_events.EveningAnswered()
                | club_events.EveningTablesSet()
            ):
                self.evenings[event.evening] = _evening_after(self.evenings.get(event.evening), event)
            case club_events.ChallengeSet():
                challenge = Challenge(
                    event.challenge,
                    event.person,
                    event.kind,
                    event.goal,
                    event.plays_per_game,
                    event.games,
                    event.since,
                    event.until,
                )
                self.challenges[event.challenge] = challenge
            case club_events.ChallengeGivenUp():
                before = self.challenges[event.challenge]
                self.challenges[event.challenge] = msgspec.structs.replace(before, given_up=event.at)
            case club_events.LeagueRemoved():
                self.leagues[event.league] = msgspec.structs.replace(self.leagues[event.league], removed=event.why)
            case club_events.LeagueRestored():
                self.leagues[event.league] = msgspec.structs.replace(self.leagues[event.league], removed="")
            case club_events.LeagueFounded() | club_events.LeagueChanged():
                self.leagues[event.league] = League(
                    event.league, event.name, event.rulesets, event.spectator_delay_seconds
                )
            case club_events.SeasonOpened():
                self.seasons[event.season] = Season(
                    event.season, event.league, event.name, event.format, event.at, event.qualifying_season
                )
            case (
                club_events.MemberJoined()
                | club_events.RolesGiven()
                | club_events.MemberLeft()
                | club_events.PeopleMerged()
                | club_events.PeopleSplit()
            ):
                self._apply_people(event)
            case _:
                self._apply_season(event)

    def note_entry(self, entry: club_events.ClubEntry) -> None:
        self._known = self._outside = self._delayed = None
        self.entries.append(entry)
        self.keys[entry.event.key] = entry.step

    def _blank_texts(self, event: club_events.TextsBlanked) -> None:
        """Fold the club again from its entries, without these parts of their texts."""
        texts = defaultdict[int, list[club_events.BlankedText]](list)
        for text in event.texts:
            texts[text.step].append(text)
        entries = [
            msgspec.structs.replace(entry, known=blank_event(entry.event, texts[entry.step]))
            if entry.step in texts
            else entry
            for entry in self.entries
        ]
        self.__dict__ = _fold_blanked(self.id, entries).__dict__

    def _apply_people(
        self,
        event: club_events.MemberJoined
        | club_events.RolesGiven
        | club_events.MemberLeft
        | club_events.PeopleMerged
        | club_events.PeopleSplit,
    ) -> None:
        match event:
            case club_events.MemberJoined():
                self.members[event.person] = (*event.roles, "member")
            case club_events.RolesGiven():
                for person_id in self.ids_of(event.person):
                    if person_id in self.members:
                        self.members[person_id] = ("member",)
                self.members[event.person] = (*event.roles, "member")
            case club_events.MemberLeft():
                for person_id in self.ids_of(event.person):
                    self.members.pop(person_id, None)
                    self._expect_no_more(person_id, event.at)
            case club_events.PeopleMerged():
                self.merges[event.step] = Merge(event.step, event.kept, event.merged, event.why)
                self._alike = None
            case club_events.PeopleSplit():
                del self.merges[event.merge]
                self._alike = None

    def _expect_no_more(self, person_id: str, at: str) -> None:
        """Drop the answers of a former member to evenings that are not over."""
        for evening in self.evenings.values():
            if evening.ends > at and person_id in evening.answers:
                answers = {other: answer for other, answer in evening.answers.items() if other != person_id}
                self.evenings[evening.id] = msgspec.structs.replace(evening, answers=answers)

    def named_people(self, table: SeasonTable) -> list[str]:
        """Return the people of a table, in order; anonymous players are empty texts."""
        anonymous_ids = self.anonymous_ids
        return sorted("" if person in anonymous_ids else self.person(person) for person in table.ids)

    def _own_season(self, season_id: str) -> Season:
        """Return a season that may be changed: it is copied once, not for each event."""
        season = self.season(season_id)
        if season_id not in self._own:
            self._own.add(season_id)
            season = season.copy()
            if season_id == club_events.BESIDE:
                self.beside = season
            else:
                self.seasons[season_id] = season
        return season

    def _apply_season(self, event: club_events.OfSeason) -> None:
        season = self._own_season(event.season)
        match event:
            case club_events.SeasonChanged():
                season.name, season.format = event.name, event.format
            case club_events.PlayerEntered():
                known = self.player(season, event.person)
                since = event.step if known is None else known.since
                season.players[event.person] = SeasonPlayer(
                    event.person, event.division, event.group, event.step, since=since
                )
            case club_events.PlayerWithdrew():
                for person_id in self.ids_of(event.person):
                    if person_id in season.players:
                        season.players[person_id] = msgspec.structs.replace(
                            season.players[person_id], withdrew=event.step, why=event.why
                        )
            case club_events.ScheduleDrawn():
                _draw(season, event)
            case club_events.PlaysImported():
                for play in event.plays:
                    self._import_play(season, event, play)
            case club_events.PlaysUpdated():
                _update_plays(season, event)
            case club_events.PlaysMerged():
                self._merge_plays(season, event)
            case club_events.PlaySplit():
                target = self.table_of(season.joined[event.table])
                if target is not None:
                    self._own_season(target.season).put_table(_with_step(target, event.step))
                self._split_play(season, event.table)
                season.put_table(_with_step(season.tables[event.table], event.step))
            case club_events.ImportUndone():
                self._undo_import(season, event.batch)
            case club_events.PenaltyGiven():
                season.penalties += (Penalty(event.step, event.at, event.person, event.points, event.why),)
            case club_events.TeamSet():
                for person_id in {other for person in event.people for other in self.ids_of(person)}:
                    season.team_names.pop(person_id, None)
                season.team_names.update(dict.fromkeys(event.people, event.name))
            case club_events.HandicapSet():
                for person_id in {other for person in event.people for other in self.ids_of(person)}:
                    season.handicap_points.pop(person_id, None)
                season.handicap_points.update(dict.fromkeys(event.people, event.points))
            case club_events.LotDrawn():
                season.lots += (event.people,)
            case club_events.PlayerExcused():
                others = tuple(
                    (person_id, number)
                    for person_id, number in season.excused
                    if number != event.round or self.person(person_id) != self.person(event.person)
                )
                season.excused = (*others, (event.person, event.round)) if event.excused else others
            case club_events.RoundDeadlineSet() if event.until:
                season.round_deadlines[event.round] = event
            case club_events.RoundDeadlineSet():
                season.round_deadlines.pop(event.round, None)
            case club_events.SeasonClosed():
                season.closed, season.kept = event, None
            case club_events.SeasonReopened():
                season.closed = season.kept = season.cancelled = None
            case club_events.SeasonCancelled():
                season.cancelled = event
            case club_events.SeasonRemoved():
                season.removed = event.why
            case club_events.SeasonRestored():
                season.removed = ""
            case club_events.FinalOrderKept():
                season.kept = event
            case (
                club_events.TablePlanned()
                | club_events.SeatsChanged()
                | club_events.SubstituteSeated()
                | club_events.ForfeitRecorded()
                | club_events.SeatRestored()
                | club_events.TablePostponed()
                | club_events.AbsenceReported()
                | club_events.DayProposed()
                | club_events.DayAgreed()
                | club_events.GameEntered()
                | club_events.RecordedElsewhere()
                | club_events.SeatingCorrected()
                | club_events.GameRemoved()
                | club_events.ResultTyped()
                | club_events.ResultVoided()
                | club_events.ResultAccepted()
                | club_events.SeparateGamesConfirmed()
            ):
                self._apply_table(season, event)

    def table_of(self, result_id: str) -> SeasonTable | None:
        """Return the table of a result's id."""
        season_id, _, table_id = result_id.rpartition(".")
        known = season_id == club_events.BESIDE or season_id in self.seasons
        return self.season(season_id).tables.get(table_id) if known else None

    def _import_play(self, season: Season, event: club_events.PlaysImported, play: club_events.ImportedPlay) -> None:
        """Add an imported play at a table of its own, or join it to the play that it is."""
        season.imported.update(dict.fromkeys(filter(None, (play.id, play.second_id)), event.batch))
        target = self.table_of(play.same_as) if play.same_as else None
        if target is None:
            season.put_table(_table_of_import(season, event, play))
            return
        self._join(season, _with_step(target, event.step), (play.table,), play, event.batch)

    def _join(
        self,
        season: Season,
        target: SeasonTable,
        tables: tuple[str, ...],
        play: club_events.ImportedPlay | club_events.ResultTyped,
        source: str,
    ) -> None:
        """Make plays part of another play, and fill in the facts that only the first of them has.

        tables: the own tables of the plays. source: the origin of the facts, for an undo.
        """
        season.joined.update(dict.fromkeys(tables, target.result_id))
        typed, before = target.typed, target.before
        if typed is not None and not (target.game or target.recorded) and target.season == club_events.BESIDE:
            filled = fill_in(typed, play, self.person)
            if filled != typed:
                typed, before = filled, (*before, (source, typed))
        self._own_season(target.season).put_table(
            msgspec.structs.replace(target, typed=typed, before=before, joined=(*target.joined, *tables))
        )

    def _merge_plays(self, season: Season, event: club_events.PlaysMerged) -> None:
        """Set a table aside, and make its play part of another play."""
        table, target = season.tables[event.table], self.season(event.into_season).tables[event.into_table]
        assert table.typed is not None
        season.remove_table(table.id)
        season.set_aside[table.id] = _with_step(table, event.step)
        tables = (table.id, *table.joined)
        self._join(season, _with_step(target, event.step), tables, table.typed, _merge_source(table.id))

    def _split_play(self, season: Season, table_id: str) -> None:
        """Give a joined play its own table again."""
        result_id = season.joined.pop(table_id)
        target, own = self.table_of(result_id), season.set_aside.pop(table_id, None)
        source = _merge_source(table_id)
        if own is None:
            event, play = self._joined_play(table_id)
            own, source = _table_of_import(season, event, play), event.batch
        with_it = tuple(other for other in own.joined if season.joined.get(other) == result_id)
        season.joined.update(dict.fromkeys(with_it, own.result_id))
        if target is not None:
            self._own_season(target.season).put_table(_remove_merged(target, {table_id, *with_it}, source))
        for aside in [*season.set_aside.values()]:
            season.set_aside[aside.id] = _remove_merged(aside, {table_id}, source)
        season.put_table(msgspec.structs.replace(own, joined=with_it))

    def _batch_of_joined(self, season: Season, table_id: str) -> str:
        """Return the import that brought a joined play; empty if it was typed."""
        aside = season.set_aside.get(table_id)
        return aside.batch if aside is not None else self._joined_play(table_id)[0].batch

    def _joined_play(self, table_id: str) -> tuple[club_events.PlaysImported, club_events.ImportedPlay]:
        return next(
            (event, play)
            for entry in reversed(self.entries)
            if isinstance(event := entry.event, club_events.PlaysImported)
            for play in event.plays
            if play.table == table_id
        )

    def _undo_import(self, season: Season, batch: str) -> None:
        """Remove what an import brought. A table that has a record by now keeps it."""
        joined = {table_id for table_id in season.joined if self._batch_of_joined(season, table_id) == batch}
        merged = [_merge_source(table_id) for table_id in joined if table_id in season.set_aside]
        for each in self.all_seasons():
            for table in [*each.tables.values()]:
                restored = _remove_merged(table, joined, batch, *merged)
                if restored is not table:
                    self._own_season(each.id).put_table(restored)
        for table_id in joined:
            del season.joined[table_id]
            season.set_aside.pop(table_id, None)
        for aside in [*season.set_aside.values()]:
            season.set_aside[aside.id] = _remove_merged(aside, joined, batch, *merged)
        for table in [table for table in season.tables.values() if table.batch == batch]:
            if table.game:
                season.put_table(msgspec.structs.replace(table, typed=None, batch=""))
            else:
                season.remove_table(table.id)
                self._rehome(season, table.joined)
        season.imported = {play_id: brought for play_id, brought in season.imported.items() if brought != batch}

    def _rehome(self, season: Season, joined: Sequence[str]) -> None:
        """Give the plays that were joined to a removed table one table again."""
        for first, *others in [joined] if joined else []:
            self._split_play(season, first)
            result_id = season.tables[first].result_id
            season.joined.update(dict.fromkeys(others, result_id))
            season.put_table(msgspec.structs.replace(season.tables[first], joined=tuple(others)))

    def _apply_table(self, season: Season, event: club_events.OfTable) -> None:
        table = season.tables.get(event.table, SeasonTable(event.table, season.id, False))
        match event:
            case club_events.TablePlanned():
                is_moved = event.when != table.when
                table = msgspec.structs.replace(
                    table,
                    when=event.when,
                    place=event.place,
                    absent=() if is_moved else table.absent,
                    proposal=None if is_moved else table.proposal,
                    postponed=None,
                )
            case club_events.AbsenceReported():
                others = tuple(person for person in table.absent if self.person(person) != self.person(event.person))
                table = msgspec.structs.replace(table, absent=(*others, event.person) if event.absent else others)
            case club_events.DayProposed():
                table = msgspec.structs.replace(table, proposal=DayProposal(event.when, event.place, (event.person,)))
            case club_events.DayAgreed() if table.proposal is not None:
                agreed = (*table.proposal.agreed, event.person)
                table = msgspec.structs.replace(table, proposal=msgspec.structs.replace(table.proposal, agreed=agreed))
            case club_events.TablePostponed():
                table = msgspec.structs.replace(table, when=event.when, postponed=event, absent=(), proposal=None)
            case club_events.SubstituteSeated():
                table = self._replace_player(table, event.person, event.substitute)
            case club_events.ForfeitRecorded():
                table = self._replace_player(table, event.person, event.automa, forfeit=True)
            case club_events.SeatRestored():
                absent = tuple(person for person in table.absent if self.person(person) != self.person(event.person))
                stand_ins = self._other_stand_ins(table, event.person)
                table = msgspec.structs.replace(table, stand_ins=stand_ins, absent=absent)
            case club_events.SeatsChanged():
                stand_ins = tuple(seat for seat in table.stand_ins if seat.person in event.seats)
                table = msgspec.structs.replace(table, seats=event.seats, proposal=None, stand_ins=stand_ins)
                season.byes = tuple(
                    bye for bye in season.byes if bye.round != table.round or bye.person not in event.seats
                )
            case club_events.GameEntered():
                table = msgspec.structs.replace(
                    table,
                    game=event.game,
                    played=event.seats,
                    ruleset=event.ruleset,
                    voided=None,
                    apart=(*table.apart, (event.game, event.separate_from)) if event.separate_from else table.apart,
                )
                self.games[event.game] = (season.id, table.id)
            case club_events.RecordedElsewhere():
                table = msgspec.structs.replace(
                    table,
                    typed=event.as_typed(),
                    recorded=event,
                    ruleset=event.ruleset,
                    voided=None,
                    batch="",
                    before=(),
                    apart=(*table.apart, (table.result_id, event.separate_from))
                    if event.separate_from
                    else table.apart,
                )
            case club_events.SeatingCorrected():
                table = msgspec.structs.replace(table, played=event.seats)
            case club_events.GameRemoved():
                table = msgspec.structs.replace(table, game="", played=(), ruleset="")
                self.games.pop(event.game, None)
            case club_events.ResultTyped():
                table = msgspec.structs.replace(
                    table, typed=event, recorded=None, ruleset=event.ruleset, voided=None, batch="", before=()
                )
            case club_events.ResultVoided():
                self.games.pop(table.game, None)
                table = msgspec.structs.replace(
                    table, game="", played=(), ruleset="", typed=None, recorded=None, voided=event
                )
            case club_events.ResultAccepted():
                table = msgspec.structs.replace(table, accepted=event)
            case club_events.SeparateGamesConfirmed():
                other = self.season(event.other_season).tables[event.other_table]
                table = msgspec.structs.replace(table, apart=(*table.apart, (table.evening, other.evening)))
        season.put_table(msgspec.structs.replace(table, steps=(*table.steps, event.step)))

    def _replace_player(
        self, table: SeasonTable, person: str, replacement: str, *, forfeit: bool = False
    ) -> SeasonTable:
        """Return a table with a replacement, or no one, in the seat of a person."""
        seat_id = next((seat for seat in table.seats if self.person(seat) == self.person(person)), person)
        seat = StandIn(seat_id, replacement, forfeit)
        return msgspec.structs.replace(table, stand_ins=(*self._other_stand_ins(table, person), seat))

    def _other_stand_ins(self, table: SeasonTable, person: str) -> tuple[StandIn, ...]:
        return tuple(seat for seat in table.stand_ins if self.person(seat.person) != self.person(person))


def _evening_after(evening: Evening | None, event: club_events.OfEvening) -> Evening:
    before = evening or Evening(event.evening, "")
    match event:
        case club_events.EveningPlanned():
            return msgspec.structs.replace(
                before,
                when=event.when,
                place=event.place,
                games=event.games,
                chairs=event.chairs,
                until=event.until,
                remark=event.remark,
                series=event.series,
                called_off=None,
                moved=before.moved if event.when == before.when else event.step,
                steps=(*before.steps, event.step),
            )
        case club_events.EveningCalledOff():
            return msgspec.structs.replace(before, called_off=event, steps=(*before.steps, event.step))
        case club_events.EveningTablesSet():
            return msgspec.structs.replace(before, tables=event.tables, tables_since=before.tables_since or event.step)
        case club_events.EveningAnswered():
            said = before.answers.get(event.person)
            is_same = said is not None and said.answer == event.answer
            since, host = (said.since, said.host) if said is not None else (event.step, event.by)
            answered = Answered(
                event.answer,
                event.step,
                since if is_same else event.step,
                host,
                event.games_brought,
                event.games_wanted,
            )
            return msgspec.structs.replace(
                before,
                answers={**before.answers, event.person: answered},
                times={**before.times, (event.by, event.person): before.times.get((event.by, event.person), 0) + 1},
            )


def _root(above: dict[str, str], person_id: str) -> str:
    """Return the end of a chain of merges, and shorten the chain."""
    while person_id in above:
        above[person_id] = above.get(above[person_id], above[person_id])
        person_id = above[person_id]
    return person_id


def _with_step(table: SeasonTable, step: int) -> SeasonTable:
    return msgspec.structs.replace(table, steps=(*table.steps, step))


def _merge_source(table_id: str) -> str:
    """Return the name of a merge by hand, as a source of facts."""
    return f"merge {table_id}"


def _remove_merged(table: SeasonTable, joined: Set[str], *sources: str) -> SeasonTable:
    """Return a table without these merged plays, and without the facts from these sources."""
    for source in sources:
        table = _restore(table, source)
    if joined & {*table.joined}:
        left = tuple(other for other in table.joined if other not in joined)
        table = msgspec.structs.replace(table, joined=left)
    return table


def _table_of_import(season: Season, event: club_events.PlaysImported, play: club_events.ImportedPlay) -> SeasonTable:
    """Return the table that an imported play has of its own."""
    return SeasonTable(
        play.table,
        season.id,
        False,
        ruleset=play.ruleset,
        typed=event.as_typed(play),
        steps=(event.step,),
        batch=event.batch,
        source=event.source,
    )


def _update_plays(season: Season, event: club_events.PlaysUpdated) -> None:
    """Put new versions of imported plays at their tables; the earlier results are stored for an undo."""
    for play in event.plays:
        table = _with_step(season.tables[play.table], event.step)
        season.put_table(
            msgspec.structs.replace(
                table,
                ruleset=play.ruleset,
                typed=event.as_typed(play),
                voided=None,
                before=(*table.before, (event.batch, table.typed)),
            )
        )
    for table_id in event.deleted:
        table = _with_step(season.tables[table_id], event.step)
        fields = {name: getattr(event, name) for name in ("step", "at", "by", "key", "season")}
        voided = club_events.ResultVoided(**fields, table=table_id, why="deleted at its source")
        before = (*table.before, (event.batch, table.typed))
        season.put_table(msgspec.structs.replace(table, typed=None, voided=voided, before=before))


def _restore(table: SeasonTable, batch: str) -> SeasonTable:
    """Return a table with the result that it had before an import replaced it. Later results stay."""
    places = [number for number, (changed_by, _) in enumerate(table.before) if changed_by == batch]
    if not places:
        return table
    if places[0] + len(places) < len(table.before):  # another import replaced that result again
        before = tuple(entry for entry in table.before if entry[0] != batch)
        return msgspec.structs.replace(table, before=before)
    typed = table.before[places[0]][1]
    return msgspec.structs.replace(
        table,
        typed=typed,
        ruleset=typed.ruleset if typed else table.ruleset,
        voided=None if typed else table.voided,
        before=table.before[: places[0]],
    )


def fill_in(
    typed: club_events.ResultTyped, play: club_events.ImportedPlay | club_events.ResultTyped, person: Any
) -> club_events.ResultTyped:
    """Return a result with what only another source of the same play knows.

    person: returns the person of the club for an id.
    """
    own = {person(placed.person): placed.person for placed in typed.placed}
    if {person(placed.person) for placed in play.placed} != own.keys() or len(own) < len(typed.placed):
        return typed

    def by_person(texts: Mapping[str, str]) -> dict[str, str]:
        return {own[person(person_id)]: text for person_id, text in texts.items()}

    details, other = typed.details, play.details
    is_scored = bool(details.scores) or any(placed.score is not None for placed in typed.placed)
    filled = {
        name: getattr(other, name)
        for name in ("place", "minutes", "expansions", "variant", "comments", "bgg", "hour")
        if not getattr(details, name)
    }
    if not details.start_player and other.start_player:
        filled["start_player"] = own[person(other.start_player)]
    filled |= {
        name: by_person(getattr(other, name)) for name in ("roles", "teams", "colours") if not getattr(details, name)
    }
    placed = typed.placed
    if not is_scored and any(each.score is not None for each in play.placed):
        places = {own[person(each.person)]: each for each in play.placed}
        placed = tuple(
            msgspec.structs.replace(each, place=places[each.person].place, score=places[each.person].score)
            for each in typed.placed
        )
        filled["scores"] = by_person(other.scores)
    return msgspec.structs.replace(typed, placed=placed, details=msgspec.structs.replace(details, **filled))


def _draw(season: Season, event: club_events.ScheduleDrawn) -> None:
    """Replace the tables of these rounds. Day and place of a table with the same id stay."""
    before = {table_id: table for table_id, table in season.tables.items() if is_replaced(table, event)}
    for table_id in before:
        season.remove_table(table_id)
    for fixture in event.fixtures:
        known = before.get(fixture.table)
        season.put_table(
            SeasonTable(
                fixture.table,
                season.id,
                True,
                fixture.seats,
                fixture.division,
                fixture.group,
                fixture.round,
                when=known.when if known else "",
                place=known.place if known else "",
                planned_game=event.games.get(fixture.table, ""),
                steps=(*(known.steps if known else ()), event.step),
            )
        )
    season.byes = (*(bye for bye in season.byes if not _of_draw(bye, event)), *event.byes)
    season.draws += (event,)


def is_replaced(table: SeasonTable, event: club_events.ScheduleDrawn) -> bool:
    """Check if a draw replaces a table."""
    return table.planned and _of_draw(table, event)


def _of_draw(planned: SeasonTable | Bye, event: club_events.ScheduleDrawn) -> bool:
    return (
        planned.round in event.rounds and event.division in (0, planned.division) and event.group in (0, planned.group)
    )


def people_named(event: club_events.AnyEvent) -> Iterator[str]:
    """Yield the ids of all people that an event makes known to a club."""
    match event:
        case club_events.ClubFounded():
            yield event.founder
        case club_events.PeopleMerged():
            yield from (event.kept, event.merged)
        case (
            club_events.MemberJoined()
            | club_events.RolesGiven()
            | club_events.EveningAnswered()
            | club_events.PlayerEntered()
        ):
            yield event.person
        case club_events.SubstituteSeated():
            yield event.substitute
        case club_events.GameEntered() | club_events.SeatingCorrected() | club_events.SeatsChanged():
            yield from event.seats
        case club_events.ResultTyped() | club_events.RecordedElsewhere():
            yield from (player.person for player in event.placed)
        case club_events.ClubMoved():
            yield from (event.by, *event.former_members)
        case club_events.PlaysImported() | club_events.PlaysUpdated():
            yield from (player.person for play in event.plays for player in play.placed)
        case club_events.EveningTablesSet():
            yield from (person for table in event.tables for person in table.people)
        case club_events.ScheduleDrawn():
            yield from (person for fixture in event.fixtures for person in fixture.seats)


def fold_club(club_id: UUID, entries: Iterable[club_events.ClubEntry]) -> Club:
    """Fold a club from its entries, the founding first."""
    club = Club(club_id)
    for entry in entries:
        club.apply(entry)
    return club


def _without_places(season: Season) -> Season:
    """Return a season without the times and places of what was played."""
    season = season.copy()
    for tables in (season.tables, season.set_aside):
        for table_id, table in tables.items():
            typed = table.typed
            if typed is not None and (typed.details.place or typed.details.hour):
                details = msgspec.structs.replace(typed.details, place="", hour="")
                typed = msgspec.structs.replace(typed, details=details)
            if table.when or table.place or table.absent or table.proposal or typed is not table.typed:
                postponed = table.postponed and msgspec.structs.replace(table.postponed, when="")
                tables[table_id] = msgspec.structs.replace(
                    table, when="", place="", absent=(), proposal=None, typed=typed, postponed=postponed
                )
    return season


def _fold_blanked(club_id: UUID, entries: Iterable[club_events.ClubEntry]) -> Club:
    """Fold a club from entries with blanked texts."""
    club = Club(club_id)
    for entry in entries:
        if isinstance(entry.event, club_events.TextsBlanked):
            club.note_entry(entry)
        else:
            club.apply(entry)
    return club


def as_of_step(club: Club, step: int) -> Club:
    """Return the club as it was after a step; -1: without any entry."""
    return club if step >= club.step else _fold_blanked(club.id, club.entries[: step + 1])


def founding_entry(
    club_id: UUID, name: str, founder: str, written: Written, *, is_own_log: bool = False
) -> club_events.ClubEntry:
    """Return the first entry of a club, or of a person's own log."""
    return chronicle.seal_entry(
        club_id,
        club_events.ClubFounded(
            step=0,
            club=str(club_id),
            format=FORMAT,
            name=name,
            founder=founder,
            is_own_log=is_own_log,
            **writing_fields(written),
        ),
        "",
    )
