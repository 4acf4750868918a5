"""Standings computed a second time, in another way and without a line of the first: by a comparison of two people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from daybook.domain.league.results import Placed, Result

WORTH = {2: [10, 4], 3: [10, 5, 2], 4: [10, 6, 3, 1], 5: [10, 7, 4, 2, 1], 6: [10, 7, 5, 3, 2, 1]}


class Season:
    """The results that count, person by person, as plain lists."""

    def __init__(
        self,
        people: str,
        results: Sequence[Result],
        codes: Sequence[str],
        ties: str,
        best: int | None,
        taken: dict[str, int],
    ) -> None:
        self.people, self.codes, self.ties = sorted(people), codes, ties
        self.results = sorted(
            (result for result in results if not {"practice", "against_rules"} & {*result.marks}),
            key=lambda one: (one.round, one.at),  # of one time: in the order in which they were written
        )
        self.games: dict[str, list[tuple[Result, Placed]]] = {}
        for person in self.people:
            mine = [(item, placed) for item in self.results for placed in item.placed if placed.person == person]
            mine.sort(key=lambda game: self.worth(*game), reverse=True)
            self.games[person] = mine[:best]
        self.points = {
            person: sum((self.worth(*game) for game in self.games[person]), Fraction(-taken.get(person, 0)))
            for person in self.people
        }

    def slots(self, result: Result, own: Placed) -> list[int]:
        """Return the places that all newcomers used, counted along the table from the best."""
        along = sorted(placed.place for placed in result.placed)
        slots = [at for at, place in enumerate(along, 1) if place == own.place]
        return {"split": slots, "high": slots[:1], "low": slots[-1:]}[self.ties]

    def worth(self, result: Result, own: Placed) -> Fraction:
        if own.dropped:
            return Fraction(0)
        slots = self.slots(result, own)
        return Fraction(sum(WORTH[len(result.placed)][slot - 1] for slot in slots), len(slots))

    def value(self, code: str, person: str, tied: Sequence[str]) -> Fraction | None:
        games = self.games[person]
        stayed = [(result, mine) for result, mine in games if not mine.dropped]
        if code == "points":
            return self.points[person]
        if code in ("wins", "seconds", "thirds"):
            place = ["wins", "seconds", "thirds"].index(code) + 1
            slots = [self.slots(*game) for game in stayed]
            return sum((Fraction(of_game.count(place), len(of_game)) for of_game in slots), Fraction())
        if code == "games":
            return Fraction(len(games))
        if code == "highest":
            return max((Fraction(mine.score) for _, mine in stayed if mine.score is not None), default=None)
        if code == "share":
            return average(
                Fraction(0) if mine.dropped else Fraction(mine.score or 0, top)
                for result, mine in games
                if (top := max((o.score or 0 for o in result.placed if not o.dropped), default=0)) > 0
            )
        if code == "margin":
            return average(
                Fraction(mine.score - max(others))
                for result, mine in stayed
                if mine.score is not None
                and (
                    others := [
                        o.score for o in result.placed if o.person != person and not o.dropped and o.score is not None
                    ]
                )
            )
        met = [
            (self.points[o.person], (o.place > mine.place) + (o.place >= mine.place))
            for result, mine in games
            for o in result.placed
            if o.person != person
        ]
        if code == "opponents":
            return sum((points for points, _ in met), Fraction())
        if code == "average_opponents":
            return average(points for points, _ in met)
        if code == "opponents_strength":
            return average(value for result, _ in games if (value := self.strength(person, result)) is not None)
        if code == "sonneborn_berger":
            return sum((points * Fraction(halves, 2) for points, halves in met), Fraction())
        assert code == "direct"
        return self.direct(person, tied)

    def strength(self, person: str, result: Result) -> Fraction | None:
        if "walkover" in result.marks or all(o.dropped for o in result.placed):
            return self.beats(person, "")
        others = [self.beats(o.person, person) for o in result.placed if o.person != person]
        return average(other for other in others if other is not None)

    def beats(self, person: str, without: str) -> Fraction | None:
        """Compare in halves of a meeting: two for the lower place, one for a shared place."""
        return average(
            Fraction(
                sum((o.place > mine.place) + (o.place >= mine.place) for o in result.placed if o is not mine),
                2 * (len(result.placed) - 1),
            )
            for result, mine in self.games[person]
            if without not in [o.person for o in result.placed]
            and not all(o.dropped for o in result.placed)
            and "walkover" not in result.marks
        )

    def direct(self, person: str, tied: Sequence[str]) -> Fraction | None:
        total = Fraction()
        for value in tied:
            for other in tied:
                if value != other:
                    ends = [
                        (found[value], found[other])
                        for result in self.results
                        if {value, other} <= (found := {p.person: p.place for p in result.placed}).keys()
                    ]
                    if not ends:
                        return None
                    if value == person:
                        total += sum((Fraction((a < b) * 2 + (a == b), 2) for a, b in ends), Fraction()) / len(ends)
        return total

    def order(self) -> list[tuple[int, str]]:
        """(place, person), the first first: groups of equals, taken apart by one rule after the other."""
        groups = [self.people]
        for code in self.codes:
            groups = [part for group in groups for part in self.apart(code, group)]
        places, used = [], 1
        for group in groups:
            places += [(used, person) for person in group]
            used += len(group)
        return places

    def apart(self, code: str, group: list[str]) -> list[list[str]]:
        values = {person: self.value(code, person, group) for person in group}
        if None in values.values():
            return [group]
        distinct = sorted({value for value in values.values() if value is not None}, reverse=True)
        return [[person for person in group if values[person] == value] for value in distinct]


def average(values: Iterable[Fraction]) -> Fraction | None:
    given = list(values)
    return sum(given, Fraction()) / len(given) if given else None
