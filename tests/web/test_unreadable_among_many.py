"""A record that cannot be read stops its own pages alone: whatever speaks of many games goes on without it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from eventsourcing.persistence import StoredEvent

from daybook.services.following import projections
from daybook.services.league import clubs
from daybook.services.store.daybook import Daybook
from tests.played import key, leave_unreadable
from tests.web.conftest import Opened
from tests.web.leagues import ClubAtHand
from tests.web.recording.test_set_aside import project_log
from tests.web.test_every_route import Everything

KINDS = {  # what a newer Daybook wrote: an entry of its own, or one that says more than we read
    "kind": b"",
    "field": b'{"type":"note_added","step":%d,"at":"2026-11-27T19:00:00.000Z","by":"","key":"k","seal":"%s","about":0}',
}


@pytest.fixture
def among_others(open_game: Callable[..., Opened], book: Daybook) -> tuple[Everything, Opened]:
    """Three evenings of the same people, two of them played in a season, of which one cannot be read any more; and
    somebody who organises it, with the links of all."""
    games = [open_game(title=title) for title in ("Broken", "Whole", "Not entered")]
    for seed, game in enumerate(games[:2], 1):
        game.play(1_000, seed)
    games[2].deal()
    club = ClubAtHand(book, games[0].app)
    club.open_season("free", names="", table_sizes=(3,))
    people: list[str] | None = None
    for game in games[:2]:
        recorded = [seat.person for seat in game.game.opening.seats]
        clubs.enter_game(book, club.id, club.season.id, game.id, people=people, is_keeper=True, by=club.olga, key=key())
        people = people or recorded
    project_log(book)
    everything = Everything(games[2], club)
    for game in games[:2]:
        everything.browser.join(game.key("scorekeeper"))
    everything.game_key = games[1].key("scorekeeper")
    everything.values |= {"game_id": games[1].id, "id": games[1].id, "other_id": games[2].id, "table_id": "2"}
    return everything, games[0]


def answers(everything: Everything) -> dict[str, int]:
    """What every address answers, by status."""
    return {
        path: everything.ask(rule, path).status_code
        for rule in everything.rules("GET")
        if not rule.endpoint.startswith(("static", "live"))
        for path in [everything.address(rule)]
    }


def changed(before: dict[str, int], after: dict[str, int]) -> dict[str, tuple[int, int]]:
    return {path: (before[path], after[path]) for path in before if before[path] != after[path]}


@pytest.mark.parametrize(("kind", "rebuilt"), [("kind", False), ("kind", True), ("field", True)])
def test_every_page_goes_on(among_others: tuple[Everything, Opened], book: Daybook, kind: str, rebuilt: bool) -> None:
    everything, broken = among_others
    before = answers(everything)
    leave_unreadable(book, broken.id, KINDS[kind])
    if rebuilt:
        projections.rebuild(book)
    else:
        project_log(book)
    assert changed(before, answers(everything)) == {}


def test_every_page_goes_on_beside_a_club_that_cannot_be_read(
    among_others: tuple[Everything, Opened], book: Daybook
) -> None:
    everything, _ = among_others
    olga = everything.club.olga
    other = clubs.found_club(book, "Broken", olga, by=olga, key=key()).club
    project_log(book)
    before = answers(everything)
    line = b'{"type":"club_of_the_future","step":1,"seal":"%s"}' % (b"0" * 64)
    book.log.recorder.insert_events([StoredEvent(other, 2, "club_of_the_future", line)])
    project_log(book)
    assert changed(before, answers(everything)) == {}
