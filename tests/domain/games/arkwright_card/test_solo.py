"""ACG-6.3 to ACG-6.6: rounds of the solo game, production, and the winner."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves, scoring, solo_moves
from daybook.domain.games.arkwright_card.board import Turn
from daybook.domain.kernel.terms import TABLE, Tiebreak
from tests.domain.games.arkwright_card.alone import (
    automa,
    change_position,
    draw_marker,
    idle,
    marker,
    mine,
    quiet,
    solo_at_first_turn,
    until_start,
)
from tests.domain.games.arkwright_card.playing import (
    after,
    effects_after,
    factory,
    legal,
    legal_types,
    play,
    refusal,
    to_act,
)
from tests.domain.games.moves import only

# --- turns ---


def drawing(**fields):
    """The player's turn of the first round is over; food is active, blue makes it."""
    return idle(change_position(solo_at_first_turn(), **fields))


def test_acg_6_3_1_marker_is_drawn_after_the_players_turn():
    # also ACG-4.20.24
    b = drawing()
    assert (b.stage, to_act(b)) == ("automa", (TABLE,))
    assert ARKWRIGHT_CARD.facts(b) == [
        (solo_moves.MarkerDrawn("blue"), 3),
        (solo_moves.MarkerDrawn("green"), 3),
        (solo_moves.MarkerDrawn("yellow"), 2),
    ]
    b, effects = play(b, marker("blue"))
    assert effects[0] == solo_moves.MarkerShown("ACG-6.3.3", "blue", 2)
    assert (b.phase, b.mover) == ("production", 0)
    assert (quiet(b).stage, quiet(b).round) == ("action", 2)
    assert refusal(solo_at_first_turn(), TABLE, solo_moves.MarkerDrawn("blue")) == ("ACG-6.3.3", "wrong_step")


def test_acg_6_3_3_turn_memory_is_forgotten_when_drawing():
    b = after(solo_at_first_turn(), *mine(moves.PassAction(), moves.ConfirmPrice()))
    b.turn.discarded = ["workshop"]
    b = after(b, *mine(moves.SkipDevelopment()))
    assert (b.stage, b.turn) == ("automa", Turn())


def test_acg_6_3_3_what_is_not_in_the_bag_is_not_drawn():
    b = idle(
        change_position(
            idle(solo_at_first_turn(), "yellow"), bag={"blue": 3, "green": 3, "yellow": 0}, drawn=["yellow", "yellow"]
        )
    )
    assert refusal(b, TABLE, solo_moves.MarkerDrawn("yellow")) == ("ACG-6.3.3", "not_in_bag")
    assert refusal(b, TABLE, solo_moves.MarkerDrawn("red")) == ("ACG-6.3.3", "not_in_bag")
    last = change_position(b, bag={"blue": 3, "green": 3, "yellow": 1}, drawn=["yellow"])
    assert refusal(last, TABLE, solo_moves.MarkerDrawn("yellow")) is None


def test_acg_6_3_4_automa_with_a_marker_moves_it_two_up():
    # also ACG-2.10.6
    before = drawing()
    b, effects = play(before, marker("blue"))
    assert solo_moves.AutomaAdvanced("ACG-6.3.4", "blue", "food", 4, 6, 2) in effects
    assert b.demand["food"] == before.demand["food"] + 2
    assert only(effects, moves.WagesMoved) == [] and b.wages == before.wages


def test_acg_6_3_5_automa_without_a_marker_opens_a_factory():
    # also ACG-2.10.5
    before = drawing()
    b, effects = play(before, marker("green"))
    assert solo_moves.AutomaBuilt("ACG-6.3.5", "green", "food", 1) in effects
    assert solo_moves.AutomaAdvanced("ACG-6.3.5", "green", "food", 0, 4, 2) in effects
    assert b.wages == before.wages + 1
    assert b.demand == {good: before.demand[good] - 1 + (2 if good == "food" else 0) for good in before.demand}
    assert only(effects, moves.WorkersCame) == []  # of a player
    kinds = [type(e) for e in effects]
    assert kinds.index(moves.WagesMoved) < kinds.index(solo_moves.AutomaAdvanced)


@pytest.mark.parametrize(
    ("good", "decade", "appeal"), [("food", 1, 4), ("clothes", 2, 5), ("cutlery", 2, 4), ("lamps", 3, 5)]
)
def test_acg_6_3_5_a_later_factory_begins_higher(good, decade, appeal):
    goods = ("food", "clothes", "cutlery", "lamps")
    b = change_position(solo_at_first_turn(), {"blue": {}, "green": {}}, decade=decade, round=goods.index(good) + 1)
    b = after(idle(b), marker("green"))
    assert automa(b, "green").appeal == {good: appeal}


def test_acg_6_3_6_a_neutral_marker_moves_no_automa():
    before = drawing()
    b, effects = play(before, marker("yellow"))
    assert solo_moves.NeutralShown("ACG-6.3.6", "yellow") in effects
    assert (b.demand, b.wages) == (before.demand, before.wages)
    assert [value.appeal for value in b.alone.automas.values()] == [
        item.appeal for item in before.alone.automas.values()
    ]


def test_acg_6_3_7_who_is_not_drawn_gains_a_share():
    effects = effects_after(drawing(), marker("blue"))
    assert [e for e in only(effects, solo_moves.AutomaSharesGained) if e.rule == "ACG-6.3.7"] == [
        solo_moves.AutomaSharesGained("ACG-6.3.7", "green", 1, 13)
    ]
    effects = effects_after(drawing(), marker("yellow"))
    assert [e.colour for e in only(effects, solo_moves.AutomaSharesGained) if e.rule == "ACG-6.3.7"] == [
        "blue",
        "green",
    ]
    effects = effects_after(drawing(shares={"green": 30}), marker("blue"))
    assert solo_moves.AutomaSharesGained("ACG-6.3.7", "green", 0, 30) in effects


def test_acg_6_3_8_a_disc_moves_by_the_markers_on_the_track():
    """The player and blue make food; green opens a factory and counts."""
    b, effects = play(drawing(), marker("blue"))
    assert b.alone.discs == {"blue": 3, "green": 6, "yellow": 11}
    assert solo_moves.DiscMoved("ACG-6.3.8", "blue", 2, 1, 3, "entrepreneur") in effects
    assert after(drawing(), marker("green")).alone.discs["green"] == 9
    assert after(drawing(), marker("yellow")).alone.discs["yellow"] == 13


def test_acg_6_3_8_empty_places_are_skipped_covered_ones_count():
    grid = list(drawing().alone.grid)
    grid[11] = grid[12] = None  # places 12 and 13
    b = change_position(drawing(), grid=grid, cards=["engineer", "big_storehouse"], quality_cap=6)
    assert after(b, marker("yellow")).alone.discs["yellow"] == 15
    b = change_position(drawing(), discs={"blue": 1, "green": 2, "yellow": 11})
    assert after(b, marker("blue")).alone.discs["blue"] == 3


def test_acg_6_3_8_covered_card_leads_to_the_next_around():
    b = change_position(drawing(), discs={"blue": 1, "green": 3, "yellow": 4})
    assert after(b, marker("blue")).alone.discs["blue"] == 5
    b = change_position(drawing(), discs={"blue": 14, "green": 1, "yellow": 11})
    assert after(b, marker("blue")).alone.discs["blue"] == 2
    b = change_position(drawing(), discs={"blue": 14, "green": 3, "yellow": 11})
    assert after(b, marker("blue")).alone.discs["blue"] == 1


def test_acg_6_3_8_without_a_marker_on_the_track_the_disc_stays():
    b = solo_at_first_turn(first="clothes", second="lamps")
    b = idle(change_position(b, {"blue": {}, "green": {}}))
    b, effects = play(b, marker("yellow"))
    assert only(effects, solo_moves.DiscMoved) == [solo_moves.DiscMoved("ACG-6.3.8", "yellow", 0, 3, 1, "patent")]
    assert only(effects, moves.NobodyProduces) != []


def test_acg_6_3_9_the_marker_stays_beside_the_decade_track():
    b, effects = play(drawing(), marker("blue"))
    assert solo_moves.MarkerLaidAside("ACG-6.3.9", "blue", 7) in effects
    assert (b.alone.drawn, b.alone.bag) == (["blue"], {"blue": 2, "green": 3, "yellow": 2})


def test_acg_6_3_2_the_start_player_card_is_not_passed():
    b, effects = play(drawing(), marker("blue"))
    assert b.start == 0
    assert only(effects, moves.StartPlayerPassed, moves.ChooserFound) == []


# --- the grid ---


def developing(**fields):
    return after(change_position(solo_at_first_turn(), **fields), *mine(moves.PassAction(), moves.ConfirmPrice()))


def test_acg_6_3_10_a_card_taken_leaves_its_place_empty():
    b = after(developing(), *mine(moves.TakeCard("workshop", 9)))
    assert (b.alone.card(9), b.alone.card(4), b.players[0].cards) == (None, "workshop", ["workshop"])
    assert refusal(developing(), 0, moves.TakeCard("patent", 1)) == ("ACG-4.11.2", "under_disc")
    assert refusal(developing(), 0, moves.TakeCard("workshop", 0)) == ("ACG-6.2.4", "not_in_grid")
    assert refusal(developing(), 0, moves.TakeCard("patron_cutlery_food", 0)) == ("ACG-6.2.4", "not_in_grid")
    assert refusal(developing(), 0, moves.TakeCard("workshop", 3)) == ("ACG-6.2.4", "not_in_grid")
    assert {d.place for d in legal(developing(), moves.TakeCard)} == {*range(1, 16)} - {1, 6, 11}


def test_acg_6_3_10_discarded_card_goes_to_the_first_empty_place():
    grid = list(developing().alone.grid)
    grid[2] = grid[7] = None
    b = developing(grid=grid, cards=["entrepreneur", "extra_shift"])
    b = after(b, *mine(moves.DiscardForLimit("extra_shift")))
    assert (b.alone.card(3), b.alone.card(8)) == ("extra_shift", None)
    assert refusal(b, 0, moves.TakeCard("extra_shift", 3)) == ("ACG-4.11.2", "card_same_turn")
    assert after(b, *mine(moves.TakeCard("workshop", 4))).alone.card(4) is None


def test_acg_7_1_8_the_very_card_is_out_of_reach_by_ruling():
    grid = list(solo_at_first_turn().alone.grid)
    grid[3] = grid[7] = None
    b = solo_at_first_turn(same_turn_by_copy=True)
    b = after(
        change_position(b, grid=grid, cards=["workshop", "extra_shift"]),
        *mine(moves.PassAction(), moves.ConfirmPrice()),
    )
    b.turn.discarded, b.turn.returned = ["workshop"], [4]
    b.alone.grid[3] = "workshop"
    b.players[0].cards = ["extra_shift"]
    assert refusal(b, 0, moves.TakeCard("workshop", 4)) == ("ACG-7.1.8", "card_same_turn")
    assert refusal(b, 0, moves.TakeCard("workshop", 9)) is None


# --- the Entrepreneur ---


def owner():
    grid = list(drawing().alone.grid)
    grid[2] = None
    return drawing(grid=grid, cards=["entrepreneur"])


def test_acg_6_3_1_entrepreneur_puts_automas_first_once():
    b = after(owner(), marker("green"))
    while b.stage != "round_end":
        b = after(b, *mine(legal(b)[0]))
    assert legal_types(b) == {solo_moves.LetAutomasBegin, moves.KeepEntrepreneur}
    assert refusal(b, 0, moves.DiscardEntrepreneur(0)) == ("ACG-6.3.1", "option_off")
    kept = after(b, *mine(moves.KeepEntrepreneur()))
    assert (kept.stage, kept.alone.first) == ("action", False)
    b, effects = play(b, *mine(solo_moves.LetAutomasBegin()))
    assert (
        solo_moves.AutomasNamedFirst("ACG-6.3.1", 0) in effects
        and solo_moves.AutomasBegin("ACG-6.3.1", 1, 2) in effects
    )
    assert (b.stage, b.round, b.alone.card(3)) == ("automa", 2, "entrepreneur")
    b = after(b, marker("yellow"))
    assert (b.stage, b.mover) == ("action", 0)
    b = quiet(idle(b))
    assert (b.round, b.stage, b.alone.first) == (3, "action", False)
    assert idle(b).stage == "automa"


# --- production ---


def test_acg_6_4_1_player_and_automas_sell_what_the_market_takes():
    b = change_position(
        solo_at_first_turn(), {"blue": {"food": 9}, "green": {"food": 5, "lamps": 3}}, demand={"food": 9}
    )
    b = after(b, *mine(moves.PassAction(), moves.SetSlot(1), moves.ConfirmPrice(), moves.SkipDevelopment()))
    b, effects = draw_marker(b)
    assert only(effects, solo_moves.AutomaSold) == [
        solo_moves.AutomaSold("ACG-6.4.2", "blue", "food", 9, 3, 6),
        solo_moves.AutomaSold("ACG-6.4.2", "green", "food", 5, 3, 2),
    ]
    assert only(effects, moves.GoodsMade)[0].made == 4 and only(effects, moves.CostPaid)[0].amount == 11
    assert b.players[0].money == 39


def test_acg_6_4_3_two_goods_raise_the_value_fewer_give_a_share():
    b = change_position(solo_at_first_turn(), {"blue": {"food": 5}, "green": {"food": 4}}, demand={"food": 9})
    b, effects = draw_marker(idle(b))
    assert only(effects, solo_moves.AutomaValueRaised) == [solo_moves.AutomaValueRaised("ACG-6.4.3", "blue", 2, 1, 13)]
    assert solo_moves.AutomaSharesGained("ACG-6.4.3", "green", 1, 14) in effects
    b = change_position(solo_at_first_turn(), {"blue": {"food": 9}}, demand={"food": 9}, value={"blue": 30})
    assert solo_moves.AutomaValueRaised("ACG-6.4.3", "blue", 6, 0, 30) in draw_marker(idle(b))[1]


@pytest.mark.parametrize("appeal", [2, 3])
def test_acg_6_4_2_without_demand_automas_sell_and_win_nothing(appeal):
    b = change_position(solo_at_first_turn(), {"blue": {"food": appeal}}, demand={"food": 9})
    _, effects = draw_marker(idle(b))
    assert only(effects, solo_moves.AutomaSold) == [solo_moves.AutomaSold("ACG-6.4.2", "blue", "food", appeal, 3, 0)]
    assert only(effects, moves.TopPointWon, solo_moves.AutomaTopPointWon, solo_moves.TopPointShared) == []


def test_acg_6_4_4_automa_without_a_factory_does_nothing():
    b, effects = draw_marker(drawing(), "blue")
    assert only(effects, solo_moves.AutomaIdle) == [solo_moves.AutomaIdle("ACG-6.4.4", "green", "food")]
    assert automa(b, "green").shares == 13  # not drawn


def test_acg_7_1_5_or_gains_a_share_by_ruling():
    _, effects = draw_marker(idle(solo_at_first_turn(solo_idle_share=True)), "blue")
    assert solo_moves.AutomaSharesGained("ACG-7.1.5", "green", 1, 14) in effects


def racing(appeal, automas=None, cards=(), **options):
    """Demand for food is 1; the player's turn is over, and so is that of the automas but for the draw."""
    b = solo_at_first_turn(**options)
    grid = list(b.alone.grid)
    for card in cards:
        grid[grid.index(card)] = None
    food = factory(slot=1, office="appeal", distribution=("DA", appeal - 7) if appeal > 7 else None)
    b = change_position(b, automas or {"blue": {"food": 4}}, demand={"food": 0}, grid=grid, cards=list(cards))
    b.players[0].factories["food"] = food
    food.appeal = appeal
    return change_position(
        after(b, *mine(moves.PassAction(), moves.ConfirmPrice(), moves.SkipDevelopment())), demand={"food": 3}
    )


def test_acg_6_4_5_automas_compete_for_the_highest_appeal():
    # also ACG-7.1.6
    b, effects = draw_marker(racing(8))
    assert [type(e) for e in only(effects, moves.TopPointWon, solo_moves.AutomaTopPointWon)] == [moves.TopPointWon]
    b, effects = draw_marker(racing(7, {"blue": {"food": 9}}))
    assert only(effects, moves.TopPointWon, solo_moves.AutomaTopPointWon) == [
        solo_moves.AutomaTopPointWon("ACG-6.4.5", "blue", 9, 1, 14)
    ]
    assert b.players[0].share_value == 11 and only(effects, moves.ShareValueRaised) != []
    b, effects = draw_marker(racing(7, {"blue": {"food": 7}}))
    assert only(effects, solo_moves.TopPointShared) == [solo_moves.TopPointShared("ACG-6.4.5", "food", (0,), ("blue",))]
    b, effects = draw_marker(racing(7, {"blue": {"food": 9}, "green": {"food": 9}}))
    assert only(effects, solo_moves.TopPointShared) == [
        solo_moves.TopPointShared("ACG-6.4.5", "food", (), ("blue", "green"))
    ]
    b, effects = draw_marker(racing(7, {"blue": {"food": 9}}, solo_automa_bonus=False))
    assert [type(e) for e in only(effects, moves.TopPointWon, solo_moves.AutomaTopPointWon)] == [moves.TopPointWon]


def test_acg_6_4_5_an_automa_that_sells_too_little_has_no_part():
    _, effects = draw_marker(change_position(racing(7, {"blue": {"food": 2}})))
    assert only(effects, solo_moves.AutomaTopPointWon, solo_moves.TopPointShared) == []
    for appeal, won in ((3, [solo_moves.AutomaTopPointWon("ACG-6.4.5", "blue", 3, 1, 14)]), (2, [])):
        b = change_position(
            solo_at_first_turn(first="clothes", second="lamps"), {"blue": {"food": appeal}}, demand={"food": 3}
        )
        _, effects = draw_marker(idle(b))
        assert only(effects, solo_moves.AutomaTopPointWon, solo_moves.TopPointShared) == won  # two goods are enough


def test_acg_6_4_5_the_higher_of_two_automas_has_the_point():
    for automas, winner in (
        ({"blue": {"food": 5}, "green": {"food": 9}}, "green"),
        ({"blue": {"food": 9}, "green": {"food": 5}}, "blue"),
    ):
        _, effects = draw_marker(racing(7, automas))
        assert [
            (type(e), e.colour)
            for e in only(effects, moves.TopPointWon, solo_moves.AutomaTopPointWon, solo_moves.TopPointShared)
        ] == [(solo_moves.AutomaTopPointWon, winner)]


def test_acg_6_4_5_automa_may_win_while_the_player_makes_none():
    b = solo_at_first_turn(first="clothes", second="lamps")
    b, effects = play(idle(change_position(b, {"blue": {"food": 9}})), marker("yellow"))
    assert only(effects, solo_moves.AutomaTopPointWon) != [] and only(effects, moves.NobodyProduces) == []


def test_acg_6_4_5_entrepreneur_breaks_a_tie_with_an_automa():
    b, _ = draw_marker(racing(7, {"blue": {"food": 7}}, cards=("entrepreneur",)))
    assert (b.stage, moves.UseEntrepreneur in legal_types(b)) == ("top_point", True)
    won = play(b, *mine(moves.UseEntrepreneur()))[1]
    assert only(won, moves.TopPointWon) == [moves.TopPointWon("ACG-4.12.1", 0, 7, 1, 12)]
    assert only(effects_after(b, *mine(legal(b)[-1])), solo_moves.TopPointShared) != []


def test_acg_7_1_2_automas_always_take_the_point():
    b, _ = draw_marker(racing(8, top_point_optional=True))
    assert legal_types(b) == {moves.TakeTopPoint, moves.DeclineTopPoint}
    b, effects = draw_marker(racing(7, {"blue": {"food": 9}}, top_point_optional=True))
    assert only(effects, solo_moves.AutomaTopPointWon) != []


def test_acg_6_4_6_the_markers_of_automas_never_come_down():
    b = solo_at_first_turn()
    for colour in ("blue", "green", "yellow", "blue"):
        before = {colour: dict(item.appeal) for colour, item in b.alone.automas.items()}
        b = idle(b, colour)
        for colour, appeal in before.items():
            assert all(b.alone.automas[colour].appeal[good] >= was for good, was in appeal.items())


# --- the end of a decade ---


def test_acg_6_5_1_after_four_rounds_the_bag_is_full_again():
    b = solo_at_first_turn()
    for colour in ("blue", "green", "yellow"):
        b = idle(b, colour)
    grid = list(b.alone.grid)
    place = next(
        place
        for place in range(1, 16)
        if grid[place - 1] == "patron_clothes_food" and place not in b.alone.discs.values()
    )
    grid[place - 1] = None
    b = change_position(b, grid=grid, cards=["patron_clothes_food"], rotated=["patron_clothes_food"])
    b, effects = play(idle(b), marker("blue"))
    assert only(effects, solo_moves.MarkersReturned) == [
        solo_moves.MarkersReturned("ACG-6.5.1", {"blue": 3, "green": 3, "yellow": 2})
    ]
    assert (b.decade, b.round, b.stage, b.alone.drawn, b.mover) == (2, 1, "action", [], 0)
    assert only(effects, moves.CardsReadied) == [moves.CardsReadied("ACG-4.18.3", 0, ("patron_clothes_food",))]
    assert only(effects, moves.ChooserFound) == []


# --- winning ---


def last(money=0, shares=20, share_value=20, value=None, automas=None, **options):
    """Return a board before the last draw without any maker of lamps."""
    b = solo_at_first_turn(first="food", second="clothes", **options)
    b = change_position(b, {"blue": {"food": 4}, "green": {"food": 4}}, value=value, decade=3, round=4)
    p = b.players[0]
    p.money, p.shares, p.share_value = money, shares, share_value
    return idle(change_position(b, shares=automas))


def end_game(b):
    b, effects = play(b, marker("yellow"))
    return b, ARKWRIGHT_CARD.scoring.outcome(b), effects


def test_acg_6_5_2_an_automa_scores_shares_times_share_value():
    b, _, effects = end_game(last())
    assert only(effects, solo_moves.AutomaScored) == [
        solo_moves.AutomaScored("ACG-6.5.2", colour, 13, 12, 156) for colour in ("blue", "green")
    ]
    [score] = ARKWRIGHT_CARD.scoring.standing(b)
    assert score.total == 400
    automas = [line for line in score.lines if line.name.startswith("automa.")]
    assert [(line.name, line.amount, line.figures["score"]) for line in automas] == [
        ("automa.blue", 0, 156),
        ("automa.green", 0, 156),
    ]
    assert only(effects, moves.Scored)[0].score == 400 and isinstance(effects[-1], moves.GameEnded)


def test_acg_6_6_1_who_beats_both_automas_wins():
    _, outcome, effects = end_game(last())
    assert (outcome.rule, outcome.reason.key, outcome.ranks) == ("ACG-6.6.1", "solo_won", (1,))
    assert solo_moves.SoloWon("ACG-6.6.1", 0, 400, 156, 0) in effects
    _, _, effects = end_game(last(value={"blue": 15, "green": 5}))
    assert solo_moves.SoloWon("ACG-6.6.1", 0, 400, 13 * 15, 0) in effects
    _, outcome, effects = end_game(last(shares=10, share_value=10))
    assert (outcome.reason.key, outcome.ranks) == ("solo_lost", (3,))
    assert solo_moves.SoloLost("ACG-6.6.1", 0, 100, 156, 3) in effects
    _b, outcome, _ = end_game(last(shares=10, share_value=10, value={"blue": 20, "green": 5}))
    assert (outcome.reason.key, outcome.ranks) == ("solo_lost", (2,))


def test_acg_6_6_1_money_decides_ties_and_shared_is_no_win():
    won = last(money=5, shares=13, share_value=12)
    _, outcome, effects = end_game(won)
    assert (outcome.ranks, outcome.reason.key) == ((1,), "solo_won")
    assert outcome.tiebreaks == (Tiebreak("money_left", "ACG-5.1.6", (5,)),)
    _b, outcome, effects = end_game(last(money=0, shares=13, share_value=12))
    assert (outcome.ranks, outcome.reason.key) == ((2,), "solo_shared")
    assert solo_moves.SoloLost("ACG-6.6.1", 0, 156, 156, 2) in effects
    _, outcome, _ = end_game(last(shares=13, share_value=12, value={"blue": 20}))
    assert (outcome.ranks, outcome.reason.key) == ((2,), "solo_lost")


def test_acg_6_6_2_a_bankrupt_player_has_lost():
    b, effects = draw_marker(idle(change_position(solo_at_first_turn(), loans=9, money=0)))
    assert only(effects, moves.WentBankrupt) != [] and b.stage == "over"
    outcome = ARKWRIGHT_CARD.scoring.outcome(b)
    assert (outcome.rule, outcome.reason.key, outcome.ranks) == ("ACG-6.6.2", "solo_bankrupt", (3,))
    assert b.alone.earned == [] and {*b.alone.achievements.values()} == {"lost"}
    [standing] = ARKWRIGHT_CARD.scoring.standing(b)
    assert [line.name for line in standing.lines] == ["bankrupt", "automa.blue", "automa.green"]


def test_acg_6_5_2_the_lead_is_counted_from_the_better_automa():
    b = change_position(solo_at_first_turn(), value={"green": 15})
    assert ARKWRIGHT_CARD.figures(b)["lead"] == [scoring.total(b, 0) - 12 * 15]


def test_acg_6_1_1_marks_and_columns_are_those_of_every_game():
    b = solo_at_first_turn()
    assert ARKWRIGHT_CARD.course.marks(b) == {"decade": 1, "round": 1, "turn": 1}
    assert ARKWRIGHT_CARD.course.marks(until_start()) == {"turn": 0}
    assert all(len(values) == 1 for values in ARKWRIGHT_CARD.figures(b).values())
    _, step = ARKWRIGHT_CARD.step(last(), TABLE, solo_moves.MarkerDrawn("yellow"))
    assert step.closed == [("round", 12), ("decade", 3)]


def test_acg_6_4_1_price_and_appeal_are_set_as_usual():
    b = after(solo_at_first_turn(), *mine(moves.PassAction()))
    assert {moves.SetSlot, moves.SetOffice, moves.ConfirmPrice} <= legal_types(b)


def test_acg_6_6_1_the_place_as_it_stands_is_among_the_automas():
    assert ARKWRIGHT_CARD.ranks(change_position(solo_at_first_turn(), value={"blue": 20, "green": 2})) == (2,)
    assert ARKWRIGHT_CARD.ranks(change_position(solo_at_first_turn(), value={"blue": 2, "green": 2})) == (1,)
    assert ARKWRIGHT_CARD.ranks(end_game(last(shares=10, share_value=10))[0]) == (3,)
