"""Two accounts of one person become one: what moves, what ends, and where it cannot be done."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from daybook.domain.commands import Close
from daybook.domain.league.club_commands import (
    AnswerEvening,
    EnterPlayers,
    EnterResult,
    GiveRoles,
    PlanEvening,
    RemoveClub,
    RestoreClub,
    SplitPeople,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import Entrant
from daybook.services.clock import later_time, now
from daybook.services.league import (
    account_merges,
    anonymity,
    calendars,
    clubs,
    joining,
    members,
    personal_data,
    told_apart,
)
from daybook.services.operation import broken_off
from daybook.services.people import accounts, invitations, link_consent, operators, seated
from daybook.services.people.writers import role_grant_id
from daybook.services.permissions import club_roles
from daybook.services.statistics import collect
from daybook.services.store import kept
from daybook.services.store.kept import Person
from daybook.services.store.read_models import seat_summary
from tests.played import key, play, write
from tests.refusals import refused_for
from tests.services.clubbing import PASSWORD, account, bring_in, found_club, guest, join_anew, open_club_game
from tests.services.people.test_link_sign_ins import let_in, works

pytestmark = pytest.mark.sqlite_suffices

ID_COLUMNS = {  # every column that names a person by id, and what a merge does with it
    "kept_person.id": "stays: the name of the id that ended",
    "kept_look.person": "stays",
    "kept_earlier_name.person": "stays",
    "kept_seat.person": "moves",
    "kept_account.person": "ends",
    "kept_session.person": "ends",
    "kept_key.person": "moves",
    "kept_calendar.person": "moves",
    "kept_portrait.person": "moves",
    "kept_mail.person": "ends",
    "kept_push.person": "ends",
    "kept_message_choice.person": "ends",
    "kept_message.person": "ends",
    "kept_invitation.person": "moves",
    "kept_invitation.made_by": "moves",
    "kept_invitation.used_by": "moves",
    "kept_club_link.made_by": "moves",
    "kept_join_request.person": "moves",
    "kept_fork.owner": "moves",
    "kept_change.person": "moves",
    "kept_change.by": "moves",
    "kept_withheld.by": "moves",
    "kept_lease.person": "moves",
    "kept_merged_account.kept": "moves",
    "kept_merged_account.gone": "stays: the note itself",
    "kept_link_consent.person": "ends",
    "kept_link_sign_in.person": "none: refused while one is open",
    "kept_operator.person": "none: refused",
    "kept_anonymous.person": "none: refused",
    "kept_apart.by": "moves",
    "kept_apart.back_by": "moves",
}


@pytest.fixture
def ann(book):
    return account(book, "ann")


@pytest.fixture
def annie(book):
    return account(book, "annie")


@pytest.mark.both_databases
def test_seats_roles_and_answers_move(book, anna, club, ann, annie):
    bring_in(book, club, annie, ("scorekeeper",), by=anna)
    game = open_club_game(book, club, [anna, annie], by=anna)
    clubs.write(book, club, PlanEvening(later_time(now(), days=3)), by=anna, key=key())
    (evening,) = book.clubs.get(club).evenings
    clubs.write(book, club, AnswerEvening(evening, "yes", annie), by=annie, key=key())
    account_merges.merge_accounts(book, ann, annie)
    held = book.clubs.get(club)
    assert held.roles(ann) == ("scorekeeper", "member") and held.person(annie) == ann
    assert held.expected(held.evenings[evening], "yes") == [ann]
    assert clubs.came_by_choice(book, held, ann)
    assert "seat:1" in [grant.place for grant in club_roles.role_grants(book, ann, game)], "also while cards are hidden"
    assert [item["game"] for item in personal_data.games_of(book, ann)] == [str(game)]
    assert seated.people_of(book.games.get(game), book.kept.game(game)) == (anna, ann)


@pytest.mark.both_databases
def test_merged_account_ends_and_games_show_one_name(book, ann, annie):
    session = accounts.sign_in(book, "annie", PASSWORD, origin="10.0.0.1", device="")
    here = accounts.session_of(book, accounts.sign_in(book, "ann", PASSWORD, origin="10.0.0.1", device=""))
    assert here is not None
    account_merges.merge_accounts(book, ann, annie, but=here.id)
    assert accounts.account_of(book, annie) is None and accounts.session_of(book, session) is None
    assert accounts.is_still_valid(book, here)
    assert works(book, "ann", PASSWORD) and not works(book, "annie", PASSWORD)
    assert book.kept.names([ann, annie]) == {ann: "ann", annie: "ann"}
    accounts.rename_person(book, ann, "Ann Lee", by=ann)
    assert book.kept.names([ann, annie]) == {ann: "Ann Lee", annie: "Ann Lee"}


def test_keys_and_calendar_and_links_move(book, club, anna, ann, annie):
    bring_in(book, club, annie, ("organiser",), by=anna)
    program, calendar = accounts.make_key(book, annie, "script"), calendars.make_key(book, annie, by=annie)
    link = members.invite(book, club, by=annie)
    account_merges.merge_accounts(book, ann, annie)
    held = accounts.read_key(book, program)
    assert held is not None and held.person == ann
    assert calendars.person_of_key(book, calendar) == ann
    cleo = joining.accept_with_new_account(book, link, "Cleo")
    assert book.clubs.get(club).roles(cleo) == ("member",)


@pytest.mark.both_databases
def test_statistics_count_the_seats_of_both(book, club, anna, ann, annie):
    bring_in(book, club, annie, by=anna)
    game = open_club_game(book, club, [anna, annie], by=anna)
    play(book, game, seed=1)
    write(book, game, Close())
    collect.count_game(book, game)
    account_merges.merge_accounts(book, ann, annie)
    people = sa.select(seat_summary.c.person).where(seat_summary.c.game == game).order_by(seat_summary.c.seat)
    assert [*book.views.values(people)] == [anna, ann]
    collect.count_game(book, game)
    assert [*book.views.values(people)] == [anna, ann]


def test_second_calendar_ends(book, ann, annie):
    own, other = (calendars.make_key(book, person, by=person) for person in (ann, annie))
    assert account_merges.plan_merge(book, ann, annie).ends_calendar
    account_merges.merge_accounts(book, ann, annie)
    assert calendars.person_of_key(book, own) == ann and calendars.person_of_key(book, other) is None


def test_every_column_of_people_is_known():
    found = {
        f"{table.name}.{column.name}"
        for table in kept.metadata.sorted_tables
        for column in table.columns
        if column.name in ("person", "by", "back_by", "made_by", "used_by", "owner", "kept", "gone")
        and isinstance(column.type, sa.Text)
    } | {"kept_person.id"}
    not_people = {"kept_chances.made_by", "kept_link_sign_in.made_by", "kept_grant.owner"}
    assert found - not_people == {*ID_COLUMNS}
    moved = {f"{column.table.name}.{column.name}" for column in account_merges.MOVED}
    assert moved <= {name for name, what in ID_COLUMNS.items() if what == "moves"}


@pytest.mark.both_databases
def test_nothing_in_the_tables_names_the_old_id(book, club, anna, ann, annie):
    bring_in(book, club, annie, by=anna)
    link_consent.allow_links(book, annie, club)
    accounts.make_key(book, annie, "script")
    with book.kept.engine.begin() as c:
        c.execute(
            kept.kept_fork.insert().values(
                id="f", game=club, at=1, owner=role_grant_id(annie), title="", moves="[]", made_at=now()
            )
        )
        c.execute(kept.kept_apart.insert().values(game=club, other=club, by=f"seat:1@{annie}", why="x", at=now()))
    account_merges.merge_accounts(book, ann, annie)
    stays = {name for name, what in ID_COLUMNS.items() if what.startswith("stays")}
    for table in kept.metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, sa.Text) and f"{table.name}.{column.name}" not in stays:
                rows = book.kept.engine.values(sa.select(column).where(column.like(f"%{annie}%")))
                assert rows == [], f"{table.name}.{column.name}"
    assert personal_data.forks_of(book, ann)[0]["game"] == str(club)
    assert anonymity.all_ids_of(book, ann) == [ann, annie]
    assert told_apart.names_of_authors(book, []) == {}


def test_membership_and_last_organiser_move(book, club, anna, ann):
    account_merges.merge_accounts(book, ann, anna)
    held = book.clubs.get(club)
    assert held.organisers() == [ann] and clubs.came_by_choice(book, held, ann)
    assert members.invite(book, club, by=ann).club == club
    with refused_for("last_organiser"):
        clubs.write(book, club, GiveRoles(anna, ()), by=ann, key=key())


def test_both_in_one_game_is_refused(book, club, anna, ann, annie):
    book.kept.keep(club, "Friday", False, [Person(ann, "ann"), Person(annie, "annie")])
    with refused_for("both_sit"):
        account_merges.merge_accounts(book, ann, annie)
    assert accounts.account_of(book, annie) is not None


def test_both_at_one_table_of_a_club_is_refused(book, club, anna, ann, annie):
    for person in (ann, annie):
        bring_in(book, club, person, by=anna)
    typed = EnterResult(BESIDE, "making_profit", [Placed(ann, 0, 1), Placed(annie, 1, 2)])
    clubs.write(book, club, typed, by=anna, key=key())
    with pytest.raises(account_merges.ClubRefusedError) as refused:
        account_merges.merge_accounts(book, ann, annie)
    assert (refused.value.reason.key, refused.value.club) == ("sat_together_beside", "Mill Club")
    assert works(book, "annie", PASSWORD) and book.clubs.get(club).person(annie) == annie


def test_merge_while_a_link_can_be_undone_is_refused(book, ann, annie):
    """A link that was used for one account would otherwise bring it under another."""
    let_in(book, annie)
    for value, other in ((ann, annie), (annie, ann)):
        with refused_for("link_open"):
            account_merges.merge_accounts(book, value, other)


def test_operator_is_kept_and_not_given_up(book, ann, annie):
    operators.name_operator(book, annie, by=clubs.OPERATOR)
    with refused_for("gone_operator"):
        account_merges.merge_accounts(book, ann, annie)
    account_merges.merge_accounts(book, annie, ann)
    assert operators.is_operator(book, annie)


def test_too_many_keys_is_refused(book, ann, annie, monkeypatch):
    monkeypatch.setattr(account_merges, "KEYS_LIMIT", 1)
    for person in (ann, annie):
        accounts.make_key(book, person, "script")
    with refused_for("too_many_keys"):
        account_merges.merge_accounts(book, ann, annie)


def test_one_account_or_anonymous_is_refused(book, ann, annie):
    anonymity.make_anonymous(book, annie, by=annie)
    for other in (ann, annie, "nobody"):
        with refused_for("not_two"):
            account_merges.merge_accounts(book, ann, other)


@pytest.mark.both_databases
def test_merge_of_a_merged_account_keeps_all_ids(book, club, anna, ann, annie):
    bring_in(book, club, annie, by=anna)
    game = open_club_game(book, club, [anna, annie], by=anna)
    cleo = account(book, "cleo")
    account_merges.merge_accounts(book, ann, annie)
    account_merges.merge_accounts(book, cleo, ann)
    assert anonymity.all_ids_of(book, cleo)[0] == cleo and {*anonymity.all_ids_of(book, cleo)} == {cleo, ann, annie}
    assert book.clubs.get(club).person(annie) == cleo
    assert "seat:1" in [grant.place for grant in club_roles.role_grants(book, cleo, game)]
    anonymity.make_anonymous(book, cleo, by=cleo)
    assert len({*book.kept.names([cleo, ann, annie]).values()}) == 1
    assert "annie" not in book.kept.names([annie])[annie]


def test_organiser_cannot_separate_merged_accounts(book, club, anna, ann, annie):
    bring_in(book, club, annie, by=anna)
    account_merges.merge_accounts(book, ann, annie)
    (step,) = book.clubs.get(club).merges
    with refused_for("own_merge"):
        clubs.write(book, club, SplitPeople(step, "two people"), by=anna, key=key())
    assert not members.may_act_for(book, book.clubs.get(club), anna, annie)


def test_merge_ends_what_clubs_may_do(book, club, anna, ann):
    child = join_anew(book, club, "mina", by=anna)
    link = members.sign_in_link(book, club, child, by=anna)
    account_merges.merge_accounts(book, child, ann)
    with pytest.raises(invitations.InvalidInvitationError):
        invitations.sign_in_by_link(book, link, "Chrome")
    with refused_for("not_allowed"):
        members.sign_in_link(book, club, child, by=anna)


def test_old_id_is_nobodys_guest(book, anna, ann, annie):
    account_merges.merge_accounts(book, ann, annie)
    eve = account(book, "eve")
    other = found_club(book, eve, "Other Club")
    with refused_for("stranger"):
        clubs.write(book, other, EnterPlayers("1", (Entrant(annie),)), by=eve, key=key())


def test_merge_broken_off_is_completed_in_clubs(book, club, anna, ann, annie, monkeypatch):
    bring_in(book, club, annie, by=anna)
    with monkeypatch.context() as killed:
        killed.setattr(account_merges, "_merge_in_clubs", lambda *_: None)
        account_merges.merge_accounts(book, ann, annie)
    assert book.clubs.get(club).person(annie) == annie
    account_merges.end_merges(book, "", later_time(now(), seconds=1))
    account_merges.end_merges(book, "", later_time(now(), seconds=1))
    held = book.clubs.get(club)
    assert held.person(annie) == ann and len(held.merges) == 1
    assert broken_off.complete_interrupted(book)


def test_removed_club_is_restored_by_merged_organiser(book, ann, annie):
    club = found_club(book, annie)
    clubs.write(book, club, RemoveClub("a mistake"), by=annie, key=key())
    account_merges.merge_accounts(book, ann, annie)
    assert [item.id for item in clubs.clubs_of(book, ann)] == [club]
    clubs.write(book, club, RestoreClub("none after all"), by=ann, key=key())
    assert book.clubs.get(club).organisers() == [ann]


def test_merged_id_gets_no_session_key_or_account(book, ann, annie):
    """A sign-in that was on its way during the merge ends."""
    account_merges.merge_accounts(book, ann, annie)
    for act in (
        lambda: accounts.begin_session(book, annie, "Firefox"),
        lambda: accounts.make_key(book, annie, "script"),
        lambda: accounts.make_account(book, "Eve", sign_in="eve", password=PASSWORD, person=annie),
    ):
        with pytest.raises(accounts.InvalidAccountError):
            act()


def test_organisers_proposal_needs_a_merge_that_works(book, club, anna, ann):
    bring_in(book, club, ann, by=anna)
    gus, also = (members.add_member(book, club, name, by=anna, key=key()) for name in ("Gus", "Gus B."))
    held = book.clubs.get(club)
    assert not members.can_merge(book, held, anna, ann), "two accounts"
    assert members.can_merge(book, held, gus, also) and members.can_merge(book, held, ann, gus)
    open_club_game(book, club, [gus, also], by=anna)
    assert not members.can_merge(book, book.clubs.get(club), gus, also), "they sat together"
    assert not members.can_merge(book, held, gus, guest(book, "Stranger"))
