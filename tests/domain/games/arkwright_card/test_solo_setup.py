"""ACG-6.1 and ACG-6.2: the set-up of the solo game."""

from __future__ import annotations

from collections import Counter

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves, solo_moves
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS, GOODS
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from tests.domain.games.arkwright_card.alone import (
    GRID,
    REMOVED,
    automa,
    discs,
    grid,
    mine,
    solo_at_first_turn,
    table,
    until_factories,
    until_start,
)
from tests.domain.games.arkwright_card.playing import (
    EXPERT,
    after,
    board_at_first_turn,
    effects_after,
    legal,
    legal_types,
    opening_board,
    play,
    refusal,
    to_act,
)
from tests.domain.games.moves import only


def test_acg_1_1_one_may_play_against_two_automas():
    # also ACG-6.1.1
    b = opening_board(1)
    assert list(ARKWRIGHT_CARD.seats) == [1, 2, 3, 4]
    assert (len(b.players), list(b.alone.automas), to_act(b)) == (1, ["blue", "green"], (TABLE,))
    assert board_at_first_turn(2).solo is None


@pytest.mark.parametrize(
    "fact",
    [
        solo_moves.GridLaid("patent"),
        solo_moves.DiscPlaced("blue"),
        solo_moves.FactoryDrawn("food"),
        solo_moves.AutomaPlaced("blue"),
        solo_moves.MarkerDrawn("blue"),
    ],
)
def test_acg_6_1_1_its_facts_belong_to_no_other_game(fact):
    assert refusal(board_at_first_turn(3), TABLE, fact) == ("ACG-6.1.1", "option_off")
    with pytest.raises(LookupError):
        _ = board_at_first_turn(3).alone


@pytest.mark.parametrize("decision", [solo_moves.LetAutomasBegin(), solo_moves.PickAchievement("tycoon")])
def test_acg_6_1_1_its_decisions_belong_to_no_other_game(decision):
    assert refusal(board_at_first_turn(3), 0, decision) == ("ACG-6.1.1", "option_off")


def test_acg_6_1_2_the_third_colour_is_no_opponent():
    b = solo_at_first_turn()
    assert "yellow" not in b.alone.automas
    assert (b.alone.bag["yellow"], b.alone.discs["yellow"]) == (2, 11)


def test_acg_6_1_1_the_automas_have_the_colours_that_are_left():
    rules = ARKWRIGHT_CARD
    sheet = opening_board(1).table.sheet
    b = rules.opening_board(rules.table(["green"], {}, sheet))
    assert list(b.alone.automas) == ["blue", "orange"]
    assert b.alone.bag == {"blue": 3, "orange": 3, "purple": 2}


def test_acg_6_2_5_a_sheet_with_three_colours_is_too_small():
    with pytest.raises(IllegalDecision) as refused:
        opening_board(1, {"game.colours": ["red", "blue", "green"]})
    assert refused.value.rule == "ACG-6.2.5"


def test_acg_6_2_1_the_player_has_the_usual_things():
    p = opening_board(1).players[0]
    assert (p.money, p.shares, p.share_value, p.ships) == (50, 10, 10, 2)


def test_acg_6_2_2_and_acg_2_10_2_an_automa_has_12_shares_at_12():
    for value in opening_board(1).alone.automas.values():
        assert (value.shares, value.share_value, value.appeal) == (12, 12, {})


def test_acg_6_2_3_fifteen_of_seventeen_cards_make_the_grid():
    # also ACG-10.16
    b = opening_board(1)
    assert (b.stage, sum(b.supply.values())) == ("grid", 17)
    assert ARKWRIGHT_CARD.facts(b) == [
        (solo_moves.GridLaid(card), b.supply[card]) for card in b.printed.cards if b.supply[card]
    ]
    assert (b.demand, b.wages) == (dict.fromkeys(GOODS, 3), 1)
    b, effects = play(b, *grid())
    laid = only(effects, solo_moves.GridCardPlaced)
    assert laid[:1] + laid[6:7] == [
        solo_moves.GridCardPlaced("ACG-6.2.3", "patent", 1, 1, 14),
        solo_moves.GridCardPlaced("ACG-6.2.3", "engineer", 2, 2, 8),
    ]
    assert (b.alone.grid, b.alone.removed, b.stage) == (GRID, REMOVED, "discs")
    assert sum(b.supply.values()) == 0
    assert only(effects, solo_moves.CardsRemoved) == [solo_moves.CardsRemoved("ACG-6.2.3", tuple(REMOVED))]


def test_acg_6_2_3_no_card_is_laid_more_often_than_it_is_there():
    b = after(opening_board(1), *grid(["entrepreneur"]))
    assert refusal(b, TABLE, solo_moves.GridLaid("entrepreneur")) == ("ACG-6.2.3", "card_not_available")
    assert refusal(b, TABLE, solo_moves.GridLaid("broker")) == ("ACG-6.2.3", "card_not_available")
    assert refusal(b, TABLE, solo_moves.GridLaid("?")) == ("ACG-6.2.3", "card_not_available")
    assert refusal(b, TABLE, solo_moves.DiscPlaced("blue")) == ("ACG-6.2.4", "wrong_step")
    assert refusal(b, 0, solo_moves.GridLaid("patent")) == ("ACG-3.4", "table_decides")


def test_acg_6_2_4_a_disc_lies_on_the_first_card_of_each_row():
    b = after(opening_board(1), *grid())
    assert [d.colour for d in legal(b)] == ["blue", "green", "yellow"]
    b, effects = play(b, *discs("yellow", "blue"))
    assert b.alone.discs == {"yellow": 1, "blue": 6, "green": 11}
    assert only(effects, solo_moves.DiscLaid)[-1] == solo_moves.DiscLaid("ACG-6.2.4", "green", 3, "patent")
    assert refusal(
        after(opening_board(1), *grid(), *table(solo_moves.DiscPlaced("blue"))), TABLE, solo_moves.DiscPlaced("blue")
    ) == ("ACG-6.2.4", "disc_placed")


def test_acg_6_2_4_a_card_under_a_disc_counts_as_taken():
    b = until_start()
    assert refusal(b, 0, moves.ChooseStartCard("patent", 1)) == ("ACG-4.11.2", "under_disc")
    assert refusal(b, 0, moves.ChooseStartCard("engineer", 1)) == ("ACG-6.2.4", "not_in_grid")
    assert refusal(b, 0, moves.ChooseStartCard("engineer", 16)) == ("ACG-6.2.4", "not_in_grid")
    assert refusal(b, 0, moves.ChooseStartCard("engineer", 2)) is None
    assert refusal(b, 0, moves.ChooseStartCard("broker", 2)) == ("ACG-4.11.2", "card_not_available")
    assert refusal(b, 0, moves.ChooseStartCard("engineer")) == ("ACG-6.2.4", "not_in_grid")


def test_acg_6_2_4_of_two_copies_the_one_without_a_disc_is_there():
    b = until_start()
    b.alone.discs["blue"] = 2
    assert refusal(b, 0, moves.ChooseStartCard("engineer", 2)) == ("ACG-6.2.4", "under_disc")
    assert {d.place for d in legal(b, moves.ChooseStartCard) if d.card == "engineer"} == {7, 12}


def test_acg_6_2_5_and_acg_2_10_7_the_bag_holds_eight_markers():
    effects = effects_after(opening_board(1), *grid(), *discs())
    assert only(effects, solo_moves.BagFilled) == [
        solo_moves.BagFilled("ACG-6.2.5", {"blue": 3, "green": 3, "yellow": 2})
    ]


def test_acg_6_2_6_a_factory_the_automas_and_another_factory():
    b = until_factories()
    assert (b.stage, legal_types(b)) == ("start_factory", {moves.PlaceStartFactory})
    b = after(b, *mine(moves.PlaceStartFactory("food")))
    assert (b.stage, to_act(b)) == ("automa_markers", (TABLE,))
    assert ARKWRIGHT_CARD.facts(b) == [(solo_moves.AutomaPlaced("blue"), 2), (solo_moves.AutomaPlaced("green"), 2)]
    b = after(b, *table(solo_moves.AutomaPlaced("blue")))
    assert ARKWRIGHT_CARD.facts(b) == [(solo_moves.AutomaPlaced("blue"), 1), (solo_moves.AutomaPlaced("green"), 2)]
    b = after(b, *table(solo_moves.AutomaPlaced("blue")))
    assert [automa(b, colour).appeal for colour in ("blue", "green")] == [
        {"food": 4, "clothes": 4},
        {"cutlery": 3, "lamps": 3},
    ]
    assert refusal(b, 0, moves.PlaceStartFactory("food")) == ("ACG-3.3.1", "already_open")
    b = after(b, *mine(moves.PlaceStartFactory("lamps")))
    factory = b.players[0].factory("lamps")
    assert (len(factory.workers), factory.office, factory.appeal, factory.slot) == (1, "price", 0, 4)


def test_acg_6_2_6_a_marker_is_one_of_the_automas():
    b = after(until_factories(), *mine(moves.PlaceStartFactory("food")))
    own = b.table.colours[0]
    assert own not in b.alone.automas
    assert refusal(b, TABLE, solo_moves.AutomaPlaced(own)) == ("ACG-6.2.6", "marker_placed")


def test_acg_4_11_2_the_first_card_needs_room_too():
    b = until_start(numbers={"tracks.cards.levels": [0, 3, 4]})
    assert refusal(b, 0, moves.ChooseStartCard("engineer", 2)) == ("ACG-4.11.2", "card_limit")
    assert {type(d) for d in ARKWRIGHT_CARD.legal(b, 0)} == {moves.ChooseStartDevelopment, moves.SkipStart}


def test_acg_6_2_6_six_orders_of_markers_are_equally_likely():
    ways: Counter[tuple[str, ...]] = Counter()

    def walk(b, share):
        if b.stage != "automa_markers":
            ways[tuple(next(c for c, item in b.alone.automas.items() if g in item.appeal) for g in GOODS)] += share
            return
        facts = [(fact, weight) for fact, weight in ARKWRIGHT_CARD.facts(b) if weight]
        for fact, weight in facts:
            walk(after(b, (TABLE, fact)), share * weight // sum(weight for _, weight in facts))

    walk(after(until_factories(), *mine(moves.PlaceStartFactory("food"))), 6 * 12)
    assert len(ways) == 6
    assert set(ways.values()) == {12}


def test_acg_6_2_6_and_acg_10_14_demand_moves_and_the_wages_stay():
    b = after(until_factories(), *mine(moves.PlaceStartFactory("food")))
    b, effects = play(
        b, *table(solo_moves.AutomaPlaced("blue"), solo_moves.AutomaPlaced("green"), solo_moves.AutomaPlaced("green"))
    )
    assert list(b.demand.values()) == [5, 5, 4, 4]
    assert [b.demand_value(good) for good in GOODS] == [1, 1, 1, 1]
    assert [(e.good, e.appeal, e.arrows) for e in only(effects, solo_moves.AutomaMarkerSet)] == [
        ("food", 4, 2),
        ("clothes", 4, 2),
        ("cutlery", 3, 1),
        ("lamps", 3, 1),
    ]
    assert [e.steps for e in only(effects, moves.DemandMoved)] == [2, 2, 1, 1]
    assert only(effects, moves.WagesMoved) == [] and b.wages == 1


def test_acg_6_2_6_a_marker_passes_all_arrows_from_0_on():
    arrows = [1, 0] + [1] * 18
    b = until_start(numbers={"market.red.food": arrows, "market.green.food": arrows})
    assert (automa(b).appeal["food"], b.demand["food"]) == (4, 3 + 3)


def test_acg_6_2_6_with_the_variant_both_factories_are_drawn():
    b = until_factories(solo_random_factories=True)
    assert ARKWRIGHT_CARD.facts(b) == [(solo_moves.FactoryDrawn(good), 1) for good in GOODS]
    b = after(b, *table(solo_moves.FactoryDrawn("lamps")))
    assert refusal(b, TABLE, solo_moves.FactoryDrawn("lamps")) == ("ACG-6.2.6", "already_open")
    b = after(b, *table(solo_moves.FactoryDrawn("food")))
    assert b.stage == "automa_markers"
    b = after(b, *table(solo_moves.AutomaPlaced("blue"), solo_moves.AutomaPlaced("blue")))
    assert b.stage == "start_development"
    assert refusal(b, 0, moves.PlaceStartFactory("cutlery")) == ("ACG-3.1.2", "option_off")
    assert refusal(until_factories(), TABLE, solo_moves.FactoryDrawn("food")) == ("ACG-6.2.6", "option_off")


def test_acg_6_2_7_a_development_a_card_or_nothing():
    b = until_start()
    assert legal_types(b) == {moves.ChooseStartDevelopment, moves.ChooseStartCard, moves.SkipStart}
    b, effects = play(b, *mine(moves.ChooseStartCard("workshop", 4)))
    assert (b.alone.card(4), b.players[0].cards, b.stage) == (None, ["workshop"], "action")
    assert moves.CardTaken("ACG-3.3.2", 0, "workshop") in effects
    b = after(until_start(), *mine(moves.ChooseStartCard("foreman", 5)))
    assert b.stage == "start_foreman"
    assert after(b, *mine(moves.PlaceForeman("food"))).stage == "action"


def test_acg_7_1_7_the_start_development_is_ruled():
    b = until_start(solo_start_development="board")
    assert legal_types(b) == {moves.ChooseStartDevelopment, moves.SkipStart}
    assert refusal(b, 0, moves.ChooseStartCard("engineer", 2)) == ("ACG-3.3.2", "option_off")
    b = until_start(solo_start_development="none")
    assert (b.stage, refusal(b, 0, moves.SkipStart())) == ("action", ("ACG-3.3.2", "option_off"))


def test_acg_6_2_7_shares_are_bought_last():
    b = after(until_start(start_shares=True), *mine(moves.SkipStart()))
    assert (b.stage, len(legal(b, moves.BuyStartShares))) == ("start_shares", 6)
    assert after(b, *mine(moves.BuyStartShares(5))).stage == "action"


def test_acg_6_2_8_cards_by_chance_fill_the_grid():
    b = opening_board(1, random_supply=True)
    assert (b.stage, sum(b.supply.values()), b.printed.random.limit) == ("supply", 5, 2)
    assert b.supply["engineer"] == b.supply["patent"] == 2 and b.supply["entrepreneur"] == 1
    b = until_factories(random_supply=True)
    assert len(b.dealt) == 12 and len(b.alone.grid) == 15
    assert sorted(b.alone.removed) == ["engineer", "patent"]
    assert refusal(opening_board(1), TABLE, moves.CardDealt("patent")) == ("ACG-3.1.4", "option_off")


def test_acg_6_2_8_with_nothing_to_deal_the_grid_is_laid_at_once():
    """The three rows have a single card each, and two of the five that always lie there are not used."""
    assert opening_board(1, {"random_supply.dealt": 0, "solo.columns": 1}, random_supply=True).stage == "grid"


@pytest.mark.parametrize("name", EXPERT)
def test_acg_3_5_10_every_expert_option_may_be_used(name):
    assert solo_at_first_turn(**{name: True}).stage == "action"


def test_acg_3_5_10_choice_of_factories_adds_nothing():
    assert solo_at_first_turn(choose_factories=True).document() == solo_at_first_turn().document()


def test_acg_6_2_8_nobody_determines_a_start_player():
    assert refusal(opening_board(1), TABLE, moves.StartPlayerDetermined(0)) == ("ACG-3.2.1", "wrong_step")
    assert solo_at_first_turn().start == 0


def test_acg_6_3_1_only_the_automas_can_be_named():
    assert refusal(solo_at_first_turn(), 0, moves.DiscardEntrepreneur(0)) == ("ACG-4.1.2", "wrong_step")


def test_acg_6_6_3_achievements_are_open_unless_ruled_out():
    states = opening_board(1, start_shares=True).alone.achievements
    assert states == dict.fromkeys(ACHIEVEMENTS, "open")
    assert opening_board(1).alone.achievements["from_nothing"] == "lost"
