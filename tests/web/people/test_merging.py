"""The page that merges two accounts of one person: both passwords, what moves, a confirmation."""

from __future__ import annotations

import pytest

from daybook.services.people import accounts
from tests.services.clubbing import bring_in, found_club
from tests.services.people.test_link_sign_ins import let_in
from tests.web.conftest import VisitedPage, Visitor
from tests.web.people.test_sign_in import OTHER, PASSWORD, sign_in, signed_up


@pytest.fixture
def anna(app):
    return signed_up(app)


@pytest.fixture
def annie(app, anna):
    return signed_up(app, "Annie", "annie")


def prove(somebody: Visitor, name: str = "annie", password: str = PASSWORD, own: str = PASSWORD) -> VisitedPage:
    form = somebody.get("/me/merge").form("Continue")
    return somebody.send(form, sign_in=name, password=password, own_password=own)


def test_person_merges_two_accounts(app, book, anna, annie):
    person, gone = (accounts.person_of_sign_in(book, name) for name in ("anna", "annie"))
    club = found_club(book, gone)
    page = prove(anna)
    assert "the membership in Mill Club, with its roles and answers" in page.text
    assert PASSWORD not in page.html
    page = anna.send(page.form("Merge the accounts"))
    assert "Both accounts are one now. You sign in with anna." in page.text and "Mill Club" in page.text
    assert book.clubs.get(club).organisers() == [person]
    assert sign_in(Visitor(app), "annie").status == 422
    assert annie.get("/me").answer.request.path == "/sign-in"
    assert anna.post("/me/merge", step="done").status == 409, "once"


def test_merge_needs_both_passwords(book, anna, annie):
    for fields in ({"own": OTHER}, {"password": OTHER}, {"name": "nobody"}):
        page = prove(anna, **fields)
        assert page.status == 422 and "Merge the accounts" not in page.html, fields
    assert anna.post("/me/merge", step="done").status == 409
    assert accounts.person_of_sign_in(book, "annie") is not None


def test_proof_ends_with_the_session_and_the_password(book, anna, annie):
    prove(anna)
    accounts.set_password(book, accounts.person_of_sign_in(book, "annie"), "annie", OTHER, by="")
    assert anna.post("/me/merge", step="done").status == 409
    page = prove(anna, password=OTHER)
    sign_in(anna, "anna")
    assert anna.send(page.form("Merge the accounts")).status in (403, 409)
    assert accounts.person_of_sign_in(book, "annie") is not None


def test_page_says_why_accounts_cannot_be_merged(book, anna, annie):
    assert "this is one account" in prove(anna, "anna").text.lower()
    person, other = (accounts.person_of_sign_in(book, name) for name in ("anna", "annie"))
    let_in(book, other)
    page = prove(anna)
    assert page.status == 422 and "A link signed this person in" in page.text
    assert person


def test_page_is_only_for_owners(app, book, anna, annie):
    assert Visitor(app).get("/me/merge").answer.request.path == "/sign-in"
    accounts.make_account(book, "Mina")
    assert anna.get("/me/merge").status == 200


def test_club_proposes_only_merges_that_work(book, anna, annie):
    person, other = (accounts.person_of_sign_in(book, name) for name in ("anna", "annie"))
    club = found_club(book, person)
    bring_in(book, club, other, by=person)
    accounts.rename_person(book, other, "Anna", by=other)
    path = f"/clubs/{club}/people"
    assert "Anna and Anna are one person" not in anna.get(path).text
    anna.press(path, "Add to the club", name="Anna")
    page = anna.get(path)
    assert page.text.count("Anna and Anna are one person") == 1
    page = anna.send(page.form("Anna and Anna are one person"))
    assert "They are one person now." in page.text
    page = anna.post(f"{path}/merge", kept=person, merged=other, why="x", key="m")
    assert page.status == 422 and "that person merges them on My page" in page.text
    page = anna.send(prove(anna).form("Merge the accounts"))
    page = anna.get(path)
    assert "Anna is also Anna" in page.text
    assert page.text.count("Separate Anna and Anna again") == 1, "not the two accounts"
