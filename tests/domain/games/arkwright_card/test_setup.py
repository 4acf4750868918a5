"""ACG-3: the set-up, its options alone and together."""

from __future__ import annotations

from itertools import product

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, setup
from daybook.domain.games.arkwright_card.moves import (
    BuyStartShares,
    CardDealt,
    CardLaid,
    CardTaken,
    ChooseAction,
    ChooseStartCard,
    ChooseStartDevelopment,
    DevelopmentTaken,
    FacesUnlikely,
    FactoryOpened,
    ForemanPlaced,
    LimitLifted,
    NeutralPlaced,
    PlaceForeman,
    PlaceStartFactory,
    RegainShips,
    RoundBegun,
    SharesBought,
    SkipStart,
    StartPlayerDetermined,
    StartPlayerFound,
    StartSkipped,
    SupplyLaid,
    TakeDevelopment,
    TurnBegun,
    UseInventor,
    UseInventorDouble,
)
from daybook.domain.games.arkwright_card.printed import TRACKS
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    EXPERT,
    GREEN,
    RED,
    YELLOW,
    after,
    board_at_first_turn,
    effects_after,
    factory,
    game,
    legal,
    legal_types,
    opening_board,
    own,
    play,
    player,
    refusal,
    set_up,
    to_act,
)
from tests.domain.games.moves import only

DEAL_2 = ("broker", "contract", "workshop", "foreman", "inventor", "developer", "customs_office", "big_storehouse")


def after_start_player(seats=4, start=0, **options):
    return after(opening_board(seats, **options), (TABLE, StartPlayerDetermined(start)))


def after_deal(seats=2, cards=DEAL_2, **options):
    b = after_start_player(seats, random_supply=True, **options)
    return after(b, *((TABLE, CardDealt(card)) for card in cards))


def goods(b, seat):
    return [good for good, _ in b.players[seat].open()]


# --- ACG-3.2: the common steps ---


def test_acg_3_2_1_table_determines_the_start_player():
    # also ACG-3.4.1
    b = opening_board()
    assert to_act(b) == (TABLE,)
    assert ARKWRIGHT_CARD.facts(b) == [(StartPlayerDetermined(seat), 1) for seat in range(4)]
    b, effects = play(b, (TABLE, StartPlayerDetermined(GREEN)))
    assert effects[0] == StartPlayerFound("ACG-3.2.1", GREEN)
    assert b.from_start() == (GREEN, YELLOW, RED, BLUE)


def test_acg_3_2_2_and_acg_2_1_6_nobody_has_anything_before():
    for p in opening_board().players:
        assert (list(p.open()), p.cards, p.rotated) == ([], [], [])


@pytest.mark.parametrize(("seats", "demand", "wages"), [(2, [4, 4, 3, 3], 2), (3, [3] * 4, 1), (4, [4] * 4, 0)])
def test_acg_3_2_3_the_market_board(seats, demand, wages):
    b = board_at_first_turn(seats)
    assert (list(b.demand.values()), b.wages, b.wage) == (demand, wages, 2)
    assert [b.demand_value(good) for good in b.demand] == [1] * 4
    assert (b.decade, b.round, b.active) == (1, 1, "food")


def test_acg_3_2_4_what_a_player_starts_with():
    for p in opening_board().players:
        assert (p.money, p.shares, p.share_value, p.loans, p.shipping_tokens) == (50, 10, 10, 0, 0)
        assert p.levels == dict.fromkeys(TRACKS, 0)
        assert p.quality_cap == 4


def test_acg_3_2_5_two_factories_by_place_in_turn_order():
    # also ACG-3.4.2
    b, effects = play(opening_board(3), (TABLE, StartPlayerDetermined(BLUE)))
    assert [goods(b, seat) for seat in (BLUE, GREEN, RED)] == [
        ["food", "clothes"],
        ["food", "cutlery"],
        ["food", "lamps"],
    ]
    assert own(b, "food", BLUE) == factory(side=1, slot=4, office="price", appeal=0, workers="1")
    assert only(effects, FactoryOpened)[0] == FactoryOpened("ACG-3.2.5", BLUE, "food", 1, 4, True)
    assert list(b.demand.values()) == [3] * 4


def test_acg_3_2_5_start_factory_has_the_earlier_card_side():
    b = after_start_player(2, numbers={"workers.1.sides": [2, 3]})
    assert [card.side for card in own(b, "food", RED).workers] == [2]
    assert b.printed.workers[1].side(1) == 2  # there is no earlier one


def test_acg_3_2_6_and_acg_3_4_3_a_development_by_place():
    b, effects = play(opening_board(3), (TABLE, StartPlayerDetermined(RED)))
    assert b.players[RED].levels["quality"] == 1
    assert [p.cards for p in b.players] == [[], ["workshop"], ["foreman"]]
    assert only(effects, DevelopmentTaken, CardTaken) == [
        DevelopmentTaken("ACG-3.2.6", RED, "quality", 1, 2),
        CardTaken("ACG-3.2.6", BLUE, "workshop"),
        CardTaken("ACG-3.2.6", GREEN, "foreman"),
    ]


def test_acg_3_2_7_starter_with_the_foreman_places_it():
    # also ACG-3.4.5
    b = after_start_player(3)
    assert (b.stage, b.mover) == ("start_foreman", GREEN)
    assert legal(b) == [PlaceForeman("food"), PlaceForeman("lamps")]
    b, effects = play(b, (GREEN, PlaceForeman("lamps")))
    assert own(b, "lamps", GREEN).foreman and not own(b, "food", GREEN).foreman
    assert effects[0] == ForemanPlaced("ACG-4.12.6", GREEN, "lamps")
    assert (b.stage, b.mover) == ("action", RED)


def test_acg_3_2_8_two_ships_are_ready():
    assert [p.ships for p in board_at_first_turn(3).players] == [2, 2, 2]


@pytest.mark.parametrize(("seats", "left"), [(2, 9), (3, 15), (4, 20)])
def test_acg_3_2_9_supply_lacks_what_was_handed_out(seats, left):
    # also ACG-3.4.4
    b = board_at_first_turn(seats)
    assert sum(b.supply.values()) == left
    assert (b.supply["workshop"], b.supply["foreman"]) == (1, 1)


def test_acg_3_2_10_the_third_player_of_two():
    b, effects = play(opening_board(2), (TABLE, StartPlayerDetermined(RED)))
    assert b.neutral == {"food": 3, "clothes": 3, "cutlery": 2, "lamps": 2}
    assert only(effects, NeutralPlaced) == [NeutralPlaced("ACG-3.2.10", b.neutral)]
    assert list(b.demand.values()) == [4, 4, 3, 3]
    assert board_at_first_turn(3).neutral == board_at_first_turn(4).neutral == {}


# --- ACG-3.1 and ACG-3.3: the options ---


def test_acg_3_1_1_restrictions_hold_developments_back():
    # also ACG-3.3.5
    b = set_up(player(levels={"quality": 1}), player(), stage="development", options={"restrictions": True})
    assert refusal(b, RED, TakeDevelopment("quality")) == ("ACG-4.11.1", "restricted")
    assert refusal(b, RED, TakeDevelopment("ship")) is None
    free = set_up(player(levels={"quality": 1}), player(), stage="development")
    assert refusal(free, RED, TakeDevelopment("quality")) is None


def test_acg_3_1_2_and_acg_3_3_1_players_choose_their_factories():
    b = after_start_player(3, start=BLUE, choose_factories=True)
    order = []
    for good in ("food", "food", "lamps", "clothes", "cutlery", "lamps"):
        order.append(b.mover)
        b = after(b, (b.moving, PlaceStartFactory(good)))
    assert order == [BLUE, GREEN, RED, RED, GREEN, BLUE]
    assert [goods(b, seat) for seat in range(3)] == [["clothes", "lamps"], ["food", "lamps"], ["food", "cutlery"]]


def test_acg_3_3_1_the_second_factory_is_another_one():
    b = after(
        after_start_player(2, choose_factories=True),
        (RED, PlaceStartFactory("food")),
        (BLUE, PlaceStartFactory("food")),
    )
    assert refusal(b, BLUE, PlaceStartFactory("food")) == ("ACG-3.3.1", "already_open")
    assert len(legal(b)) == 3
    b, effects = play(b, (BLUE, PlaceStartFactory("lamps")), (RED, PlaceStartFactory("clothes")))
    assert own(b, "lamps", BLUE) == factory()
    assert effects[0] == FactoryOpened("ACG-3.3.1", BLUE, "lamps", 1, 4, True)
    assert (b.stage, b.mover) == ("start_development", RED)


def test_acg_3_3_2_a_start_development_by_choice():
    b = chosen_factories()
    assert legal_types(b) == {ChooseStartDevelopment, ChooseStartCard, SkipStart}
    b, effects = play(b, (RED, ChooseStartDevelopment("ship")), (BLUE, ChooseStartCard("engineer")))
    assert b.players[RED].levels["ship"] == 1
    assert (b.players[BLUE].cards, b.players[BLUE].quality_cap) == (["engineer"], 6)
    assert only(effects, DevelopmentTaken, CardTaken) == [
        DevelopmentTaken("ACG-3.3.2", RED, "ship", 1, 3),
        CardTaken("ACG-3.3.2", BLUE, "engineer"),
    ]
    assert b.stage == "action"
    _, effects = play(chosen_factories(), (RED, SkipStart()))
    assert effects == [StartSkipped("ACG-3.3.2", RED)]


def test_acg_7_1_4_the_choice_in_reverse_order():
    b = chosen_factories(3, start_choice_reverse=True)
    order = []
    while b.stage == "start_development":
        order.append(b.mover)
        b = after(b, (b.moving, SkipStart()))
    assert order == [GREEN, BLUE, RED]
    assert (b.stage, b.mover) == ("action", RED)


def chosen_factories(seats=2, **options):
    b = after_start_player(seats, choose_factories=True, **options)
    while b.stage == "start_factory":
        b = after(b, (b.moving, legal(b)[0]))
    return b


def test_acg_3_3_2_a_foreman_is_placed_at_once():
    b = after(chosen_factories(), (RED, ChooseStartCard("foreman")))
    assert (b.stage, b.mover) == ("start_foreman", RED)
    b = after(b, (RED, PlaceForeman("food")))
    assert (b.stage, b.mover) == ("start_development", BLUE)
    assert own(b).foreman
    assert refusal(b, BLUE, ChooseStartCard("foreman")) is None


def test_acg_3_3_2_next_player_chooses_from_a_random_supply():
    b = after(after_deal(2), (RED, ChooseStartCard("foreman")), (RED, PlaceForeman("food")))
    assert (b.stage, b.mover) == ("start_development", BLUE)


def test_acg_3_1_3_and_acg_3_3_3_without_ships():
    b = board_at_first_turn(2, no_ships=True)
    assert [p.ships for p in b.players] == [0, 0]
    b = after(b, (RED, ChooseAction("stock")), (RED, RegainShips()))
    assert b.players[RED].ships == 2


def test_acg_3_1_4_and_acg_3_3_4_a_supply_by_chance():
    b = after_start_player(3, random_supply=True)
    assert (b.stage, b.mover) == ("supply", None)
    assert {card: count for card, count in b.supply.items() if count} == {"entrepreneur": 1, "engineer": 2, "patent": 2}
    b, effects = play(b, (TABLE, CardDealt("broker")), (TABLE, CardDealt("broker")))
    assert effects == [CardLaid("ACG-3.3.4", "broker", 11), CardLaid("ACG-3.3.4", "broker", 10)]
    assert refusal(b, TABLE, CardDealt("broker")) == ("ACG-3.3.4", "supply_limit")
    assert refusal(b, TABLE, CardDealt("engineer")) == ("ACG-3.3.4", "card_not_available")
    assert refusal(b, TABLE, CardDealt("?")) == ("ACG-3.3.4", "card_not_available")
    assert {d.card for d, _ in ARKWRIGHT_CARD.facts(b)} == {
        face for faces in b.printed.random.deck for face in faces
    } - {"broker"}


def test_acg_3_3_4_a_supply_for_two_has_one_of_each_type():
    b = after_deal(2)
    assert sum(b.supply.values()) == 11
    assert max(b.supply.values()) == 1
    assert b.dealt == list(DEAL_2)


def test_acg_3_3_4_supply_is_told_without_missing_cards():
    for b, rule in ((opening_board(2), "ACG-3.2.9"), (opening_board(2, random_supply=True), "ACG-3.3.4")):
        [supply] = only(effects_after(b, (TABLE, StartPlayerDetermined(RED))), SupplyLaid)
        basic = b.printed.random.base if rule == "ACG-3.3.4" else b.printed.supply
        assert (supply.rule, set(supply.cards)) == (rule, {card for card in basic if basic[card]})


def test_acg_3_3_4_with_nothing_to_deal_the_supply_is_complete():
    assert after_start_player(2, numbers={"random_supply.dealt": 0}, random_supply=True).stage == "start_development"


def test_acg_3_3_4_a_face_moves_another_to_its_other_card():
    deck = (("foreman", "developer"), ("foreman", "broker"))
    assert setup.faces_fit(["foreman", "developer"], deck) and setup.faces_fit(["broker", "foreman"], deck)
    assert not setup.faces_fit(["developer", "broker", "foreman"], deck)


def test_acg_3_3_4_faces_that_cannot_lie_together_are_only_noted():
    impossible = (
        ("broker",) * 3
        + ("workshop",) * 2
        + ("patron_cutlery_clothes",)
        + ("contract",) * 3
        + ("extra_shift",) * 3
        + ("inventor",) * 2
        + ("foreman",) * 2
    )
    b, effects = play(after_start_player(4, random_supply=True), *((TABLE, CardDealt(card)) for card in impossible))
    assert only(effects, FacesUnlikely) == [FacesUnlikely("ACG-3.3.4", impossible)]
    assert b.stage == "start_development"
    assert not setup.faces_fit(impossible, b.printed.random.deck)
    assert setup.faces_fit(DEAL_2, b.printed.random.deck)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_acg_3_3_4_a_dealer_lays_faces_of_different_cards(seats):
    for seed in range(12):
        b = next(b for b, seat, _ in game(opening_board(seats, random_supply=True), seed) if seat != TABLE)
        assert len(b.dealt) == 4 * seats
        assert setup.faces_fit(b.dealt, b.printed.random.deck)
        assert max(b.supply.values()) <= seats - 1


def test_acg_3_3_4_rare_faces_come_rarely():
    b = after_start_player(4, random_supply=True)
    weights = {d.card: weight for d, weight in ARKWRIGHT_CARD.facts(b)}
    assert (weights["workshop"], weights["contract"], weights["patron_lamps_food"]) == (3, 3, 1)
    b = after(b, (TABLE, CardDealt("patron_lamps_food")))
    weights = {d.card: weight for d, weight in ARKWRIGHT_CARD.facts(b)}
    assert weights["patron_lamps_food"] == 0
    b = after(b, (TABLE, CardDealt("workshop")))
    assert {d.card: weight for d, weight in ARKWRIGHT_CARD.facts(b)}["workshop"] == 2


def test_acg_3_3_4_impossible_cards_are_dealt_as_a_last_resort():
    """A fourth Contract is on no card; whatever else there is lies there as often as it may."""
    b = after_start_player(4, random_supply=True)
    b.dealt = ["contract"] * 3
    assert setup.faces_left(b, CardDealt("contract")) == 0
    b.supply = dict.fromkeys(b.supply, b.printed.random.limit)
    assert setup.faces_left(b, CardDealt("contract")) == 1


def test_acg_3_1_5_shares_are_bought_before_the_game():
    # also ACG-3.4.6
    b = board_at_first_turn(2, start=BLUE, start_shares=True)
    assert (b.stage, b.mover) == ("start_shares", BLUE)
    assert legal(b) == [BuyStartShares(count) for count in range(6)]
    assert refusal(b, BLUE, BuyStartShares(6)) == ("ACG-3.3.6", "no_money")
    assert refusal(b, BLUE, BuyStartShares(-1)) == ("ACG-3.3.6", "no_money")
    b, effects = play(b, (BLUE, BuyStartShares(2)), (RED, BuyStartShares(0)))
    assert (b.players[BLUE].money, b.players[BLUE].shares) == (30, 12)
    assert (b.players[RED].money, b.players[RED].shares) == (50, 10)
    assert effects[0] == SharesBought("ACG-3.3.6", BLUE, 2, 10, 20, False, 12)
    assert effects[2:] == [RoundBegun("ACG-4.1.1", 1, 1, "food", BLUE), TurnBegun("ACG-4.1.2", BLUE)]


def test_acg_2_7_1_shares_before_the_game_end_with_the_track():
    b = board_at_first_turn(2, numbers={"start.money": 300}, start_shares=True)
    assert legal(b) == [BuyStartShares(count) for count in range(21)]
    assert refusal(b, RED, BuyStartShares(21)) == ("ACG-2.7.1", "share_cap")


def test_acg_3_3_6_shares_of_no_value_cost_nothing():
    b = board_at_first_turn(2, numbers={"start.share_value": 0}, start_shares=True)
    assert legal(b) == [BuyStartShares(count) for count in range(21)]
    assert after(b, (RED, BuyStartShares(20))).players[RED].money == 50


def test_acg_3_1_6_the_expert_actions():
    b = board_at_first_turn(2)
    assert refusal(b, RED, ChooseAction("extra_production")) == ("ACG-3.1.6", "option_off")
    assert refusal(b, RED, ChooseAction("early_shipping")) == ("ACG-3.1.6", "option_off")
    b = board_at_first_turn(2, extra_actions=True)
    assert ChooseAction("extra_production") in legal(b)


@pytest.mark.slow
def test_acg_3_1_7_every_subset_of_the_options_is_playable():
    # also ACG-3.5
    for switches in product((False, True), repeat=len(EXPERT)):
        options = dict(zip(EXPERT, switches, strict=True))
        boards = [b for b, *_ in game(opening_board(2, **options), 1)]
        stages = [*dict.fromkeys(b.stage for b in boards if not b.round), "action"]
        in_order = [stage for stage in stages if stage not in ("start_foreman", "start_development")]
        assert in_order == [
            "start_player",
            *(
                stage
                for stage, option in (
                    ("start_factory", "choose_factories"),
                    ("supply", "random_supply"),
                    ("start_shares", "start_shares"),
                )
                if options[option]
            ),
            "action",
        ]
        chosen = options["choose_factories"] or options["random_supply"]
        assert ("start_development" in stages) == chosen


def test_acg_3_3_7_and_acg_4_20_25_the_order_of_the_set_up():
    b = opening_board(2, choose_factories=True, random_supply=True, start_shares=True, no_ships=True)
    stages = []
    b = after(b, (TABLE, StartPlayerDetermined(BLUE)))
    for moves in (
        [PlaceStartFactory("food")],
        [PlaceStartFactory("food")],
        [PlaceStartFactory("lamps")],
        [PlaceStartFactory("lamps")],
        map(CardDealt, DEAL_2),
        [ChooseStartCard("foreman")],
        [PlaceForeman("lamps")],
        [SkipStart()],
        [BuyStartShares(5)],
        [BuyStartShares(0)],
    ):
        for d in moves:
            stages.append((b.stage, b.mover))
            b = after(b, (TABLE if b.mover is None else b.mover, d))
    assert list(dict.fromkeys(stages)) == [
        ("start_factory", BLUE),
        ("start_factory", RED),
        ("supply", None),
        ("start_development", BLUE),
        ("start_foreman", BLUE),
        ("start_development", RED),
        ("start_shares", BLUE),
        ("start_shares", RED),
    ]
    assert (b.stage, b.mover) == ("action", BLUE)


# --- ACG-3.5: options together ---


def test_acg_3_5_1_chosen_factories_with_the_basic_supply():
    b = chosen_factories(4)
    assert sum(b.supply.values()) == 22
    assert all(p.cards == [] and p.levels == dict.fromkeys(TRACKS, 0) for p in b.players)


def test_acg_3_5_2_a_supply_by_chance_with_the_usual_factories():
    b = after_deal(2)
    assert [goods(b, seat) for seat in (RED, BLUE)] == [["food", "cutlery"], ["food", "clothes"]]
    assert (b.stage, b.mover) == ("start_development", RED)


def test_acg_3_5_3_both_of_them_bring_one_development():
    b = after(
        after_start_player(2, choose_factories=True, random_supply=True),
        *(
            (seat, PlaceStartFactory(good))
            for seat, good in ((RED, "food"), (BLUE, "food"), (BLUE, "lamps"), (RED, "lamps"))
        ),
    )
    b = after(b, *((TABLE, CardDealt(card)) for card in DEAL_2))
    b = after(b, (RED, ChooseStartDevelopment("ship")), (BLUE, SkipStart()))
    assert b.stage == "action"


def test_acg_3_5_4_restrictions_bind_only_chosen_developments():
    late = {"tracks.quality.first_decade": 2}
    b = board_at_first_turn(4, numbers=late, restrictions=True)
    assert b.players[RED].levels["quality"] == 1
    b = opening_board(2, late, restrictions=True, random_supply=True)
    b = after(b, (TABLE, StartPlayerDetermined(RED)), *((TABLE, CardDealt(card)) for card in DEAL_2))
    assert refusal(b, RED, ChooseStartDevelopment("quality")) == ("ACG-4.11.1", "restricted")


def test_acg_3_3_5_a_card_owned_from_the_start_lifts_its_limit():
    effects = effects_after(opening_board(3, restrictions=True), (TABLE, StartPlayerDetermined(RED)))
    assert only(effects, LimitLifted) == [LimitLifted("ACG-4.11.9", BLUE, "machinery", "workshop")]


def test_acg_3_5_5_four_players_have_inventors_in_the_supply():
    for seats, count in ((2, 0), (3, 0), (4, 2)):
        b = board_at_first_turn(seats, restrictions=True)
        assert (b.supply["inventor"], b.supply["broker"], b.supply["customs_office"]) == (count, 0, 0)


def test_acg_3_5_6_without_restrictions_inventor_only_upgrades():
    b = set_up(player(cards="inventor"), player(), player(), player(), stage="development")
    assert refusal(b, RED, UseInventorDouble("quality", "ship")) == ("ACG-3.1.1", "option_off")
    b = set_up(player(cards="inventor"), player(), player(), player(), stage="build")
    assert refusal(b, RED, UseInventor()) is None


def test_acg_3_5_7_without_ships_there_is_no_early_shipping():
    stored = player(food=factory(stored={"SA": 2}), clothes=factory(), ships=0)
    b = set_up(stored, player(), options={"no_ships": True, "extra_actions": True})
    assert refusal(b, RED, ChooseAction("early_shipping")) == ("ACG-4.2.2", "action_impossible")
    b.players[RED].ships = 2
    assert refusal(b, RED, ChooseAction("early_shipping")) is None


def test_acg_3_5_8_shares_come_last_and_cost_ten_pounds():
    b = after_deal(2, start_shares=True)
    b = after(b, (RED, ChooseStartCard("broker")), (BLUE, ChooseStartDevelopment("stock")))
    assert (b.stage, b.mover) == ("start_shares", RED)
    b, effects = play(b, (RED, BuyStartShares(1)), (BLUE, BuyStartShares(1)))
    assert [e.price for e in only(effects, SharesBought)] == [10, 10]


def test_acg_3_4_6_without_option_no_shares_before_the_game():
    b = board_at_first_turn(2)
    assert refusal(b, RED, BuyStartShares(1)) == ("ACG-3.1.5", "option_off")


def test_supply_laid_tells_what_lies_there():
    effects = effects_after(opening_board(2), (TABLE, StartPlayerDetermined(RED)))
    [laid_out] = only(effects, SupplyLaid)
    assert laid_out.cards == {
        "entrepreneur": 1,
        "extra_shift": 1,
        "workshop": 2,
        "foreman": 2,
        "patent": 2,
        "engineer": 2,
        "big_storehouse": 1,
    }
