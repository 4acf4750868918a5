"""Format of a season: how it is played, points per place, and planned tables.

The event that opens a season contains every setting of its format, so that later defaults do not change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.terms import WhyNot, because
from daybook.domain.league.results import COUNTED_MARKS, MARKS, SEATS_LIMIT, Mark

SeasonKind = Literal["free", "rounds", "heats", "divisions", "swiss", "knockout"]
# free: any members who meet play; rounds: one field, a schedule of rounds; heats: enter as many as you like, most wins first;
# divisions: groups that play round by round, with promotion and relegation; swiss: each round drawn from the standings;
# knockout: the first of each table go on
KINDS: tuple[SeasonKind, ...] = ("free", "rounds", "heats", "divisions", "swiss", "knockout")

# Outcomes of a round that a player did not play:
Outcome = Literal["bye", "late_entry", "excused", "forfeit", "substituted", "withdrawn"]
# bye: no table was left; late_entry: the round was drawn before the player entered; excused: before the draw;
# forfeit: absent from the table; substituted: another person played, and the result is not the player's;
# withdrawn: had left the season
OUTCOMES: tuple[Outcome, ...] = ("bye", "late_entry", "excused", "forfeit", "substituted", "withdrawn")

TIEBREAKS = (
    "points",
    "wins",
    "seconds",
    "thirds",
    "share",
    "margin",
    "direct",
    "opponents",
    "average_opponents",
    "opponents_strength",
    "sonneborn_berger",
    "games",
    "highest",
    "rounds_survived",
    "last_table_place",
    "lot",
)

ROUNDS_LIMIT = 60
GROUPS_LIMIT = 40  # of a division
HANDICAP_LIMIT = 100  # points of one game
ENTRANTS_LIMIT = 2_000  # of a season
PERIOD_LIMIT = 366  # days for corrections, hours for appeals
WORTH: dict[str, tuple[int, ...]] = {
    "2": (10, 4),
    "3": (10, 5, 2),
    "4": (10, 6, 3, 1),
    "5": (10, 7, 4, 2, 1),
    "6": (10, 7, 5, 3, 2, 1),
    "7": (10, 8, 6, 4, 3, 2, 1),
    "8": (10, 8, 6, 5, 4, 3, 2, 1),
}


class Points(Exact):
    """The points of places.

    by_seats: the points of each place, the first first, by the number of seats ("4"). ties: those who share a place
    split the points of the places they use up, or all get the highest or the lowest of them. drop: for a player who
    dropped out. bye: for a round without a table. late_entry: once, for all rounds before the player entered.
    excused: for a round from which the player was excused. forfeit: for an absent player. substituted: for
    a round in which the substitute's result does not count for the player.
    """

    by_seats: dict[str, tuple[int, ...]] = msgspec.field(default_factory=lambda: dict(WORTH))
    ties: Literal["split", "high", "low"] = "split"
    drop: int = 0
    bye: int = 5
    late_entry: int = 0
    excused: int = 0
    forfeit: int = 0
    substituted: int = 0

    def of_outcome(self, outcome: Outcome) -> int:
        """Return the points of a round that the player did not play."""
        return 0 if outcome == "withdrawn" else int(getattr(self, outcome))


class Division(Exact):
    """One division, by its name, and how many people each of its groups has."""

    name: str
    groups: tuple[int, ...]


class Format(Exact):
    """The way a season is played.

    table_sizes: seats of a table, the preferred number first. rounds: how many are planned; 0: open. tiebreaks:
    codes, in the order in which they decide. best: how many results of a player count; None: all. promote,
    relegate: how many of each group move up and down. withdrawn: the results of a player who withdraws stay, are
    void for all, or give that player 0 points. counts: results with these marks count. correction_days: how long a
    typed result may be corrected; 0: always. appeal_hours: how long a ruling in one of its games may be appealed.
    substitute_result: the owner of a substitute's result: the member, no one, or the substitute.
    advance_per_table: number of players of each knock-out table in the next round. lives: lost tables after which a
    player is out of the knock-out.
    """

    kind: SeasonKind = "rounds"
    table_sizes: tuple[int, ...] = (4,)
    rounds: int = 0
    points: Points = msgspec.field(default_factory=Points)
    tiebreaks: tuple[str, ...] = ("points", "wins", "seconds", "thirds", "share", "margin", "direct", "lot")
    best: int | None = None
    divisions: tuple[Division, ...] = ()
    promote: int = 1
    relegate: int = 1
    withdrawn: Literal["keep", "void", "zero"] = "keep"
    counts: tuple[Mark, ...] = COUNTED_MARKS
    correction_days: int = 7
    appeal_hours: int = 48
    substitute_result: Literal["member", "none", "substitute"] = "member"
    advance_per_table: int = 2
    lives: int = 1


class Entrant(Exact):
    """A player of a season. Divisions and groups are counted from 1; division 1 is the highest."""

    person: str
    division: int = 1
    group: int = 1


class Fixture(Exact):
    """One planned table. table: its id, the season's own; seats: the people in the order in which they sit."""

    table: str
    round: int
    seats: tuple[str, ...]
    division: int = 1
    group: int = 1


class Bye(Exact):
    """A round in which a player has no table."""

    person: str
    round: int
    division: int = 1
    group: int = 1


class MissedRound(Frozen):
    """A round that a player missed, other than a bye. table: the table of the player's seat; empty: none."""

    person: str
    round: int
    outcome: Outcome
    table: str = ""


class Penalty(Frozen):
    """Points taken off a player (below 0: given), and the reason.

    step, at: of the club's entry.
    """

    step: int
    at: str
    person: str
    points: int
    why: str


DEFAULTS: dict[SeasonKind, Format] = {
    "free": Format("free", (4, 3, 5, 2, 6)),
    "rounds": Format("rounds", (4, 3, 5), rounds=4),
    "heats": Format("heats", (4, 3, 5), tiebreaks=("wins", "seconds", "highest", "lot")),
    "divisions": Format("divisions", (4,), divisions=(Division("1", (7,)), Division("2", (7,)))),
    "swiss": Format(
        "swiss",
        (4, 3, 5),
        rounds=4,
        points=Points(bye=10),  # as a win
        tiebreaks=("points", "opponents_strength", "direct", "share", "lot"),  # neither table sizes nor byes bend them
    ),
    "knockout": Format(
        "knockout",
        (4, 3),
        points=Points(bye=0),
        tiebreaks=("rounds_survived", "last_table_place", "points", "share", "lot"),
    ),
}


def format_fault(season_format: Format) -> WhyNot:
    """Return what is wrong with a format, or None."""
    return (
        _table_sizes_fault(season_format)
        or _rounds_fault(season_format)
        or _points_fault(season_format)
        or _chain_fault(season_format)
        or _divisions_fault(season_format)
        or _settings_fault(season_format)
    )


def _table_sizes_fault(season_format: Format) -> WhyNot:
    if not season_format.table_sizes:
        return because("no_tables", "enter how many may sit at a table")
    for size in season_format.table_sizes:
        if not 2 <= size <= SEATS_LIMIT:
            return because("table_size", "a table seats 2 to {most}, not {n}", most=SEATS_LIMIT, n=size)
    return _repeated_fault([str(size) for size in season_format.table_sizes])


def _repeated_fault(words: Sequence[str]) -> WhyNot:
    for word in words:
        if words.count(word) > 1:
            return because("repeated", "{word} is listed twice", word=word)
    return None


def _rounds_fault(season_format: Format) -> WhyNot:
    if not 0 <= season_format.rounds <= ROUNDS_LIMIT:
        return because("rounds", "a season has up to {most} rounds, not {n}", most=ROUNDS_LIMIT, n=season_format.rounds)
    if season_format.best is not None and season_format.best < 1:
        return because("best", "at least 1 result of each person counts, not {n}", n=season_format.best)
    return None


def _points_fault(season_format: Format) -> WhyNot:
    for size in season_format.table_sizes:
        if str(size) not in season_format.points.by_seats:
            return because("no_points", "say what the places at a table of {n} are worth", n=size)
    for seats, worth in season_format.points.by_seats.items():
        if not (seats.isdecimal() and 1 <= int(seats) <= SEATS_LIMIT):
            return because(
                "points_seats", "points can be set for tables of 1 to {most}, not of {n}", most=SEATS_LIMIT, n=seats
            )
        if len(worth) != int(seats):
            return because(
                "points_places",
                "a table of {seats} has {seats} places, but there are points for {n}",
                seats=int(seats),
                n=len(worth),
            )
        if list(worth) != sorted(worth, reverse=True):
            return because(
                "points_order", "at a table of {seats} a worse place is worth more than a better one", seats=int(seats)
            )
    return None


def _chain_fault(season_format: Format) -> WhyNot:
    if not season_format.tiebreaks:
        return because("no_tiebreaks", "choose what decides the order")
    for code in season_format.tiebreaks:
        if code not in TIEBREAKS:
            return because("no_such_tiebreak", "there is no tie-break “{code}”", code=code)
    return _repeated_fault(season_format.tiebreaks)


def _divisions_fault(season_format: Format) -> WhyNot:
    if (season_format.kind == "divisions") != bool(season_format.divisions):
        return because("divisions", "a season in divisions names them, and other seasons have none")
    for division in season_format.divisions:
        if not division.name.strip():
            return because("division_name", "give each division a name")
        if not division.groups:
            return because("no_groups", "division {name} has no group", name=division.name)
        if len(division.groups) > GROUPS_LIMIT:
            return because(
                "groups_many", "a division has up to {most} groups, not {n}", most=GROUPS_LIMIT, n=len(division.groups)
            )
        for size in division.groups:
            if size < min(season_format.table_sizes):
                return because(
                    "group_size",
                    "a group of {n} in division {name} cannot fill a table of {seats}",
                    n=size,
                    name=division.name,
                    seats=min(season_format.table_sizes),
                )
            if len(season_format.divisions) > 1 and season_format.promote + season_format.relegate > size:
                return because(
                    "group_moves",
                    "{n} players of a group of {size} would go up or down: too many",
                    n=season_format.promote + season_format.relegate,
                    size=size,
                )
    return _repeated_fault([division.name for division in season_format.divisions])


def _settings_fault(season_format: Format) -> WhyNot:
    if season_format.kind == "knockout" and not 1 <= season_format.advance_per_table < min(season_format.table_sizes):
        return because(
            "advance_per_table",
            "the number of players who advance is at least 1, and below the seats of the smallest table",
        )
    if season_format.lives not in (1, 2):
        return because("lives", "a player is out after 1 or 2 lost tables")
    if min(season_format.promote, season_format.relegate) < 0:
        return because("moves", "the number that goes up or down cannot be below 0")
    if wrong := period_fault(season_format.correction_days, season_format.appeal_hours):
        return wrong
    unknown = [mark for mark in season_format.counts if mark not in MARKS]
    return because("mark", "there is no mark “{mark}”", mark=unknown[0]) if unknown else None


def period_fault(correction_days: int, appeal_hours: int) -> WhyNot:
    """Return what is wrong with these periods, or None."""
    if min(correction_days, appeal_hours) >= 0 and max(correction_days, appeal_hours) <= PERIOD_LIMIT:
        return None
    return because("period", "the time for corrections or appeals is 0 to {limit}", limit=PERIOD_LIMIT)
