"""ACG-7.1.8 in the solo game: the very card that a turn discarded stays out of reach until the turn is over."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import moves
from tests.domain.games.arkwright_card.alone import change_position, inventors, mine, solo_at_first_turn
from tests.domain.games.arkwright_card.playing import after, legal, opening_board, refusal


def test_acg_7_1_8_step_a_discard_is_known_in_step_c():
    grid = list(solo_at_first_turn().alone.grid)
    grid[3] = None  # and the workshop of that place is one of the two that are not used
    b = change_position(
        solo_at_first_turn(same_turn_by_copy=True, extra_actions=True),
        grid=grid,
        cards=["extra_shift"],
        removed=["big_storehouse", "workshop"],
    )
    b = after(b, *mine(moves.ChooseAction("extra_production"), moves.ExtraProduce("food", 1), moves.UseExtraShift()))
    b = after(b, *mine(moves.AssignStorehouse("SA"), moves.EndAction(), moves.ConfirmPrice()))
    assert (b.turn.discarded, b.turn.returned, b.alone.card(4)) == (["extra_shift"], [4], "extra_shift")
    assert refusal(b, 0, moves.TakeCard("extra_shift", 4)) == ("ACG-7.1.8", "card_same_turn")
    assert {d.place for d in legal(b, moves.TakeCard) if d.card == "extra_shift"} == {8}
    assert after(b, *mine(moves.TakeCard("extra_shift", 8))).players[0].cards == ["extra_shift"]


def with_inventor(**options):
    return after(opening_board(1, random_supply=True, **options), *inventors())


def test_acg_7_1_8_inventor_discarded_in_step_a_stays_away():
    b = after(with_inventor(same_turn_by_copy=True), *mine(moves.ChooseAction("build"), moves.UseInventor()))
    b = after(b, *mine(moves.InventorUpgrade("food"), moves.EndAction(), moves.ConfirmPrice()))
    assert (b.alone.card(5), b.alone.card(10)) == ("inventor", "inventor")
    assert refusal(b, 0, moves.TakeCard("inventor", 5)) == ("ACG-7.1.8", "card_same_turn")
    assert after(b, *mine(moves.TakeCard("inventor", 10))).alone.card(10) is None
    b = after(
        with_inventor(),
        *mine(moves.ChooseAction("build"), moves.UseInventor(), moves.InventorUpgrade("food"), moves.EndAction()),
    )
    b = after(b, *mine(moves.ConfirmPrice()))
    assert refusal(b, 0, moves.TakeCard("inventor", 10)) == ("ACG-4.11.2", "card_same_turn"), (
        "without the ruling: its type"
    )
