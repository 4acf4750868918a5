"""Commands of clubs: each is in the tables, each field has its help, and the same key with another command is refused."""

from __future__ import annotations

import inspect

import msgspec
import pytest

from daybook.domain.league import club_commands, club_writing
from daybook.domain.league.club_commands import (
    AddMember,
    AddMembers,
    AdmitInvited,
    AnswerEvening,
    ClubCommand,
    EndMembership,
    EnterPlayers,
    OpenNextSeason,
    PlanEvening,
    RenameClub,
)
from daybook.domain.league.seasons import Entrant
from daybook.services.clock import later_time, now
from daybook.services.league import clubs
from daybook.services.league.clubs import writing
from daybook.services.permissions.actions import RIGHTS, MayNotError
from daybook.services.play.repetition import KeyUsedError
from daybook.web.api.schemas import field_comments
from tests.played import key
from tests.refusals import refused_for
from tests.services.clubbing import account
from tests.services.leagues import found_mill, season

pytestmark = pytest.mark.sqlite_suffices

COMMANDS = [kind for kind in vars(club_commands).values() if inspect.isclass(kind) and issubclass(kind, ClubCommand)]
COMMANDS.remove(ClubCommand)


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_command_has_producer_and_right(kind):
    assert kind in {*club_writing.PRODUCES, *writing.PRODUCES}
    assert kind in RIGHTS


def test_command_fields_have_comments():
    kinds = [
        kind
        for kind in vars(club_commands).values()
        if inspect.isclass(kind) and issubclass(kind, msgspec.Struct) and kind.__module__ == club_commands.__name__
    ]
    fields = [(kind, field) for kind in kinds for field in kind.__struct_fields__]
    assert len(fields) > 80
    assert [(kind, field) for kind, field in fields if not field_comments(kind).get(field)] == []


@pytest.fixture
def club(book):
    return found_mill(book)


def test_add_member_takes_guests_and_new_people_only(book, club):
    with refused_for("not_of_club"):
        clubs.write(book, club, AddMember("nobody-knows"), by="olga", key=key())
    with refused_for("not_of_club"):  # an account is no guest, and its id proves nothing
        clubs.write(book, club, AddMember(account(book, "eve")), by="olga", key=key())
    with refused_for("invite_them"):
        clubs.write(book, club, AddMember(gus := account(book, "gus"), guests={gus: "Gus"}), by="olga", key=key())
    clubs.write(book, club, AddMember("hal", ("umpire",), {"hal": "Hal"}), by="olga", key=key())
    assert book.clubs.get(club).roles("hal") == ("umpire", "member") and book.kept.names(["hal"]) == {"hal": "Hal"}


def test_add_members_leaves_out_known_names_and_repeats(book, club):
    command, once = AddMembers(("Anna", "Ida", "Jon")), key()
    first = clubs.write(book, club, command, by="olga", key=once)
    again = clubs.write(book, club, command, by="olga", key=once)
    assert (again.step, again.repeated) == (first.step, True)
    assert len(book.clubs.get(club).people()) == 11
    with pytest.raises(KeyUsedError):
        clubs.write(book, club, AddMembers(("Ida", "Kim")), by="olga", key=once)
    with refused_for("nobody_new"):
        clubs.write(book, club, command, by="olga", key=key())
    clubs.write(book, club, AddMembers(("علی\u200cرضا",)), by="olga", key=key())
    with refused_for("nobody_new"):  # it looks the same without the joiner
        clubs.write(book, club, AddMembers(("علیرضا",)), by="olga", key=key())


def test_right_about_oneself_is_not_one_about_others(book, club):
    clubs.write(book, club, PlanEvening(later_time(now(), days=7)), by="olga", key=key())
    clubs.write(book, club, AnswerEvening("1", "yes"), by="anna", key=key())
    clubs.write(book, club, AnswerEvening("1", "maybe", "anna"), by="anna", key=key())
    for command in (AnswerEvening("1", "no", "ben"), EndMembership("ben")):
        with pytest.raises(MayNotError):
            clubs.write(book, club, command, by="anna", key=key())
    for command in (AnswerEvening("1", "no"), EndMembership("")):
        with pytest.raises(MayNotError):
            clubs.write(book, club, command, by="", key=key())


def test_preview_needs_the_right_of_the_command(book, club):
    assert clubs.preview(book, club, RenameClub("The Forge"), by="olga").name == "The Forge"
    with pytest.raises(MayNotError):
        clubs.preview(book, club, RenameClub("The Forge"), by="anna")
    assert book.clubs.get(club).name == "The Mill"


def test_admission_needs_an_inviter_who_may_invite(book, club):
    with pytest.raises(MayNotError):
        clubs.write(book, club, AdmitInvited("gus", "", ("organiser",)), by="anna", key=key())
    assert not book.clubs.get(club).roles("gus")


def test_guest_names_do_not_admit_people_of_others(book, club):
    number, eve = season(book, club), account(book, "eve")
    with refused_for("stranger"):
        clubs.write(book, club, EnterPlayers(number, (Entrant(eve),), {eve: "Mallory"}), by="olga", key=key())
    assert book.kept.names([eve]) == {eve: "eve"}


def test_next_season_after_an_open_or_unknown_one_is_refused(book, club):
    number = season(book, club)
    with refused_for("season_open"):
        clubs.write(book, club, OpenNextSeason(number, "Spring", ()), by="olga", key=key())
    with refused_for("no_season"):
        clubs.write(book, club, OpenNextSeason("9", "Spring", ()), by="olga", key=key())
