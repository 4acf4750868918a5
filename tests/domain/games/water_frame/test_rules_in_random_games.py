"""WF-7, held by random games."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.moves import (
    CallOutEnded,
    CashGiven,
    ContractFulfilled,
    CrewHired,
    DecadeBegun,
    DecadeScored,
    DemandCounted,
    Done,
    EconomyRevealed,
    EmergencySale,
    EngineeringPaid,
    EventCustom,
    FactoryBuilt,
    FactoryFounded,
    GameEnded,
    GoodsTaken,
    ImporterMoved,
    LoansRepaid,
    LoansTaken,
    MoneyGiven,
    OfficePaid,
    Paid,
    Place,
    PriceFallen,
    PriceSet,
    Reuse,
    SalesPaid,
    SharesBought,
    SharesSold,
    ShareValueMoved,
    StartPlayerNamed,
    StoredSold,
    TileLaidOut,
    TilesLaidOut,
    WarehouseHired,
    WorkerHired,
)
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.moves import only
from tests.domain.games.water_frame.random_games import TABLES, everywhere, games

every_table = pytest.mark.parametrize(("seats", "setup"), TABLES)


@every_table
def test_every_setup_comes_to_its_end(seats, setup):
    for game in games(seats, setup):
        *_, b, effects = game[-1]
        assert (b.stage, b.decade, WATER_FRAME.course.to_act(b)) == ("over", 1810, ())
        assert len(only(effects, GameEnded)) == 1
        assert len(WATER_FRAME.scoring.outcome(b).ranks) == seats


@every_table
def test_wf_7_1_and_wf_7_3_workers_and_shares_add_up(seats, setup):
    """Counted another way than the invariant does."""
    for game in games(seats, setup):
        for *_, b, _ in game:
            document = b.document()
            people = b.market + b.fired + b.box
            for player in document["players"]:
                people += player["crew"] + sum(player["slots"].values())
                people += sum(
                    sum(f["workers"]) + f["additional"] for f in player["factories"].values() if f is not None
                )
                if player["loans"] <= 30:
                    assert player["shares"] + player["bank"] + player["loans"] == 30
            assert people == 80


@every_table
def test_wf_7_12_ships_tiles_and_grey_markers_add_up(seats, setup):
    # also WF-7.13, WF-7.14
    for game in games(seats, setup):
        laid_out = None
        for *_, b, effects in game:
            now = (
                Counter(ship for row in b.mat for ship in row.ships) + Counter(s for p in b.players for s in p.ships),
                Counter(b.tiles) + Counter(tile.kind for p in b.players for tile in p.tiles),
                sum(len(row.markers) for row in b.mat) + sum(len(p.markers) for p in b.players),
            )
            if b.phase == "setup" and b.stage in ("start_player", "mat", "tiles"):
                continue
            if b.stage == "found_first" or only(effects, TilesLaidOut, TileLaidOut, FactoryFounded):
                laid_out = now
            assert laid_out in (None, now)


GIVES = (
    SharesSold,
    EmergencySale,
    LoansTaken,
    MoneyGiven,
    SalesPaid,
    StoredSold,
    ContractFulfilled,
    OfficePaid,
    EngineeringPaid,
)
TAKES = (Paid, SharesBought, LoansRepaid)


@every_table
def test_wf_7_22_and_wf_7_4_cash_changes_by_what_was_told(seats, setup):
    for game in games(seats, setup):
        for before, _, _, b, effects in game:
            for seat in range(seats):
                change = sum(e.amount for e in only(effects, *GIVES) if e.seat == seat)
                change -= sum(e.amount for e in only(effects, *TAKES) if e.seat == seat)
                assert b.players[seat].cash - before.players[seat].cash == change


@every_table
def test_wf_7_17_share_values_change_by_what_was_told(seats, setup):
    for game in games(seats, setup):
        for before, _, _, b, effects in game:
            for seat in range(seats):
                change = sum(e.to - e.origin for e in only(effects, ShareValueMoved) if e.seat == seat)
                assert b.players[seat].space - before.players[seat].space == change


@every_table
def test_wf_7_24_everybody_has_twenty_turns(seats, setup):
    for game in games(seats, setup):
        turns = Counter(seat for _, seat, d, *_ in game if isinstance(d, Place | Reuse))
        assert turns == dict.fromkeys(range(seats), 20)
        for before, _, _, b, effects in game:
            for named in only(effects, StartPlayerNamed):
                if named.how == "clockwise":
                    assert (b.start, before.cycle in (1, 2, 3)) == ((before.start + 1) % seats, True)
        decades = [e.decade for *_, effects in game for e in only(effects, DecadeBegun)]
        scored = [e.decade for *_, effects in game for e in only(effects, DecadeScored)]
        assert scored == [1770, 1780, 1790, 1800, 1810]
        assert decades == scored[game[0][0].decade > 1760 :]  # a predetermined set-up lies there already


def test_wf_7_2_the_fired_space_serves_only_an_empty_market():
    for before, *_, b, effects in everywhere():
        for hired in only(effects, WorkerHired, WarehouseHired):
            assert hired.origin == "market" or before.market == 0
        for hired in only(effects, CrewHired):
            assert not hired.fired or b.market == 0
        for built in only(effects, FactoryBuilt):
            assert built.workers <= before.market or b.market == 0


def test_wf_7_16_importers_only_advance():
    for before, _, _, b, effects in everywhere():
        moved = sum(e.advance for e in only(effects, EconomyRevealed))
        moved += sum(e.space - e.before for e in only(effects, ImporterMoved))
        assert sum(b.importers.values()) - sum(before.importers.values()) == moved
        if moved < 0:
            assert before.stage in ("event", "event_step")


def test_wf_7_18_sales_within_demand_and_appeal():
    sales = 0
    demand = 0
    for before, _, d, _, effects in everywhere():
        for e in only(effects, DemandCounted):
            demand, sales = e.demand, 0
            importer = e.importer
        for e in only(effects, GoodsTaken):
            sales += len(e.produced + e.extra + e.stored) + e.importer - e.beyond
            assert sales + e.demand == demand
            assert e.beyond < max(1, len(e.produced + e.extra + e.stored))
        for e in only(effects, CallOutEnded):
            assert e.importer <= importer
            assert not e.demand or e.importer == importer
            for seat, sold in enumerate(e.sold if before.phase == "production" or isinstance(d, Done) else ()):
                assert sold <= before.appeal(seat, GOODS[before.cycle - 1])


def test_wf_7_20_at_most_four_spaces_and_one_bonus_of_each_kind():
    for *_, effects in everywhere():
        if not only(effects, CallOutEnded, SalesPaid):
            continue
        rises = [e for e in only(effects, ShareValueMoved) if e.cause in ("sales", "appeal", "most_sold")]
        for cause in ("appeal", "most_sold"):
            assert sum(e.cause == cause for e in rises) <= 1
        for seat in {e.seat for e in rises}:
            assert sum(e.spaces for e in rises if e.seat == seat) <= 4


def test_wf_7_21_nothing_superfluous_is_sold_in_an_emergency():
    seen = Counter()
    for *_, effects in everywhere():
        for number, e in enumerate(effects):
            if not isinstance(e, EmergencySale | LoansTaken):
                continue
            paid = next(i for i, later in enumerate(effects) if i > number and isinstance(later, Paid))
            moved = [m for m in effects[number:paid] if isinstance(m, ShareValueMoved)]
            if isinstance(e, EmergencySale):
                assert moved[0].spaces == -e.count * e.penalty
            else:
                assert moved[0].spaces == -e.count
            seen[type(e)] += 1
    assert seen[EmergencySale] > 20 < seen[LoansTaken]


def test_wf_7_21_rest_is_less_than_one_more_share_or_loan():
    for before, _, d, b, effects in everywhere():
        sold, loans = only(effects, EmergencySale), only(effects, LoansTaken)
        if isinstance(d, Place | Reuse) and (sold or loans):
            change = b.players[before.mover].cash
            assert change < (10 if loans else sold[0].each)


def test_wf_7_25_prices_change_only_where_they_may():
    for before, _, _, b, effects in everywhere():
        told = {(e.seat, e.good) for e in only(effects, PriceSet, PriceFallen, FactoryBuilt, FactoryFounded)}
        for seat, (old, new) in enumerate(zip(before.players, b.players, strict=True)):
            for good in GOODS:
                was, now = old.factories[good], new.factories[good]
                if was is not None and now is not None and was.price != now.price:
                    assert (seat, good) in told


def test_a_custom_event_that_takes_cash_is_a_payment():
    b = next(step[0] for step in games(3, 0)[0] if step[0].stage == "event")
    _, effects = WATER_FRAME.play(b, TABLE, EventCustom("Tax", (CashGiven(0, -30),)))
    assert only(effects, Paid)[0].amount == 30


# --- how many games there are ---


def test_games_follow_without_a_gap():
    for game in games(4, 0):
        for (*_, b, _), (following, *_) in pairwise(game):
            assert b == following
