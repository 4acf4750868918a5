"""Others that know the rules of a game, measured in the same rounds: python-chess, and OpenSpiel's games.

They are no part of the product: `pip install -e '.[peers]'` brings them, and `make bench PEERS=1` does that.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.bench.measuring import Work

PEERS = "peers"  # the column
MOVES = 200  # of a measured game of chess
ACTIONS = 300  # of measured games of OpenSpiel, chance included
OF_OPENSPIEL = {  # those whose rules are Python, and one in C++
    "python_block_dominoes": "OpenSpiel, dominoes in Python",
    "gin_rummy": "OpenSpiel, gin rummy in C++",
}


def works() -> Iterator[Work]:
    """Reading, judging and playing, each as its library is used. Raises ImportError where they are not installed."""
    yield from _chess()
    for name, title in OF_OPENSPIEL.items():
        yield from _open_spiel(name, title)


def _chess() -> Iterator[Work]:
    import chess
    import chess.pgn

    def play_board() -> chess.Board:
        board, random = chess.Board(), Random(1)
        while len(board.move_stack) < MOVES:
            if not any(board.legal_moves):
                board = chess.Board()
            board.push(random.choice(list(board.legal_moves)))
        return board

    moves = play_board().move_stack
    text = str(chess.pgn.Game.from_board(play_board()))

    def push_moves() -> None:
        board = chess.Board()
        for move in moves:
            assert board.is_legal(move)
            board.push(move)

    yield Work("python-chess, reading PGN", PEERS, len(moves), lambda: chess.pgn.read_game(io.StringIO(text)))
    yield Work("python-chess, pushing with legality", PEERS, len(moves), push_moves)
    yield Work("python-chess, random play", PEERS, MOVES, play_board)


def _open_spiel(name: str, title: str) -> Iterator[Work]:
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401  # to import it makes it known

    game = pyspiel.load_game(name)
    actions = [*_random_actions(game, ACTIONS, Random(1))]
    yield Work(f"{title}, replay with legality", PEERS, ACTIONS, lambda: _replay(game, actions))
    yield Work(f"{title}, random play", PEERS, ACTIONS, _player(game))


def _player(game: Any) -> Callable[[], object]:
    return lambda: sum(1 for _ in _random_actions(game, ACTIONS, Random(1)))


def _random_actions(game: Any, count: int, random: Random) -> Iterator[int]:
    """Play this many random legal actions of games one after the other."""
    state = game.new_initial_state()
    for _ in range(count):
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = random.choices(outcomes, chances)[0]
        else:
            action = random.choice(state.legal_actions())
        state.apply_action(action)
        yield action


def _replay(game: Any, actions: list[int]) -> None:
    state = game.new_initial_state()
    for action in actions:
        if state.is_terminal():
            state = game.new_initial_state()
        assert action in state.legal_actions()
        state.apply_action(action)
