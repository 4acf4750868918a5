"""London Markets: all players show money (LM-4.8.4). A card asks for it, and the figures follow a tap."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from daybook.domain.commands import Adjust, TakeBack
from daybook.domain.kernel.terms import TABLE
from tests.web.conftest import Opened, VisitedPage
from tests.web.recording.desk import choices, desk

VIEWERS = (("scorekeeper", None), ("seat", 0), ("seat", 2))


@pytest.fixture
def shown(open_game: Callable[..., Opened]) -> Opened:
    """The money was just shown, and the market card of round 5 is awaited."""
    game = open_game(ruleset_id="london_markets", hands="hidden")
    game.play(lambda played: played.board.money_shown, seed=3)
    game.write(Adjust({f"/players/{seat}/money": 711 + 111 * seat for seat in range(3)}, "told apart", "table"))
    return game


def amounts(game: Opened) -> list[int]:
    return [player.money for player in game.game.board.players]


def header(page: VisitedPage) -> str:
    parts = re.findall(r'<header class="record-head".*?</header>|<div class="own-lines">.*?<!--', page.html, re.S)
    return re.sub(r"<[^>]+>", " ", " ".join(parts))


@pytest.mark.parametrize(("role", "seat"), VIEWERS)
def test_every_phone_has_the_card_and_covers_figures_until_a_tap(shown, role, seat):
    page = desk(shown, shown.visitor(role, seat))
    card = page.html.split('class="shown-now"')[1].split("</section>")[0]
    assert "Everybody shows money" in card and "It agrees" in card and "It does not agree" in card
    folded = card.split("</summary>")[1]
    assert all(f"£{n}" in folded for n in amounts(shown)) and "<details" in card and "<details open" not in card
    others = [n for other, n in enumerate(amounts(shown)) if other != seat]
    outside = page.html.replace(folded, "")
    assert not any(re.search(rf"£{n}\b", outside.split('class="last"')[0]) for n in others)


@pytest.mark.parametrize(("role", "seat"), VIEWERS)
def test_market_cards_keep_prices_while_money_is_compared(shown, role, seat):
    page = desk(shown, shown.visitor(role, seat))
    prices = re.findall(r"M\d\d</span>\s*(?:<span class=\"of[^\"]*\">([^<]*))?", page.html)
    assert prices and all("£" in price for price in prices)
    assert not any("agrees" in choice or "Counted" in choice for choice in choices(page))


def test_header_shows_the_figures_to_all_once_they_agree(shown):
    before = amounts(shown)
    keeper = shown.visitor()
    keeper.send(desk(shown, keeper).form("It agrees"))
    for role, seat in VIEWERS:
        page = desk(shown, shown.visitor(role, seat))
        assert "Everybody shows" not in page.text
        assert all(f"£{n}" in header(page) for n in before) and "Money shown in round 4" in page.text
    shown.play(lambda played: played.board.round == 7, seed=3)
    assert amounts(shown) != before
    page = desk(shown, keeper)
    assert all(f"£{n}" in header(page) for n in before), "what was shown, not what is covered since"


def test_correction_while_comparing_changes_what_was_shown(shown):
    shown.write(Adjust({"/players/1/money": 4711}, "counted", "mistyped"))
    keeper = shown.visitor()
    assert "£4711" in desk(shown, keeper).text
    shown.decide(TABLE, type="market_card_revealed", card=card_left(shown))
    shown.write(Adjust({"/players/1/money": 4242}, "counted", "mistyped"))
    assert "£4711" in header(desk(shown, keeper)) and "£4242" not in header(desk(shown, keeper))


def card_left(game: Opened) -> str:
    revealed = game.game.board.revealed
    return next(card for card in game.game.board.printed.faces if card not in (*revealed, game.game.board.bottom))


def test_undone_showing_is_shown_no_more(shown):
    keeper = shown.visitor()
    keeper.send(desk(shown, keeper).form("It agrees"))
    before, *_ = [step for step in shown.game.line() if not shown.game.board_at(step).round < 4]
    shown.write(TakeBack(before, "mistyped", "the wrong round"))
    page = desk(shown, keeper)
    assert "Money shown" not in page.text and "Everybody shows" not in page.text


def test_reader_and_other_games_have_no_card(shown, friday):
    assert desk(shown, shown.visitor("reader")).status == 403
    assert "Everybody shows" not in desk(friday).text


def test_mp_4_7_1_only_owner_and_scorekeeper_name_a_drawn_card(open_game):
    game = open_game()
    assert choices(desk(game, game.visitor("seat", 0))) == ["R1", "R2", "M1", "M2"]
    assert choices(desk(game, game.visitor("seat", 1))) == []
    assert choices(desk(game)) == ["R1", "R2", "M1", "M2"]
    answer = game.visitor("seat", 1).post(
        f"{game.path}/record", seat="-1", decision='{"type":"drawn","card":"R1"}', at=str(game.step), key="a" * 32
    )
    assert answer.status == 403 and game.step == 0
