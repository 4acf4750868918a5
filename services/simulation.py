"""Many practice games at once, and what they came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from statistics import mean, median
from typing import Any
from uuid import uuid4

import msgspec

from domain.record import Game, Written
from domain.ruleset import Ruleset
from services.clock import now
from services.practice import Dealer, Seated, play_out, practice_game
from services.printed import printed


class SeatSummary(msgspec.Struct, frozen=True):
    """How one seat fared: games won, shared wins included, and its mean total."""

    seat: int
    won: int
    mean_total: float


class Summary(msgspec.Struct, frozen=True):
    """What simulated games came to. ended: how many by each rule; unfinished: stopped at the limit of steps."""

    games: int
    unfinished: int
    ended: dict[str, int]
    steps: tuple[int, float, int]  # the fewest, the median, the most
    seats: list[SeatSummary]


def simulate(ruleset: Ruleset[Any], seats: int, games: int, seed: int, options: Mapping[str, Any]) -> Iterator[Game]:
    """Practice games one by one; game n is played with the seed `seed` + n. Raises IllegalDecision."""
    sheet = printed(ruleset.id)
    known = ruleset.colours(sheet)
    colours = [known[seat % len(known)] for seat in range(seats)]
    for number in range(games):
        seated = [Seated(f"Player {seat + 1}", colour, uuid4().hex) for seat, colour in enumerate(colours)]
        game = practice_game(uuid4(), ruleset, sheet, seated, dict(options), _written(0))
        for _ in play_out(game, Dealer(seed + number), _written):
            pass
        yield game


def _written(step: int) -> Written:
    return Written(now(), "practice", f"step-{step}")


def summary(games: Iterable[Game]) -> Summary:
    """Raises StatisticsError for no games at all."""
    ended: Counter[str] = Counter()
    steps: list[int] = []
    totals: list[list[int]] = []
    won: Counter[int] = Counter()
    for game in games:
        steps.append(game.step)
        totals.append([score.total for score in game.ruleset.standing(game.board)])
        outcome = game.ruleset.outcome(game.board)
        if outcome is not None:
            ended[outcome.rule] += 1
            won.update(seat for seat, rank in enumerate(outcome.ranks) if rank == 1)
    return Summary(
        len(steps), len(steps) - ended.total(), dict(sorted(ended.items())), (min(steps), median(steps), max(steps)),
        [SeatSummary(seat, won[seat], round(mean(of_seat), 1))
         for seat, of_seat in enumerate(zip(*totals, strict=True))])
