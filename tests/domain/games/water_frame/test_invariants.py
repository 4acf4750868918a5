"""WF-7: boards that cannot be, each with the invariant it breaks."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.board import Board, OwnedTile
from daybook.domain.kernel.record import is_cause
from tests.domain.games.water_frame.playing import laid, plant, player, predetermined


def position() -> Board:
    return laid(
        player(tiles="school foreman:food", ships="2 4", slots="1 food 1 row", stored="2 food", contracts="6 food",
               chart="4 quality 6 ship:2", markers="quality:light", food=plant(rows="2 1 0 0", machines="0 1 0 0")),
        player(loans=2, lamps=plant(price=9)),
        cycle=3, decade=1790, economy={"food": ["0/1"], "clothes": [], "cutlery": [], "lamps": []})


def at(path):
    """A change of the board at a path like players.0.cash."""
    def change(b, value):
        *parents, last = path.split(".")
        part = b
        for key in parents:
            part = part[int(key)] if isinstance(part, list) else (
                part[key] if isinstance(part, dict) else getattr(part, key))
        if isinstance(part, dict | list):
            part[int(last) if isinstance(part, list) else last] = value
        else:
            setattr(part, last, value)
    return change


@pytest.mark.parametrize(("rule", "path", "value"), [
    ("WF-7.1", "fired", 5), ("WF-7.1", "players.0.factories.food.workers.0", 1), ("WF-7.1", "box", 1),
    ("WF-7.2", "fired", -1), ("WF-7.2", "box", -2), ("WF-7.2", "market", -1),
    ("WF-7.3", "players.0.shares", 9), ("WF-7.3", "players.0.bank", 19), ("WF-7.3", "players.1.shares", 1),
    ("WF-7.4", "players.0.cash", -1),
    ("WF-7.5", "players.0.factories.food.price", 9), ("WF-7.5", "players.0.factories.food.price", 4),
    ("WF-7.6", "players.0.factories.food.quality", 7), ("WF-7.6", "players.0.factories.food.distribution", 5),
    ("WF-7.6", "players.0.factories.food.quality", -1),
    ("WF-7.7", "players.0.factories.food.workers.0", 1), ("WF-7.7", "players.0.factories.food.machines.1", 2),
    ("WF-7.7", "players.0.factories.food.workers.1", 0), ("WF-7.7", "players.0.factories.food.workers.3", 3),
    ("WF-7.8", "players.0.factories.food.level", 4), ("WF-7.8", "players.0.factories.food.level", 0),
    ("WF-7.9", "players.0.factories.food.additional", 1), ("WF-7.9", "players.0.factories.food.additional", -1),
    ("WF-7.10", "players.0.stored", {"food": 6, "clothes": 0, "cutlery": 0, "lamps": 0}),
    ("WF-7.10", "players.1.stored.food", 1), ("WF-7.10", "players.0.stored.food", -1),
    ("WF-7.11", "players.0.chart.2", "quality"), ("WF-7.11", "players.0.chart.2", "production:dark"),
    ("WF-7.11", "players.0.chart.2", "ship:6"), ("WF-7.11", "cycle", 1),
    ("WF-7.12", "players.0.crew", 0), ("WF-7.12", "players.0.ships", [2]), ("WF-7.12", "mat.0.ships", [2, 2, 4]),
    ("WF-7.12", "mat.0.ships", [2, 2, 2, 2, 2]),
    ("WF-7.13", "tiles.school", 9), ("WF-7.13", "tiles.school", -1),
    ("WF-7.13", "players.0.tiles", [OwnedTile("school"), OwnedTile("school")]),
    ("WF-7.13", "players.0.tiles", [OwnedTile("foreman")]),
    ("WF-7.13", "players.0.tiles", [OwnedTile("school", "food")]),
    ("WF-7.13", "players.0.tiles", [OwnedTile(k) for k in ("school", "office", "agent", "patent", "broker")]),
    ("WF-7.13", "players.0.tiles", [OwnedTile("zeppelin")]),
    ("WF-7.14", "players.0.markers", ["quality:light", "quality:light"]),
    ("WF-7.14", "mat.0.markers", ["quality"] * 9), ("WF-7.14", "players.0.markers", ["quality:pink"]),
    ("WF-7.15", "players.0.contracts.food", 5), ("WF-7.15", "players.0.contracts.food", -2),
    ("WF-7.16", "importers.food", -1), ("WF-7.16", "economy.food", ["0/1", "0/1"]),
    ("WF-7.16", "economy.food", ["9/9"]),
    ("WF-7.17", "players.0.space", 0), ("WF-7.17", "players.0.space", 101),
    ("WF-7.26", "start", 3), ("WF-7.26", "start", None),
    ("WF-7.27", "players.0.factories.food.marked", True),
    ("WF-2.12.2", "players.0.slots.food", 2), ("WF-2.12.2", "players.0.slots.row", 6),
    ("WF-4.22.6", "closed_rows", {"2": 1810, "4": 1810, "6": 1790, "8": 1800, "10": 1810}),
])
def test_a_board_that_cannot_be(rule, path, value):
    b = position()
    at(path)(b, value)
    assert rule in {breach.rule for breach in WATER_FRAME.integrity.breaches(b)}


@pytest.mark.parametrize(("rule", "path", "last", "beyond"), [
    ("WF-7.4", "players.0.cash", 0, -1),
    ("WF-7.5", "players.0.factories.food.price", 5, 4),
    ("WF-7.5", "players.0.factories.food.price", 8, 9),
    ("WF-7.6", "players.0.factories.food.quality", 0, -1),
    ("WF-7.6", "players.0.factories.food.quality", 6, 7),
    ("WF-7.6", "players.0.factories.food.distribution", 4, 5),
    ("WF-7.6", "players.0.factories.food.distribution", 0, -1),
    ("WF-7.8", "players.0.factories.food.level", 3, 4),
    ("WF-7.11", "cycle", 2, 1),
    ("WF-7.11", "players.0.chart.2", None, "quality"),
    ("WF-7.13", "players.0.tiles", [OwnedTile(k) for k in ("school", "office", "agent", "patent")],
     [OwnedTile(k) for k in ("school", "office", "agent", "patent", "broker")]),
    ("WF-7.15", "players.0.contracts.food", 0, 1),
    ("WF-7.16", "importers.food", 0, -1),
    ("WF-7.16", "economy.food", ["0/1", "1/2"], ["0/1", "0/1"]),
    ("WF-7.16", "economy.food", ["0/1", "0/2", "0/3", "1/1", "1/2"], ["0/1", "0/2", "0/3", "1/1", "1/2", "1/3"]),
    ("WF-7.17", "players.0.space", 1, 0),
    ("WF-7.17", "players.0.space", 100, 101),
    ("WF-7.26", "start", 2, 3),
    ("WF-7.26", "start", 0, None),
    ("WF-4.22.6", "closed_rows", {"2": 1810, "4": 1810, "6": 1790, "8": 1800, "10": 1780},
     {"2": 1810, "4": 1810, "6": 1790, "8": 1800, "10": 1790}),
])
def test_what_just_can_be_and_what_cannot(rule, path, last, beyond):
    found = []
    for value in (last, beyond):
        b = position()
        at(path)(b, value)
        found.append([breach.rule for breach in WATER_FRAME.integrity.breaches(b)])
    assert found == [[], [rule]]


def test_wf_7_8_one_level_beyond_the_decade_is_the_inventors():
    b = position()
    b.factory(0, "food").level = 3
    assert list(WATER_FRAME.integrity.breaches(b)) == []


def test_wf_7_12_a_ship_lies_on_its_own_row_of_the_mat():
    b = position()
    b.mat[1].ships.append(b.mat[0].ships.pop())
    assert [breach.rule for breach in WATER_FRAME.integrity.breaches(b)] == ["WF-7.12"]


def test_wf_7_9_a_mark_needs_a_level_behind_the_decade():
    b = laid(player(food=plant(obsolete=True, additional=1)), decade=1790)
    b.factory(0, "food").level = 2
    assert [breach.rule for breach in WATER_FRAME.integrity.breaches(b)] == ["WF-7.9"]


@pytest.mark.parametrize("stage", ["main", "firing"])
def test_wf_7_10_storage_is_looked_at_when_the_step_is_over(stage):
    b = laid(player(), stage=stage)
    b.players[0].stored["food"] = 3
    assert list(WATER_FRAME.integrity.breaches(b)) == []
    b.stage = "marker"
    assert [breach.rule for breach in WATER_FRAME.integrity.breaches(b)] == ["WF-7.10"]


@pytest.mark.parametrize(("cycle", "fits"), [(1, False), (2, True), (0, True)])
def test_wf_7_27_marked_when_its_good_has_produced(cycle, fits):
    b = laid(player(food=plant()), decade=1810, cycle=cycle, stage="marker" if cycle else "event")
    b.factory(0, "food").marked = True
    assert [breach.rule for breach in WATER_FRAME.integrity.breaches(b)] == ([] if fits else ["WF-7.27"])


def test_wf_7_17_what_may_be_adjusted_are_causes():
    """Neither tallies nor what runs just now, nor what is worked out."""
    causes = WATER_FRAME.integrity.causes
    for path in ("/players/0/cash", "/players/1/space", "/market", "/importers/food", "/players/0/factories/food"):
        assert is_cause(path, causes)
    for path in ("/players/0/tally/income", "/stage", "/sale", "/turn", "/decade", "/players/0/before_end"):
        assert not is_cause(path, causes)


def test_wf_7_2_workers_of_two_players_in_the_box():
    assert (predetermined(2).box, predetermined(3).box, predetermined(4).box) == (8, 0, 0)
