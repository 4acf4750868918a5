"""WF-7: boards that cannot be, each with the invariant it breaks."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.board import Ask, Board, OwnedTile
from daybook.domain.games.water_frame.invariants import adjustable, most_laid_out, quality_rises_above
from daybook.domain.kernel.by_hand import is_cause
from tests.domain.games.water_frame.playing import broken, opening_board, plant, player, predetermined_board, set_up


def position() -> Board:
    return set_up(
        player(
            tiles="school foreman:food",
            ships="2 4",
            slots="1 food 1 row",
            stored="2 food",
            contracts="6 food",
            chart="4 quality 6 ship:2",
            markers="quality:light",
            food=plant(rows="2 1 0 0", machines="0 1 0 0"),
        ),
        player(loans=2, lamps=plant(price=9)),
        cycle=3,
        decade=1790,
        economy={"food": ["0/1"], "clothes": [], "cutlery": [], "lamps": []},
    )


def at(path):
    """A change of the board at a path like players.0.cash."""

    def change(b, value):
        *parents, last = path.split(".")
        part = b
        for key in parents:
            part = (
                part[int(key)]
                if isinstance(part, list)
                else (part[key] if isinstance(part, dict) else getattr(part, key))
            )
        if isinstance(part, dict | list):
            part[int(last) if isinstance(part, list) else last] = value
        else:
            setattr(part, last, value)

    return change


@pytest.mark.parametrize(
    ("rule", "path", "value"),
    [
        ("WF-7.1", "fired", 5),
        ("WF-7.1", "players.0.factories.food.workers.0", 1),
        ("WF-7.1", "box", 1),
        ("WF-7.2", "fired", -1),
        ("WF-7.2", "box", -2),
        ("WF-7.2", "market", -1),
        ("WF-7.3", "players.0.shares", 9),
        ("WF-7.3", "players.0.bank", 19),
        ("WF-7.3", "players.1.shares", 1),
        ("WF-7.4", "players.0.cash", -1),
        ("WF-7.5", "players.0.factories.food.price", 9),
        ("WF-7.5", "players.0.factories.food.price", 4),
        ("WF-7.6", "players.0.factories.food.quality", 7),
        ("WF-7.6", "players.0.factories.food.distribution", 5),
        ("WF-7.6", "players.0.factories.food.quality", -1),
        ("WF-7.7", "players.0.factories.food.workers.0", 1),
        ("WF-7.7", "players.0.factories.food.machines.1", 2),
        ("WF-7.7", "players.0.factories.food.workers.1", 0),
        ("WF-7.7", "players.0.factories.food.workers.3", 3),
        ("WF-7.8", "players.0.factories.food.level", 4),
        ("WF-7.8", "players.0.factories.food.level", 0),
        ("WF-7.9", "players.0.factories.food.additional", 1),
        ("WF-7.9", "players.0.factories.food.additional", -1),
        ("WF-7.10", "players.0.stored", {"food": 6, "clothes": 0, "cutlery": 0, "lamps": 0}),
        ("WF-7.10", "players.1.stored.food", 1),
        ("WF-7.10", "players.0.stored.food", -1),
        ("WF-7.11", "players.0.chart.2", "quality"),
        ("WF-7.11", "players.0.chart.2", "production:dark"),
        ("WF-7.11", "players.0.chart.2", "ship:6"),
        ("WF-7.11", "cycle", 1),
        ("WF-7.12", "players.0.crew", 0),
        ("WF-7.12", "players.0.ships", [2]),
        ("WF-7.12", "mat.0.ships", [2, 2, 4]),
        ("WF-7.12", "mat.0.ships", [2, 2, 2, 2, 2]),
        ("WF-7.13", "tiles.school", 9),
        ("WF-7.13", "tiles.school", -1),
        ("WF-7.13", "players.0.tiles", [OwnedTile("school"), OwnedTile("school")]),
        ("WF-7.13", "players.0.tiles", [OwnedTile("foreman")]),
        ("WF-7.13", "players.0.tiles", [OwnedTile("school", "food")]),
        ("WF-7.13", "players.0.tiles", [OwnedTile(k) for k in ("school", "office", "agent", "patent", "broker")]),
        ("WF-7.13", "players.0.tiles", [OwnedTile("zeppelin")]),
        ("WF-7.14", "players.0.markers", ["quality:light", "quality:light"]),
        ("WF-7.14", "mat.0.markers", ["quality"] * 9),
        ("WF-7.14", "players.0.markers", ["quality:pink"]),
        ("WF-7.15", "players.0.contracts.food", 5),
        ("WF-7.15", "players.0.contracts.food", -2),
        ("WF-7.16", "importers.food", -1),
        ("WF-7.16", "economy.food", ["0/1", "0/1"]),
        ("WF-7.16", "economy.food", ["9/9"]),
        ("WF-7.17", "players.0.space", 0),
        ("WF-7.17", "players.0.space", 101),
        ("WF-7.26", "start", 3),
        ("WF-7.26", "start", None),
        ("WF-7.27", "players.0.factories.food.marked", True),
        ("WF-2.12.2", "players.0.slots.food", 2),
        ("WF-2.12.2", "players.0.slots.row", 6),
        ("WF-4.22.6", "closed_rows", {"2": 1810, "4": 1810, "6": 1790, "8": 1800, "10": 1810}),
    ],
)
def test_a_board_that_cannot_be(rule, path, value):
    b = position()
    at(path)(b, value)
    assert rule in broken(b)


@pytest.mark.parametrize(
    ("rule", "path", "last", "beyond"),
    [
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
        ("WF-7.11", "players.0.chart.2", "quality:light", "quality:dark"),
        ("WF-7.3", "players.0.loans", 0, 1),
        ("WF-7.7", "players.0.factories.food.machines.1", 1, -1),
        ("WF-7.26", "start", 1, -1),
        (
            "WF-7.13",
            "players.0.tiles",
            [OwnedTile(k) for k in ("school", "office", "agent", "patent")],
            [OwnedTile(k) for k in ("school", "office", "agent", "patent", "broker")],
        ),
        ("WF-7.15", "players.0.contracts.food", 0, 1),
        ("WF-7.16", "importers.food", 0, -1),
        ("WF-7.16", "economy.food", ["0/1", "1/2"], ["0/1", "0/1"]),
        ("WF-7.16", "economy.food", ["0/1", "0/2", "0/3", "1/1", "1/2"], ["0/1", "0/2", "0/3", "1/1", "1/2", "1/3"]),
        ("WF-7.17", "players.0.space", 1, 0),
        ("WF-7.17", "players.0.space", 100, 101),
        ("WF-7.26", "start", 2, 3),
        ("WF-7.26", "start", 0, None),
        (
            "WF-4.22.6",
            "closed_rows",
            {"2": 1810, "4": 1810, "6": 1790, "8": 1800, "10": 1780},
            {"2": 1810, "4": 1810, "6": 1790, "8": 1800, "10": 1790},
        ),
    ],
)
def test_what_just_can_be_and_what_cannot(rule, path, last, beyond):
    found = []
    for value in (last, beyond):
        b = position()
        at(path)(b, value)
        found.append(broken(b))
    assert found == [[], [rule]]


@pytest.mark.parametrize(
    ("message", "changes"),
    [
        ("WF-7.1: there are 81 workers, not 80", {"fired": 5}),
        ("WF-7.3: seat 0 has 9 shares, 20 in the bank and 0 loans, of 30", {"players.0.shares": 9}),
        (
            "WF-7.3: seat 0 has -1 shares, 31 in the bank and 0 loans, of 30",
            {"players.0.shares": -1, "players.0.bank": 31},
        ),
        (
            "WF-7.3: seat 0 has 31 shares, -1 in the bank and 0 loans, of 30",
            {"players.0.shares": 31, "players.0.bank": -1},
        ),
        (
            "WF-7.3: seat 1 has 0 shares, 31 in the bank and -1 loans, of 30",
            {"players.1.loans": -1, "players.1.bank": 31},
        ),
        ("WF-7.3: seat 1 has both loans and shares", {"players.1.shares": 1, "players.1.bank": 27}),
        (
            "WF-7.7: row 1 of food of seat 0 cannot hold 2 workers and 1 machines",
            {"players.0.factories.food.machines.0": 1},
        ),
        (
            "WF-7.7: row 2 of food of seat 0 cannot hold 2 workers and 1 machines",
            {"players.0.factories.food.workers.1": 2, "fired": 3},
        ),
        (
            "WF-7.7: row 4 of food of seat 0 cannot hold -1 workers and 0 machines",
            {"players.0.factories.food.workers.3": -1, "fired": 5},
        ),
        ("WF-7.12: a ship is on row 2 of the mat, where it does not belong", {"mat.1.ships": [4, 3]}),
        (
            "WF-7.12: a ship is on row 1 of the mat, where it does not belong",
            {"mat.0.ships": [2, 2, 2, 4], "mat.1.ships": []},
        ),
        ("WF-7.12: seat 0 has 3 ships but 2 piers", {"players.0.ships": [2, 2, 4], "mat.0.ships": [2, 2]}),
        ("WF-7.13: there are 4 school tiles, of 3", {"tiles.school": 3}),
        ("WF-7.13: fewer than 0 school tiles are laid out", {"tiles.school": -1}),
        ("WF-7.16: the markers revealed for food are not possible", {"economy.food": ["0/1"] * 2}),
    ],
)
def test_a_breach_says_what_is_amiss_and_nothing_else_is(message, changes):
    b = position()
    for path, value in changes.items():
        at(path)(b, value)
    assert [f"{breach.rule}: {breach.reason}" for breach in WATER_FRAME.integrity.breaches(b)] == [message]


@pytest.mark.parametrize(
    "changes",
    [{"players.1.loans": 30, "players.1.bank": 0}, {"players.1.loans": 31, "players.1.bank": 0}, {"tiles.school": 2}],
)
def test_wf_7_3_and_wf_7_13_what_there_is_may_be_used_up(changes):
    b = position()
    for path, value in changes.items():
        at(path)(b, value)
    assert broken(b) == []


def test_wf_7_7_a_row_takes_no_more_machines_than_it_prints():
    b = set_up(player(food=plant(rows="2 1 0 0")), numbers={"rows.food.2.machines": 0})
    b.factory(0, "food").machines[1] = 1
    assert broken(b) == ["WF-7.7"]


@pytest.mark.parametrize(
    ("factories", "light", "fits"),
    [("free", 2, True), ("free", 3, False), ("predetermined", 5, True), ("predetermined", 6, False)],
)
def test_wf_7_14_one_light_marker_may_be_given_to_each_player(factories, light, fits):
    """Three players have one each, beside the two sets that are laid out."""
    b = set_up(options={"factories": factories})
    b.mat[0].markers = ["quality"] * (light - 1)
    b.mat[1].markers = ["quality"]
    assert broken(b) == ([] if fits else ["WF-7.14"])


def test_wf_7_16_all_economy_markers_can_be_revealed():
    markers = ["0/1", "0/2", "1/1", "1/2", "2/1"]
    b = set_up(decade=1810, numbers={"economy.food": markers})
    b.economy["food"] = markers
    assert broken(b) == []


def test_wf_7_26_nobody_starts_before_the_start_player_is_drawn():
    b = opening_board()
    assert (b.start, broken(b)) == (None, [])
    b.start = 3
    assert broken(b) == ["WF-7.26"]


@pytest.mark.parametrize(
    ("query", "fits"), [(Ask(0, "return_tile"), True), (Ask(1, "return_tile"), False), (Ask(0, "discard"), False)]
)
def test_wf_7_13_one_tile_too_many_while_one_is_returned(query, fits):
    b = position()
    b.players[0].tiles = [OwnedTile(kind) for kind in ("school", "office", "agent", "patent", "broker")]
    b.asked = [query]
    assert broken(b) == ([] if fits else ["WF-7.13"])


@pytest.mark.parametrize(("additional", "fits"), [(-1, False), (0, True), (1, True), (2, True), (3, False)])
def test_wf_7_9_obsolete_factory_has_two_additional_workers(additional, fits):
    b = set_up(player(food=plant(obsolete=True)), decade=1790)
    b.factory(0, "food").additional = additional
    b.fired -= additional
    assert broken(b) == ([] if fits else ["WF-7.9"])


@pytest.mark.parametrize(
    ("fields", "highest"),
    [({}, 22), ({"stage": "main"}, 25), ({"stage": "firing"}, 25), ({"asked": [Ask(1, "discard")]}, 25)],
)
def test_wf_7_5_three_stored_goods_take_the_top_of_scale(fields, highest):
    b = set_up(
        player(tiles="small_warehouse", stored="3 lamps", lamps=plant(level=3, quality=4, distribution=4)), decade=1790
    )
    for name, value in fields.items():
        setattr(b, name, value)
    for price in (5, 22, 23, 25):
        b.factory(0, "lamps").price = price
        assert {*broken(b)} == (set() if price <= highest else {"WF-7.5", "WF-7.10"})


def test_wf_7_8_one_level_beyond_the_decade_is_the_inventors():
    b = position()
    b.factory(0, "food").level = 3
    assert broken(b) == []


def test_wf_7_12_a_ship_lies_on_its_own_row_of_the_mat():
    b = position()
    b.mat[1].ships.append(b.mat[0].ships.pop())
    assert broken(b) == ["WF-7.12"]


def test_wf_7_9_a_mark_needs_a_level_behind_the_decade():
    b = set_up(player(food=plant(obsolete=True, additional=1)), decade=1790)
    b.factory(0, "food").level = 2
    assert broken(b) == ["WF-7.9"]


@pytest.mark.parametrize("stage", ["main", "firing"])
def test_wf_7_10_storage_is_looked_at_when_the_step_is_over(stage):
    b = set_up(player(), stage=stage)
    b.players[0].stored["food"] = 3
    assert broken(b) == []
    b.stage = "marker"
    assert broken(b) == ["WF-7.10"]


@pytest.mark.parametrize(
    ("good", "cycle", "fits"),
    [("food", 1, False), ("food", 2, True), ("food", 0, True), ("lamps", 4, False), ("lamps", 0, True)],
)
def test_wf_7_27_marked_when_its_good_has_produced(good, cycle, fits):
    b = set_up(player(**{good: plant()}), decade=1810, cycle=cycle, stage="marker" if cycle else "event")
    b.factory(0, good).marked = True
    assert broken(b) == ([] if fits else ["WF-7.27"])


def test_wf_7_17_what_may_be_adjusted_are_causes():
    """Neither tallies nor what runs just now, nor what is worked out."""
    causes = WATER_FRAME.integrity.causes
    for path in ("/players/0/cash", "/players/1/space", "/market", "/importers/food", "/players/0/factories/food"):
        assert is_cause(path, causes)
    for path in ("/players/0/tally/income", "/stage", "/sale", "/turn", "/decade", "/players/0/before_end"):
        assert not is_cause(path, causes)


def test_wf_7_2_workers_of_two_players_in_the_box():
    assert (predetermined_board(2).box, predetermined_board(3).box, predetermined_board(4).box) == (8, 0, 0)


# --- what an adjustment may not do ---


@pytest.mark.parametrize(
    ("before", "after", "limit", "high"),
    [
        (4, 5, 4, True),
        (5, 5, 4, False),
        (5, 6, 4, True),
        (6, 4, 4, False),
        (None, 4, 4, False),
        (None, 5, 4, True),
        (None, 1, 0, True),
        (None, 0, 0, False),
        (5, None, 4, False),
    ],
)
def test_wf_7_6_adjusted_quality_above_the_limit_is_found(before, after, limit, high):
    was, now = (None if quality is None else plant(quality=quality) for quality in (before, after))
    assert quality_rises_above(was, now, limit) == high


def test_wf_7_6_an_engineer_in_hand_allows_it():
    b, adjusted = set_up(player(food=plant())), set_up(player(tiles="engineer", food=plant(quality=5)))
    b.tiles = dict(adjusted.tiles) | {"engineer": adjusted.tiles["engineer"] + 1}
    assert list(adjustable(b, adjusted, lambda path: [])) == []


@pytest.mark.parametrize(
    ("stage", "fits"),
    [("start_player", True), ("mat", True), ("tiles", True), ("found_first", False), ("marker", False)],
)
def test_wf_7_13_any_number_of_tiles_until_laid_out(stage, fits):
    b, adjusted = set_up(stage=stage), set_up(stage=stage)
    adjusted.tiles["school"] += 1
    assert [breach.rule for breach in adjustable(b, adjusted, lambda path: [])] == ([] if fits else ["WF-7.13"])


def test_wf_2_17_5_unnamed_predetermined_tiles_are_absent():
    assert most_laid_out(predetermined_board(3), "zeppelin") == 0


def test_wf_7_14_nobody_has_two_grey_markers_of_a_kind():
    """Also where the sets of markers would have enough of them."""
    b = set_up(options={"factories": "free"})
    for row in b.mat:
        row.markers = []
    b.players[0].markers = ["quality:light"]
    assert broken(b) == []
    b.players[0].markers *= 2
    assert [(breach.rule, breach.reason.key) for breach in WATER_FRAME.integrity.breaches(b)] == [
        ("WF-7.14", "grey_markers")
    ]
