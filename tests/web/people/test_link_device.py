"""A device that a link signed in, while that can be undone: it plays, and takes nothing from the account's owner."""

from __future__ import annotations

import pytest

from daybook.services.league import clubs, members
from daybook.services.people import accounts, invitations, link_consent
from tests.played import key
from tests.services.clubbing import account, bring_in, found_club
from tests.web.conftest import Visitor


@pytest.fixture
def club(book):
    return found_club(book, account(book, "olga"))


def signed_in_by_link(app, book, person: str, by: str) -> Visitor:
    device = Visitor(app)
    link = invitations.sign_in_link(book, person, by=by)
    assert device.post("/invited/accept", key=invitations.key_of(book, link)).status == 200
    return device


def test_link_device_reads_no_file_and_leaves_no_club(app, book, club):
    olga, mia = accounts.person_of_sign_in(book, "olga"), account(book, "mia")
    bring_in(book, club, mia, by=olga)
    link_consent.allow_links(book, mia, club)
    device = signed_in_by_link(app, book, mia, olga)
    assert device.get("/me").status == 200
    assert device.get("/me/file").status == 403
    assert device.post(f"/clubs/{club}/people/{mia}/leave", key=key(), why="").status == 403
    assert book.clubs.get(club).roles(mia)


def test_link_device_of_organiser_manages_no_people(app, book, club):
    """Else the organiser of one club reaches the members of another through a member of both."""
    olga, mia = accounts.person_of_sign_in(book, "olga"), account(book, "mia")
    bring_in(book, club, mia, by=olga)
    link_consent.allow_links(book, mia, club)
    other = found_club(book, mia, "Other Club")
    gus = members.add_member(book, other, "Gus", by=mia, key=key())
    device = signed_in_by_link(app, book, mia, olga)
    for path in ("people/invite", f"people/{gus}/name", f"people/{gus}/roles", f"people/{gus}/leave", "people/merge"):
        assert (
            device.post(f"/clubs/{other}/{path}", key=key(), name="Eve", why="", kept=gus, merged=mia).status == 403
        ), path
    assert device.get(f"/clubs/{other}/people/{gus}/anonymous").status == 403
    assert device.post(f"/clubs/{other}/remove", key=key(), why="").status in (403, 404)
    assert book.kept.names([gus]) == {gus: "Gus"} and book.clubs.get(other).roles(gus)


def test_operators_link_lets_an_organiser_manage_people(app, book, club):
    olga = accounts.person_of_sign_in(book, "olga")
    device = signed_in_by_link(app, book, olga, clubs.OPERATOR)
    assert device.post(f"/clubs/{club}/people/add", key=key(), name="Gus").status == 200
    assert len(book.clubs.get(club).people()) == 2
