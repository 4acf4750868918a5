"""Boards drawn small: in the picture of a step, and as a file of their own for lists of games."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from uuid import uuid4
from xml.etree import ElementTree

import msgspec
import pytest
from PIL import Image

from daybook.domain.games import RULESETS
from daybook.web.boards import cards
from daybook.web.boards.cards import Card, CardSeat
from daybook.web.boards.drawing import Scene
from daybook.web.boards.miniature import HEIGHT, MIN_LETTER_PIXELS, WIDTH, Miniature
from daybook.web.replay.pictures import build_card, public_view
from daybook.web.words.game_pages import pages_of
from tests.axe import faults
from tests.played import update_games
from tests.services.fixture_files import put_golden
from tests.web.conftest import Opened, Visitor

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).parents[3] / "fixtures"
DRAWN = [game for game in RULESETS if pages_of(game).miniature is not None]
STEPS = (0, 1, 25, 60)


@pytest.fixture(params=DRAWN)
def played_game(request: pytest.FixtureRequest, open_game: Callable[..., Opened]) -> Opened:
    game = open_game(ruleset_id=request.param, names=("Anna", "Ben", "Cleo"), public=True)
    game.play(STEPS[-1])
    return game


def board_svg(game: Opened, query: str = "", visitor: Visitor | None = None):
    return (visitor or Visitor(game.app)).client.get(f"{game.path}/board.svg{query}")


def draw_small(game: Opened) -> Iterator[str]:
    """The board in the picture of some steps."""
    with game.app.test_request_context("/"), public_view(game.id) as (visit, head, filmstrip):
        for step in STEPS:
            if step <= filmstrip.newest:
                yield build_card(visit, head, filmstrip, step).board


def test_every_game_of_ours_is_drawn_small():
    assert DRAWN == ["making_profit", "london_markets", "water_frame", "arkwright_card"]


@pytest.mark.parametrize(
    "name",
    [
        "six-to-the-limit",
        "short-duel",
        "market-day",
        "three-stalls",
        "four-mills",
        "two-on-credit",
        "four-boards",
        "alone-and-ahead",
        "two-and-a-neutral",
    ],
)
def test_recorded_games_are_drawn_with_as_many_as_played(app, book, name, caplog):
    id = put_golden(book, name, public=True)
    newest = book.games.get(id).step
    drawn = {Visitor(app).client.get(f"/games/{id}/board.svg?step={step}").text for step in (0, newest // 2, newest)}
    assert len(drawn) == 3 and all(item.startswith("<svg") for item in drawn)
    assert [said for said in caplog.messages if "cannot be drawn" in said] == []


def test_the_picture_of_a_step_shows_the_board(played_game, caplog):
    boards = list(draw_small(played_game))
    assert len(boards) > 2 and boards[-1] not in boards[:-1], "another step, another board"
    for drawn in boards:
        ElementTree.fromstring(drawn)
        sizes = [float(size) for size in re.findall(r'<text[^>]* font-size="([\d.]+)"', drawn)]
        assert min(sizes, default=MIN_LETTER_PIXELS) * cards.BOARD / WIDTH >= MIN_LETTER_PIXELS
    assert [said for said in caplog.messages if "cannot be drawn" in said] == []


def rings(drawn: str) -> list[str]:
    return re.findall(r'<rect x="([\d.]+)" y="([\d.]+)"[^>]* class="f-none l-accent" stroke-width="3"/>', drawn)


def test_step_picture_marks_what_changed_and_by_how_much(played_game):
    with played_game.app.test_request_context("/"), public_view(played_game.id) as (visit, head, filmstrip):
        shown = [build_card(visit, head, filmstrip, step) for step in range(filmstrip.newest + 1)]
    assert rings(shown[0].board) == [] and all(seat.by == "" for seat in shown[0].seats), "nothing came before"
    assert sum(bool(rings(item.board)) for item in shown) > 5
    for before, after in pairwise(shown):
        for was, value in zip(before.seats, after.seats, strict=True):
            assert value.by == ("" if value.value == was.value else f"{value.value - was.value:+}".replace("-", "−"))
            assert not value.by or value.by in cards.card_svg(after)


def test_changed_drawing_is_ringed_with_what_it_touches(played_game):
    scene = Scene(played_game.game.ruleset.id, played_game.game.table, ("Anna", "Ben", "Cleo"), None, "en")
    before, after = Miniature(scene), Miniature(scene)
    for small, figure, lines in ((before, "6", "rule"), (after, "8", "accent")):
        small.rect(0, 0, 360, 200, "sheet", lines)  # a mat
        small.words(100, 100, figure, 20)
        small.words(300, 100, "5", 20)
    after.disc(108, 120, 18, "ink")  # a piece that has come
    after.mark_changes(before)
    assert rings(after.alone(WIDTH)) == [("86", "81")]


def test_everything_in_it_has_its_colours_and_lies_in_the_box(played_game):
    for drawn in draw_small(played_game):
        used = {name for text in re.findall(r'class="([^"]+)"', drawn) for name in text.split()} - {
            "shape",
            "heavy",
            "thinly",
        }
        assert used - set(re.findall(r"\.([\w-]+)\{", drawn)) == set()
        assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(re.findall(r'<symbol id="([^"]+)"', drawn))
        shapes = drawn[drawn.rindex("</symbol>") :] if "</symbol>" in drawn else drawn
        for x, y, wide, high in re.findall(
            r'<(?:rect|use[^>]*?) x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"', shapes
        ):
            assert float(x) >= -1 and float(x) + float(wide) <= WIDTH + 1, (x, wide)
            assert float(y) >= -1 and float(y) + float(high) <= HEIGHT + 1, (y, high)


def test_a_list_shows_it_without_words(played_game):
    answer = board_svg(played_game)
    assert answer.status_code == 200 and answer.mimetype == "image/svg+xml"
    assert "<text" not in answer.text and "<script" not in answer.text and "Anna" not in answer.text
    assert len(answer.data) <= 40_000
    root = ElementTree.fromstring(answer.text)
    assert (root.get("viewBox"), root.get("width")) == (f"0 0 {WIDTH} {HEIGHT}", "192")
    assert "prefers-color-scheme" in answer.text
    assert "prefers-color-scheme" not in board_svg(played_game, "?theme=dark").text
    assert board_svg(played_game, "?theme=dark").data != board_svg(played_game, "?theme=light").data
    assert board_svg(played_game, "?theme=</style>").data == answer.data


def test_browsers_keep_it_for_themselves(played_game):
    answer = board_svg(played_game, f"?step={played_game.step}")
    assert answer.headers["Cache-Control"] == "private, max-age=300"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    again = Visitor(played_game.app).client.get(
        f"{played_game.path}/board.svg?step={played_game.step}", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304
    assert board_svg(played_game, "?step=1").data != answer.data
    assert board_svg(played_game, f"?step={played_game.step + 1}").status_code == 404
    assert board_svg(played_game, "?step=-1").status_code == 404
    played_game.book.kept.show(played_game.id, False)
    hidden = played_game.visitor().client.get(f"{played_game.path}/board.svg")
    assert hidden.headers["Cache-Control"] == "private, no-store", "nobody else's device keeps it"


def test_small_board_is_for_readers_and_shows_a_strangers_view(open_game):
    game = open_game(ruleset_id="london_markets", hands="open")
    game.play(30)
    assert board_svg(game).status_code == 403
    shown = [board_svg(game, "", game.visitor(who)).data for who in ("scorekeeper", "reader")]
    assert shown[0] == shown[1] and shown[0].startswith(b"<svg")
    assert Visitor(game.app).client.get(f"/games/{uuid4()}/board.svg").status_code == 404


def test_the_games_page_shows_boards_when_they_come_into_view(played_game):
    played_game.update_list()
    page = Visitor(played_game.app).get("/")
    found = re.search(r'<img class="small-board" src="([^"]+)"[^>]*>', page.html)
    assert found and 'loading="lazy"' in found[0] and 'alt=""' in found[0]
    assert board_svg(played_game, "").data == Visitor(played_game.app).client.get(found[1]).data
    assert 'class="mini"' not in page.html


def test_a_chosen_theme_is_that_of_the_boards(played_game):
    played_game.update_list()
    visitor = Visitor(played_game.app)
    form = visitor.get("/").form("Change")
    visitor.client.post(form.action, data={**form.fields, "theme": "dark"})
    assert "/board.svg?step=60&amp;theme=dark" in visitor.get("/").html


def test_what_lies_there_without_a_picture_leaves_the_figures(open_game, caplog):
    """A board that no play leads to: the picture of a link is that of a game without small drawings."""
    game = open_game(ruleset_id="making_profit", public=True)
    game.deal()
    with game.app.test_request_context("/"), public_view(game.id) as (visit, head, filmstrip):
        document = game.game.board.document()
        document["players"][0]["factory"] = ["a card of another game"]
        assert filmstrip.picture.draw_miniature(document) is None
        assert filmstrip.picture.draw_miniature(game.game.board.document()) is not None
        card = build_card(visit, head, filmstrip, game.step)
    assert "making_profit: the board cannot be drawn small" in caplog.text
    assert cards.render_png(cards.card_svg(msgspec.structs.replace(card, board=""))).startswith(b"\x89PNG")
    caplog.clear()


def test_long_names_and_sentences_end_inside_the_picture():
    seats = tuple(CardSeat(seat, "W" * 60, "£1234", 5, colour="red") for seat in range(6))
    card = Card("t", "a", "word " * 200, seats, (), 4, "<svg/>")
    drawn = Image.open(io.BytesIO(cards.render_png(cards.card_svg(card)))).convert("RGB")
    for box in ((1162, 110, 1200, 630), (0, 622, 1200, 630)):  # the right margin, the foot
        assert drawn.crop(box).getcolors() == [((box[2] - box[0]) * (box[3] - box[1]), (0xFB, 0xF7, 0xEF))], box
    assert len(drawn.crop((826, 110, 1160, 630)).getcolors(100_000)) > 20, "everybody is told"


@pytest.mark.parametrize(("width", "height"), [(390, 844), pytest.param(1280, 900, marks=pytest.mark.drill)])
def test_boards_stand_beside_the_games_of_a_list(page, site, book, width, height):
    for name in ("short-duel", "market-day", "two-on-credit", "alone-and-ahead"):
        put_golden(book, name, public=True)
    update_games(book)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{site}/?list=practice")
    for row in page.locator(".game-row").all():
        row.scroll_into_view_if_needed()
        drawn = row.locator("img.small-board")
        page.wait_for_function("one => one.complete && one.naturalWidth === 192", arg=drawn.element_handle())
        box, title = drawn.bounding_box(), row.locator(".title").bounding_box()
        assert box and title and box["width"] >= 120 and box["width"] == pytest.approx(2 * box["height"], abs=1)
        assert box["x"] + box["width"] <= title["x"] and abs(box["y"] - title["y"]) < 12
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []
