"""Seats claimed by programs: a seat of an imported game by its person, a club's tables by its organiser."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.services.files.import_export import import_file
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.store.daybook import Daybook
from tests.services.fixture_files import file_of, played_game
from tests.web.api.conftest import Caller
from tests.web.leagues import PASSWORD, ClubAtHand


@pytest.fixture
def mill(book: Daybook, api: Caller) -> ClubAtHand:
    return ClubAtHand(book, api.client.application)


def imported(book: Daybook, number: int) -> UUID:
    """A closed game that a file brought, with its links."""
    id = import_file(book, file_of(played_game(number)))
    for seat in range(4):
        access.make_grant(book, id, "seat", seat)
    access.make_grant(book, id, "reader")
    access.make_grant(book, id, "scorekeeper")
    return id


def link(book: Daybook, game: UUID, role: str, seat: int | None = None) -> str:
    grants = access.grants_of_game(book, game)
    return next(access.key_of(book, grant) for grant in grants if (grant.role, grant.seat) == (role, seat))


def someone(book: Daybook, name: str) -> tuple[str, str]:
    """Return a person with an account, and their key."""
    person = accounts.make_account(book, name, sign_in=name.lower(), password=PASSWORD)
    return person, accounts.make_key(book, person, "script")


def test_who_sat_there_says_so_by_the_link_of_the_seat(book, api):
    game = imported(book, 8)
    (anna, key), (_, other) = someone(book, "Anna"), someone(book, "Ben")
    where, own = f"/games/{game}/seats/mine", link(book, game, "seat", 1)
    for sent, asks, status in (
        ({"seat": 1}, key, 403),
        ({"seat": 1, "link": "dbk_wrong"}, key, 403),
        ({"seat": 1, "link": link(book, game, "reader")}, key, 403),
        ({"seat": 2, "link": own}, key, 403),
        ({"seat": 1, "link": own}, own, 401),
        ({"seat": 1, "link": own}, None, 401),
        ({"seat": -1, "link": own}, key, 422),
        ({"seat": 9, "link": link(book, game, "scorekeeper")}, key, 422),
    ):
        assert api.post(where, sent, asks).status_code == status, (sent, asks)
    for _ in range(2):
        said = api.post(where, {"seat": 1, "link": own}, key)
        assert (said.status_code, said.json) == (200, {"seat": 1, "may_claim": []})
    kept = book.kept.game(game)
    assert kept is not None and kept.people[1] == anna
    taken = api.post(where, {"seat": 1, "link": own}, other)
    assert (taken.status_code, taken.json["error"]["code"]) == (422, "seat_taken")
    left = api.client.delete(f"/api/v1{where}", headers={"Authorization": f"Bearer {key}"})
    assert (left.status_code, left.json) == (200, {"seat": None, "may_claim": []})
    assert api.post(where, {"seat": 1, "link": own}, other).json["seat"] == 1


def test_a_game_of_here_says_itself_who_sits_there(book, api):
    opened, (_, key) = api.open_game(), someone(book, "Annika")
    said = api.post(f"/games/{opened.id}/seats/mine", {"seat": 0, "link": opened.seats[0]}, key)
    assert (said.status_code, said.json["error"]["code"]) == (422, "opened_here")


def test_an_organiser_enters_a_game_and_says_who_sat_where(book, api, mill):
    game = imported(book, 9)
    people = mill.open_season("free", "Anna Ben Cleo Dora Emil")
    mill.member("Mia")
    olga, mia = (accounts.make_key(book, mill.club.person(id), "script") for id in (mill.olga, _of(mill, "Mia")))
    where, sent = f"/clubs/{mill.id}/seasons/1", {"game": str(game), "people": people[:4]}
    keeper = link(book, game, "scorekeeper")
    assert api.post(f"{where}/games", {**sent, "link": keeper}, mia).status_code == 403
    assert api.post(f"{where}/games", sent, olga).json["error"]["code"] == "not_allowed"
    assert api.post(f"{where}/games", {**sent, "link": link(book, game, "reader")}, olga).status_code == 403
    once = "entered-by-a-program"
    first, again = (api.post(f"{where}/games", {**sent, "link": keeper}, olga, once) for _ in range(2))
    assert (first.status_code, again.json) == (201, {**first.json, "repeated": True})
    (table,) = mill.season.tables.values()
    assert [mill.club.person(id) for id in mill.club.seats(table)] == people[:4]
    others = [people[4], *people[1:4]]
    asked = {"people": others, "why": "Emil sat there"}
    assert api.post(f"{where}/tables/{table.id}/seating", asked, mia).status_code == 403
    assert api.post(f"{where}/tables/{table.id}/seating", {**asked, "why": ""}, olga).status_code == 422
    assert api.post(f"{where}/tables/{table.id}/seating", asked, olga).status_code == 201
    assert list(mill.club.seats(mill.season.tables[table.id])) == others


def _of(mill: ClubAtHand, name: str) -> str:
    names = mill.book.kept.names(mill.club.people())
    return next(id for id in mill.club.people() if names[id] == name)
