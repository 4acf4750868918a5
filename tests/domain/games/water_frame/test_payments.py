"""WF-4.1.3 to WF-4.1.5 and WF-4.23: payments, emergency sales and loans."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import bank
from daybook.domain.games.water_frame.moves import EmergencySale, LoansTaken, Paid, Place, ShareValueMoved
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import after, effects_after, plant, player, set_up


def paying(amount, numbers=None, **fields):
    """Return the effects of a payment by the first player."""
    b = set_up(player(**fields), numbers=numbers)
    effects = []
    bank.pay(b, 0, amount, "event", "WF-4.1.3", effects.append)
    return b.players[0], effects


def test_wf_4_1_3_money_goes_to_the_bank():
    p, effects = paying(30)
    assert (p.cash, effects) == (20, [Paid("WF-4.1.3", 0, 30, "event")])
    assert paying(0)[1] == []


def test_wf_4_23_1_an_emergency_when_the_cash_does_not_suffice():
    p, effects = paying(50)
    assert (p.cash, len(effects)) == (0, 1)
    assert only(paying(51)[1], EmergencySale)


def test_wf_4_23_2_as_many_shares_as_needed_at_their_value():
    """WF-6.6: without the minimum of a purchase."""
    p, effects = paying(30, cash=3, space=9)
    assert effects[0] == EmergencySale("WF-4.23.2", 0, 3, 9, 27, 1)
    assert (p.cash, p.shares, p.bank) == (0, 7, 23)


@pytest.mark.parametrize(
    ("space", "penalty"),
    [(1, 1), (9, 1), (10, 1), (19, 1), (20, 2), (29, 2), (30, 3), (45, 4), (90, 9), (99, 9), (100, 1)],
)
def test_wf_4_23_3_first_digit_of_the_space_is_lost_per_share(space, penalty):
    p, effects = paying(20, cash=0, space=space)
    sale = effects[0]
    assert sale.penalty == penalty
    assert p.space == max(1, space - sale.count * penalty)


@pytest.mark.parametrize(("ruling", "space"), [("one", 6), ("none", 9), ("digit", 1)])
def test_wf_6_7_the_penalty_on_spaces_of_one_digit(ruling, space):
    p, _ = paying(20, {"rulings.single_digit_space_penalty": ruling}, cash=0, space=9)
    assert p.space == space


def test_wf_4_23_4_without_shares_there_are_loans():
    p, effects = paying(25, cash=0, shares=1, space=10)
    assert only(effects, EmergencySale, LoansTaken, ShareValueMoved) == [
        EmergencySale("WF-4.23.2", 0, 1, 10, 10, 1),
        ShareValueMoved("WF-4.23.3", 0, -1, 10, 9, 0, 9, "emergency"),
        LoansTaken("WF-4.23.4", 0, 2, 20),
        ShareValueMoved("WF-4.23.4", 0, -2, 9, 7, 0, 7, "loans"),
    ]
    assert (p.cash, p.shares, p.loans, p.bank) == (5, 0, 2, 28)


def test_wf_4_23_4_loans_may_outnumber_the_shares_that_mark_them():
    p, _ = paying(305, cash=0, shares=0)
    assert (p.loans, p.bank, p.cash) == (31, 0, 5)


def test_wf_4_23_5_the_change_stays_with_the_player():
    """WF-7.21: nothing superfluous is sold."""
    p, effects = paying(12, cash=0, space=10)
    assert (effects[0].count, p.cash) == (2, 8)


def test_wf_4_23_6_every_payment_is_its_own_emergency():
    """WF-6.5: the indicator is read again."""
    b = set_up(player(cash=0, space=20))
    effects = []
    for _ in range(2):
        bank.pay(b, 0, 15, "event", "WF-4.1.3", effects.append)
    assert [sale.penalty for sale in only(effects, EmergencySale)] == [2, 1]
    assert [sale.each for sale in only(effects, EmergencySale)] == [15, 14]


def test_wf_4_1_5_steps_beyond_the_track_are_lost():
    """WF-6.8, WF-7.17, WF-2.7.5."""
    b = set_up(player(space=3))
    effects = []
    bank.move_share_value(b, 0, -5, "event", "WF-4.22.6", effects.append)
    assert (b.players[0].space, effects[0].lost) == (1, 3)
    b.players[0].space = 99
    bank.move_share_value(b, 0, 4, "event", "WF-4.22.6", effects.append)
    assert (b.players[0].space, effects[1].lost) == (100, 3)
    bank.move_share_value(b, 0, 0, "event", "WF-4.22.6", effects.append)
    assert len(effects) == 2


def test_wf_4_4_2_administrative_costs_may_be_raised_in_need():
    b = set_up(player(cash=1, food=plant()))
    effects = effects_after(b, (0, Place("workers", 10, 10)))
    assert only(effects, EmergencySale) == [EmergencySale("WF-4.23.2", 0, 1, 10, 10, 1)]
    assert after(b, (0, Place("workers", 10, 10))).players[0].cash == 1


def test_wf_4_23_2_shares_raising_the_exact_sum_need_no_loan():
    p, effects = paying(30, cash=0, shares=3, space=10)
    assert (p.cash, p.shares, p.loans, only(effects, LoansTaken)) == (0, 0, 0, [])
    p, effects = paying(31, cash=0, shares=3, space=10)
    assert (p.cash, p.loans, only(effects, LoansTaken)) == (9, 1, [LoansTaken("WF-4.23.4", 0, 1, 10)])


@pytest.mark.parametrize("spaces", [1, 2])
def test_wf_4_23_4_each_loan_costs_its_spaces(spaces):
    p, effects = paying(25, {"loan.spaces": spaces}, cash=0, shares=0, space=10)
    assert only(effects, ShareValueMoved)[0].spaces == -3 * spaces
    assert (p.loans, p.space, p.bank) == (3, 10 - 3 * spaces, 27)


def test_wf_2_7_5_the_ledger_counts_the_spaces_that_were_moved():
    """Up and down apart, and without the steps that were lost at the ends."""
    b = set_up(player(space=97))
    for spaces, up, down in ((1, 1, 0), (-3, 1, 3), (-1, 1, 4), (9, 7, 4), (5, 7, 4)):
        bank.move_share_value(b, 0, spaces, "event", "WF-4.22.6", lambda effect: None)
        assert (b.players[0].tally.spaces_up, b.players[0].tally.spaces_down) == (up, down)


def test_wf_2_21_3_up_to_a_space_a_purchase_costs_the_minimum():
    b = set_up(player(space=10), player(space=11), numbers={"shares.purchase_minimum": 13})
    assert [bank.purchase_price(b, seat) for seat in (0, 1)] == [13, b.share_value(1)]
    assert b.share_value(1) < 13


def test_wf_4_1_4_what_costs_all_the_cash_can_be_bought():
    b = set_up(player(cash=50))
    assert bank.too_dear(b, 0, 50) is None
    assert str(bank.too_dear(b, 0, 51)) == "this costs £51, and the cash is £50"
