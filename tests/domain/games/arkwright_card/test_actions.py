"""ACG-4.0 to ACG-4.5: what a factory is worth, the choice of an action, and actions 1 to 3."""

from __future__ import annotations

from typing import get_args

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, costs, factories, market, moves
from daybook.domain.games.arkwright_card.printed import GOODS, ActionKind
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    RED,
    after,
    at,
    board_at_first_turn,
    choose_action,
    effects_after,
    factory,
    game,
    legal,
    legal_types,
    own,
    play,
    player,
    red,
    refusal,
    set_up,
    skip_turn,
    to_end_of_round,
)
from tests.domain.games.moves import only


def of_food(**fields):
    """Seat 0 has such a food factory and a plain clothes factory; seat 1 plays along."""
    return set_up(player(food=factory(**fields), clothes=factory()), player(), demand={"food": at(2)})


# --- ACG-4.0: derived values ---


def test_acg_4_0_1_total_appeal():
    f = factory(slot=2, office="appeal", quality={"QA": (2, "appeal"), "QC": (3, "price")}, distribution=("DA", 3))
    assert factories.appeal_parts(of_food(), "food", f) == (2, 4, 2, 3)


def test_acg_4_0_2_price():
    f = factory(slot=2, office="price", quality={"QA": (2, "appeal"), "QC": (3, "price")}, distribution=("DA", 3))
    assert factories.price_parts(of_food(), "food", f) == (2, 4, 3)


def test_acg_4_0_3_and_acg_10_6_production():
    b = of_food()
    assert factories.production(b, "food", factory(workers="")) == 2
    assert factories.production(b, "food", factory(workers="1")) == 4
    assert factories.production(b, "food", factory(side=2, workers="2 3")) == 3 + 3 + 3


def test_acg_4_0_4_workers_and_machines():
    b = set_up(player(), player())
    cost = factories.cost(b, b.players[RED], "food", factory(workers="1.2 1.1"), 2)
    assert (cost.workers, cost.machines) == (2 + 0 + 1, 3)


def test_acg_4_0_5_wage_and_demand():
    b = set_up(player(), player(), wages=4, demand={"food": 5, "clothes": 6})
    assert (b.wage, b.demand_value("food"), b.demand_value("clothes")) == (3, 1, 2)


@pytest.mark.parametrize(
    ("cards", "foreman", "wages", "amount"),
    [
        ("", False, 0, 3 * 2 + 3 + 3),
        ("foreman", True, 0, 0 + 3 + 3),  # a worker costs no less than nothing
        ("foreman", True, 4, 3 * 1 + 3 + 3),
        ("workshop", False, 0, 3 * 2 + 1 + 3),
        ("developer", False, 0, 3 * 2 + 3 + 1),
    ],
)
def test_acg_4_0_6_production_cost(cards, foreman, wages, amount):
    b = set_up(
        player(cards=cards, food=factory(workers="1.2 1.1", foreman=foreman), clothes=factory()),
        player(),
        wages=wages,
        dealt=cards,
    )
    assert factories.cost(b, b.players[RED], "food", own(b), 2).amount == amount


def test_acg_4_0_6_the_foreman_counts_for_four_workers():
    b = set_up(player(cards="foreman", food=factory(workers="1 1", foreman=True), clothes=factory()), player(), wages=8)
    cost = factories.cost(b, b.players[RED], "food", own(b), 2)
    assert (cost.workers, cost.wage, cost.cheaper) == (6, 4, 8)


def test_acg_4_0_6_machines_cut_the_fixed_cost_to_zero_at_most():
    numbers = {"rules.maintenance": 2, "factories.food.1.fixed_cost": 1}
    b = set_up(
        player(cards="developer", food=factory(workers="1.2 1.1"), clothes=factory()),
        player(),
        dealt="developer",
        numbers=numbers,
    )
    cost = factories.cost(b, b.players[RED], "food", own(b), 2)
    assert (cost.machines, cost.maintenance, cost.fixed) == (3, 6, 0)


@pytest.mark.parametrize(("value", "half"), [(10, 5), (13, 7), (1, 1), (0, 0)])
def test_acg_4_0_7_half_a_price_is_rounded_up(value, half):
    b = set_up(player(share_value=value), player())
    assert costs.half_price(b.players[RED]) == half


@pytest.mark.parametrize(("before", "after_it", "arrows"), [(0, 2, 0), (0, 4, 2), (3, 7, 4), (7, 3, -4), (4, 0, -2)])
def test_acg_4_0_8_demand_follows_the_arrows(before, after_it, arrows):
    b = of_food(appeal=before)
    effects = []
    market.move_appeal(b, RED, "food", own(b), after_it, effects.append)
    assert (own(b).appeal, b.demand["food"]) == (after_it, at(2) + arrows)
    assert only(effects, moves.AppealMoved) == [
        moves.AppealMoved("ACG-4.10.3", RED, "food", before, after_it, abs(arrows))
    ]
    assert [e.steps for e in only(effects, moves.DemandMoved)] == ([arrows] if arrows else [])


def test_acg_2_6_12_demand_stays_on_its_track():
    b = of_food()
    last = len(b.printed.side_demand) - 1
    for steps, position in ((last, last), (1, last), (-2 * last, 0)):
        effects = []
        market.move_demand(b, "food", steps, "ACG-4.0.8", effects.append)
        assert (b.demand["food"], effects[0].after) == (position, position)


def test_acg_4_0_9_new_workers_move_every_demand_and_the_wages():
    b = set_up(player(), player(), demand={"food": 0}, wages=3)
    effects = []
    market.workers_came(b, RED, "ACG-4.4.6", effects.append)
    assert list(b.demand.values()) == [0, 3, 2, 2]
    assert effects[0] == moves.WorkersCame("ACG-4.4.6", RED)
    assert effects[-1] == moves.WagesMoved("ACG-4.0.9", 3, 4, 3)


# --- ACG-4.1 and ACG-4.2: turns and the choice of an action ---


def test_acg_4_1_2_turn_has_three_steps_then_the_next_player():
    # also ACG-4.20.1
    b = set_up(player(), player())
    assert legal_types(b) == {moves.ChooseAction, moves.PassAction}
    b, effects = play(b, (RED, moves.PassAction()))
    assert effects == [moves.ActionPassed("ACG-4.2.1", RED)]
    assert b.stage == "price"
    assert refusal(b, BLUE, moves.PassAction()) == ("ACG-4.1.2", "not_your_turn")
    assert refusal(b, RED, moves.PassAction()) == ("ACG-4.1.2", "wrong_step")


def test_acg_4_1_4_action_ends_by_itself_when_nothing_follows():
    b = choose_action(set_up(player(food=factory(workers="1"), clothes=factory(workers="1 1")), player()), "employ")
    assert legal(b) == [moves.Employ("food", 2)]
    b, effects = play(b, (RED, moves.Employ("food", 2)))
    assert only(effects, moves.ActionEnded) == [moves.ActionEnded("ACG-4.2.3", RED, "employ")]
    assert b.stage == "price"


def test_acg_4_1_4_useful_developer_lets_the_end_be_announced():
    p = player(cards="developer entrepreneur", rotated="entrepreneur", food=factory(), clothes=factory(workers="1 1"))
    b = choose_action(set_up(p, player(), dealt="developer"), "employ")
    b = after(b, (RED, moves.Employ("food", 2)))
    assert legal(b) == [moves.EndAction(), moves.UseDeveloper("entrepreneur")]


def test_acg_4_2_1_action_kinds_need_a_possible_step():
    b = set_up(player(), player())
    kinds = {d.action for d in legal(b, moves.ChooseAction)}
    assert kinds == {"build", "employ", "automate", "quality", "distribution", "stock"}
    full = {good: factory(side=2, workers="2.2 3.1" if good in ("food", "clothes") else "2.2 3.2") for good in GOODS}
    b = set_up(player(**full), player(), decade=3)
    assert {d.action for d in legal(b, moves.ChooseAction)} == {"quality", "distribution", "stock"}
    for action in ("build", "employ", "automate"):
        assert refusal(b, RED, moves.ChooseAction(action)) == ("ACG-4.2.2", "action_impossible")
    assert moves.PassAction() in legal(b)


def test_acg_4_2_3_an_action_begins_and_ends():
    b = set_up(player(), player())
    for action in get_args(ActionKind)[:6]:
        begun, effects = play(b, (RED, moves.ChooseAction(action)))
        assert effects == [moves.ActionChosen("ACG-4.2.1", RED, action)]
        assert refusal(begun, RED, moves.EndAction()) == ("ACG-4.2.3", "nothing_done")
        assert refusal(begun, RED, moves.PassAction()) == ("ACG-4.1.2", "wrong_step")


def test_acg_4_2_3_readying_a_card_is_no_step_of_an_action():
    p = player(cards="developer entrepreneur", rotated="entrepreneur")
    b = after(
        choose_action(set_up(p, player(), dealt="developer"), "employ"), (RED, moves.UseDeveloper("entrepreneur"))
    )
    assert refusal(b, RED, moves.EndAction()) == ("ACG-4.2.3", "nothing_done")


def test_acg_4_2_4_actions_are_free():
    b = set_up(player(), player())
    for action, d in (
        ("build", moves.Build("lamps")),
        ("employ", moves.Employ("food", 2)),
        ("automate", moves.Rotate("food", 1)),
    ):
        assert after(choose_action(b, action), (RED, d)).players[RED].money == 50


def test_acg_4_2_5_an_action_may_concern_any_factory():
    b = choose_action(set_up(player(), player(), round=4), "automate")
    assert {d.good for d in legal(b)} == {"food", "clothes"}


# --- ACG-4.3: build and upgrade ---


def test_acg_4_3_1_and_acg_4_20_2_any_number_in_any_order():
    b = choose_action(set_up(player(), player(), decade=2), "build")
    assert legal_types(b) == {moves.Build, moves.Upgrade}
    b = after(b, *red(moves.Build("lamps"), moves.Upgrade("food"), moves.Build("cutlery"), moves.Upgrade("clothes")))
    assert [(good, f.side) for good, f in b.players[RED].open()] == [(good, 2) for good in GOODS]
    assert b.stage == "price"


def test_acg_4_3_2_a_good_that_is_not_open_yet():
    b = choose_action(set_up(player(), player()), "build")
    assert refusal(b, RED, moves.Build("food")) == ("ACG-4.3.2", "already_open")
    assert legal(b) == [moves.Build("cutlery"), moves.Build("lamps")]


@pytest.mark.parametrize(("decade", "side"), [(1, 1), (2, 2), (3, 2)])
def test_acg_4_3_3_a_new_factory(decade, side):
    b = choose_action(set_up(player(), player(), decade=decade), "build")
    b, effects = play(b, (RED, moves.Build("lamps")))
    assert own(b, "lamps") == factory(side=side, workers="")
    assert only(effects, moves.FactoryOpened) == [moves.FactoryOpened("ACG-4.3.3", RED, "lamps", side, 4, False)]


def test_acg_4_3_4_last_decade_builds_only_what_is_produced():
    b = choose_action(set_up(player(lamps=factory(), clothes=factory()), player(), decade=3, round=3), "build")
    assert refusal(b, RED, moves.Build("food")) == ("ACG-4.3.4", "build_too_late")
    assert refusal(b, RED, moves.Build("cutlery")) is None
    b = choose_action(set_up(player(lamps=factory(), clothes=factory()), player(), decade=2, round=3), "build")
    assert refusal(b, RED, moves.Build("food")) is None


def test_acg_4_3_5_new_workers_come_once():
    b = choose_action(set_up(player(), player()), "build")
    b, effects = play(b, *red(moves.Build("lamps"), moves.Build("cutlery")))
    assert only(effects, moves.WorkersCame) == [moves.WorkersCame("ACG-4.3.5", RED)]
    assert (b.wages, list(b.demand.values())) == (1, [3, 3, 2, 2])
    b = choose_action(set_up(player(), player(), decade=2), "build")
    b, effects = play(b, *red(moves.Upgrade("food"), moves.EndAction()))
    assert only(effects, moves.WorkersCame) == [] and b.wages == 0


def test_acg_4_3_6_upgrades_from_the_second_decade_on():
    b = choose_action(set_up(player(), player()), "build")
    assert refusal(b, RED, moves.Upgrade("food")) == ("ACG-4.3.6", "upgrade_too_early")
    b = set_up(player(food=factory(slot=2, appeal=6), clothes=factory()), player(), decade=2)
    b, effects = play(choose_action(b, "build"), (RED, moves.Upgrade("food")))
    assert (own(b).side, own(b).slot, own(b).appeal) == (2, 2, 6)
    assert only(effects, moves.FactoryUpgraded) == [moves.FactoryUpgraded("ACG-4.3.6", RED, "food", 2, 2, (2,), False)]
    assert refusal(b, RED, moves.Upgrade("lamps")) == ("ACG-4.3.6", "no_factory")


def test_acg_4_3_6_the_factory_token_stays_on_its_appeal():
    turned = {"factories.food.2.appeals": [0, 1, 2, 3], "factories.food.2.prices": [6, 5, 4, 3]}
    b = set_up(player(food=factory(slot=2), clothes=factory()), player(), decade=2, numbers=turned)
    b, effects = play(choose_action(b, "build"), (RED, moves.Upgrade("food")))
    assert (own(b).side, own(b).slot) == (2, 3)
    assert only(effects, moves.FactoryUpgraded)[0].slot == 3


@pytest.mark.parametrize(("decade", "sides"), [(2, [2, 1]), (3, [2, 3])])
def test_acg_4_3_7_worker_cards_are_turned_with_the_tile(decade, sides):
    b = set_up(player(food=factory(workers="1 1"), clothes=factory()), player(), decade=decade)
    b = after(choose_action(b, "build"), (RED, moves.Upgrade("food")))
    assert [card.side for card in own(b).workers] == sides


def test_acg_4_3_8_machines_stay():
    b = set_up(player(food=factory(workers="1.1 1.1"), clothes=factory()), player(), decade=3)
    b = after(choose_action(b, "build"), (RED, moves.Upgrade("food")))
    assert [card.machines for card in own(b).workers] == [1, 1]
    assert factories.token_card(b, b.players[RED]) == ("food", 1)


def test_acg_4_3_9_an_upgrade_turns_something():
    b = set_up(player(food=factory(side=2, workers="2 1"), clothes=factory(side=2, workers="2")), player(), decade=2)
    b = choose_action(b, "build")
    assert refusal(b, RED, moves.Upgrade("food")) == ("ACG-4.3.9", "nothing_to_upgrade")
    b.decade = 3
    assert refusal(b, RED, moves.Upgrade("food")) is None  # its second worker card is turned
    assert refusal(b, RED, moves.Upgrade("clothes")) == ("ACG-4.3.9", "nothing_to_upgrade")
    b = set_up(player(food=factory(workers="2"), clothes=factory(workers="")), player(), decade=2)
    assert legal(choose_action(b, "build"), moves.Upgrade) == [
        moves.Upgrade("food"),
        moves.Upgrade("clothes"),
    ]  # the tile is turned


def build_as_inventor(**fields):
    return choose_action(set_up(player(cards="inventor", **fields), player(), player(), player()), "build")


def test_acg_4_3_10_inventor_upgrades_two_factories_any_decade():
    # also ACG-4.12.9
    b = build_as_inventor(food=factory(), clothes=factory(side=2, workers="2 1"), lamps=factory())
    b, effects = play(b, (RED, moves.UseInventor()))
    assert effects == [moves.CardDiscarded("ACG-4.3.10", RED, "inventor")]
    assert (b.supply["inventor"], b.players[RED].cards) == (2, [])
    for d in (moves.Build("cutlery"), moves.EndAction(), moves.Upgrade("food")):
        assert refusal(b, RED, d) == ("ACG-4.3.10", "inventor_first")
    assert legal_types(b) == {moves.InventorUpgrade}
    b, effects = play(b, (RED, moves.InventorUpgrade("food")))
    assert effects == [moves.FactoryUpgraded("ACG-4.3.10", RED, "food", 2, 4, (2,), True)]
    assert refusal(b, RED, moves.InventorUpgrade("food")) == ("ACG-4.3.10", "inventor_limit")
    b = after(b, *red(moves.Build("cutlery"), moves.InventorUpgrade("clothes")))
    assert [card.side for card in own(b, "clothes").workers] == [2, 3]
    assert b.stage == "price"


def test_acg_4_3_10_two_factories_at_most():
    b = build_as_inventor(food=factory(), clothes=factory(), lamps=factory())
    b = after(b, *red(moves.UseInventor(), moves.InventorUpgrade("food"), moves.InventorUpgrade("lamps")))
    assert refusal(b, RED, moves.InventorUpgrade("clothes")) == ("ACG-4.3.10", "inventor_limit")
    assert legal_types(b) == {moves.Build, moves.EndAction}


def test_acg_4_3_10_the_inventor_needs_something_to_upgrade():
    done = factory(side=2, workers="2 3")
    b = build_as_inventor(food=done, clothes=done)
    assert refusal(b, RED, moves.UseInventor()) == ("ACG-4.3.10", "inventor_first")
    assert refusal(b, RED, moves.InventorUpgrade("food")) == ("ACG-4.3.10", "wrong_step")
    b = after(build_as_inventor(food=done, clothes=factory()), (RED, moves.UseInventor()))
    assert refusal(b, RED, moves.InventorUpgrade("food")) == ("ACG-4.3.10", "nothing_to_upgrade")
    assert refusal(b, RED, moves.InventorUpgrade("lamps")) == ("ACG-4.3.10", "no_factory")


@pytest.mark.parametrize(
    ("side", "workers", "sides"),
    [
        (1, "1 1", (2, [2, 1])),
        (1, "2", (2, [2])),
        (2, "1", (2, [2])),
        (2, "2 1", (2, [2, 3])),
        (1, "", (2, [])),
        (1, "2 1", (2, [2, 1])),
        (2, "1 1", (2, [2, 1])),
    ],
)
def test_acg_4_3_10_upgrade_is_the_tile_and_one_position(side, workers, sides):
    b = build_as_inventor(food=factory(side=side, workers=workers), clothes=factory())
    b = after(b, *red(moves.UseInventor(), moves.InventorUpgrade("food")))
    assert (own(b).side, [card.side for card in own(b).workers]) == sides


def test_acg_4_3_11_two_upgrades_for_one_and_a_new_factory():
    p = player(cards="inventor", food=factory(workers="1 1"), clothes=factory())
    b = choose_action(set_up(p, player(), player(), player(), decade=2), "build")
    b = after(b, *red(moves.Upgrade("food"), moves.UseInventor(), moves.InventorUpgrade("food")))
    assert [card.side for card in own(b).workers] == [2, 3]
    b = build_as_inventor(food=factory(), clothes=factory())
    b = after(b, *red(moves.Build("lamps"), moves.UseInventor(), moves.InventorUpgrade("lamps")))
    assert own(b, "lamps").side == 2


def test_acg_4_3_12_full_first_decade_upgrades_by_inventor_only():
    four = {good: factory() for good in GOODS}
    b = set_up(player(**four), player(), player(), player())
    assert refusal(b, RED, moves.ChooseAction("build")) == ("ACG-4.2.2", "action_impossible")
    assert legal(build_as_inventor(**four)) == [moves.UseInventor()]
    done = player(cards="inventor", **{good: factory(side=2, workers="2 3") for good in GOODS})
    assert refusal(set_up(done, *[player()] * 3), RED, moves.ChooseAction("build")) == (
        "ACG-4.2.2",
        "action_impossible",
    )


# --- ACG-4.4: employ ---


def test_acg_4_4_1_any_number_of_cards_is_free():
    # also ACG-4.20.3
    b = choose_action(set_up(player(), player()), "employ")
    b, effects = play(b, *red(moves.Employ("food", 2), moves.Employ("clothes", 2)))
    assert only(effects, moves.WorkersEmployed) == [
        moves.WorkersEmployed("ACG-4.4.3", RED, "food", 2, 1, 2),
        moves.WorkersEmployed("ACG-4.4.3", RED, "clothes", 2, 1, 2),
    ]
    assert b.stage == "price"


def test_acg_4_4_2_position_1_comes_first():
    b = choose_action(set_up(player(food=factory(workers=""), clothes=factory()), player()), "employ")
    for d in (
        moves.Employ("food", 2),
        moves.Employ("clothes", 1),
        moves.Employ("lamps", 1),
        moves.Employ("food", 3),
        moves.Employ("food", 0),
    ):
        assert refusal(b, RED, d) == ("ACG-4.4.2", "employ_order")
    assert legal(b) == [moves.Employ("food", 1), moves.Employ("clothes", 2)]


@pytest.mark.parametrize(("decade", "sides"), [(1, [1, 1]), (2, [2, 1]), (3, [2, 3])])
def test_acg_4_4_3_side_of_the_decade_without_machines(decade, sides):
    # also ACG-4.4.4
    b = set_up(player(food=factory(workers=""), clothes=factory(workers="1 1")), player(), decade=decade)
    b = after(choose_action(b, "employ"), *red(moves.Employ("food", 1), moves.Employ("food", 2)))
    assert [(card.side, card.machines) for card in own(b).workers] == [(side, 0) for side in sides]


def test_acg_4_4_5_last_decade_employs_only_what_is_produced():
    b = set_up(player(food=factory(), lamps=factory()), player(), decade=3, round=2)
    b = choose_action(b, "employ")
    assert refusal(b, RED, moves.Employ("food", 2)) == ("ACG-4.4.5", "employ_too_late")
    assert legal(b) == [moves.Employ("lamps", 2)]


def test_acg_4_4_6_new_workers_come_once_at_the_end():
    b = choose_action(set_up(player(), player()), "employ")
    b, effects = play(b, (RED, moves.Employ("food", 2)))
    assert only(effects, moves.WorkersCame) == [] and b.wages == 0
    b, effects = play(b, (RED, moves.EndAction()))
    assert only(effects, moves.WorkersCame) == [moves.WorkersCame("ACG-4.4.6", RED)]
    assert b.wages == 1


def test_acg_4_4_7_no_factory_is_built_by_employing():
    b = choose_action(set_up(player(), player()), "employ")
    assert legal_types(b) == {moves.Employ}
    assert refusal(b, RED, moves.Build("lamps")) == ("ACG-4.1.2", "wrong_step")


# --- ACG-4.5: automate ---


def automating(level=0, **fields):
    factories_of = fields or {"food": factory(workers="1 1"), "clothes": factory()}
    return choose_action(set_up(player(levels={"machinery": level}, **factories_of), player()), "automate")


def test_acg_4_5_1_allowance_is_the_machinery_level():
    # also ACG-4.20.4
    for level, most in ((0, 2), (1, 3), (2, 4)):
        assert automating(level).turn.allowance == most
    b, effects = play(automating(1), (RED, moves.Rotate("food", 1)))
    assert effects == [moves.MachinesAdded("ACG-4.5.2", RED, "food", 1, 2, 2, False, 1)]
    assert refusal(b, RED, moves.Rotate("clothes", 1)) == ("ACG-4.5.2", "machine_limit")
    assert legal(b) == [moves.Rotate("food", 2), moves.EndAction(), moves.PlaceToken("clothes", 1)]


def test_acg_4_5_2_a_card_is_filled_and_gives_the_token_back():
    b = automating(1, food=factory(workers="1.1 1"), clothes=factory())
    b, effects = play(b, (RED, moves.Rotate("food", 1)))
    assert effects == [moves.MachinesAdded("ACG-4.5.2", RED, "food", 1, 1, 2, False, 2)]
    assert factories.token_card(b, b.players[RED]) is None
    assert refusal(b, RED, moves.Rotate("food", 1)) == ("ACG-4.5.2", "already_rotated")
    assert refusal(b, RED, moves.Rotate("clothes", 2)) == ("ACG-4.5.2", "no_worker_card")
    assert refusal(b, RED, moves.Rotate("lamps", 1)) == ("ACG-4.5.2", "no_worker_card")


def test_acg_4_5_3_machine_token_is_one_machine_on_a_card():
    b, effects = play(automating(), (RED, moves.PlaceToken("food", 1)))
    assert effects == [moves.MachinesAdded("ACG-4.5.3", RED, "food", 1, 1, 1, True, 1)]
    assert refusal(b, RED, moves.PlaceToken("clothes", 1)) == ("ACG-4.5.3", "token_used")
    _, reason = ARKWRIGHT_CARD.first_refusal(b, RED, moves.PlaceToken("clothes", 1))
    assert str(reason) == "the machine token lies on position 1 of the food factory"
    assert refusal(automating(), RED, moves.PlaceToken("food", 2)) == ("ACG-4.5.3", "token_used")
    assert refusal(automating(), RED, moves.PlaceToken("clothes", 2)) == ("ACG-4.5.3", "no_worker_card")
    assert legal(b) == [moves.Rotate("food", 1), moves.Rotate("food", 2), moves.EndAction()]


def test_acg_4_5_4_the_card_with_the_token_is_finished_first():
    b = automating(1, food=factory(workers="1 1"), clothes=factory(workers="1.1"))
    assert legal(b) == [moves.Rotate("clothes", 1)]
    assert refusal(b, RED, moves.Rotate("food", 2)) == ("ACG-4.5.4", "token_used")
    _, reason = ARKWRIGHT_CARD.first_refusal(b, RED, moves.Rotate("food", 2))
    assert str(reason) == "the card with the machine token comes first: position 1, clothes"
    b = after(b, (RED, moves.Rotate("clothes", 1)))
    assert set(legal(b)) == {
        moves.Rotate("food", 1),
        moves.Rotate("food", 2),
        moves.PlaceToken("food", 1),
        moves.EndAction(),
    }


def test_acg_4_5_5_what_is_not_used_is_lost():
    b = after(automating(2), *red(moves.Rotate("food", 2), moves.EndAction()))
    assert [card.machines for card in own(b).workers] == [0, 1]
    b = to_end_of_round(after(b, *red(moves.ConfirmPrice(), moves.SkipDevelopment())))
    if b.moving != RED:
        b = skip_turn(b)
    assert choose_action(b, "automate").turn.allowance == 4  # the level's, and nothing of the last time


@pytest.mark.parametrize("seed", [1, 2])
def test_acg_4_5_5_machines_are_never_removed_or_moved(seed):
    """The machines of a card only grow in random games, also when the card is turned."""
    before, turned = {}, 0
    for b, _, _ in game(board_at_first_turn(2), seed):
        for seat, p in enumerate(b.players):
            for good, item in p.open():
                for position, card in enumerate(item.workers):
                    side, machines = before.get((seat, good, position), (card.side, 0))
                    assert card.machines >= machines
                    turned += machines > 0 and card.side != side
                    before[seat, good, position] = card.side, card.machines
    assert turned


def test_acg_2_1_9_each_good_has_its_own_two_worker_cards():
    """Eight of them, two of each good: none is left for a third position, and another good's cards do not help."""
    goods = {good: factory(workers="") for good in GOODS}
    b = choose_action(set_up(player(**goods), player()), "employ")
    for good in GOODS:
        b = after(b, *red(moves.Employ(good, 1), moves.Employ(good, 2)))
        if good != GOODS[-1]:
            assert refusal(b, RED, moves.Employ(good, 2)) == ("ACG-4.4.2", "employ_order")
            assert refusal(b, RED, moves.Employ(good, 3)) == ("ACG-4.4.2", "employ_order")
    assert [len(own(b, good).workers) for good in GOODS] == [2] * 4
    assert {good: [factories.machine_capacity(b, good, position) for position in (1, 2)] for good in GOODS} == {
        "food": [2, 1],
        "clothes": [2, 1],
        "cutlery": [2, 2],
        "lamps": [2, 2],
    }


def test_acg_4_10_1_turn_without_active_factory_goes_to_step_c():
    b = set_up(player(), player(), round=4)
    effects = effects_after(b, (RED, moves.PassAction()))
    assert only(effects, moves.StepSkipped) == [moves.StepSkipped("ACG-4.10.1", RED, "lamps")]
    assert after(b, (RED, moves.PassAction())).stage == "development"
    b = after(choose_action(b, "build"), *red(moves.Build("lamps"), moves.EndAction()))
    assert b.stage == "price"  # it was built in this very turn


def test_every_action_is_offered_only_to_whoever_is_to_decide():
    b = set_up(player(), player())
    assert ARKWRIGHT_CARD.legal(b, BLUE) == []
