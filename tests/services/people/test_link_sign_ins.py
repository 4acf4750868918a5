"""Sign-in links: for which members an organiser may create one, and how the member undoes its use."""

from __future__ import annotations

from uuid import UUID

import pytest
import sqlalchemy as sa

from daybook.domain.league.club_commands import EndMembership, MergePeople
from daybook.services.clock import later_time, now
from daybook.services.league import anonymity, clubs, joining, members
from daybook.services.people import accounts, invitations, link_consent, link_sign_ins, link_undo, operators
from daybook.services.people.accounts import InvalidAccountError, Session, WrongCredentialsError
from daybook.services.people.invitations import InvalidInvitationError
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_link_sign_in
from tests.played import key
from tests.refusals import refused_for
from tests.services.clubbing import PASSWORD, account, bring_in, found_club, guest, join_anew, open_club_game
from tests.services.leagues import join

pytestmark = pytest.mark.sqlite_suffices

NEW = "eight looms at dawn"
THIRD = "nine looms at dawn"


def session_of(book: Daybook, token: str) -> Session:
    found = accounts.session_of(book, token)
    assert found is not None
    return found


def signed_in(book: Daybook, name: str, password: str = PASSWORD) -> Session:
    return session_of(book, accounts.sign_in(book, name, password, origin="10.0.0.1", device="Firefox"))


def works(book: Daybook, name: str, password: str) -> bool:
    try:
        accounts.check_sign_in(book, name, password, "10.0.0.1", seen_before=True)
    except WrongCredentialsError:
        return False
    return True


def let_in(book: Daybook, person: str, by: str = clubs.OPERATOR) -> Session:
    """Use a sign-in link, as its creator could."""
    return session_of(book, invitations.sign_in_by_link(book, invitations.sign_in_link(book, person, by=by), "Chrome"))


def set_by_link(book: Daybook, session: Session, name: str, password: str = NEW) -> Session:
    """Set a password on the device that a link signed in, as the page does. Return the device's new session."""
    trial = link_undo.open_sign_in_of(book, session)
    by_link = trial.id if trial else None
    accounts.set_password(book, session.person, name, password, by_link=by_link, by=session.person)
    return session_of(book, accounts.begin_session(book, session.person, "Chrome", lambda c: by_link))


# --- for whom --------------------------------------------------------------------------------------------------------


def test_link_for_member_with_own_account_is_refused(book, anna, club):
    ben = account(book, "ben")
    bring_in(book, club, ben, by=anna)
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, ben, by=anna)
    link_consent.allow_links(book, ben, club)
    assert members.sign_in_link(book, club, ben, by=anna).person == ben


def test_link_for_founder_is_refused_to_other_organiser(book, anna, club):
    ben = join_anew(book, club, "ben", ("organiser",), by=anna)
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, anna, by=ben)


def test_link_ends_when_member_forbids_it(book, anna, club):
    ben = account(book, "ben")
    bring_in(book, club, ben, by=anna)
    link_consent.allow_links(book, ben, club)
    link = members.sign_in_link(book, club, ben, by=anna)
    link_consent.forbid_links(book, ben, club)
    with refused_for("revoked", InvalidInvitationError):
        invitations.sign_in_by_link(book, link, "Chrome")
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, ben, by=anna)


def test_consent_ends_when_member_leaves(book, anna, club):
    ben = account(book, "ben")
    bring_in(book, club, ben, by=anna)
    link_consent.allow_links(book, ben, club)
    clubs.write(book, club, EndMembership(ben), by=ben, key=key())
    bring_in(book, club, ben, by=anna)
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, ben, by=anna)


def test_account_of_club_is_released_by_own_password(book, anna, club):
    ben = join_anew(book, club, "ben", by=anna)
    link = members.sign_in_link(book, club, ben, by=anna)
    accounts.set_password(book, ben, "ben", NEW, by=ben)
    with refused_for("revoked", InvalidInvitationError):
        invitations.sign_in_by_link(book, link, "Chrome")
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, ben, by=anna)


@pytest.mark.both_databases
def test_account_without_password_belongs_to_club(book, anna, club):
    child = joining.accept_with_new_account(book, members.invite(book, club, by=anna), "Mina")
    assert members.sign_in_link(book, club, child, by=anna).person == child
    held = accounts.account_of(book, child)
    assert held is not None
    members.forbid_links(book, held, club)
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, child, by=anna)


def test_account_of_club_in_second_club_is_out_of_reach(book, anna, club):
    ben, eve = join_anew(book, club, "ben", by=anna), account(book, "eve")
    other = found_club(book, eve, "Other Club")
    bring_in(book, other, ben, by=eve)
    for organiser, of in ((anna, club), (eve, other)):
        with refused_for("other_clubs"):
            members.sign_in_link(book, of, ben, by=organiser)
    bring_in(book, other, anna, ("organiser",), by=eve)
    assert members.sign_in_link(book, club, ben, by=anna).person == ben
    with refused_for("other_clubs"):
        members.sign_in_link(book, other, ben, by=eve)


def test_account_of_first_club_is_not_the_second_clubs(book, anna, club):
    """Also where one organiser organises both."""
    ben, other = join_anew(book, club, "ben", by=anna), found_club(book, anna, "Other Club")
    bring_in(book, other, ben, by=anna)
    with refused_for("not_allowed"):
        members.sign_in_link(book, other, ben, by=anna)


def test_account_joined_as_guest_is_not_the_clubs(book, anna, club):
    """A person who claims to be a guest of the club brings their own account."""
    eve, gus = account(book, "eve"), guest(book, "Gus")
    open_club_game(book, club, [anna, gus], by=anna)
    joining.accept_invitation(book, members.invite(book, club, person=gus, by=anna), eve)
    for id in (eve, gus):
        with refused_for("not_allowed"):
            members.sign_in_link(book, club, id, by=anna)


def test_merging_a_guest_gives_no_link(book, anna, club):
    eve, gus = account(book, "eve"), members.add_member(book, club, "Gus", by=anna, key=key())
    bring_in(book, club, eve, by=anna)
    clubs.write(book, club, MergePeople(gus, eve, "the same"), by=anna, key=key())
    for id in (eve, gus):
        with refused_for("not_allowed"):
            members.sign_in_link(book, club, id, by=anna)
        assert not members.may_act_for(book, book.clubs.get(club), anna, id)


def test_written_in_member_gives_no_link(book, anna, club):
    """An entry that an older Daybook accepted gives the club no power over the person."""
    ben = account(book, "ben")

    join(book, club, ben, by=anna)
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, ben, by=anna)


def test_fifth_open_link_is_the_last(book, anna, club):
    ben = join_anew(book, club, "ben", by=anna)
    for _ in range(link_sign_ins.OPEN_LIMIT):
        invitations.sign_in_by_link(book, members.sign_in_link(book, club, ben, by=anna), "Chrome")
    with refused_for("links_used"):
        members.sign_in_link(book, club, ben, by=anna)
    let_in(book, ben)


# --- guests and accounts ---------------------------------------------------------------------------------------------


def test_organiser_acts_only_for_guests(book, anna, club):
    own, ours = account(book, "ben"), join_anew(book, club, "cleo", by=anna)
    bring_in(book, club, own, by=anna)
    link_consent.allow_links(book, own, club)
    gus = members.add_member(book, club, "Gus", by=anna, key=key())
    held = book.clubs.get(club)
    assert members.may_act_for(book, held, anna, gus)
    assert not any(members.may_act_for(book, held, anna, person) for person in (own, ours, anna))
    assert members.may_act_for(book, held, clubs.OPERATOR, own)


def test_guest_who_has_account_in_other_club_is_no_guest(book, anna, club):
    """The guest is merged, in the other club, with a person who has an account."""
    other = found_club(book, anna, "Other Club")
    gus = members.add_member(book, club, "Gus", by=anna, key=key())
    ben = account(book, "ben")
    bring_in(book, other, ben, by=anna)
    join(book, other, gus, by=anna)
    clubs.write(book, other, MergePeople(ben, gus, "the same"), by=anna, key=key())
    assert not members.may_act_for(book, book.clubs.get(club), anna, gus)
    with refused_for("other_clubs"):
        members.rename_guest(book, club, gus, "Mallory", by=anna)


# --- in addition to the old password ---------------------------------------------------------------------------------


def test_old_password_works_after_link_set_another(book, anna):
    phone = signed_in(book, "anna")
    set_by_link(book, let_in(book, anna), "mallory")
    assert works(book, "anna", PASSWORD) and works(book, "mallory", NEW)
    assert not works(book, "anna", NEW) and not works(book, "mallory", PASSWORD)
    assert accounts.is_still_valid(book, phone)
    assert accounts.is_password(book, anna, PASSWORD, "10.0.0.1")


def test_undo_restores_name_and_password(book, anna):
    phone = signed_in(book, "anna")
    thief = set_by_link(book, let_in(book, anna), "mallory")
    (link,) = link_undo.sign_ins_to_answer(book, session_of_id(book, phone))
    link_undo.undo_link_sign_in(book, phone, link.id)
    assert works(book, "anna", PASSWORD) and not works(book, "mallory", NEW)
    assert not accounts.is_still_valid(book, thief) and accounts.is_still_valid(book, phone)
    assert accounts.person_of_sign_in(book, "mallory") is None
    with refused_for("not_open", InvalidAccountError):
        link_undo.undo_link_sign_in(book, phone, link.id)


def session_of_id(book: Daybook, session: Session) -> Session:
    """Return a session as a request that comes now reads it."""
    found = next(item for item in accounts.sessions_of(book, session.person) if item.id == session.id)
    return Session(**{name: getattr(found, name) for name in found.__struct_fields__} | {"links_used": True})


def test_undo_with_old_password_on_new_device(book, anna):
    set_by_link(book, let_in(book, anna), "anna")
    phone = signed_in(book, "anna")
    (link,) = link_undo.sign_ins_to_answer(book, phone)
    link_undo.undo_link_sign_in(book, phone, link.id)
    assert works(book, "anna", PASSWORD) and not works(book, "anna", NEW)


def test_session_with_new_password_cannot_undo_or_confirm(book, anna):
    set_by_link(book, let_in(book, anna), "anna")
    thief = signed_in(book, "anna", NEW)
    assert thief.links_used and link_undo.open_sign_in_of(book, thief) is not None
    assert link_undo.sign_ins_to_answer(book, thief) == []
    (link,) = link_sign_ins.open_of(book, anna)
    for act in (link_undo.undo_link_sign_in, link_undo.confirm_link_sign_in):
        with refused_for("not_open", InvalidAccountError):
            act(book, thief, link.id)


def test_many_sign_ins_with_new_password_keep_the_owners_device(book, anna, monkeypatch):
    monkeypatch.setattr(accounts, "SESSIONS_LIMIT", 2)
    phone = signed_in(book, "anna")
    set_by_link(book, let_in(book, anna), "anna")
    for _ in range(4):
        signed_in(book, "anna", NEW)
    assert accounts.is_still_valid(book, phone)
    assert len(accounts.sessions_of(book, anna)) == 3


def test_old_name_still_names_the_person(book, anna):
    set_by_link(book, let_in(book, anna), "mallory")
    assert accounts.person_of_sign_in(book, "Anna") == accounts.person_of_sign_in(book, "mallory") == anna


def test_stranger_cannot_undo(book, anna):
    account(book, "eve")
    let_in(book, anna)
    (link,) = link_sign_ins.open_of(book, anna)
    with refused_for("not_open", InvalidAccountError):
        link_undo.undo_link_sign_in(book, signed_in(book, "eve"), link.id)


def test_undo_takes_account_and_consent_from_clubs(book, anna, club):
    ben = join_anew(book, club, "ben", by=anna)
    link_consent.allow_links(book, ben, club)
    phone = signed_in(book, "ben")
    let_in(book, ben, by=anna)
    waiting = members.sign_in_link(book, club, ben, by=anna)
    (link,) = link_sign_ins.open_of(book, ben)
    link_undo.undo_link_sign_in(book, phone, link.id)
    with refused_for("revoked", InvalidInvitationError):
        invitations.sign_in_by_link(book, waiting, "Chrome")
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, ben, by=anna)


def test_undo_of_first_password_removes_it(book, anna, club):
    child = joining.accept_with_new_account(book, members.invite(book, club, by=anna), "Mina")
    phone = session_of(book, accounts.begin_session(book, child, "Tablet"))
    thief = set_by_link(book, let_in(book, child), "mina")
    (link,) = link_sign_ins.open_of(book, child)
    link_undo.undo_link_sign_in(book, phone, link.id)
    held = accounts.account_of(book, child)
    assert held is not None and not held.has_password and held.sign_in is None
    assert not accounts.is_still_valid(book, thief)


@pytest.mark.both_databases
def test_confirm_ends_the_old_password(book, anna):
    phone = signed_in(book, "anna")
    tablet = set_by_link(book, let_in(book, anna), "anna")
    (link,) = link_sign_ins.open_of(book, anna)
    link_undo.confirm_link_sign_in(book, phone, link.id)
    assert works(book, "anna", NEW) and not works(book, "anna", PASSWORD)
    assert link_undo.open_sign_in_of(book, session_of_id(book, tablet)) is None
    assert link_sign_ins.open_of(book, anna) == []


@pytest.mark.both_databases
def test_after_the_days_the_new_password_is_the_only_one(book, anna):
    phone = signed_in(book, "anna")
    tablet = set_by_link(book, let_in(book, anna), "anna")
    with book.kept.engine.begin() as c:
        c.execute(kept_link_sign_in.update().values(ends_at=later_time(now(), seconds=-1)))
    assert works(book, "anna", NEW) and not works(book, "anna", PASSWORD)
    assert link_undo.open_sign_in_of(book, session_of_id(book, tablet)) is None
    assert link_undo.sign_ins_to_answer(book, session_of_id(book, phone)) == []
    let_in(book, anna)  # what is over is removed with the next one
    count = sa.select(sa.func.count()).select_from(kept_link_sign_in)
    assert book.kept.engine.value(count) == 1
    (link,) = link_undo.sign_ins_to_answer(book, session_of_id(book, tablet))
    link_undo.undo_link_sign_in(book, tablet, link.id)  # the device of the first link is the owner's by now
    assert works(book, "anna", NEW)


def test_second_link_is_undone_by_device_of_the_first(book, anna):
    signed_in(book, "anna")
    child = set_by_link(book, let_in(book, anna), "anna", NEW)
    thief = set_by_link(book, let_in(book, anna), "anna", THIRD)
    first, second = link_sign_ins.open_of(book, anna)
    assert works(book, "anna", PASSWORD) and works(book, "anna", NEW) and works(book, "anna", THIRD)
    assert link_undo.sign_ins_to_answer(book, session_of_id(book, thief)) == []
    assert link_undo.sign_ins_to_answer(book, session_of_id(book, child)) == [second]
    link_undo.undo_link_sign_in(book, child, second.id)
    assert works(book, "anna", NEW) and not works(book, "anna", THIRD)
    assert [link.id for link in link_sign_ins.open_of(book, anna)] == [first.id]


@pytest.mark.both_databases
def test_undo_of_the_first_link_undoes_the_second(book, anna):
    phone = signed_in(book, "anna")
    sessions = [set_by_link(book, let_in(book, anna), "anna", new) for new in (NEW, THIRD)]
    first, _ = link_sign_ins.open_of(book, anna)
    link_undo.undo_link_sign_in(book, phone, first.id)
    assert [works(book, "anna", password) for password in (PASSWORD, NEW, THIRD)] == [True, False, False]
    assert not any(accounts.is_still_valid(book, session) for session in sessions)


@pytest.mark.both_databases
def test_own_new_password_ends_all_that_a_link_set(book, anna):
    thief = set_by_link(book, let_in(book, anna), "mallory")
    accounts.set_password(book, anna, "anna", THIRD, by=anna)
    assert works(book, "anna", THIRD) and not works(book, "mallory", NEW)
    assert not accounts.is_still_valid(book, thief) and link_sign_ins.open_of(book, anna) == []


def test_link_keeps_keys_and_calendar(book, anna):
    key = accounts.make_key(book, anna, "script")
    set_by_link(book, let_in(book, anna), "anna")
    assert accounts.read_key(book, key) is not None


def test_name_that_an_undo_restores_is_taken(book, anna):
    set_by_link(book, let_in(book, anna), "mallory")
    with refused_for("taken", InvalidAccountError):
        account(book, "anna")
    eve = account(book, "eve")
    with refused_for("taken", InvalidAccountError):
        accounts.set_password(book, eve, "anna", NEW, by=eve)
    assert works(book, "eve", PASSWORD)


def test_operator_is_not_named_while_link_is_open(book, anna):
    phone = signed_in(book, "anna")
    set_by_link(book, let_in(book, anna), "anna")
    with refused_for("link_open", InvalidAccountError):
        operators.name_operator(book, anna, by=clubs.OPERATOR)
    (link,) = link_sign_ins.open_of(book, anna)
    link_undo.undo_link_sign_in(book, phone, link.id)
    operators.name_operator(book, anna, by=clubs.OPERATOR)


def test_anonymous_person_keeps_no_old_password(book, anna):
    set_by_link(book, let_in(book, anna), "mallory")
    anonymity.make_anonymous(book, anna, by=anna)
    assert link_sign_ins.open_of(book, anna) == []
    assert not works(book, "anna", PASSWORD) and not works(book, "mallory", NEW)


def test_link_works_once_with_its_notice_or_not_at_all(book, anna):
    link = invitations.sign_in_link(book, anna, by=clubs.OPERATOR)
    invitations.sign_in_by_link(book, link, "Chrome")
    with pytest.raises(InvalidInvitationError):
        invitations.sign_in_by_link(book, link, "Chrome")
    assert len(link_sign_ins.open_of(book, anna)) == 1
    assert UUID(link_sign_ins.open_of(book, anna)[0].id)
