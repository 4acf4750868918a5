"""ACG-6.6.3 and ACG-6.7: the fifteen achievements, while the game is played and when it is over."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, achievements, moves, scoring
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS, GOODS
from daybook.domain.games.arkwright_card.solo_moves import (
    AchievementEarned,
    AchievementLost,
    AchievementReached,
    PickAchievement,
)
from tests.domain.games.arkwright_card.alone import change_position, idle, marker, mine, solo_at_first_turn, until_start
from tests.domain.games.arkwright_card.playing import after, factory, legal, play, player, refusal, set_up
from tests.domain.games.moves import only

IDS = {name: f"ACG-6.7.{number}" for number, name in enumerate(ACHIEVEMENTS, 1)}


def state(b, name):
    return b.alone.achievements[name]


def rich(**fields):
    """Return a board before the last draw, far ahead of both automas, without any maker of lamps."""
    options = fields.pop("options", {})
    b = change_position(
        solo_at_first_turn(**options),
        {"blue": {"food": 4}, "green": {"food": 4}},
        value={"blue": 1, "green": 1},
        decade=3,
        round=4,
    )
    p = b.players[0]
    p.shares, p.share_value, p.money = 20, 20, 0
    for name, given in fields.items():
        setattr(p if name in p.__struct_fields__ else b.alone, name, given)
    return idle(b)


def draw_last_marker(b):
    return play(b, marker("yellow"))


def achievements_at_end(b):
    b, effects = draw_last_marker(b)
    assert b.stage == "over"
    assert [e.achievement for e in only(effects, AchievementEarned)] == b.alone.earned
    assert all(e.rule == IDS[e.achievement] for e in only(effects, AchievementEarned))
    return b.alone.earned


def working(count, full=0):
    """Return a player with this many factories, some with both worker cards."""
    given = {good: factory(workers="1 1" if place < full else "1") for place, good in enumerate(GOODS) if place < count}
    return dict.fromkeys(GOODS) | given


# --- each of them at the end of a game that is won ---


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("tycoon", {"shares": 25, "share_value": 20}, {"shares": 24, "share_value": 20}),
        ("patriot", {"shippings": 0}, {"shippings": 1}),
        ("true_worker", {"helped": False}, {"helped": True}),
        ("workers_hero", {"automated": False}, {"automated": True}),
        ("gentleman", {"brokered": False}, {"brokered": True}),
        ("specialist", {"factories": working(2)}, {"factories": working(3)}),
        ("boss", {"shares": 25}, {"shares": 24}),
        ("boss", {"shares": 29}, {"shares": 30}),
        ("professional_broker", {"shares": 30}, {"shares": 29}),
        ("stock_enthusiast", {"share_value": 25}, {"share_value": 24}),
        ("stock_enthusiast", {"share_value": 29}, {"share_value": 30}),
        ("big_fish", {"share_value": 30}, {"share_value": 29}),
        ("from_nothing", {"penniless": True}, {"penniless": False}),
        ("nouveau_riche", {"money": 200}, {"money": 199}),
        ("sailor", {"shippings": 5}, {"shippings": 4}),
    ],
)
def test_acg_6_7_1_each_is_earned_by_a_winner_who_fulfils_it(name, yes, no):
    # also ACG-6.7.15
    assert name in achievements_at_end(rich(**yes))
    assert name not in achievements_at_end(rich(**no))


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [("all_rounder", working(4), working(3)), ("full_lines", working(4, full=4), working(4, full=3))],
)
def test_acg_6_7_7_and_acg_6_7_8_all_factories(name, yes, no):
    b = rich()
    for factories, fulfilled in ((yes, True), (no, False)):
        b.players[0].factories = factories
        assert achievements.is_fulfilled(b, name) is fulfilled


def test_acg_6_7_5_stock_exchange_step_is_not_for_a_gentleman():
    b = rich()
    b.players[0].levels["stock"] = 1
    assert "gentleman" not in achievements_at_end(b)


def test_acg_6_7_9_are_measured_before_the_final_scoring():
    """£200 buy ten shares more at the end; they do not count, and the money does."""
    # also ACG-6.7.14
    b = rich(money=200, shares=20, share_value=20)
    assert scoring.account(b, b.players[0]).bought == 10
    names = achievements_at_end(b)
    assert "nouveau_riche" in names and "tycoon" in names
    assert not {"boss", "professional_broker"} & {*names}


def test_acg_6_7_9_some_achievements_exclude_each_other():
    # also ACG-6.7.10
    for shares in range(20, 31):
        names = {*achievements_at_end(rich(shares=shares))}
        assert not {"boss", "professional_broker"} <= names
        assert not {"specialist", "all_rounder"} <= names


# --- who may count them ---


def test_acg_6_6_3_nothing_is_earned_without_a_win():
    b = rich(shares=1, share_value=10)
    b, effects = draw_last_marker(b)
    assert (b.stage, b.alone.earned, only(effects, AchievementEarned)) == ("over", [], [])
    assert state(b, "patriot") == "reached"  # fulfilled all the same


def test_acg_6_6_3_after_a_win_two_are_chosen_with_the_variant():
    b, effects = draw_last_marker(rich(options={"solo_pick_achievements": True}))
    assert (b.stage, b.mover, ARKWRIGHT_CARD.scoring.outcome(b)) == ("achievements", 0, None)
    assert only(effects, moves.GameEnded) == []
    names = [d.achievement for d in legal(b)]
    assert names == achievements.reached_achievements(b) and len(names) > 2
    assert refusal(b, 0, PickAchievement("boss")) == ("ACG-6.6.3", "not_fulfilled")
    b, effects = play(b, *mine(PickAchievement("patriot")))
    assert effects == [AchievementEarned("ACG-6.6.3", 0, "patriot", True)]
    assert refusal(b, 0, PickAchievement("patriot")) == ("ACG-6.6.3", "already_done")
    [standing] = ARKWRIGHT_CARD.scoring.standing(b)
    names = [line.name for line in standing.lines]
    assert "reached.patriot" in names and "earned.patriot" not in names  # one is still to be chosen
    b, effects = play(b, *mine(PickAchievement("specialist")))
    assert (b.stage, b.alone.earned) == ("over", ["patriot", "specialist"])
    assert only(effects, moves.GameEnded) != [] and ARKWRIGHT_CARD.scoring.outcome(b).ranks == (1,)


def test_acg_6_6_3_second_place_chooses_one_with_the_variant():
    b = rich(options={"solo_pick_achievements": True}, shares=10, share_value=10)
    b.alone.automas["blue"].share_value = 20
    b, _ = draw_last_marker(b)
    b, _ = play(b, *mine(PickAchievement("patriot")))
    assert (b.stage, b.alone.earned, ARKWRIGHT_CARD.scoring.outcome(b).ranks) == ("over", ["patriot"], (2,))


def test_acg_6_6_3_third_place_gets_none_and_few_are_all_earned():
    b = rich(options={"solo_pick_achievements": True}, shares=1)
    b.alone.automas["blue"].share_value = b.alone.automas["green"].share_value = 20
    b, _ = draw_last_marker(b)
    assert (b.stage, b.alone.earned) == ("over", [])
    b = rich(options={"solo_pick_achievements": True}, shippings=1, automated=True, brokered=True)
    b, effects = draw_last_marker(b)
    assert (b.stage, b.alone.earned) == ("over", ["true_worker", "specialist"])
    assert not any(e.picked for e in only(effects, AchievementEarned))


# --- while the game is played ---


def test_acg_6_7_4_is_lost_with_the_machinery_action():
    b, effects = play(solo_at_first_turn(), *mine(moves.ChooseAction("automate")))
    assert AchievementLost("ACG-6.7.4", 0, "workers_hero") in effects
    assert (state(b, "workers_hero"), state(solo_at_first_turn(), "workers_hero")) == ("lost", "open")
    b, effects = play(b, *mine(moves.Rotate("food", 1)))
    assert only(effects, AchievementLost) == []  # once is enough


def test_acg_6_7_2_and_acg_6_7_15_shipping_events_are_counted():
    b = after(idle(solo_at_first_turn()), marker("yellow"))
    assert b.stage == "ship"
    b, effects = play(b, *mine(moves.Ship(2)))
    assert AchievementLost("ACG-6.7.2", 0, "patriot") in effects and b.alone.shippings == 1
    b = change_position(after(idle(solo_at_first_turn()), marker("yellow")), shippings=4)
    b, effects = play(b, *mine(moves.Ship(1)))
    assert AchievementReached("ACG-6.7.15", 0, "sailor") in effects and state(b, "sailor") == "reached"
    b = after(after(idle(solo_at_first_turn()), marker("yellow")), *mine(moves.Ship(0)))
    assert (b.alone.shippings, state(b, "patriot")) == (0, "open")
    b = after(change_position(solo_at_first_turn(), ships=0), *mine(moves.ChooseAction("stock"), moves.RegainShips()))
    assert b.alone.shippings == 0


def with_card(*cards, **options):
    b = change_position(solo_at_first_turn(**options), discs={"blue": 13, "green": 14, "yellow": 15})
    grid = list(b.alone.grid)
    for card in cards:
        places = [place for place in b.alone.free() if grid[place - 1] == card]
        grid[places[0] - 1] = None
    return change_position(b, grid=grid, cards=list(cards), quality_cap=6 if "engineer" in cards else 4)


def test_acg_6_7_3_taking_the_engineer_is_no_use_placing_it_is():
    b = with_card("engineer")
    b.players[0].levels["quality"] = 2
    b.players[0].factories["food"] = factory(quality={"QC": (4, "price")})
    assert not after(b, *mine(moves.PassAction(), moves.ConfirmPrice())).alone.helped
    b = change_position(with_card("engineer"))
    b.players[0].levels["quality"] = 2
    b.players[0].factories["food"] = factory(quality={"QC": (3, "price")})
    b, effects = play(b, *mine(moves.ChooseAction("quality"), moves.Place("QA", "food", 2, "price")))
    assert b.alone.helped and AchievementLost("ACG-6.7.3", 0, "true_worker") in effects  # five points by its cap


def test_acg_6_7_3_placing_the_patent_is_a_use_of_it():
    b = after(with_card("patent"), *mine(moves.ChooseAction("distribution")))
    assert not after(b, *mine(moves.Place("DA", "food", 2))).alone.helped
    assert after(b, *mine(moves.Place("DP", "food", 2))).alone.helped


def test_acg_6_7_3_step_allowed_only_by_the_card_is_a_use():
    b = with_card("patent", restrictions=True)
    b.players[0].levels["distribution"] = 1
    b = after(b, *mine(moves.PassAction(), moves.ConfirmPrice()))
    assert after(b, *mine(moves.TakeDevelopment("distribution"))).alone.helped  # open from decade III on
    assert not after(b, *mine(moves.TakeDevelopment("quality"))).alone.helped
    assert not after(b, *mine(moves.TakeDevelopment("cards"))).alone.helped
    b = change_position(b, decade=3)
    assert not after(b, *mine(moves.TakeDevelopment("distribution"))).alone.helped


def test_acg_6_7_3_without_restrictions_no_step_needs_a_card():
    b = solo_at_first_turn()
    b.players[0].levels["quality"] = 1
    b = after(b, *mine(moves.PassAction(), moves.ConfirmPrice(), moves.TakeDevelopment("quality")))
    assert not b.alone.helped


def test_acg_6_7_3_broker_or_inventor_steps_are_no_use_of_others():
    def developing(*owned):
        b = with_card(*owned, restrictions=True, random_supply=True)
        b.players[0].levels |= {"stock": 1, "distribution": 1}
        return after(b, *mine(moves.PassAction(), moves.ConfirmPrice()))

    assert refusal(developing(), 0, moves.TakeDevelopment("stock")) == ("ACG-4.11.1", "restricted")
    assert not after(developing("broker"), *mine(moves.TakeDevelopment("stock"))).alone.helped
    b = developing("inventor")
    b.alone.grid[b.alone.grid.index("patent")] = None
    b = change_position(b, cards=["inventor", "patent"], discs={"blue": 12, "green": 13, "yellow": 15})
    assert after(b, *mine(moves.TakeDevelopment("distribution"))).alone.helped
    assert not after(b, *mine(moves.UseInventorDouble("distribution", "quality"))).alone.helped


def test_acg_6_7_5_is_lost_by_a_track_step_and_by_the_broker():
    b = after(solo_at_first_turn(), *mine(moves.PassAction(), moves.ConfirmPrice()))
    b, effects = play(b, *mine(moves.TakeDevelopment("stock")))
    assert AchievementLost("ACG-6.7.5", 0, "gentleman") in effects
    b = after(with_card("broker", random_supply=True), *mine(moves.PassAction(), moves.ConfirmPrice()))
    assert state(b, "gentleman") == "open"  # owned and not used
    b = after(b, *mine(moves.UseBroker(1)))
    assert (b.alone.brokered, state(b, "gentleman")) == (True, "lost")


def test_acg_6_7_6_third_factory_loses_it_fourth_reaches_next():
    b, effects = play(solo_at_first_turn(), *mine(moves.ChooseAction("build"), moves.Build("cutlery")))
    assert AchievementLost("ACG-6.7.6", 0, "specialist") in effects
    b, effects = play(b, *mine(moves.Build("lamps")))
    assert AchievementReached("ACG-6.7.7", 0, "all_rounder") in effects
    assert state(b, "full_lines") == "open"


def test_acg_6_7_8_is_reached_with_the_eighth_worker_card():
    b = solo_at_first_turn()
    b.players[0].factories = working(4, full=4)
    b.players[0].factories["lamps"].workers.pop()
    b = after(change_position(b), *mine(moves.ChooseAction("employ")))
    b = after(b, *mine(legal(b)[0]))
    assert state(b, "full_lines") == "reached"


def test_acg_6_7_7_and_acg_6_7_8_are_lost_when_no_time_is_left():
    """Nothing is built or employed for a good after its round of decade III."""
    b = change_position(solo_at_first_turn(first="clothes", second="cutlery"), decade=3, round=2)
    assert achievements.beyond(b, "all_rounder")  # food
    b = change_position(solo_at_first_turn(first="food", second="clothes"), decade=3, round=3)
    assert not achievements.beyond(b, "all_rounder") and achievements.beyond(b, "full_lines")
    b = after(b, *mine(moves.PassAction()))
    assert state(b, "all_rounder") == "lost"  # cutlery is out of time once the action of its round is over


def test_acg_6_7_8_factory_with_both_cards_needs_no_more_time():
    b = change_position(solo_at_first_turn(), decade=3, round=4)
    b.players[0].factories = working(4, full=3)  # lamps, whose round it is, can still be completed
    assert not achievements.beyond(b, "full_lines")
    b.players[0].factories = working(4, full=4) | {"food": factory(workers="1")}
    assert achievements.beyond(b, "full_lines")


def test_acg_6_7_7_action_is_still_to_come_after_the_automas():
    for first in (True, False):
        b = change_position(solo_at_first_turn(), decade=3, round=2, first=first)
        b.stage = "automa"
        assert achievements.can_build(b, "clothes") is first


def test_acg_6_7_9_are_open_up_to_their_last_number():
    # also ACG-6.7.11
    b = rich(shares=29, share_value=29)
    assert (state(b, "boss"), state(b, "stock_enthusiast")) == ("open", "open")
    b = rich(shares=30, share_value=30)
    assert (state(b, "boss"), state(b, "stock_enthusiast")) == ("lost", "lost")


def test_acg_6_7_9_shares_and_their_value_only_rise():
    # also ACG-6.7.11, ACG-6.7.12
    b = solo_at_first_turn()
    p = b.players[0]
    p.shares, p.share_value, p.money = 29, 10, 100
    b, effects = play(b, *mine(moves.ChooseAction("stock"), moves.BuyShare()))
    assert AchievementLost("ACG-6.7.9", 0, "boss") in effects
    assert AchievementReached("ACG-6.7.10", 0, "professional_broker") in effects
    b = after(b, *mine(moves.EndAction())) if b.stage == "buy_shares" else b
    b.players[0].share_value = 30
    b = after(b, *mine(moves.ConfirmPrice()))
    assert (state(b, "stock_enthusiast"), state(b, "big_fish")) == ("lost", "reached")


def test_acg_6_7_13_all_money_goes_into_shares_before_the_game():
    b = until_start(start_shares=True)
    b = after(b, *mine(moves.SkipStart()))
    won, effects = play(b, *mine(moves.BuyStartShares(5)))
    assert (won.players[0].money, won.players[0].shares) == (0, 15)
    assert AchievementReached("ACG-6.7.13", 0, "from_nothing") in effects
    lost, effects = play(b, *mine(moves.BuyStartShares(4)))
    assert AchievementLost("ACG-6.7.13", 0, "from_nothing") in effects and lost.alone.penniless is False


@pytest.mark.parametrize(("money", "shares"), [(60, 5), (40, 4)])
def test_acg_6_7_13_asks_for_fifteen_shares_and_no_money_left(money, shares):
    b = until_start(numbers={"start.money": money}, start_shares=True)
    b, effects = play(b, *mine(moves.SkipStart(), moves.BuyStartShares(shares)))
    assert AchievementLost("ACG-6.7.13", 0, "from_nothing") in effects and b.alone.penniless is False


def test_acg_6_7_corrected_board_is_judged_again():
    b = change_position(solo_at_first_turn(), automated=True)
    assert state(after(b, *mine(moves.PassAction())), "workers_hero") == "lost"


def test_acg_6_6_3_no_one_picks_before_the_end():
    assert refusal(solo_at_first_turn(), 0, PickAchievement("patriot")) == ("ACG-4.1.2", "wrong_step")


def test_acg_6_7_score_sheet_tells_reached_and_earned():
    def achievement_lines(b):
        lines = [line for line in ARKWRIGHT_CARD.scoring.standing(b)[0].lines if "achievement" in line.figures]
        assert sum(line.amount for line in lines) == 0
        return [(line.name, line.rule) for line in lines]

    b = solo_at_first_turn(shares=5, start_shares=True)
    assert achievement_lines(b) == [("reached.from_nothing", "ACG-6.7.13")]
    over = b.twin()
    over.stage, over.alone.earned = "over", ["from_nothing", "tycoon"]
    assert achievement_lines(over) == [("earned.tycoon", "ACG-6.7.1"), ("earned.from_nothing", "ACG-6.7.13")]
    over.alone.earned = []
    assert achievement_lines(over) == [], "nothing is earned without a win"


@pytest.mark.parametrize(
    ("decade", "stage", "expected"),
    [
        (3, "action", [False, True, True, True]),
        (3, "build", [False, True, True, True]),
        (3, "price", [False, False, True, True]),
        (3, "development", [False, False, True, True]),
        (3, "store", [False, False, True, True]),
        (3, "top_point", [False, False, True, True]),
        (2, "price", [True, True, True, True]),
    ],
)
def test_acg_4_3_4_what_can_still_be_built_in_round_2(decade, stage, expected):
    """The last decade allows it while the good's production and its round's action are still to come."""
    b = set_up(player(), player(), decade=decade, round=2)
    b.stage = stage
    assert [achievements.can_build(b, good) for good in GOODS] == expected
