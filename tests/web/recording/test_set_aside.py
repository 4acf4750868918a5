"""A game that this version cannot read, or not take in: its pages say so, health and doctor too; all others go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent

from daybook.services.following import projections
from daybook.services.following.projections import Projection
from daybook.services.operation.doctor import run_checks
from daybook.services.store import read_models, set_aside
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import PositionedEntry
from daybook.web.request.template_globals import format_moment
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

NOT_UP_TO_DATE = "Not everything is up to date"


def project_log(book: Daybook, stumbles: Callable[[Projection], Projection] = lambda projection: projection) -> None:
    """Let every projection take in what is in the log."""
    for projection in (projections.games_projection(book), projections.results_projection(book)):
        projector = projections.BatchProjector(book, stumbles(projection), pause=lambda seconds: None)
        while projector.process_batch():
            pass


def over(game_id: UUID) -> Callable[[Projection], Projection]:
    """Projections that fail at each event of this game or club, as by a fault in what they count."""

    def stumbling(projection: Projection) -> Projection:
        def fold(events: Sequence[PositionedEntry]) -> read_models.Rows:
            if any(entry.originator_id == game_id for _, entry in events):
                raise ZeroDivisionError("the covered card is C4")
            return projection.fold(events)

        return replace(projection, fold=fold)

    return stumbling


def test_an_unreadable_game_is_told_and_the_others_go_on(open_game, book, visitor):
    bad, good = open_game(title="Broken", public=True), open_game(title="Whole", public=True)
    keeper, other = bad.visitor(), good.visitor()
    line = b'{"type":"from_the_future","step":1,"seal":"%s"}' % (b"0" * 64)
    book.log.recorder.insert_events([StoredEvent(bad.id, 2, "from_the_future", line)])
    book.games.cache.clear()
    project_log(book)
    page = keeper.get(f"{bad.path}/record")
    assert (page.status, "This game cannot be read just now" in page.text) == (503, True)
    answer = visitor.client.get(f"/api/v1{bad.path}")
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "unreadable_game")
    health = visitor.client.get("/api/v1/health")
    assert (health.status_code, health.json["ok"], health.json["unreadable_records"]) == (200, False, 1)
    assert str(bad.id) not in health.text, "whose game it is, is for who runs this Daybook"
    found = [check for check in run_checks(book.settings) if check.about == "set aside"]
    assert [item.state for item in found] == ["bad"] and str(bad.id) in found[0].says and "restore" in found[0].do
    assert other.get(f"{good.path}/record").status == 200
    assert "Whole" in visitor.get("/").text


@pytest.mark.parametrize("page", ["", "/record", "/score"])
def test_readable_game_not_imported_says_so_on_its_pages(open_game, book, page):
    """The page says what is kept and missing, since when, and what to do; it never names the fault, which may name a
    card."""
    bad, good = open_game(title="Stuck", public=True), open_game(title="Whole", public=True)
    bad.play(3)
    project_log(book)
    bad.play(2)
    project_log(book, over(bad.id))
    keeper, other = bad.visitor(), good.visitor()
    said = keeper.get(bad.path + page).text
    with bad.app.test_request_context("/"):
        when = format_moment(bad.game.entries[4].event.at)
    assert NOT_UP_TO_DATE in said and "Every decision of this game is kept" in said
    assert f"from step 4 on ({when}) is missing here: the lists of games, results, standings, statistics" in said
    assert "contact the administrator" in said and "daybook doctor" not in said
    assert "ZeroDivisionError" not in said and "C4" not in said
    assert NOT_UP_TO_DATE not in other.get(good.path + page).text
    for projection in (projections.games_projection(book), projections.results_projection(book)):  # mended
        projections.BatchProjector(book, projection).retry_aside()
    assert NOT_UP_TO_DATE not in keeper.get(bad.path + page).text


def test_a_club_that_was_not_taken_in_says_so_on_its_own_pages(book, app):
    club = ClubAtHand(book, app, public=True)
    project_log(book, over(club.id))
    said = Visitor(app).get(club.path).text
    assert f"{NOT_UP_TO_DATE}: what was recorded from step 0 on" in said
    assert "results, standings, statistics" in said and "the lists of games" in said
    for projection in (projections.games_projection(book), projections.results_projection(book)):  # mended
        projections.BatchProjector(book, projection).retry_aside()
    assert NOT_UP_TO_DATE not in Visitor(app).get(club.path).text


@pytest.mark.parametrize("position", [0, 10**6], ids=["stored", "lost"])
@pytest.mark.parametrize("page", ["", "/record", "/score"])
def test_damaged_game_says_so_on_its_own_pages(open_game, book, page, position):
    game = open_game(title="Damaged")
    game.play(3)
    project_log(book)
    with book.views.begin() as connection:
        at = position or book.log.positions(game.id)[1]
        set_aside.add(connection, [set_aside.SEALS], game.id, at, "step 1: the covered card is C4")
    shown = game.visitor().get(f"{game.path}{page}")
    assert shown.status == 200 and "This record is damaged" in shown.text
    assert f"step {0 if position else 1} after it was saved" in " ".join(shown.text.split())
    assert (
        "a backup brings the record back" in shown.text and "C4" not in shown.text and NOT_UP_TO_DATE not in shown.text
    )


def test_damaged_club_says_so_on_its_own_pages(book, app):
    club = ClubAtHand(book, app, public=True)
    project_log(book)
    with book.views.begin() as connection:
        position = book.log.positions(club.id)[0]
        set_aside.add(connection, [set_aside.SEALS], club.id, position, "step 0: its seal is wrong")
    assert "This record is damaged" in Visitor(app).get(club.path).text
