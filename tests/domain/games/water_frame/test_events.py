"""WF-2.15, WF-4.22.5 and WF-4.22.6: which event may lie in a decade, and what events do."""

from __future__ import annotations

from fractions import Fraction

import pytest

from daybook.domain.games.water_frame import events, moves
from daybook.domain.games.water_frame.board import opening
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    WATER_FRAME,
    after,
    legal,
    plant,
    play,
    player,
    refusal,
    set_up,
    table,
)

DRAWN = ["lobby", "war_on_the_continent", "world_exhibition"]
BIG_TABLE = ["navigation_acts", "economic_crisis", "hamburg_credit_crisis", "opium_war"]
UNKNOWN = [f"unknown_{letter}" for letter in "abcdefgh"]


def eventful(*players, decade=1770, **position):
    """The event of a decade is awaited."""
    return set_up(*players, stage="event", cycle=0, decade=decade, **position)


def play_custom_event(b, *effects):
    return play(b, (TABLE, moves.EventCustom("Ours", effects)))


def reveal_event(b, name):
    return play(b, (TABLE, moves.RevealEvent(name)))


def names(b):
    return {d.name for d in legal(b, TABLE, moves.RevealEvent)}


# --- which event may lie here ---


def test_wf_4_22_5_random_bureaucracy_is_in_three_decades():
    # also WF-3.2.2
    for decade in (1770, 1780):
        assert names(eventful(decade=decade)) == {"bureaucracy", *DRAWN, *BIG_TABLE, *UNKNOWN}
    assert names(eventful(decade=1790)) == {"bureaucracy"}
    assert names(eventful(decade=1790, events=["bureaucracy", "lobby"])) == {*DRAWN[1:], *BIG_TABLE, *UNKNOWN}
    assert "bureaucracy" not in names(eventful(decade=1800))


def test_wf_4_22_5_the_last_event_is_the_end_of_the_game():
    b = eventful(decade=1810)
    assert names(b) == {"end_of_game"}
    assert refusal(b, TABLE, moves.RevealEvent("lobby")) == ("WF-4.22.5", "event_elsewhere")
    assert refusal(eventful(events=["lobby"]), TABLE, moves.RevealEvent("lobby")) == ("WF-4.22.5", "event_revealed")


def test_wf_4_22_5_two_players_have_fewer_events():
    b = opening(table(2))
    b.stage, b.decade, b.start = "event", 1770, 0
    assert names(b) == {"bureaucracy", *DRAWN, *UNKNOWN}


def test_wf_4_22_5_predetermined_events():
    options = {"events": "predetermined"}
    assert [names(eventful(decade=decade, options=options)) for decade in (1770, 1780, 1790, 1800, 1810)] == [
        {"lobby"},
        {"war_on_the_continent"},
        {"bureaucracy"},
        {"world_exhibition"},
        {"end_of_game"},
    ]


def test_wf_4_22_5_three_of_them_shuffled():
    options = {"events": "shuffled"}
    assert names(eventful(decade=1780, options=options, events=["world_exhibition"])) == {
        "lobby",
        "war_on_the_continent",
    }
    assert names(eventful(decade=1790, options=options)) == {"bureaucracy"}


@pytest.mark.parametrize(("decade", "each", "together"), [(1770, 1, 3), (1780, 1, 2)])
def test_wf_4_22_5_bureaucracy_is_as_likely_in_each_place(decade, each, together):
    b = eventful(decade=decade)
    weights = {d.name: events.orders_with_event(b, d) for d in legal(b, TABLE, moves.RevealEvent)}
    assert weights["bureaucracy"] * together == sum(weights.values()) * each
    assert len({weight for name, weight in weights.items() if name != "bureaucracy"}) == 1
    assert dict(WATER_FRAME.facts(b))[moves.RevealEvent("bureaucracy")] == weights["bureaucracy"]


# --- what the named ones do ---


def test_wf_2_15_1_bureaucracy_closes_the_cheapest_row():
    b, effects = reveal_event(eventful(), "bureaucracy")
    assert effects[0] == moves.EventRevealed("WF-4.22.5", "bureaucracy", 1770)
    assert only(effects, moves.ChartRowClosed) == [moves.ChartRowClosed("WF-4.22.6", 2, 1810)]
    assert b.closed_rows["2"] == 1810


def test_wf_6_28_it_may_be_ruled_to_last_one_decade():
    b, _ = reveal_event(eventful(numbers={"rulings.bureaucracy_permanent": False}), "bureaucracy")
    assert b.closed_rows["2"] == 1780


def test_wf_2_15_2_end_of_game():
    b, _ = reveal_event(eventful(decade=1810), "end_of_game")
    assert (b.stage, b.decider) == ("final_exchange", 0)


def test_wf_2_15_3_lobby_gives_special_markers_in_order():
    b, _ = reveal_event(eventful(player(tiles="broker"), start=1), "lobby")
    assert (b.stage, b.decider) == ("event_step", 1)
    assert set(map(type, legal(b, 1))) >= {moves.TakeTile, moves.TakeShip, moves.Done}
    b = after(b, (1, moves.TakeTile("school")))
    assert (b.decider, b.players[1].owns("school")) == (2, True)
    b = after(b, (2, moves.Done()))
    assert (b.decider, refusal(b, 0, moves.Broker(1))) == (0, ("WF-2.15.3", "event"))
    assert after(b, (0, moves.TakeShip(2))).stage == "broker"


def test_wf_2_15_3_fifth_tile_goes_back_before_the_next_player():
    b, _ = reveal_event(eventful(player(tiles="school office patent agent")), "lobby")
    b = after(b, (0, moves.TakeTile("developer")))
    assert (b.asked[-1].what, b.stage) == ("return_tile", "event_step")
    b = after(b, (0, moves.ReturnTile("office")))
    assert (b.decider, b.asked) == (1, [])


def test_wf_2_15_4_war_takes_fired_workers_out_of_the_game():
    b, effects = reveal_event(eventful(fired=3), "war_on_the_continent")
    assert (b.fired, b.box) == (0, 3)
    assert only(effects, moves.WorkersMoved) == [moves.WorkersMoved("WF-4.22.6", "fired", "box", 3)]


def test_wf_2_15_5_the_best_quality_of_each_good():
    _, effects = reveal_event(
        eventful(player(food=plant(quality=1), lamps=plant(price=9)), player(food=plant(), lamps=plant(price=9))),
        "world_exhibition",
    )
    assert [(e.seat, e.spaces, e.cause) for e in only(effects, moves.ShareValueMoved)] == [(0, 1, "event")]


def test_wf_2_15_6_importers_go_back():
    b, effects = reveal_event(
        eventful(importers={"food": 2, "clothes": 0, "cutlery": 1, "lamps": 0}), "navigation_acts"
    )
    assert b.importers == {"food": 1, "clothes": 0, "cutlery": 0, "lamps": 0}
    assert len(only(effects, moves.ImporterMoved)) == 2


def test_wf_2_15_7_share_values_go_back():
    b, _ = reveal_event(eventful(player(space=12), player(space=2)), "economic_crisis")
    assert [p.space for p in b.players] == [10, 1, 8]


def test_wf_2_15_8_everybody_pays_and_more_for_loans():
    _, effects = reveal_event(eventful(player(), player(loans=2), start=1), "hamburg_credit_crisis")
    assert only(effects, moves.Paid) == [
        moves.Paid("WF-4.22.6", seat, amount, "event") for seat, amount in ((1, 11), (2, 5), (0, 5))
    ]


def test_wf_2_15_9_contracts_go_up_without_loss():
    b, effects = reveal_event(eventful(player(contracts="2 food 10 lamps")), "opium_war")
    assert (b.players[0].contracts["food"], b.players[0].contracts["lamps"]) == (4, 10)
    assert (len(only(effects, moves.ContractRaised)), only(effects, moves.ShareValueMoved)) == (1, [])


def test_wf_2_15_10_unknown_markers_do_nothing():
    b, effects = reveal_event(eventful(), "unknown_h")
    assert (effects[0].name, b.stage) == ("unknown_h", "start_named")


# --- the open form ---


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        (
            (moves.ImporterMoves("food", 2), moves.ImporterMoves("food", -5)),
            [moves.ImporterMoved("WF-4.22.6", "food", 0, 2), moves.ImporterMoved("WF-4.22.6", "food", 2, 0)],
        ),
        ((moves.WorkersMove("fired", "market", 30),), [moves.WorkersMoved("WF-4.22.6", "fired", "market", 4)]),
        ((moves.WorkersMove("box", "fired", 3),), []),
        ((moves.CashGiven(1, 7),), [moves.MoneyGiven("WF-4.22.6", 1, 7)]),
        ((moves.CashGiven(1, -7),), [moves.Paid("WF-4.22.6", 1, 7, "event")]),
        ((moves.QualityMoves(0, "food", 9),), [moves.QualityChanged("WF-4.22.6", 0, "food", 4, 6)]),
        (
            (moves.DistributionMoves(0, "food", 9), moves.DistributionMoves(0, "food", -1)),
            [
                moves.DistributionChanged("WF-4.22.6", 0, "food", 4, 6),
                moves.DistributionChanged("WF-4.22.6", 0, "food", 3, 5),
            ],
        ),
        ((moves.QualityMoves(1, "food", 1),), []),
        ((moves.ContractMoves(0, "lamps", 2),), []),
        ((moves.ContractMoves(0, "food", -3),), [moves.ContractRaised("WF-4.22.6", 0, "food", 4, 2)]),
        ((moves.RowCloses(10, 1780),), [moves.ChartRowClosed("WF-4.22.6", 10, 1780)]),
    ],
)
def test_wf_4_22_6_primitives_within_their_limits(effects, expected):
    b = eventful(player(contracts="4 food", food=plant()), events=[])
    _, found = play_custom_event(b, *effects)
    assert [e for e in found[1:] if not type(e).__name__.startswith(("Decade", "Phase"))] == expected
    assert found[0] == moves.EventRevealed("WF-4.22.6", "Ours", 1770)


def test_wf_4_22_6_the_engineer_raises_the_limit_of_quality():
    b, _ = play_custom_event(eventful(player(tiles="engineer", food=plant())), moves.QualityMoves(0, "food", 9))
    assert b.factory(0, "food").quality == 6
    lost = eventful(player(food=plant(quality=6)))
    assert play_custom_event(lost, moves.QualityMoves(0, "food", 1))[0].factory(0, "food").quality == 6


def test_wf_4_22_6_price_falls_without_loss_when_appeal_would():
    b, effects = play_custom_event(eventful(player(food=plant(price=9, quality=2))), moves.QualityMoves(0, "food", -2))
    assert only(effects, moves.PriceFallen) == [moves.PriceFallen("WF-4.22.6", 0, "food", 9, 8)]
    assert only(effects, moves.ShareValueMoved) == []
    assert b.appeal(0, "food") == 0


@pytest.mark.parametrize(
    ("factory", "fall"),
    [
        (plant(price=9, quality=2), moves.QualityMoves(0, "food", -2)),
        (plant(price=9, distribution=2), moves.DistributionMoves(0, "food", -2)),
        (plant(price=8, quality=1, distribution=1), moves.DistributionMoves(0, "food", -1)),
    ],
)
def test_wf_4_22_6_lower_price_marker_costs_no_share_value(factory, fall):
    """The price falls exactly as far as the appeal needs; no player's share value changes."""
    b = eventful(player(food=factory), player(food=plant(price=8, quality=1)), player(space=4))
    followed, effects = play_custom_event(b, fall)
    lacking = max(
        0,
        -(
            followed.base_quality(0, "food")
            + followed.factory(0, "food").quality
            + followed.factory(0, "food").distribution
            - factory.price
        ),
    )
    assert b.factory(0, "food").price - followed.factory(0, "food").price == lacking
    assert followed.appeal(0, "food") >= 0
    assert [p.space for p in followed.players] == [p.space for p in b.players]
    assert [p.tally for p in followed.players] == [p.tally for p in b.players]
    assert (followed.factory(1, "food"), only(effects, moves.ShareValueMoved)) == (b.factory(1, "food"), [])


def test_wf_4_22_6_one_row_stays_open():
    rows = (2, 4, 6, 8, 10)
    b, effects = play_custom_event(eventful(), *(moves.RowCloses(row, 1810) for row in rows))
    assert len(only(effects, moves.ChartRowClosed)) == 4
    assert b.closed_rows["10"] == 0


def test_wf_4_22_6_things_happen_one_after_the_other():
    b, effects = play_custom_event(eventful(), moves.SpecialStep(2), moves.ShareSpaces(0, 1))
    assert (b.stage, b.decider, only(effects, moves.ShareValueMoved)) == ("event_step", 2, [])
    _, effects = play(b, (2, moves.Done()))
    assert len(only(effects, moves.ShareValueMoved)) == 1


@pytest.mark.parametrize(
    ("event", "key"),
    [
        (moves.EventCustom("lobby"), "event_revealed"),
        (moves.EventCustom(""), "event_name"),
        (moves.EventCustom("  "), "event_name"),
        (moves.EventCustom("x" * 61), "event_name"),
        (moves.EventCustom("end_of_game"), "event_name"),
        (moves.EventCustom("Ours", (moves.SpecialStep(0),) * 21), "event_effects"),
        (moves.EventCustom("Ours", (moves.ShareSpaces(0, 31),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.ShareSpaces(0, 0),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.ShareSpaces(3, 1),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.CashGiven(-1, 1),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.WorkersMove("box", "box", 1),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.WorkersMove("box", "fired", -1),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.RowCloses(3, 1810),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.RowCloses(2, 1770),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.ImporterMoves("food", -31),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.QualityMoves(3, "food", 1),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.SpecialStep(5),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.WorkersMove("box", "fired", 31),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.WorkersMove("box", "fired", 0),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.WorkersMove("box", "fired", 1),)), None),
        (moves.EventCustom("Ours", (moves.WorkersMove("box", "fired", 30),)), None),
        (moves.EventCustom("Ours", (moves.DistributionMoves(0, "food", 31),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.QualityMoves(0, "food", 0),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.ContractMoves(0, "food", -31),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.RowCloses(2, 1785),)), "event_effect"),
        (moves.EventCustom("Ours", (moves.RowCloses(2, 1780),)), None),
        (moves.EventCustom("x" * 60), None),
        (moves.EventCustom("bureaucracy", (moves.SpecialStep(0),) * 20), None),
    ],
)
def test_wf_4_22_6_what_cannot_be(event, key):
    assert refusal(eventful(events=["lobby"]), TABLE, event) == (key and ("WF-4.22.6", key))


def test_wf_4_22_6_not_in_the_last_decade():
    assert refusal(eventful(decade=1810), TABLE, moves.EventCustom("Ours")) == ("WF-4.22.6", "last_event")


@pytest.mark.parametrize(
    ("decade", "revealed"),
    [
        (1770, []),
        (1780, ["lobby"]),
        (1790, ["lobby", "opium_war"]),
        (1780, ["bureaucracy"]),
        (1790, ["lobby", "bureaucracy"]),
        (1800, ["lobby", "bureaucracy", "opium_war"]),
    ],
)
def test_wf_3_2_2_the_chances_of_each_event_at_random(decade, revealed):
    """Bureaucracy lies on each of the decades left to it alike; on all others lies any of the other markers alike."""
    b = eventful(decade=decade, events=revealed)
    weights = {d.name: events.orders_with_event(b, d) for d in legal(b, TABLE, moves.RevealEvent)}
    left = [place for place in (1770, 1780, 1790) if place >= decade]
    chance = Fraction(0) if "bureaucracy" in revealed else Fraction(1, len(left))
    total = sum(weights.values())
    assert Fraction(weights.get("bureaucracy", 0), total) == chance
    others = [weight for name, weight in weights.items() if name != "bureaucracy"]
    assert all(Fraction(weight, total) == (1 - chance) / len(others) for weight in others)


def test_wf_4_22_5_of_three_shuffled_events_each_is_as_likely():
    b = eventful(decade=1780, options={"events": "shuffled"}, events=["world_exhibition"])
    assert {events.orders_with_event(b, d) for d in legal(b, TABLE, moves.RevealEvent)} == {1}


def test_wf_4_22_6_custom_event_offers_each_of_its_effects():
    found = legal(eventful(), TABLE, moves.EventCustom)
    kinds = {type(effect) for d in found for effect in d.effects}
    assert kinds == {
        moves.ImporterMoves,
        moves.WorkersMove,
        moves.ShareSpaces,
        moves.CashGiven,
        moves.DistributionMoves,
        moves.QualityMoves,
        moves.ContractMoves,
        moves.RowCloses,
        moves.SpecialStep,
    }
    assert any(not d.effects for d in found)
    assert legal(eventful(decade=1810), TABLE, moves.EventCustom) == []


def test_wf_4_22_6_an_event_of_ones_own_lies_there_by_its_name():
    b, _ = play_custom_event(eventful(events=[]))
    assert b.events == ["Ours"]
    later = eventful(decade=1780, events=["Ours"])
    assert refusal(later, TABLE, moves.EventCustom("Ours")) == ("WF-4.22.6", "event_revealed")


def test_wf_4_22_6_a_refusal_counts_what_the_event_does_from_one():
    with pytest.raises(IllegalDecision, match="effect 2 of the event is not possible"):
        WATER_FRAME.refuse(
            eventful(), TABLE, moves.EventCustom("Ours", (moves.ShareSpaces(0, 1), moves.ShareSpaces(0, 31)))
        )


@pytest.mark.parametrize("amount", [-7, 1, 7])
def test_wf_4_22_6_money_goes_to_the_player_or_from_him(amount):
    b, effects = play_custom_event(eventful(player(cash=50)), moves.CashGiven(0, amount))
    assert b.players[0].cash == 50 + amount
    given = [moves.MoneyGiven("WF-4.22.6", 0, amount)] if amount > 0 else [moves.Paid("WF-4.22.6", 0, -amount, "event")]
    assert only(effects, moves.MoneyGiven, moves.Paid) == given


def test_wf_2_15_8_nothing_is_told_of_a_payment_of_nothing():
    """A sheet may let only players with loans pay."""
    b = eventful(player(), player(loans=2), numbers={"events.hamburg_credit_crisis.amount": 0})
    _, effects = reveal_event(b, "hamburg_credit_crisis")
    assert only(effects, moves.Paid, moves.MoneyGiven) == [moves.Paid("WF-4.22.6", 1, 6, "event")]


@pytest.mark.parametrize("fall", [moves.DistributionMoves(0, "food", -1), moves.QualityMoves(0, "food", -1)])
def test_wf_4_22_6_price_stays_while_appeal_is_not_negative(fall):
    b = eventful(player(food=plant(price=8, quality=1, distribution=1)))
    while b.appeal(0, "food") > 1:
        b.players[0].factories["food"].price += 1
    followed, effects = play_custom_event(b, fall)
    assert (followed.appeal(0, "food"), only(effects, moves.PriceFallen)) == (0, [])


@pytest.mark.parametrize(
    ("effect", "factory"),
    [
        (moves.DistributionMoves(0, "food", -1), plant()),
        (moves.QualityMoves(0, "food", -1), plant()),
        (moves.QualityMoves(0, "food", 1), plant(quality=4)),
    ],
)
def test_wf_4_22_6_a_marker_that_stays_is_not_told(effect, factory):
    _, effects = play_custom_event(eventful(player(food=factory)), effect)
    assert only(effects, moves.DistributionChanged, moves.QualityChanged) == []


def test_wf_4_22_6_one_row_stays_open_in_the_next_decade():
    """Four rows are closed for the next decade alone: the fifth is not closed on top."""
    b, effects = play_custom_event(eventful(), *(moves.RowCloses(row, 1780) for row in (2, 4, 6, 8, 10)))
    assert (len(only(effects, moves.ChartRowClosed)), b.closed_rows["10"]) == (4, 0)


def test_wf_4_22_5_an_event_that_was_revealed_lies_there():
    b = set_up(stage="event", cycle=0, decade=1770)
    assert after(b, (TABLE, moves.RevealEvent("opium_war"))).events == ["opium_war"]


def test_wf_3_2_3_each_of_the_shuffled_events_is_as_likely():
    """Also Bureaucracy, on a sheet that has it among them: in a random order it has places of its own."""
    starred = ["lobby", "bureaucracy", "world_exhibition"]
    b = set_up(
        decade=1790,
        cycle=0,
        stage="event",
        options={"events": "shuffled"},
        numbers={"predetermined.events.starred": starred},
    )
    weights = {fact.name: weight for fact, weight in WATER_FRAME.facts(b) if isinstance(fact, moves.RevealEvent)}
    assert weights == dict.fromkeys(starred, 1)
