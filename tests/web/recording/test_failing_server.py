"""A page that refreshes itself keeps its content while the server fails, says so in one line, and recovers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from daybook.domain.commands import Count, Note
from daybook.services.disputes import claims
from daybook.services.files import audits
from daybook.services.permissions import access
from tests.browsing import open_replay
from tests.played import key, open_seats, update_games, write
from tests.web.conftest import Opened, served, with_three_unseen_cards

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_suffices]

FAILING = "[data-failing]:not([hidden])"
CUT = "[data-cut]:not([hidden])"
ENDED = "[data-ended]:not([hidden])"


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """Return a phone whose console may report failed requests, and whose pages retry after a tenth of the usual pause."""
    with browser.new_context(viewport={"width": 390, "height": 844}, hurried=True) as context:
        yield context


class FailingViews:
    """Views of the application that raise until they are repaired."""

    def __init__(self, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
        self.app, self.monkeypatch = app, monkeypatch
        self.failed = False

    def fail(self, *endpoints: str) -> None:
        self.failed = True
        for endpoint in endpoints:
            self.monkeypatch.setitem(
                self.app.view_functions, endpoint, self._or_raise(self.app.view_functions[endpoint])
            )

    def _or_raise(self, view: Callable[..., Any]) -> Callable[..., Any]:
        def answer(**parts: Any) -> Any:
            if self.failed:
                raise RuntimeError("this view fails")
            return view(**parts)

        return answer

    def fail_after_first(self, endpoint: str) -> None:
        """Answer one request, so that there is a page, and fail from then on."""
        view, answered = self.app.view_functions[endpoint], list[Any]()

        def answer(**parts: Any) -> Any:
            if answered and self.failed:
                raise RuntimeError("this view fails")
            answered.append(parts)
            return view(**parts)

        self.failed = True
        self.monkeypatch.setitem(self.app.view_functions, endpoint, answer)

    def repair(self) -> None:
        self.failed = False


@pytest.fixture
def views(app: Flask, monkeypatch: pytest.MonkeyPatch) -> FailingViews:
    return FailingViews(app, monkeypatch)


class LivePage(msgspec.Struct):
    """A page that shows what others record. keeps: what stands on it whatever happens; shows: the newest step."""

    endpoint: str
    path: str
    keeps: str
    shows: str


LIVE = [
    LivePage("record.record", "/record", "#desk", '#desk[data-at="{step}"]'),
    LivePage("replay.steps", "", "#replay.scripted", '#scrubber[max="{step}"]'),
    LivePage("claims.claim", "/claims/{claim}", "#claim[data-follows]", '#claim[data-at="{step}"]'),
]


def open_all(phone: BrowserContext, game: Opened, site: str, lives: Sequence[LivePage] = LIVE) -> list[Page]:
    """Open live pages of a game as a waiting player, each in its own tab."""
    claim = claims.raise_claim(game.book, game.id, 7, "Was that so?", by="scorekeeper", key=key()).step
    pages = []
    for live in lives:
        live.path = live.path.format(claim=claim)
        page = phone.new_page()
        if not pages:
            game.enter(page, site, "seat", 1)
        if live.path:
            page.goto(f"{site}{game.path}{live.path}")
        else:
            open_replay(page, f"{site}{game.path}")
        expect(page.locator(live.shows.format(step=game.step))).to_be_attached()
        pages.append(page)
    return pages


def test_live_pages_keep_content_if_views_fail_or_access_ends(phone, site, friday, views):
    pages = open_all(phone, friday, site)
    views.fail(*(live.endpoint for live in LIVE))
    write(friday.book, friday.id, Note(7, "the lamp went out"))
    for page, live in zip(pages, LIVE, strict=True):
        page.bring_to_front()
        expect(page.locator(FAILING)).to_have_text(re.compile(r"error \(500\)\. Trying again"))
        expect(page.locator(live.keeps)).to_be_visible()
        expect(page.locator(live.shows.format(step=friday.step))).to_have_count(0)
    views.repair()
    for page, live in zip(pages, LIVE, strict=True):
        page.bring_to_front()
        expect(page.locator(live.shows.format(step=friday.step))).to_be_attached()
        expect(page.locator(FAILING)).to_have_count(0)
    for grant in access.grants_of_game(friday.book, friday.id):
        access.revoke(friday.book, grant.id)
    for page, live in zip(pages, LIVE, strict=True):
        page.bring_to_front()
        expect(page.locator(ENDED)).to_contain_text("no longer updates")
        expect(page.locator(live.keeps)).to_be_visible()
        expect(page.locator(f"{CUT}, {FAILING}")).to_have_count(0)


@pytest.mark.parametrize("live", [LIVE[0], *(pytest.param(live, marks=pytest.mark.drill) for live in LIVE[1:])])
def test_live_page_keeps_content_while_the_server_is_stopped(phone, app, friday, live):
    app.testing = False
    with ExitStack() as first:
        site = first.enter_context(served(app))
        (page,) = open_all(phone, friday, site, [live])
    write(friday.book, friday.id, Note(7, "the lamp went out"))
    expect(page.locator(CUT)).to_contain_text("No connection")
    expect(page.locator(live.keeps)).to_be_visible()
    with served(app, int(site.rpartition(":")[2])):
        expect(page.locator(live.shows.format(step=friday.step))).to_be_attached()
        expect(page.locator(CUT)).to_have_count(0)
        phone.close()


def test_tap_that_failed_to_save_is_dropped_or_saved_once(phone, site, friday, views):
    page = phone.new_page()
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/record?seat=0&kind=run")
    views.fail("record.write")
    step = friday.step
    page.get_by_role("button", name="Save").last.click()
    page.get_by_role("button", name="Do not send it").click()
    expect(page.locator("[data-held]:not([hidden])")).to_have_count(0)
    page.reload()
    expect(page.locator("#desk")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0
    page.get_by_role("button", name="Save").last.click()
    kept = page.locator("[data-held]:not([hidden])")
    expect(kept).to_contain_text("The server reported an error (500). Your entry is kept here")
    expect(page.locator("#desk")).to_be_visible()
    assert friday.step == step
    views.repair()
    expect(page.locator(f'#desk[data-at="{step + 1}"]')).to_be_visible()
    expect(kept).to_have_count(0)
    assert friday.step == step + 1


def test_question_that_the_server_fails_to_answer_is_asked_again(phone, site, open_game, views):
    page = phone.new_page()
    with_three_unseen_cards(open_game).enter(page, site)
    views.fail("record.record")
    page.get_by_label("Sell R1 and others").click()
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    expect(page.locator("#desk")).to_be_visible()
    views.repair()
    page.wait_for_url("**/record?*")
    expect(page.locator(FAILING)).to_have_count(0)


def test_typed_text_is_read_again_after_the_server_failed(phone, site, friday, views):
    page = phone.new_page()
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/type")
    views.fail("typed_line.type_it")
    page.locator("#text").press_sequentially("run")
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    expect(page.locator("#text")).to_have_value("run")
    views.repair()
    expect(page.locator("#read")).to_contain_text("Read as")
    expect(page.locator(FAILING)).to_have_count(0)


def test_replay_waits_for_steps_while_the_server_fails(phone, site, friday, views):
    page = phone.new_page()
    views.fail("replay.steps")
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}?step=0")
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    page.keyboard.press("ArrowRight")
    views.repair()
    expect(page.locator("#scrubber")).to_have_value("1")
    expect(page.locator(FAILING)).to_have_count(0)


def test_page_that_is_not_of_daybook_takes_no_place(phone, site, friday):
    """A network may answer with a page of its own, as those do at which one has to sign in."""
    page = phone.new_page()
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/record?seat=0&kind=run")
    step, answered = friday.step, list[Route]()

    def answer_once(route: Route) -> None:
        answered.append(route)
        route.fulfill(body="<h1>Welcome to Hotel Wren</h1>") if len(answered) == 1 else route.continue_()

    page.route("**/record", answer_once)
    page.get_by_role("button", name="Save").last.click()
    expect(page.locator("[data-waiting]")).to_contain_text("1 waiting")
    expect(page.locator("#desk")).to_be_visible()
    expect(page.locator(f'#desk[data-at="{step + 1}"]')).to_be_visible()
    assert friday.step == step + 1


def test_record_page_follows_the_game_with_a_late_script(phone, site, friday):
    page, lost = phone.new_page(), list[Route]()

    def lose_once(route: Route) -> None:
        lost.append(route)
        route.abort() if len(lost) == 1 else route.continue_()

    page.route("**/live.js*", lose_once)
    friday.enter(page, site, "seat", 1)
    expect(page.locator(CUT)).to_contain_text("No connection")
    write(friday.book, friday.id, Note(7, "the lamp went out"))
    expect(page.locator(f'#desk[data-at="{friday.step}"]')).to_be_visible()
    expect(page.locator(CUT)).to_have_count(0)


def test_page_says_that_the_stream_and_the_newest_step_fail(phone, site, friday, views):
    page = phone.new_page()
    views.fail("live.events_of_games", "live.newest")
    friday.enter(page, site, "seat", 1)
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    views.repair()
    write(friday.book, friday.id, Note(7, "the lamp went out"))
    expect(page.locator(f'#desk[data-at="{friday.step}"]')).to_be_visible()
    expect(page.locator(FAILING)).to_have_count(0)


def test_error_page_in_place_of_the_record_page_has_its_margin(phone, site, friday):
    page = phone.new_page()
    friday.enter(page, site, "seat", 1)
    page.evaluate("history.replaceState(null, '', location.pathname.replace('record', 'no-such-page'))")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    assert page.locator("h1").bounding_box()["x"] >= 16


def test_page_that_waits_for_audits_keeps_its_content(phone, site, book, views):
    game = open_seats(book, kind="practice", public=True)
    update_games(book)
    audits.audit_game(book, game)
    audits.request_audits(book, [game])
    page = phone.new_page()
    page.goto(f"{site}/audit")
    views.fail("audit.overview")
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    expect(page.get_by_text("0 of 1 games audited")).to_be_visible()
    audits.audit_game(book, game)
    views.repair()
    expect(page.get_by_text("1 of 1 games audited")).to_be_visible()
    expect(page.locator(FAILING)).to_have_count(0)


def test_search_for_a_slip_stays_after_errors_and_refusals(phone, site, friday, views):
    friday.play(30)
    count = friday.write(Count({"/players/0/money": friday.game.document["players"][0]["money"] + 5})).step
    page = phone.new_page()
    friday.enter(page, site)
    views.fail_after_first("count.count_of_step")
    page.goto(f"{site}{friday.path}/counts/{count}")
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    expect(page.locator("#search")).to_be_visible()
    views.repair()
    expect(page.locator("#search")).to_have_attribute("data-done", "")
    expect(page.locator(FAILING)).to_have_count(0)
    answer_every(page, r"/counts/\d+\?", status=403, content_type="text/html", body="<p data-cut></p>")
    page.reload()
    expect(page.locator(ENDED)).to_be_visible()
    expect(page.locator("#search")).to_be_visible()


def test_preview_of_a_score_sheet_keeps_what_is_typed(phone, site, views):
    page = phone.new_page()
    page.goto(f"{site}/make/score_sheet")
    views.fail("making.send")
    name = page.locator("[data-making] input[type=text], [data-making] input:not([type])").first
    name.fill("Wren")
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    expect(name).to_have_value("Wren")
    views.repair()
    expect(page.locator(FAILING)).to_have_count(0)


def test_chart_waits_for_its_win_chances(phone, site, friday, views):
    friday.play(500)
    page = phone.new_page()
    views.fail("chances.band")
    friday.enter(page, site)
    open_replay(page, f"{site}{friday.path}")
    expect(page.locator(FAILING)).to_contain_text("error (500)")
    views.repair()
    expect(page.locator(FAILING)).to_have_count(0)


def answer_every(page: Page, address: str, **answer: Any) -> None:
    """Answer requests to an address as the server does when something has changed."""
    page.route(re.compile(address), lambda route: route.fulfill(**answer))


def test_refresh_put_off_recovers_and_refused_keeps_the_page(phone, site, friday):
    pages = open_all(phone, friday, site)
    body = "<title>busy</title><h1>Bad Gateway</h1><p data-cut hidden></p>"
    put_off = ((202, None), (429, FAILING), (502, CUT))
    for page, (status, _) in zip(pages, put_off, strict=True):
        answer_every(page, r"/(record|replay\.json.*|claims/\d+)$", status=status, content_type="text/html", body=body)
    write(friday.book, friday.id, Note(7, "the lamp went out"))
    for page, live, (status, line) in zip(pages, LIVE, put_off, strict=True):
        page.bring_to_front()
        with page.expect_response(lambda answer, status=status: answer.status == status):
            pass
        if line:
            expect(page.locator(line)).to_be_visible()
        expect(page.locator(live.keeps)).to_be_visible()
        page.unroute_all()
        expect(page.locator(live.shows.format(step=friday.step))).to_be_attached()
        expect(page.locator(f"{CUT}, {FAILING}, {ENDED}")).to_have_count(0)
    for page in pages:
        refusal = page.request.get(f"{site}/games/{key()}").text()  # a whole page of Daybook
        answer_every(page, r"/(record|replay\.json.*|claims/\d+)$", status=410, content_type="text/html", body=refusal)
    write(friday.book, friday.id, Note(7, "the lamp is mended"))
    for page, live in zip(pages, LIVE, strict=True):
        page.bring_to_front()
        expect(page.locator(ENDED)).to_contain_text("no longer updates")
        expect(page.locator(live.keeps)).to_be_visible()
