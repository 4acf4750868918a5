"""A club to work with: an organiser, an umpire, a scorekeeper and players, a league, and a season of two rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.league.club_commands import EnterGame, EnterPlayers, FoundLeague, OpenSeason
from daybook.domain.league.club_events import AnyEvent, MemberJoined, PeopleMerged, Role, ScheduleDrawn
from daybook.domain.league.club_writing import ClubDraft
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, Entrant, Fixture, Format, SeasonKind
from daybook.services.league import clubs
from daybook.services.permissions.access import Grant
from daybook.services.play.writing import Receipt, Writer
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_person
from daybook.services.written import new_written
from tests.played import key

ROLES: dict[str, tuple[Role, ...]] = {"ursula": ("umpire",), "sam": ("scorekeeper",)}
PLAYERS = ("anna", "ben", "cleo", "dan", "eve", "finn")
EVERYBODY = ("olga", *ROLES, *PLAYERS)


def keep_people(book: Daybook, *people: str) -> None:
    """Add people whose id is their name in small letters."""
    with book.kept.engine.begin() as c:
        for id in people:
            c.execute(kept_person.insert().values(id=id, name=id.capitalize()))


def found_mill(book: Daybook) -> UUID:
    """A club of nine: olga organises it."""
    keep_people(book, *EVERYBODY)
    club = clubs.found_club(book, "The Mill", "olga", by="olga", key=key()).record
    for person in EVERYBODY[1:]:
        join(book, club, person, ROLES.get(person, ()), by="olga")
    return club


def write_event(book: Daybook, club: UUID, kind: Callable[..., AnyEvent], *, by: str, **fields: Any) -> None:
    """Write an event as it is, without what a command checks before."""
    draft = ClubDraft(book.clubs.get(club), new_written(by, key()))
    draft.add(kind, **fields)
    book.clubs.append(draft.entries)


def join(book: Daybook, club: UUID, person: str, roles: Sequence[Role] = (), *, by: str) -> None:
    """Add a person to the club, also one with an account, who would accept an invitation."""
    write_event(book, club, MemberJoined, by=by, person=person, roles=tuple(roles))


def merge(book: Daybook, club: UUID, remaining: str, gone: str, *, by: str = "olga") -> None:
    """Make two ids one person, also one that the club does not know."""
    write_event(book, club, PeopleMerged, by=by, kept=remaining, merged=gone, why="the same")


def draw(book: Daybook, club: UUID, season: str, rounds: Sequence[int], fixtures: Sequence[Fixture]) -> None:
    """Draw these tables of rounds."""
    write_event(book, club, ScheduleDrawn, by="olga", season=season, rounds=tuple(rounds), fixtures=tuple(fixtures))


def season(
    book: Daybook, club: UUID, kind: SeasonKind = "rounds", people: Sequence[str] = PLAYERS, **format: object
) -> str:
    """An open season of Making Profit at tables of three; these people play it."""
    made: Format = msgspec.structs.replace(DEFAULTS[kind], table_sizes=(3,), **format)
    if not book.clubs.get(club).leagues:
        clubs.write(book, club, FoundLeague("Mills", ["making_profit"]), by="olga", key=key())
    opened = clubs.write(
        book, club, OpenSeason("1", f"Season {len(book.clubs.get(club).seasons) + 1}", made), by="olga", key=key()
    )
    id = clubs.season_at(book.clubs.get(club), opened.step).id
    if people:
        players, guests = tuple(map(Entrant, people)), book.kept.names(people)
        clubs.write(book, club, EnterPlayers(id, players, guests), by="olga", key=key())
    return id


def draw_rounds(book: Daybook, club: UUID, season: str) -> None:
    """Two rounds of two tables: 1 and 2, 3 and 4."""
    tables = (PLAYERS[:3], PLAYERS[3:], ("dan", "ben", "finn"), ("anna", "eve", "cleo"))
    draw(
        book,
        club,
        season,
        (1, 2),
        [Fixture(str(number), 1 + (number > 2), seats) for number, seats in enumerate(tables, 1)],
    )


def enter_game(book: Daybook, club: UUID, season: str, game: UUID, table: str | None = None, **how: Any) -> None:
    """Enter a game that Sam, the scorekeeper, records. how: of EnterGame."""
    enter_as_keeper(book, club, EnterGame(season, str(game), table, **how), by="sam")


def enter_as_keeper(book: Daybook, club: UUID, command: EnterGame, *, by: str) -> Receipt:
    """Enter a game with its scorekeeper's link."""
    writer = Writer(by, [Grant("", UUID(command.game), "scorekeeper")])
    return clubs.write(book, club, command, by=writer, key=key())


def places_of(*people: str, scores: Sequence[int | None] = ()) -> list[Placed]:
    """These people in this order, the first one first."""
    return [Placed(person, seat, seat + 1, scores[seat] if scores else None) for seat, person in enumerate(people)]
