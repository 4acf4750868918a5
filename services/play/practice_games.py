"""Practice games in the running service: opened, played to their end and written down at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from daybook.services.play.practice import Dealer, Level, play_out
from daybook.services.play.recording import NewGame, SeatedPerson, open_game
from daybook.services.play.repetition import new_key
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import fold_game
from daybook.services.store.log import AlreadyWrittenError
from daybook.services.written import new_written


def record_practice_game(
    book: Daybook,
    *,
    ruleset_id: str,
    title: str,
    players: Sequence[SeatedPerson],
    options: Mapping[str, Any],
    seed: int,
    key: str,
    admit: Callable[[], object] = lambda: None,
    level: Level = "chance",
) -> Receipt:
    """Record a whole practice game played from the seed by players of one level; return its last step.

    The same key returns the same game. `admit` and the errors are those of `open_game`.
    """
    receipt = open_game(
        book,
        NewGame(ruleset_id=ruleset_id, title=title, players=players, options=options, kind="practice"),
        by="practice",
        key=key,
        admit=admit,
    )
    entries = book.log.entries(receipt.record)
    if len(entries) == 1:  # all that follows is written at once, or not at all
        with suppress(AlreadyWrittenError):  # by another request with this key: it played the same
            book.log.append(
                *play_out(
                    fold_game(receipt.record, entries),
                    Dealer(seed, [level] * len(players)),
                    lambda step: new_written("practice", new_key()),
                )
            )
    played = book.games.get(receipt.record)
    return Receipt(played.id, played.step, played.seal, receipt.repeated)
