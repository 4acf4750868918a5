"""Attacks by requests: forging, injecting, overflowing, and reading or writing beyond the link."""

from __future__ import annotations

import json
import re
import secrets

import pytest

from daybook.domain.commands import Note
from daybook.services.permissions import access
from daybook.services.store.log import LogBusyError
from daybook.web.request.access import BEEN_HERE_LIMIT
from tests.played import open_seats, write
from tests.web.conftest import Opened, VisitedPage, Visitor

WRITES = {  # what each form of a game sends; none of it may be written without a grant
    "record": {"seat": "0", "decision": '{"type": "run"}', "at": "7", "key": "k"},
    "undo": {"to_step": "6", "cause": "table", "at": "7", "key": "k"},
    "note": {"about_step": "7", "text": "x", "key": "k"},
    "adjust": {"/players/0/money": "50", "cause": "table", "why": "x", "at": "7", "key": "k"},
    "close": {"at": "7", "key": "k"},
    "abandon": {"at": "7", "why": "x", "key": "k"},
    "reopen": {"why": "x", "key": "k"},
    "links/more": {},
    "links/replace": {"grant": "x"},
    "public": {"public": "yes"},
    "names": {"title": "Mine", "name.0": "x", "name.1": "y", "name.2": "z"},
}
PAGES = ("record", "links", "score", "about", "undo?to_step=3", "adjust", "export")
NASTY = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'; DROP TABLE kept_game; --",
    '" onmouseover="x',
    "{{ 7*7 }}",
    "%s%n%(x)s",
    "{0.__class__}",
    "]]>",
    "&amp;",
    "javascript:alert(1)",
)


def test_every_page_has_the_strict_headers(friday):
    keeper = friday.visitor()
    for path in ("/", "/new", "/help", "/join", "/nope", *(f"{friday.path}/{page}" for page in PAGES[:4])):
        headers = keeper.client.get(path).headers
        assert headers["Content-Security-Policy"] == (
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
        ), path
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"


def test_pages_have_nothing_that_the_policy_forbids(friday):
    keeper = friday.visitor()
    of_game = (friday.path, *(f"{friday.path}/{page}" for page in PAGES[:-1]))
    for path in (
        "/",
        "/new",
        "/new?game=making_profit",
        "/import",
        "/practice?game=making_profit",
        "/help",
        "/join",
        "/sheets/making_profit",
        *of_game,
    ):
        html = keeper.get(path).html
        assert not re.search(r"<script(?![^>]*\bsrc=)", html), path
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|javascript:", html), path
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", html), path


def test_the_cookie_is_for_this_site_alone(visitor):
    cookie = visitor.client.get("/join").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize("path", WRITES)
def test_nothing_is_written_without_a_link(friday, path):
    seal = friday.game.seal
    for somebody in (Visitor(friday.app), friday.visitor("reader")):
        page = somebody.post(f"{friday.path}/{path}", **WRITES[path])
        assert page.status == 403, path
        assert friday.game.seal == seal
    kept = friday.book.kept.game(friday.id)
    assert kept is not None
    assert not kept.public
    assert (kept.title, kept.names) == ("Friday", ("Anna", "Ben", "Cleo"))


@pytest.mark.parametrize("path", WRITES)
def test_a_form_without_its_token_writes_nothing(friday, path):
    keeper, seal = friday.visitor(), friday.game.seal
    for token in ({}, {"csrf": ""}, {"csrf": "wrong"}, {"csrf": "é"}):
        answer = keeper.client.post(f"{friday.path}/{path}", data=WRITES[path] | token)
        assert answer.status_code == 403
        assert "This form has expired" in answer.text
    assert friday.game.seal == seal


def test_opening_and_publishing_need_the_token_too(visitor, book):
    for path in ("/new", "/import", "/practice", "/sheets/making_profit", "/join", "/preferences"):
        assert visitor.client.post(path, data={"name": "x"}).status_code == 403
    assert book.kept.games() == []


@pytest.mark.parametrize("path", PAGES)
def test_a_game_with_links_alone_is_closed_to_others(friday, open_game, path):
    other = open_game(title="Saturday")
    for somebody in (Visitor(friday.app), other.visitor()):
        page = somebody.get(f"{friday.path}/{path}")
        assert page.status == 403
        assert "Friday" not in page.text


@pytest.mark.parametrize("path", PAGES)
def test_games_that_are_not_there_are_not_found(visitor, path):
    for id in ("00000000-0000-0000-0000-000000000000", "x", "../..", "%00", "1"):
        assert visitor.get(f"/games/{id}/{path}").status in (400, 404)


@pytest.mark.parametrize("nasty", NASTY)
def test_what_people_type_is_text_everywhere(visitor, book, nasty):
    form = visitor.get("/new?game=making_profit").form("Open the game")
    page = visitor.send(
        form, **{"title": nasty, "name.0": nasty, "name.1": "Ben", "option.hands": "open", "public": "yes"}
    )
    harmless(page, nasty)
    (kept,) = book.kept.games()
    assert kept.title == nasty
    assert kept.names[0] == nasty
    game = Opened(book, visitor.client.application, kept.id)
    for card in ("R2", "M1", "R2", "M2"):
        game.decide(-1, type="drawn", card=card)
    game.decide(-1, type="start_player_drawn", seat=0)
    write(book, kept.id, Note(5, nasty))
    for path in ("/", f"/games/{kept.id}", *(f"/games/{kept.id}/{page}" for page in PAGES[:-1])):
        harmless(visitor.get(path), nasty)
    page = visitor.get(f"/games/{kept.id}/adjust")
    harmless(visitor.send(page.form("Correct the board"), why=nasty, **{"/players/0/money": nasty}), nasty)
    harmless(visitor.get(f"/games/{kept.id}/record", kind=nasty, seat=nasty, **{"d.card": nasty}), nasty)
    sheet = visitor.get("/sheets/making_profit").form("Publish")
    harmless(visitor.send(sheet, name=nasty, text=nasty), nasty)
    for value in (3, json.dumps(nasty)):
        text = f"{sheet.fields['text']}\n[start]\nmoney = {value}"
        harmless(visitor.send(sheet, name=nasty, text=text, do="publish"), nasty)


def harmless(page: VisitedPage, nasty: str) -> None:
    assert page.status < 500
    if nasty.startswith("<"):
        assert nasty not in page.html
    assert 'onmouseover="x"' not in page.html
    assert "49" not in re.findall(r"<bdi[^>]*>(.*?)</bdi>", page.html), "a template was filled twice"


@pytest.mark.parametrize("body", [b"title=\xff", b"title=%FF", b"title=%C3%28", b"ti%FFtle=x", b"title=a%00b"])
def test_broken_text_is_not_read(visitor, body):
    answer = visitor.client.post("/new", data=body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert "This text is not readable" in answer.text


@pytest.mark.parametrize("query", ["?kind=%FF", "?d.card=%C3%28", "?seat=%00"])
def test_broken_addresses_are_not_read(friday, query):
    assert friday.visitor().client.get(f"{friday.path}/record{query}").status_code == 400


def test_what_is_too_long_is_not_read(friday):
    keeper, seal = friday.visitor(), friday.game.seal
    token = keeper.token()
    answer = keeper.client.post(f"{friday.path}/note", data={"csrf": token, "text": "x" * 300_000, "about_step": "7"})
    assert answer.status_code == 413
    assert "This is too long" in answer.text
    page = keeper.post(f"{friday.path}/note", text="x" * 2001, about_step="7", key="k")
    assert "2001 characters are too many: at most 2000" in page.text
    assert friday.game.seal == seal


def test_a_cookie_that_was_changed_opens_nothing(friday):
    keeper = friday.visitor()
    keeper.cookie = "x" + keeper.cookie[1:]
    assert keeper.get(f"{friday.path}/record").status == 403


def test_a_cookie_of_a_grant_that_was_made_up_opens_nothing(friday):
    somebody = Visitor(friday.app)
    with somebody.client.session_transaction() as session:
        session["grants"] = ["made-up", "' OR 1=1 --", friday.key("scorekeeper")]
    assert somebody.get(f"{friday.path}/record").status == 403


def test_many_links_fit_into_one_cookie(friday):
    somebody = friday.visitor()
    with somebody.client.session_transaction() as session:
        session["grants"] = [secrets.token_hex(32) for _ in range(66)]  # as an import's are
        session["signed_in_before"] = [secrets.token_hex(16) for _ in range(BEEN_HERE_LIMIT)]
        for name in ("csrf", "forms", "owner", "signed_in"):
            session[name] = secrets.token_urlsafe(24)
    for _ in range(12):
        game = open_seats(friday.book)
        first = access.make_first_grants(friday.book, game, keeper=secrets.token_hex(32))
        assert somebody.join(access.key_of(friday.book, first[0])).status == 200
    assert somebody.get(f"/games/{game}/links").status == 200, "the newest is kept"
    name = somebody.client.application.config["SESSION_COOKIE_NAME"]
    assert len(f"__Host-{name}{somebody.cookie}") <= 4093, "what browsers keep of a name and its value"


def test_a_key_in_the_header_counts_alone(friday, open_game):
    other = open_game(title="Saturday")
    keeper = friday.visitor()
    bearer = {"Authorization": f"Bearer {other.key('scorekeeper')}"}
    assert keeper.client.get(f"{friday.path}/record", headers=bearer).status_code == 403
    assert keeper.client.get(f"{other.path}/record", headers=bearer).status_code == 200


def test_a_step_that_is_not_there_names_those_that_are(friday):
    keeper = friday.visitor()
    for step in ("8", "999", "-1", "x"):
        page = keeper.get(friday.path, step=step)
        assert (page.status, "Its steps go from 0 to 7." in page.text) == (404, True)
        assert keeper.get(page.link("To the replay")).status == 200
    assert Visitor(friday.app).get(friday.path, step="999").status == 403


def test_methods_that_a_page_does_not_take_are_said_so(friday):
    keeper = friday.visitor()
    assert keeper.client.get(f"{friday.path}/close").status_code == 405
    assert keeper.client.delete(f"{friday.path}/record").status_code in (403, 405)


def test_busy_log_makes_the_page_say_that_nothing_was_written(app):
    with app.test_request_context("/"):
        answer = app.make_response(app.handle_user_exception(LogBusyError()))
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1"
    assert "The record is busy" in answer.get_data(as_text=True)


def test_asking_for_the_head_of_a_page_is_asking(friday, app):
    """It is answered as the page is, and sends no form: testing a link counts against no one."""
    keeper = friday.visitor()
    asked = 0
    for rule in app.url_map.iter_rules():
        if {"GET", "POST"} <= (rule.methods or set()) and rule.arguments <= {"game_id"}:
            path = rule.rule.replace("<uuid:game_id>", str(friday.id))
            assert keeper.client.head(path).status_code == keeper.client.get(path).status_code, path
            asked += 1
    assert asked > 15
    assert friday.step == 7
