"""WF-9: what of the rulebook's worked examples no effect tells (the others: `test_worked_examples`)."""

from __future__ import annotations

from daybook.domain.games.water_frame import WATER_FRAME, moves
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import DONE, after, doing, legal, plant, play, player, refusal, set_up


def test_wf_9_23_where_ships_may_be_placed():
    b = set_up(player(ships="2 6"))
    rows = {ship: [d.row for d in legal(b, 0, moves.Place) if d.marker == ship] for ship in ("ship:2", "ship:6")}
    assert rows == {"ship:2": [2, 4, 6, 8, 10], "ship:6": [6, 8, 10]}


def delivery(stored, tiles="", contracts="4 lamps", **factories):
    return doing(
        "ship:6",
        6,
        player(
            ships="6",
            tiles=tiles,
            contracts=contracts,
            stored=stored,
            slots="1 lamps 1 clothes 1 food",
            lamps=plant(2, price=9),
            food=plant(),
            **factories,
        ),
    )


def test_wf_9_27_the_same_with_the_office():
    b, effects = play(delivery("4 lamps", "office"), (0, moves.Fulfil("lamps")))
    assert only(effects, moves.OfficePaid) and b.players[0].cash == 111
    shipped = WATER_FRAME.figures(b)["shipped"][0]
    assert shipped == sum(e.amount for e in only(effects, moves.ContractFulfilled, moves.OfficePaid)) == 61


def test_wf_9_31_a_fifth_tile_for_the_small_warehouse():
    b = doing(
        "workers", 2, player(food=plant(), tiles="school office agent small_warehouse", stored="3 lamps", slots="2 row")
    )
    b = after(b, DONE, (0, moves.TakeTile("broker")))
    b, effects = play(b, (0, moves.ReturnTile("small_warehouse")))
    assert only(effects, moves.GoodsLost) == [moves.GoodsLost("WF-4.1.10", 0, "lamps", 1, False)]
    assert refusal(b, 0, moves.Broker(1))[0] == "WF-4.0.6"
