"""Arkwright, Water Frame: the tables that name the rule of each check, and what follows by itself in each stage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from daybook.domain.games.water_frame import (
    appeal,
    chart,
    course,
    endings,
    events,
    factories,
    inventor,
    machinery,
    moves,
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
from daybook.domain.games.water_frame.board import Asked, Board, Options, Stage, opening
from daybook.domain.games.water_frame.consistency import CONSISTENCY
from daybook.domain.games.water_frame.deciding import (
    awaits_answer,
    factory_there,
    game_on,
    in_its_action,
    in_stage,
    no_decision_pending,
    stage_is,
)
from daybook.domain.games.water_frame.examples import EXAMPLES
from daybook.domain.games.water_frame.invariants import adjustable, breaches, invariants
from daybook.domain.games.water_frame.names import NAMES
from daybook.domain.games.water_frame.printed import MARKER_NAMES, SLOTS, name_of
from daybook.domain.games.water_frame.scoring import COLUMNS, marks, outcome, places, rows, standing, totals
from daybook.domain.kernel.conditions import Awaits, at_table, by_table, while_awaited
from daybook.domain.kernel.rule_parts import (
    Action,
    Condition,
    Conditions,
    Course,
    DecisionKind,
    Integrity,
    Ledger,
    Scoring,
    Types,
    WrittenCheck,
    always,
    as_condition,
    never_drawn,
)
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Table, Tell, WhyNot, holds, refuse_unless

# --- the player to decide ---

BY_TABLE: frozenset[Stage] = frozenset({"start_player", "mat", "tiles", "economy", "event"})
CLOSED_BY_PLAYER: frozenset[Stage] = frozenset({"main", "additional"})


def to_act(b: Board) -> tuple[Seat, ...]:
    """Return the acting seat: a player, the table, or none when the game is over."""
    if b.asked:
        return (b.asked[-1].seat,)
    if b.stage == "over":
        return ()
    return (TABLE,) if b.stage in BY_TABLE else (b.decider,)


def its_turn(b: Board, seat: Seat) -> WhyNot:
    acting = to_act(b)
    if seat in acting:
        return None
    decider = acting[0]
    return (
        refuse_unless(seat != TABLE, "player_decides", "seat {seat} makes this decision, not the table", seat=decider)
        or refuse_unless(
            decider != TABLE,
            "table_decides",
            "the game waits for something that happens at the table: {awaited}",
            awaited=b.stage,
        )
        or refuse_unless(seat == decider, "not_your_turn", "seat {seat} is to decide", seat=decider)
    )


# --- automatic steps ---

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
    "school_second": production.skip_useless_school,
    "extra_shifts": production.skip_useless_extra_shifts,
    "patron": production.skip_useless_patron,
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


def set_up(table: Table) -> Board:
    """Return the board with the parts of a predetermined set-up laid out."""
    b = opening(table)
    course.go_on(b, STEPS, lambda effect: None)
    return b


def goes_on(action: Action[Board]) -> Action[Board]:
    """Wrap an action with its automatic consequences; an action with only `done` left closes itself (WF-4.1.2)."""

    def carried_out(b: Board, seat: Seat, d: Decision, tell: Tell) -> None:
        action(b, seat, d, tell)
        course.go_on(b, STEPS, tell)
        while b.stage in CLOSED_BY_PLAYER and not b.asked and only_done(b):
            turns.close_action(b, b.mover, tell)
            course.go_on(b, STEPS, tell)

    return carried_out


def only_done(b: Board) -> bool:
    """Check if the player in turn can only close the running action."""
    seat, kinds = b.mover, ADDITIONAL if b.stage == "additional" else MAIN[name_of(b.turn.marker)]
    return not any(possible(b, seat, kind) for kind in kinds)


def possible(b: Board, seat: Seat, kind: type[Decision]) -> bool:
    """Check if the player in turn can make a decision of a kind of the running action."""
    if any(condition(b, seat) is not None for condition in CONDITIONS_IN_ACTION[kind]):
        return False
    row, hopeless = DECISIONS[kind], set[str | None]()
    for d in row.offers(b, seat):
        good: str | None = getattr(d, "good", None)
        if good in hopeless:
            continue
        failed = first_failed(b, seat, d, row)
        if failed is None:
            return True
        if failed in OF_ALL:
            return False
        if failed in OF_A_GOOD:
            hopeless.add(good)
    return False


def first_failed(b: Board, seat: Seat, d: Decision, row: DecisionKind[Board]) -> WrittenCheck | None:
    for (_, written), (_, check) in zip(row.checks, row.checks_to_call, strict=True):
        if check(b, seat, d) is not None:
            return written
    return None


# --- done ---


@holds("something can be closed now")
def something_open(b: Board) -> WhyNot:
    return no_decision_pending(b) or stage_is(b, b.stage in CLOSED_BY_PLAYER or b.stage in endings.ENDS)


def finish(b: Board, seat: Seat, d: moves.Done, tell: Tell) -> None:
    if b.stage in CLOSED_BY_PLAYER:
        turns.close_action(b, seat, tell)
    else:
        endings.end_part(b, seat, d, tell)


DONE = (moves.Done(),)


def candidate_dones(b: Board, seat: Seat) -> Iterable[Decision]:
    return DONE if not b.asked and (b.stage in CLOSED_BY_PLAYER or b.stage in endings.ENDS) else ()


# --- the tables ---


TURN: Conditions = (("WF-4.24.5", game_on), ("WF-4.0.6", its_turn))
SPECIAL: Conditions = (*TURN, ("WF-8.2", special.special_open), ("WF-4.14", special.one_marker))


@cache
def fact(stage: Stage) -> Conditions:
    """Return the conditions of a fact of the table in a stage."""
    return ("WF-4.24.5", game_on), ("WF-8.2", by_table), ("WF-4.0.6", in_stage(stage))


@cache
def decided_in(*stages: Stage) -> Conditions:
    """Return the conditions of a player's decision in these stages."""
    return *TURN, ("WF-4.0.6", in_stage(*stages))


@cache
def action(name: str) -> Conditions:
    """Return the conditions of a decision in a main action."""
    return *TURN, ("WF-8.2", in_its_action(name))


@cache
def answered_between(what: Asked) -> Conditions:
    """Return the conditions of an answer to a question in between."""
    return *TURN, ("WF-4.0.6", awaits_answer(what))


def at_stock_exchange(kind: type[Decision]) -> Conditions:
    """Return the conditions of a decision at the stock exchange, in its action or after it."""
    return *TURN, ("WF-8.2", stock_exchange.ExchangeOpen(kind))


DECISIONS: dict[type[Decision], DecisionKind[Board]] = {  # what is paid for already, `done`, what costs or binds more
    moves.StartPlayer: DecisionKind(
        offers=setup.candidate_starts,
        does=setup.start_player,
        when=fact("start_player"),
        checks=(("WF-3.3.2", at_table),),
    ),
    moves.LayOutMat: DecisionKind(
        offers=setup.candidate_mats,
        does=setup.lay_out_mat,
        weight=never_drawn,
        open_form=True,
        when=fact("mat"),
        checks=(("WF-3.4.2", setup.rows_full), ("WF-2.18", setup.markers_there), ("WF-3.4.2", setup.laid_markers_kept)),
    ),
    moves.MarkerLaid: DecisionKind(
        offers=setup.candidate_markers,
        does=setup.marker_laid,
        weight=setup.copies_of_marker_left,
        when=fact("mat"),
        checks=(("WF-2.18", setup.marker_left),),
    ),
    moves.LayOutTiles: DecisionKind(
        offers=setup.candidate_layouts,
        does=setup.lay_out_tiles,
        weight=never_drawn,
        open_form=True,
        most=setup.most_tiles,
        when=fact("tiles"),
        checks=(
            ("WF-2.17.5", setup.tiles_there),
            ("WF-2.17", setup.all_tiles),
            ("WF-3.4.3", setup.first_tiles),
            ("WF-3.4.3", setup.drawn_tiles_kept),
        ),
    ),
    moves.TileDrawn: DecisionKind(
        offers=setup.candidate_tiles,
        does=setup.tile_drawn,
        weight=setup.copies_of_tile_left,
        when=fact("tiles"),
        checks=(("WF-2.16", setup.tile_left), ("WF-2.17.5", setup.tile_not_over)),
    ),
    moves.StartMarker: DecisionKind(
        offers=always(*map(moves.StartMarker, MARKER_NAMES)),
        does=setup.start_marker,
        when=answered_between("start_marker"),
        checks=(("WF-7.14", setup.light_marker_there),),
    ),
    moves.RevealEconomy: DecisionKind(
        offers=setup.candidate_economy,
        does=setup.reveal_economy,
        weight=setup.copies_of_economy_left,
        when=fact("economy"),
        checks=(("WF-4.3.1", setup.marker_to_come),),
    ),
    moves.RevealEvent: DecisionKind(
        offers=events.candidate_events,
        does=events.reveal_event,
        weight=events.orders_with_event,
        when=fact("event"),
        checks=(("WF-4.22.5", events.event_may_lie),),
    ),
    moves.EventCustom: DecisionKind(
        offers=events.candidate_custom,
        does=events.event_custom,
        weight=never_drawn,
        open_form=True,
        when=(*fact("event"), ("WF-4.22.6", events.not_at_the_end)),
        checks=(("WF-4.22.6", events.name_fits), ("WF-4.22.6", events.primitives_fit)),
    ),
    moves.Found: DecisionKind(
        offers=setup.candidate_foundations,
        does=setup.found_first_factory,
        when=decided_in("found_first", "found_second"),
        checks=(("WF-3.5.3", setup.not_founded), ("WF-3.5.1", setup.price_fits)),
    ),
    moves.SellShares: DecisionKind(
        offers=setup.candidate_share_sales,
        does=setup.sell_shares,
        when=decided_in("capital"),
        checks=(("WF-3.6.2", setup.shares_held), ("WF-3.6.2", setup.bill_covered)),
    ),
    moves.Place: DecisionKind(
        offers=chart.candidate_places,
        does=chart.place_marker,
        when=decided_in("marker"),
        checks=(
            ("WF-4.4.1", chart.marker_owned),
            ("WF-2.9.1", chart.row_there),
            ("WF-4.4.2", chart.marker_free),
            ("WF-4.4.2", chart.row_free),
            ("WF-4.4.2", chart.row_open),
            ("WF-4.4.4", chart.amount_fits),
            ("WF-4.4.5", chart.ship_covered),
        ),
    ),
    moves.Reuse: DecisionKind(
        offers=chart.candidate_reuses,
        does=chart.reuse,
        when=decided_in("marker"),
        checks=(
            ("WF-4.4.1", chart.marker_owned),
            ("WF-4.4.3", chart.on_chart),
            ("WF-6.56", chart.reuse_row_open),
            ("WF-4.4.4", chart.reuse_amount_fits),
            ("WF-4.4.5", chart.ship_covered),
        ),
    ),
    moves.RaiseQuality: DecisionKind(
        offers=always(*appeal.QUALITIES),
        does=appeal.raise_quality,
        when=(*action("quality"), ("WF-4.8.1", appeal.level_left)),
        checks=(("WF-4.8.2", factory_there), ("WF-4.8.2", appeal.quality_below_most)),
    ),
    moves.RaiseDistribution: DecisionKind(
        offers=always(*appeal.DISTRIBUTIONS),
        does=appeal.raise_distribution,
        when=action("distribution"),
        checks=(
            ("WF-4.9.2", factory_there),
            ("WF-4.9.2", appeal.distribution_below_most),
            ("WF-4.9.3", appeal.free_level_left),
            ("WF-4.9.2", appeal.level_affordable),
        ),
    ),
    moves.Install: DecisionKind(
        offers=always(*machinery.INSTALLS),
        does=machinery.install,
        when=(*action("machinery"), ("WF-4.7.1", machinery.machine_left)),
        checks=(
            ("WF-4.7.2", factory_there),
            ("WF-4.7.2", machinery.machine_space_free),
            ("WF-4.7.2", machinery.worker_replaceable),
        ),
    ),
    moves.Buy: DecisionKind(
        offers=stock_exchange.candidate_purchases,
        does=stock_exchange.buy,
        when=(*at_stock_exchange(moves.Buy), ("WF-4.23.7", stock_exchange.no_loans)),
        checks=(("WF-4.10.1", stock_exchange.shares_in_bank), ("WF-4.1.4", stock_exchange.purchase_covered)),
    ),
    moves.Repay: DecisionKind(
        offers=stock_exchange.candidate_repayments,
        does=stock_exchange.repay,
        when=at_stock_exchange(moves.Repay),
        checks=(("WF-4.10.3", stock_exchange.loans_there), ("WF-4.1.4", stock_exchange.repayment_covered)),
    ),
    moves.Fulfil: DecisionKind(
        offers=ship_action.candidate_deliveries,
        does=ship_action.fulfil,
        when=action("ship"),
        checks=(
            ("WF-4.11.1", ship_action.contract_there),
            ("WF-4.11.1", factory_there),
            ("WF-4.15.3", ship_action.agent_helps),
            ("WF-4.11.1", ship_action.goods_stored),
            ("WF-4.11.2", ship_action.ship_holds),
        ),
    ),
    moves.Produce: DecisionKind(
        offers=production_action.candidate_productions,
        does=production_action.produce,
        when=(*action("production"), ("WF-4.12.1", production_action.not_produced)),
        checks=(
            ("WF-4.12.1", factory_there),
            ("WF-4.12.1", production_action.rows_usable),
            ("WF-4.15.9", production_action.extra_shifts_owned),
        ),
    ),
    moves.TakeTile: DecisionKind(
        offers=special.candidate_tiles,
        does=special.take_tile,
        when=SPECIAL,
        checks=(
            ("WF-4.14.1", special.tile_in_supply),
            ("WF-4.14.1", special.tile_not_owned),
            ("WF-4.14.2", special.assignment_named),
        ),
    ),
    moves.TakeMarker: DecisionKind(
        offers=special.candidate_markers,
        does=special.take_marker,
        when=SPECIAL,
        checks=(("WF-4.14.3", special.marker_reachable), ("WF-4.14.3", special.marker_not_owned)),
    ),
    moves.TakeShip: DecisionKind(
        offers=special.candidate_ships,
        does=special.take_ship,
        when=SPECIAL,
        checks=(
            ("WF-4.14.4", special.ship_reachable),
            ("WF-4.14.4", special.pier_free),
            ("WF-4.14.4", special.smaller_replaced),
            ("WF-8.6", special.replaced_told_apart),
            ("WF-4.14.5", special.crew_available),
        ),
    ),
    moves.ReturnTile: DecisionKind(
        offers=special.candidate_tile_returns,
        does=special.return_tile,
        when=answered_between("return_tile"),
        checks=(("WF-4.14.1", special.older_tile),),
    ),
    moves.InventorKeep: DecisionKind(
        offers=always(moves.InventorKeep()),
        does=inventor.keep,
        when=(*answered_between("inventor"), ("WF-6.51", inventor.next_use_paid)),
    ),
    moves.InventorReturn: DecisionKind(
        offers=always(moves.InventorReturn()), does=inventor.give_up, when=answered_between("inventor")
    ),
    moves.Relocate: DecisionKind(
        offers=always(*machinery.RELOCATIONS),
        does=machinery.relocate,
        when=answered_between("relocate"),
        checks=(("WF-4.7.3", factory_there), ("WF-4.7.3", workers.space_free)),
    ),
    moves.Dismiss: DecisionKind(
        offers=always(moves.Dismiss()), does=machinery.dismiss, when=answered_between("relocate")
    ),
    moves.CloseRow: DecisionKind(
        offers=always(moves.CloseRow()),
        does=production.row_closed,
        when=(
            *decided_in("school_first", "school_second"),
            ("WF-4.16.4", production.school_owned),
            ("WF-4.16.13", production.row_unsold),
        ),
    ),
    moves.SellStored: DecisionKind(
        offers=always(moves.SellStored()),
        does=production.stored_sold,
        when=(*decided_in("call_out"), ("WF-4.16.9", production.goods_stored)),
    ),
    moves.ExtraShift: DecisionKind(
        offers=always(moves.ExtraShift()),
        does=production.extra_shift,
        when=(*decided_in("call_out", "extra_shifts"), ("WF-4.16.10", production.shifts_owned)),
        checks=(("WF-4.15.9", production.factory_stands), ("WF-4.16.10", production.first_call)),
    ),
    moves.PatronSale: DecisionKind(
        offers=always(moves.PatronSale("production"), moves.PatronSale("storage")),
        does=production.patron_sold,
        when=(*decided_in("patron"), ("WF-4.16.15", production.patron_owned)),
        checks=(("WF-4.16.15", production.factory_stands), ("WF-4.16.15", production.patron_good)),
    ),
    moves.ShipContract: DecisionKind(
        offers=production.candidate_shipments,
        does=production.contract_shipped,
        meaning=production.ships_in_order,
        when=(*decided_in("shipping"), ("WF-4.19.1", production.contract_there)),
        checks=(
            ("WF-4.15.3", production.by_agent),
            ("WF-4.19.2", production.factory_stands),
            ("WF-4.19.2", production.goods_at_hand),
            ("WF-4.19.3", production.ships_fit),
        ),
    ),
    moves.Charisma: DecisionKind(
        offers=endings.candidate_charismas,
        does=endings.use_charisma,
        when=(*decided_in("cycle_end", "charisma"), ("WF-4.15.5", endings.charisma_held)),
        checks=(("WF-4.21.2", endings.at_table),),
    ),
    moves.NameStartPlayer: DecisionKind(
        offers=endings.candidate_names,
        does=endings.start_player_named,
        when=decided_in("start_named"),
        checks=(("WF-4.22.9", endings.at_table),),
    ),
    moves.Done: DecisionKind(offers=candidate_dones, does=finish, when=(*TURN, ("WF-4.1.2", something_open))),
    moves.SetPrice: DecisionKind(
        offers=appeal.candidate_prices,
        does=appeal.set_price,
        when=(*TURN, ("WF-8.2", appeal.prices_open)),
        checks=(
            ("WF-4.13.1", factory_there),
            ("WF-4.13.1", appeal.once_per_good),
            ("WF-4.13.2", appeal.good_affected),
            ("WF-4.13.4", appeal.adjustment_paid),
            ("WF-4.13.1", appeal.price_in_range),
            ("WF-4.13.1", appeal.appeal_not_negative),
            ("WF-4.13.1", appeal.another_price),
        ),
    ),
    moves.Modernize: DecisionKind(
        offers=factories.candidate_modernizations,
        does=factories.modernize,
        when=action("factory"),
        checks=(
            ("WF-4.5.2", factory_there),
            ("WF-4.5.6", factories.inventor_owned),
            ("WF-4.5.2", factories.next_level_there),
            ("WF-4.5.6", factories.inventor_needed),
            ("WF-4.5.5", factories.developer_owned),
            ("WF-4.5.5", factories.developer_within_level),
            ("WF-4.5.5", factories.developer_unused),
        ),
    ),
    moves.Build: DecisionKind(
        offers=factories.candidate_buildings,
        does=factories.build,
        when=action("factory"),
        checks=(
            ("WF-4.5.1", factories.no_factory_yet),
            ("WF-4.5.1", factories.level_reached),
            ("WF-4.5.1", factories.price_fits),
            ("WF-4.5.1", factories.not_just_closed),
            ("WF-4.5.1", factories.first_row_filled),
            ("WF-4.5.5", factories.developer_owned),
            ("WF-4.5.5", factories.developer_unused),
        ),
    ),
    moves.Hire: DecisionKind(
        offers=always(*workers.HIRES),
        does=workers.hire,
        when=action("workers"),
        checks=(
            ("WF-4.6.1", factory_there),
            ("WF-4.6.1", workers.space_free),
            ("WF-4.6.1", workers.not_fired_from),
            ("WF-4.1.8", workers.worker_there),
        ),
    ),
    moves.HireWarehouse: DecisionKind(
        offers=always(*workers.WAREHOUSE_HIRES),
        does=workers.hire_warehouse,
        when=action("workers"),
        checks=(("WF-4.6.2", workers.slot_free), ("WF-4.1.8", workers.worker_there)),
    ),
    moves.PatentLevels: DecisionKind(
        offers=always(moves.PatentLevels()),
        does=appeal.patent_levels,
        when=(*action("distribution"), ("WF-4.9.3", appeal.patent_owned), ("WF-4.9.3", appeal.patent_unspent)),
    ),
    moves.Contract: DecisionKind(
        offers=stock_exchange.candidate_contracts,
        does=stock_exchange.contract,
        when=action("stock_exchange"),
        checks=(("WF-4.10.5", stock_exchange.on_track), ("WF-4.10.5", stock_exchange.contract_goes_up)),
    ),
    moves.SellGoods: DecisionKind(
        offers=stock_exchange.candidate_goods_sales,
        does=stock_exchange.sell_goods,
        when=at_stock_exchange(moves.SellGoods),
        checks=(("WF-4.10.4", stock_exchange.goods_stored),),
    ),
    moves.Pass: DecisionKind(offers=always(moves.Pass()), does=setup.pass_special, when=decided_in("special")),
    moves.Keep: DecisionKind(offers=always(moves.Keep()), does=production.contract_kept, when=decided_in("shipping")),
    moves.Stop: DecisionKind(offers=always(moves.Stop()), does=production.stop, when=decided_in("call_out")),
    moves.Discard: DecisionKind(
        offers=storage.candidate_discards,
        does=storage.discard,
        when=(*TURN, ("WF-4.1.10", storage.discard_awaited)),
        checks=(("WF-4.1.10", storage.in_small),),
    ),
    moves.MoveWarehouse: DecisionKind(
        offers=always(*workers.WAREHOUSE_MOVES),
        does=workers.move_warehouse,
        when=action("workers"),
        checks=(
            ("WF-4.6.3", workers.slot_staffed),
            ("WF-4.6.3", workers.another_slot),
            ("WF-4.6.3", workers.target_free),
        ),
    ),
    moves.Fire: DecisionKind(
        offers=always(*workers.FIRES),
        does=workers.fire,
        when=action("workers"),
        checks=(
            ("WF-4.6.4", factory_there),
            ("WF-4.6.4", workers.beyond_first_row),
            ("WF-4.6.4", workers.not_hired_into),
        ),
    ),
    moves.FireWarehouse: DecisionKind(
        offers=always(*map(moves.FireWarehouse, SLOTS)),
        does=endings.warehouse_fired,
        when=decided_in("firing"),
        checks=(("WF-4.22.3", endings.slot_staffed),),
    ),
    moves.ReturnShip: DecisionKind(
        offers=endings.candidate_ship_returns,
        does=endings.ship_returned,
        when=decided_in("firing"),
        checks=(("WF-4.22.3", endings.ship_owned),),
    ),
    moves.Reassign: DecisionKind(
        offers=special.candidate_reassignments,
        does=special.reassign,
        when=(*SPECIAL, ("WF-3.6.3", special.in_turn)),
        checks=(("WF-4.14.2", special.assigned_tile), ("WF-4.14.2", special.another_space)),
    ),
    moves.Broker: DecisionKind(
        offers=special.candidate_brokers,
        does=special.broker,
        when=(
            *SPECIAL,
            ("WF-3.6.3", special.in_turn),
            ("WF-2.15.3", special.within_turn),
            ("WF-4.14.6", special.broker_owned),
            ("WF-4.23.7", stock_exchange.no_loans),
        ),
        checks=(("WF-4.14.6", special.broker_shares), ("WF-4.1.4", special.half_price_covered)),
    ),
    moves.Sell: DecisionKind(
        offers=stock_exchange.candidate_sales,
        does=stock_exchange.sell,
        when=at_stock_exchange(moves.Sell),
        checks=(("WF-4.10.2", stock_exchange.shares_held),),
    ),
    moves.Close: DecisionKind(
        offers=always(*factories.CLOSURES),
        does=factories.close,
        when=action("factory"),
        checks=(("WF-4.5.4", factory_there), ("WF-4.5.4", factories.not_just_built)),
    ),
}

# What can be done in a main action, by the marker's name, and in the additional action.
MAIN: dict[str, tuple[type[Decision], ...]] = {
    "factory": (moves.Modernize, moves.Build, moves.Close),
    "workers": (moves.Hire, moves.HireWarehouse, moves.MoveWarehouse, moves.Fire),
    "machinery": (moves.Install,),
    "quality": (moves.RaiseQuality,),
    "distribution": (moves.RaiseDistribution, moves.PatentLevels),
    "stock_exchange": (moves.Buy, moves.Repay, moves.Contract, moves.SellGoods, moves.Sell),
    "ship": (moves.Fulfil,),
    "production": (moves.Produce,),
    "reorganization": (),
}
ADDITIONAL: tuple[type[Decision], ...] = (
    moves.SetPrice,
    moves.TakeTile,
    moves.TakeMarker,
    moves.TakeShip,
    moves.Reassign,
    moves.Broker,
)

# What `only_done` need not ask: while an action runs, these hold for the player in turn.
HOLD = (game_on, its_turn, special.special_open, appeal.prices_open)
CONDITIONS_IN_ACTION: dict[type[Decision], tuple[Condition[Board], ...]] = {
    kind: tuple(
        as_condition(condition)
        for _, condition in row.when
        if condition not in HOLD and not isinstance(condition, Awaits | stock_exchange.ExchangeOpen)
    )
    for kind, row in DECISIONS.items()
}
# What says the same of every candidate of a kind, and what of every candidate for one good.
OF_ALL: tuple[WrittenCheck, ...] = (workers.worker_there,)
OF_A_GOOD: tuple[WrittenCheck, ...] = (
    factory_there,
    appeal.good_affected,
    appeal.once_per_good,
    appeal.adjustment_paid,
)

WATER_FRAME: Ruleset[Board] = Ruleset(
    id="water_frame",
    prefix="WF",
    title="Arkwright: Water Frame",
    revision=3,
    seats=range(2, 5),
    colours=lambda sheet: tuple(sheet["seats.colours"]),
    catalogue="WF-8.2",
    kinds={
        kind: replace(row, does=goes_on(row.does), exact=not row.open_form)
        for kind, row in while_awaited(DECISIONS).items()
    },
    types=Types(decisions=moves.AnyDecision, effects=moves.AnyEffect, options=Options, board=Board),
    course=Course(
        open=set_up,
        to_act=to_act,
        marks=marks,
        periods=("decade",),
        by_itself=turns.actions_closed,
        spreads=turns.SPREADS,
    ),
    scoring=Scoring(standing=standing, outcome=outcome, totals=totals, places=places),
    ledger=Ledger(columns=COLUMNS, rows=rows, own=("/players/*",), shared=("/decade",)),
    integrity=Integrity(
        breaches=breaches,
        invariants=invariants,
        supplies=(
            ("/players/*/shares", "/players/{0}/bank"),
            ("/players/*/factories/*/workers", "/market"),
            ("/players/*/factories/*/additional", "/market"),
            ("/players/*/slots/*", "/market"),
            ("/players/*/crew", "/market"),
            ("/fired", "/market"),
        ),
        causes=(
            "/players/*/cash",
            "/players/*/shares",
            "/players/*/bank",
            "/players/*/space",
            "/players/*/factories/*",
            "/players/*/chart/*",
            "/players/*/slots/*",
            "/players/*/stored/*",
            "/players/*/contracts/*",
            "/players/*/loans",
            "/players/*/crew",
            "/players/*/markers",
            "/players/*/ships",
            "/players/*/tiles",
            "/market",
            "/fired",
            "/box",
            "/importers/*",
            "/tiles/*",
            "/mat/*/markers",
            "/mat/*/ships",
            "/economy/*",
            "/closed_rows/*",
            "/events",
            "/start",
        ),
        adjustable=adjustable,
        names=NAMES,
        consistency=CONSISTENCY,
        examples=EXAMPLES,
    ),
)
