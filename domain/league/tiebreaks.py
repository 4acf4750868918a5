"""Tie-breaks: named rules that decide places in the standings, each with its source and its own column.

A tie-break gives each player a value, or None if it does not apply to the player. It decides between tied players only
if all of them have a value. Values are compared exactly, even if pages show rounded ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.league.results import PLAYERS_LIMIT, Placed, Result
from daybook.domain.league.scores import exact_score
from daybook.domain.league.seasons import Outcome, Points

HALF = Fraction(1, 2)
MEEPLE = "Meeple League, Online Leagues Rules: Scoring"
FIDE = "FIDE Handbook C.07, Tie-Break Regulations (August 2024)"
WBC = "World Boardgaming Championships: heats, most wins"

Value = Fraction | None
Column = dict[str, Value]


class GamePoints(Frozen):
    """One game of a person, or a round without one, and the points it brings.

    result, placed: None without a game. why_not: the reason why it does not count; None: it counts. outcome: of a round
    without a game. table: the table of an absent player. substitute: the person who played for the player.
    """

    round: int
    points: Fraction
    result: Result | None = None
    placed: Placed | None = None
    why_not: Reason | None = None
    outcome: Outcome | None = None
    table: str = ""
    substitute: str = ""


class Field(Frozen):
    """Players to compare, with the results that count.

    lines: what counts for each. results: all that count for anyone. points: of each, with byes and penalties. lots:
    the orders that lots gave, the newest last.
    """

    worth: Points
    people: tuple[str, ...]
    lines: Mapping[str, Sequence[GamePoints]]
    results: Sequence[Result]
    points: Mapping[str, Fraction]
    lots: Sequence[Sequence[str]] = ()

    def games(self, person: str) -> Iterator[tuple[Result, Placed]]:
        for line in self.lines[person]:
            if line.result is not None and line.placed is not None:
                yield line.result, line.placed


Compute = Callable[[Field, Sequence[str]], Column]  # (field, players who are still tied)


class StandingTiebreak(Frozen):
    """Tie-break: a rule to separate players with equal standing so far.

    says: what its column holds; equal, better: the words for a place, with the figures `ours` and `theirs`; silent: why
    it says nothing; least: the lowest value is the best; percent: values are shares; shared: they add up parts of
    shared places, and are read as fractions; among: values hold only among those who were tied when it was asked.
    """

    code: str
    name: Reason
    says: Reason
    source: str
    compute: Compute
    equal: Reason
    better: Reason
    silent: Reason
    least: bool = False
    percent: bool = False
    shared: bool = False
    among: bool = False

    def label_of(self, value: Fraction) -> int | str:
        return mixed_number(value) if self.shared else figure(value, 1 if self.percent else 2, self.percent)

    def labels_apart(self, first: Fraction, second: Fraction) -> tuple[int | str, int | str]:
        """Format two values so that their difference is visible."""
        if self.shared and mixed_number(first) != mixed_number(second):
            return mixed_number(first), mixed_number(second)
        return figures_apart(first, second, self.percent)


# --- places and points -----------------------------------------------------------------------------------------------


def places(result: Result, placed: Placed, points: Points) -> dict[int, Fraction]:
    """Return a player's places at a table as fractions: a shared first is half a first and half a second."""
    shared = sum(other.place == placed.place for other in result.placed)
    used = range(placed.place, placed.place + shared)
    if points.ties == "high":
        return {used[0]: Fraction(1)}
    if points.ties == "low":
        return {used[-1]: Fraction(1)}
    return dict.fromkeys(used, Fraction(1, shared))


def worth(result: Result, placed: Placed, points: Points) -> Fraction | None:
    """Return the points of a place; None if the format has none for tables of this size.

    A table counts with its planned seats: absent players take its last places. A place beyond the table's seats has 0
    points: the last place of players who lost together.
    """
    of_places = points.by_seats.get(str(result.planned_seats))
    if of_places is None:
        return None
    if placed.dropped:
        return Fraction(points.drop)
    shared = places(result, placed, points).items()
    return sum(
        (part * of_places[place - 1] for place, part in shared if 1 <= place <= result.planned_seats), Fraction(0)
    )


def _places(field: Field, person: str, place: int) -> Fraction:
    """Count how often a person had a place; shared places count in parts."""
    return sum(
        (
            places(result, placed, field.worth).get(place, Fraction(0))
            for result, placed in field.games(person)
            if not placed.dropped
        ),
        Fraction(0),
    )


def mean(values: Iterable[Fraction]) -> Value:
    given = list(values)
    return sum(given, Fraction(0)) / len(given) if given else None


# --- computations ----------------------------------------------------------------------------------------------------


def points(field: Field, tied: Sequence[str]) -> Column:
    return {person: field.points[person] for person in tied}


def wins(field: Field, tied: Sequence[str]) -> Column:
    return {person: _places(field, person, 1) for person in tied}


def seconds(field: Field, tied: Sequence[str]) -> Column:
    return {person: _places(field, person, 2) for person in tied}


def thirds(field: Field, tied: Sequence[str]) -> Column:
    return {person: _places(field, person, 3) for person in tied}


def games(field: Field, tied: Sequence[str]) -> Column:
    return {person: Fraction(sum(1 for _ in field.games(person))) for person in tied}


def highest(field: Field, tied: Sequence[str]) -> Column:
    """Return each person's highest score in a game."""
    scores = {
        person: [
            exact_score(score)
            for result, placed in field.games(person)
            if (score := result.score_of(placed)) is not None and not placed.dropped
        ]
        for person in tied
    }
    return {person: max(given) if given else None for person, given in scores.items()}


def share(field: Field, tied: Sequence[str]) -> Column:
    """Return each person's average share of a table's points."""
    return {person: mean(_shares(field, person)) for person in tied}


def _shares(field: Field, person: str) -> Iterator[Fraction]:
    """Return the share of the winner's score in each game, if the winner has a score above 0."""
    for result, placed in field.games(person):
        best = max(_scores(result), default=Fraction(0))
        if best <= 0:
            continue
        if placed.dropped:
            yield Fraction(0)
        elif (score := result.score_of(placed)) is not None:
            yield max(exact_score(score), Fraction(0)) / best


def mean_lead(field: Field, tied: Sequence[str]) -> Column:
    """Return each player's average lead over the best other score."""
    return {person: mean(_leads(field, person)) for person in tied}


def _leads(field: Field, person: str) -> Iterator[Fraction]:
    """Yield the lead over the best other score in each game; negative if behind."""
    for result, placed in field.games(person):
        others = list(_scores(result, but=person))
        if others and (score := result.score_of(placed)) is not None and not placed.dropped:
            yield exact_score(score) - max(others)


def _scores(result: Result, but: str = "") -> Iterator[Fraction]:
    """Return the scores of games that the player stayed in to the end."""
    return (
        exact_score(score)
        for player in result.placed
        if (score := result.score_of(player)) is not None and not player.dropped and player.person != but
    )


def direct(field: Field, tied: Sequence[str]) -> Column:
    """Only where every two of them have met: for each pair how often one came before the other, a tie being half."""
    before: dict[str, Fraction] = dict.fromkeys(tied, Fraction(0))
    for first, other in combinations(tied, 2):
        met = [
            _ahead(ours, theirs)
            for result in field.results
            if (ours := result.of(first)) is not None and (theirs := result.of(other)) is not None
        ]
        average = mean(met)
        if average is None:
            return dict.fromkeys(tied)
        before[first] += average
        before[other] += 1 - average
    return dict(before)


def _ahead(first: Placed, second: Placed) -> Fraction:
    """Return 1 if the first player came before the second, half for a shared place, else 0."""
    return HALF if first.place == second.place else Fraction(first.place < second.place)


def opponents(field: Field, tied: Sequence[str]) -> Column:
    """Return the sum of the points of each person's opponents."""
    return {person: sum(_opponents(field, person), Fraction(0)) for person in tied}


def average_opponents(field: Field, tied: Sequence[str]) -> Column:
    """Return the average points of each person's opponents."""
    return {person: mean(_opponents(field, person)) for person in tied}


def opponents_strength(field: Field, tied: Sequence[str]) -> Column:
    return {person: mean(_strength_by_round(field, person)) for person in tied}


def _strength_by_round(field: Field, person: str) -> Iterator[Fraction]:
    """Return the average strength of the opponents of each game; a round without a game counts the player."""
    own = _came_before(field, person)
    for line in field.lines[person]:
        found = (
            [own]
            if line.result is None or not line.result.was_played
            else [
                _came_before(field, rival, but=person)
                for rival in line.result.people
                if rival != person and rival in field.lines
            ]
        )
        known = mean(value for value in found if value is not None)
        if known is not None:
            yield known


def _came_before(field: Field, person: str, but: str = "") -> Value:
    """Return the average share of opponents that a player beat, without games with `but`.

    At tables of any size it is one half on average.
    """
    return mean(
        sum((_ahead(placed, other) for other in result.placed if other.person != person), Fraction(0))
        / (result.seats - 1)
        for result, placed in field.games(person)
        if result.was_played and result.seats > 1 and but not in result.people
    )


def _opponents(field: Field, person: str) -> Iterator[Fraction]:
    """Return the points of each opponent, once for every meeting."""
    return (
        field.points[player.person]
        for result, _ in field.games(person)
        for player in result.placed
        if player.person != person and player.person in field.points
    )


def sonneborn_berger(field: Field, tied: Sequence[str]) -> Column:
    return {
        person: sum(
            (
                field.points[player.person] * _ahead(placed, player)
                for result, placed in field.games(person)
                for player in result.placed
                if player.person != person and player.person in field.points
            ),
            Fraction(0),
        )
        for person in tied
    }


def count_rounds_survived(field: Field, tied: Sequence[str]) -> Column:
    """Return the last round in which each player had a table or a bye."""
    return {
        person: Fraction(max((line.round for line in field.lines[person] if line.outcome != "withdrawn"), default=0))
        for person in tied
    }


def place_at_last_table(field: Field, tied: Sequence[str]) -> Column:
    """Return each player's place at their last table. An absent player is placed after everyone."""
    return {person: _place_of_line(field.lines[person][-1]) if field.lines[person] else None for person in tied}


def _place_of_line(line: GamePoints) -> Fraction:
    if line.placed is not None:
        return Fraction(line.placed.place)
    return Fraction(0 if line.outcome == "bye" else PLAYERS_LIMIT + 1)


def lot(field: Field, tied: Sequence[str]) -> Column:
    """Return each player's place in the newest lot that all of them were in."""
    for drawn in reversed(field.lots):
        if set(tied) <= set(drawn):
            order = [person for person in drawn if person in set(tied)]
            return {person: Fraction(order.index(person) + 1) for person in tied}
    return dict.fromkeys(tied)


# --- the rules -------------------------------------------------------------------------------------------------------

NO_SCORES = because("no_scores", "the scores of some of them are not known")
NO_GAMES = because("no_games", "some of them have not played")

ALL = (
    StandingTiebreak(
        "points",
        because("points", "Points"),
        because("points", "The points of all places that count, with byes, less penalties."),
        MEEPLE,
        points,
        because("points", "equal points: {ours}"),
        because("points", "more points: {ours} to {theirs}"),
        NO_GAMES,
        shared=True,
    ),
    StandingTiebreak(
        "wins",
        because("wins", "Wins"),
        because("wins", "How often a player came first; a shared place counts in part, as its points do."),
        f"{MEEPLE}; {WBC}; {FIDE}, 7.2",
        wins,
        because("wins", "equal wins: {ours}"),
        because("wins", "more wins: {ours} to {theirs}"),
        NO_GAMES,
        shared=True,
    ),
    StandingTiebreak(
        "seconds",
        because("seconds", "Second places"),
        because("seconds", "How often a player came second."),
        f"{MEEPLE}; {WBC}",
        seconds,
        because("seconds", "equal second places: {ours}"),
        because("seconds", "more second places: {ours} to {theirs}"),
        NO_GAMES,
        shared=True,
    ),
    StandingTiebreak(
        "thirds",
        because("thirds", "Third places"),
        because("thirds", "How often a player came third."),
        MEEPLE,
        thirds,
        because("thirds", "equal third places: {ours}"),
        because("thirds", "more third places: {ours} to {theirs}"),
        NO_GAMES,
        shared=True,
    ),
    StandingTiebreak(
        "share",
        because("share", "Share of the winner's score"),
        because("share", "The score as a share of the winner's, on average over all games."),
        MEEPLE,
        share,
        because("share", "equal share of the winner's score: {ours}"),
        because("share", "a greater share of the winner's score: {ours} to {theirs}"),
        NO_SCORES,
        percent=True,
    ),
    StandingTiebreak(
        "margin",
        because("margin", "Margin"),
        because("margin", "How far a player’s score is ahead of the best other score, or behind it, on average."),
        MEEPLE,
        mean_lead,
        because("margin", "equal margin: {ours}"),
        because("margin", "a better margin: {ours} to {theirs}"),
        NO_SCORES,
    ),
    StandingTiebreak(
        "direct",
        because("direct", "Head to head"),
        because(
            "direct",
            "How often a player came before the tied players, on average over the games of each pair; a tie is half. It counts only if all of them have met.",
        ),
        f"{FIDE}, 6",
        direct,
        because("direct", "equal head to head: {ours}"),
        because("direct", "better head to head: {ours} to {theirs}"),
        because("not_met", "not all who are tied have met"),
        among=True,
    ),
    StandingTiebreak(
        "opponents",
        because("opponents", "Opponents' points"),
        because("opponents", "The points of all opponents added up, once for every meeting (Buchholz)."),
        f"{FIDE}, 8.1",
        opponents,
        because("opponents", "equal points of the opponents: {ours}"),
        because("opponents", "stronger opponents, by their points: {ours} to {theirs}"),
        NO_GAMES,
    ),
    StandingTiebreak(
        "average_opponents",
        because("average_opponents", "Opponents' points on average"),
        because("average_opponents", "The points of the opponents on average, so that big tables are no advantage."),
        f"{FIDE}, 8.1; Board Game Arena, Swiss tournaments",
        average_opponents,
        because("average_opponents", "equal points of the opponents on average: {ours}"),
        because("average_opponents", "stronger opponents, by their points on average: {ours} to {theirs}"),
        NO_GAMES,
    ),
    StandingTiebreak(
        "opponents_strength",
        because("opponents_strength", "Opponents' strength"),
        because(
            "opponents_strength",
            "The share of other players that the opponents beat at their tables, in games without this player: "
            "the average of each round, then of all rounds. A bye or a walkover counts as a round against an "
            "equally strong player, as the dummy opponent of the source. Neither big "
            "tables nor byes are an advantage.",
        ),
        f"{FIDE}, 8.1 and 16 (unplayed rounds)",
        opponents_strength,
        because("opponents_strength", "equal strength of the opponents: {ours}"),
        because("opponents_strength", "stronger opponents: {ours} to {theirs}"),
        because("met_nobody_else", "the opponents of some of them have met no one else"),
        percent=True,
    ),
    StandingTiebreak(
        "sonneborn_berger",
        because("sonneborn_berger", "Sonneborn-Berger"),
        because(
            "sonneborn_berger",
            "The points of all opponents a player came before, and half the points of those the player tied with.",
        ),
        f"{FIDE}, 9.1",
        sonneborn_berger,
        because("sonneborn_berger", "equal points of beaten opponents: {ours}"),
        because("sonneborn_berger", "more points of beaten opponents: {ours} to {theirs}"),
        NO_GAMES,
    ),
    StandingTiebreak(
        "games",
        because("games", "Games"),
        because("games", "How many games of a player count."),
        "Daybook",
        games,
        because("games", "equally many games: {ours}"),
        because("games", "more games: {ours} to {theirs}"),
        NO_GAMES,
    ),
    StandingTiebreak(
        "highest",
        because("highest", "Highest score"),
        because("highest", "The highest score in one game."),
        WBC,
        highest,
        because("highest", "equal highest score: {ours}"),
        because("highest", "a higher best score: {ours} to {theirs}"),
        NO_SCORES,
    ),
    StandingTiebreak(
        "rounds_survived",
        because("rounds_survived", "Rounds survived"),
        because("rounds_survived", "The last round in which a player had a table or a bye."),
        "Daybook",
        count_rounds_survived,
        because("rounds_survived", "out in the same round: {ours}"),
        because("rounds_survived", "stayed in longer: round {ours} to {theirs}"),
        NO_GAMES,
    ),
    StandingTiebreak(
        "last_table_place",
        because("last_table_place", "Last table"),
        because("last_table_place", "The place at a player’s last table."),
        "Daybook",
        place_at_last_table,
        because("last_table_place", "equal place at the last table: {ours}"),
        because("last_table_place", "a better place at the last table: {ours} to {theirs}"),
        NO_GAMES,
        least=True,
    ),
    StandingTiebreak(
        "lot",
        because("lot", "Lot"),
        because("lot", "The place drawn by lot among the tied players."),
        WBC,
        lot,
        because("lot", "drawn at the same place: {ours}"),
        because("lot", "drawn earlier in the lot: {ours} before {theirs}"),
        because("no_lot", "no lot has been drawn among them"),
        least=True,
        among=True,
    ),
)
BY_CODE: Mapping[str, StandingTiebreak] = {tiebreak.code: tiebreak for tiebreak in ALL}


# --- figures ---------------------------------------------------------------------------------------------------------


def figure(value: Fraction, digits: int = 2, percent: bool = False) -> int | str:
    """Format a value: whole numbers as they are, others with a few digits behind the point."""
    amount = value * 100 if percent else value
    if not percent and amount.denominator == 1:
        return int(amount)
    number = f"{round(amount * 10**digits)}"
    sign, number = ("-", number[1:]) if number.startswith("-") else ("", number)
    number = number.rjust(digits + 1, "0")
    behind = number[-digits:].rstrip("0")
    return f"{sign}{number[:-digits]}{'.' if behind else ''}{behind}{'%' if percent else ''}"


PARTS = {
    Fraction(numerator, parts): sign
    for parts, signs in ((2, "½"), (3, "⅓⅔"), (4, "¼ ¾"), (5, "⅕⅖⅗⅘"), (6, "⅙   ⅚"))
    for numerator, sign in enumerate(signs, 1)
    if sign != " "
}


def mixed_number(value: Fraction) -> int | str:
    """Format a sum of shared places: ½, 2½, 6⅓; as `figure` if there is no such character."""
    whole, part = divmod(abs(value), 1)
    if part not in PARTS:
        return figure(value)
    return f"{'-' if value < 0 else ''}{whole or ''}{PARTS[part]}"


def figures_apart(first: Fraction, second: Fraction, percent: bool = False) -> tuple[int | str, int | str]:
    """Format two values with as many digits as are needed to show their difference."""
    for digits in range(1 if percent else 2, 9):
        if first == second or figure(first, digits, percent) != figure(second, digits, percent):
            return figure(first, digits, percent), figure(second, digits, percent)
    return str(first), str(second)
