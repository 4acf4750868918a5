"""Every page and every API address, opened by every viewer of a game while others are to act: a sample of it.

`python -m tests.bench.every_page` opens everything at every step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import msgspec
import pytest

from daybook.domain.commands import Abandon, EndLease, TakeLease
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE
from daybook.services.clock import now
from daybook.services.files.import_export import import_file
from daybook.services.permissions import access
from daybook.services.play.practice import Dealer
from daybook.services.store.held_leases import HeldLease, end_lease, store_lease
from daybook.web.app import create_app
from daybook.web.pages import ON_A_DEVICE
from tests.every_page import SEEN_BY_READERS, Request, Viewer, WatchedGame, signed_in, viewers_of, watched_game
from tests.played import write
from tests.services.fixture_files import FIXTURES
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.sqlite_suffices, pytest.mark.slow]

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("making_profit", 3, {"hands": "hidden"}),
    ("london_markets", 3, {}),
    ("water_frame", 3, {}),
    ("arkwright_card", 3, {"restrictions": True, "extra_actions": True}),
    ("arkwright_card", 1, {}),
    ("score_sheet", 3, {}),
]


STEPS = 60  # of a random game; the bench plays them to the end


def first_of_each_kind(watched: WatchedGame, dealer: Dealer) -> Iterator[None]:
    """Play a random game, and stop where a player is about to make a kind of decision for the first time."""
    rules = watched.game.ruleset
    for _ in range(STEPS):
        chosen = dealer.next_decision(rules, watched.game.board)
        if chosen is None:
            break
        if chosen[0] != TABLE and tag_of(type(chosen[1])) not in watched.said:
            yield
        watched.record(*chosen)


@pytest.mark.parametrize(("ruleset_id", "seats", "options"), GAMES)
def test_pages_open_for_everyone_while_others_act(book, app, ruleset_id, seats, options):
    watched, random, faults = watched_game(book, app, ruleset_id, seats, options), Random(1), list[str]()
    for _ in first_of_each_kind(watched, Dealer(1)):
        faults += watched.faults(watched.of_waiting_seats()) + watched.faults(watched.next_pages(random, 2))
    write(book, watched.id, Abandon("late"))
    assert faults + watched.faults(watched.next_pages(random, 6)) == []


def test_pages_open_for_everyone_while_a_device_records(book, app):
    watched, random, faults = watched_game(book, app, "arkwright_card", 2, {}), Random(2), list[str]()
    for _ in islice(first_of_each_kind(watched, Dealer(2)), 0, None, 5):
        lease = write(book, watched.id, TakeLease("phone"), at=watched.game.step).step
        faults += watched.faults(watched.of_waiting_seats()) + watched.faults(watched.next_pages(random, 10))
        write(book, watched.id, EndLease(lease, revoked=True, why="lost"))
    assert faults == []


def test_pages_open_for_everyone_at_a_practice_table(book, app):
    watched, random, faults = watched_game(book, app, "arkwright_card", 3, {}, "practice"), Random(3), list[str]()
    for _ in islice(first_of_each_kind(watched, Dealer(3)), 0, None, 5):
        faults += watched.faults(watched.of_waiting_seats()) + watched.faults(watched.next_pages(random, 10))
    assert faults == []


def test_pages_open_for_strangers_on_a_public_game(book, app):
    """A public game with hidden hands is shown to everyone, and laid open when it is over."""
    watched = watched_game(book, app, "making_profit", 3, {"hands": "hidden"}, public=True)
    watched.viewers = [viewer for viewer in watched.viewers if viewer.name in ("stranger", "signed in", "reader")]
    random, faults = Random(5), list[str]()
    for _ in islice(first_of_each_kind(watched, Dealer(5)), 0, None, 10):
        faults += watched.faults(watched.next_pages(random, 10))
    write(book, watched.id, Abandon("late"))
    assert faults + watched.faults(watched.next_pages(random, 8)) == []


def test_pages_open_for_a_person_before_and_after_leaving_a_seat(book, app):
    lines = (FIXTURES / "all-expert-rules.daybook").read_bytes().splitlines(keepends=True)
    game_id = import_file(book, b"".join(lines[:60]))
    watched = WatchedGame(book, app, game_id, [*viewers_of(book, app, game_id)])
    link = next(viewer.key for viewer in watched.viewers if viewer.seat == 1)
    person = msgspec.structs.replace(signed_in(book, app, "Leaver"), key=link, seat=1)
    person.browser.join(link)
    watched.viewers = [person]
    random, faults = Random(4), list[str]()
    for action in ("1/mine", "not-mine"):
        assert person.browser.post(f"/games/{game_id}/seats/{action}").status == 200
        for seed in range(3):
            assert watched.decide(Dealer(seed))
            faults += watched.faults(watched.of_waiting_seats()) + watched.faults(watched.next_pages(random, 7))
    assert faults == []


def test_pages_open_on_a_device_that_holds_the_game(book):
    """The device's own pages, of a game that it took from a server, of its own, and of one that was handed back."""
    app = create_app(book, ON_A_DEVICE)
    watched, random, faults = watched_game(book, app, "arkwright_card", 2, {}), Random(6), list[str]()
    watched.viewers = [viewer for viewer in watched.viewers if viewer.name == "scorekeeper"]
    held = HeldLease(watched.id, watched.game.step, "key", "", now())
    for number, _ in enumerate(islice(first_of_each_kind(watched, Dealer(6)), 0, None, 3)):
        if number == 1:
            store_lease(book, held, "Anna")
        if number == 4:
            end_lease(book, watched.id)
        faults += watched.faults(watched.next_pages(random, 20))
        asked = {"game": str(watched.id)}
        for path, query in {
            "/device": {},
            "/device.json": {},
            "/take": asked,
            "/import": {},
            "/new": {},
            "/": {},
        }.items():
            faults += watched.faults([(watched.viewers[0], Request("device", "GET", path, query))])
    assert number > 4
    assert not faults, "\n".join(faults)


def test_readers_and_umpires_open_every_kind_of_step(book, app):
    watched, random, faults = watched_game(book, app, "water_frame", 3, {}), Random(7), list[str]()
    watched.viewers = [viewer for viewer in watched.viewers if viewer.name.startswith(("reader", "umpire"))]
    assert len(watched.viewers) == 2
    for _ in islice(first_of_each_kind(watched, Dealer(7)), 0, None, 3):
        seen = [request for request in watched.requests() if request.endpoint in SEEN_BY_READERS]
        faults += watched.faults(product(watched.viewers, seen)) + watched.faults(watched.next_pages(random, 8))
    assert faults == []


@pytest.mark.parametrize("kind", ["table", "practice"])
def test_shared_and_embedded_pages_open_at_every_kind_of_step(book, app, kind):
    watched = watched_game(book, app, "making_profit", 3, {"hands": "hidden"}, kind, public=True)
    faults, stranger = list[str](), Viewer("stranger", Visitor(app), "")
    for _ in islice(first_of_each_kind(watched, Dealer(8)), 0, None, 3):
        shared = [
            r for r in watched.requests() if r.endpoint.startswith("shared") or r.path.endswith(("embed", ".png"))
        ]
        assert {"shared.shared", "shared.picture"} <= {request.endpoint for request in shared}
        faults += watched.faults((stranger, request) for request in shared)
    write(book, watched.id, Abandon("late"))
    assert faults + watched.faults((stranger, request) for request in shared) == []


def test_share_address_that_was_ended_answers_404(book, app):
    watched = watched_game(book, app, "water_frame", 2, {})
    stranger = Viewer("stranger", Visitor(app), "")
    assert stranger.browser.get(f"/s/{watched.share}").status == 200
    access.revoke(book, watched.share)
    for path in (f"/s/{watched.share}", f"/s/{watched.share}/steps/0.png", f"/s/{'x' * 300}", "/s/%00", "/s/.."):
        assert stranger.browser.client.get(path).status_code in (400, 404), path
