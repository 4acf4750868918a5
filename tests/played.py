"""Games recorded by the services, for tests of what follows the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

import msgspec
from eventsourcing.persistence import StoredEvent

from daybook.domain.commands import Command, Decide
from daybook.domain.games import RULESETS
from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import AnyEvent, Entry, GameClosed, write_entry
from daybook.domain.kernel.record import Game
from daybook.services.following import projections
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import Action, may_with
from daybook.services.play import recording
from daybook.services.play.practice import Dealer, play_out
from daybook.services.play.recording import NewGame, SeatedPerson, open_game
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook
from daybook.services.written import new_written

TRIO = ("Anna", "Ben", "Cleo")


def key() -> str:
    return uuid4().hex


LONG_EVENING = {  # of a score sheet with every kind of line, which nobody ends early: the one that Daybook brings has one
    "game.name": "Long evening",
    "game.roles": ["Medic", "Miller"],
    "game.expansions": ["Rivers"],
    "score.count": "rounds",
    "score.number": 99,
    "score.lines": [
        {"name": "Birds"},
        {"name": "Eggs", "kind": "times", "each": 2},
        {"name": "Road", "kind": "choice", "values": [0, 2]},
        {"name": "Wonder", "kind": "yes", "each": 5},
        {"name": "Debt", "kind": "minus"},
        {"name": "Bridges", "kind": "times", "expansion": "Rivers"},
    ],
}


def sheet_to_play(book: Daybook, ruleset_id: str) -> str | None:
    """The sheet that tests of every game play a game with; None: the one Daybook comes with."""
    if RULESETS[ruleset_id].title_of is None:
        return None
    return book.sheets.publish(ruleset_id, "Long evening", LONG_EVENING, "tests", is_complete=True)


def open_seats(
    book: Daybook,
    names: Sequence[str] = TRIO,
    ruleset_id: str = "making_profit",
    title: str = "Tuesday",
    key: str | None = None,
    people: Sequence[str | None] = (),
    **how: Any,
) -> UUID:
    """Opens a game of people, with colours in the order of the game's sheet, and gives its id.

    people: their ids, where they are known; how: of `open_game`.
    """
    colours = RULESETS[ruleset_id].colours(book.sheets.printed_sheet(ruleset_id))
    seated = zip(names, colours, people or [None] * len(names), strict=False)
    players = [SeatedPerson(name, colour, person) for name, colour, person in seated]
    asked = {"options": {}, "sheet": sheet_to_play(book, ruleset_id)} | how
    return open_game(book, NewGame(ruleset_id, title, players, **asked), key=key or uuid4().hex).record


def open_table_of(book: Daybook, names: str = "Anna Ben Cleo", title: str = "Tuesday", public: bool = False) -> UUID:
    return open_seats(book, names.split(), title=title, options={"hands": "open"}, public=public)


def write(
    book: Daybook,
    game_id: UUID,
    command: Command,
    *,
    at: int | None = None,
    by: str = "scorekeeper",
    key: str | None = None,
) -> Receipt:
    """Record a command, with a new key by default."""
    return recording.append_command(book, game_id, command, at=at, by=by, key=uuid4().hex if key is None else key)


def play(
    book: Daybook,
    game_id: UUID,
    until: int | Callable[[Game], object] | None = None,
    *,
    seed: int = 3,
    by: str = "scorekeeper",
    close: bool = False,
) -> int:
    """Record a dealer's decisions, all at once, and return the newest step.

    Args:
        until: the number of decisions, or a condition of the game; to its end by default.
        close: close the record once the game is over.
    """
    game = book.games.get(game_id)
    grown, entries = game.twin(), list[Entry]()
    played = play_out(grown, Dealer(seed), lambda step: new_written(by, key()))
    while not (until(grown) if callable(until) else len(entries) == until):
        entry = next(played, None)
        if entry is None or (isinstance(entry.event, GameClosed) and not close):
            break
        entries.append(entry)
    return book.games.append(game, entries).step if entries else game.step


_recorded: dict[tuple[object, ...], list[AnyEvent]] = {}  # by the seed, and what a game is opened with


def play_game(book: Daybook, seed: int, **how: Any) -> UUID:
    """Play a whole game and close it.

    Of equal games the first in a process is recorded decision by decision; the others copy its entries.
    """
    id = open_table_of(book, **how)
    game = book.games.get(id)
    like = seed, len(game.opening.seats), game.opening.sheet.hash
    if like not in _recorded or game.ruleset is not MAKING_PROFIT:
        play(book, id, seed=seed, close=True)
        if game.ruleset is MAKING_PROFIT:
            _recorded[like] = [entry.event for entry in book.games.get(id).entries[1:]]
        return id
    entries, seal = list[Entry](), game.seal
    for event in _recorded[like]:
        said = new_written("scorekeeper", key())
        event = msgspec.structs.replace(event, at=said.at, key=said.key, nonce=said.nonce)
        entries.append(write_entry(id, event, seal))
        seal = entries[-1].seal
    book.games.append(game, entries)
    return id


def until_ended(book: Daybook, game_id: UUID, seed: int, periods: int = 1) -> list[int]:
    """Record until this many steps have ended a period, but not the game; return those steps."""
    dealer, ends = Dealer(seed), list[int]()
    while len(ends) < periods:
        game = book.games.get(game_id)
        for _ in range(100):
            chosen = dealer.next_decision(game.ruleset, game.board)
            assert chosen is not None, "the game is over"
            if game.ruleset.scoring.outcome(game.ruleset.play(game.board, *chosen)[0]) is None:
                break
        step = write(book, game_id, Decide(chosen[0], plain(chosen[1])), at=game.step).step
        if getattr(book.games.get(game_id).entries[step].event, "closed_periods", ()):
            ends.append(step)
    return ends


def update_games(book: Daybook) -> None:
    """Let the list of games catch up with the record, as the follower does."""
    projections.catch_up(book, projections.games_projection(book))


def update_results(book: Daybook) -> None:
    """Let the results of games catch up with the record."""
    projections.catch_up(book, projections.results_projection(book))


def leave_unreadable(book: Daybook, game_id: UUID, line: bytes = b"") -> None:
    """Replace the newest entry of a game by an unreadable one: a kind of a newer Daybook, or this line, with places for
    its step and its seal."""
    step = book.games.get(game_id).step + 1
    line = (line or b'{"type":"from_the_future","step":%d,"seal":"%s"}') % (step, b"0" * 64)
    book.log.recorder.insert_events([StoredEvent(game_id, step + 1, "from_the_future", line)])
    book.games.cache.clear()


def sees_every_hand(book: Daybook, game_id: UUID, grant: Grant | None) -> bool:
    """Return whether a holder may leave the game for a private line: one who sees every hand now."""
    return allowed(grant, book.games.get(game_id), "fork")


def allowed(grant: Grant | None, game: Game, action: Action, **fields: Any) -> bool:
    """Check if a holder of a grant, or of none, may do an action."""
    return bool(may_with([grant] if grant else [], game, action, **fields))
