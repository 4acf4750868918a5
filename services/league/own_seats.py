"""Somebody says by their account that a seat of a game from a file was theirs, or was not.

The file cannot say it (`services.people.seated`). Who says it holds the scorekeeper's link of the game or that of the
seat, which its importer gives out. In a club's tables an organiser says who sat where (`clubs.enter_game`).
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat, because
from daybook.services.people import accounts, seated
from daybook.services.permissions.access import Grant
from daybook.services.statistics.collect import note_people
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownGameError
from daybook.services.store.kept import GameKept

OPENED_HERE = because("opened_here", "this game was opened here, and its record says who sits there")


def may_claim(grant: Grant, seat: Seat) -> bool:
    """Check if a holder may say that a seat was theirs."""
    return grant.role == "scorekeeper" or (grant.role == "seat" and grant.seat == seat)


def seats_to_claim(kept: GameKept, person: str, grants: Collection[Grant]) -> list[Seat]:
    """Return the seats of an imported game that a person may claim."""
    if not seated.is_opened_by_file(kept) or person in kept.people:
        return []
    return [
        seat
        for seat, sits in enumerate(kept.people)
        if sits == seated.id_within(kept.id, seat) and any(may_claim(grant, seat) for grant in grants)
    ]


def seat_of(game: Game, kept: GameKept, person: str) -> Seat | None:
    """Return a person's seat in an imported game."""
    people = kept.people if seated.was_imported(game, kept) else ()
    return people.index(person) if person in people else None


def claim_seat(book: Daybook, game_id: UUID, seat: Seat, *, person: str) -> None:
    """Claim a seat for a person with an account. The caller checks `may_claim`.

    Raises UnknownGameError, Refused.
    """
    kept = _kept(book, game_id)
    if not seated.is_opened_by_file(kept):
        raise Refused(OPENED_HERE)
    if not 0 <= seat < len(kept.people):
        raise Refused(
            because("seat", "there is no seat {number} at a table of {n}", number=seat + 1, n=len(kept.people))
        )
    if kept.people[seat] == person:
        return
    if person in kept.people:
        raise Refused(because("sits_already", "you have a seat in this game already"))
    if accounts.account_of(book, person) is None or not _seat(
        book, game_id, seat, seated.id_within(game_id, seat), person
    ):
        raise Refused(because("seat_taken", "somebody else has said that this seat was theirs"))
    with book.kept.engine.begin() as c:
        accounts.log_change(c, person, person, "seat_claimed")


def leave_seat(book: Daybook, game_id: UUID, *, person: str) -> None:
    """Give up a person's seat, if they have one. Raises UnknownGameError, Refused."""
    game, kept = book.games.get(game_id), _kept(book, game_id)
    if not seated.was_imported(game, kept):
        raise Refused(OPENED_HERE)
    for seat, sits in enumerate(kept.people):
        if sits == person:
            if not seated.is_opened_by_file(kept):  # it came before that was noted
                book.kept.note_imported(game_id, [(0, 0)])
            apart = seated.id_within(game_id, seat)
            book.kept.keep_person(apart, game.opening.seats[seat].colour)  # unless the file named it
            _seat(book, game_id, seat, person, apart)
            with book.kept.engine.begin() as c:
                accounts.log_change(c, person, person, "seat_left")


def _kept(book: Daybook, game_id: UUID) -> GameKept:
    kept = book.kept.game(game_id)
    if kept is None:
        raise UnknownGameError(game_id)
    return kept


def _seat(book: Daybook, game_id: UUID, seat: Seat, before: str, person: str) -> bool:
    """Return False if another person was quicker."""
    done = book.kept.seat_person(game_id, seat, before, person)
    if done:
        note_people(book, game_id, book.kept.people_of_imports([game_id])[game_id])
    return done
