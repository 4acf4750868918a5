"""Arkwright: The Card Game: the tables that name the rule of each check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.domain.games.arkwright_card import (
    achievements,
    building,
    choosing,
    course,
    developing,
    exchange,
    extras,
    forced,
    points,
    pricing,
    production,
    setup,
    solo,
    storing,
    turns,
)
from daybook.domain.games.arkwright_card.board import Board, Options, Stage, opening
from daybook.domain.games.arkwright_card.consistency import CONSISTENCY
from daybook.domain.games.arkwright_card.invariants import breaches
from daybook.domain.games.arkwright_card.moves import (
    AnyDecision,
    AnyEffect,
    AssignStorehouse,
    BeginSale,
    Build,
    BuyShare,
    BuyStartShares,
    CardDealt,
    ChooseAction,
    ChooseStartCard,
    ChooseStartDevelopment,
    ChooseStartPlayer,
    ConfirmPrice,
    DeclineEntrepreneur,
    DeclineTopPoint,
    DiscardEntrepreneur,
    DiscardForLimit,
    DoneReplacing,
    Employ,
    EndAction,
    EndProduction,
    ExtraProduce,
    InventorUpgrade,
    KeepEntrepreneur,
    Lift,
    PassAction,
    Place,
    PlaceForeman,
    PlaceStartFactory,
    PlaceToken,
    RegainShips,
    ReplaceQuality,
    Rotate,
    SellHome,
    SetCard,
    SetOffice,
    SetQuality,
    SetSlot,
    Ship,
    ShipStored,
    SkipDevelopment,
    SkipStart,
    StartPlayerDetermined,
    TakeCard,
    TakeDevelopment,
    TakeLoan,
    TakeTopPoint,
    Upgrade,
    UseBroker,
    UseCustoms,
    UseDeveloper,
    UseEntrepreneur,
    UseExtraShift,
    UseInventor,
    UseInventorDouble,
    UsePatron,
)
from daybook.domain.games.arkwright_card.names import NAMES
from daybook.domain.games.arkwright_card.scoring import COLUMNS, marks, outcome, places, rows, standing
from daybook.domain.games.arkwright_card.solo_moves import (
    AutomaPlaced,
    DiscPlaced,
    FactoryDrawn,
    GridLaid,
    LetAutomasBegin,
    MarkerDrawn,
    PickAchievement,
)
from daybook.domain.kernel.ruleset import TABLE, Decision, Reason, Ruleset, Seat, Viewer

# --- who decides ---


def to_act(b: Board) -> tuple[Seat, ...]:
    if b.stage == "over":
        return ()
    return (TABLE,) if b.mover is None else (b.mover,)


def masked(b: Board, viewer: Viewer) -> Board:
    """Nothing is hidden (ACG-1.7)."""
    return b.twin()


def told(b: Board, seat: Seat, d: Any, effects: Sequence[Any], viewer: Viewer) -> tuple[Any, Sequence[Any]]:
    return d, effects


# --- the steps to which each decision belongs (ACG-4.20) ---


TURN: tuple[Stage, ...] = (
    "action", "build", "employ", "automate", "quality", "distribution", "buy_shares", "take_loans", "regain_ships",
    "extra_production", "early_shipping", "price", "development", "take_card", "foreman", "replace")
STEPS: dict[type[Decision], tuple[Stage, ...]] = {
    StartPlayerDetermined: ("start_player",),
    CardDealt: ("supply",),
    GridLaid: ("grid",),
    DiscPlaced: ("discs",),
    FactoryDrawn: ("factory_drawn",),
    AutomaPlaced: ("automa_markers",),
    MarkerDrawn: ("automa",),
    PlaceStartFactory: ("start_factory",),
    ChooseStartDevelopment: ("start_development",),
    ChooseStartCard: ("start_development",),
    SkipStart: ("start_development",),
    PlaceForeman: ("start_foreman", "foreman"),
    BuyStartShares: ("start_shares",),
    ChooseAction: ("action",),
    PassAction: ("action",),
    EndAction: choosing.RUNNING,
    Build: ("build",),
    Upgrade: ("build",),
    UseInventor: ("build",),
    InventorUpgrade: ("build",),
    Employ: ("employ",),
    Rotate: ("automate",),
    PlaceToken: ("automate",),
    Lift: ("quality", "distribution"),
    Place: ("quality", "distribution"),
    SetCard: ("quality", "distribution"),
    BuyShare: exchange.STOCK,
    TakeLoan: exchange.STOCK,
    RegainShips: exchange.STOCK,
    ExtraProduce: ("extra_production",),
    ShipStored: ("early_shipping",),
    UseCustoms: ("early_shipping",),
    SetSlot: ("price",),
    SetOffice: ("price",),
    SetQuality: ("price",),
    ConfirmPrice: ("price",),
    TakeDevelopment: ("development",),
    TakeCard: ("development", "take_card"),
    DiscardForLimit: ("development",),
    UseBroker: ("development",),
    UseInventorDouble: ("development",),
    SkipDevelopment: ("development",),
    ReplaceQuality: ("replace",),
    DoneReplacing: ("replace",),
    UseDeveloper: TURN,
    UseExtraShift: ("produce", "extra_production"),
    UsePatron: ("produce",),
    BeginSale: ("produce",),
    SellHome: ("sell",),
    Ship: ("ship",),
    AssignStorehouse: ("store", "extra_production"),
    EndProduction: ("store",),
    UseEntrepreneur: ("top_point",),
    DeclineEntrepreneur: ("top_point",),
    TakeTopPoint: ("top_point",),
    DeclineTopPoint: ("top_point",),
    DiscardEntrepreneur: ("round_end",),
    KeepEntrepreneur: ("round_end",),
    ChooseStartPlayer: ("decade_end",),
    LetAutomasBegin: ("round_end",),
    PickAchievement: ("achievements",),
}


def right_step(b: Board, seat: Seat, d: Decision) -> Reason | None:
    return None if b.stage in STEPS[type(d)] else turns.wrong_step(b)


# --- the tables ---


FACT = (("ACG-4.1.3", turns.game_on), ("ACG-3.4", turns.by_table))
STEP = (
    ("ACG-4.1.3", turns.game_on), ("ACG-4.14.3", turns.in_game), ("ACG-4.1.2", turns.its_turn),
    ("ACG-4.1.2", right_step))
ALONE = ("ACG-6.1.1", solo.alone)
DRAWN = (*FACT, ALONE)
TAKEN = (("ACG-4.11.3", developing.card_taken_first),)
IN_C = (*STEP[:3], *TAKEN, STEP[3])  # of step C, but for the card that has to be taken
BUILDING = (*STEP, ("ACG-4.3.10", turns.inventor_served))
POINTS = (*STEP, ("ACG-4.6.2", points.own_card))
TOP = (*STEP[:3], ("ACG-7.1.2", production.point_optional), STEP[3], ("ACG-4.15.2", production.leader_asked))

ARKWRIGHT_CARD: Ruleset[Board] = Ruleset(
    id="arkwright_card",
    prefix="ACG",
    title="Arkwright: The Card Game",
    revision=2,
    seats=range(1, 5),
    consistency=CONSISTENCY,
    places=places,
    by_itself=forced.carried_out,
    meaning={UseInventorDouble: developing.tracks_in_order},
    catalogue="ACG-4.19",
    decisions=AnyDecision,
    effects=AnyEffect,
    options=Options,
    board=Board,
    colours=lambda sheet: tuple(sheet["game.colours"]),
    open=opening,
    to_act=to_act,
    candidates={
        StartPlayerDetermined: setup.some_seats,
        CardDealt: setup.some_cards,
        GridLaid: solo.some_grid_cards,
        DiscPlaced: solo.some_discs,
        FactoryDrawn: solo.some_drawn_factories,
        AutomaPlaced: solo.some_automas,
        MarkerDrawn: solo.some_markers,
        PlaceStartFactory: setup.some_factories,
        ChooseStartDevelopment: setup.some_developments,
        ChooseStartCard: setup.some_start_cards,
        SkipStart: setup.some_skips,
        PlaceForeman: setup.some_foremen,
        BuyStartShares: setup.some_purchases,
        ChooseAction: choosing.some_actions,
        Build: building.some_buildings,
        Upgrade: building.some_upgrades,
        InventorUpgrade: building.some_inventions,
        Employ: building.some_employments,
        Rotate: building.some_rotations,
        Place: points.some_places,
        SetCard: points.some_sets,
        BuyShare: exchange.some_shares,
        RegainShips: exchange.some_ships,
        ExtraProduce: extras.some_extra_productions,
        ShipStored: extras.some_stores,
        SetSlot: pricing.some_slots,
        SetOffice: pricing.some_offices,
        SetQuality: pricing.some_qualities,
        ConfirmPrice: pricing.some_confirmations,
        TakeDevelopment: developing.some_developments,
        TakeCard: developing.some_cards,
        UseBroker: developing.some_brokers,
        UseInventorDouble: developing.some_doubles,
        DiscardForLimit: developing.some_discards,
        SkipDevelopment: developing.some_skips,
        ReplaceQuality: points.some_replacements,
        DoneReplacing: points.some_dones,
        UsePatron: production.some_patrons,
        UseExtraShift: extras.some_shifts,
        SellHome: production.some_sales,
        Ship: production.some_shipments,
        AssignStorehouse: storing.some_assignments,
        UseCustoms: extras.some_customs,
        EndAction: choosing.some_ends,
        BeginSale: production.some_begins,
        EndProduction: production.some_production_ends,
        PlaceToken: building.some_tokens,
        UseInventor: building.some_inventors,
        TakeLoan: exchange.some_loans,
        Lift: points.some_lifts,
        UseEntrepreneur: production.some_entrepreneurs,
        TakeTopPoint: production.some_top_points,
        KeepEntrepreneur: course.some_keeps,
        DiscardEntrepreneur: course.some_discards,
        LetAutomasBegin: solo.some_begins,
        PickAchievement: achievements.some_picks,
        ChooseStartPlayer: course.some_start_players,
        DeclineEntrepreneur: production.some_entrepreneurs_kept,
        DeclineTopPoint: production.some_top_points_declined,
        UseDeveloper: turns.some_readied,
        PassAction: choosing.some_passes,
    },
    checks={
        StartPlayerDetermined: (*FACT, ("ACG-3.2.1", right_step), ("ACG-3.2.1", setup.at_table)),
        CardDealt: (
            *FACT, ("ACG-3.1.4", setup.supply_by_chance), ("ACG-3.3.4", right_step), ("ACG-3.3.4", setup.a_face),
            ("ACG-3.3.4", setup.few_of_type)),
        GridLaid: (*DRAWN, ("ACG-6.2.3", right_step), ("ACG-6.2.3", solo.card_left)),
        DiscPlaced: (*DRAWN, ("ACG-6.2.4", right_step), ("ACG-6.2.4", solo.disc_left)),
        FactoryDrawn: (
            *DRAWN, ("ACG-6.2.6", solo.factories_drawn), ("ACG-6.2.6", right_step), ("ACG-6.2.6", solo.not_drawn)),
        AutomaPlaced: (*DRAWN, ("ACG-6.2.6", right_step), ("ACG-6.2.6", solo.automa_left)),
        MarkerDrawn: (*DRAWN, ("ACG-6.3.3", right_step), ("ACG-6.3.3", solo.in_bag)),
        PlaceStartFactory: (
            *STEP[:3], ("ACG-3.1.2", setup.factories_chosen), STEP[3], ("ACG-3.3.1", setup.another_good)),
        ChooseStartDevelopment: (
            *STEP[:3], ("ACG-3.3.2", setup.start_chosen), STEP[3], ("ACG-4.11.1", setup.track_open),
            ("ACG-4.11.1", setup.not_restricted)),
        ChooseStartCard: (
            *STEP[:3], ("ACG-3.3.2", setup.start_chosen), STEP[3], ("ACG-4.11.2", setup.in_supply),
            ("ACG-6.2.4", setup.at_place), ("ACG-4.11.2", setup.room_for_card)),
        SkipStart: (*STEP[:3], ("ACG-3.3.2", setup.start_chosen), STEP[3]),
        PlaceForeman: (*STEP, ("ACG-4.12.6", setup.open_factory)),
        BuyStartShares: (
            *STEP[:3], ("ACG-3.1.5", setup.shares_for_sale), STEP[3], ("ACG-3.3.6", setup.affordable),
            ("ACG-2.7.1", setup.shares_left)),
        ChooseAction: (*STEP, ("ACG-3.1.6", choosing.action_in_use), ("ACG-4.2.2", choosing.action_possible)),
        PassAction: STEP,
        EndAction: (*BUILDING, ("ACG-4.2.3", choosing.acted), ("ACG-4.13.11", extras.tokens_at_end)),
        Build: (*BUILDING, ("ACG-4.3.2", building.not_open), ("ACG-4.3.4", building.build_in_time)),
        Upgrade: (
            *BUILDING, ("ACG-4.3.6", building.late_enough), ("ACG-4.3.6", building.open_factory),
            ("ACG-4.3.9", building.something_to_turn)),
        UseInventor: (
            *BUILDING, ("ACG-4.3.10", building.inventor_owned), ("ACG-4.3.10", building.inventor_of_use)),
        InventorUpgrade: (
            *STEP, ("ACG-4.3.10", building.inventor_at_work), ("ACG-4.3.10", building.inventor_left),
            ("ACG-4.3.10", building.open_factory), ("ACG-4.3.10", building.inventor_turns)),
        Employ: (*STEP, ("ACG-4.4.2", building.place_free), ("ACG-4.4.5", building.employ_in_time)),
        Rotate: (
            *STEP, ("ACG-4.5.2", building.worker_card_there), ("ACG-4.5.2", building.workers_left),
            ("ACG-4.5.4", building.token_first), ("ACG-4.5.2", building.machines_left)),
        PlaceToken: (
            *STEP, ("ACG-4.5.3", building.worker_card_there), ("ACG-4.5.3", building.workers_left),
            ("ACG-4.5.3", building.token_free), ("ACG-4.5.3", building.room_for_two),
            ("ACG-4.5.3", building.machine_left)),
        Lift: (*POINTS, ("ACG-4.6.2", points.at_factory), ("ACG-4.6.3", points.not_lifted)),
        Place: (
            *POINTS, ("ACG-4.6.3", points.not_laid), ("ACG-4.6.2", points.in_reserve),
            ("ACG-4.6.2", points.open_factory), ("ACG-2.5", points.on_card),
            ("ACG-4.6.7", points.one_distribution), ("ACG-4.6.6", points.under_cap),
            ("ACG-4.6.4", points.within_allowance)),
        SetCard: (
            *POINTS, ("ACG-4.6.3", points.not_laid), ("ACG-4.6.2", points.at_factory), ("ACG-2.5", points.on_card),
            ("ACG-4.6.2", points.changes), ("ACG-4.6.6", points.under_cap), ("ACG-4.6.4", points.within_allowance)),
        BuyShare: (
            *STEP, ("ACG-4.7", exchange.shares_first), ("ACG-2.7.1", exchange.share_left),
            ("ACG-4.7.2", exchange.affordable)),
        TakeLoan: (*STEP, ("ACG-4.7", exchange.loans_before_ships), ("ACG-4.7.6", exchange.loan_left)),
        RegainShips: (*STEP, ("ACG-4.7.8", exchange.ships_used)),
        ExtraProduce: (
            *STEP, ("ACG-4.8.1", extras.open_factory), ("ACG-4.8.1", extras.not_worked),
            ("ACG-4.8.1", extras.worker_cards_there), ("ACG-4.8.5", extras.payable)),
        ShipStored: (
            *STEP, ("ACG-4.9.1", extras.open_factory), ("ACG-4.9.1", extras.not_chosen),
            ("ACG-4.9.1", extras.stored_enough), ("ACG-4.9.2", extras.room_on_ships),
            ("ACG-4.13.11", extras.tokens_to_come)),
        UseCustoms: (
            *STEP, ("ACG-4.12.3", extras.customs_owned), ("ACG-4.12.3", extras.customs_once),
            ("ACG-4.12.3", extras.customs_ready), ("ACG-4.12.3", extras.something_shipped)),
        SetSlot: (
            *STEP, ("ACG-4.10.2", pricing.a_slot), ("ACG-4.10.2", pricing.slot_once),
            ("ACG-4.10.2", pricing.another_slot)),
        SetOffice: (*STEP, ("ACG-4.10.2", pricing.office_once), ("ACG-4.10.2", pricing.other_side)),
        SetQuality: (
            *STEP, ("ACG-4.10.2", pricing.card_there), ("ACG-4.10.2", pricing.quality_once),
            ("ACG-4.10.2", pricing.other_way)),
        ConfirmPrice: STEP,
        TakeDevelopment: (*IN_C, ("ACG-4.11.1", developing.track_open), ("ACG-4.11.1", developing.not_restricted)),
        TakeCard: (
            *STEP, ("ACG-4.11.2", developing.in_supply), ("ACG-6.2.4", developing.at_place),
            ("ACG-4.11.2", developing.not_owned), ("ACG-4.11.2", developing.not_discarded),
            ("ACG-7.1.8", developing.not_returned), ("ACG-4.11.3", developing.another_type),
            ("ACG-4.11.2", developing.under_limit)),
        DiscardForLimit: (
            *IN_C, ("ACG-4.11.3", developing.card_owned), ("ACG-4.11.3", developing.no_room_left),
            ("ACG-4.11.3", developing.another_to_take)),
        UseBroker: (
            *IN_C, ("ACG-4.11.4", developing.broker_owned), ("ACG-4.11.4", developing.broker_shares),
            ("ACG-2.7.1", developing.shares_left), ("ACG-4.7.2", developing.broker_affordable)),
        UseInventorDouble: (
            *STEP[:3], ("ACG-3.1.1", developing.limits_in_use), *TAKEN, STEP[3],
            ("ACG-4.11.5", developing.inventor_owned), ("ACG-4.11.5", developing.two_tracks),
            ("ACG-4.11.5", developing.both_open)),
        SkipDevelopment: IN_C,
        ReplaceQuality: (
            *STEP, ("ACG-4.12.12", points.regular_card), ("ACG-4.12.12", points.still_reserved),
            ("ACG-2.5", points.value_on_card), ("ACG-4.12.12", points.no_more_than_before)),
        DoneReplacing: STEP,
        UseDeveloper: (
            *BUILDING, ("ACG-4.12.10", turns.developer_ready), ("ACG-4.12.10", turns.something_rotated)),
        UseExtraShift: (*STEP, ("ACG-4.8.2", extras.factory_at_work), ("ACG-4.12.4", production.shift_owned)),
        UsePatron: (
            *STEP, ("ACG-4.12.8", production.patron_of_good), ("ACG-4.12.8", production.patron_owned),
            ("ACG-4.12", production.patron_ready), ("ACG-7.1.1", production.patron_sells)),
        BeginSale: STEP,
        SellHome: (*STEP, ("ACG-4.13.6", production.stored_enough), ("ACG-4.13.6", production.market_takes)),
        Ship: (
            *STEP, ("ACG-4.13.9", production.not_sellable_at_home), ("ACG-4.13.10", production.room_on_ships),
            ("ACG-4.12.3", production.customs_of_use), ("ACG-4.13.11", production.ship_tokens)),
        AssignStorehouse: (
            *STEP, ("ACG-4.8.3", extras.factory_at_work), ("ACG-4.13.14", storing.own_storehouse),
            ("ACG-4.13.14", storing.elsewhere)),
        EndProduction: STEP,
        UseEntrepreneur: (
            *STEP, ("ACG-4.15.3", production.tied), ("ACG-4.12.1", production.entrepreneur_owned),
            ("ACG-4.12", production.entrepreneur_ready)),
        DeclineEntrepreneur: (*STEP, ("ACG-7.1.2", production.no_leader_asked)),
        TakeTopPoint: TOP,
        DeclineTopPoint: TOP,
        DiscardEntrepreneur: (
            *STEP, ("ACG-6.3.1", solo.several), ("ACG-4.12.2", course.entrepreneur_owned),
            ("ACG-4.14.3", course.at_table)),
        LetAutomasBegin: (*STEP[:3], ALONE, STEP[3], ("ACG-4.12.2", course.entrepreneur_owned)),
        PickAchievement: (
            *STEP[:3], ALONE, STEP[3], ("ACG-6.6.3", achievements.is_reached), ("ACG-6.6.3", achievements.not_picked)),
        KeepEntrepreneur: STEP,
        ChooseStartPlayer: (*STEP, ("ACG-4.14.3", course.at_table)),
    },
    actions=achievements.watched({
        StartPlayerDetermined: setup.start_player_determined,
        CardDealt: setup.card_dealt,
        GridLaid: solo.grid_laid,
        DiscPlaced: solo.disc_placed,
        FactoryDrawn: solo.factory_drawn,
        AutomaPlaced: solo.automa_placed,
        MarkerDrawn: solo.marker_drawn,
        PlaceStartFactory: solo.place_start_factory,
        ChooseStartDevelopment: setup.choose_start_development,
        ChooseStartCard: setup.choose_start_card,
        SkipStart: setup.skip_start,
        PlaceForeman: developing.place_foreman,
        BuyStartShares: setup.buy_start_shares,
        ChooseAction: choosing.choose_action,
        PassAction: choosing.pass_action,
        EndAction: extras.end_action,
        Build: building.build,
        Upgrade: building.upgrade,
        UseInventor: building.use_inventor,
        InventorUpgrade: building.inventor_upgrade,
        Employ: building.employ,
        Rotate: building.rotate,
        PlaceToken: building.place_token,
        Lift: points.lift,
        Place: points.place,
        SetCard: points.set_card,
        BuyShare: exchange.buy_share,
        TakeLoan: exchange.take_loan,
        RegainShips: exchange.regain_ships,
        ExtraProduce: extras.extra_produce,
        ShipStored: extras.ship_stored,
        UseCustoms: extras.use_customs,
        SetSlot: pricing.set_slot,
        SetOffice: pricing.set_office,
        SetQuality: pricing.set_quality,
        ConfirmPrice: pricing.confirm_price,
        TakeDevelopment: developing.take_development,
        TakeCard: developing.take_card,
        DiscardForLimit: developing.discard_for_limit,
        UseBroker: developing.use_broker,
        UseInventorDouble: developing.use_inventor_double,
        SkipDevelopment: developing.skip_development,
        ReplaceQuality: points.replace_quality,
        DoneReplacing: points.done_replacing,
        UseDeveloper: turns.use_developer,
        UseExtraShift: extras.use_extra_shift,
        UsePatron: production.use_patron,
        BeginSale: production.begin_sale,
        SellHome: production.sell_home,
        Ship: production.ship,
        AssignStorehouse: extras.assign_storehouse,
        EndProduction: production.end_production,
        UseEntrepreneur: production.use_entrepreneur,
        DeclineEntrepreneur: production.decline_entrepreneur,
        TakeTopPoint: production.take_top_point,
        DeclineTopPoint: production.decline_top_point,
        DiscardEntrepreneur: course.discard_entrepreneur,
        KeepEntrepreneur: course.keep_entrepreneur,
        ChooseStartPlayer: course.choose_start_player,
        LetAutomasBegin: solo.let_automas_begin,
        PickAchievement: achievements.pick_achievement,
    }),
    weight=solo.weight,
    standing=standing,
    outcome=outcome,
    masked=masked,
    told=told,
    columns=COLUMNS,
    rows=rows,
    rows_shared=(
        "/players/*/money", "/players/*/shares", "/players/*/share_value", "/players/*/loans", "/players/*/ships",
        "/players/*/shipping_tokens", "/players/*/bankrupt", "/players/*/factories/*/storehouses", "/solo/automas",
    ),
    marks=marks,
    periods=("decade", "round"),
    breaches=breaches,
    causes=(
        "/players/*/money", "/players/*/shares", "/players/*/share_value", "/players/*/loans",
        "/players/*/shipping_tokens", "/players/*/ships", "/players/*/levels/*", "/players/*/quality_cap",
        "/players/*/factories/*", "/players/*/cards", "/players/*/rotated", "/demand/*", "/wages", "/supply/*",
        "/neutral/*", "/start", "/solo/automas/*", "/solo/bag/*", "/solo/drawn", "/solo/grid", "/solo/discs/*",
        "/solo/removed", "/solo/first", "/solo/shippings", "/solo/automated", "/solo/brokered", "/solo/helped",
        "/solo/penniless",
    ),
    names=NAMES,
)
