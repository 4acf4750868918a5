"""Claims of people with accounts that a seat in an imported game was theirs.

The file cannot prove it (`services.people.seated`). The claimant holds the scorekeeper's link of the game or that of
the seat, which the importer hands out. At a club's tables, an organiser enters the players (`clubs.enter_game`).
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat, because
from daybook.services.people import accounts, seated
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import may_with
from daybook.services.statistics.collect import note_people
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownGameError
from daybook.services.store.kept import GameKept

OPENED_HERE = because("opened_here", "this game was opened here, and its record says who sits there")


def seats_to_claim(game_kept: GameKept, person: str, grants: Sequence[Grant]) -> list[Seat]:
    """Return the seats of an imported game that a person may claim."""
    if not seated.is_opened_by_file(game_kept) or person in game_kept.people:
        return []
    return [
        seat
        for seat, sits in enumerate(game_kept.people)
        if sits == seated.id_within(game_kept.id, seat) and may_with(grants, game_kept, "claim_seat", seat=seat)
    ]


def seat_of(game: Game, game_kept: GameKept, person: str) -> Seat | None:
    """Return a person's seat in an imported game."""
    people = game_kept.people if seated.was_imported(game, game_kept) else ()
    return people.index(person) if person in people else None


def claim_seat(book: Daybook, game_id: UUID, seat: Seat, *, person: str) -> None:
    """Claim a seat for a person with an account. The caller checks "claim_seat".

    Raises UnknownGameError, Refused.
    """
    game_kept = _require_game(book, game_id)
    if not seated.is_opened_by_file(game_kept):
        raise Refused(OPENED_HERE)
    if not 0 <= seat < len(game_kept.people):
        raise Refused(
            because("seat", "there is no seat {number} at a table of {n}", number=seat + 1, n=len(game_kept.people))
        )
    if game_kept.people[seat] == person:
        return
    if person in game_kept.people:
        raise Refused(because("sits_already", "you already have a seat in this game"))
    if accounts.account_of(book, person) is None or not _store_seat(
        book, game_id, seat, seated.id_within(game_id, seat), person
    ):
        raise Refused(because("seat_taken", "someone else has claimed this seat"))
    with book.kept.engine.begin() as c:
        accounts.log_change(c, person, person, "seat_claimed")


def leave_seat(book: Daybook, game_id: UUID, *, person: str) -> None:
    """Give up a person's seat, if they have one. Raises UnknownGameError, Refused."""
    game, game_kept = book.games.get(game_id), _require_game(book, game_id)
    if not seated.was_imported(game, game_kept):
        raise Refused(OPENED_HERE)
    for seat, sits in enumerate(game_kept.people):
        if sits == person:
            if not seated.is_opened_by_file(game_kept):  # an early import, without a mark
                book.kept.note_imported(game_id, [(0, 0)])
            id_in_game = seated.id_within(game_id, seat)
            book.kept.keep_person(id_in_game, game.opening.seats[seat].colour)  # kept if the file named it
            _store_seat(book, game_id, seat, person, id_in_game)
            with book.kept.engine.begin() as c:
                accounts.log_change(c, person, person, "seat_left")


def _require_game(book: Daybook, game_id: UUID) -> GameKept:
    """Return the stored row of a game. Raises UnknownGameError."""
    kept = book.kept.game(game_id)
    if kept is None:
        raise UnknownGameError(game_id)
    return kept


def _store_seat(book: Daybook, game_id: UUID, seat: Seat, before: str, person: str) -> bool:
    """Store the person of a seat; return False if another user was first."""
    done = book.kept.seat_person(game_id, seat, before, person)
    if done:
        note_people(book, game_id, book.kept.people_of_imports([game_id])[game_id])
    return done
