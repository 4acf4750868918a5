"""Offers of London Markets on the page for recording, with forms and links alone: sealed on phones, told by the
scorekeeper, or both (LM-3.4.9, LM-4.7.2)."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import pytest
from playwright.sync_api import expect

from daybook.domain.games.london_markets.printed import GOODS
from daybook.domain.kernel.terms import TABLE
from tests.web.conftest import Form, Opened, VisitedPage, Visitor
from tests.web.recording.desk import desk

SEATS = ("Anna", "Ben", "Cleo", "Dora")


@pytest.fixture
def auction(open_game: Callable[..., Opened]) -> Opened:
    """Return a game of four at its first auction, without a sealed offer."""
    game = open_game(SEATS, ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    return game


def sealing(page: VisitedPage) -> Form:
    return page.form("Seal an offer")


def seal_offer(somebody: Visitor, page: VisitedPage, **cards: int) -> VisitedPage:
    return somebody.send(sealing(page), **{f"n.{goods}": str(count) for goods, count in cards.items()})


def offers(game: Opened) -> list[Any]:
    return [player.offer for player in game.game.board.players]


def test_a_player_seals_an_offer_and_sees_it_and_may_change_it(auction):
    ben = auction.visitor("seat", 1)
    page = desk(auction, ben)
    assert "Ben: make an offer for auction 1" in page.text
    page = seal_offer(ben, page, silk=2)
    assert "Ben: your offer is sealed; waiting for Anna, Cleo and Dora" in page.text
    assert "Press and hold to see what you sealed 2 silk" in page.text
    assert auction.game.writers[-1] == "seat:1"
    page = seal_offer(ben, page, soap=1, china=1)
    assert page.status == 422
    assert "Cards of several types count as no offer" in page.html.split('role="alert"')[1].split("</p>")[0]
    assert offers(auction)[1] == {"coffee": 0, "soap": 0, "silk": 2, "china": 0}, "nothing is sealed before the warning"
    page = ben.send(sealing(page))
    assert "Press and hold to see what you sealed 1 soap and 1 china" in page.text
    assert offers(auction)[1] == {"coffee": 0, "soap": 1, "silk": 0, "china": 1}


@pytest.mark.parametrize(
    ("sent", "sealed"),
    [
        ({"n.only": "silk", "n.only.silk": "2", "n.only.soap": "1", "n.soap": "1"}, {"silk": 2}),
        ({"n.only": "nothing", "n.only.silk": "2"}, {}),
        ({"n.only": "mixed", "n.soap": "1"}, {"soap": 1}),
    ],
)
def test_good_comes_first_and_then_its_number(auction, sent, sealed):
    ben = auction.visitor("seat", 1)
    assert ben.send(sealing(desk(auction, ben)), **sent).status == 200
    assert offers(auction)[1] == dict.fromkeys(GOODS, 0) | sealed


@pytest.mark.parametrize(
    "sent", [{"n.only": "silk"}, {"n.only": "tea", "n.only.tea": "2"}, {"n.only": "silk", "n.only.silk": "x"}]
)
def test_good_without_a_number_is_refused_or_nothing(auction, sent):
    ben = auction.visitor("seat", 1)
    page = ben.send(sealing(desk(auction, ben)), **sent)
    assert page.status in (400, 422) and offers(auction)[1] is None


def test_numbers_are_offered_up_to_what_the_hand_can_hold(auction):
    ben = auction.visitor("seat", 1)
    html = desk(auction, ben).html
    most = auction.game.ruleset.by_tag["offer"].most(auction.game.board, 1)
    for goods in GOODS:
        assert html.count(f'name="n.only.{goods}"') == most[goods] == html.count(f'name="n.{goods}"') - 1
    step = auction.step
    page = seal_offer(ben, desk(auction, ben), silk=17)
    assert page.status == 422
    assert "LM-4.7.4" in page.text
    assert auction.step == step


def test_what_is_sealed_stands_in_no_address(auction):
    form = sealing(desk(auction, auction.visitor("seat", 1)))
    assert form.method == "post"
    assert "n." not in form.action


def test_all_see_who_has_sealed_and_the_last_one_reveals_all(auction):
    phones = [auction.visitor("seat", seat) for seat in range(4)]
    for seat in (1, 3, 0):
        seal_offer(phones[seat], desk(auction, phones[seat]), china=seat or 2)
        for somebody in (phones[2], auction.visitor("reader")):
            text = somebody.get(auction.path).text
            assert f"{SEATS[seat]} seals an offer" in text
            assert "offers" not in text.replace("offers_", "")
    page = seal_offer(phones[2], desk(auction, phones[2]), coffee=1)
    assert "Anna offers 2 china" in page.text
    assert "Dora sells the most china, 3" in page.text
    assert "Auction 2" in page.text or "which pile" in page.text


def test_phones_that_seal_at_once_are_all_recorded(auction):
    """No offer waits for a view of another."""
    phones = [auction.visitor("seat", seat) for seat in range(4)]
    forms = [sealing(desk(auction, phone)) for phone in phones]
    together, statuses, step = Barrier(4), [], auction.step

    def seal(phone: Visitor, form: Form, count: int) -> None:
        together.wait()
        statuses.append(phone.send(form, **{"n.soap": str(count)}).status)

    threads = [
        Thread(target=seal, args=(phone, form, count))
        for count, (phone, form) in enumerate(zip(phones, forms, strict=True))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 4
    assert auction.step == step + 4
    assert auction.game.board.covered == ["soap"]


def test_an_offer_that_comes_after_the_reveal_is_told_so(auction):
    ben = auction.visitor("seat", 1)
    form = sealing(desk(auction, ben))
    for seat in range(4):
        auction.decide(seat, type="offer")
    step = auction.step
    page = ben.send(form, **{"n.soap": "1"})
    assert page.status == 409
    assert "Someone else recorded in the meantime" in page.text
    assert auction.step == step


def test_the_scorekeeper_tells_all_offers_in_one_form(auction):
    keeper = auction.visitor()
    page = desk(auction, keeper)
    assert "The table: what was offered in auction 1?" in page.text
    form = page.form("Preview")
    page = keeper.get(
        form.action,
        **form.fields
        | {"n.offers.0.china": "3", "n.offers.1.china": "1", "n.offers.2.soap": "1", "n.offers.2.silk": "1"},
    )
    assert "Anna 3 china; Ben 1 china; Cleo 1 soap and 1 silk; Dora nothing" in page.text
    assert "Anna sells the most china, 3" in page.text
    assert "Cleo offers 1 soap and 1 silk: several types, which is no offer" in page.text
    keeper.send(page.form("Save"))
    assert auction.game.board.covered == ["china"] or auction.game.board.settling


def test_offers_are_a_grid_of_possible_and_open_cards(auction):
    """A number for each player and type, and not a field for each number; what would be a null offer is folded away."""
    keeper = auction.visitor()
    page = desk(auction, keeper)
    form = page.form("Preview")
    assert form.steppers == {
        f"n.offers.{seat}.{goods}" for seat in range(4) for goods in ("coffee", "soap", "silk", "china")
    }
    assert not any(name.startswith("n.offers") for name in form.picked)
    assert "What is not open now" not in page.text
    page = keeper.get(form.action, **form.fields | {"n.offers.0.china": "3", "n.offers.1.silk": "2"})
    keeper.send(page.form("Save"))
    while auction.game.board.stage != "offers":
        auction.play(1)
    assert auction.game.board.covered
    page = desk(auction, keeper)
    folded = page.html.partition('<details class="stepping-more"')[2].partition("</details>")[0]
    assert {name.rpartition(".")[2] for name in page.form("Preview").steppers if f'"{name}"' in folded} == {
        *auction.game.board.covered
    }


def test_covered_offers_on_a_players_phone_are_folded_but_usable(auction):
    keeper, ben = auction.visitor(), auction.visitor("seat", 1)
    form = desk(auction, keeper).form("Preview")
    keeper.send(keeper.get(form.action, **form.fields | {"n.offers.0.china": "3"}).form("Save"))
    while auction.game.board.stage != "offers":
        auction.play(1)
    (covered,) = auction.game.board.covered
    page = desk(auction, ben)
    usual, _, more = page.html.partition('<details class="stepping-more"')
    folded, shut = more.partition("</details>")[0], more.startswith(' data-keep="seldom"><summary>What is not open now')
    assert shut
    assert {goods for goods in ("coffee", "soap", "silk", "china") if f'"n.{goods}"' in folded} == {covered}
    assert f'"n.{covered}"' not in usual
    seal_offer(ben, page, **{covered: 1})
    assert offers(auction)[1][covered] == 1, "a null offer is one (LM-4.7.3)"


def test_preview_returns_to_the_offers_as_entered(auction):
    ben, keeper = auction.visitor("seat", 1), auction.visitor()
    seal_offer(ben, desk(auction, ben), china=2)
    form = desk(auction, keeper).form("Preview")
    told = form.fields | {"n.offers.0.china": "1", "n.offers.3.soap": "2"}
    page = keeper.get(keeper.get(form.action, **told).link("Back"))
    assert page.form("Preview").fields == told
    page = keeper.get(form.action, **page.form("Preview").fields | {"n.offers.0.china": "0"})
    assert "Anna nothing; Ben as sealed; Cleo nothing; Dora 2 soap" in page.text


def test_taps_and_keys_raise_and_lower_the_numbers_of_a_grid(page, site, auction):
    page.set_viewport_size({"width": 390, "height": 844})
    auction.enter(page, site)
    silk = page.get_by_label("Silk, Anna")
    for says in ("One silk more, Anna", "One silk more, Anna", "One silk less, Anna", "One china less, Ben"):
        button = page.get_by_role("button", name=says)
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44, box
        button.click()
    expect(silk).to_have_value("1")
    silk.press("ArrowUp")
    page.get_by_label("China, Ben").press("1")
    dora = auction.visitor("seat", 3)
    seal_offer(dora, desk(auction, dora), soap=1)
    expect(page.locator("#desk h1")).to_contain_text("sealed: Dora")
    assert (silk.input_value(), page.get_by_label("China, Ben").input_value()) == ("2", "1"), "nothing is lost"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".preview h2")).to_contain_text("Anna 2 silk; Ben 1 china; Cleo nothing; Dora as sealed")


def test_the_scorekeeper_adds_what_the_phones_have_not_sealed(auction):
    ben, keeper = auction.visitor("seat", 1), auction.visitor()
    seal_offer(ben, desk(auction, ben), china=2)
    page = desk(auction, keeper)
    assert "what else was offered in auction 1? Already sealed: Ben" in page.text
    form = page.form("Preview")
    assert not any(name.startswith("n.offers.1") for name in form.fields)
    page = keeper.get(form.action, **form.fields | {"n.offers.0.china": "1"})
    assert "Anna 1 china; Ben as sealed; Cleo nothing; Dora nothing" in page.text
    assert "2 china" not in page.text
    page = keeper.send(page.form("Save"))
    assert "Ben sells the most china, 2" in page.text


def test_the_scorekeeper_seals_for_somebody_without_a_phone(auction):
    keeper = auction.visitor()
    page = desk(auction, keeper, seat=3)
    assert "Dora: make an offer for auction 1" in page.text
    page = seal_offer(keeper, page, soap=1)
    assert "sealed: Dora" in page.text
    assert "1 soap" not in page.text
    assert "Dora: the offer is sealed; waiting for" in desk(auction, keeper, seat=3).text


def test_a_player_does_not_tell_for_all(auction):
    ben = auction.visitor("seat", 1)
    page = desk(auction, ben, seat=TABLE)
    assert "Ben: make an offer for auction 1" in page.text
    assert "Preview" not in page.text
    page = ben.post(
        f"{auction.path}/record",
        seat="-1",
        at=str(auction.step),
        key="k",
        decision='{"type": "offers_revealed", "offers": [{}, {}, {}, {}]}',
    )
    assert page.status == 403


def test_a_player_is_not_asked_for_cards_that_others_hold(open_game):
    """The deal and the piles of a game with open hands name every card: the rest would follow."""
    game = open_game(SEATS, ruleset_id="london_markets", hands="open")
    game.decide(TABLE, type="hand_dealt", coffee=8)
    anna, keeper = game.visitor("seat", 0), game.visitor()
    assert "The table: Ben is dealt a hand" in desk(game, anna).text
    assert "How many coffee?" not in desk(game, anna).text
    assert "Ben is dealt a hand" in desk(game, keeper).text
    page = anna.post(f"{game.path}/record", seat="-1", at="1", key="k", decision='{"type": "hand_dealt", "soap": 8}')
    assert page.status == 403


def test_a_hand_is_dealt_by_a_few_taps(open_game):
    game = open_game(SEATS, ruleset_id="london_markets", hands="open")
    keeper = game.visitor()
    page = desk(game, keeper)
    for question, says in (("coffee", "2"), ("soap", "3"), ("silk", "1")):
        assert f"How many {question}?" in page.text
        page = keeper.get(next(href for words, href in page.links if words.split()[-1:] == [says] and "kind=" in href))
    assert "Dealt: 2 coffee, 3 soap, 1 silk and 2 china" in page.text
    keeper.send(page.form("Save"))
    assert game.game.board.players[0].unseen == {"coffee": 2, "soap": 3, "silk": 1, "china": 2}
