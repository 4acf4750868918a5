"""Games folded from the log, kept at hand."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.games import NOT_LOADED, RULESETS
from daybook.domain.kernel.chronicle import BadLine
from daybook.domain.kernel.events import Entry, GameOpened
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Board
from daybook.services.store.folded_cache import NewestFolded
from daybook.services.store.log import GameLog, RecordErasedError
from daybook.services.store.log import UnknownGame as UnknownGame  # for callers of Games

ROOM = 32 * 2**20  # a game that was looked at from all sides takes about seven times the bytes of its lines


class UnknownRuleset(LookupError):
    """Daybook does not know this game: choose one of those it lists."""

    def __init__(self, id: str) -> None:
        known = f"Daybook does not know the game {id!r}; it knows {', '.join(RULESETS)}"
        super().__init__("; ".join([known, *(str(one) for one in NOT_LOADED if one.id == id)]))
        self.id = id


# Of a record that is there: it is damaged, of another version, or of a game that is gone.
UNREADABLE = (BadLine, UnknownRuleset)


class Games:
    """A cache over the log. A game handed out never changes; ask again for what came since."""

    def __init__(self, log: GameLog, room: int = ROOM) -> None:
        """room: bytes of lines, of all games that are kept at hand."""
        self.log = log
        self.held = NewestFolded[Game](room, lambda game: game.size, log.recorder.epoch)

    def get(self, game_id: UUID) -> Game:
        """The game as the log has it now. Raises UnknownGame, and what is in UNREADABLE."""
        known = self.held.get(game_id)
        try:
            newer = self.log.entries(game_id, len(known.entries) if known else 0)
        except RecordErasedError:
            self.held.forget(game_id)
            raise
        if known is None:
            if not newer:
                raise UnknownGame(game_id)
            return self.held.keep(fold_game(game_id, newer))
        if not newer:
            return known
        grown = known.twin()  # other threads may read the cached one
        for entry in newer:
            grown.apply(entry)
        return self.held.keep(grown)

    def find(self, game_id: UUID) -> Game | None:
        """The game; None where there is none, or it cannot be read: for whoever speaks of many, and goes on without it."""
        try:
            return self.get(game_id)
        except (UnknownGame, *UNREADABLE):
            return None

    def append(self, game: Game | None, entries: Sequence[Entry], board: Board | None = None) -> Game:
        """Write the next entries of a game, all or none. board: as it lies after the last, if it is at hand.

        Raises AlreadyWritten if another entry has taken the place of the first.
        """
        self.log.append(*entries)
        if game is None:
            return self.held.keep(fold_game(entries[0].originator_id, [*entries]))
        *earlier, last = entries
        for entry in earlier:
            game = game.then(entry)
        return self.held.keep(game.then(last, board))


def fold_game(game_id: UUID, entries: list[Entry]) -> Game:
    """A game folded from all its entries, the opening first. Raises UnknownRuleset."""
    opening = entries[0].event
    assert isinstance(opening, GameOpened)
    if opening.ruleset not in RULESETS:
        raise UnknownRuleset(opening.ruleset)
    game = Game(game_id, RULESETS[opening.ruleset])
    for entry in entries:
        game.apply(entry)
    return game
