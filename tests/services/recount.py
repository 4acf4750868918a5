"""A second computation of statistics: straight from the lines of the records, as JSON, sharing no code with the first.

Slow and plain: every figure is a loop over all games.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from uuid import UUID

from daybook.services.store.daybook import Daybook

Counted = dict[tuple[Any, ...], int]

FEW = 5  # games; a rate of fewer is hidden


@dataclass
class Told:
    """A closed game as its lines tell it."""

    id: str
    opening: dict[str, Any]
    standing: list[dict[str, Any]]  # events of the line of play that stands
    closed: dict[str, Any]
    claims: int
    as_played: int
    people: tuple[str, ...] = ()  # who sits where, of a game that a file opened

    @property
    def seats(self) -> int:
        return len(self.closed["totals"])

    def person(self, seat: int) -> str:
        return self.people[seat] if self.people else str(self.opening["seats"][seat]["person"])

    def win_share(self, seat: int) -> Fraction:
        ranks = self.closed["ranks"]
        return Fraction(1, ranks.count(1)) if ranks[seat] == 1 else Fraction(0)

    def effects(self, tag: str) -> Iterable[tuple[dict[str, Any], dict[str, int]]]:
        """Effects of a kind, each with the marks as they were before its step."""
        before: dict[str, int] = {}
        for event in self.standing:
            for effect in event.get("effects", ()):
                if effect["type"] == tag:
                    yield effect, before
            before = event["marks"]


def key_of(opening: dict[str, Any]) -> str:
    """The game that was played: where each sheet is one of its own, with its name."""
    name = opening["sheet"]["values"].get("game.name", "")
    return f":{name}" if name else opening["ruleset"]


@dataclass
class Books:
    games: list[Told] = field(default_factory=list)

    def of(self, ruleset: str, alone: bool = False) -> list[Told]:
        return [
            game
            for game in self.games
            if (not ruleset or key_of(game.opening) == ruleset) and (game.seats > 1 or alone)
        ]


def read(book: Daybook) -> Books:
    books = Books()
    for id in book.log.game_ids():
        game = games_told(whole([json.loads(line) for line in book.log.lines(id)]))
        if game is not None:
            game.people = book.kept.people_of_imports([id]).get(id, ())
            books.games.append(game)
    books.games.sort(key=lambda game: (game.opening["at"], game.id.replace("-", "")))
    return books


def whole(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lines of either format, each with all that those before it say."""
    said: dict[str, Any] = {"columns": {}, "marks": {}, "by": ""}
    found = []
    for line in lines:
        for part in ("columns", "marks"):
            known = {} if lines[0]["format"] == 1 and part in line else said[part]
            said[part] = {name: value for name, value in (known | line.get(part, {})).items() if value is not None}
        said["by"] = line.get("by", said["by"])
        found.append({"type": "decision_recorded", **line, **said})
    return found


def games_told(events: list[dict[str, Any]]) -> Told | None:
    standing: list[dict[str, Any]] = []
    after: list[list[dict[str, Any]]] = []  # the standing line after each step
    closed, claims, as_played = None, set[int](), 0
    for event in events:
        match event["type"]:
            case "game_closed":
                closed = event
            case "game_reopened" | "game_abandoned":
                closed = None
            case "decisions_taken_back":
                standing = list(after[event["to_step"]])
            case "game_opened" | "decision_recorded" | "decision_as_played" | "board_adjusted":
                standing = [*standing, event]
            case "claim_raised":
                claims.add(event["step"])
            case "claim_closed":
                claims.discard(event["claim"])
        after.append(standing)
    as_played = sum(event["type"] == "decision_as_played" for event in standing)
    opening = events[0]
    return None if closed is None else Told(opening["game"], opening, standing, closed, len(claims), as_played)


def sums_of(
    games: Iterable[Told],
    tag: str,
    amount: Callable[[dict[str, Any]], int] = lambda effect: 1,
    key: Callable[[dict[str, Any], dict[str, int]], tuple[Any, ...]] = lambda effect, marks: (),
) -> Counted:
    """Sums of an effect, by a key."""
    found: Counted = defaultdict(int)
    for game in games:
        for effect, marks in game.effects(tag):
            found[key(effect, marks)] += amount(effect)
    return {place: value for place, value in found.items() if value}


def by_seat(games: Iterable[Told]) -> dict[tuple[int, int], tuple[int, int, Fraction, Fraction]]:
    """Return by players and seat: number, points, wins, expected wins."""
    found: dict[tuple[int, int], tuple[int, int, Fraction, Fraction]] = {}
    for game in games:
        for seat in range(game.seats):
            n, points, won, expected = found.get((game.seats, seat), (0, 0, Fraction(0), Fraction(0)))
            found[game.seats, seat] = (
                n + 1,
                points + game.closed["totals"][seat],
                won + game.win_share(seat),
                expected + Fraction(1, game.seats),
            )
    return found


def meetings(games: Iterable[Told]) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Each pair: games together, before the other, behind."""
    found: dict[tuple[str, str], tuple[int, int, int]] = {}
    for game in games:
        for number in range(game.seats):
            for other in range(game.seats):
                if number != other:
                    pair = game.person(number), game.person(other)
                    n, ahead, behind = found.get(pair, (0, 0, 0))
                    mine, its = game.closed["ranks"][number], game.closed["ranks"][other]
                    found[pair] = n + 1, ahead + (mine < its), behind + (mine > its)
    return found


@dataclass
class Runs:
    """One person's results in order, as "w" and "-", and the games they are of."""

    line: str = ""
    games: list[Told] = field(default_factory=list)

    @property
    def longest(self) -> int:
        return max(map(len, self.line.split("-")))

    @property
    def first(self) -> list[Told]:
        """The games of the longest run; of several equally long the first."""
        begins = self.line.index("w" * self.longest)
        return self.games[begins : begins + self.longest]

    @property
    def again(self) -> bool:
        """Return whether a later run is as long."""
        return self.longest > 0 and self.line.split("-").count("w" * self.longest) > 1

    @property
    def now(self) -> int:
        return len(self.line) - len(self.line.rstrip("w"))

    @property
    def without(self) -> int:
        return max(map(len, self.line.split("w")))


def runs(games: Iterable[Told]) -> dict[str, Runs]:
    """Each person's wins one after the other; a shared one is one."""
    found: dict[str, Runs] = defaultdict(Runs)
    for game in games:
        for seat in range(game.seats):
            one = found[game.person(seat)]
            one.line += "w" if game.win_share(seat) else "-"
            one.games.append(game)
    return found


# --- results that were typed in --------------------------------------------------------------------------------------


def typed_games(book: Daybook, club: UUID) -> list[Told]:
    """Return a club's valid typed results from its lines: games without moves."""
    results: dict[tuple[str, str], dict[str, Any]] = {}
    with_record = set[tuple[str, str]]()
    for event in map(json.loads, book.log.lines(club)):
        table = event.get("season", ""), event.get("table", "")
        match event["type"]:
            case "season_result_typed":
                results[table] = event
            case "season_result_voided":
                results.pop(table, None)
                with_record.discard(table)
            case "season_game_entered":
                with_record.add(table)
            case "season_game_removed":
                with_record.discard(table)
    return [
        Told(
            f"{season}.{table}",
            {
                "ruleset": event["ruleset"],
                "at": event.get("ended_at") or event["at"],
                "seats": [{"person": item["person"], "seat": item["seat"]} for item in event["placed"]],
            },
            [],
            {"ranks": [value["place"] for value in event["placed"]], "totals": [None] * len(event["placed"])},
            0,
            0,
        )
        for (season, table), event in results.items()
        if (season, table) not in with_record
    ]


def places(games: Iterable[Told], key: Callable[[Told, int], Any]) -> dict[Any, tuple[int, int, Fraction, Fraction]]:
    """Return by a key of a game and a seat: number, sum of places, wins, expected wins."""
    found: dict[Any, tuple[int, int, Fraction, Fraction]] = {}
    for game in games:
        for seat in range(game.seats):
            n, places, won, expected = found.get(key(game, seat), (0, 0, Fraction(0), Fraction(0)))
            found[key(game, seat)] = (
                n + 1,
                places + game.closed["ranks"][seat],
                won + game.win_share(seat),
                expected + Fraction(1, game.seats),
            )
    return found
