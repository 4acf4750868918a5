"""Concurrent requests of several people: counts hold, and no one is doubled."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from uuid import uuid4

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.services.disputes import forks
from daybook.services.files import import_export
from daybook.services.league import anonymity, calendars, clubs, join_requests, joining, members, own_seats, portraits
from daybook.services.people import accounts, anonymise, invitations
from daybook.services.people.accounts import InvalidAccountError
from daybook.services.people.invitations import InvalidInvitationError
from daybook.services.permissions import access
from daybook.services.play import recording
from tests.played import key, open_seats
from tests.services.at_once import ROUNDS, SEVERAL, at_once
from tests.services.clubbing import bring_in, found_club, guest, new_game
from tests.services.fixture_files import file_of, played_game
from tests.services.leagues import PLAYERS, draw_rounds, found_mill, join, season
from tests.web.people.test_sign_in import photo

pytestmark = pytest.mark.both_databases


def test_a_game_has_its_first_links_once(book):
    games = [open_seats(book) for _ in range(ROUNDS)]
    at_once(lambda number: access.make_first_grants(book, games[number]))
    for game in games:
        held = [grant.place for grant in access.grants_of_game(book, game)]
        assert held == ["scorekeeper", "seat:0", "seat:1", "seat:2", "reader"]


def test_a_link_is_replaced_by_one_and_an_umpire_has_one(book):
    games = [open_seats(book) for _ in range(ROUNDS)]
    old = [access.make_grant(book, game, "seat", 1) for game in games]
    at_once(lambda number: access.replace_grant(book, old[number]))
    at_once(lambda number: access.umpires_grant(book, games[number], 0))
    for game, was in zip(games, old, strict=True):
        held = access.grants_of_game(book, game)
        assert [grant.place for grant in held] == ["seat:1", "umpire:0"] and was not in held


def test_a_key_that_is_longer_than_any_of_ours_is_not_remembered(book):
    """Anybody can send as many of them as they like, each as long as a form."""
    kept = access._signed_value.cache_info().currsize
    assert [access.read_key(book, "x" * length) for length in (1_000, 100_000)] == [None, None]
    assert access._signed_value.cache_info().currsize == kept
    longest = access.Grant("f" * 64, uuid4(), "scorekeeper")  # as an import's
    assert len(access.key_of(book, longest)) <= access.MAX_KEY_CHARACTERS


def test_a_guest_is_one_person_however_many_links_they_were_sent(book, anna, club):
    """Two organisers have each sent one, and it went to two people: the first is the guest, the other is not merged
    with them."""
    came = []
    for _ in range(2):
        someone = guest(book, "Gina")
        join(book, club, someone, by=anna)
        came.append((someone, [accounts.make_account(book, f"Someone {n}") for n in range(SEVERAL)]))
    made = [[members.invite(book, club, person=someone, by=anna) for _ in range(SEVERAL)] for someone, _ in came]
    turns = [Counter[str](), Counter[str]()]

    def accept(number: int) -> None:
        turns[number]["begun"] += 1
        place = turns[number]["begun"] - 1
        with suppress(InvalidInvitationError, Refused):
            joining.accept_invitation(book, made[number][place], came[number][1][place])
            turns[number]["came"] += 1

    at_once(accept, rounds=2)
    there = book.clubs.get(club)
    for turn, (someone, people) in zip(turns, came, strict=True):
        assert turn["came"] == 1
        assert [there.person(person) == there.person(someone) for person in people].count(True) == 1


def test_person_admitted_by_several_organisers_joins_once(book, anna, club):
    """Each admission of a person as a guest locks other organisers' invitations, which could deadlock on PostgreSQL."""
    guests, people = [guest(book, "Gina") for _ in range(ROUNDS)], []
    for number in range(ROUNDS):
        join(book, club, guests[number], by=anna)
        people.append(accounts.make_account(book, f"Nora {number}"))
        link = join_requests.sign_club_link(book, join_requests.make_club_link(book, club, by=anna))
        join_requests.ask_to_join(book, link, people[number])

    def admit(number: int) -> None:
        try:
            join_requests.admit_person(book, club, people[number], by=anna, guest=guests[number])
        except Refused as refusal:
            assert refusal.reason.key == "no_request"

    at_once(admit)
    assert all(book.clubs.get(club).roles(person) == ("member",) for person in people)
    assert invitations.open_invitations(book, club) == []


def test_keys_and_invitations_are_counted_one_by_one(book, anna, club, monkeypatch):
    monkeypatch.setattr(invitations, "OPEN_LIMIT", 5)
    monkeypatch.setattr(accounts, "KEYS_LIMIT", 5)

    def make(number: int) -> None:
        with suppress(InvalidAccountError):
            accounts.make_key(book, anna, f"script {number}")
        with suppress(InvalidAccountError):
            members.invite(book, club, by=anna)

    at_once(make, rounds=4)
    assert (len(accounts.keys_of_person(book, anna)), len(invitations.open_invitations(book, club))) == (5, 5)


def test_same_what_if_made_concurrently_is_one_and_limited(book, monkeypatch):
    monkeypatch.setattr(forks, "MAX_FORKS", 5)
    game = open_seats(book)

    def make(number: int) -> None:
        with suppress(Refused):
            assert forks.create_fork(book, game, 0, owner="anna", fork_id=f"lease-{number}").id == f"lease-{number}"
        with suppress(Refused):
            forks.create_fork(book, game, 0, owner="ben")

    at_once(make, rounds=6)
    assert [len(forks.forks_of_owner(book, game, owner)) for owner in ("anna", "ben")] == [5, 5]


def test_of_organisers_anonymised_concurrently_one_stays(book):
    people = [accounts.make_account(book, f"Organiser {n}") for n in range(SEVERAL)]
    club = found_club(book, people[0])
    for person in people[1:]:
        bring_in(book, club, person, ("organiser",), by=people[0])
    left = [*people]

    def go(_: int) -> None:
        person = left.pop()
        with suppress(Refused):
            anonymity.make_anonymous(book, person, by=person)

    at_once(go, rounds=1)
    gone = anonymise.anonymous_of(book, people)
    there = book.clubs.get(club)
    assert there.organisers() == [*({*people} - gone)] and len(gone) == SEVERAL - 1
    assert [*there.people()] == there.organisers()


def test_pending_writes_do_not_bring_back_an_anonymous_person(book, anna):
    anonymity.make_anonymous(book, anna, by=anna)
    accounts.rename_person(book, anna, "Anna", by=anna)
    assert book.kept.names([anna]) == {anna: anonymise.anonymous_name(anna)}
    for act in (
        lambda: portraits.store_portrait(book, anna, photo(), by=anna),
        lambda: accounts.begin_session(book, anna, "a phone"),
        lambda: accounts.make_key(book, anna, "script"),
        lambda: calendars.make_key(book, anna, by=anna),
    ):
        with pytest.raises(InvalidAccountError):
            act()
    assert not portraits.has_portrait(book, anna) and accounts.sessions_of(book, anna) == []


def test_of_games_opened_concurrently_at_a_table_one_is_played(book):
    club = found_mill(book)
    in_season = season(book, club)
    draw_rounds(book, club, in_season)
    keys = [key() for _ in range(SEVERAL)]
    left = [*keys]

    def open_one(number: int) -> None:
        new, mine = new_game(book, PLAYERS[:3]), left.pop()
        with suppress(Refused):
            clubs.open_table(book, club, in_season, "1", new, by="olga", key=mine)

    at_once(open_one, rounds=1)
    found = Counter(
        game.status for item in keys if (game := book.games.find(recording.game_id_of_key(item))) is not None
    )
    assert found["running"] == 1 and found.keys() <= {"running", "abandoned"}


def test_somebody_says_of_one_seat_of_a_game_that_it_was_theirs(book, anna):
    """The same person claims all seats at once, in as many tabs."""
    games = [played_game(seed, limit=30) for seed in range(200, 206)]
    for game in games:
        import_export.import_file(book, file_of(game))
    tabs = [Counter[str]() for _ in games]

    def claim(number: int) -> None:
        tabs[number]["open"] += 1
        with suppress(Refused):
            own_seats.claim_seat(book, games[number].id, tabs[number]["open"] - 1, person=anna)

    at_once(claim, rounds=len(games))
    for game in games:
        kept = book.kept.game(game.id)
        assert kept is not None and kept.people.count(anna) == 1
