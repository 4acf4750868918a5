"""ACG-8.22 on adjusted boards: a board that passes the invariants can be played on."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.solo_moves import TopPointShared
from daybook.domain.kernel.board import deep_copy, fold
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.arkwright_card.alone import change_position, solo_at_first_turn
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    EXPERT,
    RED,
    RULINGS,
    after,
    broken,
    choose_action,
    effects_after,
    factory,
    legal,
    opening_board,
    player,
    red,
    set_up,
    to_act,
    with_values,
)


def put_right(b: Board, values: dict[str, Any]) -> Board | None:
    """The board with these values in their places; None where it is no board, or does not hold the invariants."""
    document = deep_copy(b.document())
    fold(document, {path: [None, value] for path, value in values.items()})
    try:
        board = ARKWRIGHT_CARD.typed_board(document, b.table)
    except msgspec.ValidationError:
        return None
    return board if board.document() == document and not broken(board) else None


def places(part: Any, path: str = "") -> list[tuple[str, Any]]:
    """Every part of a document that an adjustment may change."""
    below = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    found = [(path, part)] if is_cause(path, ARKWRIGHT_CARD.integrity.causes) else []
    return found + [place for key, value in below for place in places(value, f"{path}/{key}")]


def another(chance: Random, value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice((-2, -1, 1, 2, 5))
        case str():
            return chance.choice(("price", "appeal", "workshop", "DA", "?"))
        case list():
            return chance.choice(([], value[:-1], value + value[:1], [*value, "foreman"], [*value, "engineer"]))
        case dict():
            return chance.choice(({}, None, dict(list(value.items())[:-1])))
    return chance.choice((None, {"side": 1, "slot": 4}, 1))


@pytest.mark.parametrize("seed", range(18))
def test_acg_8_22_boards_that_pass_invariants_can_be_played(seed):
    chance = Random(seed)
    b = opening_board(2 + seed % 3, **{name: chance.random() < 0.5 for name in (*EXPERT, *RULINGS)})
    changed = 0
    for _ in range(250):
        seats = to_act(b)
        if not seats:
            break
        decisions = ARKWRIGHT_CARD.legal(b, seats[0])
        assert decisions, b.stage
        b = after(b, (seats[0], chance.choice(decisions)))
        if chance.random() < 0.15:
            path, value = chance.choice(places(b.document()))
            righted = put_right(b, {path: another(chance, value)})
            b, changed = (b, changed) if righted is None else (righted, changed + 1)
            ARKWRIGHT_CARD.scoring.standing(b), ARKWRIGHT_CARD.figures(b), ARKWRIGHT_CARD.scoring.outcome(b)
    assert changed


@pytest.mark.parametrize(
    "values",
    [
        {"/players/0/levels": {}},
        {"/players/0/factories": {}},
        {"/demand": {}},
        {"/supply": {}},
        {"/players/0/levels/ship": 9},
        {"/players/0/factories/food/workers": [{"side": 1, "machines": 0}] * 3},
    ],
)
def test_acg_8_1_the_invariants_can_be_asked_of_any_board(values):
    assert broken(with_values(set_up(player(), player()), values))


def test_acg_8_22_a_factory_at_work_cannot_be_put_away():
    b = set_up(player(lamps=factory(), food=factory(), clothes=factory()), player(), stage="price")
    assert put_right(b, {"/players/0/factories/food": None}) is None
    assert put_right(b, {"/players/0/factories/lamps": None}) is not None


def test_acg_4_2_3_action_without_possible_steps_can_be_ended():
    b = choose_action(set_up(player(food=factory(workers="1"), clothes=factory(workers="1 1")), player()), "employ")
    b = put_right(b, {"/players/0/factories/food/workers": [{"side": 1, "machines": 0}] * 2})
    assert legal(b) == [moves.EndAction()]


def test_acg_4_6_2_card_returned_after_lifting_can_be_set():
    quality = {"QA": (1, "price")}, {"QB": (1, "price")}
    b = set_up(player(food=factory(quality=quality[0]), clothes=factory(quality=quality[1])), player())
    b = after(choose_action(b, "quality"), (RED, moves.Lift("QA")))
    b = put_right(b, {"/players/0/factories/food/quality": {"QA": {"value": 1, "mode": "price"}}})
    b = after(b, *red(moves.Lift("QB"), moves.Place("QB", "clothes", 1, "price")))
    assert moves.SetCard("QA", 1, "appeal") in legal(b)


def test_acg_4_3_10_idle_inventor_holds_no_one_up():
    b = set_up(player(cards="inventor", food=factory(), clothes=factory(side=2, workers="2 3")), *[player()] * 3)
    b = after(choose_action(b, "build"), *red(moves.UseInventor()))
    assert legal(b) == [moves.InventorUpgrade("food")]
    b = put_right(b, {"/players/0/factories/food": msgspec.to_builtins(factory(side=2, workers="2 3"))})
    assert moves.InventorUpgrade("food") not in legal(b) and legal(b)


def test_acg_4_15_3_a_tie_that_is_none_any_more():
    tied = player(cards="entrepreneur", food=factory(appeal=5), clothes=factory())
    b = set_up(tied, player(food=factory(appeal=5), clothes=factory()), player(), stage="top_point", sales=[2, 2, None])
    assert moves.DeclineEntrepreneur() in legal(b) and len(legal(b)) == 2
    assert legal(put_right(b, {"/players/1/factories/food/appeal": 6})) == [moves.DeclineEntrepreneur()]
    assert legal(put_right(b, {"/players/1/factories/food/appeal": 4}))
    b = set_up(
        *[tied | {"cards": [], "factories": {"food": factory(appeal=5), "clothes": factory()}}] * 3,
        stage="top_point",
        sales=[2, 2, 2],
    )
    b.players[RED].cards, b.supply["entrepreneur"] = ["entrepreneur"], 0
    assert legal(put_right(b, {"/players/0/factories/food/appeal": 4})) == [moves.DeclineEntrepreneur()]


def test_acg_6_4_5_tie_with_a_former_automa_is_not_shared():
    b = solo_at_first_turn()
    grid = [None if card == "entrepreneur" else card for card in b.alone.grid]
    b = change_position(b, {"blue": {"food": 5}}, demand={"food": 3}, grid=grid, cards=["entrepreneur"], sales=[2])
    b.players[0].factory("food").appeal, b.stage = 5, "top_point"
    assert effects_after(b, (RED, moves.DeclineEntrepreneur()))[0] == TopPointShared(
        "ACG-6.4.5", "food", (RED,), ("blue",)
    )
    b = put_right(b, {"/solo/automas/blue/appeal/food": 4})
    assert effects_after(b, (RED, moves.DeclineEntrepreneur()))[0] == moves.TopPointLost(
        "ACG-4.15.3", "food", (RED,), False
    )


def test_acg_4_12_2_an_entrepreneur_that_is_gone_names_nobody():
    b = set_up(player(cards="entrepreneur"), player(), stage="round_end")
    b = put_right(b, {"/players/0/cards": [], "/supply/entrepreneur": 1})
    assert legal(b) == [moves.KeepEntrepreneur()]


def test_acg_3_3_1_who_places_next_is_seen_from_the_factories():
    b = after(
        opening_board(2, choose_factories=True),
        (TABLE, moves.StartPlayerDetermined(RED)),
        (RED, moves.PlaceStartFactory("food")),
    )
    b = put_right(b, {"/players/1/factories/lamps": b.document()["players"][0]["factories"]["food"]})
    b = after(b, (BLUE, moves.PlaceStartFactory("food")), (RED, moves.PlaceStartFactory("clothes")))
    assert b.stage == "start_development"
