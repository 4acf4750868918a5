"""The rights of club roles in the club's games: never more than a link's, and for a player only the seat while anything
is covered."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.domain.commands import Abandon, Decide, Note, RevealGame
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import place_of
from daybook.domain.league.club_commands import EndMembership, EnterGame, GiveRoles, MergePeople, SplitPeople
from daybook.services.disputes import umpires
from daybook.services.files import import_export
from daybook.services.files.verify import verify_game
from daybook.services.league import clubs, members
from daybook.services.people import accounts
from daybook.services.people.writers import writer_of
from daybook.services.permissions import club_roles
from daybook.services.permissions.actions import MayNotError
from daybook.services.permissions.sights import EVERYTHING, sights_of
from daybook.services.play.practice import Dealer
from daybook.services.store.daybook import Daybook
from tests.played import allowed, key, open_seats, play, sees_every_hand, write
from tests.services.clubbing import account, bring_in, found_club, guest, open_club_game
from tests.services.leagues import enter_as_keeper

pytestmark = pytest.mark.sqlite_suffices


def places(book: Daybook, person: str, game: UUID) -> list[str]:
    return [grant.place for grant in club_roles.role_grants(book, person, game)]


def sights_of_person(book: Daybook, person: str, game: UUID) -> set[int | None]:
    grants, folded = club_roles.role_grants(book, person, game), book.games.get(game)
    return {sight for grant in grants for sight in sights_of(folded, grant)}


@pytest.fixture
def guests(book: Daybook) -> list[str]:
    return [guest(book, name) for name in ("Ben", "Cleo", "Dora")]


@pytest.mark.parametrize(
    ("roles", "has"),
    [
        (("organiser",), ["scorekeeper", "reader"]),
        (("scorekeeper",), ["scorekeeper", "reader"]),
        (("umpire",), ["reader"]),
        ((), ["reader"]),
    ],
)
def test_a_role_opens_what_it_is_for(book, anna, club, guests, roles, has):
    game, eve = open_club_game(book, club, guests, by=anna), account(book, "eve")
    assert places(book, eve, game) == []
    bring_in(book, club, eve, roles, by=anna)
    assert places(book, eve, game) == has
    clubs.write(book, club, EndMembership(eve), by=anna, key=key())
    assert places(book, eve, game) == []


def test_roles_of_one_club_open_nothing_in_another(book, anna, club, guests):
    eve = account(book, "eve")
    found_club(book, eve, "Other Club")
    game = open_club_game(book, club, guests, by=anna)
    assert places(book, eve, game) == []
    assert club_roles.games_of_clubs(book, eve) == set()
    assert club_roles.games_of_clubs(book, anna) == {game}
    other = next(found.id for found in book.clubs.with_people([eve]) if found.id != club)
    with pytest.raises(MayNotError, match="keeper"):
        clubs.write(book, other, EnterGame("", str(game)), by=eve, key=key())


def test_a_game_beside_the_club_stays_closed(book, anna, club):
    assert places(book, anna, open_seats(book, ("X", "Y"))) == []


def test_who_plays_has_the_own_seat_and_sees_the_own_hand(book, anna, club, guests):
    eve = account(book, "eve")
    bring_in(book, club, eve, by=anna)
    game = open_club_game(book, club, [guests[0], eve, guests[1]], by=anna, hands="open")
    assert places(book, eve, game) == ["seat:1", "reader"]
    assert sights_of_person(book, eve, game) == {1, None}


@pytest.mark.parametrize(
    "roles", [("organiser",), ("scorekeeper",), ("umpire",), ("organiser", "umpire", "scorekeeper")]
)
@pytest.mark.parametrize(("ruleset", "options"), [("making_profit", {"hands": "open"}), ("london_markets", {})])
def test_player_with_covered_things_sees_no_more_by_any_role(book, anna, club, guests, ruleset, options, roles):
    eve = account(book, "eve")
    bring_in(book, club, eve, roles, by=anna)
    game = open_club_game(book, club, [eve, *guests[:2]], by=anna, ruleset_id=ruleset, **options)
    dealer = Dealer(5)
    while book.games.get(game).step < 25:
        assert places(book, eve, game) == ["seat:0", "reader"]
        assert sights_of_person(book, eve, game) == {0, None}
        grants = club_roles.role_grants(book, eve, game)
        assert not any(allowed(grant, book.games.get(game), "export") for grant in grants)
        assert not any(sees_every_hand(book, game, grant) for grant in grants)
        assert not any(allowed(grant, book.games.get(game), "record", seat=1) for grant in grants)
        chosen = dealer.next_decision(book.games.get(game).ruleset, book.games.get(game).board)
        assert chosen is not None
        write(book, game, Decide(chosen[0], plain(chosen[1])), at=book.games.get(game).step)
    assert places(book, anna, game)[0] == "scorekeeper", "who does not play records"


def test_an_umpire_who_plays_rules_with_the_seat_alone(book, anna, club, guests):
    eve = account(book, "eve")
    bring_in(book, club, eve, ("umpire",), by=anna)
    game = open_club_game(book, club, [eve, *guests[:2]], by=anna, ruleset_id="london_markets")
    umpires.name_umpire(book, game, seat=0, by="scorekeeper", key=key())
    assert places(book, eve, game) == ["seat:0", "reader"]
    (seat, _) = club_roles.role_grants(book, eve, game)
    assert allowed(seat, book.games.get(game), "rule", umpire=0)


def test_playing_scorekeeper_records_all_if_nothing_is_hidden(book, anna, club, guests):
    assert not RULESETS["water_frame"].secrecy.seals
    game = open_club_game(book, club, [anna, *guests[:2]], by=anna, ruleset_id="water_frame")
    assert places(book, anna, game) == ["scorekeeper", "seat:0", "reader"]


def test_after_the_game_everything_is_open_and_roles_return(book, anna, club, guests):
    game = open_club_game(book, club, [anna, *guests[:2]], by=anna, hands="open")
    assert places(book, anna, game) == ["seat:0", "reader"]
    write(book, game, Abandon("too late"))
    assert places(book, anna, game) == ["seat:0", "reader"], "it may be reopened"
    write(book, game, RevealGame())
    assert places(book, anna, game) == ["scorekeeper", "seat:0", "reader"]


def test_an_umpire_sees_nothing_before_being_named_in_the_game(book, anna, club, guests):
    eve = account(book, "eve")
    bring_in(book, club, eve, ("umpire",), by=anna)
    game = open_club_game(book, club, guests, by=anna)
    assert sights_of_person(book, eve, game) == {None}
    umpires.name_umpire(book, game, person=eve, by="scorekeeper", key=key())
    assert places(book, eve, game) == ["umpire:0", "reader"]
    assert EVERYTHING in sights_of_person(book, eve, game)
    clubs.write(book, club, GiveRoles(eve, ()), by=anna, key=key())
    assert places(book, eve, game) == ["reader"]


def test_nobody_gets_up_from_a_table_by_splitting_themselves(book, anna, club, guests):
    game = open_club_game(book, club, guests, by=anna, hands="open")
    clubs.write(book, club, MergePeople(anna, guests[0], "that is me"), by=anna, key=key())
    assert places(book, anna, game) == ["reader"]
    (merge,) = book.clubs.get(club).merges
    clubs.write(book, club, SplitPeople(merge, "or is it?"), by=anna, key=key())
    assert places(book, anna, game) == ["reader"]
    assert sights_of_person(book, anna, game) == {None}


@pytest.mark.parametrize("stored", [True, False])
def test_an_organiser_sits_down_at_no_covered_table_by_a_merge(book, anna, club, guests, stored):
    game = open_club_game(book, club, guests, by=anna, ruleset_id="london_markets")
    assert sights_of_person(book, anna, game) == {EVERYTHING, None}, "all but what is sealed"
    clubs.write(
        book, club, MergePeople(*((anna, guests[0]) if stored else (guests[0], anna)), "that is me"), by=anna, key=key()
    )
    assert sights_of_person(book, anna, game) == {None}
    write(book, game, Abandon("too late"))
    write(book, game, RevealGame())
    assert "seat:0" in places(book, anna, game), "nothing is covered any more"


@pytest.mark.parametrize("roles", [("organiser",), ("scorekeeper",), ("umpire",)])
def test_who_plays_under_a_guest_s_name_sees_no_more_by_any_role(book, anna, club, guests, roles):
    """Eve plays from a guest's seat with its link, and is an officer of the club besides."""
    eve = account(book, "eve")
    bring_in(book, club, eve, roles, by=anna)
    game = open_club_game(book, club, guests, by=anna, hands="open")
    umpires.name_umpire(book, game, person=eve, by="scorekeeper", key=key())
    assert EVERYTHING in sights_of_person(book, eve, game)
    write(book, game, Note(0, "my turn"), by=f"seat:1@{eve}")
    assert sights_of_person(book, eve, game) == {None}


def test_the_record_says_who_wrote_by_id_and_names_nobody(book, anna, club, guests):
    game = open_club_game(book, club, guests, by=anna)
    grant = club_roles.role_grants(book, anna, game)[0]
    play(book, game, 1, by=grant.by)
    by = book.games.get(game).writers[1]
    assert by == f"scorekeeper@{anna}"
    assert (place_of(by), writer_of(by)) == ("scorekeeper", anna)
    accounts.rename_person(book, anna, "Annabel Lee", by=anna)
    assert b"Annabel" not in b"".join(book.log.lines(game))
    assert verify_game(book, game).intact
    file = import_export.export_game(book, game)
    assert b"Annabel" not in file


def test_a_game_entered_twice_asks_both_clubs(book, anna, club, guests):
    """A person under an id of one club does not record as the scorekeeper of the other."""
    eve = account(book, "eve")
    other = found_club(book, eve, "Other Club")
    bring_in(book, club, eve, by=anna)
    game = open_club_game(book, club, [eve, *guests[:2]], by=anna, hands="open")
    here = [eve, *(members.add_member(book, other, name, by=eve, key=key()) for name in ("Finn", "Gus"))]
    enter_as_keeper(book, other, EnterGame("", str(game), people=here), by=eve)
    assert places(book, eve, game) == ["seat:0", "reader"]
