"""Standings of a season: places, figures, and the reason for each place.

They are computed only from results, byes and penalties. So the standings of an earlier date, or before a ruling, are the
same computation with the data known then. Each place has the reason for its rank above the next, as data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Literal

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, WhyNot, because
from daybook.domain.league.results import Mark, Result, marks_that_bear
from daybook.domain.league.seasons import Bye, Entrant, Format, MissedRound, Outcome, Penalty
from daybook.domain.league.tiebreaks import BY_CODE, Field, GamePoints, StandingTiebreak, Value, worth

DivisionMove = Literal["", "up", "down", "open"]  # open: players on both sides of the line share a place; draw a lot

NOT_COUNTED: Mapping[Mark, Reason] = {
    "practice": because("practice", "practice games do not count here"),
    "typed": because("typed", "results without a record do not count here"),
    "as_played": because("as_played", "games with illegal moves that stood do not count here"),
    "provisional": because("provisional", "a claim is open, and such games do not count here"),
    "against_rules": because(
        "against_rules", "the rules disagree with the record; it counts when an organiser has accepted it"
    ),
    "unapproved": because("unapproved", "it counts when an organiser has approved it"),
}


NO_HANDICAPS: Mapping[str, int] = {}


class Why(Frozen):
    """The reason for a player's place before the next one: tie-breaks that were equal, and the one that decided.

    decided: None if nothing did, and they share the place.
    """

    person: str
    other: str
    passed: tuple[Reason, ...]
    decided: Reason | None

    @property
    def reason(self) -> Reason:
        if self.decided is None:
            return because("shared", "{person} and {other} share the place", person=self.person, other=self.other)
        return because("before", "{person} comes before {other}", person=self.person, other=self.other)


class StandingRow(Frozen):
    """One person's line.

    columns: the value of each tie-break of the chain, None if it has no value or was not needed; lines: every game and
    every bye, including those that do not count; handicap: the points that it gave; why: the reason for the rank above
    the next row; the last has none.
    """

    person: str
    place: int
    points: Fraction
    columns: dict[str, Value]
    lines: tuple[GamePoints, ...]
    penalties: tuple[Penalty, ...]
    handicap: int
    withdrawn: bool
    move: DivisionMove
    why: Why | None

    @property
    def games_played(self) -> int:
        """The number of games that count."""
        return sum(line.result is not None and line.why_not is None for line in self.lines)

    @property
    def games_left_out(self) -> int:
        """The number of games that do not count because the rules disagree with their records."""
        return sum(line.why_not == NOT_COUNTED["against_rules"] for line in self.lines)


class GroupStandings(Frozen):
    """Competitors for the same places, the best first."""

    division: int
    group: int
    rows: tuple[StandingRow, ...]


class Standings(Frozen):
    """The standings of a season: one list for each group, the highest division first. chain: of tie-breaks."""

    chain: tuple[str, ...]
    groups: tuple[GroupStandings, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """All players, group by group."""
        return tuple(row.person for group in self.groups for row in group.rows)

    def row(self, person: str) -> StandingRow | None:
        return next((row for group in self.groups for row in group.rows if row.person == person), None)

    def moving(self, move: DivisionMove) -> tuple[str, ...]:
        """Return the players to be promoted or relegated if the season ended now."""
        return tuple(row.person for group in self.groups for row in group.rows if row.move == move)


class StandingChange(Frozen):
    """Change of a player's place or points by another result.

    A place is None where the player was not in the standings.
    """

    person: str
    place: tuple[int | None, int | None]
    points: tuple[Fraction, Fraction]


def compute_standings(
    season_format: Format,
    entrants: Sequence[Entrant],
    results: Sequence[Result],
    *,
    byes: Sequence[Bye] = (),
    missed: Sequence[MissedRound] = (),
    penalties: Sequence[Penalty] = (),
    handicaps: Mapping[str, int] = NO_HANDICAPS,
    withdrawn: Collection[str] = (),
    lots: Sequence[Sequence[str]] = (),
) -> Standings:
    """Compute the standings of a season from its results.

    handicaps: points for each game that counts, by person. results: those of the same time in the order in which they
    were written. lots: the orders that lots gave, the newest last. A bye and a missed round count as soon as a game of
    the round does, a forfeit at once.
    """
    in_time = sorted(results, key=lambda result: (result.round, result.at))
    in_time = [credit_substitutes(season_format, result) for result in in_time]
    judged = [(result, _void_reason(season_format, result, withdrawn)) for result in in_time]
    lines = _lines(season_format, entrants, judged, byes, missed, withdrawn)
    given = {
        person: handicaps.get(person, 0) * sum(line.result is not None and line.why_not is None for line in of_person)
        for person, of_person in lines.items()
    }
    points = {
        person: _total(of_person)
        + given[person]
        - sum(penalty.points for penalty in penalties if penalty.person == person)
        for person, of_person in lines.items()
    }
    groups = []
    for division, group in sorted({(entrant.division, entrant.group) for entrant in entrants}):
        people = tuple(entrant.person for entrant in entrants if (entrant.division, entrant.group) == (division, group))
        counted = {person: [line for line in of_person if line.why_not is None] for person, of_person in lines.items()}
        field = Field(
            season_format.points,
            people,
            counted,
            [result for result, why_not in judged if why_not is None],
            points,
            lots,
        )
        groups.append(
            GroupStandings(
                division, group, tuple(_rows(season_format, field, division, lines, penalties, given, set(withdrawn)))
            )
        )
    return Standings(season_format.tiebreaks, tuple(groups))


class TeamRow(Frozen):
    """A team of a season. people: its players, with their points. average: of a player; it decides the place."""

    name: str
    place: int
    people: tuple[tuple[str, Fraction], ...]
    total: Fraction
    average: Fraction


def rank_teams(standings: Standings, teams: Mapping[str, Sequence[str]]) -> list[TeamRow]:
    """Return the teams by the average points of their players; equal ones share the place.

    teams: players by team.
    """
    points = {row.person: row.points for group in standings.groups for row in group.rows}
    rows = []
    for name, people in teams.items():
        each = tuple((person, points[person]) for person in people if person in points)
        total = sum((of_person for _, of_person in each), Fraction(0))
        rows.append(TeamRow(name, 0, each, total, total / len(each) if each else Fraction(0)))
    return [
        msgspec.structs.replace(row, place=1 + sum(other.average > row.average for other in rows))
        for row in sorted(rows, key=lambda row: -row.average)
    ]


def standing_changes(before: Standings, after: Standings) -> list[StandingChange]:
    """Return the changes of place or points between two standings, in the order of the later one."""
    found = []
    for person in dict.fromkeys((*after.order, *before.order)):
        old, new = before.row(person), after.row(person)
        change = StandingChange(
            person,
            (old.place if old else None, new.place if new else None),
            (old.points if old else Fraction(0), new.points if new else Fraction(0)),
        )
        if change.place[0] != change.place[1] or change.points[0] != change.points[1]:
            found.append(change)
    return found


# --- results that count ----------------------------------------------------------------------------------------------

UNCREDITED_PREFIX = "~"  # of the ids of substitutes without a credited result


def credit_substitutes(season_format: Format, result: Result) -> Result:
    """Return a result in which each substitute is replaced by the recipient of the result, as the format says."""
    names = dict[str, str]()
    for seat in result.absences:
        if seat.is_substitute:
            credited = {
                "member": seat.person,
                "none": UNCREDITED_PREFIX + seat.replacement,
                "substitute": seat.replacement,
            }
            names[seat.replacement] = credited[season_format.substitute_result]
    if not names:
        return result
    return msgspec.structs.replace(
        result,
        placed=tuple(
            msgspec.structs.replace(player, person=names.get(player.person, player.person)) for player in result.placed
        ),
        written_scores={names.get(person, person): score for person, score in result.written_scores.items()},
    )


Judged = tuple[Result, Reason | None]  # a result, and the reason if it counts for no one


def _void_reason(season_format: Format, result: Result, withdrawn: Collection[str]) -> WhyNot:
    """Return why a result does not count for anyone, or None."""
    for mark in marks_that_bear(result):
        if mark != "walkover" and mark not in season_format.counts:
            return NOT_COUNTED[mark]
    if str(result.planned_seats) not in season_format.points.by_seats:
        return because("no_points", "say what the places at a table of {n} are worth", n=result.planned_seats)
    gone = [person for person in result.people if person in withdrawn]
    if gone and season_format.withdrawn == "void":
        return because("void", "{person} withdrew, and the games count for no one", person=gone[0])
    return None


def _lines(
    season_format: Format,
    entrants: Sequence[Entrant],
    judged: Sequence[Judged],
    byes: Iterable[Bye],
    missed: Iterable[MissedRound],
    withdrawn: Collection[str],
) -> dict[str, tuple[GamePoints, ...]]:
    """Return every game, bye and missed round of each player in order of time, including those that do not count."""
    lines: dict[str, list[GamePoints]] = {entrant.person: [] for entrant in entrants}
    begun = {(table.division, table.group, table.round) for table, why_not in judged if why_not is None}
    for result, why_not in judged:
        for placed in result.placed:
            if placed.person in lines:
                points = worth(result, placed, season_format.points) or Fraction(0)
                substitute = next((seat.replacement for seat in result.stand_ins if seat.person == placed.person), "")
                lines[placed.person].append(
                    GamePoints(result.round, points, result, placed, why_not, substitute=substitute)
                )
        for seat in result.absences:
            if seat.person in lines:
                outcome: Outcome = "forfeit" if seat.forfeit else "substituted"
                lines[seat.person].append(
                    _without_game(season_format, result.round, outcome, result.table or "", why_not)
                )
    groups = {entrant.person: (entrant.division, entrant.group) for entrant in entrants}
    for bye in byes:
        if bye.person in lines and (*groups[bye.person], bye.round) in begun:
            lines[bye.person].append(_without_game(season_format, bye.round, "bye"))
    was_late = set[str]()
    for miss in sorted(missed, key=lambda miss: miss.round):
        if miss.person in lines and (miss.outcome == "forfeit" or (*groups[miss.person], miss.round) in begun):
            line = _without_game(season_format, miss.round, miss.outcome, miss.table)
            if miss.outcome == "late_entry" and miss.person in was_late:
                line = msgspec.structs.replace(line, points=Fraction(0))
            was_late |= {miss.person} if miss.outcome == "late_entry" else set()
            lines[miss.person].append(line)
    return {
        person: tuple(_counting(season_format, person, sorted(of_person, key=lambda line: line.round), withdrawn))
        for person, of_person in lines.items()
    }


def _without_game(
    season_format: Format, round_number: int, outcome: Outcome, table: str = "", why_not: Reason | None = None
) -> GamePoints:
    points = Fraction(season_format.points.of_outcome(outcome))
    return GamePoints(round_number, points, why_not=why_not, outcome=outcome, table=table)


def _counting(
    season_format: Format, person: str, lines: Sequence[GamePoints], withdrawn: Collection[str]
) -> Sequence[GamePoints]:
    """Return the same lines, marked with what the format leaves out."""
    if season_format.withdrawn == "zero" and person in withdrawn:
        gone = because("zero", "{person} withdrew, and has no points", person=person)
        return [msgspec.structs.replace(line, why_not=line.why_not or gone) for line in lines]
    return lines if season_format.best is None else _best(lines, season_format.best)


def _best(lines: Sequence[GamePoints], n: int) -> list[GamePoints]:
    """Count only the best n results; of equal ones the earlier."""
    counting = sorted((at for at, line in enumerate(lines) if line.why_not is None), key=lambda at: -lines[at].points)
    left_out = {*counting[n:]}
    why = because("best", "only the best {n} results of each player count", n=n)
    return [msgspec.structs.replace(line, why_not=why) if at in left_out else line for at, line in enumerate(lines)]


def _total(lines: Iterable[GamePoints]) -> Fraction:
    """Return the sum of points of the games that count."""
    return sum((line.points for line in lines if line.why_not is None), Fraction(0))


# --- the order and its reasons ---------------------------------------------------------------------------------------


class _Standing(msgspec.Struct):
    """People in a shared place, with the values that led to it."""

    people: list[str]
    columns: dict[str, dict[str, Value]]  # code -> person -> value, as they were compared
    silent: frozenset[str] = frozenset()  # codes of the columns in which a person lacks a value


def _rows(
    season_format: Format,
    field: Field,
    division: int,
    lines: Mapping[str, tuple[GamePoints, ...]],
    penalties: Sequence[Penalty],
    given: Mapping[str, int],
    withdrawn: set[str],
) -> Iterator[StandingRow]:
    chain = [BY_CODE[code] for code in season_format.tiebreaks]
    shared = list(_split_tied(field, chain, _Standing(sorted(field.people), {})))
    general = {rule.code: rule.compute(field, field.people) for rule in chain if not rule.among}
    moves = _moves(season_format, division, [place.people for place in shared], withdrawn)
    order = [(place, person) for place in shared for person in place.people]
    place = 0
    for at, (standing, person) in enumerate(order):
        if at == 0 or order[at - 1][0] is not standing:
            place = at + 1
        yield StandingRow(
            person,
            place,
            field.points[person],
            {
                rule.code: (
                    standing.columns[rule.code] if rule.code in standing.columns else general.get(rule.code, {})
                ).get(person)
                for rule in chain
            },
            lines[person],
            tuple(penalty for penalty in penalties if penalty.person == person),
            given[person],
            person in withdrawn,
            moves[person],
            _place_reason(chain, standing, person, *order[at + 1]) if at + 1 < len(order) else None,
        )


def _split_tied(field: Field, chain: Sequence[StandingTiebreak], tied: _Standing) -> Iterator[_Standing]:
    """Split tied players by the rest of the tie-breaks, the best first."""
    if len(tied.people) == 1 or not chain:
        yield tied
        return
    rule, rest = chain[0], chain[1:]
    values = rule.compute(field, tied.people)
    found = {**tied.columns, rule.code: values}
    people_by_value = defaultdict[Value, list[str]](list)
    for person in tied.people:
        people_by_value[values[person]].append(person)
    if None in people_by_value:
        yield from _split_tied(field, rest, _Standing(tied.people, found, tied.silent | {rule.code}))
        return
    for _, people in sorted(people_by_value.items(), key=itemgetter(0), reverse=not rule.least):
        yield from _split_tied(field, rest, _Standing(people, found, tied.silent))


def _place_reason(
    chain: Sequence[StandingTiebreak], standing: _Standing, person: str, standing_behind: _Standing, behind: str
) -> Why:
    passed = []
    for rule in chain:
        if rule.code not in standing.columns:
            break
        values = standing.columns[rule.code]
        ours, theirs = values[person], values[behind]
        if ours is None or theirs is None or rule.code in standing.silent:
            passed.append(rule.silent)
        elif ours == theirs:
            passed.append(_fill_reason(rule.equal, ours=rule.label_of(ours)))
        else:
            own_label, other_label = rule.labels_apart(ours, theirs)
            return Why(person, behind, tuple(passed), _fill_reason(rule.better, ours=own_label, theirs=other_label))
    return Why(person, behind, tuple(passed), None)


def _fill_reason(reason: Reason, **figures: int | str) -> Reason:
    return msgspec.structs.replace(reason, figures=figures)


# --- going up and down -----------------------------------------------------------------------------------------------


def _moves(
    season_format: Format, division: int, shared: Sequence[Sequence[str]], withdrawn: set[str]
) -> dict[str, DivisionMove]:
    """Return which players of a group move up and down.

    A player who withdrew takes one of the places that move down, or another one moves up instead. In a group that
    is too small, moving up comes first.
    """
    last = len(season_format.divisions)
    stayed = [[person for person in people if person not in withdrawn] for people in shared]
    n = sum(len(people) for people in stayed)
    gone = sum(len(people) for people in shared) - n
    rising = min(season_format.promote, n) if 1 < division <= last else 0
    falling = min(season_format.relegate - gone, n - rising) if division < last else 0
    moves: dict[str, DivisionMove] = {person: "" for people in shared for person in people}
    _mark(moves, stayed, rising, "up")
    _mark(moves, stayed[::-1], falling, "down")
    return moves


def _mark(moves: dict[str, DivisionMove], shared: Sequence[Sequence[str]], n: int, move: DivisionMove) -> None:
    """Mark the next n people to move; a shared last place stays open."""
    for people in shared:
        if n <= 0:
            return
        for person in people:
            moves[person] = move if len(people) <= n else "open"
        n -= len(people)
