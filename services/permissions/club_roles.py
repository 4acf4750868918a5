"""Grants that roles in a club give in the club's games, in addition to those of links.

| role | grant in a game of the club |
|---|---|
| organiser, scorekeeper | the scorekeeper's grant |
| umpire, once named in the game | the umpire's |
| player | that of the own seat |
| member | the reader's |

A role adds nothing to a seat while anything is covered: otherwise an organiser who plays would see the other hands, and
a scorekeeper who plays what is sealed. Such a table is recorded by its seats, by a scorekeeper who does not play, or
with the scorekeeper's link, which a player gave away knowingly. An umpire sees nothing before being named, which the
record shows to all. A merged person keeps the other's seats also after a split: no player leaves a table by a split. A
person who recorded from a seat sits there, whatever its name. And a merge gives no seat: while anything is covered, only
the seat's own person opens it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from daybook.domain.kernel.chronicle import place_of
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import PeopleMerged
from daybook.services.people import seated
from daybook.services.people.writers import person_of_role_grant, role_grant_id, writer_of
from daybook.services.permissions.access import Grant, grant_of
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError
from daybook.services.store.kept import GameKept


def role_grants(book: Daybook, person: str, game_id: UUID) -> list[Grant]:
    """Return the grants that a person's roles give in a game; none if it is in no club of theirs, or unreadable."""
    book.clubs.catch_up()
    try:
        clubs = [club for club in book.clubs.with_game(game_id) if club.roles(person)]
        return role_grants_in(clubs, book.games.get(game_id), book.kept.game(game_id), person) if clubs else []
    except (UnknownGameError, *UNREADABLE):
        return []


def game_and_clubs(book: Daybook, game_id: UUID) -> tuple[Game, list[Club]]:
    """Read a game and the clubs in which it is entered, in one read of the log. Raises UnknownGameError."""
    book.clubs.catch_up()
    return book.games.get(game_id), book.clubs.with_game(game_id)


def role_grants_in(clubs: Iterable[Club], game: Game, stored: GameKept | None, person: str) -> list[Grant]:
    """Return the grants that a person's roles give in a game of these clubs."""
    mine = [club for club in clubs if club.roles(person)]
    if not mine:
        return []
    id, game_id, found = role_grant_id(person), game.id, list[Grant]()
    roles = {role for club in mine for role in club.roles(person)}
    sat = {seat for club in mine for seat in seats_ever(club, game, stored, person)}
    bound = any(covers_from(game, seat) for seat in sat)
    if roles & {"organiser", "scorekeeper"} and not bound:
        found.append(Grant(id, game_id, "scorekeeper", person=person))
    if "umpire" in roles and not sat:
        found += [
            Grant(id, game_id, "umpire", umpire=number, person=person)
            for number in _umpires(mine, game, stored, person)
        ]
    found += [Grant(id, game_id, "seat", seat, person=person) for seat in _seats_of_person(mine, game, stored, person)]
    return [*found, Grant(id, game_id, "reader", person=person)]


def keeps_still(book: Daybook, game_id: UUID, grant_id: str) -> bool:
    """Check if a scorekeeper's grant is still valid: the link was not replaced, the person has the role.

    What is covered from a player by now is not checked: a device that has the game knows it.
    """
    person = person_of_role_grant(grant_id)
    if not person:
        link = grant_of(book, grant_id)
        return link is not None and (link.game, link.role) == (game_id, "scorekeeper")
    book.clubs.catch_up()
    return any({"organiser", "scorekeeper"} & {*club.roles(person)} for club in book.clubs.with_game(game_id))


def may_umpire(book: Daybook, person: str, game: Game, stored: GameKept) -> bool:
    """Check if an umpire of a game's club may name themselves: without a seat, and not named yet."""
    mine = [club for club in book.clubs.with_game(game.id) if "umpire" in club.roles(person)]
    sits = any(seats_ever(club, game, stored, person) for club in mine)
    return bool(mine) and not sits and not _umpires(mine, game, stored, person)


def games_of_clubs(book: Daybook, person: str) -> set[UUID]:
    """Return the games of a person's clubs."""
    return {UUID(game) for club in book.clubs.with_people([person]) if club.roles(person) for game in club.games}


def covers_from(game: Game, seat: Seat | None) -> bool:
    """Check if anything in a game is covered from a seat, or may be sealed. None: a spectator."""
    if game.is_revealed:
        return False
    secrecy = game.ruleset.secrecy
    return secrecy.seals or bool(secrecy.redact_board(game.board, seat).document() != game.document)


def seats_ever(club: Club, game: Game, stored: GameKept | None, person: str) -> list[Seat]:
    """Return a person's seats, including those of anyone they were ever merged with.

    A seat is theirs if the game or the club says so, or if they recorded from it.
    """
    ids = _ever_merged(club, person)
    sat = {
        seat
        for people in (seated.people_of(game, stored), _played(club, game))
        for seat, id in enumerate(people)
        if id in ids
    }
    written_from = {place_of(by) for by in seated.writers_here(game, stored) if writer_of(by) in ids}
    return [seat for seat in range(len(game.opening.seats)) if seat in sat or f"seat:{seat}" in written_from]


def _played(club: Club, game: Game) -> tuple[str, ...]:
    """Return the players of a game by seat, as the club has them."""
    season, table = club.games.get(str(game.id), ("", ""))
    return club.season(season).tables[table].played if table else ()


def _seats_of_person(clubs: Iterable[Club], game: Game, stored: GameKept | None, person: str) -> list[Seat]:
    return sorted(
        {
            seat
            for club in clubs
            for seat, id in enumerate(_played(club, game))
            if _opened_for(game, stored, seat) == person
            or (club.person(id) == club.person(person) and not covers_from(game, None))
        }
    )


def _opened_for(game: Game, stored: GameKept | None, seat: Seat) -> str:
    """Return the person of a seat that was opened here; empty if a file opened the game."""
    return "" if seated.is_opened_by_file(stored) else seated.people_of(game, stored)[seat]


def _umpires(clubs: Iterable[Club], game: Game, stored: GameKept | None, person: str) -> list[int]:
    """Return the numbers under which a person is an umpire of a game."""
    return sorted(
        {
            number
            for club in clubs
            for number, id in enumerate(seated.umpires_of(game, stored))
            if id and club.person(id) == club.person(person)
        }
    )


def _ever_merged(club: Club, person: str) -> set[str]:
    beside = defaultdict[str, list[str]](list)
    for entry in club.entries:
        if isinstance(event := entry.event, PeopleMerged):
            beside[event.kept].append(event.merged)
            beside[event.merged].append(event.kept)
    ids, found = set[str](), [person, *club.ids_of(person)]
    while found:
        if (id := found.pop()) not in ids:
            ids.add(id)
            found += beside.get(id, ())
    return ids
