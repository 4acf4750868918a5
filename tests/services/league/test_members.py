"""People of a club: invited, merged, split; and how far an organiser's hand reaches."""

from __future__ import annotations

from uuid import UUID, uuid4, uuid5

import pytest
import sqlalchemy as sa

from daybook.domain import disputes
from daybook.domain.commands import Close
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import (
    AddMember,
    AnswerEvening,
    CorrectSeating,
    EndMembership,
    EnterPlayers,
    EnterResult,
    GiveRoles,
    MergePeople,
    RemoveClub,
    RenameClub,
    RestoreClub,
    SplitPeople,
)
from daybook.domain.league.club_events import BESIDE, GameEntered
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import Entrant
from daybook.services.disputes import umpires
from daybook.services.league import anonymity, clubs, joining, members, portraits
from daybook.services.people import accounts, invitations
from daybook.services.people.accounts import InvalidAccountError
from daybook.services.people.invitations import InvalidInvitationError
from daybook.services.permissions import club_roles
from daybook.services.permissions.actions import MayNotError
from daybook.services.play.repetition import KeyUsedError
from daybook.services.store.kept import kept_person
from tests.played import key, play, write
from tests.refusals import refused_for
from tests.services.at_once import ROUNDS, at_once
from tests.services.clubbing import PASSWORD, account, bring_in, found_club, guest, join_anew, new_game, open_club_game
from tests.services.leagues import join, write_event

pytestmark = pytest.mark.sqlite_suffices


def test_invitation_makes_a_member_with_its_roles_once(book, anna, club):
    made = members.invite(book, club, ("scorekeeper",), by=anna)
    link = invitations.key_of(book, made)
    ben = joining.accept_with_new_account(
        book, invitations.read_invitation(book, link), "Ben", sign_in="ben", password=PASSWORD
    )
    assert book.clubs.get(club).roles(ben) == ("scorekeeper", "member")
    with refused_for("used", InvalidInvitationError):
        joining.accept_with_new_account(book, made, "Cleo", sign_in="cleo", password=PASSWORD)
    assert accounts.person_of_sign_in(book, "cleo") is None  # nothing is left of her
    with pytest.raises(InvalidInvitationError):
        invitations.read_invitation(book, link)
    assert len(book.clubs.get(club).people()) == 2


def test_who_comes_without_a_password_comes_back_by_a_link(book, anna, club):
    ben = joining.accept_with_new_account(book, members.invite(book, club, by=anna), "Ben")
    found = accounts.account_of(book, ben)
    assert found is not None and (found.sign_in, found.has_password) == (None, False)
    link = members.sign_in_link(book, club, ben, by=anna)
    assert link.person == ben


def test_an_invitation_dies_with_the_role_of_who_made_it(book, anna, club):
    eve = account(book, "eve")
    bring_in(book, club, eve, ("organiser",), by=anna)
    made = members.invite(book, club, ("organiser",), by=eve)
    clubs.write(book, club, GiveRoles(eve, ()), by=anna, key=key())
    with refused_for("revoked", InvalidInvitationError):
        joining.accept_with_new_account(book, made, "Mallory")


def test_only_organisers_invite_merge_and_add(book, anna, club):
    eve, ben = account(book, "eve"), guest(book, "Ben")
    bring_in(book, club, eve, ("umpire", "scorekeeper"), by=anna)
    for act in (
        lambda: members.invite(book, club, by=eve),
        lambda: members.add_member(book, club, "Cleo", by=eve, key=key()),
        lambda: clubs.write(book, club, MergePeople(eve, ben, "x"), by=eve, key=key()),
        lambda: members.sign_in_link(book, club, anna, by=eve),
        lambda: clubs.write(book, club, AddMember(ben), by=eve, key=key()),
        lambda: members.rename_guest(book, club, ben, "Benno", by=eve),
    ):
        with pytest.raises(MayNotError):
            act()
    assert not members.may_act_for(book, book.clubs.get(club), eve, anna)


def test_invited_guest_becomes_that_person_and_keeps_games(book, anna, club):
    ben = guest(book, "Ben")
    game = open_club_game(book, club, [anna, ben], by=anna)
    made = members.invite(book, club, person=ben, by=anna)
    assert joining.accept_with_new_account(book, made, "Benjamin", sign_in="ben", password=PASSWORD) == ben
    assert "seat:1" in [grant.place for grant in club_roles.role_grants(book, ben, game)]
    kept = book.kept.game(game)
    assert kept is not None and kept.names == ("anna", "Benjamin")
    with refused_for("has_sign_in"):
        members.invite(book, club, person=ben, by=anna)


def test_somebody_with_an_account_says_that_they_are_a_guest(book, anna, club):
    eve, ben = account(book, "eve"), guest(book, "Ben")
    game = open_club_game(book, club, [anna, ben], by=anna)
    made = members.invite(book, club, person=ben, by=anna)
    joining.accept_invitation(book, made, eve)
    found = book.clubs.get(club)
    assert found.person(ben) == eve and found.roles(eve) == ("member",)
    assert [grant.place for grant in club_roles.role_grants(book, eve, game)] == ["reader"], "a merge opens no hand"


def test_person_of_the_same_table_cannot_claim_the_seat(book, anna, club):
    eve, ben = account(book, "eve"), guest(book, "Ben")
    bring_in(book, club, eve, by=anna)
    open_club_game(book, club, [eve, ben], by=anna)
    made = members.invite(book, club, person=ben, by=anna)
    with pytest.raises(Refused):
        joining.accept_invitation(book, made, eve)
    assert invitations.read_invitation(book, invitations.key_of(book, made)) == made


def test_so_many_invitations_of_a_club_are_open_and_no_more(book, anna, club, monkeypatch):
    monkeypatch.setattr(invitations, "OPEN_LIMIT", 2)
    made = [members.invite(book, club, by=anna) for _ in range(2)]
    with pytest.raises(accounts.InvalidAccountError, match="2 invitations are already open"):
        members.invite(book, club, by=anna)
    joining.accept_invitation(book, made[0], account(book, "eve"))
    members.invite(book, club, by=anna)


def test_merging_and_splitting_move_nothing_and_lose_nothing(book, anna, club):
    ben, also = guest(book, "Ben"), guest(book, "Ben M.")
    one = open_club_game(book, club, [anna, ben], by=anna)
    two = open_club_game(book, club, [anna, also], by=anna)
    before = [book.log.lines(game) for game in (one, two)]
    clubs.write(book, club, MergePeople(ben, also, "the same person"), by=anna, key=key())
    assert book.clubs.get(club).ids_of(ben) == [ben, also]
    (merge,) = book.clubs.get(club).merges
    clubs.write(book, club, SplitPeople(merge, "they are brothers"), by=anna, key=key())
    assert book.clubs.get(club).ids_of(ben) == [ben]
    assert [book.log.lines(game) for game in (one, two)] == before
    assert book.kept.names([ben, also]) == {ben: "Ben", also: "Ben M."}


def test_merge_keeps_the_account_and_refuses_two_accounts(book, anna, club):
    eve, ben = account(book, "eve"), guest(book, "Ben")
    bring_in(book, club, eve, by=anna)
    open_club_game(book, club, [anna, ben], by=anna)
    clubs.write(book, club, MergePeople(ben, eve, "the same person"), by=anna, key=key())
    assert book.clubs.get(club).person(ben) == eve
    with refused_for("two_sign_ins"):
        clubs.write(book, club, MergePeople(anna, eve, "x"), by=anna, key=key())
    with refused_for("not_of_club"):
        clubs.write(book, club, MergePeople(anna, guest(book, "Stranger"), "x"), by=anna, key=key())


# --- how far an organiser's hand reaches -----------------------------------------------------------------------------


def test_link_for_account_of_club_is_made(book, anna, club):
    ben = join_anew(book, club, "ben", by=anna)
    assert members.sign_in_link(book, club, ben, by=anna).person == ben
    assert accounts.changes_of(book, [ben])[0].what == "link_made"


def test_nobody_walks_through_one_club_into_another(book, anna, club):
    """An organiser of one of a person's clubs does not act for them in the others."""
    ben, eve = account(book, "ben"), account(book, "eve")
    bring_in(book, club, ben, by=anna)
    other = found_club(book, eve, "Other Club")
    bring_in(book, other, ben, by=eve)
    for organiser, of in ((anna, club), (eve, other)):
        with refused_for("other_clubs"):
            members.sign_in_link(book, of, ben, by=organiser)
        assert not members.may_act_for(book, book.clubs.get(of), organiser, ben)
    assert members.may_act_for(book, book.clubs.get(club), clubs.OPERATOR, ben)


def test_nobody_is_drawn_into_a_club_to_be_taken_over(book, anna, club):
    """An id that stands in a record is no consent."""
    ben, eve = account(book, "ben"), account(book, "eve")
    accounts.set_address(book, ben, "ben@example.org", by=ben)
    other = found_club(book, eve, "Other Club")
    join(book, other, ben, by=eve)
    assert not members.may_act_for(book, book.clubs.get(other), eve, ben)
    assert not portraits.may_see_portrait(book, eve, ben)
    with pytest.raises(Refused):
        members.sign_in_link(book, other, ben, by=eve)
    game = open_club_game(book, other, [eve, ben], by=eve)
    assert game
    with refused_for("invite_them"):
        clubs.write(book, other, AddMember(ben), by=eve, key=key())
    with refused_for("own_name"):
        members.rename_guest(book, other, ben, "Mallory", by=eve)


def test_a_guest_of_two_clubs_is_neither_clubs_to_give_away(book, anna, club):
    eve, cleo = account(book, "eve"), guest(book, "Cleo")
    other = found_club(book, eve, "Other Club")
    open_club_game(book, club, [anna, cleo], by=anna)
    with refused_for("stranger"):
        open_club_game(book, other, [eve, cleo], by=eve)
    seats = (eve, cleo)
    write_event(
        book,
        other,
        GameEntered,
        by=eve,
        season=BESIDE,
        table="1",
        game=str(uuid4()),
        ruleset="making_profit",
        seats=seats,
    )
    with refused_for("other_clubs"):
        members.invite(book, other, person=cleo, by=eve)
    with pytest.raises(Refused):
        members.rename_guest(book, other, cleo, "Mallory", by=eve)


def test_photos_and_addresses_are_seen_by_who_shares_a_club(book, anna, club):
    ben, eve = account(book, "ben"), account(book, "eve")
    bring_in(book, club, ben, by=anna)
    assert portraits.may_see_portrait(book, anna, ben) and portraits.may_see_portrait(book, ben, anna)
    assert not portraits.may_see_portrait(book, eve, ben) and not portraits.may_see_portrait(book, ben, eve)
    clubs.write(book, club, EndMembership(ben), by=ben, key=key())
    assert not portraits.may_see_portrait(book, anna, ben)


def test_adding_somebody_twice_with_one_key_adds_one(book, anna, club):
    once = key()
    assert members.add_member(book, club, "Ben", by=anna, key=once) == members.add_member(
        book, club, "Ben", by=anna, key=once
    )
    assert len(book.clubs.get(club).people()) == 2


@pytest.mark.both_databases
def test_adding_somebody_twice_at_one_moment_adds_one(book, anna, club):
    keys = [key() for _ in range(ROUNDS)]
    told: dict[int, set[str]] = {number: set() for number in range(ROUNDS)}
    at_once(lambda number: told[number].add(members.add_member(book, club, f"Ben {number}", by=anna, key=keys[number])))
    added = [person for person in book.clubs.get(club).people() if person != anna]
    assert [{member} for member in added] == [*told.values()]
    with book.kept.engine.connect() as c:
        assert {*c.scalars(sa.select(kept_person.c.id))} == {anna, *added}


def test_older_guest_link_takes_over_no_account(book, anna, club):
    ben, mallory = guest(book, "Ben"), account(book, "mallory")
    open_club_game(book, club, [anna, ben], by=anna)
    one, two = (members.invite(book, club, ("organiser",), person=ben, by=anna) for _ in range(2))
    joining.accept_with_new_account(book, one, "Ben", sign_in="ben", password=PASSWORD)
    with refused_for("two_sign_ins"):
        joining.accept_invitation(book, two, mallory)
    found = book.clubs.get(club)
    assert found.person(ben) == ben and found.roles(mallory) == ()


def test_invitation_of_guest_merged_with_a_member_is_refused(book, anna, club):
    """Else its holder, an organiser say, has an account that is the member in this club."""
    ben = account(book, "ben")
    bring_in(book, club, ben, by=anna)
    gus = members.add_member(book, club, "Gus", by=anna, key=key())
    made = members.invite(book, club, person=gus, by=anna)
    clubs.write(book, club, MergePeople(ben, gus, "the same"), by=anna, key=key())
    with refused_for("two_sign_ins"):
        joining.accept_with_new_account(book, made, "Eve", sign_in="eve", password=PASSWORD)
    assert accounts.person_of_sign_in(book, "eve") is None and accounts.account_of(book, gus) is None
    joining.accept_invitation(book, made, ben)


def test_merge_while_an_invitation_is_accepted_leaves_no_account(book, anna, club, monkeypatch):
    ben = account(book, "ben")
    bring_in(book, club, ben, by=anna)
    gus = members.add_member(book, club, "Gus", by=anna, key=key())
    made = members.invite(book, club, person=gus, by=anna)
    make = accounts.make_account

    def make_after_merge(*said, **more):
        clubs.write(book, club, MergePeople(ben, gus, "the same"), by=anna, key=key())
        return make(*said, **more)

    monkeypatch.setattr(accounts, "make_account", make_after_merge)
    with refused_for("two_sign_ins"):
        joining.accept_with_new_account(book, made, "Eve", sign_in="eve", password=PASSWORD)
    assert accounts.account_of(book, gus) is None


def test_guest_invitation_is_refused_once_they_have_an_account(book, anna, club):
    ben = guest(book, "Ben")
    open_club_game(book, club, [anna, ben], by=anna)
    one, two = (members.invite(book, club, person=ben, by=anna) for _ in range(2))
    joining.accept_with_new_account(book, one, "Ben", sign_in="ben", password=PASSWORD)
    with refused_for("revoked", InvalidInvitationError):
        joining.accept_with_new_account(book, two, "Mallory", sign_in="mallory", password=PASSWORD)


def test_no_organiser_can_predict_keys_of_invitations_or_leaving(book, anna, club):
    ben = guest(book, "Ben")
    bring_in(book, club, ben, by=anna)
    made = members.invite(book, club, ("scorekeeper",), by=anna)
    foretold = [f"invitation-{made.id}{part}" for part in ("", "-in", "-roles")] + [f"anonymous-{uuid5(club, ben)}"]
    for number, known in enumerate(foretold):
        clubs.write(book, club, RenameClub(f"Here first {number}"), by=anna, key=known)
    cleo = joining.accept_with_new_account(book, made, "Cleo")
    assert book.clubs.get(club).roles(cleo) == ("scorekeeper", "member")
    anonymity.make_anonymous(book, ben, by=anna)
    assert book.clubs.get(club).roles(ben) == ()


def test_other_name_under_a_used_key_is_refused(book, anna, club):
    ben = members.add_member(book, club, "Ben", by=anna, key="a-key")
    assert members.add_member(book, club, "Ben", by=anna, key="a-key") == ben
    with pytest.raises(KeyUsedError):
        members.add_member(book, club, "Cleo", by=anna, key="a-key")
    assert book.kept.names([ben]) == {ben: "Ben"}
    assert len(book.clubs.get(club).people()) == 2


def test_a_merge_sent_again_is_answered(book, anna, club):
    """Once they are one person, neither could be merged with the other."""
    eve, ben = account(book, "eve"), guest(book, "Ben")
    for value in (eve, ben):
        bring_in(book, club, value, by=anna)
    for _ in range(2):
        clubs.write(book, club, MergePeople(ben, eve, "the same"), by=anna, key="a-key")
    assert book.clubs.get(club).person(ben) == eve
    with pytest.raises(KeyUsedError):
        clubs.write(book, club, MergePeople(ben, eve, "another reason"), by=anna, key="a-key")


def test_who_left_is_no_member_again_by_a_merge(book, anna, club):
    """Otherwise an organiser could sign in as a former member by merging them with another id."""
    ben = account(book, "ben")
    bring_in(book, club, ben, by=anna)
    open_club_game(book, club, [anna, ben], by=anna)
    clubs.write(book, club, EndMembership(ben), by=ben, key=key())
    again = members.add_member(book, club, "Ben B.", by=anna, key=key())
    for kept, gone in ((ben, again), (again, ben)):
        with refused_for("has_left"):
            clubs.write(book, club, MergePeople(kept, gone, "the same"), by=anna, key=key())
    assert not members.may_act_for(book, book.clubs.get(club), anna, ben)
    assert not portraits.may_see_portrait(book, anna, ben)
    played = guest(book, "Benno")
    open_club_game(book, club, [anna, played], by=anna)
    clubs.write(book, club, MergePeople(ben, played, "the same"), by=anna, key=key())  # a guest makes nobody a member
    assert book.clubs.get(club).roles(ben) == ()
    with pytest.raises(Refused):
        members.sign_in_link(book, club, ben, by=anna)


def test_sign_in_link_ends_with_the_right_of_its_maker(book, anna, club):
    """A link waits for days: a person who has left, or joined another club, is out of the organiser's reach."""
    ben, cleo, dan = (join_anew(book, club, name, by=anna) for name in ("ben", "cleo", "dan"))
    links = {
        person: invitations.key_of(book, members.sign_in_link(book, club, person, by=anna))
        for person in (ben, cleo, dan)
    }
    clubs.write(book, club, EndMembership(ben), by=ben, key=key())
    eve = account(book, "eve")
    bring_in(book, found_club(book, eve, "Other Club"), cleo, by=eve)
    for person in (ben, cleo):
        with refused_for("revoked", InvalidInvitationError):
            joining.read_invitation(book, links[person])
    assert joining.read_invitation(book, links[dan]).person == dan
    by_operator = invitations.sign_in_link(book, ben, by=clubs.OPERATOR)
    assert joining.read_invitation(book, invitations.key_of(book, by_operator)) == by_operator


def test_a_word_of_ours_is_no_persons_id(book, anna, club):
    """A person with such an id could be invited, make an account, and act as the operator."""
    for id in (clubs.OPERATOR, "two words", "", "x" * 65, "\u202e"):
        placed = [Placed(id, 0, 1), Placed(anna, 1, 2)]
        with refused_for("no_person"):
            clubs.write(book, club, EnterResult(BESIDE, "making_profit", placed), by=anna, key=key())
        with refused_for("no_person", InvalidAccountError):
            accounts.make_account(book, "Mallory", sign_in="mallory", password=PASSWORD, person=id)
    assert accounts.person_of_sign_in(book, "mallory") is None
    game = open_club_game(book, club, [anna, guest(book, "Ben")], by=anna)
    cleo = members.add_member(book, club, "Cleo", by=anna, key=key())
    (table,) = book.clubs.get(club).beside.tables
    play(book, game, seed=1)
    write(book, game, Close())
    for people in ([anna, clubs.OPERATOR], [clubs.OPERATOR, cleo]):
        with refused_for("no_person"):
            clubs.write(book, club, CorrectSeating(BESIDE, table, people, "mistaken"), by=anna, key=key())


def test_whom_a_game_names_as_its_umpire_is_no_clubs_guest(book, anna, club):
    """A guest can be renamed, be made anonymous, and get an account: the umpire would be called as that says."""
    game, eve = open_club_game(book, club, [anna, guest(book, "Ben")], by=anna), account(book, "eve")
    umpires.name_umpire(book, game, "Ursula", by="scorekeeper", key=key())
    (ursula,) = disputes.umpires(book.games.get(game))
    other, mine = found_club(book, eve, "Other Club"), [eve, guest(book, "Gus")]
    open_club_game(book, other, mine, by=eve)
    (table,) = book.clubs.get(other).beside.tables
    play(book, UUID(book.clubs.get(other).beside.tables[table].game), seed=1)
    write(book, UUID(book.clubs.get(other).beside.tables[table].game), Close())
    typed = EnterResult(BESIDE, "making_profit", [Placed(eve, 0, 1), Placed(ursula, 1, 2)])
    for enter in (
        lambda: clubs.write(book, other, typed, by=eve, key=key()),
        lambda: clubs.preview(book, other, typed, by=eve),
        lambda: clubs.open_table(book, other, BESIDE, None, new_game(book, [eve, ursula]), by=eve, key=key()),
        lambda: clubs.write(book, other, CorrectSeating(BESIDE, table, [eve, ursula], "mistaken"), by=eve, key=key()),
        lambda: clubs.write(book, other, EnterPlayers("1", (Entrant(ursula),)), by=eve, key=key()),
        lambda: clubs.write(book, other, AnswerEvening("1", "yes", ursula), by=eve, key=key()),
    ):
        with refused_for("stranger"):
            enter()
    for act in (
        lambda: members.invite(book, other, person=ursula, by=eve),
        lambda: members.rename_guest(book, other, ursula, "Mallory", by=eve),
    ):
        with pytest.raises(Refused):
            act()
    assert not members.may_act_for(book, book.clubs.get(other), eve, ursula)
    assert book.kept.names([ursula]) == {ursula: "Ursula"}


def test_who_cannot_come_into_the_club_has_no_account_afterwards(book, anna, club):
    made = members.invite(book, club, by=anna)
    clubs.write(book, club, RemoveClub("a mistake"), by=anna, key=key())
    with refused_for("club_removed"):
        joining.accept_with_new_account(book, made, "Ben", sign_in="ben", password=PASSWORD)
    assert accounts.person_of_sign_in(book, "ben") is None
    clubs.write(book, club, RestoreClub("none after all"), by=anna, key=key())
    assert joining.accept_with_new_account(book, made, "Ben", sign_in="ben", password=PASSWORD)


def test_a_club_that_was_removed_holds_nobody(book, anna, club):
    """Only its organisers can restore it."""
    other = found_club(book, anna, "Other")
    ben, eve, mo = (account(book, name) for name in ("ben", "eve", "moe"))
    for person, roles in ((ben, ()), (eve, ()), (mo, ("organiser",))):
        bring_in(book, club, person, roles, by=anna)
        bring_in(book, other, person, by=anna)
    clubs.write(book, club, RemoveClub("a mistake"), by=anna, key=key())
    clubs.write(book, club, EndMembership(ben), by=ben, key=key())
    for person in (eve, mo):
        anonymity.make_anonymous(book, person, by=person)
    assert book.clubs.get(club).people().keys() == {anna}
    assert book.clubs.get(other).people().keys() == {anna, ben}
    with refused_for("club_removed"):
        join(book, club, ben, by=anna)
