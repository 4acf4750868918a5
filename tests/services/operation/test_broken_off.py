"""Work that a killed process left unfinished is finished."""

from __future__ import annotations

import pytest

from daybook.domain.commands import Note
from daybook.domain.league.club_commands import EndMembership, EnterPlayers, FoundLeague, GiveRoles, OpenSeason
from daybook.domain.league.seasons import DEFAULTS, Entrant
from daybook.services.files.import_export import import_file
from daybook.services.league import clubs, members
from daybook.services.operation import broken_off
from daybook.services.people import accounts, anonymise, invitations
from daybook.services.statistics import visibility
from daybook.services.statistics.collect import count_all
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_brought
from tests.played import key, open_table_of, play_game, update_games, write
from tests.services.clubbing import PASSWORD, account, bring_in, guest
from tests.services.fixture_files import file_of, played_game
from tests.services.leagues import join

pytestmark = pytest.mark.both_databases


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat work that began just now as abandoned."""
    monkeypatch.setattr(broken_off, "MIN_AGE_MINUTES", -1)


@pytest.fixture
def eve(book: Daybook) -> str:
    return account(book, "eve")


def test_who_used_an_invitation_comes_into_the_club_once(book, anna, club, eve):
    gina = guest(book, "Gina")
    join(book, club, gina, by=anna)
    for_gina = members.invite(book, club, ("umpire",), person=gina, by=anna)
    invitations.use_invitation(book, for_gina, eve)
    anew = members.invite(book, club, by=anna)
    ben = accounts.make_account(
        book,
        "Ben",
        sign_in="ben",
        password=PASSWORD,
        along=lambda c, person: invitations.spend_invitation(c, anew, person),
    )
    assert not book.clubs.get(club).roles(eve) and not book.clubs.get(club).roles(ben)
    since = broken_off.complete_interrupted(book)
    there = book.clubs.get(club)
    assert there.roles(eve) == ("umpire", "member") and there.person(gina) == there.person(eve)
    assert there.roles(ben) == ("member",)
    assert clubs.came_by_choice(book, there, ben)
    broken_off.complete_interrupted(book, since)
    broken_off.complete_interrupted(book)
    assert book.clubs.get(club).step == there.step


def test_who_left_does_not_come_back_by_a_link_of_before(book, anna, club, eve):
    bring_in(book, club, eve, ("scorekeeper",), by=anna)
    ben, cleo = account(book, "ben"), account(book, "cleo")
    bring_in(book, club, ben, ("umpire",), by=anna)
    invitations.use_invitation(book, members.invite(book, club, by=anna), cleo)
    anonymise.anonymise(book, [cleo], by=cleo)
    clubs.write(book, club, EndMembership(eve), by=eve, key=key())
    clubs.write(book, club, GiveRoles(ben, ()), by=anna, key=key())
    before = book.clubs.get(club).step
    broken_off.complete_interrupted(book)
    there = book.clubs.get(club)
    assert (there.step, there.roles(eve), there.roles(ben), there.roles(cleo)) == (before, (), ("member",), ())


def test_a_link_brings_in_nobody_whose_inviter_may_not_invite(book, anna, club, eve):
    bring_in(book, club, eve, ("organiser",), by=anna)
    made, ben = members.invite(book, club, by=eve), account(book, "ben")
    invitations.use_invitation(book, made, ben)
    clubs.write(book, club, EndMembership(eve), by=eve, key=key())
    broken_off.complete_interrupted(book)
    assert not book.clubs.get(club).roles(ben)


def test_who_was_made_anonymous_leaves_the_clubs(book, anna, club, eve):
    bring_in(book, club, eve, by=anna)
    clubs.write(book, club, FoundLeague("Any", ["making_profit"]), by=anna, key=key())
    opened = clubs.write(book, club, OpenSeason("1", "Now", DEFAULTS["free"]), by=anna, key=key())
    season = clubs.season_at(book.clubs.get(club), opened.step).id
    clubs.write(book, club, EnterPlayers(season, (Entrant(eve),)), by=anna, key=key())
    anonymise.anonymise(book, [eve], by=eve)
    assert book.clubs.get(club).roles(eve)
    broken_off.complete_interrupted(book)
    there = book.clubs.get(club)
    player = there.player(there.seasons[season], eve)
    assert not there.roles(eve) and player is not None and player.withdrew is not None
    broken_off.complete_interrupted(book)
    assert book.clubs.get(club).step == there.step


class Killed(BaseException):
    """The process is killed here: nothing after it runs."""


def test_steps_that_no_file_brought_are_not_noted_as_brought(book, eve):
    """Otherwise a later entry here under their numbers would have no author."""
    id = open_table_of(book)
    with pytest.raises(Killed), book.kept.announcing_import(id, [(1, 4, "what was to be the last")]):
        raise Killed
    write(book, id, Note(0, "here"), by=f"scorekeeper@{eve}")
    assert book.kept.game(id).brought == ((1, 4),)  # type: ignore[union-attr]
    broken_off.complete_interrupted(book)
    assert book.kept.game(id).brought == ()  # type: ignore[union-attr]


def test_steps_that_a_file_brought_stay_noted(book):
    game = played_game(8)
    with pytest.raises(Killed), book.kept.announcing_import(game.id, [(0, game.step, game.seal)]):
        book.log.append(*game.entries)
        raise Killed
    broken_off.complete_interrupted(book)
    assert import_file(book, file_of(game)) == game.id
    assert book.kept.people_of_imports([game.id]) == {}, "who sits there is kept with the title"
    assert not book.kept.unconfirmed_imports("9") and book.log.newest() == len(game.entries)
    with book.kept.engine.connect() as c:
        assert [(row.first, row.last) for row in c.execute(kept_brought.select())] == [(0, game.step)]


def test_what_was_begun_just_now_is_left_to_who_does_it(book, anna, club, eve, monkeypatch):
    monkeypatch.undo()
    with pytest.raises(Killed), book.kept.announcing_import(club, [(1, 4, "another")]):
        raise Killed
    invitations.use_invitation(book, members.invite(book, club, by=anna), eve)
    broken_off.complete_interrupted(book)
    assert len(book.kept.unconfirmed_imports("9")) == 1 and not book.clubs.get(club).roles(eve)


def test_a_game_is_counted_as_it_is_shown(book):
    """The process was killed between showing the game to all and counting it."""
    id = play_game(book, 3)
    update_games(book)
    count_all(book)
    assert visibility.private_games(book, [id]) == {id}
    book.kept.show(id, True)
    broken_off.complete_interrupted(book)
    assert not visibility.private_games(book, [id])
