"""Two steps side by side, two records of one evening, and the lines that were struck."""

from __future__ import annotations

import io
import re

import pytest
from playwright.sync_api import expect

from daybook.domain.commands import TakeBack
from daybook.domain.games import RULESETS
from daybook.services.files import import_export
from tests.web.conftest import Opened, VisitedPage, Visitor


def with_file(visitor: Visitor, game: Opened, data: bytes) -> VisitedPage:
    return VisitedPage(
        visitor.client.post(
            f"{game.path}/compare",
            data={"csrf": visitor.token(), "record": (io.BytesIO(data), "evening.daybook")},
            content_type="multipart/form-data",
        )
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_two_steps_of_every_game(open_game, ruleset):
    game = open_game(ruleset_id=ruleset)
    game.play(30)
    for role, seat in (("scorekeeper", None), ("seat", 0), ("reader", None)):
        page = game.visitor(role, seat).get(f"{game.path}/compare", a=12, b=30)
        assert page.status == 200 and "Two steps side by side" in page.text
        assert page.html.count("data-part=") > 2
    assert game.visitor().get(f"{game.path}/compare", a=12, b=31).status == 404
    assert game.visitor().get(f"{game.path}/compare", a="x").status == 404


@pytest.mark.parametrize("ruleset", [pytest.param("water_frame", marks=pytest.mark.drill), "arkwright_card"])
def test_each_of_two_boards_shows_a_part_of_its_own(open_game, site, page, ruleset):
    options = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
    game = open_game(public=True, ruleset_id=ruleset, **(options if ruleset == "water_frame" else {}))
    game.play(60)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site}{game.path}/compare?a=50&b=60")
    chosen = page.locator(".see:checked")
    expect(chosen).to_have_count(2)
    ids = page.evaluate("[...document.querySelectorAll('[id^=see]')].map((one) => one.id)")
    assert len(ids) == len({*ids})
    for board in page.locator(".board").all():
        expect(board.locator(".area:visible")).to_have_count(1)
    page.locator(".board").nth(1).locator(".tabs label").nth(1).click()
    expect(chosen).to_have_count(2)
    expect(page.locator(".board").nth(0).locator('[data-see="market"]')).to_be_checked()
    expect(page.locator(".board").nth(1).locator('[data-see="market"]')).not_to_be_checked()


def test_two_records_of_one_evening(open_game):
    mine, theirs = open_game(title="Mine"), open_game(title="Theirs")
    for game in (mine, theirs):
        game.play(20)
    visitor = mine.visitor()
    visitor.join(theirs.key("reader"))
    same = visitor.get(f"{mine.path}/compare", **{"with": f"http://here/games/{theirs.id}/"})
    assert "Both are the same: 20 steps" in same.text
    mine.play(15, seed=2)
    theirs.play(15, seed=3)
    page = visitor.get(f"{mine.path}/compare", **{"with": str(theirs.id)})
    assert page.status == 200 and "The first difference" in page.text and "How the two end" in page.text
    assert page.forms[0].fields or page.forms
    assert str(theirs.id) in page.html


def test_a_record_file_is_compared_and_not_kept(open_game):
    game, other = open_game(hands="open"), open_game(title="Other", hands="open")
    game.play(20)
    other.play(18)
    visitor, file = game.visitor(), import_export.export_game(other.book, other.id)
    page = with_file(visitor, game, file)
    assert page.status == 200 and "18 steps are the same in both" in page.text and "not in this record" in page.text
    assert f"/games/{other.id}?" not in page.html
    for data, says in ((b"", "Line"), (b"{}\n", "Line"), (file[:-70] + b"x" * 70, "Line")):
        wrong = with_file(visitor, game, data)
        assert wrong.status == 422 and says in wrong.text


def test_games_that_cannot_be_compared_are_said(open_game):
    mine, other, secret = open_game(), open_game(ruleset_id="london_markets"), open_game(title="Secret evening")
    visitor = mine.visitor()
    visitor.join(other.key("reader"))
    assert "one game is" in visitor.get(f"{mine.path}/compare", **{"with": str(other.id)}).text.lower()
    closed = visitor.get(f"{mine.path}/compare", **{"with": str(secret.id)})
    assert closed.status == 422 and "need a link to read it" in closed.text and "Secret evening" not in closed.text
    assert visitor.get(f"{mine.path}/compare", **{"with": "hello"}).status == 422


def test_struck_lines_are_shown_with_who_and_why(friday):
    step = friday.step
    friday.write(TakeBack(step - 2, "mistyped", "two cards were swapped"), at=step)
    for visitor in (friday.visitor(), friday.visitor("reader")):
        page = visitor.get(f"{friday.path}/undone-steps")
        assert "two cards were swapped" in page.text and "recorded by the scorekeeper" in page.text
        assert "2 steps were struck out" in page.text
        assert page.link(str(step)).endswith(f"?step={step}")
    replay = friday.visitor().get(friday.path)
    assert 'id="only-struck"' in replay.html
    assert re.search(r"mistyped; recorded by the scorekeeper: two cards were swapped", replay.text)
