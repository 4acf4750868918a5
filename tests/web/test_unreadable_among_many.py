"""A record that cannot be read stops its own pages alone: whatever speaks of many games goes on without it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from eventsourcing.persistence import StoredEvent

from daybook.domain.league.club_commands import EnterGame
from daybook.services.following import projections
from daybook.services.league import clubs
from daybook.services.store.daybook import Daybook
from tests.played import key, leave_unreadable
from tests.services.leagues import enter_as_keeper
from tests.web.conftest import Opened
from tests.web.leagues import ClubAtHand
from tests.web.recording.test_set_aside import project_log
from tests.web.test_every_route import Everything

pytestmark = pytest.mark.slow

NEWER_KIND = b""  # what a newer Daybook wrote: an entry of its own
NEWER_FIELD = (  # or one that says more than we read
    b'{"type":"note_added","step":%d,"at":"2026-11-27T19:00:00.000Z","by":"","key":"k","seal":"%s","about_step":0}'
)
NEWER_CLUB = b'{"type":"club_of_the_future","step":1,"seal":"%s"}' % (b"0" * 64)


def evenings_of_a_club(open_game: Callable[..., Opened], book: Daybook) -> tuple[Everything, list[Opened]]:
    """Four evenings of the same people, three of them in a season; with an organiser who has all links."""
    games = [open_game(title=title) for title in ("First", "Second", "Whole", "Not entered")]
    for seed, game in enumerate(games[:3], 1):
        game.play(1_000, seed)
    games[3].deal()
    club = ClubAtHand(book, games[0].app)
    club.open_season("free", names="", table_sizes=(3,))
    people: list[str] | None = None
    for game in games[:3]:
        recorded = [seat.person for seat in game.game.opening.seats]
        enter_as_keeper(book, club.id, EnterGame(club.season.id, str(game.id), people=people), by=club.olga)
        people = people or recorded
    project_log(book)
    everything = Everything(games[3], club)
    for game in games[:3]:
        everything.browser.join(game.key("scorekeeper"))
    everything.game_key = games[2].key("scorekeeper")
    everything.values |= {"game_id": games[2].id, "id": games[2].id, "other_id": games[3].id, "table_id": "3"}
    return everything, games


def answers(everything: Everything) -> dict[str, int]:
    """Return the answers of every address, by status."""
    return {
        path: everything.ask(rule, path).status_code
        for rule in everything.rules("GET")
        if not rule.endpoint.startswith(("static", "live"))
        for path in [everything.address(rule)]
    }


def test_every_page_goes_on(open_game, book):
    """An unreadable game and a club are there, and the read models were rebuilt."""
    everything, (first, second, *_) = evenings_of_a_club(open_game, book)
    olga = everything.club.olga
    other = clubs.found_club(book, "Broken", olga, by=olga, key=key()).record
    project_log(book)
    projections.rebuild_read_models(book)  # it counts the games and reviews the years, as the jobs do
    before = answers(everything)

    def changed() -> dict[str, tuple[int, int]]:
        after = answers(everything)
        return {path: (before[path], after[path]) for path in before if before[path] != after[path]}

    leave_unreadable(book, first.id, NEWER_KIND)
    project_log(book)
    assert changed() == {}, "beside a kind of entry that only a newer one knows"

    leave_unreadable(book, second.id, NEWER_FIELD)
    projections.rebuild_read_models(book)
    book.log.recorder.insert_events([StoredEvent(other, 2, "club_of_the_future", NEWER_CLUB)])
    project_log(book)
    assert changed() == {}, "after a rebuild, beside a field that only a newer one knows, and a club"
