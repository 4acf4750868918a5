"""Arkwright, Water Frame: the tables that name the rule of each check, and what follows by itself in each stage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from daybook.domain.games.water_frame import (
    appeal,
    chart,
    course,
    endings,
    events,
    factories,
    inventor,
    machinery,
    production,
    production_action,
    setup,
    ship_action,
    special,
    stock_exchange,
    storage,
    turns,
    workers,
)
from daybook.domain.games.water_frame.board import Board, Options, Stage, opening
from daybook.domain.games.water_frame.consistency import CONSISTENCY
from daybook.domain.games.water_frame.deciding import (
    ACTION_OF,
    asked_first,
    asked_for,
    factory_there,
    game_on,
    in_its_action,
    in_stage,
    name_of,
    not_awaited,
)
from daybook.domain.games.water_frame.invariants import adjustable, breaches
from daybook.domain.games.water_frame.moves import (
    AnyDecision,
    AnyEffect,
    Broker,
    Build,
    Buy,
    Charisma,
    Close,
    CloseRow,
    Contract,
    Discard,
    Dismiss,
    Done,
    EventCustom,
    ExtraShift,
    Fire,
    FireWarehouse,
    Found,
    Fulfil,
    Hire,
    HireWarehouse,
    Install,
    InventorKeep,
    InventorReturn,
    Keep,
    LayOutMat,
    LayOutTiles,
    MarkerLaid,
    Modernize,
    MoveWarehouse,
    NameStartPlayer,
    Pass,
    PatentLevels,
    PatronSale,
    Place,
    Produce,
    RaiseDistribution,
    RaiseQuality,
    Reassign,
    Relocate,
    Repay,
    ReturnShip,
    ReturnTile,
    Reuse,
    RevealEconomy,
    RevealEvent,
    Sell,
    SellGoods,
    SellShares,
    SellStored,
    SetPrice,
    ShipContract,
    StartPlayer,
    Stop,
    TakeMarker,
    TakeShip,
    TakeTile,
    TileDrawn,
)
from daybook.domain.games.water_frame.names import NAMES
from daybook.domain.games.water_frame.scoring import COLUMNS, marks, outcome, places, rows, standing
from daybook.domain.kernel.ruleset import (
    TABLE,
    Action,
    Candidates,
    Check,
    Checks,
    Decision,
    Effect,
    Reason,
    Ruleset,
    Seat,
    Table,
    Tell,
    Viewer,
    because,
)

# --- who decides ---

BY_TABLE: frozenset[Stage] = frozenset({"start_player", "mat", "tiles", "economy", "event"})
CLOSED_BY_PLAYER: frozenset[Stage] = frozenset({"main", "additional"})


def to_act(b: Board) -> tuple[Seat, ...]:
    """One player, the table, or nobody when the game is over."""
    if b.asked:
        return (b.asked[-1].seat,)
    if b.stage == "over":
        return ()
    return (TABLE,) if b.stage in BY_TABLE else (b.decider,)


def by_table(b: Board, seat: Seat, d: Decision) -> Reason | None:
    return None if seat == TABLE else because("table_decides", "the table decides this, not a player")


def its_turn(b: Board, seat: Seat, d: Decision) -> Reason | None:
    acting = to_act(b)
    if seat in acting:
        return None
    if seat == TABLE:
        return because("player_decides", "seat {seat} decides this, not the table", seat=acting[0])
    if acting == (TABLE,):
        return because("table_decides", "a fact of the table is awaited: {awaited}", awaited=b.stage)
    return because("not_your_turn", "seat {seat} is to decide", seat=acting[0])


# --- what goes on by itself ---

STEPS: course.Steps = {
    "start_player": setup.start_known,
    "mat": setup.mat_laid,
    "tiles": setup.tiles_laid,
    "found_first": setup.found_first,
    "found_second": setup.found_second,
    "capital": setup.capital,
    "special": setup.special,
    "economy": course.waits,
    "marker": turns.marker,
    "main": course.waits,
    "additional": turns.additional,
    "school_first": production.school_first,
    "call_out": production.call_out,
    "school_second": production.school_second,
    "extra_shifts": production.extra_shifts,
    "patron": production.patron,
    "shipping": production.shipping,
    "storage": storage.store,
    "cycle_end": endings.cycle_end,
    "firing": endings.firing,
    "event": course.waits,
    "event_step": events.event_step,
    "broker": endings.broker,
    "charisma": endings.charisma,
    "start_named": course.waits,
    "final_exchange": endings.final_exchange,
    "over": course.waits,
}


def opened(table: Table) -> Board:
    """The table, with what a predetermined set-up has laid out already."""
    b = opening(table)
    course.go_on(b, STEPS, lambda effect: None)
    return b


def goes_on(action: Action[Board]) -> Action[Board]:
    """An action, and all that follows by itself; an action in which only `done` is left closes itself (WF-4.1.2)."""

    def carried_out(b: Board, seat: Seat, d: Decision, tell: Tell) -> None:
        action(b, seat, d, tell)
        course.go_on(b, STEPS, tell)
        while b.stage in CLOSED_BY_PLAYER and not b.asked and only_done(b):
            turns.close_action(b, b.mover, tell)
            course.go_on(b, STEPS, tell)

    return carried_out


def only_done(b: Board) -> bool:
    """Whether the player in turn can do nothing more in the running action than to close it."""
    seat, kinds = b.mover, ADDITIONAL if b.stage == "additional" else MAIN[name_of(b.turn.marker)]
    return not any(possible(b, seat, kind) for kind in kinds)


def possible(b: Board, seat: Seat, kind: type[Decision]) -> bool:
    """Whether the player in turn can decide anything of a kind that belongs to the running action."""
    checks = CHECKS_IN_ACTION[kind]
    hopeless: set[str | None] = set()
    for d in CANDIDATES[kind](b, seat):
        good: str | None = getattr(d, "good", None)
        if good in hopeless:
            continue
        failed = first_failed(b, seat, d, checks)
        if failed is None:
            return True
        if failed in OF_ALL:
            return False
        if failed in OF_A_GOOD:
            hopeless.add(good)
    return False


def first_failed(b: Board, seat: Seat, d: Decision, checks: Iterable[Check[Board]]) -> Check[Board] | None:
    for check in checks:
        if check(b, seat, d) is not None:
            return check
    return None


# --- done ---


def something_open(b: Board, seat: Seat, d: Done) -> Reason | None:
    if b.asked:
        return asked_first(b)
    return None if b.stage in CLOSED_BY_PLAYER or b.stage in endings.ENDS else not_awaited(b)


def done(b: Board, seat: Seat, d: Done, tell: Tell) -> None:
    if b.stage in CLOSED_BY_PLAYER:
        turns.close_action(b, seat, tell)
    else:
        endings.ended(b, seat, d, tell)


DONE = (Done(),)


def some_dones(b: Board, seat: Seat) -> Iterable[Decision]:
    return DONE if not b.asked and (b.stage in CLOSED_BY_PLAYER or b.stage in endings.ENDS) else ()


# --- the tables ---


def weight(b: Board, fact: Decision) -> int:
    match fact:
        case RevealEvent():
            return events.weight(b, fact)
        case EventCustom():
            return 0
    return setup.weight(b, fact)


def masked(b: Board, viewer: Viewer) -> Board:
    """Nothing that the record knows is hidden from anybody."""
    return b.twin()


def told(
    b: Board, seat: Seat, d: Decision, effects: Sequence[Effect], viewer: Viewer,
) -> tuple[Decision, Sequence[Effect]]:
    return d, effects


CANDIDATES: dict[type[Decision], Candidates[Board]] = {  # what is paid for already, `done`, what costs or binds more
    StartPlayer: setup.some_starts,
    LayOutMat: setup.some_mats,
    MarkerLaid: setup.some_markers,
    LayOutTiles: setup.some_layouts,
    TileDrawn: setup.some_tiles,
    RevealEconomy: setup.some_economy,
    RevealEvent: events.some_events,
    EventCustom: events.some_custom,
    Found: setup.some_foundations,
    SellShares: setup.some_share_sales,
    Place: chart.some_places,
    Reuse: chart.some_reuses,
    RaiseQuality: appeal.some_qualities,
    RaiseDistribution: appeal.some_distributions,
    Install: machinery.some_installs,
    Buy: stock_exchange.some_purchases,
    Repay: stock_exchange.some_repayments,
    Fulfil: ship_action.some_deliveries,
    Produce: production_action.some_productions,
    TakeTile: special.some_tiles,
    TakeMarker: special.some_markers,
    TakeShip: special.some_ships,
    ReturnTile: special.some_tile_returns,
    InventorKeep: inventor.some_keeps,
    InventorReturn: inventor.some_returns,
    Relocate: machinery.some_relocations,
    Dismiss: machinery.some_dismissals,
    CloseRow: production.some_closings,
    SellStored: production.some_stored_sales,
    ExtraShift: production.some_extra_shifts,
    PatronSale: production.some_patron_sales,
    ShipContract: production.some_shipments,
    Charisma: endings.some_charismas,
    NameStartPlayer: endings.some_names,
    Done: some_dones,
    SetPrice: appeal.some_prices,
    Modernize: factories.some_modernizations,
    Build: factories.some_buildings,
    Hire: workers.some_hires,
    HireWarehouse: workers.some_warehouse_hires,
    PatentLevels: appeal.some_patent_levels,
    Contract: stock_exchange.some_contracts,
    SellGoods: stock_exchange.some_goods_sales,
    Pass: setup.some_passes,
    Keep: production.some_keeps,
    Stop: production.some_stops,
    Discard: storage.some_discards,
    MoveWarehouse: workers.some_warehouse_moves,
    Fire: workers.some_fires,
    FireWarehouse: endings.some_firings,
    ReturnShip: endings.some_ship_returns,
    Reassign: special.some_reassignments,
    Broker: special.some_brokers,
    Sell: stock_exchange.some_sales,
    Close: factories.some_closures,
}

# What can be done in a main action, by the marker's name, and in the additional action.
MAIN: dict[str, tuple[type[Decision], ...]] = {
    name: tuple(kind for kind in CANDIDATES if ACTION_OF.get(kind) == name) for name in set(ACTION_OF.values())
} | {"stock_exchange": (Buy, Repay, Contract, SellGoods, Sell), "reorganization": ()}
ADDITIONAL: tuple[type[Decision], ...] = (SetPrice, TakeTile, TakeMarker, TakeShip, Reassign, Broker)

FACT: Checks[Board] = (("WF-4.24.5", game_on), ("WF-8.2", by_table), ("WF-4.0.6", in_stage))
TURN: Checks[Board] = (("WF-4.24.5", game_on), ("WF-4.0.6", its_turn))
AWAITED: Checks[Board] = (*TURN, ("WF-4.0.6", in_stage))
ACTION: Checks[Board] = (*TURN, ("WF-8.2", in_its_action))
ASKED: Checks[Board] = (*TURN, ("WF-4.0.6", asked_for))
EXCHANGE: Checks[Board] = (*TURN, ("WF-8.2", stock_exchange.exchange_open))
SPECIAL: Checks[Board] = (*TURN, ("WF-8.2", special.special_open), ("WF-4.14", special.one_marker))

CHECKS: dict[type[Decision], Checks[Board]] = {
    # the table
    StartPlayer: (*FACT, ("WF-3.3.2", setup.at_table)),
    MarkerLaid: (*FACT, ("WF-2.18", setup.marker_left)),
    LayOutMat: (*FACT, ("WF-3.4.2", setup.rows_full), ("WF-2.18", setup.markers_there)),
    TileDrawn: (*FACT, ("WF-2.16", setup.tile_left), ("WF-2.17.5", setup.tile_not_over)),
    LayOutTiles: (
        *FACT, ("WF-2.17.5", setup.tiles_there), ("WF-2.17", setup.all_tiles), ("WF-3.4.3", setup.first_tiles)),
    RevealEconomy: (*FACT, ("WF-4.3.1", setup.marker_to_come)),
    RevealEvent: (*FACT, ("WF-4.22.5", events.event_may_lie)),
    EventCustom: (
        *FACT, ("WF-4.22.6", events.not_at_the_end), ("WF-4.22.6", events.name_fits),
        ("WF-4.22.6", events.primitives_fit)),
    # the preparation round
    Found: (*AWAITED, ("WF-3.5.3", setup.not_founded), ("WF-3.5.1", setup.price_fits)),
    SellShares: (*AWAITED, ("WF-3.6.2", setup.shares_held), ("WF-3.6.2", setup.bill_covered)),
    Pass: AWAITED,
    # choosing a marker
    Place: (
        *AWAITED, ("WF-4.4.1", chart.marker_owned), ("WF-2.9.1", chart.row_there), ("WF-4.4.2", chart.marker_free),
        ("WF-4.4.2", chart.row_free), ("WF-4.4.2", chart.row_open), ("WF-4.4.4", chart.amount_fits),
        ("WF-4.4.5", chart.ship_covered)),
    Reuse: (
        *AWAITED, ("WF-4.4.1", chart.marker_owned), ("WF-4.4.3", chart.on_chart), ("WF-6.56", chart.reuse_row_open),
        ("WF-4.4.4", chart.reuse_amount_fits), ("WF-4.4.5", chart.ship_covered)),
    # factory
    Build: (
        *ACTION, ("WF-4.5.1", factories.no_factory_yet), ("WF-4.5.1", factories.level_reached),
        ("WF-4.5.1", factories.price_fits), ("WF-4.5.1", factories.not_just_closed),
        ("WF-4.5.1", factories.first_row_filled), ("WF-4.5.5", factories.developer_owned),
        ("WF-4.5.5", factories.developer_unused)),
    Modernize: (
        *ACTION, ("WF-4.5.2", factory_there), ("WF-4.5.6", factories.inventor_owned),
        ("WF-4.5.2", factories.next_level_there), ("WF-4.5.6", factories.inventor_needed),
        ("WF-4.5.5", factories.developer_owned), ("WF-4.5.5", factories.developer_within_level),
        ("WF-4.5.5", factories.developer_unused)),
    Close: (*ACTION, ("WF-4.5.4", factory_there), ("WF-4.5.4", factories.not_just_built)),
    InventorKeep: (*ASKED, ("WF-6.51", inventor.next_use_paid)),
    InventorReturn: ASKED,
    # workers and machinery
    Hire: (
        *ACTION, ("WF-4.6.1", factory_there), ("WF-4.6.1", workers.space_free), ("WF-4.6.1", workers.not_fired_from),
        ("WF-4.1.8", workers.worker_there)),
    HireWarehouse: (*ACTION, ("WF-4.6.2", workers.slot_free), ("WF-4.1.8", workers.worker_there)),
    MoveWarehouse: (
        *ACTION, ("WF-4.6.3", workers.slot_staffed), ("WF-4.6.3", workers.another_slot),
        ("WF-4.6.3", workers.target_free)),
    Fire: (
        *ACTION, ("WF-4.6.4", factory_there), ("WF-4.6.4", workers.beyond_first_row),
        ("WF-4.6.4", workers.not_hired_into)),
    Install: (
        *ACTION, ("WF-4.7.1", machinery.machine_left), ("WF-4.7.2", factory_there),
        ("WF-4.7.2", machinery.machine_space_free), ("WF-4.7.2", machinery.worker_replaceable)),
    Relocate: (*ASKED, ("WF-4.7.3", factory_there), ("WF-4.7.3", workers.space_free)),
    Dismiss: ASKED,
    # quality, distribution, prices
    RaiseQuality: (
        *ACTION, ("WF-4.8.1", appeal.level_left), ("WF-4.8.2", factory_there), ("WF-4.8.2", appeal.quality_below_most)),
    RaiseDistribution: (
        *ACTION, ("WF-4.9.2", factory_there), ("WF-4.9.2", appeal.distribution_below_most),
        ("WF-4.9.3", appeal.free_level_left), ("WF-4.9.2", appeal.level_affordable)),
    PatentLevels: (*ACTION, ("WF-4.9.3", appeal.patent_owned), ("WF-4.9.3", appeal.patent_unspent)),
    SetPrice: (
        *TURN, ("WF-8.2", appeal.prices_open), ("WF-4.13.1", factory_there), ("WF-4.13.1", appeal.once_per_good),
        ("WF-4.13.2", appeal.good_affected), ("WF-4.13.4", appeal.adjustment_paid),
        ("WF-4.13.1", appeal.price_in_range), ("WF-4.13.1", appeal.appeal_not_negative),
        ("WF-4.13.1", appeal.another_price)),
    # stock exchange
    Buy: (
        *EXCHANGE, ("WF-4.23.7", stock_exchange.no_loans), ("WF-4.10.1", stock_exchange.shares_in_bank),
        ("WF-4.1.4", stock_exchange.purchase_covered)),
    Sell: (*EXCHANGE, ("WF-4.10.2", stock_exchange.shares_held)),
    Repay: (*EXCHANGE, ("WF-4.10.3", stock_exchange.loans_there), ("WF-4.1.4", stock_exchange.repayment_covered)),
    SellGoods: (*EXCHANGE, ("WF-4.10.4", stock_exchange.goods_stored)),
    Contract: (*ACTION, ("WF-4.10.5", stock_exchange.on_track), ("WF-4.10.5", stock_exchange.higher_space)),
    # ship and production
    Fulfil: (
        *ACTION, ("WF-4.11.1", ship_action.contract_there), ("WF-4.11.1", factory_there),
        ("WF-4.15.3", ship_action.agent_helps), ("WF-4.11.1", ship_action.goods_stored),
        ("WF-4.11.2", ship_action.ship_holds)),
    Produce: (
        *ACTION, ("WF-4.12.1", production_action.not_produced), ("WF-4.12.1", factory_there),
        ("WF-4.12.1", production_action.rows_usable), ("WF-4.15.9", production_action.extra_shifts_owned)),
    # special markers
    TakeTile: (
        *SPECIAL, ("WF-4.14.1", special.tile_in_supply), ("WF-4.14.1", special.tile_not_owned),
        ("WF-4.14.2", special.assignment_named)),
    ReturnTile: (*ASKED, ("WF-4.14.1", special.older_tile)),
    Reassign: (
        *SPECIAL, ("WF-3.6.3", special.in_turn), ("WF-4.14.2", special.assigned_tile),
        ("WF-4.14.2", special.another_space)),
    TakeMarker: (*SPECIAL, ("WF-4.14.3", special.marker_reachable), ("WF-4.14.3", special.marker_not_owned)),
    TakeShip: (
        *SPECIAL, ("WF-4.14.4", special.ship_reachable), ("WF-4.14.4", special.pier_free),
        ("WF-4.14.4", special.smaller_replaced), ("WF-8.6", special.replaced_told_apart),
        ("WF-4.14.5", special.crew_found)),
    Broker: (
        *SPECIAL, ("WF-3.6.3", special.in_turn), ("WF-2.15.3", special.within_turn),
        ("WF-4.14.6", special.broker_owned), ("WF-4.23.7", stock_exchange.no_loans),
        ("WF-4.14.6", special.broker_shares), ("WF-4.1.4", special.half_price_covered)),
    Done: (*TURN, ("WF-4.1.2", something_open)),
    # the production phase
    CloseRow: (*AWAITED, ("WF-4.16.4", production.school_owned), ("WF-4.16.13", production.row_unsold)),
    SellStored: (*AWAITED, ("WF-4.16.9", production.goods_stored)),
    ExtraShift: (
        *AWAITED, ("WF-4.16.10", production.shifts_owned), ("WF-4.15.9", production.factory_stands),
        ("WF-4.16.10", production.first_call)),
    Stop: AWAITED,
    PatronSale: (
        *AWAITED, ("WF-4.16.15", production.patron_owned), ("WF-4.16.15", production.factory_stands),
        ("WF-4.16.15", production.patron_good)),
    ShipContract: (
        *AWAITED, ("WF-4.19.1", production.contract_there), ("WF-4.15.3", production.by_agent),
        ("WF-4.19.2", production.factory_stands), ("WF-4.19.2", production.goods_at_hand),
        ("WF-4.19.3", production.ships_fit)),
    Keep: AWAITED,
    Discard: (*TURN, ("WF-4.1.10", storage.discard_awaited), ("WF-4.1.10", storage.in_small)),
    # the end of a cycle and of a round
    Charisma: (*AWAITED, ("WF-4.15.5", endings.charisma_held), ("WF-4.21.2", endings.at_table)),
    FireWarehouse: (*AWAITED, ("WF-4.22.3", endings.slot_staffed)),
    ReturnShip: (*AWAITED, ("WF-4.22.3", endings.ship_owned)),
    NameStartPlayer: (*AWAITED, ("WF-4.22.9", endings.at_table)),
}

# What `only_done` need not ask. While an action runs, these hold of every candidate of the player in turn.
HOLD = (game_on, its_turn, in_its_action, stock_exchange.exchange_open, special.special_open, appeal.prices_open)
CHECKS_IN_ACTION: dict[type[Decision], tuple[Check[Board], ...]] = {
    kind: tuple(check for _, check in checks if check not in HOLD) for kind, checks in CHECKS.items()}
# These say the same of every candidate of a kind, and these of every candidate for one good.
OF_ALL: tuple[Check[Board], ...] = (
    machinery.machine_left, appeal.level_left, appeal.patent_owned, appeal.patent_unspent, workers.worker_there,
    stock_exchange.no_loans, special.one_marker, special.in_turn, special.within_turn, special.broker_owned)
OF_A_GOOD: tuple[Check[Board], ...] = (
    factory_there, appeal.good_affected, appeal.once_per_good, appeal.adjustment_paid)

ACTIONS: dict[type[Decision], Action[Board]] = {
    StartPlayer: setup.start_player,
    MarkerLaid: setup.marker_laid,
    LayOutMat: setup.lay_out_mat,
    TileDrawn: setup.tile_drawn,
    LayOutTiles: setup.lay_out_tiles,
    RevealEconomy: setup.reveal_economy,
    RevealEvent: events.reveal_event,
    EventCustom: events.event_custom,
    Found: setup.found,
    SellShares: setup.sell_shares,
    Pass: setup.pass_special,
    Place: chart.place_marker,
    Reuse: chart.reuse,
    Build: factories.build,
    Modernize: factories.modernize,
    Close: factories.close,
    InventorKeep: inventor.keep,
    InventorReturn: inventor.give_up,
    Hire: workers.hire,
    HireWarehouse: workers.hire_warehouse,
    MoveWarehouse: workers.move_warehouse,
    Fire: workers.fire,
    Install: machinery.install,
    Relocate: machinery.relocate,
    Dismiss: machinery.dismiss,
    RaiseQuality: appeal.raise_quality,
    RaiseDistribution: appeal.raise_distribution,
    PatentLevels: appeal.patent_levels,
    SetPrice: appeal.set_price,
    Buy: stock_exchange.buy,
    Sell: stock_exchange.sell,
    Repay: stock_exchange.repay,
    SellGoods: stock_exchange.sell_goods,
    Contract: stock_exchange.contract,
    Fulfil: ship_action.fulfil,
    Produce: production_action.produce,
    TakeTile: special.take_tile,
    ReturnTile: special.return_tile,
    Reassign: special.reassign,
    TakeMarker: special.take_marker,
    TakeShip: special.take_ship,
    Broker: special.broker,
    Done: done,
    CloseRow: production.row_closed,
    SellStored: production.stored_sold,
    ExtraShift: production.extra_shift,
    Stop: production.stopped,
    PatronSale: production.patron_sold,
    ShipContract: production.contract_shipped,
    Keep: production.contract_kept,
    Discard: storage.discard,
    Charisma: endings.charisma_used,
    FireWarehouse: endings.warehouse_fired,
    ReturnShip: endings.ship_returned,
    NameStartPlayer: endings.start_player_named,
}

WATER_FRAME: Ruleset[Board] = Ruleset(
    id="water_frame",
    prefix="WF",
    title="Arkwright: Water Frame",
    revision=2,
    seats=range(2, 5),
    consistency=CONSISTENCY,
    catalogue="WF-8.2",
    decisions=AnyDecision,
    effects=AnyEffect,
    options=Options,
    board=Board,
    colours=lambda sheet: tuple(sheet["seats.colours"]),
    open=opened,
    to_act=to_act,
    candidates=CANDIDATES,
    checks=CHECKS,
    actions={kind: goes_on(action) for kind, action in ACTIONS.items()},
    weight=weight,
    standing=standing,
    outcome=outcome,
    places=places,
    masked=masked,
    told=told,
    columns=COLUMNS,
    rows=rows,
    rows_own=("/players/*",),
    rows_shared=("/decade",),
    marks=marks,
    periods=("decade",),
    by_itself=turns.closed,
    meaning={ShipContract: production.ships_in_order},
    breaches=breaches,
    adjustable=adjustable,
    causes=(
        "/players/*/cash", "/players/*/shares", "/players/*/bank", "/players/*/space", "/players/*/factories/*",
        "/players/*/chart/*", "/players/*/slots/*", "/players/*/stored/*", "/players/*/contracts/*",
        "/players/*/loans", "/players/*/crew", "/players/*/markers", "/players/*/ships", "/players/*/tiles",
        "/market", "/fired", "/box", "/importers/*", "/tiles/*", "/mat/*/markers", "/mat/*/ships", "/economy/*",
        "/closed_rows/*", "/events", "/start",
    ),
    names=NAMES,
    open_forms=frozenset({LayOutMat, LayOutTiles, EventCustom}),
    exact=frozenset(CANDIDATES) - {LayOutMat, LayOutTiles, EventCustom},
    most=setup.most,
)
