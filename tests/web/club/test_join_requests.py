"""Joining a club by its own link: requests, admission, and the end of a link."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import EndMembership, GiveRoles
from daybook.services.league import account_merges, clubs, join_requests, joining, personal_data
from daybook.services.people import accounts, invitations
from daybook.services.people.invitations import InvalidInvitationError
from daybook.services.permissions.actions import MayNotError
from tests.web.api.conftest import Caller
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD, ClubAtHand


@pytest.fixture
def mill(book, app):
    return ClubAtHand(book, app)


def stranger(book, name):
    return accounts.make_account(book, name, sign_in=name.lower(), password=PASSWORD)


def link_key(mill, by=""):
    return join_requests.sign_club_link(mill.book, join_requests.make_club_link(mill.book, mill.id, by=by or mill.olga))


def test_person_asks_and_joins_when_an_organiser_admits(mill, book):
    nora, key = stranger(book, "Nora"), link_key(mill)
    for _ in range(2):
        join_requests.ask_to_join(book, key, nora)
    assert mill.club.roles(nora) == () and not mill.club.knows(nora)
    assert [request.person for request in join_requests.list_open_requests(book, mill.club)] == [nora]
    for _ in range(2):
        join_requests.admit_person(book, mill.id, nora, by=mill.olga)
    assert mill.club.roles(nora) == ("member",) and clubs.came_by_choice(book, mill.club, nora)
    assert join_requests.find_request(book, mill.id, nora) is None
    with pytest.raises(Refused, match="already a member"):
        join_requests.ask_to_join(book, key, nora)


def test_admitted_guest_keeps_their_games(mill, book):
    nora, ben = stranger(book, "Nora"), mill.member("Ben")
    (guest,) = mill.open_season("free", names="Nora")
    join_requests.ask_to_join(book, link_key(mill), nora)
    with pytest.raises(Refused, match="both have an account"):
        join_requests.admit_person(book, mill.id, nora, by=mill.olga, guest=ben)
    with pytest.raises(Refused, match="not in the club"):
        join_requests.admit_person(book, mill.id, nora, by=mill.olga, guest="x")
    assert mill.club.roles(nora) == ()
    join_requests.admit_person(book, mill.id, nora, by=mill.olga, guest=guest)
    assert mill.club.person(guest) == nora and mill.club.player(mill.season, nora) is not None


def test_refused_person_cannot_ask_again_but_is_invited(mill, book):
    nora, key = stranger(book, "Nora"), link_key(mill)
    join_requests.ask_to_join(book, key, nora)
    join_requests.refuse_request(book, mill.id, nora, by=mill.olga)
    join_requests.ask_to_join(book, key, nora)
    assert join_requests.list_open_requests(book, mill.club) == []
    assert join_requests.find_request(book, mill.id, nora).refused_at


def test_link_ends_when_replaced_closed_or_its_maker_leaves(mill, book):
    nora = stranger(book, "Nora")
    paul = mill.member("Paul", "organiser")
    first, second = link_key(mill), link_key(mill, by=paul)
    with pytest.raises(InvalidInvitationError):
        join_requests.ask_to_join(book, first, nora)
    assert join_requests.read_club_link(book, second) is not None
    mill.by_olga(GiveRoles(paul, ()))
    with pytest.raises(InvalidInvitationError):
        join_requests.ask_to_join(book, second, nora)
    third = link_key(mill)
    join_requests.close_club_link(book, mill.id, by=mill.olga)
    with pytest.raises(InvalidInvitationError):
        join_requests.ask_to_join(book, third, nora)
    assert join_requests.read_club_link(book, "x.y") is None


def test_members_neither_make_links_nor_answer_requests(mill, book):
    nora, anna = stranger(book, "Nora"), mill.member("Anna", "umpire", "scorekeeper")
    join_requests.ask_to_join(book, link_key(mill), nora)
    for act in (join_requests.make_club_link, join_requests.close_club_link):
        with pytest.raises(MayNotError):
            act(book, mill.id, by=anna)
    for act in (join_requests.admit_person, join_requests.refuse_request):
        with pytest.raises(MayNotError):
            act(book, mill.id, nora, by=anna)
    with pytest.raises(Refused, match="has not asked"):
        join_requests.admit_person(book, mill.id, stranger(book, "Otto"), by=mill.olga)


def test_open_requests_are_limited(mill, book, monkeypatch):
    monkeypatch.setattr(join_requests, "MAX_OPEN_REQUESTS_PER_CLUB", 1)
    key = link_key(mill)
    join_requests.ask_to_join(book, key, stranger(book, "Nora"))
    with pytest.raises(Refused, match="too many"):
        join_requests.ask_to_join(book, key, stranger(book, "Otto"))


def test_former_member_asks_again_and_file_names_requests(mill, book):
    anna = mill.member("Anna")
    mill.by_olga(EndMembership(anna))
    join_requests.ask_to_join(book, link_key(mill), anna)
    assert b'"join_requests": [\n    {\n      "club": "The Mill"' in personal_data.export_personal_data(book, anna)
    join_requests.withdraw_request(book, mill.id, anna)
    assert join_requests.find_request(book, mill.id, anna) is None


def test_request_moves_with_a_merged_account(mill, book):
    nora, other = stranger(book, "Nora"), stranger(book, "Eleonora")
    key = link_key(mill)
    join_requests.ask_to_join(book, key, other)
    account_merges.merge_accounts(book, nora, other)
    assert [request.person for request in join_requests.list_open_requests(book, mill.club)] == [nora]


def test_pages_carry_a_request_from_link_to_member(mill, book):
    stranger(book, "Nora")
    mill.open_season("free", names="Nora")
    olga, nora = mill.signed_in(), mill.signed_in("nora")
    people = f"{mill.path}/people"
    page = olga.send(olga.get(people).form("Create the club’s link"))
    assert "Revoke it" in page.text
    key = join_requests.sign_club_link(book, join_requests.find_club_link(book, mill.id))
    assert key in page.html
    page = nora.send(nora.get("/invited").form("Open"), key=f"http://localhost/invited#{key}")
    page = nora.send(page.form("Ask to join as Nora"))
    assert "Your request is sent." in page.text
    assert "1 person asks to join" in olga.get(mill.path).text
    page = olga.get(people)
    assert "Nora asks to join" in page.text
    guest = next(person for person in mill.club.everybody() if person != mill.olga)
    page = olga.send(page.form("Admit"), answer="admit")
    assert mill.club.person(guest) != guest and mill.club.roles(guest) == ("member",)
    assert nora.get(mill.path).status == 200


def test_visitor_without_an_account_is_led_to_one(mill, book, app):
    key, someone = link_key(mill), Visitor(app)
    page = someone.send(someone.get("/invited").form("Open"), key=key)
    assert "Sign in first, or create an account." in page.text and "The Mill" in page.text


def test_api_lists_and_answers_requests(mill, book, app):
    nora, otto, key = stranger(book, "Nora"), stranger(book, "Otto"), link_key(mill)
    for person in (nora, otto):
        join_requests.ask_to_join(book, key, person)
    caller = Caller(app.test_client())
    olga, asking = (accounts.make_key(book, person, "script") for person in (mill.olga, nora))
    where = f"/clubs/{mill.id}/join-requests"
    assert [row["name"] for row in caller.get(where, olga).json["requests"]] == ["Nora", "Otto"]
    assert caller.get(where, asking).status_code == 403
    assert caller.post(f"{where}/{nora}", {"answer": "admit"}, asking).status_code == 403
    assert caller.post(f"{where}/{nora}", {"answer": "admit"}, olga).json == {"person": nora, "member": True}
    assert caller.post(f"{where}/{otto}", {"answer": "refuse"}, olga).json == {"person": otto, "member": False}
    assert caller.get(where, olga).json["requests"] == []


def test_person_who_left_is_not_admitted_by_an_old_request(mill, book):
    nora = stranger(book, "Nora")
    join_requests.ask_to_join(book, link_key(mill), nora)
    joining.accept_invitation(book, invitations.invite_to_club(book, mill.id, (), by=mill.olga), nora)
    mill.by_olga(EndMembership(nora))
    assert join_requests.list_open_requests(book, mill.club) == []
    with pytest.raises(Refused, match="not asked"):
        join_requests.admit_person(book, mill.id, nora, by=mill.olga)


def test_refused_person_is_not_admitted_later(mill, book):
    nora = stranger(book, "Nora")
    join_requests.ask_to_join(book, link_key(mill), nora)
    join_requests.refuse_request(book, mill.id, nora, by=mill.olga)
    with pytest.raises(Refused, match="not asked"):
        join_requests.admit_person(book, mill.id, nora, by=mill.olga)


def test_request_of_a_merged_account_ends_with_a_membership(mill, book):
    nora, other = mill.member("Nora"), stranger(book, "Eleonora")
    join_requests.ask_to_join(book, link_key(mill), other)
    account_merges.merge_accounts(book, nora, other)
    mill.by_olga(EndMembership(nora))
    assert join_requests.list_open_requests(book, mill.club) == []
