"""ACG-4.1, ACG-4.17, ACG-4.18 and ACG-5: rounds, decades, standings and the end."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves, scoring
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    after,
    board_at_first_turn,
    factory,
    legal,
    legal_types,
    play,
    player,
    refusal,
    set_up,
    skip_turn,
    to_act,
    to_end_of_round,
)
from tests.domain.games.moves import only


def nothing(**fields):
    """A player whose factories are idle in rounds 1 and 2."""
    return player(cutlery=factory(), lamps=factory(), **fields)


def ending(*players, round=1, decade=1, **fields):
    """Return a board before the last turn of a round without production, begun by seat 0."""
    idle = {"food": factory(), "clothes": factory()} if round > 2 else {"cutlery": factory(), "lamps": factory()}
    chosen = [p | {"factories": idle} for p in players]
    return set_up(
        *chosen,
        stage="development",
        mover=(fields.get("start", 0) - 1) % len(players),
        round=round,
        decade=decade,
        **fields,
    )


def end_round(*players, **fields):
    b = ending(*players, **fields)
    return play(b, (b.moving, moves.SkipDevelopment()))


def ruin(b, seat):
    """Seat is out of the game."""
    p = b.players[seat]
    p.factories, p.bankrupt, p.money = dict.fromkeys(p.factories), True, 0


# --- ACG-4.1: rounds ---


def test_acg_4_1_1_three_decades_of_four_rounds():
    b = board_at_first_turn(2)
    seen = []
    while ARKWRIGHT_CARD.scoring.outcome(b) is None:
        seen.append((b.decade, b.round))
        b = to_end_of_round(b)
        while b.phase == "preparation":
            b = after(b, (b.moving, legal(b)[0]))
    assert seen == [(decade, round) for decade in (1, 2, 3) for round in (1, 2, 3, 4)]
    assert b.turns == 24
    assert (b.decade, b.round, b.stage) == (3, 4, "over")


def test_acg_1_9_the_active_good_follows_the_round():
    b = board_at_first_turn(2)
    for good in ("food", "clothes", "cutlery", "lamps"):
        assert b.active == good
        b = to_end_of_round(b)


def test_acg_4_1_2_turns_go_clockwise_from_the_start_player():
    b = board_at_first_turn(3, start=GREEN)
    order = []
    while b.phase == "action":
        order.append(b.moving)
        b = skip_turn(b)
    assert order == [GREEN, RED, BLUE]


def test_acg_4_1_3_after_the_last_round_comes_the_final_account():
    b, effects = end_round(nothing(), nothing(), round=4, decade=3)
    assert b.stage == "over" and to_act(b) == ()
    assert only(effects, moves.RoundEnded, moves.GameEnded) == [
        moves.RoundEnded("ACG-4.1.1", 3, 4),
        moves.GameEnded("ACG-4.1.3", 3, 4),
    ]
    assert ARKWRIGHT_CARD.scoring.outcome(b).reason.key == "decades_over"


# --- ACG-4.17: the end of rounds 1 to 3 ---


def test_acg_4_17_1_and_acg_4_17_2_the_card_passes_clockwise():
    b, effects = end_round(nothing(), nothing(), nothing(), start=GREEN)
    assert (b.round, b.start, b.mover) == (2, RED, RED)
    assert only(effects, moves.StartPlayerPassed, moves.RoundBegun) == [
        moves.StartPlayerPassed("ACG-4.17.2", GREEN, RED),
        moves.RoundBegun("ACG-4.1.1", 1, 2, "clothes", RED),
    ]


def test_acg_4_17_2_past_whoever_is_bankrupt():
    b = ending(nothing(), nothing(), nothing())
    ruin(b, BLUE)
    b, effects = play(b, (GREEN, moves.SkipDevelopment()))
    assert only(effects, moves.StartPlayerPassed) == [moves.StartPlayerPassed("ACG-4.17.2", RED, GREEN)]


def test_acg_4_17_0_entrepreneur_may_name_the_start_player():
    # also ACG-4.20.21
    b, _ = end_round(nothing(cards="entrepreneur", rotated="entrepreneur"), nothing(), nothing())
    assert (b.stage, b.mover) == ("round_end", RED)
    assert legal_types(b) == {moves.DiscardEntrepreneur, moves.KeepEntrepreneur}
    assert {d.player for d in legal(b, moves.DiscardEntrepreneur)} == {RED, BLUE, GREEN}
    assert refusal(b, RED, moves.DiscardEntrepreneur(3)) == ("ACG-4.14.3", "no_such_seat")
    done, effects = play(b, (RED, moves.DiscardEntrepreneur(GREEN)))
    assert effects[:2] == [
        moves.CardDiscarded("ACG-4.12.2", RED, "entrepreneur"),
        moves.StartPlayerNamed("ACG-4.12.2", RED, GREEN),
    ]
    assert (done.start, done.mover, done.supply["entrepreneur"]) == (GREEN, GREEN, 1)
    done, effects = play(b, (RED, moves.KeepEntrepreneur()))
    assert effects[0] == moves.EntrepreneurKept("ACG-4.12.2", RED)
    assert done.start == BLUE


def test_acg_4_12_2_not_after_the_last_round():
    b, _ = end_round(nothing(cards="entrepreneur"), nothing(), round=4, decade=3)
    assert b.stage == "over"


# --- ACG-4.18: the end of a decade ---


def test_acg_4_18_0_new_decade_turns_and_readies_cards():
    # also ACG-4.18.1, ACG-4.18.2, ACG-4.12.16
    b, _ = end_round(
        nothing(cards="entrepreneur patron_clothes_food", rotated="entrepreneur patron_clothes_food"),
        nothing(),
        nothing(),
        round=4,
    )
    assert b.stage == "round_end"
    b, effects = play(b, (RED, moves.DiscardEntrepreneur(BLUE)))
    assert (b.decade, b.round, b.start, b.stage) == (2, 1, BLUE, "action")
    assert only(effects, moves.DecadeEnded, moves.CardsReadied, moves.RoundBegun) == [
        moves.DecadeEnded("ACG-5.2.1", 1, (100, 100, 100)),
        moves.CardsReadied("ACG-4.18.3", RED, ("patron_clothes_food",)),
        moves.RoundBegun("ACG-4.1.1", 2, 1, "food", BLUE),
    ]
    assert b.players[RED].rotated == []


@pytest.mark.parametrize(
    ("players", "chooser", "by"),
    [
        ([{"shares": 9}, {}, {}], RED, "portfolio"),
        ([{}, {"shares": 9, "loans": 0}, {"share_value": 9, "money": 49}], GREEN, "money"),
        ([{}, {"money": 20}, {"money": 20}], GREEN, "order"),
        ([{}, {}, {}], GREEN, "order"),
        ([{}, {"shares": 11}, {"shares": 11, "loans": 9, "shipping_tokens": 9}], RED, "portfolio"),
    ],
)
def test_acg_4_18_4_and_acg_4_20_22_the_lowest_portfolio_chooses(players, chooser, by):
    b, effects = end_round(*(nothing(**fields) for fields in players), round=4, start=GREEN)
    assert (b.stage, b.mover) == ("decade_end", chooser)
    p = b.players[chooser]
    assert only(effects, moves.ChooserFound) == [moves.ChooserFound("ACG-4.18.4", chooser, p.portfolio, p.money, by)]
    assert legal(b) == [moves.ChooseStartPlayer(seat) for seat in range(3)]
    assert refusal(b, chooser, moves.ChooseStartPlayer(-1)) == ("ACG-4.14.3", "no_such_seat")
    b, effects = play(b, (chooser, moves.ChooseStartPlayer(GREEN)))
    assert effects[0] == moves.StartPlayerNamed("ACG-4.18.4", chooser, GREEN)
    assert (b.start, b.stage, b.decade) == (GREEN, "action", 2)


def test_acg_4_18_4_bankrupt_neither_chooses_nor_is_chosen():
    b = ending(nothing(), nothing(), nothing(), round=4)
    ruin(b, GREEN)
    b.mover = BLUE
    b = after(b, (BLUE, moves.SkipDevelopment()))
    assert legal(b) == [moves.ChooseStartPlayer(RED), moves.ChooseStartPlayer(BLUE)]
    assert refusal(b, RED, moves.ChooseStartPlayer(GREEN)) == ("ACG-4.14.3", "player_out")


def test_acg_4_18_5_third_player_moves_on():
    # also ACG-10.13, ACG-2.10.1
    b, _ = end_round(nothing(), nothing(), round=4)
    demand = dict(b.demand)
    b, effects = play(b, (b.moving, moves.ChooseStartPlayer(RED)))
    assert only(effects, moves.NeutralMoved)[0] == moves.NeutralMoved("ACG-4.18.5", "food", 3, 4)
    assert b.neutral == {"food": 4, "clothes": 4, "cutlery": 3, "lamps": 3}
    assert b.demand == {good: position + 1 for good, position in demand.items()}
    assert [e.rule for e in only(effects, moves.DemandMoved)] == ["ACG-4.18.5"] * 4
    b, _ = end_round(nothing(), nothing(), round=4, decade=2, neutral=dict(b.neutral))
    b = after(b, (b.moving, moves.ChooseStartPlayer(RED)))
    assert b.neutral == {"food": 5, "clothes": 5, "cutlery": 4, "lamps": 4}


# --- marks, periods and columns ---


def test_acg_5_2_2_rounds_are_counted_through_the_game():
    b = board_at_first_turn(2)
    assert ARKWRIGHT_CARD.course.marks(b) == {"decade": 1, "round": 1, "turn": 1}
    assert ARKWRIGHT_CARD.course.marks(skip_turn(b)) == {"decade": 1, "round": 1, "turn": 2}
    b = set_up(nothing(), nothing(), decade=2, round=3)
    assert ARKWRIGHT_CARD.course.marks(b) == {"decade": 2, "round": 7, "turn": 1}


def test_acg_5_2_a_round_and_a_decade_are_scored_when_they_end():
    b = ending(nothing(), nothing(), round=4)
    _, step = ARKWRIGHT_CARD.step(b, b.moving, moves.SkipDevelopment())
    assert step.closed == [("round", 4), ("decade", 1)]
    b = ending(nothing(), nothing(), round=3)
    assert ARKWRIGHT_CARD.step(b, b.moving, moves.SkipDevelopment())[1].closed == [("round", 3)]
    b = ending(nothing(), nothing(), round=4, decade=3)
    assert ARKWRIGHT_CARD.step(b, b.moving, moves.SkipDevelopment())[1].closed == [("round", 12), ("decade", 3)]


def test_acg_5_2_1_acg_5_2_3_and_acg_5_2_6_columns():
    b = set_up(nothing(shares=12, share_value=11, loans=2, shipping_tokens=3, ships=1, money=7), nothing())
    assert {name: values[RED] for name, values in ARKWRIGHT_CARD.figures(b).items()} == {
        "money": 7,
        "shares": 12,
        "share_value": 11,
        "portfolio": 132,
        "loans": 2,
        "ships": 1,
        "shipping_tokens": 3,
        "lead": 9 * 10 - 15 * 10,
        "score": 9 * 10,
    }


def test_acg_5_2_5_factories_and_the_market_are_on_the_board():
    # also ACG-5.2.8
    document = board_at_first_turn(2).document()
    assert document["players"][0]["factories"]["food"]["appeal"] == 0
    assert document["players"][0]["factories"]["lamps"] is None
    assert (document["demand"]["food"], document["wages"], document["neutral"]["food"]) == (4, 2, 3)


def test_acg_5_2_7_trailing_player_shows_in_portfolio_and_score():
    b = set_up(nothing(shares=12, loans=5, money=0), nothing(money=0))
    assert [player.portfolio for player in b.players] == [120, 100]
    assert [scoring.total(b, seat) for seat in (RED, BLUE)] == [70, 100]


def test_acg_5_2_the_lead_is_that_over_the_best_of_the_others():
    for shares, lead in (((12, 10, 9), [20, -20, -30]), ((12, 12, 9), [0, 0, -30])):
        b = set_up(*(nothing(shares=count, money=0) for count in shares))
        assert ARKWRIGHT_CARD.figures(b)["lead"] == lead


# --- ACG-5.1: the final account ---


def account(**fields):
    b = set_up(player(**fields), nothing())
    return scoring.account(b, b.players[RED])


def test_acg_5_1_1_stored_goods_are_sold_at_a_fixed_price():
    final = account(money=0, food=factory(stored={"SA": 2}), lamps=factory(stored={"SB": 1}))
    assert (final.stored, final.sales) == ({"food": 2, "lamps": 1}, 2 * 2 + 5)


def test_acg_5_1_2_all_money_buys_shares_at_full_value():
    # also ACG-5.1.7
    final = account(money=47, share_value=9, levels={"stock": 2}, shipping_tokens=5)
    assert (final.bought, final.left) == (5, 2)
    assert account(money=1000).shares == 30
    assert account(money=1000).left == 800
    assert account(money=5, share_value=0).bought == 0


def test_acg_5_1_3_and_acg_10_11_each_loan_costs_a_share():
    assert account(money=0, loans=4).shares == 6
    assert account(money=0, shares=2, loans=4).shares == 0


@pytest.mark.parametrize(("tokens", "steps"), [*enumerate([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])])
def test_acg_5_1_4_and_acg_2_7_5_shipping_tokens_lower_the_value(tokens, steps):
    assert account(money=0, shipping_tokens=tokens).value == 10 - steps
    assert account(money=0, share_value=2, shipping_tokens=9).value == 0


def test_acg_5_1_5_value_times_shares():
    final = account(money=25, loans=1, shipping_tokens=2, food=factory(stored={"SA": 1}), lamps=factory())
    assert (final.bought, final.left, final.shares, final.value, final.score) == (2, 7, 11, 9, 99)


def test_acg_5_1_the_lines_of_the_score():
    b = set_up(player(money=25, loans=1, shipping_tokens=2, food=factory(stored={"SA": 1}), lamps=factory()), nothing())
    lines = {line.name: line for line in ARKWRIGHT_CARD.scoring.standing(b)[RED].lines}
    assert {name: line.amount for name, line in lines.items()} == {
        "portfolio": 100,
        "last_shares": 20,
        "loans": -10,
        "shipping": -11,
    }
    assert lines["last_shares"].figures == {"money": 25, "goods": 1, "sales": 2, "count": 2, "value": 10, "left": 7}
    assert {name: line.rule for name, line in lines.items()} == {
        "portfolio": "ACG-5.2.1",
        "last_shares": "ACG-5.1.2",
        "loans": "ACG-5.1.3",
        "shipping": "ACG-5.1.4",
    }


def test_acg_5_1_account_is_told_step_by_step():
    # also ACG-4.20.23
    b, effects = end_round(nothing(money=25, loans=1, shipping_tokens=2), nothing(money=0), round=4, decade=3)
    assert only(
        effects, moves.StoresSold, moves.LastSharesBought, moves.LoansRepaid, moves.ShippingCounted, moves.Scored
    ) == [
        moves.LastSharesBought("ACG-5.1.2", RED, 2, 10, 20, 12, 5),
        moves.LoansRepaid("ACG-5.1.3", RED, 1, 11),
        moves.ShippingCounted("ACG-5.1.4", RED, 2, 1, 9),
        moves.Scored("ACG-5.1.5", RED, 11, 9, 99),
        moves.LastSharesBought("ACG-5.1.2", BLUE, 0, 10, 0, 10, 0),
        moves.Scored("ACG-5.1.5", BLUE, 10, 10, 100),
    ]
    assert [score.total for score in ARKWRIGHT_CARD.scoring.standing(b)] == [99, 100]


def test_acg_5_1_1_stored_goods_are_told_too():
    p = player(money=0, food=factory(stored={"SA": 2}), clothes=factory())
    b = set_up(p, player(), stage="development", mover=1, round=4, decade=3)
    _, effects = play(b, (BLUE, moves.SkipDevelopment()))
    assert only(effects, moves.StoresSold) == [moves.StoresSold("ACG-5.1.1", RED, {"food": 2}, 4, 4)]


def test_acg_1_5_highest_score_wins_then_remaining_money():
    b, _ = end_round(
        nothing(money=3), nothing(money=5), nothing(shares=12, money=0), nothing(money=5), round=4, decade=3
    )
    outcome = ARKWRIGHT_CARD.scoring.outcome(b)
    assert outcome.ranks == (4, 2, 1, 2)
    [tiebreak] = outcome.tiebreaks
    assert (tiebreak.name, tiebreak.rule, tiebreak.values) == ("money_left", "ACG-5.1.6", (3, 5, 0, 5))
    b, _ = end_round(nothing(shares=9, money=0), nothing(money=0), round=4, decade=3)
    assert ARKWRIGHT_CARD.scoring.outcome(b).tiebreaks == ()


def test_acg_5_1_8_bankrupt_players_come_last_together():
    b = ending(*(nothing(money=0) for _ in range(4)), round=4, decade=3)
    ruin(b, RED)
    ruin(b, BLUE)
    b.players[GREEN].shares = 0
    b = after(b, (YELLOW, moves.SkipDevelopment()))
    assert ARKWRIGHT_CARD.scoring.outcome(b).ranks == (3, 3, 2, 1)
    assert [ARKWRIGHT_CARD.figures(b)[name][RED] for name in ("portfolio", "score")] == [0, 0]
    assert [line.name for line in ARKWRIGHT_CARD.scoring.standing(b)[RED].lines] == ["bankrupt"]


def test_acg_5_1_8_bankrupt_players_have_no_money_left():
    b = set_up(nothing(money=7), nothing(money=7), stage="over", mover=None)
    for seat in (RED, BLUE):
        ruin(b, seat)
        b.players[seat].money = 7
    outcome = ARKWRIGHT_CARD.scoring.outcome(b)
    assert (outcome.ranks, [tiebreak.values for tiebreak in outcome.tiebreaks]) == ((1, 1), [(0, 0)])


def test_acg_5_2_4_the_projected_score_is_the_account_now():
    b = board_at_first_turn(2)
    assert [score.total for score in ARKWRIGHT_CARD.scoring.standing(b)] == [150, 150]


def test_a_turn_can_always_be_ended():
    b = after(
        board_at_first_turn(2),
        (RED, moves.PassAction()),
        (RED, moves.ConfirmPrice()),
        (RED, moves.TakeCard("engineer")),
    )
    assert b.mover == BLUE
    assert refusal(b, BLUE, moves.EndAction()) == ("ACG-4.1.2", "wrong_step")
