"""The operator takes things off the public lists, and puts them back."""

from __future__ import annotations

from uuid import UUID

import msgspec
import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.sheet import InvalidSheetError
from daybook.domain.league.club_commands import ChangeClubSettings
from daybook.services.league import clubs, members
from daybook.services.league.clubs import OPERATOR
from daybook.services.league.seekers import seeker_of
from daybook.services.names import BadNameError
from daybook.services.operation import withheld
from daybook.services.people import accounts, invitations, operators
from daybook.services.people.invitations import InvalidInvitationError
from daybook.services.play.game_search import GameFilter, Searcher, search_games
from daybook.services.statistics import visibility
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import WithheldError
from tests.played import key, update_games
from tests.services.clubbing import join_anew

pytestmark = pytest.mark.sqlite_suffices


def found(book: Daybook, seeker: Searcher) -> list[UUID]:
    update_games(book)
    return [row.game for row in search_games(book, seeker, GameFilter()).rows]


def test_withheld_game_is_in_no_list_until_the_operator_acts(book, open_table):
    id = open_table(public=True)
    thing = withheld.parse_thing(book, f"https://example.org/games/{id}?step=3")
    assert thing == withheld.parse_thing(book, f" {str(id).upper()} ") == ("game", str(id))
    withheld.take_off(book, thing, "an offending title", by=OPERATOR)
    assert found(book, Searcher()) == [] and book.kept.public_of([id]) == set()
    assert found(book, Searcher(links=frozenset({id}))) == [id], "whoever has a link keeps it"
    with pytest.raises(WithheldError, match="an offending title"):
        visibility.show_game(book, id, True)
    assert found(book, Searcher()) == []
    assert withheld.put_back(book, thing, "it was renamed") and not withheld.put_back(book, thing, "again")
    assert found(book, Searcher()) == [id]
    (kept,) = withheld.page_of_withheld(book, "", 9).rows
    assert (kept.name, kept.withheld.why, kept.withheld.back_why) == ("Tuesday", "an offending title", "it was renamed")
    visibility.show_game(book, id, False)
    visibility.show_game(book, id, True)


@pytest.mark.both_databases
def test_a_game_is_put_back_as_its_owner_had_it_and_has_it_now(book, open_table):
    shown, own = (withheld.Withholdable("game", str(open_table(public=public))) for public in (True, False))
    for thing in (shown, own):
        withheld.take_off(book, thing, "spam", by=OPERATOR)
        withheld.take_off(book, thing, "spam, twice", by=OPERATOR)
    names = {row.withheld.about: row.name for row in withheld.page_of_withheld(book, "", 9).rows}
    assert names == {shown.about: "Tuesday", own.about: own.about}, "an operator reads no private title"
    withheld.put_back(book, own, "a mistake")
    assert book.kept.public_of([UUID(own.about)]) == set(), "nobody had shown it"
    visibility.show_game(book, UUID(shown.about), False)
    withheld.put_back(book, shown, "a mistake")
    assert book.kept.public_of([UUID(shown.about)]) == set(), "its owner wanted it to be private meanwhile"


@pytest.mark.both_databases
def test_withheld_club_is_listed_for_its_members_only(book, anna, club):
    settings = msgspec.structs.replace(book.clubs.get(club).settings, public=True)
    clubs.write(book, club, ChangeClubSettings(settings), by=anna, key=key())
    thing = withheld.parse_thing(book, f"/clubs/{club}/people")
    withheld.take_off(book, thing, "an offending name", by=OPERATOR)
    assert [len(clubs.page_of_clubs(book, who, "", 9).rows) for who in (anna, "gus", "")] == [1, 0, 0]
    assert [len(seeker_of(book, who, ()).readable) for who in (anna, "gus", None)] == [1, 0, 0]
    assert withheld.page_of_withheld(book, "", 9).rows[0].name == "Mill Club"
    hidden = msgspec.structs.replace(settings, public=False)
    clubs.write(book, club, ChangeClubSettings(hidden), by=anna, key=key())
    assert withheld.page_of_withheld(book, "", 9).rows[0].name == str(club), "an operator reads no private name"
    clubs.write(book, club, ChangeClubSettings(settings), by=anna, key=key())
    withheld.put_back(book, thing, "renamed")
    assert [len(clubs.page_of_clubs(book, who, "", 9).rows) for who in (anna, "gus", "")] == [1, 1, 1]
    assert [len(seeker_of(book, who, ()).readable) for who in (anna, "gus", None)] == [1, 1, 1]


@pytest.mark.both_databases
def test_withheld_sheet_is_in_no_list_and_games_keep_it(book):
    hash = book.sheets.publish("making_profit", "an offending name", {"start.money": 3}, "")
    other = book.sheets.publish("making_profit", "our box", {"start.money": 4}, "")
    thing = withheld.parse_thing(book, f"/sheets/making_profit?hash={hash}")
    withheld.take_off(book, thing, "spam", by=OPERATOR)
    assert [sheet.hash for sheet in book.sheets.list("making_profit")] == [other]
    assert book.sheets.count("making_profit") == 1
    assert book.sheets.get("making_profit", hash).digest() == hash, "games that pinned it keep it"
    with pytest.raises(InvalidSheetError):
        book.sheets.publish("making_profit", "once more", {"start.money": 3}, "")
    withheld.put_back(book, thing, "a mistake")
    assert book.sheets.count("making_profit") == 2


@pytest.mark.parametrize("text", ["", "x", str(UUID(int=9)), f"/games/{UUID(int=9)}", "/games/not-an-id", "9" * 4500])
def test_what_is_not_here_is_not_taken_off(book, text):
    with pytest.raises(withheld.UnknownThingError):
        withheld.parse_thing(book, text)


@pytest.mark.parametrize("why", ["", "  ", "x" * 301, "a\x00b"])
def test_nothing_is_taken_off_without_a_reason(book, open_table, why):
    id = open_table(public=True)
    with pytest.raises(BadNameError):
        withheld.take_off(book, withheld.Withholdable("game", str(id)), why, by=OPERATOR)
    assert book.kept.public_of([id]) == {id}


@pytest.mark.both_databases
def test_no_organiser_becomes_the_operator_by_a_link(book, anna, club):
    ben = join_anew(book, club, "ben", by=anna)
    early = invitations.key_of(book, members.sign_in_link(book, club, ben, by=anna))
    token = accounts.begin_session(book, ben, "Anna's telephone")
    operators.name_operator(book, ben, by=OPERATOR)
    assert operators.operators(book) == [ben]
    with pytest.raises(InvalidInvitationError):
        invitations.read_invitation(book, early)
    assert accounts.session_of(book, token) is None
    with pytest.raises(Refused):
        members.sign_in_link(book, club, ben, by=anna)
    operators.dismiss_operator(book, ben)
    assert not operators.is_operator(book, ben)
    assert members.sign_in_link(book, club, ben, by=anna).person == ben
    with pytest.raises(accounts.InvalidAccountError):
        operators.name_operator(book, "nobody", by=OPERATOR)
