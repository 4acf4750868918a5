"""Results of a table: places and scores, recorded or typed in.

A person is an id; names stand elsewhere. Places are shared by ties and a shared place uses up places: 1, 1, 3, 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.terms import WhyNot, because, by_number
from daybook.domain.league.scores import Score, read_score

Mark = Literal["practice", "typed", "as_played", "provisional", "against_rules", "walkover", "unapproved"]
# practice: simulated; typed: no record stands behind it; as_played: illegal moves stood; provisional: a claim is open;
# against_rules: the record, or a part of it, was brought from outside, and the rules disagree with it;
# walkover: not played; it counts in standings, as typed results do, and for nothing that says how people play;
# unapproved: a member logged it, and it waits for an organiser; it counts for nothing until then
MARKS: tuple[Mark, ...] = ("practice", "typed", "as_played", "provisional", "against_rules")  # a season chooses of them
COUNTED_MARKS: tuple[Mark, ...] = ("typed", "as_played", "provisional")  # every play counts unless it has another mark

Uncounted = Literal["ignored", "nowinstats", "incomplete"]  # the words of BG Stats and BoardGameGeek

SEATS_LIMIT = 8  # at a table of a schedule
PLAYERS_LIMIT = 40  # of one game, whatever it is
MINUTES_LIMIT = 100_000
EXPANSIONS_LIMIT = 40
SCORE_LIMIT = 1_000_000  # points, above 0 or below


class Placed(Exact, gc=False):
    """The place of one player.

    seat: from 0; None if unknown. score: None if only places are known. dropped: left before the end, and is placed
    behind all who stayed.
    """

    person: str
    seat: int | None
    place: int
    score: Score | None = None
    dropped: bool = False


class PlayDetails(Exact, omit_defaults=True, gc=False):
    """Details of a play. People are named by id.

    Args:
        place: where it was.
        minutes: 0 if unknown.
        variant: or scenario.
        start_player: the first player.
        new: people with their first play of the game.
        roles, teams, colours: of people.
        scores: as written, if not whole numbers.
        cooperative: they played against the game, and won or lost as one.
        lowest_wins: the lowest score wins.
        no_scores: the game has no points.
        tie_settled: the players agreed on the winner of a tie.
        uncounted: why it gives no one a win or a rating.
        automas: ids of anonymous players that the rules played.
        bgg: the game's number on BoardGameGeek, 0 if unknown.
        hour: when it began, by the clock at the table: 19:30.
    """

    place: str = ""
    minutes: int = 0
    expansions: tuple[str, ...] = ()
    variant: str = ""
    comments: str = ""
    start_player: str = ""
    new: tuple[str, ...] = ()
    roles: dict[str, str] = {}
    teams: dict[str, str] = {}
    scores: dict[str, str] = {}
    cooperative: bool = False
    lowest_wins: bool = False
    no_scores: bool = False
    tie_settled: bool = False
    uncounted: tuple[Uncounted, ...] = ()
    automas: tuple[str, ...] = ()
    bgg: int = 0
    hour: str = ""
    colours: dict[str, str] = {}

    def score_of(self, player: Placed) -> Score | None:
        """Return a player's score as a number: a record holds points, and other scores as they were written."""
        return read_score(self.scores.get(player.person, "")) if player.score is None else player.score

    def among(self, placed: Sequence[Placed]) -> PlayDetails:
        """Return the details that still hold for corrected places."""
        people = {player.person: player.score for player in placed}
        return msgspec.structs.replace(
            self,
            start_player=self.start_player if self.start_player in people else "",
            new=tuple(person for person in self.new if person in people),
            roles={person: role for person, role in self.roles.items() if person in people},
            teams={person: team for person, team in self.teams.items() if person in people},
            scores={
                person: text
                for person, text in self.scores.items()
                if person in people and people[person] in (None, read_score(text))
            },
            automas=tuple(person for person in self.automas if person in people),
            colours={person: colour for person, colour in self.colours.items() if person in people},
        )


NO_DETAILS = PlayDetails()


class StandIn(Exact, gc=False):
    """A replaced or empty seat of a table.

    person: the player who has the seat. replacement: the substitute, or the anonymous player for whom the rules play;
    empty: no one. forfeit: the player did not come.
    """

    person: str
    replacement: str = ""
    forfeit: bool = False

    @property
    def is_substitute(self) -> bool:
        return bool(self.replacement) and not self.forfeit


class Result(Exact):
    """Result of a game in a season, or outside the seasons.

    id: in its club. table: its planned table. at: when it ended, UTC, or an hour of the day of play if the record
    has one. game: its record. accepted: an organiser lets it count although the rules disagree with the record.
    lowest_wins: the lowest score wins. cooperative: they won or lost as one. counted: it gives wins and ratings.
    automas: ids of players for whom the rules played. written_scores: scores that its record holds only as they were written, by person.
    stand_ins: seats whose players did not play; `placed` has the people who played.
    """

    id: str
    ruleset: str
    at: str
    placed: tuple[Placed, ...]
    source: Literal["record", "typed"] = "record"
    season: str | None = None
    table: str | None = None
    division: int = 1
    group: int = 1
    round: int = 0  # counted from 1; 0: none was planned
    game: str | None = None
    marks: tuple[Mark, ...] = ()
    accepted: bool = False
    lowest_wins: bool = False
    cooperative: bool = False
    counted: bool = True
    automas: tuple[str, ...] = ()
    written_scores: dict[str, Score] = {}
    stand_ins: tuple[StandIn, ...] = ()

    def score_of(self, player: Placed) -> Score | None:
        return self.written_scores.get(player.person, player.score)

    @property
    def seats(self) -> int:
        return len(self.placed)

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(player.person for player in self.placed)

    @property
    def absences(self) -> tuple[StandIn, ...]:
        """The replaced and empty seats, without those of players with a place in the result."""
        people = self.people
        return tuple(seat for seat in self.stand_ins if seat.person not in people)

    @property
    def planned_seats(self) -> int:
        """The number of seats, including those of absent players."""
        return self.seats + sum(not seat.replacement for seat in self.absences)

    def member_of(self, person: str) -> str:
        """Return the member that a substitute replaced; empty: the person was not a substitute."""
        return next((seat.person for seat in self.absences if seat.is_substitute and seat.replacement == person), "")

    @property
    def was_played(self) -> bool:
        """If a player stayed to the end."""
        return "walkover" not in self.marks and any(not player.dropped for player in self.placed)

    def of(self, person: str) -> Placed | None:
        return next((player for player in self.placed if player.person == person), None)


def by_score(scored: Sequence[tuple[Score | None, bool]], lowest_wins: bool = False) -> list[int]:
    """Return places by score; dropped-out players share the last one.

    scored: each score, and if the player dropped out.
    """
    sign = 1 if lowest_wins else -1
    order = [(dropped, 0 if dropped else sign * (score or 0)) for score, dropped in scored]
    return [1 + sum(other < score for other in order) for score in order]


def follow_scores(result: Result) -> bool:
    """Check if the places of a result follow from its scores."""
    scored = [(result.score_of(player), player.dropped) for player in result.placed]
    places = [player.place for player in result.placed]
    return all(score is not None or dropped for score, dropped in scored) and places == by_score(
        scored, result.lowest_wins
    )


def contradiction(result: Result) -> WhyNot:
    """Return a refusal if a player is placed behind one with a worse score (rare: debtors may be last), or None."""
    scored = [
        (player, score)
        for player in result.placed
        if (score := result.score_of(player)) is not None and not player.dropped
    ]
    for higher, points in sorted(scored, key=lambda each: each[0].place):
        for other, fewer in scored:
            is_ahead = points < fewer if result.lowest_wins else points > fewer
            if is_ahead and higher.place > other.place:
                return because(
                    "against_scores",
                    "{person} has {points} points and place {place}, and {other} with {fewer} points"
                    " has place {better}",
                    person=higher.person,
                    points=_figure(points),
                    place=higher.place,
                    other=other.person,
                    fewer=_figure(fewer),
                    better=other.place,
                )
    return None


def _figure(score: Score) -> int | str:
    return score if isinstance(score, int) else str(score)


def result_counts(result: Result, marks: Collection[Mark]) -> bool:
    """Check if a result counts where games with these marks count."""
    return not {*marks_that_bear(result)} - {*marks}


def marks_that_bear(result: Result) -> Iterator[Mark]:
    """Return the marks that decide if a result counts. Those that an organiser accepted are left out."""
    return (mark for mark in result.marks if not (mark == "against_rules" and result.accepted))


def places_fault(placed: Sequence[Placed], max_seats: int = SEATS_LIMIT, lost: bool = False) -> WhyNot:
    """Return what is wrong with places, or None.

    max_seats: the largest number of players. lost: a game that all lost is allowed; then all are second.
    """
    if not 1 <= len(placed) <= max_seats:
        return because("seats", "a table has 1 to {most} seats, not {n}", most=max_seats, n=len(placed))
    if lost and all(player.place == 2 for player in placed):
        return _twice_fault(placed) or _no_score_fault(placed)
    return (
        _twice_fault(placed) or _unlike_places_fault(placed) or _dropped_ahead_fault(placed) or _no_score_fault(placed)
    )


def _twice_fault(placed: Sequence[Placed]) -> WhyNot:
    for person, n in Counter(player.person for player in placed).items():
        if n > 1:
            return because("person_twice", "{person} is in the result {n} times", person=person, n=n)
    seats = [player.seat for player in placed if player.seat is not None]
    for seat, n in Counter(seats).items():
        if n > 1:
            return because("seat_twice", "seat {number} is taken {n} times", number=seat + 1, n=n)
        if not 0 <= seat < len(placed):
            return because(
                "no_such_seat", "there is no seat {number} at a table of {n}", number=seat + 1, n=len(placed)
            )
    return None


def _unlike_places_fault(placed: Sequence[Placed]) -> WhyNot:
    """Refuse places that do not match the number of players before them."""
    for player in placed:
        before = sum(other.place < player.place for other in placed)
        if player.place != before + 1:
            return because(
                "place",
                by_number(
                    "n",
                    "{person} has place {place}, but {n} player is placed better: that makes place {right}",
                    "{person} has place {place}, but {n} players are placed better: that makes place {right}",
                ),
                person=player.person,
                place=player.place,
                n=before,
                right=before + 1,
            )
    return None


def _dropped_ahead_fault(placed: Sequence[Placed]) -> WhyNot:
    last = max((player.place for player in placed if not player.dropped), default=0)
    for player in placed:
        if player.dropped and player.place <= last:
            return because(
                "dropped_ahead", "{person} dropped out, and is placed after everyone who stayed", person=player.person
            )
    return None


def _no_score_fault(placed: Sequence[Placed]) -> WhyNot:
    for player in placed:
        if player.score is not None and abs(player.score) > SCORE_LIMIT:
            return because(
                "score", "the points of {person} are from -{limit} to {limit}", person=player.person, limit=SCORE_LIMIT
            )
    return None
