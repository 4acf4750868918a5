"""A game seen from outside: how its links look where they are shared, the picture of a step, the board in a frame."""

from __future__ import annotations

import hashlib
import io
import re
import secrets
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote, unquote

import pytest
from PIL import Image
from playwright.sync_api import expect

from daybook.domain.commands import Note
from daybook.domain.kernel.terms import TABLE
from daybook.web.app import create_app
from daybook.web.boards import cards
from daybook.web.boards.cards import Card, CardSeat
from daybook.web.replay.pictures import build_card, public_view
from tests.axe import faults
from tests.services.fixture_files import put_golden
from tests.web.conftest import Opened, Visitor

pytestmark = pytest.mark.slow

META = re.compile(r'<meta (?:property|name)="([a-z:_]+)" content="([^"]*)">')


def preview(html: str) -> dict[str, str]:
    return dict(META.findall(html))


def picture(game: Opened, step: int, visitor: Visitor | None = None):
    return (visitor or Visitor(game.app)).client.get(f"{game.path}/steps/{step}.png")


@pytest.fixture
def finished_game(open_game: Callable[..., Opened]) -> Opened:
    game = open_game(names=("Anna", "Ben"), public=True, title="Tuesday at the mill")
    game.deal("R2 M1 R2 M2")
    game.play(2000)
    return game


def test_link_names_winner_only_at_the_end(finished_game):
    outcome = finished_game.game.ruleset.scoring.outcome(finished_game.game.board)
    assert outcome is not None
    winner = ("Anna", "Ben")[outcome.ranks.index(1)]
    found = preview(Visitor(finished_game.app).get(f"{finished_game.path}?step=7").html)
    assert found["og:title"] == "Tuesday at the mill"
    assert found["og:description"].startswith("Step 7: ")
    assert found["og:url"].endswith(f"{finished_game.path}?step=7")
    address = found["og:image"]
    assert address.endswith(f"{finished_game.path}/steps/7.png") and address.startswith("http")
    newest = preview(Visitor(finished_game.app).get(finished_game.path).html)
    assert newest["og:image"].endswith(f"/steps/{finished_game.step}.png") and "?" not in newest["og:url"]
    assert newest["og:title"].startswith("Tuesday at the mill: ") and winner in newest["og:title"]
    start = preview(Visitor(finished_game.app).get(f"{finished_game.path}?step=0").html)
    assert start["og:image"].endswith("/steps/0.png") and "?" not in start["og:url"]
    assert "won" not in start["og:title"] + start["og:description"]


def test_step_picture_has_the_size_sites_ask_for_and_is_cached(finished_game):
    answer = picture(finished_game, 7)
    assert answer.mimetype == "image/png"
    drawn = Image.open(io.BytesIO(answer.data))
    assert drawn.size == (1200, 630)
    assert len(drawn.convert("RGB").getcolors(1_000_000)) > 50, "something is written and drawn on it"
    again = Visitor(finished_game.app).client.get(
        f"{finished_game.path}/steps/7.png", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304 and picture(finished_game, 7).data == answer.data
    assert picture(finished_game, 8).data != answer.data
    assert picture(finished_game, finished_game.step + 1).status_code == 404


def kept_files(game: Opened) -> list[Path]:
    return sorted((game.book.settings.data / "pictures").iterdir())


def test_picture_is_drawn_once_for_all_processes(finished_game):
    drawn = picture(finished_game, 7).data
    (file,) = kept_files(finished_game)
    assert drawn in file.read_bytes()
    file.write_bytes(hashlib.sha256(b"as kept").digest() + b"as kept")
    assert picture(finished_game, 7, Visitor(create_app(finished_game.book))).data == b"as kept"
    file.write_bytes(file.read_bytes()[:-1])
    assert picture(finished_game, 7).data == drawn
    assert picture(finished_game, 8).data != drawn and len(kept_files(finished_game)) == 2


def test_a_kept_picture_is_shown_for_what_it_shows_alone(finished_game, monkeypatch):
    """Not of a game that is no longer public, and not in place of a new title or of what is drawn otherwise."""
    assert picture(finished_game, 7).status_code == 200
    monkeypatch.setattr(cards, "renderer_version", lambda: "another version")
    picture(finished_game, 7)
    assert len(kept_files(finished_game)) == 2
    finished_game.book.kept.show(finished_game.id, False)
    assert picture(finished_game, 7).status_code == 404


def test_game_with_links_only_has_no_picture_or_frame(friday):
    for visitor in (Visitor(friday.app), friday.visitor("scorekeeper"), friday.visitor("reader")):
        assert picture(friday, 3, visitor).status_code == 404
        assert visitor.client.get(f"{friday.path}/embed").status_code == 404
    assert "og:image" not in friday.visitor("reader").get(friday.path).html


def twins(open_game: Callable[..., Opened]) -> list[Opened]:
    """Two games that go the same way, but for the covered cards of seat 1."""
    games = []
    for own in ("R1", "M1"):
        game = open_game(public=True)
        for card in ("R2", "M1", "R2", "M2", "M1", "M2"):
            game.decide(TABLE, type="drawn", card=own if game.game.document["drawer"] == 1 else card)
        game.decide(TABLE, type="start_player_drawn", seat=0)
        game.decide(0, type="develop", card="R2")
        games.append(game)
    return games


def test_covered_cards_change_nothing_that_outsiders_see(open_game):
    """Also for the holder of every link: the picture and the frame show a stranger's view."""
    first, second = twins(open_game)
    assert first.game.document != second.game.document, "the worlds differ"
    assert first.step == second.step > 1
    for step in range(first.step + 1):
        assert picture(first, step).data == picture(second, step).data, step
        assert picture(first, step, first.visitor()).data == picture(second, step).data, step
        frames = [
            game.visitor().client.get(f"{game.path}/embed?step={step}").text.replace(str(game.id), "")
            for game in (first, second)
        ]
        assert frames[0] == frames[1], step


def test_totals_that_players_keep_covered_are_not_in_the_picture(open_game):
    game = open_game(public=True, ruleset_id="london_markets", hands="hidden")
    game.play(40)
    shown = open_game(public=True, ruleset_id="making_profit")
    shown.deal()
    with game.app.test_request_context("/"), public_view(game.id) as (visit, head, filmstrip):
        card = build_card(visit, head, filmstrip, game.step)
    assert all(seat.value is None and seat.shown == "" for seat in card.seats) and card.values == ()
    with shown.app.test_request_context("/"), public_view(shown.id) as (visit, head, filmstrip):
        assert build_card(visit, head, filmstrip, shown.step).values


def test_only_the_frame_page_lets_itself_be_framed(finished_game):
    visitor = Visitor(finished_game.app)
    framed = visitor.client.get(f"{finished_game.path}/embed?step=5")
    assert "frame-ancestors *" in framed.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed.headers and "Set-Cookie" not in framed.headers
    assert framed.headers["X-Robots-Tag"] == "noindex"
    for path in (finished_game.path, "/", f"{finished_game.path}/score", f"{finished_game.path}/embed?step=99999"):
        answer = visitor.client.get(path)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], path
        assert answer.headers["X-Frame-Options"] == "DENY", path


def test_the_frame_is_stepped_through_without_script(finished_game):
    page = Visitor(finished_game.app).get(f"{finished_game.path}/embed?step=0")
    assert "First" in page.text and "<script" not in page.html and "<form" not in page.html
    onward = Visitor(finished_game.app).get(page.link("On"))
    assert f"step 1 of {finished_game.step}" in onward.text
    last = Visitor(finished_game.app).get(onward.link("Last"))
    assert last.text.count(f"step {finished_game.step} of {finished_game.step}") == 1


def test_settlement_is_shared_and_the_frame_folds_its_sentences(app, book):
    id = put_golden(book, "four-mills", public=True)
    page = Visitor(app).get(f"/games/{id}/embed?step=152")
    summary = page.html.split("<summary>")[1].split("</summary>")[0]
    assert "Production of lamps" in summary and "Demand for lamps: 9" not in summary
    assert "Demand for lamps: 9" in page.text
    shared = preview(Visitor(app).get(f"/games/{id}?step=152").html)["og:description"]
    assert shared.startswith("Step 152: Production of lamps. Demand for lamps: 9; the importer is on 1. Sold: Bert")


class OtherSite(BaseHTTPRequestHandler):
    """A page of another site with a frame of the address in its query."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        framed = unquote(self.path.partition("?")[2])
        self.wfile.write(f'<!doctype html><title>x</title><iframe src="{framed}" width=380 height=800>'.encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def other_site() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), OtherSite) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_frame_of_another_site_shows_the_board(page, site, other_site, open_game):
    game = open_game(public=True)
    game.deal()
    address = f"{site}{game.path}/embed?step=3"
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{other_site}/?{quote(address, safe='')}")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text(f"step 3 of {game.step}")).to_be_visible()
    frame.get_by_role("link", name="On").click()
    expect(frame.get_by_text(f"step 4 of {game.step}")).to_be_visible()
    page.goto(address)
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_people_type_cannot_break_the_picture():
    seat = CardSeat(0, "<b>&\"'", "$3", 3)
    for title in ("</svg><script>", "김민지와 친구들 " * 20, "x" * 500, "😀 \u202e", "a\u0301"):
        card = Card(title, title, title, (seat,) * 1, ((0,), (3,)), 4)
        assert "<script>" not in cards.card_svg(card)
        assert cards.render_png(cards.card_svg(card)).startswith(b"\x89PNG")


def test_a_picture_needs_no_fonts_of_the_machine():
    assert len(cards.font_files()) == 2
    assert secrets.compare_digest(cards.wrap_sentence("one two")[0], "one two")
    assert len(cards.wrap_sentence("word " * 100)) == cards.LINES


def test_a_note_with_signs_that_no_letter_is_has_its_picture(finished_game):
    said = "it rained \x1b[31m\x07\ufffe \u202eand it was cold"
    written = finished_game.write(Note(1, said))
    assert picture(finished_game, written.step).status_code == 200
    found = preview(Visitor(finished_game.app).get(f"{finished_game.path}?step={written.step - 1}").html)
    assert found["og:description"].isprintable()
    assert Visitor(finished_game.app).get(f"{finished_game.path}/embed?step={written.step}").status == 200
