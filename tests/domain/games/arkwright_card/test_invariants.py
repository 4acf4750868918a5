"""ACG-8: boards that cannot be, as an adjustment might leave them, are named with the rule they break."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.kernel.board import Document, copied, fold
from tests.domain.games.arkwright_card.alone import until_factories
from tests.domain.games.arkwright_card.playing import factory, laid, opened, player


def usual() -> Board:
    """Seat 0 has one of everything that can lie wrong."""
    food = factory(
        side=1, workers="2.1 1", quality={"QA": (2, "price")}, distribution=("DA", 3), stored={"SA": 1}, foreman=True)
    p = player(cards="foreman entrepreneur", rotated="entrepreneur", food=food, clothes=factory(workers="1.2"))
    return laid(p, player(), decade=2)


def rules(b: Board, values: dict[str, Any]) -> list[str]:
    """The rules broken when other values lie in these places."""
    document: Document = copied(b.document())
    fold(document, {path: [None, value] for path, value in values.items()})
    return [breach.rule for breach in ARKWRIGHT_CARD.integrity.breaches(ARKWRIGHT_CARD.laid(document, b.table))]


MINE, FOOD = "/players/0", "/players/0/factories/food"


@pytest.mark.parametrize(("rule", "path", "last", "beyond"), [
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
])
def test_a_marker_stands_on_its_track(rule, path, last, beyond):
    assert (rules(usual(), {path: last}), rules(usual(), {path: beyond})) == ([], [rule])


def test_acg_8_12_the_demand_track_ends():
    last = len(usual().printed.demand) - 1
    assert rules(usual(), {"/demand/food": last}) == []
    assert rules(usual(), {"/demand/food": last + 1}) == ["ACG-8.12"]


def test_acg_8_3_two_factories_at_least():
    assert rules(usual(), {f"{MINE}/factories/clothes": None}) == ["ACG-8.3"]


def test_acg_8_5_two_worker_cards_at_most():
    assert rules(usual(), {f"{FOOD}/workers": [{"side": 1, "machines": 0}] * 3}) == ["ACG-8.5"]


def test_acg_8_6_one_machine_token():
    """A part of the machines on one card, and then on a second one."""
    assert rules(usual(), {f"{MINE}/factories/clothes/workers/0/machines": 1}) == ["ACG-8.6"]


@pytest.mark.parametrize("values", [
    {f"{MINE}/factories/clothes/storehouses": {"SA": 0}},
    {f"{MINE}/factories/clothes/quality": {"QA": {"value": 1, "mode": "price"}}},
    {f"{FOOD}/storehouses": {"SC": 0}},
    {f"{FOOD}/quality": {"QE": {"value": 5, "mode": "price"}}},
    {f"{FOOD}/foreman": False},
    {f"{MINE}/factories/clothes/foreman": True},
    {"/players/1/factories/food/foreman": True},
    {f"{FOOD}/quality": {"QA": {"value": 2, "mode": "price"}, "QC": {"value": 3, "mode": "price"}}},
])
def test_acg_8_7_each_card_lies_in_one_place_and_is_the_player_s(values):
    assert {*rules(usual(), values)} == {"ACG-8.7"}


@pytest.mark.parametrize(("rule", "values"), [
    ("ACG-8.10", {f"{MINE}/cards": ["foreman", "foreman"], f"{MINE}/rotated": []}),
    ("ACG-8.10", {"/supply/foreman": 1, f"{MINE}/cards": ["foreman"], f"{MINE}/rotated": []}),
    ("ACG-8.10", {"/supply/entrepreneur": -1}),
    ("ACG-8.19", {f"{MINE}/rotated": ["foreman"]}),
    ("ACG-8.19", {f"{MINE}/rotated": ["engineer"]}),
    ("ACG-8.19", {f"{MINE}/rotated": ["entrepreneur", "entrepreneur"]}),
    ("ACG-8.11", {f"{MINE}/quality_cap": 5}),
])
def test_acg_8_10_acg_8_11_and_acg_8_19_cards_of_the_game_and_what_they_bring(rule, values):
    assert rule in rules(usual(), values)


def test_acg_8_10_no_more_cards_than_the_level_allows():
    b = laid(player(cards="workshop extra_shift patent", levels={"cards": 1}), player())
    assert rules(b, {f"{MINE}/levels/cards": 0}) == ["ACG-8.10"]


def test_acg_8_11_the_engineer_lifts_the_limit_for_ever():
    b = laid(player(cards="engineer"), player())
    assert rules(b, {f"{MINE}/quality_cap": 4}) == ["ACG-8.11"]
    assert rules(laid(player(), player()), {f"{MINE}/quality_cap": 6}) == []  # it was discarded since


@pytest.mark.parametrize("values", [
    {f"{MINE}/levels": {}}, {f"{MINE}/factories": {}}, {"/demand": {}}, {"/supply": {}}, {"/sales": [None]},
    {"/neutral": {"tea": 1}}, {"/players": [laid(player(), player()).document()["players"][0]]},
])
def test_acg_8_1_a_part_of_the_board_that_is_missing_is_all_that_is_said(values):
    assert rules(usual(), values) == ["ACG-8.1"]


# --- ACG-8.20: the game for one ---


def test_acg_8_20_what_belongs_to_a_game_for_one_is_there_and_in_no_other():
    alone = until_factories()
    assert rules(usual(), {"/solo": alone.document()["solo"]}) == ["ACG-8.1"]
    assert rules(alone, {"/solo": None}) == ["ACG-8.1"]
    for part in ("automas", "bag", "achievements"):
        assert rules(alone, {f"/solo/{part}": {}}) == ["ACG-8.1"], part


@pytest.mark.parametrize(("rule", "path", "value"), [
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
])
def test_acg_8_20_bag_grid_discs_and_automas(rule, path, value):
    assert rule in rules(until_factories(), {path: value})


def test_acg_8_18_before_the_start_player_is_drawn_there_is_none():
    assert rules(opened(3), {}) == []
    assert rules(opened(3), {"/start": 3}) == ["ACG-8.18"]
