"""ACG-9: every verdict, reached from a position."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD
from daybook.domain.games.arkwright_card.moves import (
    Build,
    BuyShare,
    CardDealt,
    ChooseAction,
    ChooseStartCard,
    ChooseStartPlayer,
    ConfirmPrice,
    DiscardForLimit,
    Employ,
    EndAction,
    ExtraProduce,
    InventorUpgrade,
    Lift,
    PassAction,
    Place,
    PlaceForeman,
    PlaceStartFactory,
    PlaceToken,
    RegainShips,
    ReplaceQuality,
    Rotate,
    SellHome,
    SetCard,
    SetSlot,
    Ship,
    SkipDevelopment,
    SkipStart,
    StartPlayerDetermined,
    TakeCard,
    TakeDevelopment,
    TakeLoan,
    Upgrade,
    UseBroker,
    UseDeveloper,
    UseInventor,
    UseInventorDouble,
    UsePatron,
)
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    RED,
    after,
    choose_action,
    factory,
    opening_board,
    player,
    red,
    refusal,
    set_up,
    steps_of,
)

PRICE = "price"
FULL = factory(side=2, workers="2.2 3.1")


def usual(stage="action", options=None, dealt=None, decade=1, round=1, **fields):
    return set_up(player(**fields), player(), stage=stage, options=options, dealt=dealt, decade=decade, round=round)


def during(action, *moves, **fields):
    return after(choose_action(usual(**fields), action), *red(*moves))


def replacing():
    fields = {"food": factory(quality={"QE": (5, PRICE)}), "clothes": factory()}
    return after(usual("development", cards="engineer workshop", **fields), (RED, DiscardForLimit("engineer")))


def inventing(*moves):
    b = set_up(player(cards="inventor", food=factory(), clothes=factory(), lamps=factory()), *[player()] * 3)
    return after(choose_action(b, "build"), *red(*moves))


def producing(stage, **work):
    b = usual(stage)
    for name, value in work.items():
        setattr(b.production, name, value)
    return b


VERDICTS = [
    ("ACG-4.1.2", "not_your_turn", usual, BLUE, PassAction()),
    ("ACG-4.1.2", "not_your_turn", usual, TABLE, PassAction()),
    ("ACG-4.1.2", "wrong_step", usual, RED, ConfirmPrice()),
    ("ACG-4.3.2", "already_open", lambda: during("build"), RED, Build("food")),
    (
        "ACG-4.3.4",
        "build_too_late",
        lambda: during("build", decade=3, round=2, lamps=factory(), clothes=factory()),
        RED,
        Build("food"),
    ),
    ("ACG-4.3.6", "upgrade_too_early", lambda: during("build"), RED, Upgrade("food")),
    (
        "ACG-4.3.9",
        "nothing_to_upgrade",
        lambda: during("build", decade=3, food=FULL, clothes=factory()),
        RED,
        Upgrade("food"),
    ),
    (
        "ACG-4.3.10",
        "inventor_limit",
        lambda: inventing(UseInventor(), InventorUpgrade("food")),
        RED,
        InventorUpgrade("food"),
    ),
    ("ACG-4.3.10", "inventor_first", lambda: inventing(UseInventor()), RED, Build("cutlery")),
    ("ACG-4.3.10", "inventor_first", lambda: inventing(UseInventor()), RED, UseDeveloper("patent")),
    ("ACG-4.4.2", "employ_order", lambda: during("employ"), RED, Employ("food", 1)),
    ("ACG-4.4.5", "employ_too_late", lambda: during("employ", decade=3, round=2), RED, Employ("food", 2)),
    (
        "ACG-4.5.2",
        "machine_limit",
        lambda: during("automate", Rotate("food", 1), levels={"machinery": 1}),
        RED,
        Rotate("clothes", 1),
    ),
    ("ACG-4.5.2", "no_worker_card", lambda: during("automate"), RED, Rotate("food", 2)),
    (
        "ACG-4.5.2",
        "already_rotated",
        lambda: during("automate", Rotate("food", 1), levels={"machinery": 1}),
        RED,
        Rotate("food", 1),
    ),
    ("ACG-4.5.3", "token_used", lambda: during("automate", PlaceToken("food", 1)), RED, PlaceToken("clothes", 1)),
    (
        "ACG-4.5.4",
        "token_used",
        lambda: during("automate", food=factory(workers="1.1"), clothes=factory()),
        RED,
        Rotate("clothes", 1),
    ),
    ("ACG-4.6.4", "add_limit", lambda: during("quality"), RED, Place("QA", "food", 2, PRICE)),
    (
        "ACG-4.6.6",
        "quality_cap",
        lambda: during("quality", food=factory(quality={"QC": (4, PRICE)}), clothes=factory()),
        RED,
        Place("QA", "food", 1, PRICE),
    ),
    (
        "ACG-4.6.7",
        "distribution_cap",
        lambda: during("distribution", food=factory(distribution=("DA", 1)), clothes=factory()),
        RED,
        Place("DB", "food", 1),
    ),
    ("ACG-2.5", "card_value", lambda: during("distribution"), RED, Place("DA", "food", 9)),
    ("ACG-4.6.2", "card_not_available", lambda: during("quality"), RED, Lift("QA")),
    ("ACG-4.6.2", "no_factory", lambda: during("quality"), RED, Place("QA", "lamps", 1, PRICE)),
    (
        "ACG-4.6.2",
        "no_change",
        lambda: during("distribution", food=factory(distribution=("DA", 1)), clothes=factory()),
        RED,
        SetCard("DA", 1),
    ),
    ("ACG-4.6.3", "already_done", lambda: during("distribution", Place("DA", "food", 1)), RED, SetCard("DA", 2)),
    ("ACG-4.7.2", "no_money", lambda: during("stock", money=9), RED, BuyShare()),
    ("ACG-2.7.1", "share_cap", lambda: during("stock", shares=30), RED, BuyShare()),
    ("ACG-4.7.6", "loan_limit", lambda: during("stock", loans=9), RED, TakeLoan()),
    ("ACG-4.7", "stock_order", lambda: during("stock", TakeLoan()), RED, BuyShare()),
    ("ACG-4.7.8", "ships_ready", lambda: during("stock"), RED, RegainShips()),
    ("ACG-4.2.3", "nothing_done", lambda: during("stock"), RED, EndAction()),
    (
        "ACG-4.2.2",
        "action_impossible",
        lambda: usual(food=factory(workers="1 1"), clothes=factory(workers="1 1")),
        RED,
        ChooseAction("employ"),
    ),
    ("ACG-3.1.6", "option_off", usual, RED, ChooseAction("early_shipping")),
    ("ACG-3.1.2", "option_off", lambda: opened_for(RED), RED, PlaceStartFactory("food")),
    ("ACG-3.3.2", "option_off", lambda: opened_for(RED), RED, SkipStart()),
    ("ACG-3.3.2", "option_off", lambda: opened_for(RED), RED, ChooseStartCard("patent")),
    ("ACG-3.1.4", "option_off", opening_board, TABLE, CardDealt("broker")),
    ("ACG-3.1.1", "option_off", lambda: usual("development"), RED, UseInventorDouble("ship", "stock")),
    ("ACG-3.4", "table_decides", opening_board, RED, StartPlayerDetermined(0)),
    ("ACG-3.2.1", "no_such_seat", opening_board, TABLE, StartPlayerDetermined(4)),
    ("ACG-3.3.4", "wrong_step", lambda: opening_board(random_supply=True), TABLE, CardDealt("broker")),
    (
        "ACG-4.8.5",
        "would_bankrupt",
        lambda: usual("extra_production", options={"extra_actions": True}, money=0, loans=9),
        RED,
        ExtraProduce("food", 0),
    ),
    ("ACG-4.10.2", "no_change", lambda: usual("price"), RED, SetSlot(4)),
    ("ACG-4.11.1", "track_full", lambda: usual("development", levels={"ship": 2}), RED, TakeDevelopment("ship")),
    (
        "ACG-4.11.1",
        "restricted",
        lambda: usual("development", {"restrictions": True}, levels={"ship": 1}),
        RED,
        TakeDevelopment("ship"),
    ),
    ("ACG-4.11.2", "card_owned", lambda: usual("development", cards="workshop"), RED, TakeCard("workshop")),
    ("ACG-4.11.2", "card_limit", lambda: usual("development", cards="workshop engineer"), RED, TakeCard("patent")),
    (
        "ACG-4.11.2",
        "card_same_turn",
        lambda: after(usual("development", cards="workshop engineer"), (RED, DiscardForLimit("workshop"))),
        RED,
        TakeCard("workshop"),
    ),
    ("ACG-4.11.2", "card_not_available", lambda: usual("development"), RED, TakeCard("contract")),
    ("ACG-4.11.3", "not_at_limit", lambda: usual("development", cards="workshop"), RED, DiscardForLimit("workshop")),
    (
        "ACG-4.11.3",
        "must_take",
        lambda: after(usual("development", cards="workshop engineer"), (RED, DiscardForLimit("workshop"))),
        RED,
        SkipDevelopment(),
    ),
    (
        "ACG-4.11.3",
        "must_take",
        lambda: after(
            usual("development", {"restrictions": True}, cards="workshop engineer"), (RED, DiscardForLimit("workshop"))
        ),
        RED,
        UseInventorDouble("ship", "stock"),
    ),
    ("ACG-4.11.4", "card_not_available", lambda: usual("development"), RED, UseBroker(1)),
    (
        "ACG-4.11.5",
        "same_track",
        lambda: set_up(player(cards="inventor"), *[player()] * 3, stage="development", options={"restrictions": True}),
        RED,
        UseInventorDouble("ship", "ship"),
    ),
    (
        "ACG-4.12",
        "card_rotated",
        lambda: usual(
            "produce", cards="patron_clothes_food", rotated="patron_clothes_food", dealt="patron_clothes_food"
        ),
        RED,
        UsePatron("patron_clothes_food"),
    ),
    ("ACG-4.12.6", "no_factory", lambda: usual("foreman", cards="foreman"), RED, PlaceForeman("lamps")),
    ("ACG-4.12.8", "card_wrong_good", lambda: usual("produce"), RED, UsePatron("workshop")),
    (
        "ACG-4.12.10",
        "nothing_to_ready",
        lambda: usual(cards="developer", dealt="developer"),
        RED,
        UseDeveloper("developer"),
    ),
    (
        "ACG-4.12.12",
        "replace_limit",
        lambda: after(replacing(), (RED, ReplaceQuality("QC", 4, PRICE))),
        RED,
        ReplaceQuality("QB", 2, PRICE),
    ),
    ("ACG-4.13.6", "no_stock", lambda: producing("sell", most=9, made=4), RED, SellHome(1)),
    ("ACG-4.13.9", "not_shippable", lambda: producing("ship", left=1), RED, Ship(2)),
    ("ACG-4.13.10", "ship_capacity", lambda: producing("ship", left=9), RED, Ship(5)),
    (
        "ACG-4.13.11",
        "token_limit",
        lambda: after(
            set_up(player(shipping_tokens=8), player(lamps=factory(), cutlery=factory()), stage="development", mover=1),
            (BLUE, SkipDevelopment()),
        ),
        RED,
        Ship(4),
    ),
    ("ACG-4.14.3", "no_such_seat", lambda: usual("decade_end"), RED, ChooseStartPlayer(2)),
]


def opened_for(seat):
    b = usual()
    b.mover = seat
    return b


@pytest.mark.parametrize(("rule", "key", "position", "seat", "decision"), VERDICTS)
def test_refused(rule, key, position, seat, decision):
    assert refusal(position(), seat, decision) == (rule, key)


def test_acg_9_every_verdict_of_the_catalogue_is_reached():
    solo, elsewhere = {"under_disc"}, {"player_out"}
    catalogue = """NOT_YOUR_TURN WRONG_STEP ALREADY_OPEN BUILD_TOO_LATE UPGRADE_TOO_EARLY NOTHING_TO_UPGRADE
        INVENTOR_LIMIT EMPLOY_ORDER EMPLOY_TOO_LATE MACHINE_LIMIT TOKEN_USED ADD_LIMIT QUALITY_CAP DISTRIBUTION_CAP
        CARD_VALUE CARD_NOT_AVAILABLE NO_MONEY SHARE_CAP LOAN_LIMIT STOCK_ORDER TRACK_FULL RESTRICTED CARD_LIMIT
        CARD_OWNED CARD_SAME_TURN CARD_ROTATED CARD_WRONG_GOOD SHIP_CAPACITY TOKEN_LIMIT NOT_SHIPPABLE NO_STOCK
        WOULD_BANKRUPT NOTHING_DONE ACTION_IMPOSSIBLE OPTION_OFF INVENTOR_FIRST ALREADY_DONE NO_CHANGE NO_WORKER_CARD
        NO_FACTORY ALREADY_ROTATED SHIPS_READY NOT_AT_LIMIT MUST_TAKE SAME_TRACK NOTHING_TO_READY REPLACE_LIMIT
        UNDER_DISC PLAYER_OUT"""
    reached = {key for _, key, *_ in VERDICTS}
    assert {code.lower() for code in catalogue.split()} - reached == solo | elsewhere


def test_acg_4_20_every_decision_belongs_to_some_step():
    from daybook.domain.games.arkwright_card.board import PHASES

    steps = {kind: steps_of(kind) for kind in ARKWRIGHT_CARD.kinds}
    assert all(steps.values())
    assert {stage for stages in steps.values() for stage in stages} | {"over"} == set(PHASES)
