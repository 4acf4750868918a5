"""Measures the search for what explains a count: slips planted in games, and whether their step is named.

    python -m tests.bench.slips [--slips 2] [--wrong 5] [--seed 1] [--game NAME] [--json]

A record is a recorded or random game, cut somewhere. What lies on the table is what the rules leave there had one
thing been otherwise: another decision than was recorded, one more, one fewer; or what a hand laid wrong, which no rule
knows of. It is counted twice: money alone, and everything that can be counted. "first" is the true step named first,
in a group of slips that nothing on the table tells apart or alone; "sure" without a "perhaps", and "right" so.

With `--slips 1 --wrong 4 --seed 61`: of 37 slips, all counted, 36 were named first (29 of them by a step alone) and all
37 in the first three; 13 as sure, all of them right. Of 29 with money alone, 24 first (19 alone), all in the first
three, none as sure. Of 16 wrong amounts none was named as sure or as likely, all counted or money alone. The first
round found nothing and the second one did in 4 of 66. Named second was, where
it was looked into, one of more than three steps that brought equal amounts: at the most three are named together.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain import entries
from daybook.domain.commands import Count
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document, deep_copy, difference, fold, is_at, plain, touches, value_at
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import BoardAdjusted, DecisionRecorded, TableCounted
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import Board, Decision, IllegalDecision, RulesBrokenError, Seat
from daybook.services.disputes.counting import countable_places
from daybook.services.disputes.explain_count import AlikeSlips, Explanation, SearchCursor, SlipSearch, rank_slips
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.printed_sheets import printed_sheet
from tests.services.fixture_files import FIXTURES, read_fixture

MONEY = {"water_frame": "cash"}  # the others: money
RANDOM_GAMES = 2  # of each game, beside the recorded ones
SHORTEST, LONGEST = 30, 100  # steps of a record
TRIES = 400  # to find a place where a slip can be planted
PIECE = 10**9  # plays: only time ends a piece here
PIECE_SECONDS = 5.0
MOST_SECONDS = 20.0  # of one search, of the processor's time

Moves = list[tuple[Seat, Decision]]


class Planted(msgspec.Struct, frozen=True):
    """A slip: at which step, and what lies on the table after all that followed."""

    step: int
    table: Document


class Searched(msgspec.Struct, frozen=True):
    """The result of one search. place: the rank of the true step, from 1; 0 if it is missing. Steps that the table
    cannot distinguish share a rank; together: how many share this one.

    first_empty: the first round found nothing that explains everything; later: a later one did. named: whether
    something is named that explains everything; likelier: before a plain wrong amount; sure: without a "perhaps".
    """

    game: str
    kind: str
    counted: str
    step: int
    of: int
    place: int
    together: int
    first_empty: bool
    later: bool
    sure: bool
    likelier: bool
    named: bool
    seconds: float


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.slips", description=__doc__)
    arguments.add_argument("--slips", type=int, default=2, help="of each kind in each game")
    arguments.add_argument("--wrong", type=int, default=5, help="wrong amounts, that no step tells of, in each game")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--game", choices=[*RULESETS], help="only this one")
    arguments.add_argument("--json", action="store_true", help="print each search as it ends, not the table")
    asked = arguments.parse_args()
    found = []
    for ruleset in [asked.game] if asked.game else [*RULESETS]:
        for kind in KINDS:
            for search in searches(ruleset, kind, asked.seed, asked.wrong if kind == UNEXPLAINED else asked.slips):
                found.append(search)
                if asked.json:
                    print(msgspec.json.encode(search).decode(), flush=True)
    if not asked.json:
        print_found(found)


def searches(ruleset: str, kind: str, seed: int, slips: int) -> Iterator[Searched]:
    """The slips of one kind in one game, each searched for twice."""
    random = Random(f"{seed} {ruleset} {kind}")
    records, left = records_of(ruleset, seed), 4 * slips
    while slips and left:
        left -= 1
        game = cut(random.choice(records), random)
        planted = KINDS[kind](game, random)
        if planted is None:
            continue
        slips -= 1
        for counted, paths in places(game).items():
            if not any(is_at(planted.table, path) for path in paths):
                continue
            one = search_slip(with_count(game, planted.table, paths), kind, planted, counted)
            if one is not None:
                yield one


# --- records ---------------------------------------------------------------------------------------------------------


@lru_cache
def records_of(ruleset: str, seed: int) -> list[Game]:
    """The recorded games of this kind, and some random ones."""
    return [game for game in fixture_games() if game.ruleset.id == ruleset] + [
        random_game(ruleset, 100 * seed + number) for number in range(RANDOM_GAMES)
    ]


@cache
def fixture_games() -> list[Game]:
    return [read_fixture(file.read_bytes()).game for file in sorted(FIXTURES.glob("*.daybook"))]


def random_game(ruleset: str, seed: int) -> Game:
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    seats = Random(seed).choice([seats for seats in rules.seats if seats > 1])
    seated = [PracticeSeat(f"Player {n}", colour, f"p{n}") for n, colour in enumerate(rules.colours(sheet)[:seats])]
    game = open_practice_game(UUID(int=seed), rules, sheet, seated, {}, written_at(0))
    for _ in play_out(game, Dealer(seed), written_at, LONGEST):
        pass
    return game


def written_at(step: int) -> Written:
    return Written("2026-01-01T00:00:00.000Z", "bench", f"bench-{step}")


def cut(game: Game, random: Random) -> Game:
    """The game as it was at some step, still running."""
    longest = min(LONGEST, game.step - (game.status != "running"))
    short = Game(game.id, game.ruleset)
    for entry in game.entries[: random.randrange(min(SHORTEST, longest), longest + 1) + 1]:
        short.apply(entry)
    return short


def places(game: Game) -> dict[str, list[str]]:
    """Return what is counted, by name. A score sheet has no money."""
    everything = {"all": [place.path for place in countable_places(game)]}
    return {"money": purses(game), **everything} if purses(game) else everything


def with_count(game: Game, table: Document, paths: Sequence[str]) -> Game:
    """The game with a count of what lies on the table."""
    values = {path: value_at(table, path) for path in paths if is_at(table, path)}
    return game.then(entries.count(game, Count(values, ""), written_at(game.step + 1)))


# --- slips -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def lies(game: Game) -> list[Document]:
    """Return the pieces on the table after each step."""
    return [deep_copy(document) for _, document in documents_after(game.entries)]


def steps_in_no_order(game: Game, random: Random) -> Iterator[tuple[int, DecisionRecorded, Board]]:
    """Decisions of the line that stands, in no order, each with the board before it."""
    steps = [step for step in game.line()[1:] if type(game.entries[step].event) is DecisionRecorded]
    for step in random.choices(steps, k=min(TRIES, 3 * len(steps))):
        event = game.entries[step].event
        assert isinstance(event, DecisionRecorded)
        yield step, event, game.ruleset.typed_board(lies(game)[game.parents[step]], game.table)


def by_other_moves(moves: Callable[[Game, DecisionRecorded, Board, Random], Moves | None]) -> Plant:
    """Plants a slip of the record: these moves were made, and something else stands in it."""

    def plant(game: Game, random: Random) -> Planted | None:
        for step, event, board in steps_in_no_order(game, random):
            instead = moves(game, event, board, random)
            table = None if instead is None else rest(game, board, instead, step)
            if table is not None and shows(game, table):
                return Planted(step, table)
        return None

    return plant


def rest(game: Game, board: Board, moves: Moves, step: int) -> Document | None:
    """Return the pieces on the table if these moves replace a step and the recorded ones follow."""
    line = game.line()
    later = [game.entries[value].event for value in line[line.index(step) + 1 :]]
    if not all(type(event) is DecisionRecorded for event in later):
        return None
    moves = moves + [
        (event.seat, game.ruleset.decision(event.decision)) for event in later if isinstance(event, DecisionRecorded)
    ]
    try:
        for seat, decision in moves:
            board = game.ruleset.play(board, seat, decision)[0]
    except (IllegalDecision, RulesBrokenError, *CANNOT_GO_ON):
        return None
    return board.document()


def shows(game: Game, table: Document) -> bool:
    """Check if money shows the slip; in a game without money, any place that can be counted."""
    shown = purses(game) or [place.path for place in countable_places(game)]
    return any(touches(difference(game.document, table), path) for path in shown)


def others(game: Game, event: DecisionRecorded, board: Board) -> list[Decision]:
    return [decision for decision in game.ruleset.legal(board, event.seat) if plain(decision) != event.decision]


def mistype(game: Game, event: DecisionRecorded, board: Board, random: Random) -> Moves | None:
    """The decision next to the right one: one field of it is another."""
    near = [other for other in others(game, event, board) if fields_apart(plain(other), event.decision) == 1]
    return [(event.seat, random.choice(near))] if near else None


def other_number(game: Game, event: DecisionRecorded, board: Board, random: Random) -> Moves | None:
    """A number is one too much or too few."""
    near = [other for other in others(game, event, board) if off_by_one(plain(other), event.decision)]
    return [(event.seat, random.choice(near))] if near else None


def other_decision(game: Game, event: DecisionRecorded, board: Board, random: Random) -> Moves | None:
    some = others(game, event, board)
    return [(event.seat, random.choice(some))] if some else None


def recorded_too_much(game: Game, event: DecisionRecorded, board: Board, random: Random) -> Moves | None:
    return []


def forget(game: Game, event: DecisionRecorded, board: Board, random: Random) -> Moves | None:
    some = game.ruleset.legal(board, event.seat)
    return [(event.seat, random.choice(some)), (event.seat, game.ruleset.decision(event.decision))] if some else None


def fields_apart(first: Mapping[str, Any], second: Mapping[str, Any]) -> int:
    if first["type"] != second["type"]:
        return 9
    return sum(first.get(name) != second.get(name) for name in {*first, *second})


def off_by_one(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    if fields_apart(first, second) != 1:
        return False
    pairs = [(first.get(name), second.get(name)) for name in first if first.get(name) != second.get(name)]
    return all(type(a) is int and type(b) is int and abs(a - b) == 1 for a, b in pairs)


def by_hand(paths: Callable[[Game], list[str]], lays: Callable[[int, Random], int | None]) -> Plant:
    """Plant a slip: the table differs from the record in one effect of a step.

    paths: the paths of the effect; lays: effect -> difference of the table.
    """

    def plant(game: Game, random: Random) -> Planted | None:
        for step, path, brought in changed_places(game, random, paths(game)):
            by = lays(brought, random)
            if by and can_be(game, step, path, by):
                return Planted(step, table_with(game, {path: by}))
        return None

    return plant


def elsewhere(paths: Callable[[Game], list[str]]) -> Plant:
    """Plant a slip: a player's pieces of one step are in front of another player."""

    def plant(game: Game, random: Random) -> Planted | None:
        for step, path, brought in changed_places(game, random, paths(game)):
            seat = int(path.split("/")[2])
            other = random.choice([number for number in range(len(game.opening.seats)) if number != seat])
            there = path.replace(f"/players/{seat}/", f"/players/{other}/", 1)
            if brought > 0 and is_number(game.document, there) and can_be(game, step, path, -brought):
                return Planted(step, table_with(game, {path: -brought, there: brought}))
        return None

    return plant


def changed_places(game: Game, random: Random, paths: Sequence[str]) -> Iterator[tuple[int, str, int]]:
    """Steps in no order, each with one of these places, and by how much it changed there."""
    for step, _, _ in steps_in_no_order(game, random):
        was, now = lies(game)[game.parents[step]], lies(game)[step]
        changed = [path for path in paths if is_counted(was, now, path)]
        if changed:
            path = random.choice(changed)
            yield step, path, value_at(now, path) - value_at(was, path)


def is_counted(was: Document, now: Document, path: str) -> bool:
    """Check if a number at this place changed to another number."""
    return is_number(was, path) and is_number(now, path) and value_at(was, path) != value_at(now, path)


def is_number(document: Document, path: str) -> bool:
    return is_at(document, path) and type(value_at(document, path)) is int


def can_be(game: Game, step: int, path: str, by: int) -> bool:
    """Return whether the slip stays hidden until the count: payments stay possible and nobody corrects the place."""
    line = game.line()
    after = line[line.index(step) :]
    adjusted = any(
        touches(event.changes, path)
        for later in after[1:]
        if isinstance(event := game.entries[later].event, BoardAdjusted)
    )
    return not adjusted and all(value_at(lies(game)[later], path) + by >= 0 for later in after)


def table_with(game: Game, by: Mapping[str, int]) -> Document:
    table: Document = deep_copy(game.document)
    for path, more in by.items():
        fold(table, {path: [None, value_at(table, path) + more]})
    return table


def purses(game: Game) -> list[str]:
    money = MONEY.get(game.ruleset.id, "money")
    paths = [f"/players/{seat}/{money}" for seat in range(len(game.opening.seats))]
    return [path for path in paths if is_at(game.document, path)]


def pieces(game: Game) -> list[str]:
    """Return the pieces in front of players that are counted one by one, without money."""
    return [
        place.path
        for place in countable_places(game)
        if place.seat is not None and type(place.value) is int and place.path not in purses(game)
    ]


def wrong_amount(brought: int, random: Random) -> int | None:
    """Another amount than was due, as it happens: one note too many or too few, ten more, two figures exchanged."""
    due = abs(brought)
    swapped = int(str(due)[::-1]) - due
    by = random.choice([1, -1, 1, -1, 2, -2, 5, -5, 10, -10, swapped])
    return by if by and due + by > 0 and by not in (due, -due) else None


Plant = Callable[[Game, Random], Planted | None]
UNEXPLAINED = "wrong amount"
KINDS: dict[str, Plant] = {
    "one number off": by_other_moves(other_number),
    "mistyped": by_other_moves(mistype),
    "another decision": by_other_moves(other_decision),
    "recorded too much": by_other_moves(recorded_too_much),
    "forgotten": by_other_moves(forget),
    "not taken": by_hand(purses, lambda brought, random: -brought),
    "taken twice": by_hand(purses, lambda brought, random: brought),
    "in another purse": elsewhere(purses),
    "piece not taken": by_hand(pieces, lambda brought, random: -brought),
    "piece elsewhere": elsewhere(pieces),
    UNEXPLAINED: by_hand(purses, wrong_amount),
}


# --- searching -------------------------------------------------------------------------------------------------------


def search_slip(game: Game, kind: str, planted: Planted, counted: str) -> Searched | None:
    """Search for a slip; return None if the count does not show it."""
    event = game.entries[-1].event
    assert isinstance(event, TableCounted)
    if not event.differences:
        return None
    begun = time.process_time()
    rounds: tuple[list[Explanation], list[Explanation]] = ([], [])
    spot: SearchCursor | None = SearchCursor()
    unexplained = 0.0
    while spot is not None and time.process_time() - begun < MOST_SECONDS:
        looked = SlipSearch(game, event).run_piece(spot, PIECE, time.monotonic() + PIECE_SECONDS)
        rounds[looked.late].extend(looked.slips)
        spot, unexplained = looked.next, looked.unexplained
    named = rank_slips(rounds[0] + rounds[1])
    whole = [group for group in named if group.slips[0].all]
    place, together = place_of(planted.step, named)
    first, later = (any(item.all for item in some) for some in rounds)
    return Searched(
        game.ruleset.id,
        kind,
        counted,
        planted.step,
        game.step,
        place,
        together,
        not first,
        later,
        any(group.is_sure(named, unexplained) for group in whole),
        any(group.weight > unexplained for group in whole),
        bool(whole),
        time.process_time() - begun,
    )


def place_of(step: int, named: Sequence[AlikeSlips]) -> tuple[int, int]:
    """Return the rank of a step and how many share it; a step that is named twice counts once."""
    before: set[int] = set()
    place = 0
    for group in named:
        new = set(group.steps) - before
        place += bool(new)
        if step in new:
            return place, len(group.steps)
        before |= new
    return 0, 0


def print_found(searches: Sequence[Searched]) -> None:
    """Prints how often the true step was named, and what wrong amounts were taken for."""
    for counted in ("money", "all"):
        some = [value for value in searches if value.counted == counted]
        print(f"\n{'counted: money alone' if counted == 'money' else 'counted: everything'}")
        print(
            f"  {'':<20}{'slips':>6}{'first':>7}{'alone':>7}{'of 3':>7}{'named':>7}{'sure':>7}"
            f"{'right':>7}{'2nd rd':>7}{'s, half':>10}{'most':>9}"
        )
        groups = defaultdict(list)
        for result in some:
            if result.kind != UNEXPLAINED:
                for name in (result.kind, result.game, "all"):
                    groups[name].append(result)
        for name in [*KINDS, *RULESETS, "all"]:
            line = groups[name]
            if line:
                seconds = sorted(item.seconds for item in line)
                print(
                    f"  {name:<20}{len(line):>6}{sum(result.place == 1 for result in line):>7}"
                    f"{sum(result.place == result.together == 1 for result in line):>7}"
                    f"{sum(0 < result.place <= 3 for result in line):>7}{sum(result.named for result in line):>7}"
                    f"{sum(result.sure for result in line):>7}{sum(result.sure and result.place == 1 for result in line):>7}"
                    f"{sum(result.first_empty and result.later for result in line):>7}"
                    f"{seconds[len(seconds) // 2]:>10.1f}{seconds[-1]:>9.1f}"
                )
        wrong = [each_item for each_item in some if each_item.kind == UNEXPLAINED]
        if wrong:
            print(
                f"  {len(wrong)} wrong amounts: {sum(result.sure for result in wrong)} named as sure, "
                f"{sum(result.likelier and not result.sure for result in wrong)} with a perhaps, "
                f"{sum(result.named and not result.likelier for result in wrong)} as less likely than a wrong amount, "
                f"{sum(not result.named for result in wrong)} not at all"
            )


if __name__ == "__main__":
    main()
