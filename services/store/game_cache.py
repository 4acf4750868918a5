"""A cache of games that are folded from the log."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.games import NOT_LOADED, RULESETS
from daybook.domain.kernel.chronicle import InvalidLineError
from daybook.domain.kernel.events import Entry, GameOpened
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Board
from daybook.services.store.folded_cache import FoldedCache
from daybook.services.store.log import GameLog, RecordErasedError
from daybook.services.store.log import UnknownGameError as UnknownGameError  # for callers of Games

CACHE_BYTES = 32 * 2**20  # of lines; a game with all its derived data takes about seven times as much


class UnknownRulesetError(LookupError):
    """Daybook does not have this game: choose one of those it lists."""

    def __init__(self, ruleset_id: str) -> None:
        message = f"Daybook does not know the game {ruleset_id!r}; it knows {', '.join(RULESETS)}"
        super().__init__("; ".join([message, *(str(failed) for failed in NOT_LOADED if failed.id == ruleset_id)]))
        self.id = ruleset_id


# A record exists but is damaged, of another version, or of a game that is not installed.
UNREADABLE = (InvalidLineError, UnknownRulesetError)


class Games:
    """A cache of games, current with each read. A game that was returned never changes."""

    def __init__(self, log: GameLog, room: int = CACHE_BYTES) -> None:
        """room: bytes of lines of all cached games."""
        self.log = log
        self.cache = FoldedCache[Game](room, lambda game: game.size, log.recorder.epoch)
        self._delayed = FoldedCache[Game](room // 4, lambda game: game.size, log.recorder.epoch)

    def get(self, game_id: UUID) -> Game:
        """Return the game as the log has it now. Raises UnknownGameError, and the errors in UNREADABLE."""
        known = self.cache.get(game_id)
        try:
            newer = self.log.entries(game_id, len(known.entries) if known else 0)
        except RecordErasedError:
            self.cache.forget(game_id)
            self._delayed.forget(game_id)
            raise
        if known is None:
            if not newer:
                raise UnknownGameError(game_id)
            return self.cache.put(fold_game(game_id, newer))
        if not newer:
            return known
        grown = known.twin()  # other threads may read the cached one
        for entry in newer:
            grown.apply(entry)
        return self.cache.put(grown)

    def as_of(self, game: Game, at: str) -> Game:
        """Return a game without its last entries if they are later than a time; its opening stays."""
        entries = game.entries
        count = len(entries)
        while count > 1 and entries[count - 1].event.at > at:
            count -= 1
        if count == len(entries):
            return game
        known = self._delayed.get(game.id)
        if known is None or len(known.entries) > count:
            return self._delayed.put(fold_game(game.id, entries[:count]))
        if len(known.entries) < count:
            known = known.twin()
            for entry in entries[len(known.entries) : count]:
                known.apply(entry)
        return self._delayed.put(known)

    def find(self, game_id: UUID) -> Game | None:
        """Return the game; None if it is unknown or unreadable."""
        try:
            return self.get(game_id)
        except (UnknownGameError, *UNREADABLE):
            return None

    def append(self, game: Game | None, entries: Sequence[Entry], board: Board | None = None) -> Game:
        """Append the next entries of a game, all or none. board: the one after the last entry, if computed.

        Raises AlreadyWrittenError if another entry has the version of the first.
        """
        self.log.append(*entries)
        if game is None:
            return self.cache.put(fold_game(entries[0].originator_id, [*entries]))
        *earlier, last = entries
        for entry in earlier:
            game = game.then(entry)
        return self.cache.put(game.then(last, board))


def fold_game(game_id: UUID, entries: list[Entry]) -> Game:
    """Return a game, folded from all its entries. Raises UnknownRulesetError."""
    opening = entries[0].event
    assert isinstance(opening, GameOpened)
    if opening.ruleset not in RULESETS:
        raise UnknownRulesetError(opening.ruleset)
    game = Game(game_id, RULESETS[opening.ruleset])
    for entry in entries:
        game.apply(entry)
    return game
