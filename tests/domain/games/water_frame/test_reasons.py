"""The figures in a refusal: levels, rows and counts, at the number where it begins."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves, people
from daybook.domain.kernel.terms import IllegalDecision
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    doing,
    effects_after,
    legal,
    plant,
    player,
    refusal,
    set_up,
)


def building(*tiles, decade=1770, table=None, **fields):
    return doing("factory", 2, player(cash=200, tiles=" ".join(tiles), **fields), decade=decade, **table or {})


def choosing(decade=1770, **fields):
    """The additional action of a workers marker."""
    b = doing("workers", 2, player(food=plant(), **fields), decade=decade)
    return after(b, DONE) if b.stage == "main" else b


@pytest.mark.parametrize(
    ("rule", "message", "board", "decision"),
    [
        ("WF-4.5.1", "the development level of 1780 is II", lambda: building(decade=1780), moves.Build("food", 3, 5)),
        ("WF-4.5.1", "the development level of 1770 is I", building, moves.Build("food", 2, 5)),
        (
            "WF-4.5.2",
            "the food factory is at level I, and the development level is I",
            lambda: building(food=plant()),
            moves.Modernize("food"),
        ),
        (
            "WF-4.5.2",
            "the food factory is at level II, and the development level is II",
            lambda: building(food=plant(level=2), decade=1790),
            moves.Modernize("food"),
        ),
        (
            "WF-4.5.1",
            "the food factory of level I was closed in this action",
            lambda: after(building(food=plant()), (0, moves.Close("food"))),
            moves.Build("food", 1, 5),
        ),
        (
            "WF-4.5.1",
            "the food factory of level II was closed in this action",
            lambda: after(building(food=plant(level=2), decade=1780), (0, moves.Close("food"))),
            moves.Build("food", 2, 5),
        ),
        (
            "WF-4.14.3",
            "this is on row III, and the player can only reach row I",
            choosing,
            moves.TakeMarker("quality", "dark"),
        ),
        ("WF-4.14.4", "this is on row II, and the player can only reach row I", choosing, moves.TakeShip(4)),
        (
            "WF-4.14.4",
            "this is on row IV, and the player can only reach row III",
            lambda: choosing(decade=1790, tiles="inventor"),
            moves.TakeShip(8),
        ),
    ],
)
def test_a_refusal_names_levels_and_rows(rule, message, board, decision):
    with pytest.raises(IllegalDecision) as refused:
        WATER_FRAME.refuse(board(), 0, decision)
    assert (refused.value.rule, str(refused.value.reason)) == (rule, message)


@pytest.mark.parametrize(("fired", "fits"), [(1, False), (2, True)])
def test_wf_4_5_1_first_row_takes_workers_up_to_its_spaces(fired, fits):
    """Two in cutlery, whose second row has three."""
    b = building(table={"fired": fired, "empty": 80})
    assert (refusal(b, 0, moves.Build("cutlery", 1, 6)) is None) == fits
    if fits:
        assert after(b, (0, moves.Build("cutlery", 1, 6))).factory(0, "cutlery").workers == [2, 0, 0, 0]


def test_wf_6_55_without_the_developer_a_factory_is_built_again():
    b = building("developer", food=plant(), decade=1780)
    b = after(b, (0, moves.Modernize("food", developer=True)), (0, moves.Close("food")))
    assert refusal(b, 0, moves.Build("food", 1, 6, True)) == ("WF-4.5.5", "developer_used")
    assert refusal(b, 0, moves.Build("food", 1, 6)) is None


def test_wf_4_5_3_current_factory_tells_nothing_of_obsolete():
    effects = effects_after(building(food=plant(), decade=1780), (0, moves.Modernize("food")))
    assert effects and only(effects, moves.NoLongerObsolete) == []


def test_wf_4_10_all_bank_shares_can_be_bought_own_ones_sold():
    b = doing("stock_exchange", 2, player(cash=1000, shares=27))
    assert legal(b, 0, moves.Buy) == [moves.Buy(1), moves.Buy(2), moves.Buy(3)]
    assert refusal(b, 0, moves.Buy(4)) == ("WF-4.10.1", "bank_shares")
    b = doing("stock_exchange", 2, player(cash=25, shares=2))
    assert legal(b, 0, moves.Buy) == [moves.Buy(1), moves.Buy(2)], "at £10 each"
    assert legal(b, 0, moves.Sell) == [moves.Sell(1), moves.Sell(2)]
    assert refusal(b, 0, moves.Sell(3)) == ("WF-4.10.2", "shares")


def test_wf_2_6_9_no_good_is_wanted_less_than_not_at_all():
    assert [people.demand(set_up(), good) for good in ("food", "clothes", "cutlery", "lamps")] == [1, 0, 0, 0]


@pytest.mark.parametrize(("fired", "fits"), [(0, False), (1, True)])
def test_wf_4_14_5_only_the_crew_that_is_missing_has_to_be_found(fired, fits):
    """The ship of capacity 4 has one man already; another takes the place of a small one."""
    b = doing("workers", 2, player(food=plant(), ships="2 4"), decade=1790, fired=fired, empty=80)
    b = after(b, DONE) if b.stage == "main" else b
    assert refusal(b, 0, moves.TakeShip(4, 2)) == (None if fits else ("WF-4.14.5", "no_workers"))
