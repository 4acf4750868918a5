"""WF-3: the set-up and the preparation round, and the economy phase (WF-4.3)."""

from __future__ import annotations

from collections import Counter

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves, people, setup
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    SHEET,
    after,
    broken,
    effects_after,
    founding,
    legal,
    mat_rows,
    opening_board,
    plant,
    play,
    player,
    predetermined_board,
    refusal,
    set_up,
    some_mat,
    table,
    to_act,
)

M, Q, D, P = "machinery", "quality", "distribution", "production"


def after_founding(seats=3):
    """Return a board on which every player has two factories and seat 0 is the start player."""
    goods = ["food", "clothes", "cutlery", "lamps"]
    first = [(seat, moves.Found(goods[seat], 6)) for seat in range(seats)]
    second = [(seat, moves.Found(goods[(seat + 1) % 4], 6)) for seat in reversed(range(seats))]
    return after(founding(seats), *first, *second)


# --- options and the board ---


def test_wf_3_1_1_two_to_four_players_in_colours():
    with pytest.raises(IllegalDecision):
        WATER_FRAME.table(["blue"], {}, SHEET)
    assert [len(opening_board(seats).players) for seats in (2, 3, 4)] == [2, 3, 4]


def test_wf_3_1_2_the_preparation_round_is_free_or_predetermined():
    """WF-3.1: each option by itself."""
    assert opening_board().stage == "start_player"
    assert opening_board(factories="predetermined").stage == "mat"


def test_wf_3_1_3_mat_and_tiles_are_random_or_predetermined():
    b = after(opening_board(mat="predetermined"), (TABLE, moves.StartPlayer(0)))
    assert (b.stage, sum(b.tiles.values())) == ("found_first", 18)
    b = after(opening_board(mat="patrons"), (TABLE, moves.StartPlayer(0)), (TABLE, some_mat(opening_board())))
    assert {kind for kind, count in b.tiles.items() if count} == {
        "charisma",
        "inventor",
        "patron_food",
        "patron_clothes",
        "patron_cutlery",
        "patron_lamps",
    }


def test_wf_3_1_4_events_are_random_predetermined_or_shuffled():
    for events in ("random", "predetermined", "shuffled"):
        assert opening_board(events=events).options.events == events
    with pytest.raises(IllegalDecision):
        table(events="none")


def test_wf_3_2_1_the_board_at_the_start():
    b = opening_board()
    assert (b.decade, b.importers) == (1760, dict.fromkeys(GOODS, 0))
    assert [player.space for player in b.players] == [10, 10, 10]
    assert [b.appeal(0, good) for good in GOODS] == [0, 0, 0, 0]


@pytest.mark.parametrize(("seats", "fired", "box"), [(4, 4, 0), (3, 8, 0), (2, 4, 8)])
def test_wf_3_2_6_workers_taken_off_the_full_job_market(seats, fired, box):
    """WF-3.2.5: one worker lies on each space."""
    b = opening_board(seats)
    assert (b.fired, b.box, b.market) == (fired, box, 80 - fired - box)


def test_wf_3_3_1_what_every_player_gets():
    player = opening_board().players[0]
    assert (player.shares, player.bank, player.cash, player.standing) == (15, 15, 0, [])


def test_wf_3_3_2_the_start_player_is_drawn():
    b = opening_board()
    assert refusal(b, TABLE, moves.StartPlayer(3)) == ("WF-3.3.2", "no_such_seat")
    assert legal(b, TABLE) == [moves.StartPlayer(0), moves.StartPlayer(1), moves.StartPlayer(2)]
    effects = effects_after(b, (TABLE, moves.StartPlayer(2)))
    assert effects == [moves.StartPlayerNamed("WF-3.3.2", 2, None, "drawn")]


# --- special markers and tiles ---


def test_wf_3_4_1_ships_lie_on_their_rows():
    """WF-2.12.4 and WF-2.18.4: with two players only the small ones."""
    assert [row.ships for row in opening_board(4).mat] == [[2, 2, 2, 2], [4, 4], [6, 6], [8, 10]]
    assert [row.ships for row in opening_board(2).mat] == [[2, 2, 2, 2], [], [], []]


def test_wf_3_4_2_grey_markers_are_laid_one_by_one():
    b = after(opening_board(), (TABLE, moves.StartPlayer(0)))
    assert effects_after(b, (TABLE, moves.MarkerLaid("quality"))) == [
        moves.MatMarkerLaid("WF-3.4.2", "I", "quality", "light")
    ]
    b = after(b, (TABLE, moves.MarkerLaid("quality")), (TABLE, moves.MarkerLaid("quality")))
    assert refusal(b, TABLE, moves.MarkerLaid("quality")) == ("WF-2.18", "marker_gone")
    assert {fact.name: weight for fact, weight in WATER_FRAME.facts(b) if isinstance(fact, moves.MarkerLaid)} == {
        "machinery": 2,
        "distribution": 2,
        "production": 2,
    }
    b = after(b, *[(TABLE, moves.MarkerLaid(name)) for name in (M, M, D, D, Q, Q, P, P, M, M)])
    assert (b.stage, mat_rows(b)["IV"]) == ("tiles", [P, M, M])


def mat(first, second=(Q, D, P)):
    """A whole mat: its light rows, before dark rows that are always the same."""
    return moves.LayOutMat(first, second, (M, Q, D), (D, P, P))


def test_wf_3_4_2_grey_markers_are_told_at_once():
    b = after(opening_board(), (TABLE, moves.StartPlayer(0)))
    assert only(effects_after(b, (TABLE, mat((M, M, Q)))), moves.MatLaidOut)[0].rows["I"] == (M, M, Q)
    assert refusal(b, TABLE, mat((M, M))) == ("WF-3.4.2", "mat_rows")
    assert refusal(b, TABLE, mat((M, M, M))) == ("WF-2.18", "marker_gone")


def test_wf_3_4_2_what_was_laid_singly_is_part_of_the_whole_mat():
    b = after(
        opening_board(), (TABLE, moves.StartPlayer(0)), *[(TABLE, moves.MarkerLaid(name)) for name in (Q, Q, D, P)]
    )
    for without in (mat((M, M, Q)), mat((Q, D, Q), (M, M, D))):
        assert refusal(b, TABLE, without) == ("WF-3.4.2", "already_laid")
    b = after(b, (TABLE, mat((Q, D, Q), (M, M, P))))
    assert (b.stage, mat_rows(b)["II"]) == ("tiles", [M, M, P])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_wf_3_4_2_the_mat_that_is_offered_holds_what_was_laid(seats):
    b = after(opening_board(seats), (TABLE, moves.StartPlayer(0)))
    while b.stage == "mat":
        (whole,) = only(legal(b, TABLE), moves.LayOutMat)
        assert after(b, (TABLE, whole)).stage == "tiles"
        *_, name = [fact for fact, weight in WATER_FRAME.facts(b) if isinstance(fact, moves.MarkerLaid) and weight]
        b = after(b, (TABLE, name))


def laying_tiles(seats=3, **options):
    b = after(opening_board(seats, **options), (TABLE, moves.StartPlayer(0)))
    return after(b, (TABLE, some_mat(b)))


@pytest.mark.parametrize(("seats", "total"), [(4, 28), (3, 21), (2, 14)])
def test_wf_3_4_3_tiles_are_drawn_one_by_one(seats, total):
    """WF-2.17: seven for each player, charisma and an inventor among them."""
    b = laying_tiles(seats)
    assert (b.tiles["charisma"], b.tiles["inventor"], sum(b.tiles.values())) == (1, 1, 2)
    for left in range(total - 3, -1, -1):
        fact = next(fact for fact, weight in WATER_FRAME.facts(b) if weight)
        assert only(effects_after(b, (TABLE, fact)), moves.TileLaidOut)[0].to_come == left
        b = after(b, (TABLE, fact))
    assert (b.stage, sum(b.tiles.values())) == ("found_first", total)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_wf_2_17_4_with_the_patrons_there_are_as_many(seats):
    b = laying_tiles(seats, mat="patrons")
    assert sum(b.tiles.values()) == 6
    assert setup.tiles_in_play(b) == 7 * seats


def test_wf_2_17_5_a_copy_too_many_leaves_the_game():
    """WF-6.59: the inventor laid out first counts."""
    b = after(laying_tiles(3), (TABLE, moves.TileDrawn("inventor")))
    assert refusal(b, TABLE, moves.TileDrawn("inventor")) == ("WF-2.17.5", "tile_copies")
    assert refusal(b, TABLE, moves.TileDrawn("charisma")) == ("WF-2.16", "tile_unknown")
    assert refusal(b, TABLE, moves.TileDrawn("banker")) == ("WF-2.16", "tile_unknown")
    b = laying_tiles(2)
    assert refusal(b, TABLE, moves.TileDrawn("inventor")) == ("WF-2.17.5", "tile_copies")


def test_wf_3_4_3_tiles_are_told_at_once():
    b = laying_tiles(2)
    kinds = [
        "charisma",
        "inventor",
        "school",
        "office",
        "patent",
        "foreman",
        "workshop",
        "broker",
        "agent",
        "developer",
        "engineer",
        "accountant",
        "administrator",
        "extra_shifts",
    ]
    whole = moves.LayOutTiles(dict.fromkeys(kinds, 1))
    assert only(effects_after(b, (TABLE, whole)), moves.TilesLaidOut)[0].tiles == dict.fromkeys(
        [kind for kind in b.tiles if kind in kinds], 1
    )
    assert after(b, (TABLE, whole)).stage == "found_first"
    assert refusal(b, TABLE, moves.LayOutTiles(dict.fromkeys(kinds[:-1], 1))) == ("WF-2.17", "tile_count")
    without = {kind: 1 for kind in kinds if kind != "inventor"} | {"patron_food": 1}
    assert refusal(b, TABLE, moves.LayOutTiles(without)) == ("WF-3.4.3", "tile_count")
    twice = {kind: 1 for kind in kinds if kind != "agent"} | {"school": 2}
    assert refusal(b, TABLE, moves.LayOutTiles(twice)) == ("WF-2.17.5", "tile_copies")


def test_wf_3_4_3_singly_drawn_tiles_are_part_of_the_display():
    b = laying_tiles(2)
    (offered,) = only(legal(b, TABLE), moves.LayOutTiles)
    drawn = next(kind for kind in reversed(b.tiles) if b.printed.tiles[kind] and not offered.tiles[kind])
    b = after(b, (TABLE, moves.TileDrawn(drawn)))
    assert refusal(b, TABLE, offered) == ("WF-3.4.3", "already_laid")
    (again,) = only(legal(b, TABLE), moves.LayOutTiles)
    assert after(b, (TABLE, again)).tiles[drawn] == 1


def test_wf_2_17_5_a_form_knows_how_many_of_a_kind_may_lie_out():
    b = laying_tiles(3)
    most_of = WATER_FRAME.kinds[moves.LayOutTiles].most
    assert most_of is not None and WATER_FRAME.kinds[moves.LayOutMat].most is None
    most = most_of(b, TABLE)
    assert (most["tiles.school"], most["tiles.charisma"], most["tiles.unknown_a"]) == (2, 1, 0)


def test_wf_2_23_1_unknown_tile_is_laid_out_and_taken():
    numbers = {"tiles.unknown_a.copies": 2}
    b = after(opening_board(3, numbers, factories="predetermined"), (TABLE, some_mat(opening_board())))
    b = after(b, (TABLE, moves.TileDrawn("unknown_a")))
    assert b.tiles["unknown_a"] == 1
    assert refusal(
        after(opening_board(3, factories="predetermined"), (TABLE, some_mat(opening_board()))),
        TABLE,
        moves.TileDrawn("unknown_a"),
    ) == ("WF-2.16", "tile_unknown")


# --- the free preparation round ---


def test_wf_3_5_1_the_first_foundation_in_player_order():
    b = founding(3, start=1)
    assert refusal(b, 0, moves.Found("food", 5)) == ("WF-4.0.6", "not_your_turn")
    assert len(legal(b, 1, moves.Found)) == (8 - 4) + (9 - 4) + (10 - 4) + (11 - 4)
    assert refusal(b, 1, moves.Found("food", 9)) == ("WF-3.5.1", "price")
    assert refusal(b, 1, moves.Found("food", 4)) == ("WF-3.5.1", "price")
    assert to_act(after(b, (1, moves.Found("food", 5)))) == (2,)


def test_wf_3_5_2_two_rows_are_filled_from_the_job_market():
    b = founding(3)
    effects = effects_after(b, (0, moves.Found("cutlery", 7)))
    assert effects == [moves.FactoryFounded("WF-3.5.2", 0, "cutlery", 10, 7, 3, 5)]
    after_it = after(b, (0, moves.Found("cutlery", 7)))
    assert after_it.factory(0, "cutlery").workers == [2, 3, 0, 0]
    assert (after_it.market, after_it.fired, after_it.players[0].cash) == (b.market - 5, b.fired, 0)


def test_wf_3_5_3_the_second_foundation_in_reverse_order():
    b = after(founding(3), *[(seat, moves.Found("food", 6)) for seat in range(3)])
    assert (b.stage, to_act(b)) == ("found_second", (2,))
    assert refusal(b, 2, moves.Found("food", 6)) == ("WF-3.5.3", "same_good")
    b, effects = play(b, *[(seat, moves.Found("lamps", 9)) for seat in (2, 1, 0)])
    assert (b.stage, to_act(b)) == ("capital", (2,))
    assert only(effects, moves.PhaseBegun) == [moves.PhaseBegun("WF-3.6.1", "capital")]


def test_wf_3_6_1_each_player_takes_both_steps_before_the_next():
    b = after(after_founding(), (2, moves.SellShares(5)))
    assert (b.stage, to_act(b)) == ("special", (2,))
    b = after(b, (2, moves.Pass()))
    assert (b.stage, to_act(b)) == ("capital", (1,))


def test_wf_3_6_2_shares_are_sold_for_ten_pounds_each():
    b = after_founding()
    assert refusal(b, 2, moves.SellShares(2)) == ("WF-3.6.2", "bill")  # cutlery 10 and lamps 11
    assert refusal(b, 2, moves.SellShares(16)) == ("WF-3.6.2", "shares")
    assert refusal(b, 2, moves.SellShares(-1)) == ("WF-3.6.2", "shares")
    assert effects_after(b, (2, moves.SellShares(3))) == [moves.SharesSold("WF-3.6.2", 2, 3, 10, 30)]
    player = after(b, (2, moves.SellShares(3))).players[2]
    assert (player.shares, player.bank, player.cash, player.space) == (12, 18, 30, 10)


def test_wf_3_6_3_one_special_marker_of_row_one_or_none():
    """WF-6.47: the inventor does not help here."""
    b = after(after_founding(), (2, moves.SellShares(5)))
    names = mat_rows(b)["I"]
    assert {d.name for d in legal(b, 2, moves.TakeMarker)} == set(names)
    assert {d.shade for d in legal(b, 2, moves.TakeMarker)} == {"light"}
    assert legal(b, 2, moves.TakeShip) == [moves.TakeShip(2)]
    assert refusal(b, 2, moves.TakeShip(4)) == ("WF-4.14.4", "level")
    b = after(b, (2, moves.TakeTile("charisma")), (1, moves.SellShares(5)))
    assert refusal(b, 1, moves.TakeTile("charisma")) == ("WF-4.14.1", "tile_gone")
    effects = effects_after(b, (1, moves.TakeTile("inventor")))
    assert effects[0] == moves.TileTaken("WF-3.6.3", 1, "inventor", None)


def test_wf_3_6_3_a_foreman_gets_its_factory_space_at_once():
    b = after(predetermined_tiles_only(), (2, moves.SellShares(5)))
    assert refusal(b, 2, moves.TakeTile("foreman")) == ("WF-4.14.2", "assign")
    b = after(b, (2, moves.TakeTile("foreman", "cutlery")))
    assert b.players[2].works_at("foreman", "cutlery")


def predetermined_tiles_only():
    b = after(opening_board(mat="predetermined"), (TABLE, moves.StartPlayer(0)))
    goods = ["food", "clothes", "cutlery"]
    return after(
        b,
        *[(seat, moves.Found(good, 6)) for seat, good in enumerate(goods)],
        *[(seat, moves.Found("lamps", 9)) for seat in (2, 1, 0)],
    )


def before_the_last_pass():
    """All have sold the shares that they sell, and one has to say so."""
    sold = (2, moves.SellShares(5)), (2, moves.Pass()), (1, moves.SellShares(4)), (1, moves.Pass())
    return after(after_founding(), *sold, (0, moves.SellShares(2)))


def test_wf_3_7_1_everybody_pays_for_both_factories():
    b = before_the_last_pass()
    effects = effects_after(b, (0, moves.Pass()))
    assert only(effects, moves.Paid) == [
        moves.Paid("WF-3.7.1", 0, 17, "foundation"),
        moves.Paid("WF-3.7.1", 1, 19, "foundation"),
        moves.Paid("WF-3.7.1", 2, 21, "foundation"),
    ]
    assert [player.cash for player in after(b, (0, moves.Pass())).players] == [3, 21, 29]


def test_wf_3_7_2_then_the_first_decade_begins():
    """WF-4.2.1: a decade begins with the cycle of food."""
    b = before_the_last_pass()
    assert only(effects_after(b, (0, moves.Pass())), moves.DecadeBegun) == [moves.DecadeBegun("WF-4.2.1", 1770, 1)]
    b = after(b, (0, moves.Pass()))
    assert (b.stage, b.decade, b.cycle, b.good, b.starter) == ("economy", 1770, 1, "food", 0)


# --- the predetermined preparation round ---


STARTS = [
    ("WF-2.20.1", 4, 0, {"clothes": (4, 6, 3), "cutlery": (5, 6, 4)}, 9, 41, M),
    ("WF-2.20.2", 4, 1, {"food": (4, 7, 1), "cutlery": (5, 7, 3)}, 10, 32, Q),
    ("WF-2.20.3", 4, 2, {"clothes": (4, 5, 4), "lamps": (6, 8, 3)}, 9, 40, D),
    ("WF-2.20.4", 4, 3, {"food": (4, 5, 3), "lamps": (6, 9, 2)}, 10, 31, P),
    ("WF-2.20.5", 3, 0, {"food": (4, 7, 1), "clothes": (4, 8, 1)}, 10, 33, M),
    ("WF-2.20.6", 3, 1, {"food": (4, 6, 2), "cutlery": (5, 8, 2)}, 9, 42, Q),
    ("WF-2.20.7", 3, 2, {"food": (4, 5, 3), "lamps": (6, 9, 2)}, 9, 41, D),
    ("WF-2.20.8", 2, 0, {"food": (4, 5, 3), "cutlery": (5, 8, 2)}, 8, 52, M),
    ("WF-2.20.9", 2, 1, {"food": (4, 7, 1), "clothes": (4, 8, 1)}, 7, 63, D),
]


@pytest.mark.parametrize(("rule", "seats", "seat", "factories", "shares", "cash", "marker"), STARTS)
def test_wf_2_20_what_the_predetermined_set_up_gives(rule, seats, seat, factories, shares, cash, marker):
    """WF-9.4: bills and cash included. WF-6.4: a light grey marker each."""
    b = predetermined_board(seats)
    player = b.players[seat]
    assert {
        good: (sum(b.factory(seat, good).workers), b.factory(seat, good).price, b.appeal(seat, good))
        for good in player.standing
    } == factories
    assert (player.shares, player.bank, player.cash, player.markers) == (shares, 30 - shares, cash, [f"{marker}:light"])


@pytest.mark.parametrize(
    ("rule", "seats", "fired", "box", "empty", "wage", "demand"),
    [
        ("WF-2.20.10", 4, 4, 0, 42, 3, [11, 10, 8, 7]),
        ("WF-2.20.11", 3, 8, 0, 35, 3, [9, 8, 7, 5]),
        ("WF-2.20.12", 2, 4, 8, 29, 2, [8, 6, 5, 4]),
    ],
)
def test_wf_2_20_the_job_market_afterwards(rule, seats, fired, box, empty, wage, demand):
    b = predetermined_board(seats)
    assert (b.fired, b.box, b.empty, people.wage(b)) == (fired, box, empty, wage)
    assert [people.demand(b, good) for good in GOODS] == demand


def test_wf_3_8_1_markers_are_taken_off_the_mat():
    assert mat_rows(predetermined_board(3)) == {"I": [], "II": [M, Q, D], "III": [M, D, Q], "IV": [D, Q, P]}


def mixed_start():
    """WF-3.1.4: the predetermined parts may be mixed with others. No light distribution marker lies on the mat."""
    b = after(
        opening_board(factories="predetermined"), (TABLE, moves.LayOutMat((M, M, Q), (Q, P, P), (M, Q, D), (D, P, P)))
    )
    effects = []
    while b.stage == "tiles":
        fact = next(fact for fact, weight in WATER_FRAME.facts(b) if weight)
        effects = effects_after(b, (TABLE, fact))
        b = after(b, (TABLE, fact))
    return b, effects


def test_wf_3_8_1_missing_mat_marker_is_replaced_by_another():
    b, effects = mixed_start()
    assert only(effects, moves.GreyMarkerTaken) == [
        moves.GreyMarkerTaken("WF-3.8.1", 0, M, "light", "I", False),
        moves.GreyMarkerTaken("WF-3.8.1", 1, Q, "light", "I", False),
    ]
    assert (b.stage, b.decade, WATER_FRAME.waits_for(b)) == ("economy", 1770, (2,))
    assert legal(b, 2) == [moves.StartMarker(M), moves.StartMarker(Q), moves.StartMarker(P)]
    assert refusal(b, 2, moves.StartMarker(D)) == ("WF-7.14", "marker_gone")
    assert refusal(b, 0, moves.StartMarker(M)) == ("WF-4.0.6", "not_your_turn")
    assert refusal(b, TABLE, moves.RevealEconomy(1, 3))[0] in ("WF-8.2", "WF-4.0.6"), "not before everybody has one"
    assert effects_after(b, (2, moves.StartMarker(P))) == [
        moves.GreyMarkerTaken("WF-3.8.1", 2, P, "light", "II", False)
    ]
    b = after(b, (2, moves.StartMarker(P)))
    assert (b.players[2].markers, WATER_FRAME.waits_for(b)) == (["production:light"], (TABLE,))


def test_wf_7_14_mat_and_player_markers_are_those_laid_out():
    b, _ = mixed_start()
    b = after(b, (2, moves.StartMarker(M)))
    assert sum(len(row.markers) for row in b.mat) + sum(len(player.markers) for player in b.players) == 12
    assert broken(b) == []


def test_wf_2_20_the_first_colour_is_the_start_player():
    """If the colours are those of the table, each has its own; other games use the order of seats."""
    options = {"factories": "predetermined", "mat": "predetermined"}
    b = WATER_FRAME.opening_board(WATER_FRAME.table(["green", "blue", "red"], options, SHEET))
    assert (b.starter, [player.cash for player in b.players]) == (1, [41, 33, 42])
    b = WATER_FRAME.opening_board(WATER_FRAME.table(["yellow", "blue", "red"], options, SHEET))
    assert (b.starter, [player.cash for player in b.players]) == (0, [33, 42, 41])


# --- the economy phase ---


def test_wf_3_2_4_removed_marker_does_not_return():
    """An adjustment may say that it was revealed all the same."""
    b = predetermined_board()
    b.economy["food"] = ["0/3"]
    assert refusal(b, TABLE, moves.RevealEconomy(0, 3)) == ("WF-4.3.1", "marker_gone")
    assert moves.RevealEconomy(0, 2) in legal(b, TABLE) and moves.RevealEconomy(0, 3) not in legal(b, TABLE)


def test_wf_3_6_2_the_shares_sold_pay_for_the_factories():
    """Clothes and lamps cost £20; a share brings £10."""
    b = set_up(player(clothes=plant(), lamps=plant()))
    assert setup.bill_covered(b, 0, moves.SellShares(2)) is None
    assert str(setup.bill_covered(b, 0, moves.SellShares(1))) == "the factories cost £20, and 1 share brings £10"
    assert [setup.shares_held(b, 0, moves.SellShares(count)) is None for count in (-1, 0, 10, 11)] == [
        False,
        True,
        True,
        False,
    ]


def test_wf_2_17_5_tile_not_in_the_box_is_not_laid_out():
    b = set_up()
    assert setup.tiles_there(b, moves.LayOutTiles({"school": 2})) is None
    assert str(setup.tiles_there(b, moves.LayOutTiles({"zeppelin": 1}))) == "at most 0 zeppelin tiles are laid out"


def test_wf_2_18_shade_with_too_many_of_a_marker_is_named():
    b = opening_board(2)
    mats = {
        "light": moves.LayOutMat((M, Q), (M, P), (M, Q), (D, P)),
        "dark": moves.LayOutMat((M, Q), (D, P), (M, Q), (M, P)),
    }
    for shade, mat in mats.items():
        assert str(setup.markers_there(b, mat)) == f"there are 1 {shade} machinery markers"


def test_wf_4_3_1_an_economy_marker_of_the_active_good():
    """WF-3.2.4: without those that bring three workers back when the predetermined events are used."""
    assert len(legal(predetermined_board(), TABLE)) == 6
    assert len(legal(predetermined_board(events="shuffled"), TABLE)) == 6
    assert len(legal(predetermined_board(events="random"), TABLE)) == 9
    assert len(legal(predetermined_board(2, events="random"), TABLE)) == 6
    assert refusal(predetermined_board(), TABLE, moves.RevealEconomy(1, 3)) == ("WF-4.3.1", "marker_gone")
    assert refusal(predetermined_board(), 0, moves.RevealEconomy(1, 2)) == ("WF-8.2", "table_decides")


def test_wf_4_3_1_a_revealed_marker_does_not_come_again():
    """WF-2.14.2: one for each decade."""
    b = set_up(stage="economy", decade=1780, economy={"food": ["1/2"], "clothes": [], "cutlery": [], "lamps": []})
    assert refusal(b, TABLE, moves.RevealEconomy(1, 2)) == ("WF-4.3.1", "marker_gone")
    assert Counter(weight for _, weight in WATER_FRAME.facts(b)) == {1: 8}


def test_wf_4_3_2_the_importer_advances():
    b = set_up(stage="economy", importers={"food": 2, "clothes": 0, "cutlery": 0, "lamps": 0})
    assert after(b, (TABLE, moves.RevealEconomy(2, 1))).importers["food"] == 4


def test_wf_4_3_3_workers_come_back_as_far_as_there_are_any():
    b = set_up(stage="economy", fired=2)
    effects = effects_after(b, (TABLE, moves.RevealEconomy(1, 3)))
    assert effects[0] == moves.EconomyRevealed("WF-4.3.1", "food", 1, 1, 3, 2)
    b2 = after(b, (TABLE, moves.RevealEconomy(1, 3)))
    assert (b2.fired, b2.market, b2.stage) == (0, b.market + 2, "marker")


def test_wf_4_2_2_a_cycle_has_an_economy_phase_then_actions():
    """WF-4.2, WF-4.2.4: the development level is the decade's."""
    b = set_up(stage="economy", decade=1780)
    assert (b.phase, b.level, b.good) == ("economy", 2, "food")
    assert after(b, (TABLE, moves.RevealEconomy(0, 1))).phase == "actions"
