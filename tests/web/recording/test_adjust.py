"""The form that corrects the board: fields in the words of pages, in every game."""

from __future__ import annotations

import re

import pytest

from daybook.domain.commands import Adjust, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import value_at
from daybook.web.words.places import adjustable_places
from tests.web.conftest import open_table


@pytest.mark.parametrize("ruleset", RULESETS)
def test_board_form_shows_no_program_data(book, app, ruleset):
    game = open_table(book, app, ruleset_id=ruleset)
    game.play(60)
    page = game.visitor().get(f"{game.path}/adjust")
    form = page.form_to("/adjust")
    assert page.status == 200
    texts = [text for name, text in form.fields.items() if name.startswith("/")]
    assert not [text for text in texts if re.search(r"[{}\[\]]", text)]
    assert not re.search(r"\bplace 0\b|\blayer 0\b", page.text)


def test_board_form_offers_closed_sets_in_words(book, app):
    game = open_table(book, app, ruleset_id="arkwright_card")
    game.play(60)
    places = {
        place.path: place for group in adjustable_places(game.game, ("Anna", "Ben", "Cleo")).values() for place in group
    }
    office = next(place for path, place in places.items() if path.endswith("/office"))
    assert dict(office.choices) == {"price": "price side", "appeal": "appeal side"}
    assert places["/players/0/cards"].shape == "choices" and places["/players/0/money"].shape == "number"


def test_fields_of_a_list_are_saved_together(book, app):
    game = open_table(book, app, ruleset_id="water_frame")
    game.play(60)
    place = next(
        place
        for group in adjustable_places(game.game, ("Anna", "Ben", "Cleo")).values()
        for place in group
        if place.path.endswith("/workers") and place.value[0]
    )
    visitor, now = game.visitor(), [place.value[0], 0, *place.value[2:]]
    form = visitor.get(f"{game.path}/adjust").form_to("/adjust")
    market = game.game.document["market"]
    parts = {f"{place.path}#{n}": str(part) for n, part in enumerate(now)}
    fields = {**parts, "/market": str(market + place.value[1]), "why": "a row is empty"}
    visitor.send(form, **fields)
    assert value_at(game.game.document, place.path) == now


def test_undone_board_correction_is_told_to_the_others(book, app):
    game = open_table(book, app, ruleset_id="arkwright_card")
    game.play(20)
    money = game.game.document["players"][1]["money"]
    before = game.step
    game.write(Adjust({"/players/1/money": money + 2}, "counted again", "mistyped"))
    remedies = game.visitor("seat", 1).get(f"{game.path}/wrong", step=game.step)
    assert "The figure should be …" in remedies.text
    assert (
        game.visitor()
        .get(f"{game.path}/wrong", step=game.step)
        .link("The figure should be")
        .endswith(f"/adjust?step={game.step}")
    )
    game.write(TakeBack(before, "mistyped", "no"), by="seat:1")
    for viewer in (game.visitor(), game.visitor("seat", 2)):
        assert "undid a correction of the board" in viewer.get(f"{game.path}/record").text
    assert "undid a correction" not in game.visitor("seat", 1).get(f"{game.path}/record").text


def test_steps_of_a_covered_figure_change_nothing(browser, site, open_game):
    game = open_game(ruleset_id="london_markets")
    game.play(20)
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    game.enter(page, site)
    page.goto(f"{site}{game.path}/adjust")
    page.locator("details.places summary").first.tap()
    row = page.locator(".told-value").filter(has=page.locator('[id="/players/0/money"]'))
    for sign in ("One more", "One less"):
        row.get_by_role("button", name=sign).tap()
        assert row.locator("input").input_value() == ""
        assert "This figure is covered" in row.get_by_role("status").inner_text()
    row.locator("input").fill("6")
    assert row.locator("small").count() == 0, "the recorded figure is not shown"
    context.close()


def test_steps_of_an_emptied_figure_begin_at_the_recorded_one(browser, site, open_game):
    game = open_game(ruleset_id="arkwright_card")
    game.play(20)
    money = game.game.document["players"][0]["money"]
    page = browser.new_page()
    game.enter(page, site)
    page.goto(f"{site}{game.path}/adjust")
    page.locator("details.places summary").first.click()
    row = page.locator(".told-value").filter(has=page.locator('[id="/players/0/money"]'))
    row.locator("input").fill("")
    row.get_by_role("button", name="One more").click()
    assert row.locator("input").input_value() == str(money + 1)
    page.close()


def test_covered_figure_that_is_left_blank_stays(open_game):
    game = open_game(ruleset_id="london_markets")
    game.play(20)
    visitor, was = game.visitor(), game.game.document["players"][0]["money"]
    form = visitor.get(f"{game.path}/adjust").form_to("/adjust")
    refused = visitor.send(form, why="counted again", **{"/players/1/money": "x"})
    assert refused.status == 422 and 'data-was=""' not in refused.html
    visitor.send(form, why="counted again", **{"/players/1/money": "99"})
    players = game.game.document["players"]
    assert players[0]["money"] == was and players[1]["money"] == 99


def test_refused_correction_keeps_the_changed_sections_open(open_game):
    game = open_game(ruleset_id="london_markets")
    game.play(20)
    visitor = game.visitor()
    page = visitor.get(f"{game.path}/adjust")
    assert '<details class="places" open>' not in page.html
    refused = visitor.send(page.form_to("/adjust"), **{"/players/1/money": "99"})
    opened = [part for part in refused.html.split("<details") if part.startswith(' class="places" open>')]
    assert refused.status == 422 and len(opened) == 1
    assert 'name="/players/1/money" value="99"' in opened[0]
    assert re.search(r'id="why"[^>]*autofocus', refused.html)


def opened_groups(html: str) -> list[tuple[bool, str]]:
    """Return if a group of places is open, and the name of its player, in order."""
    groups = re.findall(r'<details class="places"( open)?>\s*<summary>(.*?)</summary>', html, re.S)
    return [(bool(opened), re.sub("<.*?>", "", says).strip()) for opened, says in groups]


def test_figure_of_a_step_opens_its_player_first(open_game):
    game = open_game(ruleset_id="arkwright_card")
    game.play(30)
    step = next(step for step in range(game.step, 0, -1) if getattr(game.game.entries[step].event, "seat", -1) == 2)
    keeper, ben = game.visitor(), game.visitor("seat", 1)
    page = keeper.get(keeper.get(f"{game.path}/wrong", step=step).link("The figure should be"))
    opened, *folded = opened_groups(page.html)
    assert opened[0] and opened[1].endswith("Cleo") and not any(is_open for is_open, _ in folded)
    refused = keeper.send(page.form_to("/adjust"), **{"/players/0/money": "99"})
    first, second, *rest = opened_groups(refused.html)
    assert first == opened and second[0] and second[1].endswith("Anna") and not any(is_open for is_open, _ in rest)
    own = ben.get(ben.get(f"{game.path}/wrong", step=step).link("The figure should be"))
    first, second, *_ = opened_groups(own.html)
    assert first == opened and not second[0] and second[1].endswith("Ben")
    assert keeper.get(f"{game.path}/adjust", step=game.step + 1).status == 404


def test_figure_that_was_blank_says_so(open_game):
    game = open_game(ruleset_id="score_sheet")
    page = game.visitor().get(f"{game.path}/adjust").html
    assert re.search(r'data-was="" hidden>was –<', page)
