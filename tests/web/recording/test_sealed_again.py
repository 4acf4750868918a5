"""Sealed offers of London Markets: nothing to offer, offers that others guess or replace, and undoing a reveal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from daybook.domain.commands import Correct, ProposeRuling, RaiseClaim, RecordAsPlayed, Resolution, TakeBack
from daybook.domain.corrections import Correction
from daybook.domain.games.london_markets.printed import GOODS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.terms import TABLE
from daybook.services.permissions import access
from daybook.services.permissions.actions import MayNotError
from daybook.services.play.replay import legal_decisions
from daybook.services.play.writing import Writer
from daybook.services.written import new_written
from tests.web.conftest import Opened, VisitedPage, Visitor
from tests.web.recording.desk import desk

SEATS = ("Anna", "Ben", "Cleo")
BEN = 1


@pytest.fixture
def auction(open_game: Callable[..., Opened]) -> Opened:
    """Return a game of three at its first auction, without a sealed offer."""
    game = open_game(SEATS, ruleset_id="london_markets", hands="hidden")
    play_to_offers(game)
    return game


def play_to_offers(game: Opened) -> None:
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)


def seal_offer(visitor: Visitor, page: VisitedPage, **cards: int) -> VisitedPage:
    (form,) = (form for form in page.forms if "sent" in form.fields)
    return visitor.send(form, **{f"n.{goods}": str(count) for goods, count in cards.items()})


def seal_all(game: Opened) -> int:
    """Seal on three phones; return the step before."""
    before = game.step
    for seat in range(3):
        phone = game.visitor("seat", seat)
        seal_offer(phone, desk(game, phone), china=int(seat == BEN))
    return before


def written_as(game: Opened, role: str, seat: int | None = None) -> Writer:
    grants = [grant for grant in access.grants_of_game(game.book, game.id) if (grant.role, grant.seat) == (role, seat)]
    return Writer(grants[0].by, grants)


def corrected(game: Opened, step: int, resolution: Resolution) -> Correct:
    plan = Correction(game.game, {step: resolution}, "wrong", new_written("scorekeeper", "plan"))
    return Correct({step: resolution}, "wrong", plan.digest)


# --- nothing to offer -------------------------------------------------------------------------------------------------


@pytest.fixture
def empty_hand(open_game: Callable[..., Opened]) -> Opened:
    """Return a game whose fourth auction begins: Ben has offered all his coffee, soap and silk, and has no cards."""
    game = open_game(SEATS, ruleset_id="london_markets", hands="open")
    for cards in ({"silk": 6, "soap": 2}, {"coffee": 6, "soap": 2}):
        game.decide(TABLE, type="hand_dealt", **cards)
    coffee = {"type": "replenish", "goods": "coffee"}
    while game.game.board.stage != "offers":
        if coffee in legal_decisions(game.game, None, BEN):
            game.decide(BEN, **coffee)
        else:
            game.play(1, seed=2)
    for goods in ("coffee", "soap", "silk"):
        count = game.game.board.players[BEN].holds(goods)
        for seat in range(3):
            game.decide(seat, type="offer", **({goods: count} if seat == BEN else {}))
        play_to_offers(game)
    assert game.game.board.players[BEN].cards == 0
    return game


@pytest.mark.parametrize("way", ["seat", "scorekeeper", "passed", "korean"])
def test_player_without_cards_offers_nothing(empty_hand, way):
    auction = empty_hand
    visitor = auction.visitor("seat", BEN) if way == "seat" else auction.visitor()
    if way == "korean":
        visitor.post("/preferences", language="ko")
    if way == "passed":
        page = visitor.get(f"{auction.path}/pass", seat=BEN)
        page = visitor.send(page.form("I am Ben"))
    else:
        page = desk(auction, visitor, seat=BEN)
    if way != "korean":
        assert "There are no cards to offer." in page.text and page.form("Offer nothing")
    step = auction.step
    (form,) = (form for form in page.forms if "sent" in form.fields or form.action.endswith("/pass/offer"))
    assert visitor.send(form).status == 200
    assert (auction.step, auction.game.board.players[BEN].offer) == (step + 1, dict.fromkeys(GOODS, 0))


def test_a_missing_number_is_asked_for_at_its_field(auction):
    ben = auction.visitor("seat", BEN)
    (form,) = (form for form in desk(auction, ben).forms if "sent" in form.fields)
    page = ben.send(form, **{"n.only": "silk"})
    assert page.status == 422 and "Nothing was saved" not in page.text
    assert "Say how many silk." in page.html.partition('id="n.silk-wrong"')[2].partition("</p>")[0]


@pytest.mark.parametrize("sent", [{"n.only": "silk", "n.only.silk": "x"}, {"n.only": "mixed", "n.silk": "x"}])
def test_refused_form_says_why_on_the_page(auction, sent):
    ben = auction.visitor("seat", BEN)
    (form,) = (form for form in desk(auction, ben).forms if "sent" in form.fields)
    page = ben.send(form, **sent)
    assert page.status == 422
    assert "Nothing was saved: silk: enter a whole number, not x." in page.text


# --- guesses ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("guess", [2, 1])
def test_no_answer_depends_on_what_is_sealed(auction, guess):
    """The scorekeeper tries to replace Ben's 2 china with a right and a wrong guess."""
    ben, keeper = auction.visitor("seat", BEN), auction.visitor()
    seal_offer(ben, desk(auction, ben), china=2)
    step = auction.step
    page = desk(auction, keeper, seat=BEN)
    assert "Ben: the offer is sealed" not in page.text
    decision = f'{{"type": "offer", "china": {guess}}}'
    fields = {"seat": str(BEN), "at": str(step), "key": f"guess{guess}"}
    assert keeper.post(f"{auction.path}/record", **fields, decision=decision).status == 403
    assert keeper.post(f"{auction.path}/record", **fields, turn=f"[{decision}]").status == 403
    page = keeper.post(f"{auction.path}/type", text=f"Ben: offer {guess} china", do="record", at=str(step), key="typed")
    assert page.status in (403, 422) and auction.step == step
    offer = {"type": "offer", "china": guess}
    with pytest.raises(MayNotError):
        auction.write(RecordAsPlayed(BEN, offer), by=written_as(auction, "scorekeeper"))
    page = keeper.get(f"{auction.path}/pass")
    assert "wants to change it" not in page.html
    assert auction.step == step


def test_player_alone_is_told_that_an_offer_is_sealed_already(auction):
    ben, step = auction.visitor("seat", BEN), auction.step
    assert seal_offer(ben, desk(auction, ben), china=2).status == 200
    again = seal_offer(ben, desk(auction, ben), china=2)
    assert (again.status, auction.step) == (422, step + 1) and "this offer is sealed already" in again.text


@pytest.mark.parametrize("way", ["undone", "corrected"])
def test_offer_that_the_scorekeeper_replaced_is_announced(auction, way):
    ben, keeper = auction.visitor("seat", BEN), written_as(auction, "scorekeeper")
    seal_offer(ben, desk(auction, ben), china=2)
    offer: dict[str, Any] = {"type": "offer", "soap": 1}
    if way == "undone":
        auction.write(TakeBack(auction.step - 1), by=keeper)
        phone = auction.visitor()
        seal_offer(phone, desk(auction, phone, seat=BEN), soap=1)
    else:
        auction.write(corrected(auction, auction.step, Resolution([Move(BEN, offer)])), by=keeper)
    says = f"Ben did not seal this offer: the scorekeeper sealed another one in step {auction.step}."
    for visitor in (ben, auction.visitor("seat", 0), auction.visitor()):
        assert says in desk(auction, visitor).text
    seal_offer(ben, desk(auction, ben), china=1)
    assert says not in desk(auction, ben).text


def test_correction_of_a_seen_offer_is_announced_to_everyone(auction):
    before = seal_all(auction)
    says = "The offer of Ben was corrected in step"
    assert says not in desk(auction).text
    keeper, step = written_as(auction, "scorekeeper"), before + 1 + BEN
    offer: dict[str, Any] = {"type": "offer", "soap": 1}
    auction.write(corrected(auction, step, Resolution([Move(BEN, offer)])), by=keeper)
    for visitor in (auction.visitor("seat", 0), auction.visitor("seat", BEN), auction.visitor()):
        assert says in desk(auction, visitor).text
    play_to_offers(auction)
    anna = auction.visitor("seat", 0)
    seal_offer(anna, desk(auction, anna), china=0)
    assert says not in desk(auction, anna).text


def test_scorekeeper_who_plays_sees_only_the_own_offer(auction):
    keeper = auction.visitor()
    keeper.join(auction.key("seat", 0))
    page = seal_offer(keeper, desk(auction, keeper, seat=0), china=2)
    assert "Press and hold to see what you sealed 2 china" in page.text
    assert "Anna: the offer is sealed" in page.text and "what else was offered" not in page.text
    assert "2 china" not in desk(auction, auction.visitor()).text, "another phone of the scorekeeper"
    ben = auction.visitor("seat", BEN)
    seal_offer(ben, desk(auction, ben), soap=3)
    keeper.join(auction.key("seat", BEN))
    assert "3 soap" not in desk(auction, keeper).text


# --- undoing a reveal -------------------------------------------------------------------------------------------------


def test_undoing_a_reveal_reopens_all_offers(auction):
    before = seal_all(auction)
    cleo, keeper = auction.visitor("seat", 2), auction.visitor()
    assert not [form for form in desk(auction, cleo).forms if form.action.endswith("/undo")]
    assert cleo.get(f"{auction.path}/undo", to_step=auction.step - 1).status == 403
    assert not [form for form in desk(auction, keeper).forms if form.action.endswith("/undo")], "it needs a reason"
    page = keeper.get(f"{auction.path}/undo", to_step=auction.step - 1)
    assert f"Back to step {before}" in page.text
    keeper.send(page.form(f"Undo to step {before}"), why="Cleo mistyped")
    assert [player.offer for player in auction.game.board.players] == [None] * 3
    says = f"Step {auction.step} took back offers that everyone had seen. All offers are made again. Cleo mistyped"
    for visitor in (cleo, auction.visitor("seat", 0), keeper):
        assert says in desk(auction, visitor).text
    seal_all(auction)
    assert says not in desk(auction, cleo).text


def test_player_cannot_propose_to_undo_half_a_reveal(auction):
    before, last = seal_all(auction), auction.step
    claim = auction.write(RaiseClaim(last, "Cleo looked")).step
    with pytest.raises(Refused, match=f"go back to step {before}"):
        auction.write(ProposeRuling(claim, "rewound", to_step=last - 1), by=written_as(auction, "seat", 2))
    auction.write(ProposeRuling(claim, "rewound", to_step=before), by=written_as(auction, "seat", 2))


@pytest.mark.parametrize("to", [-1, -2])
def test_scorekeeper_goes_back_to_any_step_and_all_phones_say_so(auction, to):
    seal_all(auction)
    last = auction.step
    auction.write(TakeBack(last + to, why="mistyped"), by=written_as(auction, "scorekeeper"))
    for visitor in (auction.visitor("seat", 0), auction.visitor("seat", 2)):
        assert f"Step {auction.step} took back offers that everyone had seen." in desk(auction, visitor).text
    auction.write(TakeBack(last, why="forward"), by=written_as(auction, "scorekeeper"))
    assert auction.game.heads[-1] == last


def test_offer_that_no_one_saw_is_undone_alone(auction):
    phones = [auction.visitor("seat", seat) for seat in range(2)]
    for phone in phones:
        seal_offer(phone, desk(auction, phone), china=1)
    form = next(form for form in desk(auction, phones[1]).forms if form.action.endswith("/undo"))
    assert phones[1].send(form).status == 200
    assert [player.offer is None for player in auction.game.board.players] == [False, True, True]


# --- what the pages tell ----------------------------------------------------------------------------------------------


def test_log_tells_seals_of_two_auctions_apart(auction):
    seal_all(auction)
    play_to_offers(auction)
    cleo = auction.visitor("seat", 2)
    page = seal_offer(cleo, desk(auction, cleo), soap=1)
    assert page.html.count('<span class="says">Cleo seals an offer</span>') == 1, "the first one was revealed"
    assert "coffee £" not in page.html.partition("</header>")[0], "prices are on the buttons"


def test_covered_total_tells_no_change(auction):
    auction.play(lambda game: game.board.round == 3)
    own = []
    for visitor in (auction.visitor("seat", BEN), auction.visitor("reader")):
        page = visitor.get(f"{auction.path}/score")
        period = next(href for _, href in page.links if "/score?step=" in href)
        own.append(visitor.get(period).html.count('class="small up"'))
    assert own[0] <= 1 and own[1] == 0
