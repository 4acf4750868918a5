"""London Markets: the tables that name the rule of each check."""

from __future__ import annotations

from daybook.domain.games.london_markets import actions, auctions, course, moves, replenish, setup, specials
from daybook.domain.games.london_markets.board import Board, Options, Stage, opening
from daybook.domain.games.london_markets.consistency import CONSISTENCY
from daybook.domain.games.london_markets.examples import EXAMPLES
from daybook.domain.games.london_markets.invariants import breaches, invariants
from daybook.domain.games.london_markets.names import NAMES
from daybook.domain.games.london_markets.scoring import COLUMNS, marks, outcome, rows, standing
from daybook.domain.games.london_markets.secrecy import redact_board, redact_step, sample_board
from daybook.domain.kernel.conditions import at_table, by_table, while_awaited
from daybook.domain.kernel.rule_parts import (
    Conditions,
    Course,
    DecisionKind,
    Integrity,
    Ledger,
    Scoring,
    Secrecy,
    Types,
    always,
    never_drawn,
)
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Veil, WhyNot, refuse_unless

# --- the player to decide ---


def to_act(b: Board) -> tuple[Seat, ...]:
    match b.stage:
        case "over":
            return ()
        case "offers":
            return auctions.offering(b)
        case "setup_bars":
            return (setup.placer(b),)
        case "prize" | "pile" | "special" | "draft_pile" | "draft_special":
            return (specials.chooser(b),)
    return (b.mover,) if b.phase in ("actions", "replenish") else (TABLE,)


def seats_awaited(b: Board) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; a sealed offer may be changed, but need not be."""
    return tuple(auctions.seats_without_offer(b)) or to_act(b) if b.stage == "offers" else to_act(b)


def game_on(b: Board) -> WhyNot:
    return refuse_unless(b.stage != "over", "game_over", "the game is over")


# --- the tables ---


FACT = (("LM-4.10.1", game_on), ("LM-4.11", by_table))
ACTION = (("LM-4.10.1", game_on), ("LM-4.1.1", actions.in_actions), ("LM-4.4.1", actions.its_turn))


def fact(stage: Stage) -> Conditions:
    """Return the conditions of a fact of the table at a stage."""
    return *FACT, ("LM-4.1.1", setup.in_stage(stage))


STOCKED = (("LM-4.4.10", actions.pile_stocked),)
REPLENISH = (("LM-4.10.1", game_on), ("LM-4.1.1", replenish.in_replenish), ("LM-4.6.2", actions.its_turn))
AUCTION = (("LM-4.10.1", game_on), ("LM-4.1.1", auctions.in_auction))
TAKING = (("LM-4.10.1", game_on), ("LM-4.1.1", specials.in_taking), ("LM-4.7.9", specials.its_choice))

DECISIONS: dict[type[Decision], DecisionKind[Board]] = {
    moves.HandDealt: DecisionKind(
        offers=setup.candidate_hands,
        does=setup.hand_dealt,
        weight=setup.deals_with_hand,
        covered_fact=True,
        when=fact("deal"),
        checks=(("LM-2.1.21", setup.whole_hand), ("LM-2.1.20", setup.cards_to_deal)),
    ),
    moves.OfferCardsPlaced: DecisionKind(
        offers=always(*setup.OFFER_CARDS),
        does=setup.offer_cards_placed,
        when=fact("offer_cards"),
        checks=(("LM-3.1.3", setup.five_markets),),
    ),
    moves.BottomCardSeen: DecisionKind(
        offers=setup.candidate_bottom_cards,
        does=setup.bottom_card_seen,
        weight=setup.known_bottom_card,
        when=fact("bottom_card"),
        checks=(("LM-3.1.4", setup.an_auction_card),),
    ),
    moves.SpecialStacked: DecisionKind(
        offers=setup.candidate_special_cards,
        does=setup.special_stacked,
        weight=setup.copies_unseen,
        covered_fact=True,
        when=fact("special_cards"),
        checks=(("LM-2.4", setup.copies_left),),
    ),
    moves.StartPlayerDrawn: DecisionKind(
        offers=setup.candidate_seats,
        does=setup.start_player_drawn,
        when=fact("start_player"),
        checks=(("LM-3.1.7", at_table),),
    ),
    moves.MerchantsPlaced: DecisionKind(
        offers=always(*setup.MERCHANT_PLACES),
        does=setup.merchants_placed,
        when=fact("merchants"),
        checks=(("LM-3.1.11", setup.three_markets),),
    ),
    moves.MarketCardRevealed: DecisionKind(
        offers=setup.candidate_market_cards,
        does=setup.market_card_revealed,
        weight=setup.orders_with_card,
        when=fact("market_card"),
        checks=(("LM-3.4.7", setup.not_revealed), ("LM-3.4.7", setup.fits_bottom)),
    ),
    moves.MoneyCounted: DecisionKind(
        offers=setup.candidate_counts,
        does=setup.money_counted,
        weight=never_drawn,
        when=(*fact("market_card"), ("LM-3.4.8", setup.just_shown)),
        checks=(("LM-3.4.8", setup.agrees),),
    ),
    moves.SpecialsStacked: DecisionKind(
        offers=setup.candidate_piles,
        does=setup.specials_stacked,
        weight=never_drawn,
        when=(*FACT, ("LM-3.1.5", setup.before_start)),
        checks=(("LM-6.31", setup.about_equal),),
    ),
    moves.SetupBar: DecisionKind(
        offers=setup.setup_bar_choices,
        does=setup.set_up_bar,
        when=(("LM-4.10.1", game_on), ("LM-4.1.1", setup.in_stage("setup_bars")), ("LM-3.2.1", setup.turn_to_place)),
        checks=(("LM-3.2.2", setup.market_open), ("LM-4.2.5", setup.slot_free)),
    ),
    moves.UseMerchant: DecisionKind(
        offers=always(*actions.MERCHANT_USES),
        does=actions.use_merchant,
        when=(*ACTION, ("LM-4.4.2", actions.no_action_running), ("LM-4.4.3", actions.token_to_choose)),
        checks=(("LM-4.4.4", actions.merchant_free),),
    ),
    moves.UseAssistant: DecisionKind(
        offers=actions.candidate_assistant_uses,
        does=actions.use_assistant,
        when=(*ACTION, ("LM-4.4.2", actions.no_action_running), ("LM-4.4.3", actions.token_to_choose)),
        checks=(
            ("LM-2.1.9", actions.assistant_there),
            ("LM-4.4.4", actions.assistant_free),
            ("LM-4.4.8", actions.no_merchant),
        ),
    ),
    moves.PlaceBar: DecisionKind(
        offers=actions.candidate_bars,
        does=actions.place_bar,
        when=(*ACTION, ("LM-4.11", actions.bar_awaited)),
        checks=(("LM-4.2.5", actions.slot_free),),
    ),
    moves.NameGoods: DecisionKind(
        offers=actions.candidate_names,
        does=actions.name_goods,
        when=(*ACTION, ("LM-4.11", actions.name_awaited)),
        checks=STOCKED,
    ),
    moves.DrawGoods: DecisionKind(
        offers=actions.candidate_draws,
        does=actions.draw_goods,
        when=(*ACTION, ("LM-4.4.10", actions.home_pile_used_up)),
        checks=STOCKED,
    ),
    moves.EndTurn: DecisionKind(
        offers=always(moves.EndTurn()),
        does=actions.turn_ended,
        when=(*ACTION, ("LM-4.4.2", actions.no_action_running), ("LM-4.4.3", actions.token_chosen)),
    ),
    moves.PlaySpecial: DecisionKind(
        offers=specials.candidate_plays,
        does=specials.play_special,
        when=(*ACTION, ("LM-4.5.1", actions.no_action_running), ("LM-4.5.2", specials.play_left)),
        checks=(
            ("LM-3.4.6", specials.in_hand),
            ("LM-4.5.2", specials.can_pay),
            ("LM-4.5.5", specials.late_enough),
            ("LM-4.5.9", specials.market_named),
            ("LM-4.5.9", specials.bar_left),
            ("LM-4.5.6", specials.condition_met),
        ),
    ),
    moves.Replenish: DecisionKind(
        offers=always(*replenish.TAKES),
        does=replenish.replenish,
        when=(*REPLENISH, ("LM-4.6.3", replenish.take_left)),
        checks=(("LM-4.6.4", replenish.pile_stocked),),
    ),
    moves.Exchange: DecisionKind(
        offers=always(*replenish.EXCHANGES),
        does=replenish.exchange,
        when=(*REPLENISH, ("LM-4.6.5", replenish.exchange_left)),
        checks=(
            ("LM-4.6.5", replenish.another_type),
            ("LM-3.4.4", replenish.given_held),
            ("LM-4.6.4", replenish.taken_stocked),
        ),
    ),
    moves.EndReplenish: DecisionKind(
        offers=always(moves.EndReplenish()),
        does=replenish.end_replenish,
        when=(*REPLENISH, ("LM-4.6.3", replenish.takes_done)),
    ),
    moves.Offer: DecisionKind(
        offers=auctions.candidate_offers,
        does=auctions.offer,
        open_form=True,
        most=auctions.most_offered,
        sealed=True,
        when=(*AUCTION, ("LM-4.11", auctions.offers_open), ("LM-4.7.2", auctions.a_player)),
        checks=(
            ("LM-4.7.3", auctions.offer_has_card_counts),
            ("LM-4.7.4", auctions.cards_held),
            ("LM-4.7.2", auctions.another_offer),
        ),
    ),
    moves.OffersRevealed: DecisionKind(
        offers=auctions.candidate_reveals,
        does=auctions.offers_revealed,
        open_form=True,
        most=auctions.most_revealed,
        covered_fact=True,
        when=(
            ("LM-4.10.1", game_on),
            ("LM-4.11", by_table),
            ("LM-4.1.1", auctions.in_auction),
            ("LM-4.11", auctions.offers_open),
        ),
        checks=(("LM-4.7.2", auctions.one_offer_each), ("LM-3.4.4", auctions.all_held)),
    ),
    moves.TakePile: DecisionKind(
        offers=specials.candidate_piles,
        does=specials.take_pile,
        when=(*TAKING, ("LM-4.11", specials.pile_awaited)),
        checks=(
            ("LM-4.7.9", specials.pile_there),
            ("LM-4.7.9", specials.pile_stocked),
            ("LM-4.8.3", specials.pile_untouched),
        ),
    ),
    moves.TakeSpecial: DecisionKind(
        offers=specials.candidate_cards,
        does=specials.take_special,
        when=(*TAKING, ("LM-4.11", specials.card_awaited)),
        checks=(("LM-3.4.6", specials.card_in_pile),),
    ),
    moves.SpecialOrMoney: DecisionKind(
        offers=auctions.candidate_prizes,
        does=auctions.special_or_money,
        when=(*AUCTION, ("LM-4.7.11", auctions.prize_open), ("LM-4.7.11", auctions.its_prize)),
        checks=(("LM-4.7.11", auctions.piles_left),),
    ),
}

LONDON_MARKETS: Ruleset[Board] = Ruleset(
    id="london_markets",
    prefix="LM",
    title="London Markets",
    revision=1,
    seats=range(3, 5),
    colours=lambda sheet: tuple(sheet["bars.colours"]),
    catalogue="LM-4.11",
    kinds=while_awaited(DECISIONS),
    types=Types(decisions=moves.AnyDecision, effects=moves.AnyEffect, options=Options, board=Board),
    course=Course(
        open=opening,
        to_act=to_act,
        awaited=seats_awaited,
        marks=marks,
        periods=("round",),
        apart=auctions.apart,
        spreads=course.SPREADS,
    ),
    scoring=Scoring(standing=standing, outcome=outcome),
    ledger=Ledger(columns=COLUMNS, rows=rows, own=("/players/*",), shared=("/stacks",)),
    secrecy=Secrecy(
        redact_board=redact_board,
        redact_step=redact_step,
        sample_board=sample_board,
        seals=True,
        veil=Veil(
            "LM-6.22",
            columns=("money", "score"),
            places=("/players/*/money",),
            lifted=moves.MoneyShown,
            agreed=moves.MoneyAgreed,
            counted=moves.MoneyCounted,
        ),
    ),
    integrity=Integrity(
        breaches=breaches,
        invariants=invariants,
        supplies=(("/players/*/hand/*", "/piles/{1}"),),
        causes=(
            "/players/*/money",
            "/players/*/bars",
            "/players/*/hand/*",
            "/players/*/unseen/*",
            "/players/*/specials",
            "/players/*/in_play",
            "/players/*/specials_from",
            "/players/*/in_play_from",
            "/stacks/*",
            "/piles/*",
            "/traded/*",
            "/specials/*",
            "/removed",
            "/merchants/*",
            "/bottom",
            "/revealed",
            "/covered",
            "/used",
            "/start",
        ),
        names=NAMES,
        consistency=CONSISTENCY,
        examples=EXAMPLES,
    ),
)
