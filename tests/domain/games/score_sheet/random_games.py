"""Random definitions of a score sheet, each played at random to its end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from random import Random

from daybook.domain.games.score_sheet import SCORE_SHEET, moves
from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import read_definition
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import Decision, IllegalDecision, Seat
from daybook.services.play.practice import Dealer
from tests.domain.games.random_games import RandomGames, Steps, record_steps
from tests.domain.games.score_sheet.playing import any_definition, opened, sheet_with

LONGEST = 2_000
SEEDS = (  # every way to count and to win, 1 to 18 players, and one game of 99 rounds
    *(0, 1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 17, 18, 19, 23, 27),
    *(29, 30, 36, 39, 41, 44, 46, 48, 49, 50, 57, 59),
)
WITH_HALVES = (2, 8, 13, 36)  # of these seeds


def definition_by(seed: int) -> Sheet:
    """Return the first random definition that can be played."""
    chance = Random(seed)
    while True:
        sheet = sheet_with(**any_definition(chance), score_halves=seed in WITH_HALVES)
        try:
            read_definition(sheet)
        except IllegalDecision as no:
            assert no.rule.startswith("SC-2.") and str(no.reason)
            continue
        return sheet


def game(seed: int) -> Iterator[tuple[Board, Seat, Decision]]:
    sheet, chance = definition_by(seed), Random(seed)
    board, dealer = opened(sheet, chance.choice(SCORE_SHEET.seats_with(sheet))), Dealer(seed)
    for _ in range(LONGEST):
        chosen = dealer.next_decision(SCORE_SHEET, board)
        if chosen is None:
            return
        rare = list(rare_decisions(board))
        if rare and not chance.randrange(20):
            chosen = chance.choice(rare)
        yield board, *chosen
        board, _ = SCORE_SHEET.play(board, *chosen)
    raise AssertionError(f"no end in {LONGEST} steps")


def rare_decisions(board: Board) -> Iterator[tuple[Seat, Decision]]:
    """Yield what the dealer decides never or hardly ever: absent players join, and ties are settled."""
    for seat in SCORE_SHEET.course.to_act(board):
        for decision in SCORE_SHEET.legal(board, seat):
            if isinstance(decision, moves.Join | moves.SettleTie):
                yield seat, decision


@cache
def steps(seed: int) -> Steps:
    return tuple(record_steps(SCORE_SHEET, game(seed)))


def everything(b: Board) -> list[Decision]:
    """Return the small forms, and figures that fit and that do not."""
    lines = [*b.definition.lines, "nothing"]
    return [
        *(
            moves.Enter(line, value, round)
            for line in lines
            for value in (-1, 0, 0.5, 1, 5, 10**7)
            for round in (0, 1, 9)
        ),
        *(moves.Clear(line, round) for line in lines for round in (-1, 0, 1, 9)),
        *(moves.TakeTeam(team) for team in range(-1, 8)),
        moves.EndRound(),
        *(moves.EndGame(won) for won in (None, True, False)),
        moves.GoOut(),
        *(moves.Leave(place) for place in range(-2, b.seats + 2)),
        moves.ComeLater(),
        *(moves.Join(points) for points in (0, 0.5, 3, 10**7)),
        *(moves.SettleTie(seat) for seat in range(-1, b.seats + 1)),
        *(moves.SayStart(seat) for seat in range(-1, b.seats + 1)),
        *(moves.TakeRole(role) for role in ("Medic", "Boss", "")),
        *(moves.Use(name, used) for name in ("Rivers", "Щит", "") for used in (True, False)),
    ]


GAMES = RandomGames(
    SCORE_SHEET,
    tables={str(seed): partial(steps, seed) for seed in SEEDS},
    everything=lambda b, chance: everything(b),
    interval=20,
    unlisted=(moves.Enter, moves.Clear, moves.Join),
)
