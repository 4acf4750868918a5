"""A request sees its game once: how often pages read the log and the tables."""

from __future__ import annotations

import ast
import inspect

import pytest
from flask import Flask

from daybook.domain.commands import Count, Note, TakeBack
from daybook.domain.league.club_commands import EnterGame, RemoveGame
from daybook.services.disputes.claims import raise_claim
from daybook.services.league import clubs, members
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.store.daybook import open_daybook
from daybook.web.boards import charts, table_privacy
from daybook.web.disputes import as_played_form, claim_access, side_by_side
from daybook.web.recording import any_decision_form, choices, decision_form, drafts, record_page
from daybook.web.replay import ledger
from tests.played import key, write
from tests.reads import count_reads
from tests.services.leagues import enter_as_keeper
from tests.web.conftest import Opened, Visitor
from tests.web.leagues import PASSWORD, ClubAtHand

PAGES = {  # by address, the number of statements on tables that they may need
    "/record": 2,
    "/record?kind=buy_stock": 2,
    "": 2,
    "?step=3": 2,
    "/replay.json": 1,
    "/why?step=8": 2,
    "/figures": 1,
    "/score": 3,
    "/undone-steps": 1,
    "/compare": 3,
    "/count": 1,
    "/counts/{count}": 1,
    "/claims": 1,
    "/claims/{claim}": 1,
    "/claims/new?step=7": 1,
    "/claims/{claim}/ruling": 1,
    "/as-played": 1,
    "/adjust": 1,
    "/wrong?step=8": 1,
    "/correct": 1,
    "/correct?step=8": 1,
    "/undo?to_step=7": 1,
    "/about": 3,
    "/newest.json": 1,
}


@pytest.fixture
def disputed_game(friday: Opened) -> Opened:
    """A game with a claim, a count and a step that was taken back."""
    friday.play(9)
    book, id, by = friday.book, friday.id, "scorekeeper"
    write(book, id, TakeBack(friday.step - 1, "mistyped"), at=friday.step, by=by)
    raise_claim(book, id, 7, "That was not so.", by=by, key=key())
    write(book, id, Count({"/players/0/money": 3}), at=friday.step, by=by)
    return friday


@pytest.fixture
def olga(disputed_game: Opened, app: Flask) -> Visitor:
    """Return an organiser of several clubs, signed in; one of the clubs has entered the game."""
    club = ClubAtHand(disputed_game.book, app)
    enter_as_keeper(disputed_game.book, club.id, EnterGame("", str(disputed_game.id)), by=club.olga)
    for number in range(3):
        clubs.found_club(disputed_game.book, f"Club {number}", club.olga, by=club.olga, key=key())
    return signed_in(disputed_game, club.olga)


def signed_in(game: Opened, person: str) -> Visitor:
    visitor = Visitor(game.app)
    with visitor.client.session_transaction() as kept:
        kept["signed_in"] = accounts.begin_session(game.book, person, "a test")
    return visitor


def address(game: Opened, page: str) -> str:
    claim, count = game.step - 1, game.step
    return game.path + page.format(claim=claim, count=count)


def noted_elsewhere(game: Opened) -> None:
    """Another process has written a note into the game."""
    beside = open_daybook(game.book.settings)
    write(beside, game.id, Note(0, "said elsewhere"))
    beside.close()


@pytest.mark.parametrize("page", PAGES)
def test_page_with_a_link_reads_the_game_once(disputed_game, page):
    anna, path = disputed_game.visitor(), address(disputed_game, page)
    noted_elsewhere(disputed_game)
    for _ in range(2):
        with count_reads(disputed_game.book) as reads:
            assert anna.client.get(path).status_code == 200
        assert reads.log == ["select_events"] * (2 if page == "/compare" else 1)
        assert len(reads.tables) <= PAGES[page], reads.tables


@pytest.mark.parametrize("page", PAGES)
def test_page_of_an_account_reads_game_and_clubs_once(disputed_game, olga, page):
    """The account, its name, clubs and roles come with the same reads."""
    # from then on the clubs are known, as far as a position
    assert olga.client.get(disputed_game.path).status_code == 200
    path = address(disputed_game, page)
    noted_elsewhere(disputed_game)
    for _ in range(2):
        with count_reads(disputed_game.book) as reads:
            assert olga.client.get(path).status_code == 200
        assert reads.log == ["select_notifications", "select_events"]
        assert len(reads.tables) <= PAGES[page], reads.tables


def test_page_after_writes_of_another_process_is_current(disputed_game, olga):
    """Another process records a step, founds a club and gives it the game: the next page knows it all."""
    assert olga.client.get(disputed_game.path + "/record").status_code == 200
    beside = open_daybook(disputed_game.book.settings)
    disputed_game.play(1, seed=2)
    ben = accounts.make_account(beside, "Ben", sign_in="ben", password=PASSWORD)
    theirs = clubs.found_club(beside, "The Forge", ben, by=ben, key=key()).record
    people = [
        members.add_member(beside, theirs, seat.colour, by=ben, key=key()) for seat in disputed_game.game.opening.seats
    ]
    enter_as_keeper(beside, theirs, EnterGame("", str(disputed_game.id), people=people), by=ben)
    beside.close()
    visitor = signed_in(disputed_game, ben)
    with count_reads(disputed_game.book) as reads:
        page = visitor.get(disputed_game.path + "/record")
    assert page.status == 200 and f'data-at="{disputed_game.step}"' in page.html
    assert sorted(reads.log) == ["select_events", "select_events", "select_notifications"], "and once the new club"


def test_a_role_that_another_process_takes_away_is_gone_at_once(disputed_game, olga):
    assert olga.client.get(disputed_game.path + "/record").status_code == 200
    beside = open_daybook(disputed_game.book.settings)
    (club,) = (locator for locator in beside.clubs.all() if locator.name == "The Mill")
    founder = club.everybody()[0]
    season, table = club.games[str(disputed_game.id)]
    clubs.write(
        beside, club.id, RemoveGame(season, table, str(disputed_game.id), "another evening"), by=founder, key=key()
    )
    beside.close()
    with count_reads(disputed_game.book) as reads:
        assert olga.client.get(disputed_game.path + "/record").status_code == 403
    assert reads.log == ["select_notifications", "select_events"]


def test_many_links_are_asked_for_at_once(disputed_game):
    """A browser that holds links to many games asks for all of them in one statement, on every page."""
    anna = disputed_game.visitor()
    with anna.client.session_transaction() as kept:
        kept["grants"] = [
            *(access.make_grant(disputed_game.book, disputed_game.id, "reader").id for _ in range(40)),
            *kept["grants"],
        ]
    for path in (disputed_game.path + "/record", "/"):
        with count_reads(disputed_game.book) as reads:
            assert anna.client.get(path).status_code == 200
        assert len([read for read in reads.tables if "kept_grant" in read]) == 1, reads.tables


def test_former_name_of_a_person_is_in_no_cached_replay(disputed_game, olga):
    """A renamed or anonymised person is so on the next page, however often it was requested before."""
    book, anna = disputed_game.book, disputed_game.visitor()
    (club,) = (locator for locator in book.clubs.all() if locator.name == "The Mill")
    person = club.everybody()[0]
    step = write(
        book,
        disputed_game.id,
        TakeBack(disputed_game.game.parents[disputed_game.game.heads[-1]], "mistyped"),
        at=disputed_game.step,
        by=f"scorekeeper@{person}",
    ).step
    struck = f"undone by step {step}, mistyped; recorded by"
    assert f"{struck} Olga" in anna.get(disputed_game.path).text
    accounts.rename_person(book, person, "Olive", by=person)
    assert f"{struck} Olive" in anna.get(disputed_game.path).text


@pytest.mark.parametrize(
    "made_by",
    [
        as_played_form,
        charts,
        choices,
        claim_access,
        decision_form,
        record_page,
        drafts,
        ledger,
        any_decision_form,
        table_privacy,
        side_by_side,
    ],
    ids=lambda module: module.__name__,
)
def test_what_a_page_shows_is_made_without_a_request(made_by):
    """They get the visit and the parameters, and look nothing up."""
    source = ast.parse(inspect.getsource(made_by))
    names = {alias.name for node in ast.walk(source) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert not names & {"request", "session", "g", "current_app", "book", "visit_game", "grants_of", "held"}
