"""ACG-8: boards that cannot be, as an adjustment might leave them, are named with the rule they break."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.games.arkwright_card.board import Board
from tests.domain.games.arkwright_card.alone import GRID, REMOVED, solo_at_first_turn, until_factories
from tests.domain.games.arkwright_card.playing import broken, factory, opening_board, player, set_up, with_values


def usual() -> Board:
    """Seat 0 has one of everything that can lie wrong."""
    food = factory(
        side=1, workers="2.1 1", quality={"QA": (2, "price")}, distribution=("DA", 3), stored={"SA": 1}, foreman=True
    )
    p = player(cards="foreman entrepreneur", rotated="entrepreneur", food=food, clothes=factory(workers="1.2"))
    return set_up(p, player(), decade=2)


def rules(b: Board, values: dict[str, Any]) -> list[str]:
    """The rules broken when other values lie in these places."""
    return broken(with_values(b, values))


MINE, FOOD = "/players/0", "/players/0/factories/food"


@pytest.mark.parametrize(
    ("rule", "path", "last", "beyond"),
    [
        ("ACG-8.1", f"{MINE}/money", 0, -1),
        ("ACG-8.1", f"{MINE}/shares", 30, 31),
        ("ACG-8.1", f"{MINE}/shares", 0, -1),
        ("ACG-8.1", f"{MINE}/share_value", 30, 31),
        ("ACG-8.1", f"{MINE}/share_value", 0, -1),
        ("ACG-8.1", f"{MINE}/loans", 9, 10),
        ("ACG-8.1", f"{MINE}/shipping_tokens", 9, 10),
        ("ACG-8.1", f"{MINE}/ships", 2, 3),
        ("ACG-8.1", f"{MINE}/levels/ship", 2, 3),
        ("ACG-8.1", f"{MINE}/levels/ship", 0, -1),
        ("ACG-8.4", f"{FOOD}/appeal", 20, 21),
        ("ACG-8.4", f"{FOOD}/appeal", 0, -1),
        ("ACG-8.4", f"{FOOD}/slot", 4, 5),
        ("ACG-8.4", f"{FOOD}/slot", 1, 0),
        ("ACG-8.4", f"{FOOD}/side", 2, 3),
        ("ACG-8.4", "/neutral/food", 20, 21),
        ("ACG-8.4", "/neutral/food", 0, -1),
        ("ACG-8.5", f"{FOOD}/workers/0/side", 1, 3),
        ("ACG-8.5", f"{FOOD}/workers/1/side", 3, 2),
        ("ACG-8.6", f"{FOOD}/workers/0/machines", 2, 3),
        ("ACG-8.6", f"{FOOD}/workers/0/machines", 0, -1),
        ("ACG-8.7", f"{FOOD}/quality/QA/value", 1, 3),
        ("ACG-8.7", f"{FOOD}/distribution/value", 4, 5),
        ("ACG-8.7", f"{FOOD}/distribution/value", 1, 0),
        ("ACG-8.12", "/wages", 19, 20),
        ("ACG-8.12", "/wages", 0, -1),
        ("ACG-8.12", "/demand/food", 0, -1),
        ("ACG-8.14", f"{FOOD}/storehouses/SA", 2, 3),
        ("ACG-8.14", f"{FOOD}/storehouses/SA", 0, -1),
        ("ACG-8.18", "/start", 1, 2),
        ("ACG-8.18", "/start", 0, None),
        ("ACG-8.22", "/mover", 1, 2),
    ],
)
def test_a_marker_stands_on_its_track(rule, path, last, beyond):
    assert (rules(usual(), {path: last}), rules(usual(), {path: beyond})) == ([], [rule])


def test_acg_8_12_the_demand_track_ends():
    last = len(usual().printed.side_demand) - 1
    assert rules(usual(), {"/demand/food": last}) == []
    assert rules(usual(), {"/demand/food": last + 1}) == ["ACG-8.12"]


def test_acg_8_3_two_factories_at_least():
    assert rules(usual(), {f"{MINE}/factories/clothes": None}) == ["ACG-8.3"]


def test_acg_8_5_two_worker_cards_at_most():
    assert rules(usual(), {f"{FOOD}/workers": [{"side": 1, "machines": 0}] * 3}) == ["ACG-8.5"]


def test_acg_8_6_one_machine_token():
    """A part of the machines on one card, and then on a second one."""
    assert breaches_with(usual(), {f"{MINE}/factories/clothes/workers/0/machines": 1}) == [
        "ACG-8.6: machines of seat 0 lie on a part of 2 cards, with one token for that"
    ]


@pytest.mark.parametrize(
    "values",
    [
        {f"{MINE}/factories/clothes/storehouses": {"SA": 0}},
        {f"{MINE}/factories/clothes/quality": {"QA": {"value": 1, "mode": "price"}}},
        {f"{FOOD}/storehouses": {"SC": 0}},
        {f"{FOOD}/quality": {"QE": {"value": 5, "mode": "price"}}},
        {f"{FOOD}/foreman": False},
        {f"{MINE}/factories/clothes/foreman": True},
        {"/players/1/factories/food/foreman": True},
        {f"{FOOD}/quality": {"QA": {"value": 2, "mode": "price"}, "QC": {"value": 3, "mode": "price"}}},
    ],
)
def test_acg_8_7_each_card_lies_in_one_place_and_is_the_player_s(values):
    assert {*rules(usual(), values)} == {"ACG-8.7"}


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("ACG-8.10", {f"{MINE}/cards": ["foreman", "foreman"], f"{MINE}/rotated": []}),
        ("ACG-8.10", {"/supply/foreman": 1, f"{MINE}/cards": ["foreman"], f"{MINE}/rotated": []}),
        ("ACG-8.10", {"/supply/entrepreneur": -1}),
        ("ACG-8.19", {f"{MINE}/rotated": ["foreman"]}),
        ("ACG-8.19", {f"{MINE}/rotated": ["engineer"]}),
        ("ACG-8.19", {f"{MINE}/rotated": ["customs_office"]}),
        ("ACG-8.19", {f"{MINE}/rotated": ["entrepreneur", "entrepreneur"]}),
        ("ACG-8.11", {f"{MINE}/quality_cap": 5}),
    ],
)
def test_acg_8_10_cards_of_the_game_and_their_effects_agree(rule, values):
    # also ACG-8.11, ACG-8.19
    assert rule in rules(usual(), values)


def test_acg_8_10_no_more_cards_than_the_level_allows():
    b = set_up(player(cards="workshop extra_shift patent", levels={"cards": 1}), player())
    assert rules(b, {f"{MINE}/levels/cards": 0}) == ["ACG-8.10"]


def test_acg_8_11_the_engineer_lifts_the_limit_for_ever():
    b = set_up(player(cards="engineer"), player())
    assert rules(b, {f"{MINE}/quality_cap": 4}) == ["ACG-8.11"]
    assert rules(set_up(player(), player()), {f"{MINE}/quality_cap": 6}) == []  # it was discarded since


@pytest.mark.parametrize(
    "values",
    [
        {f"{MINE}/levels": {}},
        {f"{MINE}/factories": {}},
        {"/demand": {}},
        {"/supply": {}},
        {"/sales": [None]},
        {"/neutral": {"tea": 1}},
        {"/players": [set_up(player(), player()).document()["players"][0]]},
    ],
)
def test_acg_8_1_missing_part_of_the_board_is_the_only_report(values):
    assert rules(usual(), values) == ["ACG-8.1"]


def breaches_with(b: Board, values: dict[str, Any]) -> list[str]:
    return [f"{breach.rule}: {breach.reason}" for breach in ARKWRIGHT_CARD.integrity.breaches(with_values(b, values))]


THEIRS = "/players/1"
QUALITY = {"QA": {"value": 2, "mode": "price"}, "QB": {"value": 2, "mode": "price"}}
NO_FACTORIES = {f"{THEIRS}/factories/{good}": None for good in ("food", "clothes")}


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("ACG-8.10: there is 1 card of broker, not 0", {"/supply/broker": 1}),
        (
            "ACG-8.10: the number of extra_shift in the supply is below 0",
            {
                "/supply/extra_shift": -1,
                f"{MINE}/cards": ["foreman", "extra_shift"],
                f"{MINE}/rotated": [],
                f"{THEIRS}/cards": ["extra_shift"],
                "/supply/entrepreneur": 1,
            },
        ),
        ("ACG-8.3: seat 1 is bankrupt, and has open factories", {f"{THEIRS}/bankrupt": True}),
        ("ACG-8.22: the player to decide is not in the game", NO_FACTORIES | {f"{THEIRS}/bankrupt": True, "/mover": 1}),
        ("ACG-8.22: a factory that is at work is not open", {"/turn/good": "lamps"}),
        ("ACG-8.22: a factory that is at work is not open", {"/turn/shipping": {"clothes": 1, "lamps": 1}}),
        ("ACG-8.22: the Foreman is not available to place", {"/stage": "foreman", "/mover": 1}),
        (
            "ACG-8.7: a card of seat 0 lies in two places",
            {f"{MINE}/factories/clothes/distribution": {"card": "DA", "value": 1}},
        ),
        (
            "ACG-8.7: the Foreman of seat 1 is in the wrong place",
            {f"{THEIRS}/factories/{good}/foreman": True for good in ("food", "clothes")},
        ),
        (
            "ACG-8.7: a quality card of the food factory of seat 0 shows no such value",
            {f"{FOOD}/quality": {"QX": {"value": 2, "mode": "price"}}},
        ),
        (
            "ACG-8.7: the distribution card of the food factory of seat 0 shows no such value",
            {f"{FOOD}/distribution": {"card": "DX", "value": 1}},
        ),
        (
            "ACG-8.14: a storehouse of the food factory of seat 0 has no room for its goods",
            {f"{FOOD}/storehouses": {"SX": 0}},
        ),
    ],
)
def test_a_breach_says_what_is_amiss_and_nothing_else_is(message, values):
    assert breaches_with(usual(), values) == [message]


@pytest.mark.parametrize(
    "values",
    [
        {f"{FOOD}/quality": QUALITY},
        NO_FACTORIES | {f"{THEIRS}/bankrupt": True},
        {"/mover": None},
        {f"{MINE}/rotated": []},
        {"/turn/good": "food", "/turn/shipping": {"clothes": 1}},
    ],
)
def test_acg_8_3_and_acg_8_7_what_just_can_be(values):
    assert breaches_with(usual(), values) == []


def test_acg_8_7_a_box_may_cap_distribution_lower_than_its_cards():
    b = set_up(
        player(food=factory(distribution=("DA", 3)), clothes=factory()), player(), numbers={"rules.distribution_cap": 3}
    )
    assert rules(b, {f"{FOOD}/distribution/value": 4}) == ["ACG-8.7"]


def test_acg_8_7_each_foreman_is_placed_by_its_own_player():
    """Seat 0 is about to place hers; that of seat 1 lies there."""
    b = set_up(
        player(cards="foreman"), player(cards="foreman", food=factory(foreman=True), clothes=factory()), stage="foreman"
    )
    assert rules(b, {f"{THEIRS}/factories/food/foreman": False}) == ["ACG-8.7"]
    assert rules(b, {"/mover": 1, f"{FOOD}/foreman": True, f"{THEIRS}/factories/food/foreman": False}) == []
    assert rules(b, {"/mover": 1, f"{FOOD}/foreman": True}) == ["ACG-8.7"]


@pytest.mark.parametrize(
    ("cards", "placed", "fits"), [("foreman", 0, True), ("foreman", 1, True), ("foreman", 2, False), ("", 1, False)]
)
def test_acg_8_7_in_the_set_up_a_foreman_may_not_lie_there_yet(cards, placed, fits):
    b = set_up(player(cards=cards), player(), stage="start_development", round=0)
    values = {f"{MINE}/factories/{good}/foreman": True for good in ("food", "clothes")[:placed]}
    assert rules(b, values) == ([] if fits else ["ACG-8.7"])


def test_acg_8_3_several_have_two_factories_after_choosing():
    b = set_up(player(), player(), stage="start_development", round=0)
    assert rules(b, {f"{MINE}/factories/clothes": None}) == ["ACG-8.3"]
    assert rules(opening_board(2), {}) == []
    assert breaches_with(opening_board(2), {"/supply/workshop": 1}) == ["ACG-8.10: there is 1 card of workshop, not 0"]


def test_acg_8_10_random_supply_has_the_dealt_cards():
    b = set_up(player(cards="workshop"), player(), dealt="workshop workshop foreman")
    assert rules(b, {"/supply/workshop": 0}) == ["ACG-8.10"]
    assert rules(b, {"/supply/workshop": 2}) == ["ACG-8.10"]
    assert rules(b, {"/dealt": ["workshop", "foreman"]}) == ["ACG-8.10"]


# --- ACG-8.22: what is half done can be finished ---


def test_acg_8_22_whoever_sold_has_the_factory():
    cutlery = player(clothes=factory(), cutlery=factory())
    b = set_up(player(), cutlery, stage="sell", round=1, sales=[2, None])
    assert rules(b, {"/sales": [2, 0]}) == ["ACG-8.22"]
    assert rules(b, {"/sales": [2, 0], "/stage": "action"}) == []


@pytest.mark.parametrize(
    ("own", "rival", "seats", "discarded", "fits"),
    [
        ("entrepreneur engineer", "", 2, "workshop", True),  # the Patent lies there
        ("entrepreneur engineer", "", 2, "", False),
        ("entrepreneur engineer", "", 2, "patent", False),
        ("entrepreneur engineer", "", 2, "patent workshop", True),
        ("entrepreneur", "patent", 2, "patent engineer", False),
        ("entrepreneur", "patent", 2, "engineer patent", True),
        ("entrepreneur", "engineer patent", 2, "workshop", False),
        ("entrepreneur engineer patent", "", 4, "workshop", False),  # more of both, and nobody has two of a type
        ("entrepreneur patent", "engineer", 4, "workshop", True),
    ],
)
def test_acg_8_22_a_card_is_left_to_take(own, rival, seats, discarded, fits):
    """A random supply with no card dealt: Entrepreneur, Engineer and Patent, one fewer than players."""
    b = set_up(player(cards=own, levels={"cards": 2}), player(cards=rival), *[player()] * (seats - 2), dealt="")
    found = rules(b, {"/stage": "take_card", "/turn/discarded": discarded.split()})
    assert found == ([] if fits else ["ACG-8.22"])


# --- ACG-8.20: the game for one ---


BAG = "ACG-8.20: a marker is neither in the bag nor next to it, or in both places"
GRID_LIES = "ACG-8.20: the grid does not have all its places, or a card has two discs"


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ([], {}),
        ([], {"/solo/bag/blue": 2, "/solo/drawn": ["blue"]}),
        ([], {"/solo/bag/blue": 0, "/solo/drawn": ["blue"] * 3}),
        (
            [],
            {
                "/solo/bag": {"blue": 0, "green": 0, "yellow": 0},
                "/solo/drawn": [*["blue"] * 3, *["green"] * 3, *["yellow"] * 2],
            },
        ),
        ([BAG], {"/solo/bag/blue": -1, "/solo/drawn": ["blue"] * 4}),
        ([BAG], {"/solo/bag/blue": 3, "/solo/drawn": ["blue"]}),
        ([BAG], {"/solo/drawn": ["red"]}),
        ([GRID_LIES], {"/solo/grid": GRID[:-1], "/solo/removed": [*REMOVED, GRID[-1]]}),
        ([GRID_LIES], {"/solo/discs": {"blue": 1, "green": 1, "yellow": 3}}),
        (["ACG-8.20: a disc of the grid lies on no card"], {"/solo/discs": {"blue": 1, "green": 2}}),
        (
            ["ACG-8.20: a disc of the grid lies on no card"],
            {
                "/solo/grid": [None, *GRID[1:]],
                "/solo/removed": [*REMOVED, GRID[0]],
                "/solo/discs": {"blue": 1, "green": 6, "yellow": 11},
            },
        ),
        (["ACG-8.1: a part of the board is missing"], {"/solo/discs": {"blue": 1, "green": 6, "red": 11}}),
        (["ACG-8.1: a part of the board is missing"], {"/solo/automas/blue/appeal": {"tea": 1}}),
        ([], {"/solo/automas/blue/appeal": dict.fromkeys(("food", "clothes", "cutlery", "lamps"), 0)}),
        *[([], {f"/solo/automas/green/{track}": value}) for track in ("shares", "share_value") for value in (0, 30)],
        ([], {"/solo/automas/green/appeal": {"food": 20}}),
        *[
            (["ACG-8.20: a marker of the green automa is off its track"], {f"/solo/automas/green/{track}": value})
            for track, value in (
                ("shares", -1),
                ("shares", 31),
                ("share_value", -1),
                ("share_value", 31),
                ("appeal", {"food": -1}),
                ("appeal", {"food": 21}),
            )
        ],
    ],
)
def test_acg_8_20_what_lies_there_for_one_alone(message, values):
    assert breaches_with(until_factories(), values) == message


def test_acg_8_3_solo_has_two_factories_in_the_first_round():
    assert rules(solo_at_first_turn(), {f"{MINE}/factories/clothes": None}) == ["ACG-8.3"]


def test_acg_8_20_solo_parts_exist_in_solo_games_only():
    alone = until_factories()
    assert rules(usual(), {"/solo": alone.document()["solo"]}) == ["ACG-8.1"]
    assert rules(alone, {"/solo": None}) == ["ACG-8.1"]
    for part in ("automas", "bag", "achievements"):
        assert rules(alone, {f"/solo/{part}": {}}) == ["ACG-8.1"], part


@pytest.mark.parametrize(
    ("rule", "path", "value"),
    [
        ("ACG-8.20", "/solo/bag/blue", 2),
        ("ACG-8.20", "/solo/bag/blue", 4),
        ("ACG-8.20", "/solo/bag/yellow", 3),
        ("ACG-8.20", "/solo/drawn", ["blue"]),
        ("ACG-8.20", "/solo/automas/blue/shares", 31),
        ("ACG-8.20", "/solo/automas/blue/shares", -1),
        ("ACG-8.20", "/solo/automas/green/share_value", 31),
        ("ACG-8.20", "/solo/automas/green/appeal/food", 21),
        ("ACG-8.20", "/solo/automas/green/appeal/food", -1),
        ("ACG-8.20", "/solo/discs", {"blue": 0, "green": 0, "yellow": 1}),
        ("ACG-8.20", "/solo/discs", {"blue": 0, "green": 5}),
        ("ACG-8.20", "/solo/grid", []),
    ],
)
def test_acg_8_20_bag_grid_discs_and_automas(rule, path, value):
    assert rule in rules(until_factories(), {path: value})


def test_acg_8_18_before_the_start_player_is_drawn_there_is_none():
    assert rules(opening_board(3), {}) == []
    assert rules(opening_board(3), {"/start": 3}) == ["ACG-8.18"]
