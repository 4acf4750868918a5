"""ACG-4.1, 4.20: the seat whose turn it is and its question, before anything else."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves
from daybook.domain.games.arkwright_card.solo_moves import (
    AutomaPlaced,
    DiscPlaced,
    FactoryDrawn,
    GridLaid,
    LetAutomasBegin,
    MarkerDrawn,
    PickAchievement,
)
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.arkwright_card.alone import until_start
from tests.domain.games.arkwright_card.playing import BLUE, RED, player, refusal, set_up, steps_of

PRICE = "price"
ONE_OF_EACH = [
    moves.StartPlayerDetermined(0),
    moves.CardDealt("broker"),
    moves.PlaceStartFactory("lamps"),
    moves.ChooseStartDevelopment("ship"),
    moves.ChooseStartCard("patent"),
    moves.SkipStart(),
    moves.PlaceForeman("lamps"),
    moves.BuyStartShares(1),
    moves.ChooseAction("early_shipping"),
    moves.PassAction(),
    moves.EndAction(),
    moves.Build("food"),
    moves.Upgrade("lamps"),
    moves.UseInventor(),
    moves.InventorUpgrade("lamps"),
    moves.Employ("lamps", 2),
    moves.Rotate("lamps", 2),
    moves.PlaceToken("lamps", 2),
    moves.Lift("QA"),
    moves.Place("QA", "lamps", 9, PRICE),
    moves.SetCard("QA", 9),
    moves.BuyShare(),
    moves.TakeLoan(),
    moves.RegainShips(),
    moves.ExtraProduce("lamps", 2),
    moves.ShipStored("lamps", 9),
    moves.UseCustoms(),
    moves.SetSlot(9),
    moves.SetOffice("price"),
    moves.SetQuality("QA", PRICE),
    moves.ConfirmPrice(),
    moves.TakeDevelopment("ship"),
    moves.TakeCard("contract"),
    moves.DiscardForLimit("workshop"),
    moves.UseBroker(1),
    moves.UseInventorDouble("ship", "ship"),
    moves.SkipDevelopment(),
    moves.ReplaceQuality("QE", 9, PRICE),
    moves.DoneReplacing(),
    moves.UseDeveloper("developer"),
    moves.UsePatron("workshop"),
    moves.UseExtraShift(),
    moves.SellHome(9),
    moves.Ship(9),
    moves.AssignStorehouse("workshop"),
    moves.BeginSale(),
    moves.EndProduction(),
    moves.UseEntrepreneur(),
    moves.DeclineEntrepreneur(),
    moves.TakeTopPoint(),
    moves.DeclineTopPoint(),
    moves.KeepEntrepreneur(),
    moves.DiscardEntrepreneur(1),
    moves.ChooseStartPlayer(9),
    GridLaid("broker"),
    DiscPlaced("blue"),
    FactoryDrawn("food"),
    AutomaPlaced("blue"),
    MarkerDrawn("blue"),
    LetAutomasBegin(),
    PickAchievement("monopolist"),
]
BY_TABLE = (moves.StartPlayerDetermined, moves.CardDealt, GridLaid, DiscPlaced, FactoryDrawn, AutomaPlaced, MarkerDrawn)
NOT_IN_PLAY = {  # what asks first whether the table plays with it at all
    moves.PlaceStartFactory: "ACG-3.1.2",
    moves.ChooseStartDevelopment: "ACG-3.3.2",
    moves.ChooseStartCard: "ACG-3.3.2",
    moves.SkipStart: "ACG-3.3.2",
    moves.BuyStartShares: "ACG-3.1.5",
    moves.CardDealt: "ACG-3.1.4",
    moves.UseInventorDouble: "ACG-3.1.1",
    moves.TakeTopPoint: "ACG-7.1.2",
    moves.DeclineTopPoint: "ACG-7.1.2",
    **dict.fromkeys(
        (GridLaid, DiscPlaced, FactoryDrawn, AutomaPlaced, MarkerDrawn, LetAutomasBegin, PickAchievement), "ACG-6.1.1"
    ),
}
each = pytest.mark.parametrize("decision", ONE_OF_EACH, ids=lambda decision: type(decision).__name__)


def at(stage="action"):
    return set_up(player(), player(), stage=stage)


def elsewhere(decision, *boards):
    """A board on which the decision is not what is awaited."""
    return next(b for b in boards if b.stage not in steps_of(type(decision)))


def test_acg_4_19_one_of_each_decision_is_tried():
    assert {*map(type, ONE_OF_EACH)} == {*ARKWRIGHT_CARD.kinds}


@each
def test_acg_4_1_3_nothing_is_decided_once_the_game_is_over(decision):
    b = at("over")
    assert refusal(b, TABLE if isinstance(decision, BY_TABLE) else RED, decision) == ("ACG-4.1.3", "game_over")


@each
def test_acg_4_1_2_only_who_is_to_decide_decides(decision):
    b = at()
    wrong = ("ACG-3.4", "table_decides") if isinstance(decision, BY_TABLE) else ("ACG-4.1.2", "not_your_turn")
    assert refusal(b, BLUE, decision) == wrong


def test_acg_4_1_2_seat_outside_the_table_decides_nothing():
    b = at()
    b.players[BLUE].bankrupt = True
    for seat in (TABLE, 2):
        assert refusal(b, seat, moves.PassAction()) == ("ACG-4.1.2", "not_your_turn")


@each
def test_acg_4_14_3_a_bankrupt_player_decides_nothing(decision):
    b = at()
    b.players[RED].bankrupt = True
    wrong = ("ACG-3.4", "table_decides") if isinstance(decision, BY_TABLE) else ("ACG-4.14.3", "player_out")
    assert refusal(b, RED, decision) == wrong


@each
def test_acg_4_20_unawaited_decision_is_refused_first(decision):
    b = elsewhere(decision, at(), at("price"), at("produce"))
    rule, key = refusal(b, TABLE if isinstance(decision, BY_TABLE) else RED, decision)
    if type(decision) in NOT_IN_PLAY:
        assert rule == NOT_IN_PLAY[type(decision)] and key != "wrong_step"
    else:
        assert (rule, key) == ("ACG-3.2.1" if isinstance(decision, BY_TABLE) else "ACG-4.1.2", "wrong_step")


@pytest.mark.parametrize(
    ("rule", "fact"),
    [
        ("ACG-6.2.3", GridLaid("broker")),
        ("ACG-6.2.4", DiscPlaced("blue")),
        ("ACG-6.2.6", AutomaPlaced("blue")),
        ("ACG-6.3.3", MarkerDrawn("blue")),
        ("ACG-6.2.6", FactoryDrawn("food")),
    ],
)
def test_acg_6_2_table_decisions_of_solo_have_steps_too(rule, fact):
    b = until_start(solo_random_factories=True)
    assert b.stage not in steps_of(type(fact))
    assert refusal(b, TABLE, fact) == (rule, "wrong_step")
