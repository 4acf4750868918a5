"""ACG-4.10 to ACG-4.12: steps B and C of a turn, and the development cards."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import factories
from daybook.domain.games.arkwright_card.board import Turn
from daybook.domain.games.arkwright_card.moves import (
    AppealMoved,
    AssignStorehouse,
    BuyShare,
    CardDiscarded,
    CardLifted,
    CardPlaced,
    CardReadied,
    CardRotated,
    CardTaken,
    ChooseAction,
    ConfirmPrice,
    DemandMoved,
    DevelopmentSkipped,
    DevelopmentTaken,
    DiscardForLimit,
    DoneReplacing,
    EndAction,
    ForemanLeft,
    ForemanPlaced,
    GoodsWasted,
    InventorUpgrade,
    LimitLifted,
    LimitReturned,
    OfficeTurned,
    PassAction,
    Place,
    PlaceForeman,
    PriceFixed,
    QualityCapRaised,
    QualityTurned,
    ReplaceQuality,
    ReplacingEnded,
    SetOffice,
    SetQuality,
    SetSlot,
    SharesBought,
    SkipDevelopment,
    SlotSet,
    TakeCard,
    TakeDevelopment,
    TakeLoan,
    TurnBegun,
    UseBroker,
    UseDeveloper,
    UseInventor,
    UseInventorDouble,
)
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    RED,
    after,
    at,
    choose_action,
    effects_after,
    factory,
    legal,
    legal_types,
    own,
    play,
    player,
    red,
    refusal,
    set_up,
)
from tests.domain.games.moves import only

PRICE, APPEAL = "price", "appeal"


# --- ACG-4.10: price and appeal ---


def pricing(cards="", rotated="", dealt=None, **fields):
    b = set_up(
        player(cards=cards, rotated=rotated, food=factory(**fields), clothes=factory()),
        player(),
        demand={"food": at(1)},
        dealt=dealt,
    )
    return after(b, (RED, PassAction()))


def test_acg_4_10_1_step_b_needs_an_open_active_factory():
    assert pricing().stage == "price"
    b = set_up(player(lamps=factory(), cutlery=factory()), player())
    assert after(b, (RED, PassAction())).stage == "development"


def test_acg_4_10_2_slot_office_and_quality_once_each():
    # also ACG-4.20.9
    b = pricing(quality={"QA": (1, PRICE), "QC": (3, APPEAL)})
    assert legal_types(b) == {SetSlot, SetOffice, SetQuality, ConfirmPrice}
    assert legal(b, SetQuality) == [SetQuality("QA", APPEAL), SetQuality("QC", PRICE)]
    b, effects = play(b, *red(SetSlot(1), SetOffice(APPEAL), SetQuality("QA", APPEAL)))
    assert effects == [
        SlotSet("ACG-4.10.2", RED, "food", 4, 1),
        OfficeTurned("ACG-4.10.2", RED, "food", "appeal"),
        QualityTurned("ACG-4.10.2", RED, "food", "QA", 1, "appeal"),
    ]
    assert refusal(b, RED, SetSlot(2)) == ("ACG-4.10.2", "already_done")
    assert refusal(b, RED, SetOffice(PRICE)) == ("ACG-4.10.2", "already_done")
    assert refusal(b, RED, SetQuality("QA", PRICE)) == ("ACG-4.10.2", "already_done")
    assert legal(b) == [SetQuality("QC", PRICE), ConfirmPrice()]
    assert own(b).appeal == 0


def test_acg_4_10_2_only_to_something_else():
    b = pricing(quality={"QA": (1, PRICE)})
    assert refusal(b, RED, SetSlot(4)) == ("ACG-4.10.2", "no_change")
    assert refusal(b, RED, SetSlot(0)) == refusal(b, RED, SetSlot(5)) == ("ACG-4.10.2", "no_change")
    assert refusal(b, RED, SetOffice(PRICE)) == ("ACG-4.10.2", "no_change")
    assert refusal(b, RED, SetQuality("QA", PRICE)) == ("ACG-4.10.2", "no_change")
    assert refusal(b, RED, SetQuality("QB", PRICE)) == ("ACG-4.10.2", "card_not_available")


def test_acg_4_10_3_the_marker_moves_to_the_total_appeal():
    b, effects = play(pricing(distribution=("DA", 2)), *red(SetSlot(2), ConfirmPrice()))
    assert only(effects, PriceFixed) == [PriceFixed("ACG-4.10.3", RED, "food", 4, 6, (2, 0, 0, 2), (2, 4, 0))]
    assert only(effects, AppealMoved, DemandMoved) == [
        AppealMoved("ACG-4.10.3", RED, "food", 0, 4, 2),
        DemandMoved("ACG-4.0.8", "food", 2, 3, 5, 1),
    ]
    assert (own(b).appeal, b.stage) == (4, "development")


def test_acg_4_10_3_setting_everything_fixes_the_price():
    b, effects = play(pricing(), *red(SetSlot(1), SetOffice(APPEAL)))
    assert only(effects, PriceFixed) and own(b).appeal == 7
    assert b.stage == "development"


@pytest.mark.parametrize("last", range(3))
def test_acg_4_10_3_whatever_is_set_last_fixes_the_price(last):
    moves = [SetSlot(1), SetOffice(APPEAL), SetQuality("QA", APPEAL)]
    moves.append(moves.pop(last))
    b = pricing(quality={"QA": (1, PRICE)})
    assert after(b, *red(*moves[:2])).stage == "price"
    b = after(b, *red(*moves))
    assert (b.stage, own(b).appeal, b.turn.changed) == ("development", 8, [])


def test_acg_4_12_10_useful_developer_lets_price_be_confirmed():
    b = pricing("developer entrepreneur", "entrepreneur", "developer")
    b = after(b, *red(SetSlot(1), SetOffice(APPEAL)))
    assert set(legal(b)) == {ConfirmPrice(), UseDeveloper("entrepreneur")}


def test_acg_4_2_3_action_memory_is_forgotten_in_step_b():
    b = after(choose_action(set_up(player(), player()), "quality"), *red(Place("QA", "food", 1, PRICE), EndAction()))
    assert (b.stage, b.turn) == ("price", Turn())


def test_acg_4_10_4_a_marker_left_high_comes_down():
    b, effects = play(pricing(appeal=6, slot=1), (RED, ConfirmPrice()))
    assert only(effects, AppealMoved) == [AppealMoved("ACG-4.10.3", RED, "food", 6, 3, 3)]
    assert b.demand["food"] == 0


def test_acg_2_6_1_the_appeal_track_ends():
    b = set_up(
        player(food=factory(office=APPEAL, slot=1), clothes=factory()),
        player(),
        numbers={"market.appeal_top": 6}
        | {
            f"market.{colour}.{good}": [0, 0, 1, 1, 1, 1]
            for colour in ("red", "green")
            for good in ("food", "clothes", "cutlery", "lamps")
        },
    )
    b = after(b, *red(PassAction(), ConfirmPrice()))
    assert own(b).appeal == 6


# --- ACG-4.11: one development ---


def developing(cards="", rotated="", decade=1, options=None, dealt=None, seats=2, fields=None, **more):
    b = set_up(
        player(cards=cards, rotated=rotated, **(fields or {}), **more),
        *(player() for _ in range(seats - 1)),
        stage="development",
        decade=decade,
        options=options,
        dealt=dealt,
    )
    return b


def test_acg_4_11_and_acg_4_20_10_exactly_one_or_none():
    b = developing()
    assert legal_types(b) == {TakeDevelopment, TakeCard, SkipDevelopment}
    b, effects = play(b, (RED, SkipDevelopment()))
    assert effects == [DevelopmentSkipped("ACG-4.11", RED), TurnBegun("ACG-4.1.2", BLUE)]


def test_acg_4_11_1_a_step_on_the_board():
    b, effects = play(developing(), (RED, TakeDevelopment("machinery")))
    assert effects[0] == DevelopmentTaken("ACG-4.11.1", RED, "machinery", 1, 3)
    assert b.mover == BLUE
    assert refusal(developing(levels={"ship": 2}), RED, TakeDevelopment("ship")) == ("ACG-4.11.1", "track_full")


@pytest.mark.parametrize(
    ("decade", "open_tracks"),
    [
        (1, []),
        (2, ["cards", "machinery", "ship"]),
        (3, ["quality", "distribution", "cards", "machinery", "ship", "stock"]),
    ],
)
def test_acg_4_11_1_the_decade_limits(decade, open_tracks):
    levels = dict.fromkeys(("quality", "distribution", "cards", "machinery", "ship", "stock"), 1)
    b = developing(decade=decade, levels=levels, options={"restrictions": True})
    assert [d.track for d in legal(b, TakeDevelopment)] == open_tracks


def test_acg_4_11_2_a_card_out_of_the_supply():
    b, effects = play(developing(), (RED, TakeCard("workshop")))
    assert effects[0] == CardTaken("ACG-4.11.2", RED, "workshop")
    assert (b.players[RED].cards, b.supply["workshop"]) == (["workshop"], 1)
    assert refusal(developing(), RED, TakeCard("broker")) == ("ACG-4.11.2", "card_not_available")
    assert refusal(developing(), RED, TakeCard("?")) == ("ACG-4.11.2", "card_not_available")
    assert refusal(developing("workshop"), RED, TakeCard("workshop")) == ("ACG-4.11.2", "card_owned")
    b = developing("workshop entrepreneur")
    assert refusal(b, RED, TakeCard("engineer")) == ("ACG-4.11.2", "card_limit")
    assert refusal(developing("workshop entrepreneur", levels={"cards": 1}), RED, TakeCard("engineer")) is None


def test_acg_4_11_2_patrons_of_other_goods_are_other_types():
    b = developing("patron_clothes_food", seats=3)
    assert refusal(b, RED, TakeCard("patron_cutlery_food")) is None


def discarded_in_step_a(second="", **options):
    """An Inventor was used in this very turn; the second one lies in the supply, or before another player."""
    b = set_up(player(cards="inventor"), player(cards=second), player(), player(), options=options)
    return after(choose_action(b, "build"), *red(UseInventor(), InventorUpgrade("food"), EndAction(), ConfirmPrice()))


def test_acg_4_11_2_card_discarded_in_the_same_turn():
    # also ACG-7.1.8
    b = discarded_in_step_a()
    assert b.supply["inventor"] == 2
    assert refusal(b, RED, TakeCard("inventor")) == ("ACG-4.11.2", "card_same_turn")
    assert refusal(discarded_in_step_a(same_turn_by_copy=True), RED, TakeCard("inventor")) is None
    b = discarded_in_step_a("inventor", same_turn_by_copy=True)
    assert refusal(b, RED, TakeCard("inventor")) == ("ACG-4.11.2", "card_same_turn")


def test_acg_4_11_3_and_acg_4_20_11_making_room_for_another_type():
    b = developing("workshop entrepreneur")
    assert legal(b, DiscardForLimit) == [DiscardForLimit("workshop"), DiscardForLimit("entrepreneur")]
    b, effects = play(b, (RED, DiscardForLimit("workshop")))
    assert effects == [CardDiscarded("ACG-4.11.3", RED, "workshop")]
    assert (b.stage, legal_types(b)) == ("take_card", {TakeCard})
    assert refusal(b, RED, TakeCard("workshop")) == ("ACG-4.11.2", "card_same_turn")
    for d in (SkipDevelopment(), TakeDevelopment("ship"), DiscardForLimit("entrepreneur"), UseBroker(1)):
        assert refusal(b, RED, d) == ("ACG-4.11.3", "must_take")
    b = after(b, (RED, TakeCard("engineer")))
    assert (b.players[RED].cards, b.mover) == (["entrepreneur", "engineer"], BLUE)


def test_acg_4_11_3_another_type_also_where_copies_count():
    b = after(
        developing("workshop entrepreneur", options={"same_turn_by_copy": True}), (RED, DiscardForLimit("workshop"))
    )
    assert b.supply["workshop"] == 2
    assert refusal(b, RED, TakeCard("workshop")) == ("ACG-4.11.3", "card_same_turn")


def test_acg_4_11_3_only_at_the_limit_and_with_something_to_take():
    assert refusal(developing("workshop"), RED, DiscardForLimit("workshop")) == ("ACG-4.11.3", "not_at_limit")
    assert refusal(developing("workshop entrepreneur"), RED, DiscardForLimit("patent")) == (
        "ACG-4.11.3",
        "card_not_available",
    )
    empty = {f"supply.2.{card}": 0 for card in ("patent", "engineer", "big_storehouse", "extra_shift", "foreman")} | {
        "seats.2.1.development": "ship"
    }
    b = set_up(player(cards="workshop entrepreneur"), player(), stage="development", numbers=empty)
    assert refusal(b, RED, DiscardForLimit("workshop")) == ("ACG-4.11.3", "not_at_limit")
    assert refusal(b, RED, DiscardForLimit("entrepreneur")) == ("ACG-4.11.3", "not_at_limit")


def test_acg_4_11_3_card_discarded_in_step_a_is_not_taken():
    """Only Inventors are left, and one of them was used in this turn."""
    b = discarded_in_step_a()
    b.supply = dict.fromkeys(b.supply, 0) | {"inventor": 2}
    b.players[RED].cards = ["workshop", "entrepreneur"]
    assert refusal(b, RED, DiscardForLimit("workshop")) == ("ACG-4.11.3", "not_at_limit")
    b.supply["patent"] = 1
    assert refusal(b, RED, DiscardForLimit("workshop")) is None


def test_acg_4_11_4_and_acg_4_12_7_the_broker_buys_at_half_price():
    b = developing("broker", dealt="broker", share_value=13, money=13)
    assert legal(b, UseBroker) == [UseBroker(1)]
    assert refusal(b, RED, UseBroker(2)) == ("ACG-4.7.2", "no_money")
    b, effects = play(b, (RED, UseBroker(1)))
    assert effects[:2] == [
        CardDiscarded("ACG-4.11.4", RED, "broker"),
        SharesBought("ACG-4.11.4", RED, 1, 7, 7, True, 11),
    ]
    assert (b.players[RED].money, b.supply["broker"], b.mover) == (6, 1, BLUE)
    b = developing("broker", dealt="broker", shares=29)
    assert refusal(b, RED, UseBroker(2)) == ("ACG-2.7.1", "share_cap")
    assert refusal(b, RED, UseBroker(0)) == refusal(b, RED, UseBroker(3)) == ("ACG-4.11.4", "nothing_done")
    assert refusal(developing(), RED, UseBroker(1)) == ("ACG-4.11.4", "card_not_available")


def test_acg_4_11_4_after_loans_of_the_same_turn():
    b = set_up(player(money=0, cards="broker", lamps=factory(), cutlery=factory()), player(), dealt="broker")
    b = after(choose_action(b, "stock"), *red(TakeLoan(), EndAction(), UseBroker(2)))
    assert (b.players[RED].money, b.players[RED].shares) == (0, 12)
    assert refusal(b, RED, BuyShare()) is not None


def test_acg_4_11_5_inventor_develops_twice_with_restrictions():
    limits = {"restrictions": True}
    b = developing("inventor", seats=4, options=limits, levels={"quality": 1, "ship": 2})
    assert refusal(b, RED, UseInventorDouble("stock", "stock")) == ("ACG-4.11.5", "same_track")
    assert refusal(b, RED, UseInventorDouble("stock", "ship")) == ("ACG-4.11.5", "track_full")
    full = developing("inventor", seats=4, options=limits, levels={"stock": 2})
    assert refusal(full, RED, UseInventorDouble("quality", "stock")) == ("ACG-4.11.5", "track_full")
    assert refusal(developing(options=limits), RED, UseInventorDouble("stock", "ship")) == (
        "ACG-4.11.5",
        "card_not_available",
    )
    b, effects = play(b, (RED, UseInventorDouble("quality", "stock")))
    assert effects[:3] == [
        CardDiscarded("ACG-4.11.5", RED, "inventor"),
        DevelopmentTaken("ACG-4.11.5", RED, "quality", 2, 3),
        DevelopmentTaken("ACG-4.11.5", RED, "stock", 1, 1),
    ]
    assert b.mover == BLUE


def test_acg_4_11_6_discarded_cards_are_upright_for_everyone():
    b = developing("entrepreneur workshop", "entrepreneur")
    b = after(b, *red(DiscardForLimit("entrepreneur"), TakeCard("engineer")))
    b = after(b, (BLUE, PassAction()), (BLUE, ConfirmPrice()), (BLUE, TakeCard("entrepreneur")))
    assert b.players[BLUE].ready("entrepreneur")


def test_acg_4_11_7_what_a_discarded_card_takes_along():
    fields = {
        "food": factory(foreman=True, distribution=("DP", 3), stored={"SC": 3, "SA": 1}),
        "clothes": factory(quality={"QE": (5, PRICE), "QA": (1, PRICE)}),
    }
    cards = "foreman patent big_storehouse engineer"
    for card, effect in (
        ("foreman", ForemanLeft("ACG-4.11.7", RED, "food")),
        ("patent", CardLifted("ACG-4.11.7", RED, "food", "DP", 3, 0)),
        ("big_storehouse", GoodsWasted("ACG-4.11.7", RED, "food", 3)),
        ("engineer", CardLifted("ACG-4.11.7", RED, "clothes", "QE", 5, 1)),
    ):
        b = developing(cards, levels={"cards": 2}, fields=fields)
        assert effects_after(b, (RED, DiscardForLimit(card))) == [CardDiscarded("ACG-4.11.3", RED, card), effect]


def test_acg_4_11_7_without_the_patent_other_distribution_stays():
    b = developing("patent workshop", fields={"food": factory(distribution=("DA", 2)), "clothes": factory()})
    b, effects = play(b, (RED, DiscardForLimit("patent")))
    assert effects == [CardDiscarded("ACG-4.11.3", RED, "patent")]
    assert own(b).distribution_value == 2


def test_acg_4_11_8_card_lifts_a_limit_while_it_is_owned():
    limits = {"restrictions": True}
    for card, track in (
        ("patent", "distribution"),
        ("engineer", "quality"),
        ("workshop", "machinery"),
        ("customs_office", "ship"),
        ("broker", "stock"),
    ):
        dealt = "customs_office broker workshop"
        held = developing(card, options=limits, dealt=dealt, levels={track: 1})
        assert refusal(held, RED, TakeDevelopment(track)) is None
        free = developing(options=limits, dealt=dealt, levels={track: 1})
        assert refusal(free, RED, TakeDevelopment(track)) == ("ACG-4.11.1", "restricted")
        assert LimitLifted("ACG-4.11.9", RED, track, card) in effects_after(free, (RED, TakeCard(card)))
    b = developing("workshop entrepreneur", options=limits, levels={"machinery": 2})
    b, effects = play(b, (RED, DiscardForLimit("workshop")))
    assert LimitReturned("ACG-4.11.9", RED, "machinery", "workshop") in effects
    assert b.players[RED].levels["machinery"] == 2


# --- ACG-4.12: cards ---


def test_acg_4_12_5_foreman_is_placed_when_taken():
    # also ACG-4.20.12
    b, effects = play(developing(), (RED, TakeCard("foreman")))
    assert (b.stage, legal_types(b)) == ("foreman", {PlaceForeman})
    assert refusal(b, RED, PlaceForeman("lamps")) == ("ACG-4.12.6", "no_factory")
    assert refusal(b, RED, SkipDevelopment()) == ("ACG-4.1.2", "wrong_step")
    b, effects = play(b, (RED, PlaceForeman("clothes")))
    assert effects[0] == ForemanPlaced("ACG-4.12.6", RED, "clothes")
    assert (own(b, "clothes").foreman, b.mover) == (True, BLUE)


def test_acg_4_12_10_developer_readies_a_card_at_any_own_time():
    cards, rotated = "developer patron_clothes_food", "patron_clothes_food"
    b = set_up(player(cards=cards, rotated=rotated), player(), dealt=cards)
    for moves in ([], red(ChooseAction("build")), red(PassAction()), red(PassAction(), ConfirmPrice())):
        asked = after(b, *moves)
        assert UseDeveloper("patron_clothes_food") in legal(asked)
        done, effects = play(asked, (RED, UseDeveloper("patron_clothes_food")))
        assert effects == [
            CardRotated("ACG-4.12.10", RED, "developer"),
            CardReadied("ACG-4.12.10", RED, "patron_clothes_food"),
        ]
        assert done.players[RED].rotated == ["developer"]
        assert refusal(done, RED, UseDeveloper("patron_clothes_food")) == ("ACG-4.12.10", "card_rotated")
    for card in ("developer", "workshop"):
        assert refusal(b, RED, UseDeveloper(card)) == ("ACG-4.12.10", "nothing_to_ready")
    b = set_up(player(), player())
    assert refusal(b, RED, UseDeveloper("entrepreneur")) == ("ACG-4.12.10", "card_not_available")


def test_acg_4_12_11_engineer_raises_the_cap_after_leaving_too():
    b, effects = play(developing(), (RED, TakeCard("engineer")))
    assert effects[:2] == [CardTaken("ACG-4.11.2", RED, "engineer"), QualityCapRaised("ACG-4.12.11", RED, 6)]
    b = developing("engineer workshop", quality_cap=6)
    b = after(b, *red(DiscardForLimit("engineer"), TakeCard("patent")))
    assert b.players[RED].quality_cap == 6


def test_acg_4_12_11_cap_is_raised_once_by_the_engineer_only():
    b, effects = play(developing(), (RED, TakeCard("workshop")))
    assert only(effects, QualityCapRaised) == [] and b.players[RED].quality_cap == 4
    b, effects = play(developing(quality_cap=6), (RED, TakeCard("engineer")))
    assert only(effects, QualityCapRaised) == [] and b.players[RED].quality_cap == 6
    _, effects = play(developing(quality_cap=6), (RED, TakeCard("workshop")))
    assert only(effects, QualityCapRaised) == []


def test_acg_4_11_9_without_restrictions_a_card_lifts_no_limit():
    effects = effects_after(developing(), (RED, TakeCard("patent")))
    assert effects[0] == CardTaken("ACG-4.11.2", RED, "patent") and only(effects, LimitLifted) == []


def replacing(quality=None, rest=None):
    fields = {"food": factory(quality=quality or {"QE": (5, PRICE)}), "clothes": factory(quality=rest)}
    b = developing("engineer workshop", fields=fields)
    return after(b, (RED, DiscardForLimit("engineer")))


def test_acg_4_12_12_other_quality_may_replace_the_engineer():
    # also ACG-4.20.13
    b = replacing()
    assert (b.stage, b.turn.points) == ("replace", 5)
    assert refusal(b, RED, ReplaceQuality("QE", 5, PRICE)) == ("ACG-4.12.12", "card_not_available")
    assert refusal(b, RED, ReplaceQuality("DA", 1, PRICE)) == ("ACG-4.12.12", "card_not_available")
    assert refusal(b, RED, ReplaceQuality("QC", 2, PRICE)) == ("ACG-2.5", "card_value")
    b, effects = play(b, (RED, ReplaceQuality("QC", 4, APPEAL)))
    assert effects == [CardPlaced("ACG-4.12.12", RED, "food", "QC", 4, "appeal", 4)]
    assert refusal(b, RED, ReplaceQuality("QA", 2, PRICE)) == ("ACG-4.12.12", "replace_limit")
    assert refusal(b, RED, ReplaceQuality("QC", 3, PRICE)) == ("ACG-4.12.12", "card_not_available")
    b, effects = play(b, (RED, ReplaceQuality("QA", 1, PRICE)))
    assert effects[1] == ReplacingEnded("ACG-4.12.12", RED, "food", 5)
    assert (b.stage, b.turn.points) == ("take_card", 0)


def test_acg_4_12_12_up_to_the_previous_total_and_no_further():
    b = replacing({"QE": (5, PRICE), "QA": (1, PRICE)})
    assert {(d.card, d.value) for d in legal(b, ReplaceQuality)} == {("QB", 1), ("QB", 2), ("QC", 3), ("QC", 4)}
    b = after(b, (RED, DoneReplacing()))
    assert own(b).quality_value == 1
    assert legal_types(b) == {TakeCard}


def test_acg_4_12_12_empty_reserve_takes_a_card_at_once():
    b = replacing(rest={"QA": (1, PRICE), "QB": (1, PRICE), "QC": (3, PRICE)})
    assert b.stage == "take_card"
    b = after(developing("engineer workshop"), (RED, DiscardForLimit("engineer")))
    assert b.stage == "take_card"


def test_acg_4_12_15_the_big_storehouse_is_a_storehouse():
    b = developing("big_storehouse")
    assert b.players[RED].has("SC") and not b.players[BLUE].has("SC")
    b.stage = "store"
    assert refusal(b, RED, AssignStorehouse("SC")) is None


@pytest.mark.parametrize(
    ("made", "room", "stored"), [(4, {"SC": 0}, {"SC": 4}), (6, {"SC": 0, "SA": 0}, {"SC": 4, "SA": 2})]
)
def test_acg_4_12_15_the_big_storehouse_holds_four_goods(made, room, stored):
    b, building = set_up(player(), player()), factory(stored=room)
    assert (factories.put_in_storehouses(b, building, made + 1), building.storehouses) == (1, stored)


def test_acg_4_11_7_machines_and_levels_ignore_discards():
    b = developing("workshop entrepreneur", fields={"food": factory(workers="1.2"), "clothes": factory()})
    b = after(b, (RED, DiscardForLimit("workshop")))
    assert factories.cost(b, b.players[RED], "food", own(b), 1).maintenance == 2
