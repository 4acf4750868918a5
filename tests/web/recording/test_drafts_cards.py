"""Turns that are put together tap by tap: Arkwright: The Card Game. Every place of every chart can be tapped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from flask import Flask

from daybook.domain.games.arkwright_card import factories
from daybook.domain.games.arkwright_card.rules import ARKWRIGHT_CARD
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.play.practice import Dealer
from daybook.web.games.arkwright_card import words
from daybook.web.recording import choices
from daybook.web.words import GAMES
from daybook.web.words.game_words import Chart, ChartCell
from tests.domain.games.moves import deal_steps
from tests.web.conftest import Opened, VisitedPage, Visitor
from tests.web.recording.desk import form_that_writes

NAMES = ("Anna", "Ben", "Cleo")
EXPERT = dict.fromkeys(
    ("restrictions", "choose_factories", "no_ships", "random_supply", "start_shares", "extra_actions"), True
)
TAPS_AT_MOST = 8  # for a usual turn, the last of which writes it


@pytest.fixture
def cards(open_game: Callable[..., Opened]) -> Opened:
    """A basic game of three; Anna is to take her first turn: food and clothes, quality at level 1."""
    game = open_game(NAMES, ruleset_id="arkwright_card")
    game.decide(TABLE, type="start_player_determined", seat=0)
    game.decide(2, type="place_foreman", good="food")
    return game


def desk(game: Opened, somebody: Visitor) -> VisitedPage:
    return somebody.get(f"{game.path}/record")


def way(page: VisitedPage, text: str) -> str:
    """Return the address of the chart's place or button with this text or label."""
    for href, inside in re.findall(r'<a class="(?:cell|pick)[^"]*" href="([^"]+)"(.*?)</a>', page.html, re.DOTALL):
        aloud = re.search(r'aria-label="([^"]*)"', inside)
        shown = re.sub(r"<kbd.*?</kbd>|<[^>]+>", "", inside.partition(">")[2])
        if unescape(aloud[1] if aloud else shown).strip().startswith(text):
            return unescape(href)
    raise LookupError(f"nothing says {text}: {page.text}")


def tap(somebody: Visitor, page: VisitedPage, *says: str) -> VisitedPage:
    for say in says:
        page = somebody.get(way(page, say))
        assert page.status == 200
    return page


# --- turns -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        ("Employ workers: food, position 2", "Price £5", "A step on the quality track"),
        ("Build cutlery", "Build lamps", "Price £5", "Take Foreman (5)", "Place the Foreman next to food"),
        ("Rotate to machines: clothes, position 1", "Price £4", "A step on the machinery track"),
        ("Quality of food to 2", "Price £4", "Take Engineer (12)"),
        ("Distribution of clothes to 1", "Distribution of food to 1", "Price £4", "A step on the ship track"),
        ("Buy 3 shares", "Take 2 bank loans", "Price £8", "A step on the stock exchange track"),
        ("No action", "No development"),
    ],
    ids=lambda says: says[0],
)
def test_a_usual_turn_takes_few_taps(cards, message):
    keeper = cards.visitor()
    page = tap(keeper, desk(cards, keeper), *message[:-1])
    assert cards.step == 2, "nothing is written yet"
    keeper.send(form_that_writes(page, message[-1]))
    assert len(message) <= TAPS_AT_MOST
    assert cards.game.ruleset.course.to_act(cards.game.board) == (1,)


def test_what_closes_a_part_is_no_tap_and_what_it_brings_is_told(cards):
    keeper = cards.visitor()
    page = tap(keeper, desk(cards, keeper), "Employ workers: food, position 2", "Price £5")
    assert "Save the turn" not in page.text, "whether a development is taken is always said"
    assert page.html.count(">Remove<") == 2, "an action and a price"
    form = form_that_writes(page, "A step on the quality track")
    assert [d["type"] for d in json.loads(form.fields["turn"])] == [
        "choose_action",
        "employ",
        "end_action",
        "set_slot",
        "confirm_price",
        "take_development",
    ]
    page = keeper.send(form)
    for told in (
        "Anna brings new workers: demand falls for every good, wages rise",
        "offers food at £1 + £4 = £5, with appeal 3",
        "Anna’s appeal marker of food: 0 → 3, past 1 red arrow",
    ):
        assert told in page.text


def test_undo_takes_back_the_last_tap_of_a_turn(cards):
    keeper = cards.visitor()
    page = tap(keeper, desk(cards, keeper), "Employ workers: food, position 2", "Price £4")
    for lines in (1, 0):
        assert page.html.count(">Remove<") > lines and "Undo Ben" not in page.text
        page = keeper.get(unescape(re.search(r'href="([^"]+)"[^>]* data-undo', page.html)[1]))
        assert page.html.count(">Remove<") == lines
    assert "Start over" not in page.text


def test_another_price_replaces_the_chosen_one(cards):
    keeper = cards.visitor()
    page = tap(keeper, desk(cards, keeper), "Employ workers: food, position 2", "Price £4")
    (chosen,) = re.findall(r'<a class="cell adds"[^>]*aria-current="true"[^>]*>', page.html)
    assert "Price £4" in chosen
    page = tap(keeper, page, "Price £5", "Price £7", "Price £5")
    assert page.html.count(">Remove<") == 2, "an action and one price"
    form = form_that_writes(page, "A step on the quality track")
    assert [d["slot"] for d in json.loads(form.fields["turn"]) if d["type"] == "set_slot"] == [1]


def test_another_development_replaces_that_of_a_complete_turn(cards):
    keeper, phone = cards.visitor(), cards.visitor("seat", 2)
    for _ in range(2):
        keeper.send(form_that_writes(tap(keeper, desk(cards, keeper), "No action"), "No development"))
    written = cards.step
    page = tap(phone, desk(cards, phone), "No action", "Price £4", "A step on the quality track")
    assert "the turn is complete" in page.text and 'aria-current="true"' in page.html
    page = tap(phone, page, "A step on the ship track")
    assert cards.step == written, "nothing is written yet"
    turn = json.loads(page.form("Save the turn").fields["turn"])
    assert [d["track"] for d in turn if d["type"] == "take_development" and "track" in d] == ["ship"]


def test_line_of_a_turn_names_its_price_and_development(cards):
    keeper = cards.visitor()
    page = tap(keeper, desk(cards, keeper), "Buy 2 shares", "Price £4")
    assert "2 × Buy a share" in page.text
    printed = re.search(r"A step on the ship track, \d+ → (\d+)", page.html)
    page = keeper.send(form_that_writes(page, "A step on the ship track"))
    line = re.search(r'<span class="says">(.*?)</span>', page.html)[1]
    begins = "Anna buys 1 share for £10 (2 times) · offers food at £4, appeal 4 · "
    assert line.startswith(f"{begins}steps to {printed[1]} on the ship track"), "the number that the button shows"
    assert "slot" not in line


def test_costs_to_come_are_those_of_the_composed_turn(cards):
    keeper, phone = cards.visitor(), cards.visitor("seat", 2)
    for _ in range(2):
        keeper.send(form_that_writes(tap(keeper, desk(cards, keeper), "No action"), "No development"))
    pages = [desk(cards, phone)]
    for say in ("Employ workers: food, position 2", "Price £4", "A step on the quality track"):
        pages.append(tap(phone, pages[-1], say))
    begun, _, priced, complete = (re.search(r"costs per production (food £\d+)", page.text)[1] for page in pages)
    assert "the turn is complete" in pages[-1].text
    assert begun != priced == complete


def test_a_whole_turn_is_undone_at_once(cards):
    keeper = cards.visitor()
    page = tap(keeper, desk(cards, keeper), "Buy 1 share", "Price £5")
    page = keeper.send(form_that_writes(page, "A step on the development cards track"))
    assert "Saved: Anna’s turn" in page.text


# --- every chart of many games ---------------------------------------------------------------------------------------


@pytest.fixture
def speaking(app: Flask) -> Iterator[None]:
    with app.test_request_context():
        yield


def boards(seed: int) -> Iterator[tuple[Any, Seat]]:
    """Boards of a random game in which a player decides."""
    seats, options = Random(seed).choice((2, 3, 4)), EXPERT if seed % 2 else {}
    for board, seat, *_ in deal_steps(ARKWRIGHT_CARD, Dealer(seed), seats, **options):
        if seat != TABLE:
            yield board, seat


@pytest.mark.usefixtures("speaking")
@pytest.mark.parametrize("seed", range(4))
def test_every_place_of_every_chart_is_legal_and_complete(seed):
    for board, seat in boards(seed):
        legal = ARKWRIGHT_CARD.legal(board, seat)
        drawn = list(words.WORDS.choosing.charts(board, seat, legal, NAMES))
        shown = {kind for chart in drawn for kind in chart.kinds}
        tapped = [cell.adds for chart in drawn for cell in cells(chart) if not cell.closed and not cell.why]
        for adds in tapped:
            assert adds, "each place decides something"
            after = board
            for decision in adds:
                after, _ = ARKWRIGHT_CARD.play(after, seat, decision)
        begun = [adds[0] for adds in tapped]
        beyond = (
            "buy_share",
            "take_loan",
            "assign_storehouse",
            "set_slot",
            "set_office",
            "set_quality",
            "confirm_price",
        )
        for decision in legal:
            if type(decision) in shown and tag_of(type(decision)) not in beyond:
                assert decision in begun, decision


@pytest.mark.usefixtures("speaking")
@pytest.mark.parametrize("seed", range(2))
def test_every_closed_place_of_the_tables_says_why(seed):
    closed = 0
    for board, seat in islice(boards(seed), 0, 240, 4):
        legal = msgspec.to_builtins(ARKWRIGHT_CARD.legal(board, seat))
        asking = choices.ChoiceContext(ARKWRIGHT_CARD.id, NAMES, (), {}, GAMES[ARKWRIGHT_CARD.id])
        for chart in choices.build_charts(asking, board, seat, legal)[0]:
            for cell in [cell for lane in chart.lanes for cell in lane.cells] if chart.columns else ():
                assert cell is not None, chart.heading
                assert cell.several or (cell.closed and cell.aloud), chart.heading
                closed += bool(cell.closed)
    assert closed


def cells(chart: Chart) -> list[ChartCell]:
    return [cell for lane in chart.lanes for cell in lane.cells if cell is not None]


@pytest.mark.usefixtures("speaking")
@pytest.mark.parametrize("seed", range(4))
def test_a_price_on_the_chart_is_the_price_it_comes_to(seed):
    seen = 0
    for board, seat in boards(seed):
        if board.stage != "price":
            continue
        legal = ARKWRIGHT_CARD.legal(board, seat)
        (chart,) = words.WORDS.choosing.charts(board, seat, legal, NAMES)
        for cell in chart.lanes[0].cells:
            assert cell is not None
            if cell.closed is not None:
                assert cell.closed not in legal
                continue
            after = board
            for decision in cell.adds:
                after, _ = ARKWRIGHT_CARD.play(after, seat, decision)
            price = factories.goods_price(after, board.active, after.players[seat].factory(board.active))
            assert cell.label == f"£{price}"
            seen += 1
    assert seen > 50
