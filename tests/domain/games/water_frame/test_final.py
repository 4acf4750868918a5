"""WF-4.23, WF-4.24 and WF-5: emergencies, the end of the game and the scores."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves, people
from daybook.domain.games.water_frame.board import Turn
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import TABLE, ScoreLine
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    after,
    cycle_ended,
    legal,
    plant,
    play,
    player,
    predetermined_board,
    refusal,
    set_up,
)
from tests.domain.games.water_frame.sound import sound_game

DONE = (0, moves.Done())
ALL_DONE = tuple((seat, moves.Done()) for seat in range(3))


def paying(amount, *more, **given):
    """Seat 0 has to pay."""
    b = set_up(player(**given), stage="event", cycle=0)
    return play(b, (TABLE, moves.EventCustom("Bill", tuple(moves.CashGiven(0, -each) for each in (amount, *more)))))


def at_the_end(*players, **position):
    """The final stock exchange."""
    b = set_up(*players, stage="event", cycle=0, decade=1810, **position)
    return after(b, (TABLE, moves.RevealEvent("end_of_game")))


def over(*players, **position):
    return after(at_the_end(*players, **position), *ALL_DONE)


def end_game(*players, **position):
    return play(at_the_end(*players, **position), *ALL_DONE)


# --- emergency sale and loans ---


def test_wf_4_23_1_only_what_is_missing_is_raised():
    b, effects = paying(30, cash=29, shares=5, space=9)
    assert (only(effects, moves.EmergencySale)[0].count, b.players[0].cash) == (1, 8)
    assert only(paying(30, cash=30)[1], moves.EmergencySale) == []


def test_wf_4_23_2_at_the_value_without_a_minimum():
    assert only(paying(4, cash=0, space=2)[1], moves.EmergencySale)[0].each == 2


@pytest.mark.parametrize(
    ("space", "penalty"), [(1, 1), (5, 1), (9, 1), (10, 1), (19, 1), (20, 2), (39, 3), (99, 9), (100, 1)]
)
def test_wf_4_23_3_the_first_digit_of_the_space_before(space, penalty):
    assert only(paying(1, cash=0, space=space)[1], moves.EmergencySale)[0].penalty == penalty


@pytest.mark.parametrize(("ruling", "penalty"), [("one", 1), ("none", 0), ("digit", 7)])
def test_wf_6_7_spaces_of_one_digit_may_be_ruled_otherwise(ruling, penalty):
    b = set_up(player(cash=0, space=7), stage="event", cycle=0, numbers={"rulings.single_digit_space_penalty": ruling})
    _, effects = play(b, (TABLE, moves.EventCustom("Bill", (moves.CashGiven(0, -1),))))
    assert only(effects, moves.EmergencySale)[0].penalty == penalty


def test_wf_4_23_3_the_indicator_moves_once():
    """Though the second share is sold from the tens."""
    _, effects = paying(30, cash=0, shares=9, space=20)
    assert [(e.origin, e.to) for e in only(effects, moves.ShareValueMoved)] == [(20, 16)]


def test_wf_4_23_3_and_wf_6_8_not_below_the_first_space():
    _, effects = paying(20, cash=0, shares=9, space=3)
    assert [(e.spaces, e.lost, e.to) for e in only(effects, moves.ShareValueMoved)] == [(-7, 5, 1)]


def test_wf_4_23_4_loans_when_no_shares_are_left():
    b, effects = paying(30, cash=0, shares=1, space=9)
    assert only(effects, moves.EmergencySale, moves.LoansTaken) == [
        moves.EmergencySale("WF-4.23.2", 0, 1, 9, 9, 1),
        moves.LoansTaken("WF-4.23.4", 0, 3, 30),
    ]
    assert (b.players[0].loans, b.players[0].bank, b.players[0].space, b.players[0].cash) == (3, 27, 5, 9)


def test_wf_4_23_5_the_change_stays_with_the_player():
    b, _ = paying(11, cash=0, shares=0)
    assert (b.players[0].loans, b.players[0].cash) == (2, 9)


def test_wf_4_23_6_every_payment_reads_the_indicator_anew():
    """WF-6.5."""
    _, effects = paying(15, 15, cash=0, shares=5, space=28)
    assert [(e.count, e.each) for e in only(effects, moves.EmergencySale)] == [(1, 19), (1, 18)]
    _, effects = paying(30, cash=0, shares=5, space=28)
    assert [(e.count, e.each) for e in only(effects, moves.EmergencySale)] == [(2, 19)]


def test_wf_4_23_7_with_loans_no_shares_are_bought():
    b = set_up(player(loans=1), stage="main", turn=Turn(marker="stock_exchange"))
    assert refusal(b, 0, moves.Buy(1)) == ("WF-4.23.7", "loans")
    half = set_up(player(loans=1, tiles="broker"), stage="additional", turn=Turn(marker="stock_exchange"))
    assert refusal(half, 0, moves.Broker(1)) == ("WF-4.23.7", "loans")
    assert refusal(after(b, (0, moves.Repay(1))), 0, moves.Buy(1)) is None


# --- the end ---


def test_wf_9_46_the_last_shares_are_bought():
    b = at_the_end(player(space=36, shares=16, cash=84))
    assert refusal(b, 0, moves.Buy(4)) == ("WF-4.1.4", "no_cash")
    b, effects = play(b, (0, moves.Buy(3)))
    assert (effects[0].amount, b.players[0].shares, b.players[0].cash) == (66, 19, 18)


def test_wf_4_24_1_after_crews_and_firing_comes_the_end():
    b, effects = cycle_ended(player(slots="1 row"), cycle=4, decade=1810)
    assert (b.stage, only(effects, moves.Paid)[0].expense) == ("firing", "harbour")
    b = after(b, DONE)
    assert legal(b, TABLE) == [moves.RevealEvent("end_of_game")]


def test_wf_4_24_2_everyone_sells_repays_and_buys_in_order():
    b = at_the_end(player(stored="2 food", slots="1 food", loans=1), start=0)
    kinds = set(map(type, legal(b, 0)))
    assert kinds == {moves.SellGoods, moves.Repay, moves.Done}
    b = after(b, (0, moves.Repay(1)))
    assert set(map(type, legal(b, 0))) == {moves.SellGoods, moves.Buy, moves.Done}
    assert refusal(b, 0, moves.Contract("food", 2)) is not None
    assert after(b, DONE).decider == 1


def test_wf_6_34_no_one_sells_shares_then_but_by_the_broker():
    # also WF-6.52
    b = at_the_end(player(), player(tiles="broker"))
    assert not legal(b, 0, moves.Sell)
    assert legal(after(b, DONE), 1, moves.Sell)


def test_wf_6_61_on_the_first_spaces_a_share_costs_ten():
    _, effects = play(at_the_end(player(space=4)), (0, moves.Buy(1)))
    assert effects[0].each == 10


def test_wf_4_24_3_loans_lose():
    b, effects = end_game(player(loans=1, cash=90), player(shares=0))
    assert only(effects, moves.LoansLost) == [moves.LoansLost("WF-4.24.3", 0, 1)]
    assert only(effects, moves.GameEnded) == [moves.GameEnded("WF-4.24.5", (None, 0, 100))]
    assert WATER_FRAME.scoring.outcome(b).ranks == (3, 2, 1)


def test_wf_4_24_4_marked_factories_cost_spaces_and_shares():
    b, effects = end_game(player(space=41, shares=5, food=plant(marked=True), lamps=plant(price=9, marked=True)))
    assert only(effects, moves.SharesReturned) == [moves.SharesReturned("WF-4.24.4", 0, 4, 2)]
    assert (b.players[0].space, b.players[0].shares, b.players[0].bank) == (33, 1, 29)


def test_wf_6_39_as_many_shares_as_are_held():
    b, _ = end_game(player(shares=1, food=plant(marked=True)))
    assert (b.players[0].shares, b.players[0].loans) == (0, 0)


@pytest.mark.parametrize("space", [6, 10])
def test_wf_9_49_contracts_cost_their_space(space):
    b, effects = end_game(player(space=41, contracts=f"{space} food"))
    assert (b.players[0].space, [e.cause for e in only(effects, moves.ShareValueMoved)]) == (41 - space, ["contract"])


# --- scores ---


def test_wf_5_1_1_players_with_loans_are_no_longer_ranked():
    b = over(player(loans=1, cash=90), player(shares=0, cash=0), player(shares=0, cash=5))
    outcome = WATER_FRAME.scoring.outcome(b)
    assert (outcome.ranks, outcome.unranked) == ((3, 2, 1), (0,))
    assert [outcome.place(seat) for seat in range(3)] == [None, 2, 1]
    assert [(t.name, t.values) for t in outcome.tiebreaks] == [("without_loans", (0, 1, 1)), ("cash", (90, 0, 5))]


def test_wf_5_1_2_and_wf_5_1_3_penalties_are_lines_of_the_score():
    given = player(shares=19, space=41, contracts="6 food 2 lamps", food=plant(marked=True))
    b = at_the_end(given)
    expected = (
        ScoreLine(
            "portfolio",
            456,
            "WF-5.1.4",
            {"shares": 19, "value": 24, "space": 41},
            ("/players/0/shares", "/players/0/space"),
        ),
        ScoreLine(
            "marked_factories",
            17 * 23 - 456,
            "WF-5.1.2",
            {"factories": 1, "spaces": 4, "shares": 2, "space": 37},
            ("/players/0/factories",),
        ),
        ScoreLine(
            "contracts",
            17 * 20 - 17 * 23,
            "WF-5.1.3",
            {"spaces": 8, "space": 29, "value": 20},
            ("/players/0/contracts",),
        ),
    )
    assert WATER_FRAME.scoring.standing(b)[0].lines == expected
    finished = after(b, *ALL_DONE)
    assert WATER_FRAME.scoring.standing(finished)[0].lines == expected
    assert finished.portfolio(0) == 17 * 20


def test_wf_5_1_2_neither_space_nor_shares_below_their_least():
    b = over(player(shares=1, space=3, food=plant(marked=True), contracts="10 food"))
    assert (b.players[0].space, b.players[0].shares, WATER_FRAME.scoring.standing(b)[0].total) == (1, 0, 0)


def test_wf_5_1_4_shares_times_value_is_the_score():
    outcome = WATER_FRAME.scoring.outcome(over(player(shares=5, cash=0), player(shares=6), player(shares=4, space=20)))
    assert outcome.ranks == (3, 1, 1)
    assert (outcome.rule, outcome.reason.key) == ("WF-4.24.5", "end_of_game")


def test_wf_5_1_5_a_tie_is_broken_by_cash_and_may_stay():
    assert WATER_FRAME.scoring.outcome(over(player(cash=5), player(cash=6), player(cash=6))).ranks == (3, 1, 1)
    outcome = WATER_FRAME.scoring.outcome(over(player(shares=9), player(shares=8), player(shares=7)))
    assert outcome.tiebreaks == ()


def test_wf_5_1_6_if_everybody_has_loans_nobody_wins():
    outcome = WATER_FRAME.scoring.outcome(over(player(loans=1), player(loans=1), player(loans=2)))
    assert (outcome.rule, outcome.ranks, outcome.unranked) == ("WF-5.1.6", (3, 3, 3), (0, 1, 2))


def test_wf_5_1_6_while_the_game_goes_on_there_is_no_outcome():
    assert WATER_FRAME.scoring.outcome(at_the_end()) is None


def test_wf_5_2_1_each_decade_is_a_period():
    b = set_up(stage="event", cycle=0)
    b, step = WATER_FRAME.step(b, TABLE, moves.RevealEvent("unknown_a"))
    assert (step.closed, b.stage, step.marks["decade"]) == ([("decade", 1770)], "start_named", 1780)
    _, step = WATER_FRAME.step(b, b.decider, moves.NameStartPlayer(0))
    assert (step.closed, step.marks["decade"]) == ([], 1780)
    b = after(at_the_end(), *ALL_DONE[:2])
    assert WATER_FRAME.step(b, 2, moves.Done())[1].closed == [("decade", 1810)]


def test_wf_5_2_1_the_last_decade_is_scored_before_the_penalties():
    _, effects = end_game(player(shares=19, space=41, contracts="6 food"))
    assert only(effects, moves.DecadeScored)[0].portfolios[0] == 456


def test_wf_5_2_2_and_wf_5_2_6_the_ledger():
    b = set_up(
        player(
            cash=7,
            shares=4,
            space=22,
            contracts="6 food 4 lamps",
            stored="2 food",
            slots="1 food",
            ships="6",
            food=plant(rows="2 1 0 0", machines="0 1 0 0"),
        ),
        player(loans=2),
    )
    figures = {name: values[0] for name, values in WATER_FRAME.figures(b).items()}
    assert (
        figures
        | {
            "cash": 7,
            "loans": 0,
            "shares": 4,
            "space": 22,
            "share_value": 16,
            "portfolio": 64,
            "factories": 1,
            "workers": 6,
            "machines": 1,
            "stored": 2,
            "contracts": 2,
            "score": 4 * 11,
        }
        == figures
    )
    assert WATER_FRAME.figures(b)["loans"] == [0, 2, 0]


def test_wf_5_2_3_each_factory_is_on_the_board_complete():
    factory = plant(2, 9, "2 1 2 0", "0 1 0 0", quality=2, distribution=3, obsolete=True, additional=2)
    b = set_up(player(food=factory, clothes=plant(3, 14, marked=True)), decade=1810, cycle=4)
    assert b.document()["players"][0]["factories"]["food"] == {
        "level": 2,
        "price": 9,
        "workers": [2, 1, 2, 0],
        "machines": [0, 1, 0, 0],
        "quality": 2,
        "distribution": 3,
        "obsolete": True,
        "additional": 2,
        "marked": False,
    }
    assert b.document()["players"][0]["factories"]["clothes"]["marked"] is True
    assert b.document()["players"][0]["factories"]["cutlery"] is None
    assert (b.base_quality(0, "food"), b.quality(0, "food"), b.appeal(0, "food")) == (10, 10 + 2, 10 + 2 + 3 - 9)
    assert [b.complete(0, "food", row) for row in (1, 2, 3, 4)] == [True, True, True, False]
    assert [b.printed.row_output("food", 2, row) for row in (1, 2, 3) if b.complete(0, "food", row)] == [1, 2, 2]


def test_wf_5_2_4_other_belongings_are_on_the_board():
    b = set_up(
        player(
            stored="2 food 1 lamps",
            slots="1 food 1 row",
            ships="2 4",
            contracts="6 food 4 lamps",
            tiles="school foreman:food inventor",
            markers="quality:light",
            food=plant(),
            lamps=plant(),
        )
    )
    b.players[0].tiles[2].uses = 3
    lies = b.document()["players"][0]
    assert (lies["stored"]["food"], lies["stored"]["lamps"], lies["stored"]["clothes"]) == (2, 1, 0)
    assert (lies["slots"]["food"], lies["slots"]["row"]) == (1, 1)
    assert (lies["ships"], lies["crew"]) == ([2, 4], sum(b.printed.ships[ship].crew for ship in (2, 4)))
    assert lies["contracts"] == {"food": 6, "clothes": 0, "cutlery": 0, "lamps": 4}
    assert [(tile["kind"], tile["good"], tile["uses"]) for tile in lies["tiles"]] == [
        ("school", None, 0),
        ("foreman", "food", 0),
        ("inventor", None, 3),
    ]
    assert lies["markers"] == ["quality:light"]


def test_wf_5_2_5_the_table_lies_on_the_board():
    """N, wage, demand, workers, importers, development level, and the events in force."""
    b = set_up(
        player(food=plant()),
        decade=1780,
        fired=5,
        empty=30,
        events=["bureaucracy"],
        closed_rows={"2": 1790, "4": 0, "6": 0, "8": 0, "10": 0},
    )
    b.importers["food"] = 3
    lies = b.document()
    assert (b.empty, lies["market"], lies["fired"], lies["box"]) == (
        30,
        b.printed.workers_total - 30,
        5,
        30 - 5 - b.factory(0, "food").people,
    )
    assert (people.wage(b), [people.demand(b, good) for good in GOODS]) == (2, [8, 7, 5, 4])
    assert (lies["importers"]["food"], b.level, lies["events"]) == (3, 2, ["bureaucracy"])
    assert lies["closed_rows"] == {"2": 1790, "4": 0, "6": 0, "8": 0, "10": 0}


def test_wf_5_2_6_the_ledger_adds_up_what_was_told():
    """Over a whole game."""
    b = predetermined_board(3)
    told = []
    for board, seat, d in sound_game(b, 3):
        b, effects = WATER_FRAME.play(board, seat, d)
        told += effects
    figures = WATER_FRAME.figures(b)
    for seat in range(3):
        mine = [e for e in told if getattr(e, "seat", None) == seat]
        assert figures["income"][seat] == sum(e.amount for e in only(mine, moves.SalesPaid))
        assert figures["upkeep"][seat] == sum(e.upkeep for e in only(mine, moves.WagesReckoned))
        assert figures["wages"][seat] == sum(e.amount - e.upkeep for e in only(mine, moves.WagesReckoned))
        moved = [e.to - e.origin for e in only(mine, moves.ShareValueMoved)]
        assert figures["spaces_up"][seat] == sum(n for n in moved if n > 0)
        assert figures["spaces_down"][seat] == -sum(n for n in moved if n < 0)
        for good in ("food", "clothes", "cutlery", "lamps"):
            assert figures[f"sold_{good}"][seat] == sum(e.count for e in only(mine, moves.SalesPaid) if e.good == good)


def test_wf_5_2_7_the_score_is_a_projection():
    b = set_up(player(shares=10, space=22, contracts="6 food"))
    assert [line.name for line in WATER_FRAME.scoring.standing(b)[0].lines] == ["portfolio", "contracts"]
    assert WATER_FRAME.scoring.standing(b)[0].total == 10 * 13 == WATER_FRAME.figures(b)["score"][0]


# --- where the game is ---


def test_wf_5_2_1_marks():
    b = set_up(stage="economy")
    assert WATER_FRAME.course.marks(b) == {"decade": 1770, "cycle": 1, "turn": 0}
    b = after(b, (TABLE, moves.RevealEconomy(0, 1)))
    assert WATER_FRAME.course.marks(b) == {"decade": 1770, "cycle": 1, "turn": 1}
    assert WATER_FRAME.course.marks(set_up(decade=1790, cycle=3, turns=1)) == {"decade": 1790, "cycle": 3, "turn": 32}
    assert WATER_FRAME.course.marks(set_up(stage="event", cycle=0)) == {"decade": 1770, "turn": 12}
