"""Development tiles between the supply and the players (WF-4.15)."""

from __future__ import annotations

from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.moves import TileReturned
from daybook.domain.games.water_frame.printed import Tile
from daybook.domain.kernel.terms import Seat, Tell


def give_back(b: Board, seat: Seat, kind: Tile, rule: str, tell: Tell) -> None:
    """Return a tile to the supply; reset the inventor's counter. The caller handles stored goods."""
    player = b.players[seat]
    player.tiles = [tile for tile in player.tiles if tile.kind != kind]
    b.tiles[kind] += 1
    tell(TileReturned(rule, seat, kind))
