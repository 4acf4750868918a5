"""WF-4.8, WF-4.9, WF-4.13: quality, distribution, and the prices after them."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import moves
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    doing,
    effects_after,
    legal,
    plant,
    play,
    player,
    refusal,
)


def raising(marker, row, *tiles, paid=None, grey="", **factories):
    first = player(tiles=" ".join(tiles), markers=grey, **factories)
    return doing(marker, row, first, paid=paid)


THREE = {"food": 7, "clothes": 8, "lamps": 9}


def three(**markers):
    return {good: plant(price=price, **markers) for good, price in THREE.items()}


# --- quality ---


@pytest.mark.parametrize(
    ("marker", "paid", "levels"),
    [("quality", 4, 0), ("quality", 6, 1), ("quality", 10, 1), ("quality:light", 8, 2), ("quality:dark", 10, 3)],
)
def test_wf_4_8_1_levels_by_the_thresholds_paid(marker, paid, levels):
    grey = marker if ":" in marker else ""
    b = raising(marker, paid, grey=grey, **three())
    for _ in range(levels):
        assert b.stage == "main"
        b = after(b, (0, moves.RaiseQuality("food")))
    assert b.stage == "additional"


def test_wf_4_8_2_a_level_of_quality_is_a_space_of_appeal():
    b = raising("quality:light", 8, grey="quality:light", **three())
    b, effects = play(b, (0, moves.RaiseQuality("food")), (0, moves.RaiseQuality("lamps")))
    assert only(effects, moves.QualityRaised) == [
        moves.QualityRaised("WF-4.8.2", 0, "food", 1, 2),
        moves.QualityRaised("WF-4.8.2", 0, "lamps", 1, 3),
    ]
    assert refusal(b, 0, moves.RaiseQuality("clothes"))[0] == "WF-8.2"


def test_wf_4_8_2_above_four_only_with_the_engineer():
    """WF-2.8.3, WF-4.15.7."""
    full = plant(price=7, quality=4)
    assert refusal(raising("quality", 6, food=full, lamps=plant()), 0, moves.RaiseQuality("food")) == (
        "WF-4.8.2",
        "quality_most",
    )
    assert refusal(raising("quality", 6, "engineer", food=full), 0, moves.RaiseQuality("food")) is None
    best = plant(price=7, quality=6)
    assert refusal(raising("quality", 6, "engineer", food=best, lamps=plant()), 0, moves.RaiseQuality("food")) == (
        "WF-4.8.2",
        "quality_most",
    )
    assert refusal(raising("quality", 6, food=full, lamps=plant()), 0, moves.RaiseQuality("clothes")) == (
        "WF-4.8.2",
        "no_factory",
    )


def test_wf_4_8_1_a_further_level_is_refused():
    b = raising("quality:light", 8, grey="quality:light", **three())
    b.turn.steps = 2
    assert refusal(b, 0, moves.RaiseQuality("food")) == ("WF-4.8.1", "levels")


def test_wf_4_8_3_quality_stays_when_the_factory_is_modernized():
    b = doing("factory", 2, player(food=plant(quality=5)), decade=1780)
    assert after(b, (0, moves.Modernize("food"))).factory(0, "food").quality == 5


def test_wf_4_8_4_the_rest_of_the_costs_serves_other_prices():
    """WF-4.13.4, WF-6.10."""
    b = after(raising("quality", 8, **three()), (0, moves.RaiseQuality("food")))
    b, effects = play(b, (0, moves.SetPrice("clothes", 7)), (0, moves.SetPrice("food", 8)))
    assert only(effects, moves.PriceSet) == [
        moves.PriceSet("WF-4.13.4", 0, "clothes", 8, 7, 1, 2),
        moves.PriceSet("WF-4.13.3", 0, "food", 7, 8, 0, 1),
    ]
    b = after(raising("quality", 6, **three()), (0, moves.RaiseQuality("food")))
    assert refusal(b, 0, moves.SetPrice("clothes", 7)) == ("WF-4.13.4", "price_costs")


# --- distribution ---


def test_wf_4_9_1_no_more_than_the_marker_allows():
    b = raising("distribution", 10, food=plant(distribution=1), lamps=plant(distribution=2), clothes=plant())
    b = after(b, (0, moves.RaiseDistribution("food")))
    assert refusal(b, 0, moves.RaiseDistribution("lamps")) == ("WF-4.9.2", "distribution_costs")


def test_wf_4_9_1_the_patent_adds_beyond_the_limit():
    """WF-4.15.13."""
    b = raising(
        "distribution:light",
        8,
        "patent",
        grey="distribution:light",
        food=plant(price=7, distribution=3),
        lamps=plant(price=9, distribution=3),
    )
    b = after(b, (0, moves.RaiseDistribution("food")))
    assert refusal(b, 0, moves.RaiseDistribution("lamps")) is None
    b = after(b, (0, moves.RaiseDistribution("lamps")))
    assert b.players[0].owns("patent")


def test_wf_4_9_2_a_step_costs_the_level_it_reaches():
    b = raising("distribution", 4, food=plant(price=7))
    b, effects = play(b, (0, moves.RaiseDistribution("food")), (0, moves.RaiseDistribution("food")))
    assert only(effects, moves.DistributionRaised) == [
        moves.DistributionRaised("WF-4.9.2", 0, "food", 1, 1, 2),
        moves.DistributionRaised("WF-4.9.2", 0, "food", 2, 2, 3),
    ]
    assert b.turn.spent == 3
    assert refusal(
        raising("distribution", 4, food=plant(distribution=4), lamps=plant()), 0, moves.RaiseDistribution("food")
    ) == ("WF-4.9.2", "distribution_most")
    assert refusal(raising("distribution", 4, food=plant()), 0, moves.RaiseDistribution("lamps")) == (
        "WF-4.9.2",
        "no_factory",
    )
    assert refusal(raising("distribution", 4, food=plant()), 0, moves.RaiseDistribution("food", True)) == (
        "WF-4.9.3",
        "no_free_level",
    )


def test_wf_4_9_3_the_patent_is_returned_for_two_levels():
    b = raising("distribution", 4, "patent", food=plant(price=7, distribution=3), lamps=plant(price=9))
    b, effects = play(b, (0, moves.PatentLevels()))
    assert effects == [moves.TileReturned("WF-4.9.3", 0, "patent"), moves.PatentReturned("WF-4.9.3", 0, 2)]
    b, effects = play(b, (0, moves.RaiseDistribution("food", True)), (0, moves.RaiseDistribution("lamps", True)))
    assert only(effects, moves.DistributionRaised) == [
        moves.DistributionRaised("WF-4.9.3", 0, "food", 4, 0, 5),
        moves.DistributionRaised("WF-4.9.3", 0, "lamps", 1, 0, 3),
    ]
    assert refusal(b, 0, moves.RaiseDistribution("lamps", True)) == ("WF-4.9.3", "no_free_level")
    assert refusal(b, 0, moves.PatentLevels()) == ("WF-4.9.3", "no_tile")
    assert refusal(b, 0, moves.RaiseDistribution("lamps")) is None


def test_wf_4_9_3_not_when_its_two_pounds_were_needed():
    b = raising("distribution", 4, "patent", food=plant(distribution=2), lamps=plant(distribution=1), clothes=plant())
    b = after(b, (0, moves.RaiseDistribution("food")), (0, moves.RaiseDistribution("lamps")))
    assert refusal(b, 0, moves.PatentLevels()) == ("WF-4.9.3", "patent_spent")


def test_wf_4_9_4_the_rest_serves_other_prices():
    """An unspent patent adds two pounds."""
    b = after(
        raising("distribution", 2, "patent", **three()),
        (0, moves.RaiseDistribution("food")),
        (0, moves.RaiseDistribution("food")),
        DONE,
    )
    b, effects = play(b, (0, moves.SetPrice("clothes", 7)))
    assert effects[0].cost == 1
    assert refusal(b, 0, moves.SetPrice("lamps", 8)) == ("WF-4.13.4", "price_costs")


# --- prices ---


def test_wf_4_13_1_a_price_within_its_range_once_for_each_good():
    b = after(raising("quality", 6, food=plant(price=7), lamps=plant(price=9)), (0, moves.RaiseQuality("food")))
    assert [d.price for d in legal(b, 0, moves.SetPrice)] == [5, 6, 8, 9]
    assert refusal(b, 0, moves.SetPrice("food", 4)) == ("WF-4.13.1", "price")
    assert refusal(b, 0, moves.SetPrice("food", 26)) == ("WF-4.13.1", "price")
    assert refusal(b, 0, moves.SetPrice("food", 10)) == ("WF-4.13.1", "appeal")
    assert refusal(b, 0, moves.SetPrice("food", 7)) == ("WF-4.13.1", "same_price")
    assert refusal(b, 0, moves.SetPrice("cutlery", 7)) == ("WF-4.13.1", "no_factory")
    b = after(raising("distribution", 2, **three()), DONE, (0, moves.SetPrice("food", 5)))
    assert refusal(b, 0, moves.SetPrice("food", 6)) == ("WF-4.13.1", "repriced")


def test_wf_4_13_1_not_above_stored_goods():
    b = doing(
        "quality",
        6,
        player(tiles="small_warehouse", stored="5 lamps", lamps=plant(3, price=17, quality=3)),
        decade=1810,
    )
    b = after(b, (0, moves.RaiseQuality("lamps")))
    assert refusal(b, 0, moves.SetPrice("lamps", 21)) == ("WF-4.13.1", "price")
    assert refusal(b, 0, moves.SetPrice("lamps", 20)) is None


def test_wf_4_13_2_after_production_only_the_producer_is_free():
    b = doing("production:light", 2, player(markers="production:light", slots="1 food", **three()))
    b = after(b, (0, moves.Produce("food", 1)))
    assert {d.good for d in legal(b, 0, moves.SetPrice)} == {"food"}
    assert effects_after(b, (0, moves.SetPrice("food", 5)))[0] == moves.PriceSet("WF-4.13.2", 0, "food", 7, 5, 0, 3)


def test_wf_4_13_3_affected_quality_and_distribution_are_free():
    b = after(raising("distribution", 4, **three()), (0, moves.RaiseDistribution("food")), DONE)
    assert effects_after(b, (0, moves.SetPrice("food", 5)))[0].cost == 0


def test_wf_4_13_5_prices_adjust_though_main_action_is_forgone():
    b = after(raising("quality", 2, **three()), (0, moves.SetPrice("food", 5)), (0, moves.SetPrice("lamps", 8)))
    assert b.stage == "marker"  # both pounds are spent


def test_wf_4_13_6_no_price_is_adjusted_elsewhere():
    for marker in ("workers", "machinery", "stock_exchange"):
        b = doing(marker, 2, player(**three()))
        b = after(b, DONE) if b.stage == "main" else b
        assert refusal(b, 0, moves.SetPrice("food", 5)) == ("WF-8.2", "wrong_action")
    b = doing("factory", 2, player(cash=90, food=plant()))
    assert refusal(b, 0, moves.SetPrice("food", 5)) == ("WF-8.2", "wrong_phase")
    assert after(b, (0, moves.Build("lamps", 1, 6))).factory(0, "lamps").price == 6


def test_wf_4_9_3_unneeded_patent_goes_back_with_two_pounds():
    """Four pounds are paid, and four spent."""
    b = raising("distribution", 4, "patent", food=plant(distribution=3), lamps=plant(), clothes=plant())
    b = after(b, (0, moves.RaiseDistribution("food")))
    assert (b.turn.spent, refusal(b, 0, moves.PatentLevels())) == (4, None)


def test_wf_4_13_1_every_price_from_least_to_most_is_offered():
    """If quality and distribution allow all of them."""
    lamps = plant(4, price=20, quality=3, distribution=4)
    b = doing("quality", 6, player(lamps=lamps, food=plant()), decade=1810)
    b = after(b, (0, moves.RaiseQuality("lamps")))
    assert b.appeal(0, "lamps") + 20 >= 25
    assert [d.price for d in legal(b, 0, moves.SetPrice) if d.good == "lamps"] == [*range(5, 20), *range(21, 26)]
