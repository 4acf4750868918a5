"""A visit: what a request's sender holds in a game, with one read of the log and one of the kept tables."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from daybook.domain.commands import Note
from daybook.domain.league.club_commands import EnterGame
from daybook.services.people import accounts
from daybook.services.permissions import access, club_roles
from daybook.services.permissions.actions import MayNotError, may
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.permissions.visits import Visit, visit_of
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownGameError
from tests.played import open_seats, play, write
from tests.reads import count_reads
from tests.services.conftest import Opened
from tests.services.leagues import enter_as_keeper

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def game(book: Daybook, open_table: Opened) -> UUID:
    id = open_table(hands="hidden", title="Friday")
    access.make_first_grants(book, id)
    play(book, id, 9, seed=1)
    return id


def link(book: Daybook, game: UUID, role: str, seat: int | None = None) -> str:
    return next(grant.id for grant in access.grants_of_game(book, game) if (grant.role, grant.seat) == (role, seat))


def of(book: Daybook, game: UUID, *links: str, **who: str) -> Visit:
    return visit_of(book, game, links=links, **who)[0]  # type: ignore[arg-type]


def asked_again(book: Daybook) -> int:
    """Return the repeated reads of known data: a file shows changes, PostgreSQL needs a query."""
    return 0 if book.settings.database_url is None else 1


def test_a_visit_holds_what_the_links_give_and_what_is_kept(book, game, open_table):
    elsewhere = access.make_grant(book, open_table(), "scorekeeper").id
    revoked = access.make_grant(book, game, "scorekeeper").id
    access.revoke(book, revoked)
    mine = [
        link(book, game, "reader"),
        elsewhere,
        revoked,
        "made up",
        link(book, game, "seat", 2),
        link(book, game, "seat", 1),
    ]
    with count_reads(book) as reads:
        found = of(book, game, *mine)
    assert (len(reads.log), len(reads.tables)) == (1, 1)
    assert [(grant.role, grant.seat) for grant in found.grants] == [("seat", 1), ("seat", 2), ("reader", None)]
    assert found.kept == book.kept.game(game) and found.game is book.games.get(game)
    assert found.names == ("Anna", "Ben", "Cleo") and found.own_seats == [1, 2] and found.sights == (1, 2, None)
    assert not may(found, "manage") and not may(found, "correct") and not found.only_reads and may(found, "claim")
    assert may(found, "record", seat=1) and not may(found, "record", seat=0)
    assert may(found, "speak", seat=2) and not may(found, "speak", seat=None)


@pytest.mark.both_databases
def test_a_game_is_visited_by_who_may_read_it(book, game, open_table):
    for links in ([], [access.make_grant(book, open_table(), "reader").id]):
        with pytest.raises(MayNotError):
            of(book, game, *links)
    assert of(book, game, link(book, game, "reader")).only_reads
    book.kept.show(game, True)
    onlooker = of(book, game)
    assert onlooker.grants == [] and onlooker.sights == (None,) and not may(onlooker, "export")
    keeper = of(book, game, link(book, game, "scorekeeper"))
    assert may(keeper, "manage") and keeper.sight == EVERYTHING
    assert may(keeper, "export") and may(keeper, "see_all")
    with pytest.raises(UnknownGameError):
        of(book, uuid4())


@pytest.mark.both_databases
def test_keeper_of_sealed_offers_sees_through_no_seat(book):
    """A person with the scorekeeper's link and a seat's: the recording phone goes from hand to hand."""
    id = open_seats(book, ["Anna", "Ben", "Cleo"], "london_markets")
    access.make_first_grants(book, id)
    links = [link(book, id, "scorekeeper"), link(book, id, "seat", 1)]
    assert of(book, id, links[1]).sights == (1, None)
    assert of(book, id, *links).sights == (EVERYTHING, None)


def test_who_is_signed_in_comes_with_the_session(book, game, club, anna, open_table):
    """The name and the rights of roles, without a further read; an ended session gives none."""
    enter_as_keeper(book, club, EnterGame("", str(game)), by=anna)
    token = accounts.begin_session(book, anna, "a phone")
    of(book, game, token=token)  # from now on the clubs are known
    with count_reads(book) as reads:
        found, session = visit_of(book, game, token=token)
    assert (len(reads.log), len(reads.tables)) == (2, asked_again(book))
    assert session == accounts.session_of(book, token) and session is not None and session.name
    assert found.person == anna and found.grants == club_roles.role_grants(book, anna, game) and may(found, "manage")
    by_link = of(book, game, link(book, game, "scorekeeper"), token=token)
    assert by_link.grant is not None and by_link.grant.by == f"scorekeeper@{anna}"
    assert of(book, game, person=anna).grants == found.grants, "a key of a person's program opens the same"
    accounts.end_sessions(book, anna, by=anna)
    with pytest.raises(MayNotError):
        visit_of(book, game, token=token)


@pytest.mark.both_databases
def test_writers_are_called_as_they_are_called_now(book, game, anna):
    keeper = link(book, game, "scorekeeper")
    assert of(book, game, keeper).writers == {}
    write(book, game, Note(3, "she said so"), by=f"scorekeeper@{anna}")
    accounts.rename_person(book, anna, "Annabel", by=anna)
    assert of(book, game, keeper).writers == {anna: "Annabel"}
