"""Arkwright: The Card Game: the tables that name the rule of each check."""

from __future__ import annotations

from functools import cache

from daybook.domain.games.arkwright_card import (
    achievements,
    building,
    choosing,
    course,
    developing,
    exchange,
    extras,
    factories,
    forced,
    moves,
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
from daybook.domain.games.arkwright_card.examples import EXAMPLES
from daybook.domain.games.arkwright_card.invariants import breaches, invariants
from daybook.domain.games.arkwright_card.names import NAMES
from daybook.domain.games.arkwright_card.printed import FORMER_COLOURS
from daybook.domain.games.arkwright_card.scoring import (
    COLUMNS,
    automas_beside,
    marks,
    outcome,
    places,
    rows,
    standing,
    totals,
)
from daybook.domain.games.arkwright_card.solo_moves import (
    AutomaPlaced,
    DiscPlaced,
    FactoryDrawn,
    GridLaid,
    LetAutomasBegin,
    MarkerDrawn,
    PickAchievement,
)
from daybook.domain.kernel.conditions import Awaits, at_table, by_table, while_awaited
from daybook.domain.kernel.rule_parts import Conditions, Course, DecisionKind, Integrity, Ledger, Scoring, Types, always
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import TABLE, Decision, Seat

# --- the player to decide ---


def to_act(b: Board) -> tuple[Seat, ...]:
    if b.stage == "over":
        return ()
    return (TABLE,) if b.mover is None else (b.mover,)


# --- the steps to which each decision belongs (ACG-4.20) ---


TURN: tuple[Stage, ...] = (
    "action",
    "build",
    "employ",
    "automate",
    "quality",
    "distribution",
    "buy_shares",
    "take_loans",
    "regain_ships",
    "extra_production",
    "early_shipping",
    "price",
    "development",
    "take_card",
    "foreman",
    "replace",
)


def at(*stages: Stage) -> Awaits[Board]:
    """Return the condition that one of these stages is reached (ACG-4.20)."""
    return Awaits("right_step", "the decision belongs to the current step", stages, turns.step_awaited)


# --- the tables ---


FACT = (("ACG-4.1.3", turns.game_on), ("ACG-3.4", by_table))
PLAYERS = (("ACG-4.1.3", turns.game_on), ("ACG-4.14.3", turns.in_game), ("ACG-4.1.2", turns.its_turn))
ALONE = ("ACG-6.1.1", solo.alone)
DRAWN = (*FACT, ALONE)
TAKEN = (("ACG-4.11.3", developing.card_taken_first),)
INVENTOR_SERVED = ("ACG-4.3.10", turns.inventor_served)
OWN_CARD = ("ACG-4.6.2", points.own_card)


@cache
def in_step(*stages: Stage) -> Conditions:
    """Return the first conditions of a player's decision in these stages."""
    return *PLAYERS, ("ACG-4.1.2", at(*stages))


AT_C = ("ACG-4.1.2", at("development"))
AT_START_DEVELOPMENT = ("ACG-4.1.2", at("start_development"))
IN_C = (*PLAYERS, *TAKEN, AT_C)  # of step C, but for the card that has to be taken
TOP = (
    *PLAYERS,
    ("ACG-7.1.2", production.point_optional),
    ("ACG-4.1.2", at("top_point")),
    ("ACG-4.15.2", production.is_single_leader),
)

DECISIONS: dict[type[Decision], DecisionKind[Board]] = {
    moves.StartPlayerDetermined: DecisionKind(
        offers=setup.candidate_seats,
        does=setup.start_player_determined,
        when=(*FACT, ("ACG-3.2.1", at("start_player"))),
        checks=(("ACG-3.2.1", at_table),),
    ),
    moves.CardDealt: DecisionKind(
        offers=setup.candidate_cards,
        does=setup.card_dealt,
        weight=setup.faces_left,
        when=(*FACT, ("ACG-3.1.4", setup.supply_by_chance), ("ACG-3.3.4", at("supply"))),
        checks=(("ACG-3.3.4", setup.a_face), ("ACG-3.3.4", setup.few_of_type)),
    ),
    GridLaid: DecisionKind(
        offers=solo.candidate_grid_cards,
        does=solo.grid_laid,
        weight=solo.copies_left,
        when=(*DRAWN, ("ACG-6.2.3", at("grid"))),
        checks=(("ACG-6.2.3", solo.card_left),),
    ),
    DiscPlaced: DecisionKind(
        offers=solo.candidate_discs,
        does=solo.place_disc,
        when=(*DRAWN, ("ACG-6.2.4", at("discs"))),
        checks=(("ACG-6.2.4", solo.disc_left),),
    ),
    FactoryDrawn: DecisionKind(
        offers=always(*solo.DRAWN),
        does=solo.factory_drawn,
        when=(*DRAWN, ("ACG-6.2.6", solo.factories_drawn), ("ACG-6.2.6", at("factory_drawn"))),
        checks=(("ACG-6.2.6", solo.not_drawn),),
    ),
    AutomaPlaced: DecisionKind(
        offers=solo.candidate_automas,
        does=solo.automa_placed,
        weight=solo.markers_to_place,
        when=(*DRAWN, ("ACG-6.2.6", at("automa_markers"))),
        checks=(("ACG-6.2.6", solo.automa_left),),
    ),
    MarkerDrawn: DecisionKind(
        offers=solo.candidate_markers,
        does=solo.marker_drawn,
        weight=solo.colour_left_in_bag,
        when=(*DRAWN, ("ACG-6.3.3", at("automa"))),
        checks=(("ACG-6.3.3", solo.in_bag),),
    ),
    moves.PlaceStartFactory: DecisionKind(
        offers=always(*setup.FACTORIES),
        does=solo.place_start_factory,
        when=(*PLAYERS, ("ACG-3.1.2", setup.factories_chosen), ("ACG-4.1.2", at("start_factory"))),
        checks=(("ACG-3.3.1", setup.another_good),),
    ),
    moves.ChooseStartDevelopment: DecisionKind(
        offers=always(*setup.DEVELOPMENTS),
        does=setup.choose_start_development,
        when=(*PLAYERS, ("ACG-3.3.2", setup.StartChosen("free", "board")), AT_START_DEVELOPMENT),
        checks=(("ACG-4.11.1", setup.track_open), ("ACG-4.11.1", setup.not_restricted)),
    ),
    moves.ChooseStartCard: DecisionKind(
        offers=setup.candidate_start_cards,
        does=setup.choose_start_card,
        when=(*PLAYERS, ("ACG-3.3.2", setup.StartChosen("free")), AT_START_DEVELOPMENT),
        checks=(("ACG-4.11.2", setup.in_supply), ("ACG-6.2.4", setup.at_place), ("ACG-4.11.2", setup.room_for_card)),
    ),
    moves.SkipStart: DecisionKind(
        offers=always(moves.SkipStart()),
        does=setup.skip_start,
        when=(*PLAYERS, ("ACG-3.3.2", setup.StartChosen("free", "board")), AT_START_DEVELOPMENT),
    ),
    moves.PlaceForeman: DecisionKind(
        offers=always(*setup.FOREMEN),
        does=developing.place_foreman,
        when=in_step("start_foreman", "foreman"),
        checks=(("ACG-4.12.6", factories.open_factory),),
    ),
    moves.BuyStartShares: DecisionKind(
        offers=setup.candidate_purchases,
        does=setup.buy_start_shares,
        when=(*PLAYERS, ("ACG-3.1.5", setup.shares_for_sale), ("ACG-4.1.2", at("start_shares"))),
        checks=(("ACG-3.3.6", setup.affordable), ("ACG-2.7.1", setup.shares_left)),
    ),
    moves.ChooseAction: DecisionKind(
        offers=always(*choosing.CHOICES),
        does=choosing.choose_action,
        when=in_step("action"),
        checks=(("ACG-3.1.6", choosing.action_in_use), ("ACG-4.2.2", choosing.action_possible)),
    ),
    moves.Build: DecisionKind(
        offers=always(*building.BUILDINGS),
        does=building.build,
        when=(*in_step("build"), INVENTOR_SERVED),
        checks=(("ACG-4.3.2", building.not_open), ("ACG-4.3.4", building.build_in_time)),
    ),
    moves.Upgrade: DecisionKind(
        offers=always(*building.UPGRADES),
        does=building.upgrade,
        when=(*in_step("build"), INVENTOR_SERVED, ("ACG-4.3.6", building.late_enough)),
        checks=(("ACG-4.3.6", factories.open_factory), ("ACG-4.3.9", building.something_to_turn)),
    ),
    moves.InventorUpgrade: DecisionKind(
        offers=always(*building.INVENTIONS),
        does=building.inventor_upgrade,
        when=(*in_step("build"), ("ACG-4.3.10", building.inventor_at_work)),
        checks=(
            ("ACG-4.3.10", building.inventor_left),
            ("ACG-4.3.10", factories.open_factory),
            ("ACG-4.3.10", building.inventor_turns),
        ),
    ),
    moves.Employ: DecisionKind(
        offers=always(*building.EMPLOYMENTS),
        does=building.employ,
        when=in_step("employ"),
        checks=(("ACG-4.4.2", building.place_free), ("ACG-4.4.5", building.employ_in_time)),
    ),
    moves.Rotate: DecisionKind(
        offers=always(*building.ROTATIONS),
        does=building.rotate,
        when=in_step("automate"),
        checks=(
            ("ACG-4.5.2", building.worker_card_there),
            ("ACG-4.5.2", building.workers_left),
            ("ACG-4.5.4", building.token_first),
            ("ACG-4.5.2", building.within_machine_allowance),
        ),
    ),
    moves.Place: DecisionKind(
        offers=points.candidate_places,
        does=points.place,
        when=in_step("quality", "distribution"),
        checks=(
            OWN_CARD,
            ("ACG-4.6.3", points.not_laid),
            ("ACG-4.6.2", points.in_reserve),
            ("ACG-4.6.2", factories.open_factory),
            ("ACG-2.5", points.on_card),
            ("ACG-4.6.7", points.one_distribution),
            ("ACG-4.6.6", points.under_cap),
            ("ACG-4.6.4", points.within_allowance),
        ),
    ),
    moves.SetCard: DecisionKind(
        offers=points.candidate_sets,
        does=points.set_card,
        when=in_step("quality", "distribution"),
        checks=(
            OWN_CARD,
            ("ACG-4.6.3", points.not_laid),
            ("ACG-4.6.2", points.at_factory),
            ("ACG-2.5", points.on_card),
            ("ACG-4.6.2", points.changes),
            ("ACG-4.6.6", points.under_cap),
            ("ACG-4.6.4", points.within_allowance),
        ),
    ),
    moves.BuyShare: DecisionKind(
        offers=always(moves.BuyShare()),
        does=exchange.buy_share,
        when=(
            *in_step(*exchange.STOCK),
            ("ACG-4.7", exchange.shares_first),
            ("ACG-2.7.1", exchange.share_left),
            ("ACG-4.7.2", exchange.affordable),
        ),
    ),
    moves.RegainShips: DecisionKind(
        offers=always(moves.RegainShips()),
        does=exchange.regain_ships,
        when=(*in_step(*exchange.STOCK), ("ACG-4.7.8", exchange.ships_used)),
    ),
    moves.ExtraProduce: DecisionKind(
        offers=always(*extras.EXTRA),
        does=extras.extra_produce,
        when=in_step("extra_production"),
        checks=(
            ("ACG-4.8.1", factories.open_factory),
            ("ACG-4.8.1", extras.not_worked),
            ("ACG-4.8.1", extras.worker_cards_there),
            ("ACG-4.8.5", extras.payable),
        ),
    ),
    moves.ShipStored: DecisionKind(
        offers=extras.candidate_stores,
        does=extras.ship_stored,
        when=in_step("early_shipping"),
        checks=(
            ("ACG-4.9.1", factories.open_factory),
            ("ACG-4.9.1", extras.not_chosen),
            ("ACG-4.9.1", extras.stored_enough),
            ("ACG-4.9.2", extras.room_on_ships),
            ("ACG-4.13.11", extras.tokens_to_come),
        ),
    ),
    moves.SetSlot: DecisionKind(
        offers=always(*pricing.SLOT_CHOICES),
        does=pricing.set_slot,
        when=in_step("price"),
        checks=(
            ("ACG-4.10.2", pricing.a_slot),
            ("ACG-4.10.2", pricing.slot_once),
            ("ACG-4.10.2", pricing.another_slot),
        ),
    ),
    moves.SetOffice: DecisionKind(
        offers=always(*pricing.OFFICES),
        does=pricing.set_office,
        when=(*in_step("price"), ("ACG-4.10.2", pricing.office_once)),
        checks=(("ACG-4.10.2", pricing.other_side),),
    ),
    moves.SetQuality: DecisionKind(
        offers=pricing.candidate_qualities,
        does=pricing.set_quality,
        when=in_step("price"),
        checks=(
            ("ACG-4.10.2", pricing.card_there),
            ("ACG-4.10.2", pricing.quality_once),
            ("ACG-4.10.2", pricing.other_way),
        ),
    ),
    moves.ConfirmPrice: DecisionKind(
        offers=always(moves.ConfirmPrice()), does=pricing.confirm_price, when=in_step("price")
    ),
    moves.TakeDevelopment: DecisionKind(
        offers=always(*developing.DEVELOPMENTS),
        does=developing.take_development,
        when=IN_C,
        checks=(("ACG-4.11.1", developing.track_open), ("ACG-4.11.1", developing.not_restricted)),
    ),
    moves.TakeCard: DecisionKind(
        offers=developing.candidate_cards,
        does=developing.take_card,
        when=in_step("development", "take_card"),
        checks=(
            ("ACG-4.11.2", developing.in_supply),
            ("ACG-6.2.4", developing.at_place),
            ("ACG-4.11.2", developing.not_owned),
            ("ACG-4.11.2", developing.not_discarded),
            ("ACG-7.1.8", developing.not_returned),
            ("ACG-4.11.3", developing.another_type),
            ("ACG-4.11.2", developing.under_limit),
        ),
    ),
    moves.UseBroker: DecisionKind(
        offers=developing.candidate_brokers,
        does=developing.use_broker,
        when=(*IN_C, ("ACG-4.11.4", developing.broker_owned)),
        checks=(
            ("ACG-4.11.4", developing.broker_shares),
            ("ACG-2.7.1", developing.shares_left),
            ("ACG-4.7.2", developing.broker_affordable),
        ),
    ),
    moves.UseInventorDouble: DecisionKind(
        offers=developing.candidate_doubles,
        does=developing.use_inventor_double,
        meaning=developing.tracks_in_order,
        when=(
            *PLAYERS,
            ("ACG-3.1.1", developing.limits_in_use),
            *TAKEN,
            AT_C,
            ("ACG-4.11.5", developing.inventor_owned),
        ),
        checks=(("ACG-4.11.5", developing.two_tracks), ("ACG-4.11.5", developing.both_open)),
    ),
    moves.DiscardForLimit: DecisionKind(
        offers=developing.candidate_discards,
        does=developing.discard_for_limit,
        when=IN_C,
        checks=(
            ("ACG-4.11.3", developing.card_owned),
            ("ACG-4.11.3", developing.no_room_left),
            ("ACG-4.11.3", developing.another_to_take),
        ),
    ),
    moves.SkipDevelopment: DecisionKind(
        offers=always(moves.SkipDevelopment()), does=developing.skip_development, when=IN_C
    ),
    moves.ReplaceQuality: DecisionKind(
        offers=points.candidate_replacements,
        does=points.replace_quality,
        when=in_step("replace"),
        checks=(
            ("ACG-4.12.12", points.regular_card),
            ("ACG-4.12.12", points.still_reserved),
            ("ACG-2.5", points.value_on_card),
            ("ACG-4.12.12", points.no_more_than_before),
        ),
    ),
    moves.DoneReplacing: DecisionKind(
        offers=always(moves.DoneReplacing()), does=points.done_replacing, when=in_step("replace")
    ),
    moves.UsePatron: DecisionKind(
        offers=production.candidate_patrons,
        does=production.use_patron,
        when=in_step("produce"),
        checks=(
            ("ACG-4.12.8", production.patron_of_good),
            ("ACG-4.12.8", production.patron_owned),
            ("ACG-4.12", production.patron_ready),
            ("ACG-7.1.1", production.patron_sells),
        ),
    ),
    moves.UseExtraShift: DecisionKind(
        offers=always(moves.UseExtraShift()),
        does=extras.use_extra_shift,
        when=(
            *in_step("produce", "extra_production"),
            ("ACG-4.8.2", extras.factory_at_work),
            ("ACG-4.12.4", production.shift_owned),
        ),
    ),
    moves.SellHome: DecisionKind(
        offers=production.candidate_sales,
        does=production.sell_home,
        when=in_step("sell"),
        checks=(("ACG-4.13.6", production.stored_enough), ("ACG-4.13.6", production.market_takes)),
    ),
    moves.Ship: DecisionKind(
        offers=production.candidate_shipments,
        does=production.ship,
        when=in_step("ship"),
        checks=(
            ("ACG-4.13.9", production.not_sellable_at_home),
            ("ACG-4.13.10", production.room_on_ships),
            ("ACG-4.12.3", production.customs_of_use),
            ("ACG-4.13.11", production.ship_tokens),
        ),
    ),
    moves.AssignStorehouse: DecisionKind(
        offers=storing.candidate_assignments,
        does=extras.assign_storehouse,
        when=(*in_step("store", "extra_production"), ("ACG-4.8.3", extras.factory_at_work)),
        checks=(("ACG-4.13.14", storing.own_storehouse), ("ACG-4.13.14", storing.elsewhere)),
    ),
    moves.UseCustoms: DecisionKind(
        offers=always(moves.UseCustoms()),
        does=extras.use_customs,
        when=(
            *in_step("early_shipping"),
            ("ACG-4.12.3", extras.customs_owned),
            ("ACG-4.12.3", extras.customs_once),
            ("ACG-4.12.3", extras.customs_ready),
            ("ACG-4.12.3", extras.something_shipped),
        ),
    ),
    moves.EndAction: DecisionKind(
        offers=always(moves.EndAction()),
        does=extras.end_action,
        when=(
            *in_step(*choosing.RUNNING),
            INVENTOR_SERVED,
            ("ACG-4.2.3", choosing.acted_or_idle),
            ("ACG-4.13.11", extras.tokens_at_end),
        ),
    ),
    moves.BeginSale: DecisionKind(
        offers=always(moves.BeginSale()), does=production.begin_sale, when=in_step("produce")
    ),
    moves.EndProduction: DecisionKind(
        offers=always(moves.EndProduction()), does=production.end_production, when=in_step("store")
    ),
    moves.PlaceToken: DecisionKind(
        offers=always(*building.TOKENS),
        does=building.place_token,
        when=in_step("automate"),
        checks=(
            ("ACG-4.5.3", building.worker_card_there),
            ("ACG-4.5.3", building.workers_left),
            ("ACG-4.5.3", building.token_free),
            ("ACG-4.5.3", building.room_for_two),
            ("ACG-4.5.3", building.machine_left),
        ),
    ),
    moves.UseInventor: DecisionKind(
        offers=always(moves.UseInventor()),
        does=building.use_inventor,
        when=(
            *in_step("build"),
            INVENTOR_SERVED,
            ("ACG-4.3.10", building.inventor_owned),
            ("ACG-4.3.10", building.inventor_of_use),
        ),
    ),
    moves.TakeLoan: DecisionKind(
        offers=always(moves.TakeLoan()),
        does=exchange.take_loan,
        when=(*in_step(*exchange.STOCK), ("ACG-4.7", exchange.loans_before_ships), ("ACG-4.7.6", exchange.loan_left)),
    ),
    moves.Lift: DecisionKind(
        offers=points.candidate_lifts,
        does=points.lift,
        when=in_step("quality", "distribution"),
        checks=(OWN_CARD, ("ACG-4.6.2", points.at_factory), ("ACG-4.6.3", points.not_lifted)),
    ),
    moves.UseEntrepreneur: DecisionKind(
        offers=always(moves.UseEntrepreneur()),
        does=production.use_entrepreneur,
        when=(
            *in_step("top_point"),
            ("ACG-4.15.3", production.tied),
            ("ACG-4.12.1", production.entrepreneur_owned),
            ("ACG-4.12", production.entrepreneur_ready),
        ),
    ),
    moves.TakeTopPoint: DecisionKind(offers=always(moves.TakeTopPoint()), does=production.take_top_point, when=TOP),
    moves.KeepEntrepreneur: DecisionKind(
        offers=always(moves.KeepEntrepreneur()), does=course.keep_entrepreneur, when=in_step("round_end")
    ),
    moves.DiscardEntrepreneur: DecisionKind(
        offers=course.candidate_discards,
        does=course.discard_entrepreneur,
        when=(*in_step("round_end"), ("ACG-6.3.1", solo.several), ("ACG-4.12.2", course.entrepreneur_owned)),
        checks=(("ACG-4.14.3", course.at_table),),
    ),
    LetAutomasBegin: DecisionKind(
        offers=solo.candidate_begins,
        does=solo.let_automas_begin,
        when=(*PLAYERS, ALONE, ("ACG-4.1.2", at("round_end")), ("ACG-4.12.2", course.entrepreneur_owned)),
    ),
    PickAchievement: DecisionKind(
        offers=always(*achievements.PICKS),
        does=achievements.pick_achievement,
        when=(*PLAYERS, ALONE, ("ACG-4.1.2", at("achievements"))),
        checks=(("ACG-6.6.3", achievements.is_reached), ("ACG-6.6.3", achievements.not_picked)),
    ),
    moves.ChooseStartPlayer: DecisionKind(
        offers=course.candidate_start_players,
        does=course.choose_start_player,
        when=in_step("decade_end"),
        checks=(("ACG-4.14.3", course.at_table),),
    ),
    moves.DeclineEntrepreneur: DecisionKind(
        offers=always(moves.DeclineEntrepreneur()),
        does=production.decline_entrepreneur,
        when=(*in_step("top_point"), ("ACG-7.1.2", production.no_single_leader)),
    ),
    moves.DeclineTopPoint: DecisionKind(
        offers=always(moves.DeclineTopPoint()), does=production.decline_top_point, when=TOP
    ),
    moves.UseDeveloper: DecisionKind(
        offers=turns.candidate_readied,
        does=turns.use_developer,
        when=(*in_step(*TURN), INVENTOR_SERVED, ("ACG-4.12.10", turns.developer_ready)),
        checks=(("ACG-4.12.10", turns.something_rotated),),
    ),
    moves.PassAction: DecisionKind(
        offers=always(moves.PassAction()), does=choosing.pass_action, when=in_step("action")
    ),
}

ARKWRIGHT_CARD: Ruleset[Board] = Ruleset(  # nothing is hidden (ACG-1.7)
    id="arkwright_card",
    prefix="ACG",
    title="Arkwright: The Card Game",
    revision=2,
    seats=range(1, 5),
    colours=lambda sheet: tuple(sheet["game.colours"]),
    former_colours=FORMER_COLOURS,
    catalogue="ACG-4.19",
    kinds=while_awaited(achievements.with_achievements(DECISIONS)),
    types=Types(decisions=moves.AnyDecision, effects=moves.AnyEffect, options=Options, board=Board),
    course=Course(
        open=opening,
        to_act=to_act,
        marks=marks,
        periods=("decade", "round"),
        by_itself=forced.carried_out,
        spreads=course.SPREADS,
    ),
    scoring=Scoring(
        standing=standing, outcome=outcome, totals=totals, places=places, beside_one=("ACG-6.6.1", automas_beside)
    ),
    ledger=Ledger(
        columns=COLUMNS,
        rows=rows,
        shared=(
            "/players/*/money",
            "/players/*/shares",
            "/players/*/share_value",
            "/players/*/loans",
            "/players/*/ships",
            "/players/*/shipping_tokens",
            "/players/*/bankrupt",
            "/players/*/factories/*/storehouses",
            "/solo/automas",
        ),
    ),
    integrity=Integrity(
        breaches=breaches,
        invariants=invariants,
        causes=(
            "/players/*/money",
            "/players/*/shares",
            "/players/*/share_value",
            "/players/*/loans",
            "/players/*/shipping_tokens",
            "/players/*/ships",
            "/players/*/levels/*",
            "/players/*/quality_cap",
            "/players/*/factories/*",
            "/players/*/cards",
            "/players/*/rotated",
            "/demand/*",
            "/wages",
            "/supply/*",
            "/neutral/*",
            "/start",
            "/solo/automas/*",
            "/solo/bag/*",
            "/solo/drawn",
            "/solo/grid",
            "/solo/discs/*",
            "/solo/removed",
            "/solo/first",
            "/solo/shippings",
            "/solo/automated",
            "/solo/brokered",
            "/solo/helped",
            "/solo/penniless",
        ),
        names=NAMES,
        consistency=CONSISTENCY,
        examples=EXAMPLES,
    ),
)
