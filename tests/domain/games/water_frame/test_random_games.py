"""WF-7 and the promises of the kernel, held by random games from the set-up to the end of 1810."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.board import Board
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
    LayOutMat,
    LayOutTiles,
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
    StartMarker,
    StartPlayerNamed,
    StoredSold,
    TileLaidOut,
    TilesLaidOut,
    WarehouseHired,
    WorkerHired,
)
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.board import deep_copy, fold, mismatches, unfold
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import first_turn, opening_board, predetermined_board, random_game, refusal
from tests.domain.games.water_frame.sound import sound_game

SETUPS: tuple[dict[str, str], ...] = (
    {},
    {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"},
    {"mat": "patrons", "events": "shuffled"},
    {"factories": "predetermined", "mat": "patrons"},
)
TABLES = [(seats, number) for seats in (2, 3, 4) for number in range(len(SETUPS))]
SEEDS = {(3, 1): 17}  # a game in which a ship fulfils a contract
Played = tuple[Board, Seat, Decision, Board, list[Any]]


@cache
def games(seats: int, setup: int) -> tuple[tuple[Played, ...], ...]:
    """A game of players who look after their companies and one of players who do not, step by step."""
    found = []
    for sound in (True, False):
        board = opening_board(seats, **SETUPS[setup])
        seed = SEEDS.get((seats, setup), 100 + seats + 10 * setup)
        moves = sound_game(board, seed, custom=0.4) if sound else random_game(board, 100 + seats)
        steps = []
        for b, seat, d in moves:
            followed, effects = WATER_FRAME.play(b, seat, d)
            steps.append((b, seat, d, followed, effects))
        found.append(tuple(steps))
    return tuple(found)


def everywhere():
    return [step for seats, setup in TABLES for game in games(seats, setup) for step in game]


every_table = pytest.mark.parametrize(("seats", "setup"), TABLES)


@every_table
def test_every_setup_comes_to_its_end(seats, setup):
    for game in games(seats, setup):
        *_, b, effects = game[-1]
        assert (b.stage, b.decade, WATER_FRAME.course.to_act(b)) == ("over", 1810, ())
        assert len(only(effects, GameEnded)) == 1
        assert len(WATER_FRAME.scoring.outcome(b).ranks) == seats


@every_table
def test_no_invariant_is_broken(seats, setup):
    """WF-7.1 to WF-7.17 and WF-7.27, as far as one board shows them."""
    for game in games(seats, setup):
        for *_, b, _ in game:
            assert list(WATER_FRAME.integrity.breaches(b)) == []


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
def test_wf_7_12_wf_7_13_wf_7_14_ships_tiles_and_grey_markers_add_up(seats, setup):
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


@every_table
def test_wf_7_26_one_party_decides_and_can(seats, setup):
    for game in games(seats, setup):
        for b, seat, d, *_ in game:
            assert WATER_FRAME.course.to_act(b) == (seat,)
            legal = WATER_FRAME.legal(b, seat)
            assert d in legal
            written = {msgspec.json.encode(one) for one in legal}
            assert len(written) == len(legal)
            assert all(not WATER_FRAME.legal(b, other) for other in range(-1, seats) if other != seat)


@every_table
def test_wf_8_1_everything_else_is_refused(seats, setup):
    """What was decided once is written down in other positions; it is accepted exactly where it is listed."""
    chance = random.Random(seats)
    for game in games(seats, setup):
        said = [(seat, d) for _, seat, d, *_ in game]
        for b, *_ in chance.sample(game, min(25, len(game))):
            legal = {other: WATER_FRAME.legal(b, other) for other in range(-1, seats)}
            before = b.document()
            for other, d in chance.sample(said, 60):
                accepted = refusal(b, other, d) is None
                assert accepted == (d in legal[other]) or (accepted and WATER_FRAME.kinds[type(d)].open_form)
            assert b.document() == before


@every_table
def test_wf_7_23_replaying_gives_the_same_boards(seats, setup):
    """Forwards, backwards, and through the JSON of a record."""
    game = games(seats, setup)[0]
    document = game[0][0].document()
    boards = [deep_copy(document)]
    written = []
    board = game[0][0]
    for _, seat, d, followed, _ in game:
        board, step = WATER_FRAME.step(board, seat, WATER_FRAME.decision(json.loads(msgspec.json.encode(d))))
        assert board == followed
        changes = json.loads(json.dumps(step.changes))
        assert not list(mismatches(document, changes))
        fold(document, changes)
        assert document == board.document()
        assert WATER_FRAME.typed_board(document, board.table) == board
        written.append(changes)
        boards.append(deep_copy(document))
    for before, changes in zip(reversed(boards[:-1]), reversed(written), strict=True):
        unfold(document, changes)
        assert document == before


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


def test_wf_7_21_what_is_left_is_less_than_one_more_share_or_loan():
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


def test_the_random_games_reach_every_decision():
    seen = {type(d) for _, _, d, *_ in everywhere()}
    assert set(WATER_FRAME.kinds) - seen - {LayOutMat, LayOutTiles, StartMarker} == set(), "these are in test_setup"


def test_a_custom_event_that_takes_cash_is_a_payment():
    b = next(step[0] for step in games(3, 0)[0] if step[0].stage == "event")
    _, effects = WATER_FRAME.play(b, TABLE, EventCustom("Tax", (CashGiven(0, -30),)))
    assert only(effects, Paid)[0].amount == 30


# --- how many games there are ---


def perft(b: Board, depth: int) -> int:
    if not depth:
        return 1
    return sum(
        perft(WATER_FRAME.play(b, seat, d)[0], depth - 1)
        for seat in WATER_FRAME.course.to_act(b)
        for d in WATER_FRAME.legal(b, seat)
    )


@pytest.mark.parametrize(
    ("seats", "from_economy", "from_turn"),
    [(2, [6, 210, 2052], [35, 342, 4971]), (3, [6, 210, 2490], [35, 415, 8657]), (4, [6, 210, 2466], [35, 411, 8667])],
)
def test_the_number_of_games_of_a_few_decisions(seats, from_economy, from_turn):
    """After the predetermined set-up: from the first economy marker on, and from the first turn on."""
    assert [perft(predetermined_board(seats), depth) for depth in (1, 2, 3)] == from_economy
    assert [perft(first_turn(seats), depth) for depth in (1, 2, 3)] == from_turn


def test_games_follow_without_a_gap():
    for game in games(4, 0):
        for (*_, b, _), (following, *_) in pairwise(game):
            assert b == following
