"""“The figure should be …”: a player changes a number, and the scorekeeper saves it with one tap."""

from __future__ import annotations

import pytest

from daybook.domain.commands import Adjust, RaiseClaim, TakeBack
from daybook.domain.disputes import claims, settled_state
from daybook.domain.kernel.chronicle import Refused
from daybook.services.permissions import access
from daybook.services.permissions.actions import may_with
from daybook.web.words.written_game import read_game, write_game
from tests.web.conftest import NAMES, Opened, VisitedPage, Visitor

MONEY = "/players/0/money"


def propose(game: Opened, seat: Visitor, **values: str) -> VisitedPage:
    page = seat.get(seat.get(f"{game.path}/wrong", step=game.game.heads[-1]).link("The figure should be"))
    return seat.send(page.form("Propose it"), **values)


def money(game: Opened) -> int:
    return game.game.document["players"][0]["money"]


@pytest.fixture
def cards(open_game) -> Opened:
    game = open_game(ruleset_id="arkwright_card")
    game.play(30)
    return game


def test_figure_is_proposed_and_saved_with_one_tap(cards):
    was, keeper = money(cards), cards.visitor()
    page = propose(cards, cards.visitor("seat", 1), **{MONEY: str(was + 2)})
    assert page.status == 200
    number, says = cards.step, f"Anna: money £{was}, should be £{was + 2} (Ben says)"
    record = keeper.get(f"{cards.path}/record")
    assert says in record.text and says in keeper.get(f"{cards.path}/claims/{number}").text
    saved = keeper.send(record.form("Save the correction"))
    assert money(cards) == was + 2
    assert f"Anna: money £{was} → £{was + 2}" in saved.text and "should be" not in saved.text
    assert settled_state(cards.game, claims(cards.game)[number]) == "changed"
    settled = cards.visitor("seat", 1).get(f"{cards.path}/claims/{number}").text
    assert f"Settled: The record is corrected: Anna: money £{was} → £{was + 2}" in settled
    cards.write(TakeBack(cards.game.parents[cards.step], "mistyped", "no"))
    assert settled_state(cards.game, claims(cards.game)[number]) == "open", "the correction was undone"


def test_figure_that_moved_since_keeps_what_was_gained(cards):
    was, keeper = money(cards), cards.visitor()
    propose(cards, cards.visitor("seat", 1), **{MONEY: str(was + 2)})
    cards.write(Adjust({MONEY: was + 5}, "a loan", "table"))
    record = keeper.get(f"{cards.path}/record")
    assert f"Anna: money: £{was + 5} → £{was + 7}" in record.text
    keeper.send(record.form("Save the correction"))
    assert money(cards) == was + 7


def test_two_claims_of_one_figure_are_settled_together(cards):
    was = money(cards)
    for seat in (1, 2):
        propose(cards, cards.visitor("seat", seat), **{MONEY: str(was + 2)})
    keeper = cards.visitor()
    saved = keeper.send(keeper.get(f"{cards.path}/record").form("Save the correction"))
    assert "should be" not in saved.text and money(cards) == was + 2


@pytest.mark.parametrize("typed", ["", "many"])
def test_figure_that_is_no_number_or_unchanged_is_refused(cards, typed):
    page = propose(cards, cards.visitor("seat", 1), **({MONEY: typed} if typed else {}))
    assert page.status == 422 and not claims(cards.game)


def test_claim_with_figures_and_moves_or_the_same_figure_is_refused(cards):
    was = money(cards)
    for claim in (
        RaiseClaim(cards.step, "x", values={MONEY: was}),
        RaiseClaim(cards.step, "x", values={MONEY: was + 1}, leaves_out=True),
        RaiseClaim(cards.step, "x", values={"/players/0/hats": 1}),
    ):
        with pytest.raises(Refused):
            cards.write(claim)


def test_form_reads_only_the_figures_that_it_lists(cards):
    seat = cards.visitor("seat", 1)
    answer = seat.post(f"{cards.path}/wrong/figure", step="3", seat="1", key="k", **{"/turn": "9"})
    assert answer.status == 422 and not claims(cards.game)


def test_covered_money_is_claimed_by_its_owner_and_shown_to_no_one_else(open_game):
    game = open_game(ruleset_id="london_markets")
    game.play(20)
    own, other = "/players/1/money", "/players/0/money"
    seat, was = game.visitor("seat", 1), game.game.document["players"][1]["money"]
    form = seat.get(f"{game.path}/wrong/figure", step=game.step).form("Propose it")
    assert own in form.fields and other not in form.fields
    seat.send(form, **{own: str(was + 3)})
    says = f"should be £{was + 3}"
    assert says in seat.get(f"{game.path}/record").text
    for page in ("record", f"claims/{game.step}"):
        assert says not in game.visitor("seat", 0).get(f"{game.path}/{page}").text


def test_api_takes_no_figures_from_a_seat_while_offers_are_sealed(open_game):
    """A refusal would tell a seat what another seat has sealed."""
    game = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    game.play(2, seed=3)
    (grant,) = (grant for grant in access.grants_of_game(game.book, game.id) if grant.seat == 1)
    assert not may_with([grant], game.game, RaiseClaim, seat=1, values={MONEY: 99})
    assert may_with([grant], game.game, RaiseClaim, seat=1, values={})


@pytest.mark.parametrize("ruleset_id", ["making_profit", "arkwright_card"])
def test_figure_of_closed_game_is_saved_and_closed_again(open_game, ruleset_id):
    game = open_game(ruleset_id=ruleset_id)
    game.play()
    assert game.game.status == "closed"
    was, keeper = money(game), game.visitor()
    propose(game, game.visitor("seat", 1), **{MONEY: str(was + 2)})
    number = game.step
    assert "Saving opens it, corrects it and closes it again." in keeper.get(f"{game.path}/claims/{number}").text
    for page in ("", "/record", "/score"):
        assert "Save the correction" in keeper.get(game.path + page).html, page
    keeper.press(f"{game.path}/claims/{number}", "Save the correction")
    assert money(game) == was + 2 and game.game.status == "closed"
    assert settled_state(game.game, claims(game.game)[number]) == "changed"


def test_recorded_figure_is_shown_next_to_a_wrong_one(cards):
    page = propose(cards, cards.visitor("seat", 1), **{MONEY: "many"})
    assert page.status == 422 and f'data-was="{money(cards)}">was {money(cards)}<' in page.html


@pytest.mark.parametrize("saved", [True, False])
def test_transcript_with_a_figure_claim_reads_back(cards, saved):
    was, keeper = money(cards), cards.visitor()
    propose(cards, cards.visitor("seat", 1), **{MONEY: str(was + 2)})
    number = cards.step
    if saved:
        keeper.send(keeper.get(f"{cards.path}/record").form("Save the correction"))
    with cards.app.test_request_context("/"):
        text = "\n".join(write_game(cards.game, "Friday", NAMES))
        found = read_game(text, cards.game.entries[-1].event.at).game
    assert found.document == cards.game.document, text
    assert claims(found)[number].raised.figures == {MONEY: [was, was + 2]}
    assert settled_state(found, claims(found)[number]) == ("changed" if saved else "open")


def test_figure_claim_is_declined_when_all_agree(cards):
    was, keeper = money(cards), cards.visitor()
    propose(cards, cards.visitor("seat", 1), **{MONEY: str(was + 2)})
    number = cards.step
    keeper.press(f"{cards.path}/claims/{number}", "Keep it as recorded")
    for seat, name in enumerate(NAMES):
        cards.visitor("seat", seat).press(f"{cards.path}/record", f"{name} agrees")
    assert settled_state(cards.game, claims(cards.game)[number]) == "closed" and money(cards) == was
