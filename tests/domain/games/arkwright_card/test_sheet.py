"""ACG-1 and ACG-2: what the sheet prints is what the specification lists, and misfits are refused."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, factories, printed
from daybook.domain.games.arkwright_card.board import Options, opening
from daybook.domain.games.arkwright_card.market import move_demand, workers_came
from daybook.domain.games.arkwright_card.printed import GOODS, TRACKS
from daybook.domain.kernel.terms import IllegalDecision, Table
from tests.domain.games.arkwright_card.playing import COLOURS, SHEET, factory, opening_board, player, set_up, table

NUMBERS = [
    ("ACG-1.4", "game.decades", 3),
    ("ACG-1.4", "game.rounds", 4),
    ("ACG-1.4", "game.years", [1770, 1780, 1790]),
    ("ACG-1.8", "cards.inventor.name", "Inventor"),
    ("ACG-1.9", "game.goods", ["food", "clothes", "cutlery", "lamps"]),
    ("ACG-2.1.1", "box.board_sides", 3),
    ("ACG-2.1.2", "box.demand_markers", 4),
    ("ACG-2.1.3", "box.decade_markers", 1),
    ("ACG-2.1.4", "box.development_cards", 24),
    ("ACG-2.1.5", "box.start_player_cards", 1),
    ("ACG-2.1.6", "box.factory_tokens", 4),
    ("ACG-2.1.7", "box.worker_cards", 8),
    ("ACG-2.1.8", "box.markers", 12),
    ("ACG-2.1.9", "box.cards_of_each_good", 3),
    ("ACG-2.1.10", "box.restriction_tokens", 6),
    ("ACG-2.2.1", "start.money", 50),
    ("ACG-2.2.2", "start.shares", 10),
    ("ACG-2.2.3", "start.share_value", 10),
    ("ACG-2.2.4", "start.factories", 2),
    ("ACG-2.2.5", "start.ships", 2),
    ("ACG-2.2.6", "start.loans", 0),
    ("ACG-2.2.7", "start.level", 0),
    ("ACG-2.2.8", "start.quality_cap", 4),
    ("ACG-2.3.1", "tracks.quality.levels", [1, 2, 3]),
    ("ACG-2.3.2", "tracks.distribution.levels", [2, 3, 4]),
    ("ACG-2.3.3", "tracks.cards.levels", [2, 3, 4]),
    ("ACG-2.3.4", "tracks.machinery.levels", [2, 3, 4]),
    ("ACG-2.3.5", "tracks.ship.levels", [2, 3, 4]),
    ("ACG-2.3.6", "tracks.stock.levels", [0, 1, 2]),
    *(("ACG-2.3.7", f"tracks.{track}.first_decade", 1) for track in TRACKS),
    *(("ACG-2.3.8", f"tracks.{track}.second_decade", 2) for track in ("cards", "machinery", "ship")),
    *(("ACG-2.3.8", f"tracks.{track}.second_decade", 3) for track in ("quality", "distribution", "stock")),
    *(("ACG-2.5.1", f"office.{good}", 4) for good in GOODS),
    ("ACG-2.5.2", "workers.1.sides", [1, 2]),
    ("ACG-2.5.3", "workers.2.sides", [1, 3]),
    ("ACG-2.5.4", "workers.1.goods", [2, 3]),
    ("ACG-2.5.5", "workers.2.goods", [2, 3]),
    ("ACG-2.5.6", "workers.1.workers", [2, 2, 2, 3]),
    ("ACG-2.5.7", "workers.2.workers", [2, 2, 3, 3]),
    ("ACG-2.5.8", "workers.1.machines", [2, 2, 2, 2]),
    ("ACG-2.5.9", "workers.2.machines", [1, 1, 2, 2]),
    ("ACG-2.5.11", "box.workers_for_a_machine", 1),
    ("ACG-2.5.12", "quality.QA", [1, 2]),
    ("ACG-2.5.12", "quality.QB", [1, 2]),
    ("ACG-2.5.13", "quality.QC", [3, 4]),
    ("ACG-2.5.14", "quality.QE", [5, 6]),
    *(("ACG-2.5.15", f"distribution.{card}", [1, 2, 3, 4]) for card in ("DA", "DB", "DP")),
    ("ACG-2.5.16", "storehouses.SA", 2),
    ("ACG-2.5.16", "storehouses.SB", 2),
    ("ACG-2.5.17", "storehouses.SC", 4),
    ("ACG-2.5.18", "rules.ships", 2),
    ("ACG-2.5.19", "rules.maintenance", 1),
    ("ACG-2.6.1", "market.appeal_top", 20),
    ("ACG-2.6.7", "side.2.demand_start", [4, 4, 3, 3]),
    ("ACG-2.6.8", "side.3.demand_start", [3, 3, 3, 3]),
    ("ACG-2.6.9", "side.4.demand_start", [4, 4, 4, 4]),
    ("ACG-2.6.10", "market.wages", [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6]),
    ("ACG-2.6.11", "side.2.wages_start", 2),
    ("ACG-2.6.11", "side.3.wages_start", 1),
    ("ACG-2.6.11", "side.4.wages_start", 0),
    ("ACG-2.6.13", "start.money", 50),
    ("ACG-2.6.14", "neutral.start", [3, 3, 2, 2]),
    ("ACG-2.7.1", "rules.shares_top", 30),
    ("ACG-2.7.2", "rules.share_value_top", 30),
    ("ACG-2.7.3", "rules.loans", 9),
    ("ACG-2.7.4", "rules.shipping_tokens", 9),
    ("ACG-2.7.5", "scoring.share_value_less", [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]),
    ("ACG-2.7.6", "scoring.stored_prices", [2, 3, 4, 5]),
    ("ACG-2.7.7", "cards.contract.pays", [2, 4, 6, 8, 9, 10, 11, 12]),
    ("ACG-2.10.1", "neutral.step", 1),
    ("ACG-2.10.2", "solo.shares", 12),
    ("ACG-2.10.2", "solo.share_value", 12),
    ("ACG-2.10.3", "solo.appeal.clothes", 4),
    ("ACG-2.10.3", "solo.appeal.cutlery", 3),
    ("ACG-2.10.3", "solo.appeal.lamps", 3),
    ("ACG-2.10.4", "solo.appeal.food", 4),
    ("ACG-2.10.5", "solo.factory_appeal", [3, 3, 2, 2]),
    ("ACG-2.10.6", "solo.advance", 2),
    ("ACG-2.10.7", "solo.automa_markers", 3),
    ("ACG-2.10.7", "solo.neutral_markers", 2),
    ("ACG-2.10.8", "solo.rows", 3),
    ("ACG-2.10.8", "solo.columns", 5),
    ("ACG-2.10.8", "solo.removed", 2),
]
CARDS = [  # rule, type, number, whether it rotates
    ("ACG-2.8.1", "entrepreneur", 1, True),
    ("ACG-2.8.2", "customs_office", 2, True),
    ("ACG-2.8.3", "extra_shift", 3, False),
    ("ACG-2.8.4", "workshop", 4, False),
    ("ACG-2.8.5", "foreman", 5, False),
    ("ACG-2.8.6", "broker", 6, False),
    ("ACG-2.8.7", "patron_clothes_food", 7, True),
    ("ACG-2.8.7", "patron_lamps_clothes", 7, True),
    ("ACG-2.8.8", "inventor", 8, False),
    ("ACG-2.8.9", "developer", 9, True),
    ("ACG-2.8.10", "contract", 10, False),
    ("ACG-2.8.11", "patent", 11, False),
    ("ACG-2.8.12", "engineer", 12, False),
    ("ACG-2.8.13", "big_storehouse", 13, False),
]
TILES = [  # rule, good, side, price of slot 1, goods, tile workers, fixed cost, shipping price
    ("ACG-2.4.1", "food", 1, 1, 2, 2, 3, 5),
    ("ACG-2.4.2", "food", 2, 3, 3, 2, 4, 7),
    ("ACG-2.4.3", "clothes", 1, 2, 2, 2, 4, 6),
    ("ACG-2.4.4", "clothes", 2, 4, 3, 2, 5, 8),
    ("ACG-2.4.5", "cutlery", 1, 3, 2, 3, 5, 7),
    ("ACG-2.4.6", "cutlery", 2, 6, 3, 3, 6, 10),
    ("ACG-2.4.7", "lamps", 1, 4, 2, 3, 6, 8),
    ("ACG-2.4.8", "lamps", 2, 7, 3, 3, 7, 11),
]


@pytest.mark.parametrize(("rule", "path", "value"), NUMBERS)
def test_printed_numbers(rule, path, value):
    assert SHEET[path] == value


@pytest.mark.parametrize(("rule", "path", "value"), NUMBERS)
def test_every_number_names_its_source(rule, path, value):
    number = SHEET.numbers[path]
    assert number.where and number.rule.startswith("ACG-")


@pytest.mark.parametrize(("rule", "card", "number", "rotates"), CARDS)
def test_development_cards(rule, card, number, rotates):
    assert (SHEET[f"cards.{card}.number"], SHEET[f"cards.{card}.rotates"]) == (number, rotates)
    assert (card in printed.of(table()).rotating) == rotates


@pytest.mark.parametrize(("rule", "good", "side", "price", "goods", "workers", "fixed", "shipping"), TILES)
def test_factories(rule, good, side, price, goods, workers, fixed, shipping):
    tile = printed.of(table()).factories[good][side]
    assert tile.prices == (price, price + 1, price + 2, price + 3)
    assert tile.appeals == (3, 2, 1, 0)
    assert (tile.goods, tile.workers, tile.fixed_cost, tile.shipping_price) == (goods, workers, fixed, shipping)


# --- rules that the numbers keep ---


def test_acg_1_1_two_to_four_players_or_one():
    with pytest.raises(IllegalDecision):
        ARKWRIGHT_CARD.table((*COLOURS, "white"), {}, SHEET)
    assert [table(seats).seats for seats in (2, 3, 4)] == [2, 3, 4]
    spaces = [printed.of(Table(COLOURS[:seats], Options(), SHEET)).side_wages_start for seats in (1, 2, 3, 4)]
    assert spaces == [1, 2, 1, 0]  # the board for three serves the solo game


def test_acg_2_4_9_the_last_slot_has_no_appeal():
    assert {tile.appeals[3] for sides in printed.of(table()).factories.values() for tile in sides.values()} == {0}


def test_acg_2_4_10_price_and_appeal_have_one_sum_per_side():
    # also ACG-2.4.14
    sums = {
        (good, side): {price + appeal for price, appeal in zip(tile.prices, tile.appeals, strict=True)}
        for good, sides in printed.of(table()).factories.items()
        for side, tile in sides.items()
    }
    assert list(sums.values()) == [{4}, {6}, {5}, {7}, {6}, {9}, {7}, {10}]


def test_acg_2_4_11_clothes_factory_of_the_example():
    # also ACG-2.4.12
    tile = printed.of(table()).factories["clothes"][1]
    assert list(zip(tile.prices, tile.appeals, strict=True)) == [(2, 3), (3, 2), (4, 1), (5, 0)]


def test_acg_2_4_13_an_upgraded_factory_keeps_its_appeal():
    b = opening_board()
    for good in GOODS:
        for slot in (1, 2, 3, 4):
            f = factory(slot=slot)
            again = factories.slot_of_same_appeal(b, good, f, 2)
            assert b.printed.factories[good][2].appeals[again - 1] == b.printed.factories[good][1].appeals[slot - 1]


def test_acg_2_4_15_upgrading_raises_the_output():
    for sides in printed.of(table()).factories.values():
        assert sides[1].goods < sides[2].goods


def test_acg_2_4_16_a_factory_alone_brings_workers():
    assert all(tile.workers > 0 for sides in printed.of(table()).factories.values() for tile in sides.values())


def test_acg_2_4_17_developer_cancels_fixed_costs_once():
    assert all(tile.fixed_cost >= 2 for sides in printed.of(table()).factories.values() for tile in sides.values())


def test_acg_2_4_18_shipping_price_is_the_top_home_price():
    for good, sides in printed.of(table()).factories.items():
        for tile in sides.values():
            assert tile.shipping_price == tile.prices[0] + SHEET[f"office.{good}"]


def test_acg_2_5_10_both_sides_of_a_worker_card_have_equal_crew():
    b = set_up(player(food=factory(workers="1 1"), clothes=factory()), player())
    for sides in ("1 1", "2 1", "2 3"):
        f = factory(workers=sides)
        assert factories.cost(b, b.players[0], "food", f, 2).workers == 6
        assert factories.machine_capacity(b, "food", 1) == 2


def test_acg_2_6_2_one_arrow_from_two_upwards():
    # also ACG-2.6.3, ACG-2.6.4
    numbers = printed.of(table())
    for arrows in (numbers.market_red, numbers.market_green):
        for good in GOODS:
            assert [sum(arrows[good][:value]) for value in range(21)] == [max(0, value - 2) for value in range(21)]
            assert sum(arrows[good][3:7]) == 4


def test_acg_2_6_5_demand_value_has_three_steps_or_four():
    # also ACG-2.6.6
    for seats, steps in ((2, 3), (3, 3), (4, 4)):
        demand = printed.of(table(seats)).side_demand
        assert len(demand) == 13 * steps
        assert [demand[position] for position in (0, steps - 1, steps, len(demand) - 1)] == [0, 0, 1, 12]


def test_acg_2_6_12_a_marker_at_the_end_of_its_track_stays():
    b = opening_board(numbers={"market.wages": [2, 3]})
    move_demand(b, "food", -100, "ACG-4.0.8", lambda effect: None)
    assert b.demand["food"] == 0
    move_demand(b, "food", 100, "ACG-4.0.8", lambda effect: None)
    assert b.demand_value("food") == 12
    for _ in range(3):
        workers_came(b, 0, "ACG-4.4.6", lambda effect: None)
    assert (b.wages, b.wage) == (1, 3)


@pytest.mark.parametrize(("seats", "total"), [(2, 11), (3, 17), (4, 22)])
def test_acg_2_8_20_and_acg_2_8_21_the_basic_supply(seats, total):
    supply = printed.of(table(seats)).supply
    assert sum(supply.values()) == total
    assert supply["entrepreneur"] == 1


def test_acg_2_8_22_four_types_come_with_a_random_supply_only():
    for seats in (2, 3, 4):
        for card in ("broker", "customs_office", "developer", "contract"):
            assert printed.of(table(seats)).supply[card] == 0
            assert any(card in faces for faces in printed.of(table(seats)).random.deck)


def test_acg_2_8_23_the_24_cards_show_every_type():
    deck = SHEET.under("deck")
    assert len(deck) == 24
    assert {face for faces in deck.values() for face in faces} == set(printed.of(table()).cards)
    assert sum(first == second for first, second in deck.values()) == 8
    for seats in (2, 3, 4):
        assert len(printed.of(table(seats)).random.deck) == 17


@pytest.mark.parametrize(
    ("rule", "seats", "pairs"),
    [
        ("ACG-2.9.1", 2, [("food", "cutlery"), ("food", "clothes")]),
        ("ACG-2.9.3", 3, [("food", "clothes"), ("food", "cutlery"), ("food", "lamps")]),
        ("ACG-2.9.5", 4, [("clothes", "cutlery"), ("food", "cutlery"), ("clothes", "lamps"), ("food", "lamps")]),
    ],
)
def test_start_factories_by_place(rule, seats, pairs):
    assert [place.factories for place in printed.of(table(seats)).seats.values()] == pairs


@pytest.mark.parametrize(
    ("rule", "seats", "developments"),
    [
        ("ACG-2.9.2", 2, ["foreman", "workshop"]),
        ("ACG-2.9.4", 3, ["quality", "workshop", "foreman"]),
        ("ACG-2.9.6", 4, ["quality", "foreman", "machinery", "workshop"]),
    ],
)
def test_start_developments_by_place(rule, seats, developments):
    assert [place.development for place in printed.of(table(seats)).seats.values()] == developments


# --- sheets that cannot be played with ---


@pytest.mark.parametrize(
    ("rule", "numbers"),
    [
        ("ACG-1.4", {"game.rounds": 3}),
        ("ACG-1.9", {"side.4.demand_start": [4, 4, 4]}),
        ("ACG-2.2.4", {"seats.4.1.factories": ["food", "food"]}),
        ("ACG-2.3", {"tracks.ship.levels": [2, 3]}),
        ("ACG-2.4.9", {"factories.food.1.prices": [1, 2, 3]}),
        ("ACG-2.4.10", {"factories.food.1.prices": [1, 2, 3, 5]}),
        ("ACG-2.4.13", {"factories.food.2.prices": [3, 3, 5, 6], "factories.food.2.appeals": [3, 3, 1, 0]}),
        ("ACG-2.5.2", {"workers.1.sides": [2, 1]}),
        ("ACG-2.5.8", {"workers.1.machines": [3, 2, 2, 2]}),
        ("ACG-2.6.4", {"market.red.food": [0, 0, 1]}),
        ("ACG-2.6.6", {"side.4.demand_start": [4, 4, 4, 99]}),
        ("ACG-2.6.11", {"side.4.wages_start": 20}),
        ("ACG-2.7.1", {"start.shares": 31}),
        ("ACG-2.7.5", {"scoring.share_value_less": [0, 1]}),
        ("ACG-2.7.7", {"cards.contract.pays": []}),
        ("ACG-2.8", {"deck.X4": ["workshop", "banker"]}),
        ("ACG-2.8.21", {"supply.4.workshop": 0}),
        ("ACG-3.3.4", {"random_supply.dealt": 5}),
    ],
)
def test_a_sheet_that_contradicts_itself_is_refused(rule, numbers):
    with pytest.raises(IllegalDecision) as refused:
        opening(table(4, numbers))
    assert refused.value.rule == rule


def refusal_of(seats, numbers):
    try:
        opening(table(seats, numbers))
    except IllegalDecision as refused:
        return f"{refused.rule}: {refused.reason}"
    return None


ALL_FACTORIES = {f"seats.4.{place}.factories": [*GOODS] for place in (1, 2, 3, 4)}
TWICE = {  # side 2 has no fewer appeals than side 1, and one of them on two slots
    "factories.food.1.prices": [1, 3, 3, 4],
    "factories.food.1.appeals": [3, 1, 1, 0],
    "factories.food.2.prices": [3, 3, 5, 6],
    "factories.food.2.appeals": [3, 3, 1, 0],
}


@pytest.mark.parametrize(
    ("seats", "enough", "beyond", "message"),
    [
        (1, {}, {"game.colours": ["red", "blue", "green"]}, "ACG-6.2.5: the solo game needs 4 colours"),
        (
            4,
            {},
            {"factories.food.2.appeals": [4, 3, 2, 1]},
            "ACG-2.4.13: side 2 of the food factory does not have each appeal of side 1 exactly once",
        ),
        (4, {}, TWICE, "ACG-2.4.13: side 2 of the food factory does not have each appeal of side 1 exactly once"),
        (
            4,
            {"workers.1.machines": [0, 2, 2, 2]},
            {"workers.1.machines": [2, 2, 3, 2]},
            "ACG-2.5.8: more machines than workers fit on the cutlery card of position 1",
        ),
        (
            4,
            {"workers.1.sides": [1, 3]},
            {"workers.1.sides": [2, 2]},
            "ACG-2.5.2: the worker cards of position 1 show no two decades in order",
        ),
        (
            4,
            {"workers.2.sides": [1, 2]},
            {"workers.2.sides": [0, 2]},
            "ACG-2.5.2: the worker cards of position 2 show no two decades in order",
        ),
        (4, {"start.side": 2}, {"start.side": 3}, "ACG-2.2.4: the side of a start factory: 3, not 1 to 2"),
        (4, {"start.slot": 1}, {"start.slot": 0}, "ACG-2.2.4: the slot on which a factory opens: 0, not 1 to 4"),
        (4, {"start.level": 2}, {"start.level": 3}, "ACG-2.2.7: the level of a track at the start: 3, not 0 to 2"),
        (
            4,
            {"side.4.demand_start": [0, 0, 0, 51]},
            {"side.4.demand_start": [0, 0, 0, 52]},
            "ACG-2.6.6: the demand track of lamps has no space 52",
        ),
        (
            2,
            {"neutral.start": [20] * 4},
            {"neutral.start": [20, 20, 20, 21]},
            "ACG-2.6.14: the appeal track of lamps has no space 21",
        ),
        (
            4,
            {"start.shares": 30},
            {"start.shares": 31},
            "ACG-2.7.1: shares or share value start beyond the end of their track",
        ),
        (
            4,
            {"start.share_value": 30},
            {"start.share_value": 31},
            "ACG-2.7.1: shares or share value start beyond the end of their track",
        ),
        (4, {"supply.4.workshop": 1}, {"supply.4.workshop": 0}, "ACG-2.8.21: the supply has no workshop to start with"),
        (3, {"random_supply.dealt": 5}, {"random_supply.dealt": 6}, "ACG-3.3.4: there are only 17 cards to deal"),
        (
            3,
            {"random_supply.below_players": 2, "random_supply.dealt": 5},  # one of each of fifteen types
            {"random_supply.below_players": 2, "random_supply.dealt": 6},
            "ACG-3.3.4: there are only 15 cards to deal",
        ),
        (
            4,
            {"random_supply.below_players": 3, "random_supply.dealt": 0},
            {"random_supply.below_players": 4, "random_supply.dealt": 0},
            "ACG-3.3.4: there are only 0 cards to deal",
        ),
        (4, {}, {"random_supply.below_players": 5}, "ACG-3.3.4: there are only 0 cards to deal"),
        (
            4,
            {"start.factories": 4} | ALL_FACTORIES,
            {"start.factories": 3} | ALL_FACTORIES,
            "ACG-2.2.4: each player starts with 3 different factories",
        ),
        (4, {}, {"seats.4.1.factories": ["food", "tea"]}, "ACG-2.2.4: each player starts with 2 different factories"),
    ],
)
def test_where_a_game_can_just_be_played(seats, enough, beyond, message):
    assert (refusal_of(seats, enough), refusal_of(seats, beyond)) == (None, message)


def test_acg_2_6_14_neutral_markers_stand_on_the_track():
    with pytest.raises(IllegalDecision) as refused:
        opening(table(2, {"neutral.start": [3, 3, 2, 21]}))
    assert refused.value.rule == "ACG-2.6.14"


def test_acg_2_1_6_new_games_have_the_printed_colours():
    assert ARKWRIGHT_CARD.colours(SHEET) == ("blue", "orange", "green", "purple")
    assert ARKWRIGHT_CARD.table(("orange", "purple"), {}, SHEET).colours == ("orange", "purple")
    assert SHEET.numbers["game.colours"].tag == "public"


def test_acg_2_1_6_file_with_former_colours_is_accepted():
    table = ARKWRIGHT_CARD.table(("red", "yellow", "blue"), {}, SHEET)
    assert table.colours == ("red", "yellow", "blue")
    solo = printed.of(ARKWRIGHT_CARD.table(("red",), {}, SHEET)).solo
    assert solo.rivals == ("blue", "green", "yellow"), "the discs that such a file names"
    assert printed.of(ARKWRIGHT_CARD.table(("orange",), {}, SHEET)).solo.rivals == ("blue", "green", "purple")
