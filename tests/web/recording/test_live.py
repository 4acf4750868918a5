"""Following a game: an open stream reports each new step, and nothing else."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from ipaddress import ip_network
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Route, expect

from daybook.domain import disputes
from daybook.domain.commands import Command, ConsentToRuling, ProposeRuling, RaiseClaim
from daybook.services.fair_room import FairRoom
from daybook.services.limits import Caller
from daybook.services.permissions import access
from daybook.services.play import live
from daybook.services.play.live import Streams
from daybook.web.recording.live import MAX_GAMES_PER_STREAM
from tests.contexts import new_context
from tests.servers import PATIENCE_SECONDS, wait_until
from tests.web.conftest import TABLE, Opened, silence_beats

POLL_MS = 5000  # longer than a page without a stream waits


@pytest.fixture
def public(open_game: Callable[..., Opened]) -> Opened:
    opened = open_game(public=True)
    opened.deal()
    return opened


class Stream:
    """A stream as a browser reads it, line by line."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.answer = answer
        self.status = answer.status

    def line(self) -> str:
        return self.answer.readline().decode().rstrip("\n")

    def event(self) -> list[str]:
        """The lines of the next event; comments and the browser's own settings are passed over."""
        lines: list[str] = []
        while line := self.line():
            lines.append(line)
        return lines if not lines or lines[0].startswith("id:") else self.event()


@contextmanager
def listening(served: str, what: Opened | str, after: str = "", **headers: str) -> Iterator[Stream]:
    """what: a game, or the address of a stream."""
    connection = http.client.HTTPConnection(urlsplit(served).netloc, timeout=PATIENCE_SECONDS)
    with closing(connection):
        connection.request("GET", what if isinstance(what, str) else f"{what.path}/events{after}", headers=headers)
        with connection.getresponse() as answer:
            yield Stream(answer)


def test_a_stream_tells_the_newest_step_and_then_each_new_one(public, site, app):
    silence_beats(app)
    with listening(site, public) as stream:
        assert stream.answer.headers["Content-Type"].startswith("text/event-stream")
        assert stream.event() == ["id: 7", 'data: {"step": 7}']
        public.decide(0, type="run")
        assert stream.event() == ["id: 8", 'data: {"step": 8}']


def test_a_stream_goes_on_where_the_browser_left_off(public, site):
    with listening(site, public, "?after=7") as stream:
        public.decide(0, type="run")
        assert stream.event()[0] == "id: 8"
    with listening(site, public, "?after=2", **{"Last-Event-ID": "8"}) as stream:
        public.decide(0, type="run")
        assert stream.event()[0] == "id: 9"
    with listening(site, public, **{"Last-Event-ID": "3"}) as stream:
        assert stream.event()[0] == "id: 9", "what was missed is told at once"


def test_other_games_are_not_told_of(public, open_game, site):
    other = open_game(title="Another", public=True)
    with listening(site, public, "?after=7") as stream:
        other.deal()
        public.decide(0, type="run")
        assert stream.event()[0] == "id: 8"


def test_stream_of_several_games_names_each_and_unreadable_ones(public, open_game, site, app):
    silence_beats(app)
    other, covered, unknown = open_game(title="Another", public=True), open_game(title="Covered"), uuid4()
    asked = "&".join(f"game={id}.0" for id in (public.id, other.id, covered.id, unknown))
    with listening(site, f"/events?{asked}") as stream:
        assert stream.answer.headers["Content-Type"].startswith("text/event-stream")
        assert [stream.line() for _ in range(3)] == ["retry: 2000", "", "event: closed"]
        assert {str(covered.id), str(unknown)} == set(json.loads(stream.line().removeprefix("data: "))["games"])
        assert stream.line() == ""
        assert stream.line() == f'data: {{"steps":{{"{public.id}":7}}}}'
        stream.line()
        assert stream.line() == "event: beat"
        assert json.loads(stream.line().removeprefix("data: "))["steps"] == {str(public.id): 7, str(other.id): 0}
        stream.line()
        covered.deal()
        other.decide(TABLE, type="drawn", card="R2")
        assert stream.line() == f'data: {{"steps":{{"{other.id}":1}}}}'


@pytest.mark.parametrize("query", ["", "game=", "game=x.1", "game={id}.-1", "game={id}.1e3", "game={id}." + "9" * 4300])
def test_a_stream_of_something_else_is_refused(public, site, query):
    with listening(site, "/events?" + query.format(id=public.id)) as stream:
        assert stream.status == 400


def test_a_stream_has_so_many_games_and_no_more(public, site):
    with listening(site, "/events?" + "&".join(f"game={uuid4()}.1" for _ in range(MAX_GAMES_PER_STREAM + 1))) as stream:
        assert stream.status == 400


def test_all_streams_of_a_process_share_one_thread(public, site, app):
    with listening(site, public) as one, listening(site, public) as two:
        one.event(), two.event()
        public.decide(0, type="run")
        assert one.event() == two.event() == ["id: 8", 'data: {"step": 8}']
        streams: Streams = app.extensions["streams"]
        assert streams._follower is not None


def test_a_quiet_stream_beats_and_tells_the_newest_step_again(public, site, app):
    app.extensions["streams"].beat_seconds = 0.05
    with listening(site, public) as stream:
        assert stream.event()[0] == "id: 7"
        for _ in range(2):
            assert [stream.line() for _ in range(3)] == ["event: beat", 'data: {"step": 7, "pause": 0.05}', ""]


def test_many_streams_beat_less_often(public, site, app):
    streams: Streams = app.extensions["streams"]
    assert streams.beat_pause() == streams.beat_seconds
    streams.beat_seconds = 0.005
    with listening(site, public) as one, listening(site, public) as two:
        one.event(), two.event()
        assert streams.beat_pause() == 2 / 100


def test_too_many_streams_are_asked_to_come_back(public, site, app):
    streams: Streams = app.extensions["streams"]
    streams.room.size = 1
    with listening(site, public) as first:
        first.event()
        with listening(site, public) as second:
            assert second.status == 503
            assert int(second.answer.headers["Retry-After"]) > 0


def test_streams_are_counted_by_link_before_their_address(book):
    streams, game = Streams(book.log), uuid4()
    streams.room = FairRoom(size=9, per_named=2, per_unnamed=2, per_address=3)

    def opened(link: str = "", browser: str = "") -> live.Stream | None:
        return streams.open_stream([game], Caller(link=link, browser=browser, address="192.0.2.1"))

    assert [opened(browser="hostile") is not None for _ in range(3)] == [True, True, False]
    assert opened(browser="another") and opened(browser="a third"), "the one who has two loses one"
    assert [opened(browser="hostile") is not None for _ in range(2)] == [False, False]
    first = [opened(link="a") for _ in range(3)]
    assert [stream is not None for stream in first] == [True, True, False]
    assert opened(link="b")
    assert first[0]
    streams.close_stream(first[0])
    streams.close_stream(first[0])
    assert opened(link="a")
    streams.close_all()


def test_who_has_most_streams_makes_room_for_who_has_less(book):
    streams, game = Streams(book.log), uuid4()
    streams.room = FairRoom(size=6, per_named=9, per_unnamed=9, per_address=9)
    club = [streams.open_stream([game], Caller(link=f"phone {n}", address="192.0.2.1")) for n in range(2)]
    hostile = [streams.open_stream([game], Caller(link="hostile", address="192.0.2.1")) for _ in range(4)]
    assert streams.open_stream([game], Caller(link="another phone", address="192.0.2.1"))
    assert streams.open_stream([game], Caller(browser="elsewhere", address="198.51.100.1"))
    assert [stream.ended for stream in hostile if stream] == [True, True, False, False]
    assert not any(stream.ended for stream in club if stream)
    assert streams.count_open() == 6
    assert streams.open_stream([game], Caller(link="hostile", address="192.0.2.1")) is None
    streams.close_all()


def test_behind_a_proxy_of_ours_each_address_has_its_own_share(public, site, app):
    settings = replace(public.book.settings, trusted_proxies=(ip_network("127.0.0.0/8"),))
    app.extensions["daybook"] = replace(public.book, settings=settings)
    app.extensions["streams"].room.per_address = 1
    with listening(site, public, **{"X-Forwarded-For": "192.0.2.1"}) as one:
        with listening(site, public, **{"X-Forwarded-For": "192.0.2.1"}) as again:
            assert (one.status, again.status) == (200, 503)
        with listening(site, public, **{"X-Forwarded-For": "192.0.2.2"}) as other:
            assert other.status == 200


def test_a_page_that_finds_no_stream_says_so_and_asks(public, site, app, browser):
    app.extensions["streams"].room.size = 0
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.clock.install()
    page.goto(f"{site}{public.path}")
    expect(page.get_by_text("this page checks for new steps every few seconds")).to_be_visible()
    public.decide(0, type="run")
    page.clock.fast_forward(POLL_MS)
    expect(page.get_by_text("step 8 of 8").first).to_be_visible()
    context.close()


def test_asked_for_its_head_a_stream_holds_nothing(public, site, app):
    connection = http.client.HTTPConnection(urlsplit(site).netloc, timeout=PATIENCE_SECONDS)
    connection.request("HEAD", f"{public.path}/events")
    assert connection.getresponse().status == 200
    connection.close()
    assert app.extensions["streams"].count_open() == 0


def test_a_page_without_a_stream_may_ask(public, visitor, app):
    answer = app.test_client().get(f"{public.path}/newest.json")
    assert answer.json == {"step": 7}
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_stream_that_is_left_makes_room(public, site, app):
    app.extensions["streams"].beat_seconds = 0.05
    streams: Streams = app.extensions["streams"]
    with listening(site, public) as stream:
        stream.event()
        assert streams.count_open() == 1
    wait_until(lambda: streams.count_open() == 0, "the stream to be let go")


def test_a_revoked_link_ends_its_stream(friday, site, app):
    app.extensions["streams"].look_seconds = 0.05
    key = friday.key("reader")
    with listening(site, friday, Authorization=f"Bearer {key}") as stream:
        assert stream.event()[0] == "id: 7"
        grant = access.read_key(friday.book, key)
        assert grant
        access.revoke(friday.book, grant.id)
        assert stream.answer.read().count(b"event: beat") <= 1, "it ends before its second beat"


def test_a_stranger_hears_nothing_of_a_private_game(friday, site):
    with listening(site, friday) as stream:
        assert stream.status == 403


@pytest.mark.parametrize("after", ["?after=x", "?after=-1"])
def test_nonsense_is_refused(public, site, after):
    with listening(site, public, after) as stream:
        assert stream.status == 400


def test_a_process_that_goes_away_ends_its_streams(public, site, app):
    streams: Streams = app.extensions["streams"]
    with listening(site, public) as stream:
        stream.event()
        streams.close_all()
        assert stream.event() == []
    assert streams.open_stream([public.id], Caller()) is None


def test_a_tap_is_not_undone_by_what_another_does_meanwhile(browser, site, friday):
    """A claim's page updates when another player agrees; a player who agrees in that moment has agreed too."""

    def write(command: Command, by: str) -> None:
        friday.write(command, by=by)

    friday.play(12)
    write(RaiseClaim(9, "one coin too many", seat=1), "seat:1")
    (number,) = disputes.claims(friday.game)
    write(ProposeRuling(number, "play_on"), "scorekeeper")
    proposal = friday.step
    with new_context(browser) as context:
        beside, page = context.new_page(), context.new_page()
        friday.enter(page, site, "seat", 0)
        for item in (beside, page):
            item.goto(f"{site}{friday.path}/claims/{number}")
        asked = list[Route]()
        page.route("**/connection.js", lambda at: asked.append(at) if at.request.method == "HEAD" else at.continue_())
        page.get_by_role("button", name="Anna agrees").click()
        write(ConsentToRuling(number, proposal, 1), "seat:1")
        expect(
            beside.locator(f'#claim[data-at="{friday.step}"]')
        ).to_be_visible()  # it was told; so was the page beside it
        with page.expect_navigation():
            asked[0].continue_()
        assert disputes.claim_of(friday.game, number).consents(proposal) == {0, 1}
