"""WF-2: what stands on the components, where each number is from, and what follows from the tracks."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, people, printed
from daybook.domain.games.water_frame.printed import GOODS, LEVELS
from daybook.domain.kernel.terms import IllegalDecision
from tests.domain.games.water_frame.playing import SHEET, opening_board, player, set_up, table

# rule, path, value, tag
NUMBERS = [
    ("WF-2.1.1", "workers.total", 80, "text"),
    ("WF-2.1.2", "box.machines", 50, "text"),
    ("WF-2.1.3", "box.goods", 40, "text"),
    ("WF-2.1.4", "box.money", "unlimited", "text"),
    ("WF-2.1.5", "box.factory_markers", 16, "text"),
    ("WF-2.1.7", "box.action_markers", 7, "text"),
    ("WF-2.1.8", "box.light_markers", 16, "text"),
    ("WF-2.1.9", "box.dark_markers", 12, "text"),
    ("WF-2.1.11", "box.event_markers", 17, "text"),
    ("WF-2.1.12", "box.economy_markers", 36, "text"),
    ("WF-2.1.13", "box.development_tiles", 51, "text"),
    ("WF-2.1.14", "box.ships", 10, "text"),
    ("WF-2.1.15", "box.importer_markers", 4, "text"),
    ("WF-2.1.16", "box.appeal_indicators", 4, "text"),
    ("WF-2.1.17", "box.unused_markers", 14, "assumed"),
    ("WF-2.2.1", "goods.food.fixed_price", 2, "text"),
    ("WF-2.2.2", "goods.clothes.fixed_price", 3, "text"),
    ("WF-2.2.3", "goods.cutlery.fixed_price", 4, "text"),
    ("WF-2.2.4", "goods.lamps.fixed_price", 5, "text"),
    ("WF-2.6.6", "workers.full_market_wage", 2, "assumed"),
    ("WF-2.7.5", "share_track.lowest", 1, "assumed"),
    ("WF-2.7.4", "share_track.4.up_to", 100, "assumed"),
    ("WF-2.8.1", "price.least", 5, "text"),
    ("WF-2.8.1", "price.most", 25, "text"),
    ("WF-2.8.3", "quality.most", 4, "text"),
    ("WF-2.8.3", "quality.engineer", 6, "text"),
    ("WF-2.8.4", "distribution.most", 4, "text"),
    ("WF-2.9.1", "chart.rows", [2, 4, 6, 8, 10], "text"),
    ("WF-2.9.2", "chart.fee", 2, "text"),
    ("WF-2.10.1", "thresholds.machinery.colour", [3, 6, 13], "example"),
    ("WF-2.10.1", "thresholds.machinery.light", [2, 5, 10], "text"),
    ("WF-2.10.1", "thresholds.machinery.dark", [2, 3, 6], "text"),
    ("WF-2.10.2", "thresholds.quality.colour", [6, 12], "text"),
    ("WF-2.10.2", "thresholds.quality.light", [5, 8, 12], "text"),
    ("WF-2.10.2", "thresholds.quality.dark", [3, 6, 10], "text"),
    ("WF-2.10.3", "distribution_cap.colour", 4, "text"),
    ("WF-2.10.3", "distribution_cap.light", 7, "text"),
    ("WF-2.10.3", "distribution_cap.dark", 10, "text"),
    ("WF-2.10.4", "production_rows.light", 2, "text"),
    ("WF-2.10.4", "production_rows.dark", 4, "text"),
    ("WF-2.10.7", "additional.production", "price", "text"),
    ("WF-2.10.7", "additional.ship", "special", "text"),
    ("WF-2.11.6", "harbour.piers", 2, "text"),
    ("WF-2.12.1", "harbour.rows", 5, "example"),
    ("WF-2.12.4", "seats.3.contract_track", [2, 4, 6, 8, 10], "assumed"),
    ("WF-2.12.5", "seats.2.contract_track", [2, 4], "text"),
    ("WF-2.12.6", "harbour.rise", 1, "assumed"),
    ("WF-2.16.18", "tile_rules.spaces", 4, "text"),
    ("WF-2.17.1", "seats.4.tiles_drawn", 26, "text"),
    ("WF-2.17.2", "seats.3.tiles_drawn", 19, "text"),
    ("WF-2.17.3", "seats.2.tiles_drawn", 12, "text"),
    ("WF-2.17.4", "seats.4.tiles_with_patrons", 22, "text"),
    ("WF-2.17.4", "seats.3.tiles_with_patrons", 15, "text"),
    ("WF-2.17.4", "seats.2.tiles_with_patrons", 8, "text"),
    ("WF-2.18.1", "seats.4.grey_sets", 3, "text"),
    ("WF-2.18.1", "seats.4.laid", 4, "text"),
    ("WF-2.18.2", "seats.3.grey_sets", 2, "text"),
    ("WF-2.18.2", "seats.3.laid", 3, "text"),
    ("WF-2.18.3", "seats.2.grey_sets", 1, "text"),
    ("WF-2.18.3", "seats.2.laid", 2, "text"),
    ("WF-2.18.4", "seats.2.ships", [2], "text"),
    ("WF-2.21.1", "shares.held", 15, "text"),
    ("WF-2.21.1", "shares.bank", 15, "text"),
    ("WF-2.21.1", "shares.start_space", 10, "text"),
    ("WF-2.21.2", "shares.setup_price", 10, "text"),
    ("WF-2.21.3", "shares.purchase_minimum", 10, "text"),
    ("WF-2.21.3", "shares.minimum_up_to", 10, "text"),
    ("WF-2.21.4", "loan.amount", 10, "text"),
    ("WF-2.21.4", "loan.repay", 13, "text"),
    ("WF-2.21.4", "loan.spaces", 1, "text"),
    ("WF-2.21.5", "machines.upkeep", 1, "text"),
    ("WF-2.21.6", "obsolescence.workers", 2, "text"),
    ("WF-2.21.7", "price.unaffected", 1, "text"),
    ("WF-2.21.8", "harbour.action_spaces", 1, "text"),
    ("WF-2.21.8", "harbour.ship_spaces", 1, "text"),
    ("WF-2.21.9", "harbour.full_track", 2, "text"),
    ("WF-2.21.10", "end.marked_spaces", 4, "text"),
    ("WF-2.21.10", "end.marked_shares", 2, "text"),
]


@pytest.mark.parametrize(("rule", "path", "value", "tag"), NUMBERS)
def test_wf_2_printed_numbers(rule, path, value, tag):
    number = SHEET.numbers[path]
    assert (number.rule, number.value, number.tag) == (rule, value, tag)


T, E, P, A = "text", "example", "public", "assumed"

COSTS = [
    ("WF-2.3.1", "food", [(8, E), (10, E), (12, E), (14, A)]),
    ("WF-2.3.2", "clothes", [(9, T), (11, A), (14, A), (16, A)]),
    ("WF-2.3.3", "cutlery", [(10, E), (13, A), (15, A), (18, A)]),
    ("WF-2.3.4", "lamps", [(11, T), (14, T), (17, T), (20, A)]),
]


@pytest.mark.parametrize(("rule", "good", "costs"), COSTS)
def test_wf_2_3_factories_cost_what_their_base_quality_is(rule, good, costs):
    numbers = [SHEET.numbers[f"factories.{good}.{level}"] for level in LEVELS]
    assert [(number.value, number.tag) for number in numbers] == costs
    assert {number.rule for number in numbers} == {rule}


ROWS = [
    ("WF-2.4.1", "food", [(2, 1), (2, 1), (2, 1), (2, 1)]),
    ("WF-2.4.2", "clothes", [(2, 1), (2, 1), (3, 2), (3, 2)]),
    ("WF-2.4.3", "cutlery", [(2, 1), (3, 2), (3, 2), (3, 2)]),
    ("WF-2.4.4", "lamps", [(3, 2), (3, 2), (3, 2), (3, 2)]),
]


@pytest.mark.parametrize(("rule", "good", "rows"), ROWS)
def test_wf_2_4_production_rows_have_worker_machine_spaces(rule, good, rows):
    found = opening_board().printed.rows[good].values()
    assert [(row.spaces, row.machines) for row in found] == rows
    assert [row.human_only for row in found] == [1, 1, 1, 1]
    assert SHEET.numbers[f"rows.{good}.1.spaces"].rule == rule


OUTPUT = [
    ("WF-2.5.1", "I", [(1, E), (2, E), (1, A), (0, T)]),
    ("WF-2.5.2", "II", [(1, A), (2, A), (2, E), (1, A)]),
    ("WF-2.5.3", "III", [(2, E), (2, A), (2, A), (2, A)]),
    ("WF-2.5.4", "IV", [(3, A), (3, A), (2, A), (2, A)]),
]


@pytest.mark.parametrize(("rule", "level", "made"), OUTPUT)
def test_wf_2_5_goods_of_a_complete_row(rule, level, made):
    numbers = [SHEET.numbers[f"output.{level}.{row}"] for row in (1, 2, 3, 4)]
    assert [(number.value, number.tag) for number in numbers] == made
    assert {number.rule for number in numbers} == {rule}


# --- tracks ---


def market(empty):
    return set_up(empty=empty, fired=0)


def test_wf_2_6_1_job_market_has_twenty_rows_per_good():
    assert opening_board().printed.workers_total == 20 * len(GOODS)
    assert people.lowest_empty_row(market(80)) == 20


def test_wf_2_6_2_numbered_spaces_of_each_column():
    assert [people.demand(market(80), good) for good in GOODS] == [20, 19, 18, 17]


def test_wf_2_6_3_the_unnumbered_spaces_stand_at_the_top():
    unnumbered = [SHEET.numbers[f"goods.{good}.unnumbered"] for good in GOODS]
    assert [number.value for number in unnumbered] == [0, 1, 2, 3]
    assert 80 - sum(number.value for number in unnumbered) == 20 + 19 + 18 + 17
    assert {number.tag for number in unnumbered} == {"example"}
    assert [[people.demand(market(n), good) for good in GOODS] for n in (4, 8, 12, 16)] == [
        [1, 0, 0, 0],
        [2, 1, 0, 0],
        [3, 2, 1, 0],
        [4, 3, 2, 1],
    ]


def test_wf_2_6_4_workers_leave_top_left_and_return_reversed():
    """Each column's demand grows in turn, and shrinks in the opposite one."""
    demands = [[people.demand(market(n), good) for good in GOODS] for n in range(16, 21)]
    assert demands == [[4, 3, 2, 1], [5, 3, 2, 1], [5, 4, 2, 1], [5, 4, 3, 1], [5, 4, 3, 2]]


@pytest.mark.parametrize(("empty", "wage"), [(1, 2), (32, 2), (33, 3), (48, 3), (49, 4), (64, 4), (65, 5), (80, 5)])
def test_wf_2_6_5_wages_by_the_row_of_the_lowest_empty_space(empty, wage):
    assert people.wage(market(empty)) == wage


def test_wf_2_6_6_a_full_job_market_pays_the_lowest_wage():
    assert people.wage(set_up(empty=0, fired=0)) == 2


def test_wf_2_6_7_the_job_market_is_one_number():
    assert (market(30).market, market(30).empty) == (50, 30)


def test_wf_2_6_8_the_row_of_the_lowest_empty_space():
    assert [people.lowest_empty_row(market(n)) for n in (0, 1, 4, 5, 32, 33)] == [0, 1, 1, 2, 8, 9]


def test_wf_2_6_9_demand():
    assert [people.demand(market(n), "clothes") for n in (29, 30, 31, 32, 33, 34)] == [6, 7, 7, 7, 7, 8]


PAIRS = [(9, 9), (10, 10), (22, 16), (28, 19), (35, 22), (36, 22), (41, 24)]  # WF-2.7


@pytest.mark.parametrize(
    ("rule", "space", "value"),
    [
        ("WF-2.7.1", 1, 1),
        *(("WF-2.7.1", space, space) for space in (5, 9, 10)),
        ("WF-2.7.2", 11, 11),
        ("WF-2.7.2", 12, 11),
        ("WF-2.7.2", 13, 12),
        ("WF-2.7.2", 29, 20),
        ("WF-2.7.2", 30, 20),
        ("WF-2.7.3", 31, 21),
        ("WF-2.7.3", 33, 21),
        ("WF-2.7.3", 34, 22),
        ("WF-2.7.3", 58, 30),
        ("WF-2.7.3", 60, 30),
        ("WF-2.7.4", 61, 31),
        ("WF-2.7.4", 64, 31),
        ("WF-2.7.4", 65, 32),
        ("WF-2.7.4", 100, 40),
        *(("WF-2.7", space, value) for space, value in PAIRS),
    ],
)
def test_wf_2_7_value_of_a_share(rule, space, value):
    assert opening_board().printed.values[space] == value


def test_wf_2_7_5_the_track_ends_at_100():
    assert opening_board().printed.highest_space == 100


def test_wf_2_8_2_the_greatest_appeal_that_can_be_reached():
    """Level IV of lamps with an engineer's quality and full distribution at the least price."""
    numbers = opening_board().printed
    assert numbers.cost("lamps", 4) + numbers.quality_engineer + numbers.distribution_most - numbers.price_least == 25


def test_wf_2_10_5_three_actions_have_no_threshold():
    """WF-2.10.6: a ship has none either; its costs are its capacity."""
    assert set(opening_board().printed.thresholds) == {
        f"{name}{shade}" for name in ("machinery", "quality") for shade in ("", ":light", ":dark")
    }


@pytest.mark.parametrize(
    ("rule", "capacity", "copies", "row", "crew", "tag"),
    [
        ("WF-2.11.1", 2, 4, "I", 0, "text"),
        ("WF-2.11.2", 4, 2, "II", 1, "text"),
        ("WF-2.11.3", 6, 2, "III", 2, "text"),
        ("WF-2.11.4", 8, 1, "IV", 3, "assumed"),
        ("WF-2.11.5", 10, 1, "IV", 4, "assumed"),
    ],
)
def test_wf_2_11_ships(rule, capacity, copies, row, crew, tag):
    of = {part: SHEET.numbers[f"ships.{capacity}.{part}"] for part in ("copies", "row", "crew")}
    assert [number.value for number in of.values()] == [copies, row, crew]
    assert (of["crew"].tag, {number.rule for number in of.values()}) == (tag, {rule})


@pytest.mark.parametrize(
    ("rule", "decade", "level", "obsolete"),
    [
        ("WF-2.13.1", 1760, "I", []),
        ("WF-2.13.2", 1770, "I", []),
        ("WF-2.13.3", 1780, "II", []),
        ("WF-2.13.4", 1790, "II", ["I"]),
        ("WF-2.13.5", 1800, "III", ["I"]),
        ("WF-2.13.6", 1810, "III", ["I", "II"]),
    ],
)
def test_wf_2_13_the_timetable(rule, decade, level, obsolete):
    numbers = SHEET.numbers[f"timetable.{decade}.level"], SHEET.numbers[f"timetable.{decade}.obsolete"]
    assert [number.value for number in numbers] == [level, obsolete]
    assert {number.rule for number in numbers} == {rule}


def test_wf_2_14_1_nine_economy_markers_of_each_good():
    for good in GOODS:
        markers = opening_board().printed.economy[good]
        assert sorted(markers) == [(spaces, workers) for spaces in range(3) for workers in (1, 2, 3)]


EVENTS = [
    ("WF-2.15.1", "bureaucracy", True, "close_row", 2, 0),
    ("WF-2.15.2", "end_of_game", True, "final_exchange", 0, 0),
    ("WF-2.15.3", "lobby", True, "special_step", 0, 0),
    ("WF-2.15.4", "war_on_the_continent", True, "fired_to_box", 4, 0),
    ("WF-2.15.5", "world_exhibition", True, "best_quality", 1, 0),
    ("WF-2.15.6", "navigation_acts", False, "importers_back", 1, 0),
    ("WF-2.15.7", "economic_crisis", False, "share_value_back", 2, 0),
    ("WF-2.15.8", "hamburg_credit_crisis", False, "pay", 5, 3),
    ("WF-2.15.9", "opium_war", False, "contracts_up", 1, 0),
]


@pytest.mark.parametrize(("rule", "name", "two_players", "effect", "amount", "per_loan"), EVENTS)
def test_wf_2_15_event_markers(rule, name, two_players, effect, amount, per_loan):
    marker = opening_board().printed.events[name]
    found = (marker.two_players, marker.effect, marker.amount, marker.per_loan)
    assert found == (two_players, effect, amount, per_loan)
    assert SHEET.numbers[f"events.{name}.effect"].rule == rule


def test_wf_2_15_10_eight_events_are_unknown():
    events = opening_board().printed.events
    unknown = [name for name in events if name.startswith("unknown")]
    assert (len(events), len(unknown), {events[name].effect for name in unknown}) == (17, 8, {"none"})


TILES = [
    ("WF-2.16.1", "charisma", 1),
    ("WF-2.16.2", "patron_food", 1),
    ("WF-2.16.2", "patron_lamps", 1),
    ("WF-2.16.3", "inventor", 4),
    ("WF-2.16.4", "accountant", 3),
    ("WF-2.16.5", "administrator", 3),
    ("WF-2.16.6", "agent", 3),
    ("WF-2.16.7", "broker", 3),
    ("WF-2.16.8", "developer", 3),
    ("WF-2.16.9", "engineer", 3),
    ("WF-2.16.10", "engineering_works", 3),
    ("WF-2.16.11", "extra_shifts", 3),
    ("WF-2.16.12", "foreman", 3),
    ("WF-2.16.13", "office", 3),
    ("WF-2.16.14", "patent", 3),
    ("WF-2.16.15", "school", 3),
    ("WF-2.16.16", "small_warehouse", 3),
    ("WF-2.16.17", "workshop", 3),
]


@pytest.mark.parametrize(("rule", "kind", "copies"), TILES)
def test_wf_2_16_development_tiles(rule, kind, copies):
    number = SHEET.numbers[f"tiles.{kind}.copies"]
    assert (number.value, number.rule) == (copies, rule)


def test_wf_2_1_13_the_tiles_are_51():
    assert sum(opening_board().printed.tiles.values()) == SHEET["box.development_tiles"] == 51


def test_wf_2_23_1_a_groups_own_tile_can_be_named():
    """It lies out and is taken like any other, and has no effect that the rules know of."""
    b = opening_board(3, {"tiles.unknown_a.name": "Banker", "tiles.unknown_a.copies": 2})
    assert b.printed.tiles["unknown_a"] == 2


def test_wf_2_23_2_what_was_found_outside_says_where():
    public = [number for number in SHEET.numbers.values() if number.tag == "public"]
    assert public and all(number.where for number in public)


MATS = {2: ["md", "qp", "md", "qp"], 3: ["mdq", "mqd", "mdq", "dqp"], 4: ["mdqp", "mqdp", "mdqp", "dqpm"]}


@pytest.mark.parametrize("seats", MATS)
def test_wf_2_19_1_the_predetermined_mat(seats):
    """WF-2.19.2, WF-2.19.3, WF-2.19.4."""
    assert ["".join(name[0] for name in row) for row in opening_board(seats).printed.mat] == MATS[seats]


def test_wf_2_19_5_the_predetermined_tiles():
    """WF-2.19.6, WF-2.19.7: each number of players has the lists up to its own."""
    laid_out = {seats: opening_board(seats).printed.tiles_laid for seats in (2, 3, 4)}
    assert {seats: sum(tiles.values()) for seats, tiles in laid_out.items()} == {2: 9, 3: 18, 4: 24}
    assert [kind for kind, count in laid_out[3].items() if count == 2] == ["inventor", "developer"]
    assert {kind for kind, count in laid_out[4].items() if not count} == {
        "office",
        "unknown_a",
        "unknown_b",
        "unknown_c",
        "unknown_d",
    }


def test_wf_2_every_number_says_which_rule_it_belongs_to():
    assert all(number.rule.startswith("WF-") and number.where for number in SHEET.numbers.values())


# --- sheets that cannot be played ---


@pytest.mark.parametrize(
    ("rule", "numbers"),
    [
        ("WF-2.1.1", {"workers.total": 20}),
        ("WF-2.3", {"factories.food.I": 4}),
        ("WF-2.4", {"rows.food.1.machines": 2}),
        ("WF-2.6.5", {"wages.4.up_to": 19}),
        ("WF-2.7", {"share_track.1.spaces": 0}),
        ("WF-2.7.5", {"shares.start_space": 101}),
        ("WF-2.9.1", {"chart.rows": [4, 2, 6, 8, 10]}),
        ("WF-4.4.9", {"chart.rows": [2, 4, 6, 8]}),
        ("WF-2.10.7", {"additional.ship": "nothing"}),
        ("WF-2.11", {"ships.4.row": "V"}),
        ("WF-2.11", {"seats.3.ships": [2, 3]}),
        ("WF-2.13", {"timetable.1780.level": "V"}),
        ("WF-2.14.1", {"economy.food": ["1"] * 9}),
        ("WF-2.14.2", {"economy.food": ["1/3"] * 9}),
        ("WF-2.15", {"events.lobby.effect": "dance"}),
        ("WF-2.16", {"tile_rules.patrons": ["banker"]}),
        ("WF-2.17", {"seats.3.tiles_drawn": 60}),
        ("WF-2.19.5", {"predetermined.tiles.2": ["banker"]}),
        ("WF-3.4.2", {"mat.I.shade": "blue"}),
        ("WF-6.7", {"rulings.single_digit_space_penalty": "two"}),
    ],
)
def test_wf_2_22_a_sheet_that_cannot_be_played_is_refused(rule, numbers):
    with pytest.raises(IllegalDecision) as refused:
        printed.of(table(3, numbers))
    assert (refused.value.rule, refused.value.reason.key) == (rule, "sheet")


NO_WAGES = {f"wages.{band}.up_to": 0 for band in (1, 2, 3, 4)}
FIRST_FACTORIES = {"seats.3.box": 4, "seats.3.fired": 8}  # and 11 workers of each of three players in lamps and cutlery
LAMPS = ["0/1", "1/1", "1/2", "2/1"]


@pytest.mark.parametrize(
    ("rule", "enough", "beyond"),
    [
        ("WF-2.1.1", FIRST_FACTORIES | {"workers.total": 45}, FIRST_FACTORIES | {"workers.total": 44}),
        ("WF-2.3", {"factories.food.I": 5}, {"factories.food.I": 4}),
        ("WF-2.4", {"rows.food.2.machines": 0}, {"rows.food.2.machines": 2}),
        ("WF-2.6.5", {"workers.total": 80}, {"workers.total": 81}),
        ("WF-2.6.5", {}, NO_WAGES),
        ("WF-2.7.5", {"share_track.lowest": 1}, {"share_track.lowest": 0}),
        ("WF-2.7.5", {"share_track.lowest": 10}, {"share_track.lowest": 11}),
        ("WF-2.7.5", {"shares.start_space": 100}, {"shares.start_space": 101}),
        ("WF-2.9.1", {"chart.rows": [1, 2, 3, 4, 5]}, {"chart.rows": [0, 2, 3, 4, 5]}),
        ("WF-2.9.1", {"chart.rows": [2, 4, 6, 8, 10, 12]}, {"chart.rows": [2, 2, 6, 8, 10]}),
        ("WF-2.14.1", {"economy.food": ["99/10"] * 9}, {"economy.food": ["100/1"] * 9}),
        *[
            ("WF-2.14.1", {}, {"economy.food": [text] * 9})
            for text in ("1", "1/1/1", "1/100", "x/1", "1/x", "/1", "1/", "-1/1", "1/\u0663", "\u00b2/1")
        ],
        ("WF-2.14.2", {"economy.lamps": [*LAMPS, "0/2", "1/3"]}, {"economy.lamps": [*LAMPS, "0/3", "1/3"]}),
        ("WF-2.15", {"events.lobby.effect": "cash 5"}, {"events.lobby.effect": "cash 5; dance"}),
        ("WF-4.22.6", {"events.lobby.effect": "close_row 4"}, {"events.lobby.effect": "close_row 3"}),
        ("WF-4.22.6", {"events.lobby.effect": "cash 3"}, {"events.lobby.effect": "cash 5; close_row 12"}),
        ("WF-2.17", {"seats.3.tiles_drawn": 33}, {"seats.3.tiles_drawn": 34}),
        *[
            ("WF-6.7", {"rulings.single_digit_space_penalty": digits}, {"rulings.single_digit_space_penalty": "first"})
            for digits in ("one", "none", "digit")
        ],
    ],
)
def test_wf_2_22_where_a_game_can_just_be_played(rule, enough, beyond):
    printed.of(table(3, enough))
    with pytest.raises(IllegalDecision) as refused:
        printed.of(table(3, beyond))
    assert (refused.value.rule, refused.value.reason.key) == (rule, "sheet")


def test_wf_2_4_the_row_without_a_space_for_a_worker_is_named():
    with pytest.raises(IllegalDecision, match="row 3 of lamps has 3 spaces, 3 for machines: one is for a worker"):
        printed.of(table(3, {"rows.lamps.3.machines": 3}))


def test_wf_1_2_two_to_four_play():
    """WF-1: what the game is called (WF-1.1)."""
    assert WATER_FRAME.title == "Arkwright: Water Frame"
    assert list(WATER_FRAME.seats) == [2, 3, 4]


def test_wf_2_1_6_thirty_shares_each():
    """WF-2.1.10: and four contract markers, one for each good."""
    b = opening_board()
    assert [player.shares + player.bank for player in b.players] == [30, 30, 30]
    assert list(b.players[0].contracts) == list(GOODS)


def test_wf_1_3_twenty_turns_each():
    decades = [decade for decade in opening_board().printed.decades if decade != 1760]
    assert len(decades) * len(GOODS) == 20


def test_wf_1_6_the_goal_is_the_most_valuable_portfolio():
    b = set_up(player(shares=12, space=22), player(shares=15, space=13))
    assert [score.total for score in WATER_FRAME.scoring.standing(b)][:2] == [12 * 16, 15 * 12]


def test_wf_6_2_what_could_not_be_seen_may_be_replaced():
    """A group's own box: other costs, and a marker that does something."""
    numbers = {"factories.clothes.II": 12, "events.unknown_a.effect": "importers_on", "events.unknown_a.amount": 2}
    found = opening_board(3, numbers).printed
    assert (found.cost("clothes", 2), found.events["unknown_a"].effect) == (12, "importers_on")


def test_wf_6_3_the_lists_of_tiles_are_taken_as_printed():
    assert [sum(opening_board(seats).printed.tiles_laid.values()) for seats in (2, 3, 4)] == [9, 18, 24]
