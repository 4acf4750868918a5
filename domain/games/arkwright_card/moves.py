"""The decisions of Arkwright: The Card Game (ACG-4.19) and what follows from them."""

from __future__ import annotations

from daybook.domain.games.arkwright_card.board import Phase
from daybook.domain.games.arkwright_card.printed import ActionKind, Development, Good, Mode, Track
from daybook.domain.games.arkwright_card.solo_moves import SoloDecision, SoloEffect
from daybook.domain.kernel.terms import Decision, Effect, Seat, SeatEffect

# --- the table's facts ---


class StartPlayerDetermined(Decision, tag="start_player_determined"):
    """The start player; turn order is clockwise from there."""

    seat: Seat


class CardDealt(Decision, tag="card_dealt"):
    """The next card of a randomly dealt supply, in its final order."""

    card: Development


# --- the set-up ---


class PlaceStartFactory(Decision, tag="place_start_factory"):
    good: Good


class ChooseStartDevelopment(Decision, tag="choose_start_development"):
    track: Track


class ChooseStartCard(Decision, tag="choose_start_card", omit_defaults=True):
    """place: in the grid of a solo game, from 1 in reading order."""

    card: Development
    place: int = 0


class SkipStart(Decision, tag="skip_start"):
    pass


class PlaceForeman(Decision, tag="place_foreman"):
    good: Good


class BuyStartShares(Decision, tag="buy_start_shares"):
    shares: int


# --- step A: one action ---


class ChooseAction(Decision, tag="choose_action"):
    action: ActionKind


class PassAction(Decision, tag="pass_action"):
    pass


class EndAction(Decision, tag="end_action"):
    pass


class Build(Decision, tag="build"):
    good: Good


class Upgrade(Decision, tag="upgrade"):
    good: Good


class UseInventor(Decision, tag="use_inventor"):
    pass


class InventorUpgrade(Decision, tag="inventor_upgrade"):
    good: Good


class Employ(Decision, tag="employ"):
    """position: 1 or 2."""

    good: Good
    position: int


class Rotate(Decision, tag="rotate"):
    """A worker card is turned to its machines. position: 1 or 2."""

    good: Good
    position: int


class PlaceToken(Decision, tag="token"):
    """The machine token becomes a machine on a worker card. position: 1 or 2."""

    good: Good
    position: int


class Lift(Decision, tag="lift"):
    """A quality or distribution card is taken back into the reserve."""

    card: str


class Place(Decision, tag="place", omit_defaults=True):
    """A card from the reserve goes next to a factory. mode: for a quality card only."""

    card: str
    good: Good
    value: int
    mode: Mode | None = None


class SetCard(Decision, tag="set", omit_defaults=True):
    """A card next to a factory is turned. mode: for a quality card only."""

    card: str
    value: int
    mode: Mode | None = None


class BuyShare(Decision, tag="buy_share"):
    pass


class TakeLoan(Decision, tag="take_loan"):
    pass


class RegainShips(Decision, tag="regain_ships"):
    pass


class ExtraProduce(Decision, tag="extra_produce"):
    """cards: how many of the worker cards work too, position 1 first."""

    good: Good
    cards: int


class ShipStored(Decision, tag="ship_stored"):
    good: Good
    count: int


class UseCustoms(Decision, tag="use_customs"):
    pass


# --- step B: price and appeal ---


class SetSlot(Decision, tag="set_slot"):
    """slot: 1 to 4."""

    slot: int


class SetOffice(Decision, tag="set_office"):
    mode: Mode


class SetQuality(Decision, tag="set_quality"):
    card: str
    mode: Mode


class ConfirmPrice(Decision, tag="confirm_price"):
    pass


# --- step C: one development ---


class TakeDevelopment(Decision, tag="take_development"):
    track: Track


class TakeCard(Decision, tag="take_card", omit_defaults=True):
    """place: in the grid of a solo game, from 1 in reading order."""

    card: Development
    place: int = 0


class DiscardForLimit(Decision, tag="discard_for_limit"):
    card: Development


class UseBroker(Decision, tag="use_broker"):
    shares: int


class UseInventorDouble(Decision, tag="use_inventor_double"):
    """Two different tracks; written down in the order of the board."""

    first: Track
    second: Track


class SkipDevelopment(Decision, tag="skip_development"):
    pass


class ReplaceQuality(Decision, tag="replace_quality"):
    card: str
    value: int
    mode: Mode


class DoneReplacing(Decision, tag="done_replacing"):
    pass


class UseDeveloper(Decision, tag="use_developer"):
    """card: what is turned upright."""

    card: Development


# --- the production phase ---


class UseExtraShift(Decision, tag="use_extra_shift"):
    pass


class UsePatron(Decision, tag="use_patron"):
    card: Development


class BeginSale(Decision, tag="begin_sale"):
    pass


class SellHome(Decision, tag="sell_home"):
    """count: of stored goods, beyond those just made."""

    count: int


class Ship(Decision, tag="ship", omit_defaults=True):
    """customs: the Customs Office works for it."""

    count: int
    customs: bool = False


class AssignStorehouse(Decision, tag="assign_storehouse"):
    card: str


class EndProduction(Decision, tag="end_production"):
    pass


class UseEntrepreneur(Decision, tag="use_entrepreneur"):
    pass


class DeclineEntrepreneur(Decision, tag="decline_entrepreneur"):
    pass


class TakeTopPoint(Decision, tag="take_top_point"):
    pass


class DeclineTopPoint(Decision, tag="decline_top_point"):
    pass


# --- the end of a round or decade ---


class DiscardEntrepreneur(Decision, tag="discard_entrepreneur"):
    """player: the seat of the new start player."""

    player: Seat


class KeepEntrepreneur(Decision, tag="keep_entrepreneur"):
    pass


class ChooseStartPlayer(Decision, tag="choose_start_player"):
    """player: the seat of the new start player."""

    player: Seat


AnyDecision = (
    StartPlayerDetermined
    | CardDealt
    | PlaceStartFactory
    | ChooseStartDevelopment
    | ChooseStartCard
    | SkipStart
    | PlaceForeman
    | BuyStartShares
    | ChooseAction
    | PassAction
    | EndAction
    | Build
    | Upgrade
    | UseInventor
    | InventorUpgrade
    | Employ
    | Rotate
    | PlaceToken
    | Lift
    | Place
    | SetCard
    | BuyShare
    | TakeLoan
    | RegainShips
    | ExtraProduce
    | ShipStored
    | UseCustoms
    | SetSlot
    | SetOffice
    | SetQuality
    | ConfirmPrice
    | TakeDevelopment
    | TakeCard
    | DiscardForLimit
    | UseBroker
    | UseInventorDouble
    | SkipDevelopment
    | ReplaceQuality
    | DoneReplacing
    | UseDeveloper
    | UseExtraShift
    | UsePatron
    | BeginSale
    | SellHome
    | Ship
    | AssignStorehouse
    | EndProduction
    | UseEntrepreneur
    | DeclineEntrepreneur
    | TakeTopPoint
    | DeclineTopPoint
    | DiscardEntrepreneur
    | KeepEntrepreneur
    | ChooseStartPlayer
    | SoloDecision
)


# --- effects: the set-up ---


class GoodEffect(SeatEffect):
    """Base of the effects that are about what a seat does with a good."""

    good: str


class StartPlayerFound(SeatEffect, tag="start_player_found"):
    pass


class NeutralPlaced(Effect, tag="neutral_placed"):
    """appeal: by good, of the third player in a game of two."""

    appeal: dict[str, int]


class FactoryOpened(GoodEffect, tag="factory_opened"):
    """side: of the tile; worker: whether a worker card of position 1 comes with it."""

    side: int
    slot: int
    worker: bool


class SupplyLaid(Effect, tag="supply_laid"):
    """cards: development cards by type, those of which there are any."""

    cards: dict[str, int]


class CardLaid(Effect, tag="card_laid"):
    """awaited: cards that are still to be dealt."""

    card: str
    awaited: int


class FacesUnlikely(Effect, tag="faces_unlikely"):
    """The supply cannot have all these faces at once, by the sheet; nothing else depends on it."""

    cards: tuple[str, ...]


class StartSkipped(SeatEffect, tag="start_skipped"):
    """No development to start with."""


class SharesBought(SeatEffect, tag="shares_bought"):
    """price: of each; half: at half the share value; shares: owned now."""

    count: int
    price: int
    amount: int
    half: bool
    shares: int


# --- effects: rounds and turns ---


class RoundBegun(Effect, tag="round_begun"):
    decade: int
    round: int
    good: str
    start: Seat


class TurnBegun(SeatEffect, tag="turn_begun"):
    pass


class PhaseBegun(Effect, tag="phase_begun"):
    phase: Phase


class StepSkipped(GoodEffect, tag="step_skipped"):
    """Price and appeal: there is no open factory of the active good."""


class NobodyProduces(Effect, tag="nobody_produces"):
    good: str


class RoundEnded(Effect, tag="round_ended"):
    decade: int
    round: int


class StartPlayerPassed(SeatEffect, tag="start_player_passed"):
    """The start player card was passed on clockwise, without a choice."""

    to: Seat


class StartPlayerNamed(SeatEffect, tag="start_player_named"):
    """The start player was named. seat: the player with the choice."""

    to: Seat


class EntrepreneurKept(SeatEffect, tag="entrepreneur_kept"):
    pass


class DecadeEnded(Effect, tag="decade_ended"):
    """portfolios: by seat, share value times shares; the bankrupt have none."""

    decade: int
    portfolios: tuple[int, ...]


class CardsReadied(SeatEffect, tag="cards_readied"):
    """Rotated cards are upright again."""

    cards: tuple[str, ...]


class ChooserFound(SeatEffect, tag="chooser_found"):
    """The player with the choice of start player. by: the deciding figure, "portfolio", "money" or "order"."""

    portfolio: int
    money: int
    by: str


class NeutralMoved(Effect, tag="neutral_moved"):
    good: str
    before: int
    after: int


class GameEnded(Effect, tag="game_ended"):
    decade: int
    round: int


# --- effects: the market board ---


class DemandMoved(Effect, tag="demand_moved"):
    """steps: as asked for; before, after: positions, of which the track may end earlier; value: shown now."""

    good: str
    steps: int
    before: int
    after: int
    value: int


class WagesMoved(Effect, tag="wages_moved"):
    """before, after: spaces; wage: pounds for a worker now."""

    before: int
    after: int
    wage: int


class WorkersCame(SeatEffect, tag="workers_came"):
    """New workers: demand falls on every track and wages rise, as the next effects tell."""


# --- effects: actions ---


class ActionChosen(SeatEffect, tag="action_chosen"):
    action: str


class ActionPassed(SeatEffect, tag="action_passed"):
    pass


class ActionEnded(SeatEffect, tag="action_ended"):
    action: str


class FactoryUpgraded(GoodEffect, tag="factory_upgraded"):
    """side: of the tile; workers: the decade on each worker card; inventor: by that card."""

    side: int
    slot: int
    workers: tuple[int, ...]
    inventor: bool


class WorkersEmployed(GoodEffect, tag="workers_employed"):
    """side: the decade on the card; workers: on it."""

    position: int
    side: int
    workers: int


class MachinesAdded(GoodEffect, tag="machines_added"):
    """count: added now; machines: on the card; token: the machine token is on it; left: more that may be added."""

    position: int
    count: int
    machines: int
    token: bool
    left: int


class CardLifted(GoodEffect, tag="card_lifted"):
    """A quality or distribution card goes back to the reserve, its value lost. total: left at the factory."""

    card: str
    value: int
    total: int


class CardPlaced(GoodEffect, tag="card_placed"):
    """total: quality or distribution at the factory now. mode: None for distribution."""

    card: str
    value: int
    mode: str | None
    total: int


class CardTurned(GoodEffect, tag="card_turned"):
    """before: its value until now. mode: None for distribution."""

    card: str
    before: int
    value: int
    mode: str | None
    total: int


class LoanTaken(SeatEffect, tag="loan_taken"):
    """amount: the share value; loans: taken in all."""

    amount: int
    loans: int


class ShipsRegained(SeatEffect, tag="ships_regained"):
    ships: int


# --- effects: price and appeal ---


class SlotSet(GoodEffect, tag="slot_set"):
    before: int
    after: int


class OfficeTurned(GoodEffect, tag="office_turned"):
    mode: str


class QualityTurned(GoodEffect, tag="quality_turned"):
    card: str
    value: int
    mode: str


class PriceFixed(GoodEffect, tag="price_fixed"):
    """The parts of the appeal: slot, office, quality and distribution; those of the price: slot, office, quality."""

    appeal: int
    price: int
    appeal_parts: tuple[int, int, int, int]
    price_parts: tuple[int, int, int]


class AppealMoved(GoodEffect, tag="appeal_moved"):
    """arrows: passed, red ones upwards, green ones downwards."""

    before: int
    after: int
    arrows: int


# --- effects: developments ---


class DevelopmentTaken(SeatEffect, tag="development_taken"):
    """level: of the track now; shows: what stands there."""

    track: str
    level: int
    shows: int


class CardTaken(SeatEffect, tag="card_taken"):
    card: str


class CardDiscarded(SeatEffect, tag="card_discarded"):
    card: str


class CardRotated(SeatEffect, tag="card_rotated"):
    card: str


class CardReadied(SeatEffect, tag="card_readied"):
    """A card was readied by the Developer."""

    card: str


class DevelopmentSkipped(SeatEffect, tag="development_skipped"):
    pass


class ReplacingEnded(GoodEffect, tag="replacing_ended"):
    """total: quality at the factory that the Engineer has left."""

    total: int


class LimitLifted(SeatEffect, tag="limit_lifted"):
    """The track may be developed before its decade."""

    track: str
    card: str


class LimitReturned(SeatEffect, tag="limit_returned"):
    track: str
    card: str


class QualityCapRaised(SeatEffect, tag="quality_cap_raised"):
    cap: int


class ForemanPlaced(GoodEffect, tag="foreman_placed"):
    pass


class ForemanLeft(GoodEffect, tag="foreman_left"):
    pass


# --- effects: production ---


class GoodsMade(GoodEffect, tag="goods_made"):
    """tile, cards: goods of the factory and of each worker card at work; made: in all."""

    tile: int
    cards: tuple[int, ...]
    made: int


class ShiftWorked(GoodEffect, tag="shift_worked"):
    """goods: more than usual; made: in all."""

    goods: int
    made: int


class PatronWon(SeatEffect, tag="patron_won"):
    """A patron was won. goods: additional goods that may be sold at home."""

    card: str
    goods: int


class MarketMeasured(GoodEffect, tag="market_measured"):
    """most: what can be sold at home, appeal less demand and more with Patrons, never more than the appeal."""

    appeal: int
    demand: int
    patrons: int
    most: int


class SoldHome(GoodEffect, tag="sold_home"):
    """made, stored: goods sold of each kind."""

    made: int
    stored: int
    price: int
    amount: int


class StoreKept(GoodEffect, tag="store_kept"):
    """Nothing stored is sold at home. most: what could have been."""

    most: int


class ShipsKept(GoodEffect, tag="ships_kept"):
    """Nothing is shipped. most: what could have been."""

    most: int


class GoodsLoaded(GoodEffect, tag="goods_loaded"):
    """Stored goods for an early shipping, which is settled when the action ends. loaded: in all."""

    count: int
    loaded: int


class Shipped(SeatEffect, tag="shipped"):
    """goods: shipped, by good; prices: of each; ships: used; tokens: added; contract: pounds for the Contract."""

    goods: dict[str, int]
    prices: dict[str, int]
    ships: int
    tokens: int
    contract: int
    amount: int


class StorehouseAssigned(GoodEffect, tag="storehouse_assigned"):
    """origin: the factory that it comes from; None: the reserve."""

    card: str
    origin: str | None


class GoodsStored(GoodEffect, tag="goods_stored"):
    """storehouses: goods in each storehouse of the factory now; count: in all."""

    storehouses: dict[str, int]
    count: int


class GoodsWasted(GoodEffect, tag="goods_wasted"):
    count: int


class CostPaid(GoodEffect, tag="cost_paid"):
    """wages: workers times wage; cheaper: less by the Foreman; maintenance, fixed: after Workshop and Developer."""

    workers: int
    wage: int
    cheaper: int
    machines: int
    maintenance: int
    fixed: int
    amount: int


class EmergencyHelped(SeatEffect, tag="emergency_helped"):
    """tokens: loan tokens added, each for `each` pounds; loans: in all."""

    tokens: int
    each: int
    amount: int
    loans: int


class WentBankrupt(SeatEffect, tag="went_bankrupt"):
    """cost: what could not be paid; amount: money lost."""

    cost: int
    amount: int


class ShareValueRaised(SeatEffect, tag="share_value_raised"):
    """sold: goods at home; value: now."""

    sold: int
    steps: int
    value: int


class TopPointWon(SeatEffect, tag="top_point_won"):
    """The highest appeal. value: of a share now."""

    appeal: int
    steps: int
    value: int


class TopPointLost(Effect, tag="top_point_lost"):
    """The point for the highest appeal was lost.

    tied: seats with the highest appeal; neutral: the third player has it too, or alone.
    """

    good: str
    tied: tuple[Seat, ...]
    neutral: bool


class TopPointDeclined(SeatEffect, tag="top_point_declined"):
    pass


class DistributionDecayed(GoodEffect, tag="distribution_decayed"):
    """value: left; 0: the card is in the reserve."""

    card: str
    value: int


# --- effects: the final account; it tells what the score is worked out from, and moves nothing on the board ---


class StoresSold(SeatEffect, tag="stores_sold"):
    """goods: stored, by good; amount: more money for the last shares; money: with it."""

    goods: dict[str, int]
    amount: int
    money: int


class LastSharesBought(SeatEffect, tag="last_shares_bought"):
    """shares: owned then; left: money that buys no whole share."""

    count: int
    price: int
    amount: int
    shares: int
    left: int


class LoansRepaid(SeatEffect, tag="loans_repaid"):
    """A share for each loan. shares: left."""

    loans: int
    shares: int


class ShippingCounted(SeatEffect, tag="shipping_counted"):
    """steps: by which the share value falls; value: left."""

    tokens: int
    steps: int
    value: int


class Scored(SeatEffect, tag="scored"):
    shares: int
    value: int
    score: int


AnyEffect = (
    StartPlayerFound
    | NeutralPlaced
    | FactoryOpened
    | SupplyLaid
    | CardLaid
    | FacesUnlikely
    | StartSkipped
    | SharesBought
    | RoundBegun
    | TurnBegun
    | PhaseBegun
    | StepSkipped
    | NobodyProduces
    | RoundEnded
    | StartPlayerPassed
    | StartPlayerNamed
    | EntrepreneurKept
    | DecadeEnded
    | CardsReadied
    | ChooserFound
    | NeutralMoved
    | GameEnded
    | DemandMoved
    | WagesMoved
    | WorkersCame
    | ActionChosen
    | ActionPassed
    | ActionEnded
    | FactoryUpgraded
    | WorkersEmployed
    | MachinesAdded
    | CardLifted
    | CardPlaced
    | CardTurned
    | LoanTaken
    | ShipsRegained
    | SlotSet
    | OfficeTurned
    | QualityTurned
    | PriceFixed
    | AppealMoved
    | DevelopmentTaken
    | CardTaken
    | CardDiscarded
    | CardRotated
    | CardReadied
    | DevelopmentSkipped
    | ReplacingEnded
    | LimitLifted
    | LimitReturned
    | QualityCapRaised
    | ForemanPlaced
    | ForemanLeft
    | GoodsMade
    | ShiftWorked
    | PatronWon
    | MarketMeasured
    | SoldHome
    | StoreKept
    | ShipsKept
    | GoodsLoaded
    | Shipped
    | StorehouseAssigned
    | GoodsStored
    | GoodsWasted
    | CostPaid
    | EmergencyHelped
    | WentBankrupt
    | ShareValueRaised
    | TopPointWon
    | TopPointLost
    | TopPointDeclined
    | DistributionDecayed
    | StoresSold
    | LastSharesBought
    | LoansRepaid
    | ShippingCounted
    | Scored
    | SoloEffect
)
