"""MP-4.8 and MP-5: the end of the game and the final figures."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.games.making_profit.moves import Develop, EndTurn, GameEnded, RoundEnded, Run, SellAdd, SellDone
from daybook.domain.kernel.terms import ScoreLine
from tests.domain.games.making_profit.playing import after, after_deal, play, player, refusal, set_up

NINE = "M1 " * 9


def ends(seats):
    return [(seat, EndTurn()) for seat in seats]


def totals(b):
    return [score.total for score in MAKING_PROFIT.scoring.standing(b)]


# --- MP-4.8: the two endings ---


def test_mp_4_8_1_tenth_card_ends_the_game_at_once():
    # also MP-6.6
    b, effects = play(set_up(player(hand="M1 M1", factory=NINE), player(), player()), (0, Develop("M1")))
    assert effects[1:] == [RoundEnded("MP-5.5", 2), GameEnded("MP-4.8.1", "level_ten", 0)]
    assert (b.mover, refusal(b, 0, Run()), refusal(b, 1, Run())) == (
        0,
        ("MP-7.10", "game_over"),
        ("MP-7.10", "game_over"),
    )
    assert MAKING_PROFIT.scoring.outcome(b).reason.key == "level_ten"


def test_mp_4_8_2_last_developer_gets_no_further_turn():
    # also MP-6.8
    b = set_up(player(hand="M1"), player(), player(), player(), developer=3)
    b = after(b, (0, Develop("M1")), *ends([0, 1, 2]))
    assert b.ended is None
    b, effects = play(b, *ends([3]))
    assert effects == [RoundEnded("MP-5.5", 2), GameEnded("MP-4.8.2", "no_development", 0)]


def test_mp_4_8_3_without_development_everyone_has_one_turn():
    # also MP-6.7
    b = after(after_deal("M1 M1", "M1 M1", "M1 M1", start=1), *ends([1, 2]))
    assert b.ended is None
    b, effects = play(b, *ends([0]))
    assert effects == [RoundEnded("MP-5.5", 1), GameEnded("MP-4.8.3", "no_development", 1)]
    assert MAKING_PROFIT.scoring.outcome(b).rule == "MP-4.8.3"


def test_mp_4_8_4_a_development_later_in_the_round_moves_the_end():
    b = set_up(player(hand="M1"), player(), player(hand="M1"), developer=2)
    b = after(b, (0, Develop("M1")), *ends([0, 1]), (2, Develop("M1")), *ends([2, 0]))
    assert (b.ended, b.mover, b.developer) == (None, 1, 2)
    assert after(b, *ends([1])).ended == "no_development"


def test_mp_4_8_4_the_end_may_come_in_the_middle_of_a_round():
    b = set_up(player(), player(hand="M1"), player(), mover=1, developer=0)
    b = after(b, (1, Develop("M1")), *ends([1, 2]))
    b, effects = play(b, *ends([0]))
    assert effects == [RoundEnded("MP-5.5", 3), GameEnded("MP-4.8.2", "no_development", 1)]


@pytest.mark.parametrize("moves", [[Develop("M1"), Run()], [Run(), Develop("M1")], [Develop("M1"), Develop("M1")]])
def test_mp_4_8_5_which_action_and_how_many_does_not_matter(moves):
    b = set_up(player(), player(hand="M1 M1"), player(), mover=1, developer=0)
    b = after(b, *[(1, move) for move in moves])
    assert (b.developer, b.mover) == (1, 2)
    b = after(b, *ends([2]))
    assert b.ended is None
    assert after(b, *ends([0])).ended == "no_development"


def test_mp_4_8_5_losing_the_card_later_does_not_matter():
    """The turn of the starting player passes too, since seat 1 was the last to develop."""
    b = set_up(player(), player(hand="M1"), player(blue=1), mover=1, developer=0)
    b = after(b, (1, Develop("M1")), *ends([1]), (2, SellAdd("blue")), (2, SellDone()), *ends([2]))
    assert (b.players[1].level, b.ended) == (0, None)
    assert after(b, *ends([0])).ended == "no_development"


# --- MP-5: scores ---


def test_mp_5_1_money_and_certificates_times_level():
    b = set_up(player(7, blue=3), player(1, factory="M1 M1", red=1), player(2, green=0))
    assert totals(b) == [13, 5, 2]
    assert MAKING_PROFIT.scoring.standing(b)[0].lines == (
        ScoreLine("money", 7, "MP-5.1", {}, ("/players/0/money",)),
        ScoreLine(
            "stock",
            0,
            "MP-5.1",
            {"colour": "red", "certificates": 2, "level": 0},
            ("/players/0/certificates/red", "/players/0/factory"),
        ),
        ScoreLine(
            "stock",
            6,
            "MP-5.1",
            {"colour": "blue", "certificates": 3, "level": 2},
            ("/players/0/certificates/blue", "/players/1/factory"),
        ),
    )


def test_mp_5_1_the_column_is_the_same_sum():
    b = set_up(player(7, blue=3), player(1, factory="M1 M1", red=1), player(2))
    assert MAKING_PROFIT.figures(b) == {
        "money": [7, 1, 2],
        "certificates": [5, 3, 2],
        "level": [0, 2, 0],
        "hand": [0, 0, 0],
        "score": totals(b),
    }


def test_mp_5_2_value_is_the_level_without_buying_floor():
    assert totals(set_up(player(red=4, blue=3), player(factory="M1"))) == [3, 2]


def test_mp_5_3_cards_and_the_bank_are_worth_nothing():
    """The bank holds all certificates of factories of levels 2 and 1."""
    b = set_up(player(hand="M2 M2 M2", factory="M2 M2", red=0), player(factory="M1", blue=0), pile="M1")
    assert (b.bank, totals(b), MAKING_PROFIT.figures(b)["score"]) == ({"red": 10, "blue": 10}, [0, 0], [0, 0])


@pytest.mark.parametrize(
    ("money", "ranks"), [([5, 3, 1], (1, 2, 3)), ([5, 5, 1], (1, 1, 3)), ([1, 5, 5], (3, 1, 1)), ([1, 1, 1], (1, 1, 1))]
)
def test_mp_5_4_and_mp_6_9_equal_totals_share_the_rank(money, ranks):
    b = after(set_up(*[player(amount) for amount in money], developer=1), *ends([0]))
    outcome = MAKING_PROFIT.scoring.outcome(b)
    assert (outcome.ranks, outcome.tiebreaks) == (ranks, ())


def test_mp_5_4_total_decides_and_nothing_breaks_a_tie():
    """9 in money alone; 7 and a certificate of level 2; 3 certificates of level 3, the largest factory."""
    # also MP-6.9
    players = player(9, red=0), player(7, factory="M1 M1", blue=1), player(0, factory="M1 M1 M1", green=3), player(8)
    b = after(set_up(*players, developer=1), *ends([0]))
    assert (totals(b), MAKING_PROFIT.scoring.outcome(b).ranks) == ([9, 9, 9, 8], (1, 1, 1, 4))


def test_mp_5_4_money_alone_does_not_decide():
    b = after(set_up(player(5, red=0), player(1, factory="M1 M1 M1"), developer=1), *ends([0]))
    assert (totals(b), MAKING_PROFIT.scoring.outcome(b).ranks) == ([5, 7], (2, 1))


def test_mp_5_5_round_is_scored_when_the_starter_is_next():
    b = set_up(player(), player(), player(), mover=2, developer=1)
    assert MAKING_PROFIT.step(b, 2, EndTurn())[1].closed == [("round", 2)]
    b = set_up(player(), player(), player(), mover=1, developer=0)
    assert MAKING_PROFIT.step(b, 1, EndTurn())[1].closed == []


def test_mp_5_5_the_last_round_is_scored_when_the_game_ends():
    b = set_up(player(hand="M1", factory=NINE), player(), mover=0, developer=1)
    step = MAKING_PROFIT.step(b, 0, Develop("M1"))[1]
    assert (step.closed, step.marks) == ([("round", 2)], {"round": 2, "turn": 3})


def test_mp_5_5_the_set_up_is_no_round():
    assert MAKING_PROFIT.course.marks(after_deal("M1 M1", "M1 M1")) == {"round": 1, "turn": 1}
