"""The decisions of Arkwright: Water Frame and what follows from them (WF-8)."""

from __future__ import annotations

from typing import Literal

from daybook.domain.games.water_frame.printed import Event, Good, Marker, Name, Shade, Slot, Tile
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.terms import Decision, Effect, Seat, SeatEffect

Pile = Literal["market", "fired", "box"]  # places of unemployed workers

# --- the table's facts ---


class StartPlayer(Decision, tag="start_player"):
    seat: Seat


class MarkerLaid(Decision, tag="marker_laid"):
    """The next grey marker of the special markers mat: row I is filled first."""

    name: Name


class LayOutMat(Decision, tag="lay_out_mat"):
    """All grey markers of the special markers mat, row by row."""

    I: tuple[Name, ...]  # noqa: E741
    II: tuple[Name, ...]
    III: tuple[Name, ...]
    IV: tuple[Name, ...]


class TileDrawn(Decision, tag="tile_drawn"):
    """The next development tile."""

    kind: Tile


class LayOutTiles(Decision, tag="lay_out_tiles"):
    """All development tiles that lie out: how many of each kind. A kind that is not named does not lie out."""

    tiles: dict[Tile, int]


class StartMarker(Decision, tag="start_marker"):
    """The light grey marker of a predetermined start, where the printed one does not lie on the mat."""

    name: Name


class RevealEconomy(Decision, tag="reveal_economy"):
    """importer: spaces it advances; workers: that come back."""

    importer: int
    workers: int


class RevealEvent(Decision, tag="reveal_event"):
    name: Event


class ImporterMoves(Exact, tag="importer"):
    good: Good
    spaces: int


class WorkersMove(Exact, tag="workers"):
    origin: Pile
    to: Pile
    count: int


class ShareSpaces(Exact, tag="share_spaces"):
    seat: Seat
    spaces: int


class CashGiven(Exact, tag="cash"):
    """amount: below 0 it is paid."""

    seat: Seat
    amount: int


class DistributionMoves(Exact, tag="distribution"):
    seat: Seat
    good: Good
    levels: int


class QualityMoves(Exact, tag="quality"):
    seat: Seat
    good: Good
    levels: int


class ContractMoves(Exact, tag="contract"):
    """spaces: of the track, up or below 0 down."""

    seat: Seat
    good: Good
    spaces: int


class RowCloses(Exact, tag="close_row"):
    """row: of the administration chart; until: the last decade in which it is closed."""

    row: int
    until: int


class SpecialStep(Exact, tag="special_step"):
    seat: Seat


Primitive = (
    ImporterMoves
    | WorkersMove
    | ShareSpaces
    | CashGiven
    | DistributionMoves
    | QualityMoves
    | ContractMoves
    | RowCloses
    | SpecialStep
)


class EventCustom(Decision, tag="event_custom"):
    """An event marker that says something else than the sheet: its name and what it does, one thing after the other."""

    name: str
    effects: tuple[Primitive, ...] = ()


# --- the set-up ---


class Found(Decision, tag="found"):
    good: Good
    price: int


class SellShares(Decision, tag="sell_shares"):
    count: int


class Pass(Decision, tag="pass"):
    """No special marker in the set-up."""


# --- a turn ---


class Place(Decision, tag="place"):
    """paid: the administrative costs; another amount than the row's needs a tile."""

    marker: Marker
    row: int
    paid: int


class Reuse(Decision, tag="reuse"):
    """paid: the administrative costs, without the fee."""

    marker: Marker
    paid: int


class Build(Decision, tag="build", omit_defaults=True):
    good: Good
    level: int
    price: int
    developer: bool = False


class Modernize(Decision, tag="modernize", omit_defaults=True):
    good: Good
    developer: bool = False
    inventor: bool = False


class Close(Decision, tag="close"):
    good: Good


class InventorKeep(Decision, tag="inventor_keep"):
    pass


class InventorReturn(Decision, tag="inventor_return"):
    pass


class Hire(Decision, tag="hire"):
    good: Good
    row: int


class HireWarehouse(Decision, tag="hire_warehouse"):
    slot: Slot


class MoveWarehouse(Decision, tag="move_warehouse"):
    origin: Slot
    to: Slot


class Fire(Decision, tag="fire"):
    good: Good


class Install(Decision, tag="install"):
    good: Good
    row: int


class Relocate(Decision, tag="relocate"):
    good: Good
    row: int


class Dismiss(Decision, tag="dismiss"):
    pass


class RaiseQuality(Decision, tag="raise_quality"):
    good: Good


class RaiseDistribution(Decision, tag="raise_distribution", omit_defaults=True):
    """free: one of the levels of a returned patent."""

    good: Good
    free: bool = False


class PatentLevels(Decision, tag="patent_levels"):
    """The patent is returned for levels of distribution."""


class Buy(Decision, tag="buy"):
    count: int


class Sell(Decision, tag="sell"):
    count: int


class Repay(Decision, tag="repay"):
    count: int


class SellGoods(Decision, tag="sell_goods"):
    good: Good
    count: int


class Contract(Decision, tag="contract"):
    good: Good
    space: int


class Fulfil(Decision, tag="fulfil", omit_defaults=True):
    """delta: goods more or fewer, by the agent in the colonies."""

    good: Good
    delta: int = 0


class Produce(Decision, tag="produce", omit_defaults=True):
    """rows: how many, from row 1 on; extra: the extra shifts are returned for another good."""

    good: Good
    rows: int
    extra: bool = False


class SetPrice(Decision, tag="set_price"):
    good: Good
    price: int


class TakeTile(Decision, tag="take_tile", omit_defaults=True):
    """assign: the factory space for a foreman or a workshop."""

    kind: Tile
    assign: Good | None = None


class ReturnTile(Decision, tag="return_tile"):
    kind: Tile


class Reassign(Decision, tag="reassign"):
    kind: Tile
    good: Good


class TakeMarker(Decision, tag="take_marker"):
    name: Name
    shade: Shade


class TakeShip(Decision, tag="take_ship", omit_defaults=True):
    """A ship is taken.

    replace: the capacity of the ship that goes back. row: of the chart, where it tells two such ships apart; left out,
    the one at the pier goes.
    """

    capacity: int
    replace: int | None = None
    row: int | None = None


class Broker(Decision, tag="broker"):
    count: int


class Done(Decision, tag="done"):
    pass


# --- production and the end of a cycle or round ---


class CloseRow(Decision, tag="close_row"):
    """The school closes the last row that holds workers."""


class SellStored(Decision, tag="sell_stored"):
    """One stored good at this call."""


class ExtraShift(Decision, tag="extra_shift"):
    pass


class Stop(Decision, tag="stop"):
    """No further sale in this call-out."""


class PatronSale(Decision, tag="patron_sale"):
    source: Literal["production", "storage"]


class ShipContract(Decision, tag="ship_contract", omit_defaults=True):
    """ships: capacities; written down with the smaller first."""

    ships: tuple[int, ...]
    delta: int = 0


class Keep(Decision, tag="keep"):
    """The contract is not fulfilled now."""


class Discard(Decision, tag="discard"):
    """One good of the small warehouse goes to the supply."""

    good: Good


class Charisma(Decision, tag="charisma"):
    """The charisma is returned; seat: the new start player."""

    seat: Seat


class FireWarehouse(Decision, tag="fire_warehouse"):
    slot: Slot


class ReturnShip(Decision, tag="return_ship"):
    capacity: int


class NameStartPlayer(Decision, tag="name_start_player"):
    seat: Seat


AnyDecision = (
    StartPlayer
    | MarkerLaid
    | LayOutMat
    | TileDrawn
    | LayOutTiles
    | RevealEconomy
    | RevealEvent
    | EventCustom
    | StartMarker
    | Found
    | SellShares
    | Pass
    | Place
    | Reuse
    | Build
    | Modernize
    | Close
    | InventorKeep
    | InventorReturn
    | Hire
    | HireWarehouse
    | MoveWarehouse
    | Fire
    | Install
    | Relocate
    | Dismiss
    | RaiseQuality
    | RaiseDistribution
    | PatentLevels
    | Buy
    | Sell
    | Repay
    | SellGoods
    | Contract
    | Fulfil
    | Produce
    | SetPrice
    | TakeTile
    | ReturnTile
    | Reassign
    | TakeMarker
    | TakeShip
    | Broker
    | Done
    | CloseRow
    | SellStored
    | ExtraShift
    | Stop
    | PatronSale
    | ShipContract
    | Keep
    | Discard
    | Charisma
    | FireWarehouse
    | ReturnShip
    | NameStartPlayer
)


# --- effects: money and share value ---

Expense = Literal[
    "foundation",
    "administration",
    "building",
    "modernizing",
    "inventor",
    "wages",
    "production",
    "harbour",
    "obsolescence",
    "event",
]
Cause = Literal[
    "emergency",
    "loans",
    "shipping",
    "sales",
    "appeal",
    "most_sold",
    "decay",
    "full_track",
    "event",
    "marked_factory",
    "contract",
]


class GoodEffect(SeatEffect):
    """Base of the effects that are about what a seat does with a good."""

    good: Good


class Paid(SeatEffect, tag="paid"):
    """Money was paid to the bank.

    wages: of a production phase; production: of the action; harbour: crews and warehouse workers.
    """

    amount: int
    expense: Expense


class WagesReckoned(GoodEffect, tag="wages_reckoned"):
    """The bill for workers and machines. cheaper: workers paid less by the foreman."""

    workers: int
    wage: int
    cheaper: int
    cheaper_wage: int
    machines: int
    upkeep: int  # for all machines
    amount: int


class HarbourReckoned(SeatEffect, tag="harbour_reckoned"):
    warehouse: int
    crew: int
    wage: int
    amount: int


class EmergencySale(SeatEffect, tag="emergency_sale"):
    """penalty: spaces back for each share."""

    count: int
    each: int
    amount: int
    penalty: int


class LoansTaken(SeatEffect, tag="loans_taken"):
    count: int
    amount: int


class LoansRepaid(SeatEffect, tag="loans_repaid"):
    count: int
    each: int
    amount: int


class SharesSold(SeatEffect, tag="shares_sold"):
    count: int
    each: int
    amount: int


class SharesBought(SeatEffect, tag="shares_bought"):
    """half: at half price, by the broker."""

    count: int
    each: int
    amount: int
    half: bool


class SharesReturned(SeatEffect, tag="shares_returned"):
    """Shares were returned for factories that are still marked at the end."""

    count: int
    factories: int


class ShareValueMoved(SeatEffect, tag="share_value_moved"):
    """lost: spaces beyond the end of the track; value: of a share, then."""

    spaces: int  # below 0: back
    origin: int
    to: int
    lost: int
    value: int
    cause: Cause


class MoneyGiven(SeatEffect, tag="money_given"):
    """Money was given by an event."""

    amount: int


# --- effects: the set-up ---


class StartPlayerNamed(SeatEffect, tag="start_player_named"):
    """The start player was named. by: the seat that named, if any."""

    by: Seat | None
    how: Literal["drawn", "clockwise", "charisma", "lowest_portfolio"]


class MatLaidOut(Effect, tag="mat_laid_out"):
    """Grey markers by row."""

    rows: dict[str, tuple[str, ...]]


class MatMarkerLaid(Effect, tag="mat_marker_laid"):
    row: str
    name: Name
    shade: Shade


class TilesLaidOut(Effect, tag="tiles_laid_out"):
    tiles: dict[Tile, int]


class TileLaidOut(Effect, tag="tile_laid_out"):
    kind: Tile
    copies: int
    to_come: int


class FactoryFounded(GoodEffect, tag="factory_founded"):
    cost: int
    price: int
    appeal: int
    workers: int


# --- effects: the course of the game ---


class DecadeBegun(Effect, tag="decade_begun"):
    decade: int
    level: int


class CycleBegun(Effect, tag="cycle_begun"):
    decade: int
    cycle: int
    good: Good


class PhaseBegun(Effect, tag="phase_begun"):
    phase: str


class TurnPassed(Effect, tag="turn_passed"):
    before: Seat
    seat: Seat


class ActionClosed(SeatEffect, tag="action_closed"):
    """which: the main action or the additional one."""

    which: Literal["main", "additional"]


class EconomyRevealed(Effect, tag="economy_revealed"):
    """importer: where it stands then; returned: workers that came back, of those the marker names."""

    good: Good
    advance: int
    importer: int
    workers: int
    returned: int


# --- effects: actions ---


class MarkerPlaced(SeatEffect, tag="marker_placed"):
    marker: Marker
    row: int
    paid: int


class MarkerReused(SeatEffect, tag="marker_reused"):
    marker: Marker
    row: int
    paid: int
    fee: int


class FactoryBuilt(GoodEffect, tag="factory_built"):
    """cost: what the marker prints; less: by the developer."""

    level: int
    cost: int
    less: int
    price: int
    appeal: int
    workers: int


class FactoryModernized(GoodEffect, tag="factory_modernized"):
    level: int
    cost: int
    less: int
    inventor: bool
    appeal: int


class NoLongerObsolete(GoodEffect, tag="no_longer_obsolete"):
    workers: int  # to the fired space


class FactoryClosed(GoodEffect, tag="factory_closed"):
    """workers: to the fired space; machines: to the supply."""

    level: int
    workers: int
    machines: int


class InventorUsed(SeatEffect, tag="inventor_used"):
    uses: int


class InventorKept(SeatEffect, tag="inventor_kept"):
    amount: int


class WorkerHired(GoodEffect, tag="worker_hired"):
    row: int
    origin: Pile


class FactoryMarked(GoodEffect, tag="factory_marked"):
    """A factory was marked: in 1810 a worker was hired after its production."""


class MarkGone(GoodEffect, tag="mark_gone"):
    pass


class WarehouseHired(SeatEffect, tag="warehouse_hired"):
    slot: Slot
    origin: Pile


class WarehouseMoved(SeatEffect, tag="warehouse_moved"):
    origin: Slot
    to: Slot


class WorkerFired(GoodEffect, tag="worker_fired"):
    """machines: that went to the supply with the last worker of the row."""

    row: int
    machines: int


class MachineInstalled(GoodEffect, tag="machine_installed"):
    """to_school: whether the school decides where the worker goes; otherwise to the fired space."""

    row: int
    to_school: bool


class WorkerRelocated(GoodEffect, tag="worker_relocated"):
    row: int


class WorkerDismissed(SeatEffect, tag="worker_dismissed"):
    pass


class EngineeringPaid(SeatEffect, tag="engineering_paid"):
    """Money was paid for a machine of another player."""

    amount: int


class QualityRaised(GoodEffect, tag="quality_raised"):
    quality: int  # of the marker
    appeal: int


class DistributionRaised(GoodEffect, tag="distribution_raised"):
    """cost: of the administrative costs; 0 for a level of the patent."""

    distribution: int
    cost: int
    appeal: int


class PatentReturned(SeatEffect, tag="patent_returned"):
    levels: int


class StoredSold(GoodEffect, tag="stored_sold"):
    """Stored goods were sold at the fixed price."""

    count: int
    each: int
    amount: int


class ContractPlaced(GoodEffect, tag="contract_placed"):
    """before: the space it lay on; 0: a new contract."""

    before: int
    space: int


class ContractFulfilled(GoodEffect, tag="contract_fulfilled"):
    """produced and stored: where the goods came from; ships: the capacities used."""

    space: int
    produced: int
    stored: int
    each: int
    amount: int
    ships: tuple[int, ...]


class OfficePaid(SeatEffect, tag="office_paid"):
    amount: int


class GoodsProduced(GoodEffect, tag="goods_produced"):
    """Goods were made in the production action. extra: by the extra shifts."""

    rows: int
    made: int
    extra: int


class PriceSet(GoodEffect, tag="price_set"):
    """cost: of the administrative costs."""

    before: int
    price: int
    cost: int
    appeal: int


class TileTaken(SeatEffect, tag="tile_taken"):
    kind: Tile
    good: Good | None


class TileReturned(SeatEffect, tag="tile_returned"):
    kind: Tile


class TileReassigned(SeatEffect, tag="tile_reassigned"):
    kind: Tile
    before: Good | None
    good: Good


class GreyMarkerTaken(SeatEffect, tag="grey_marker_taken"):
    name: Name
    shade: Shade
    row: str
    inventor: bool


class ShipTaken(SeatEffect, tag="ship_taken"):
    """chart_row: its row, if it replaces a ship; 0: at the pier."""

    capacity: int
    replaced: int | None
    chart_row: int
    inventor: bool


class CrewHired(SeatEffect, tag="crew_hired"):
    """Crew was hired, by origin."""

    market: int
    fired: int
    crew: int


class CrewDismissed(SeatEffect, tag="crew_dismissed"):
    count: int
    crew: int


# --- effects: storage ---


class GoodsStored(GoodEffect, tag="goods_stored"):
    count: int


class GoodsLost(GoodEffect, tag="goods_lost"):
    """Goods were lost for lack of room; chosen: by the player."""

    count: int
    chosen: bool


# --- effects: the production phase ---


class FactoryProduced(GoodEffect, tag="factory_produced"):
    made: int


class RowClosed(GoodEffect, tag="row_closed"):
    """A row was closed by the school. less: goods that are not made."""

    row: int
    less: int


class DemandCounted(Effect, tag="demand_counted"):
    good: Good
    demand: int
    importer: int


class GoodsTaken(Effect, tag="goods_taken"):
    """The goods sold in one call: by seats, and by the importer or not. beyond: sold beyond the demand."""

    space: int
    produced: tuple[Seat, ...]
    extra: tuple[Seat, ...]
    stored: tuple[Seat, ...]
    importer: bool
    demand: int
    beyond: int


class SaleStopped(SeatEffect, tag="sale_stopped"):
    pass


class ExtraGoodMade(GoodEffect, tag="extra_good_made"):
    """A good was made by the extra shifts; sold: in the call-out."""

    count: int
    sold: bool


class CallOutEnded(Effect, tag="call_out_ended"):
    """Goods sold, by seat and by the importer; demand: left."""

    sold: tuple[int, ...]
    importer: int
    demand: int


class PatronSold(GoodEffect, tag="patron_sold"):
    source: Literal["production", "storage"]


class SalesPaid(GoodEffect, tag="sales_paid"):
    count: int
    each: int
    amount: int


class DistributionDecayed(GoodEffect, tag="distribution_decayed"):
    distribution: int
    appeal: int


class PriceFallen(GoodEffect, tag="price_fallen"):
    """A price fell, so that the appeal is not below 0."""

    before: int
    price: int


class ContractKept(GoodEffect, tag="contract_kept"):
    pass


class ContractRaised(GoodEffect, tag="contract_raised"):
    before: int
    space: int


# --- effects: the end of a cycle and of a round ---


class CycleEnded(Effect, tag="cycle_ended"):
    decade: int
    cycle: int


class MarkersReturned(Effect, tag="markers_returned"):
    decade: int


class WarehouseFired(SeatEffect, tag="warehouse_fired"):
    slot: Slot


class ShipReturned(SeatEffect, tag="ship_returned"):
    capacity: int
    row: str


class EventRevealed(Effect, tag="event_revealed"):
    name: str
    decade: int


class ChartRowClosed(Effect, tag="chart_row_closed"):
    row: int
    until: int


class ImporterMoved(Effect, tag="importer_moved"):
    """The importer was moved by an event."""

    good: Good
    before: int
    space: int


class WorkersMoved(Effect, tag="workers_moved"):
    """Workers were moved by an event."""

    origin: Pile
    to: Pile
    count: int


class QualityChanged(GoodEffect, tag="quality_changed"):
    """Quality was changed by an event."""

    quality: int
    appeal: int


class DistributionChanged(GoodEffect, tag="distribution_changed"):
    """Distribution was changed by an event."""

    distribution: int
    appeal: int


class DecadeScored(Effect, tag="decade_scored"):
    """Each player's portfolio, by seat: shares times value."""

    decade: int
    portfolios: tuple[int, ...]
    cash: tuple[int, ...]


class FactoryObsolete(GoodEffect, tag="factory_obsolete"):
    level: int
    workers: int  # it received


class WorkersLacking(SeatEffect, tag="workers_lacking"):
    """Paid for instead of hired."""

    count: int
    wage: int


class LoansLost(SeatEffect, tag="loans_lost"):
    """A player with loans leaves the ranking."""

    loans: int


class GameEnded(Effect, tag="game_ended"):
    """Each player's score, by seat; None: out of the ranking."""

    scores: tuple[int | None, ...]


AnyEffect = (
    Paid
    | WagesReckoned
    | HarbourReckoned
    | EmergencySale
    | LoansTaken
    | LoansRepaid
    | SharesSold
    | SharesBought
    | SharesReturned
    | ShareValueMoved
    | MoneyGiven
    | StartPlayerNamed
    | MatLaidOut
    | MatMarkerLaid
    | TilesLaidOut
    | TileLaidOut
    | FactoryFounded
    | DecadeBegun
    | CycleBegun
    | PhaseBegun
    | TurnPassed
    | ActionClosed
    | EconomyRevealed
    | MarkerPlaced
    | MarkerReused
    | FactoryBuilt
    | FactoryModernized
    | NoLongerObsolete
    | FactoryClosed
    | InventorUsed
    | InventorKept
    | WorkerHired
    | FactoryMarked
    | MarkGone
    | WarehouseHired
    | WarehouseMoved
    | WorkerFired
    | MachineInstalled
    | WorkerRelocated
    | WorkerDismissed
    | EngineeringPaid
    | QualityRaised
    | DistributionRaised
    | PatentReturned
    | StoredSold
    | ContractPlaced
    | ContractFulfilled
    | OfficePaid
    | GoodsProduced
    | PriceSet
    | TileTaken
    | TileReturned
    | TileReassigned
    | GreyMarkerTaken
    | ShipTaken
    | CrewHired
    | CrewDismissed
    | GoodsStored
    | GoodsLost
    | FactoryProduced
    | RowClosed
    | DemandCounted
    | GoodsTaken
    | SaleStopped
    | ExtraGoodMade
    | CallOutEnded
    | PatronSold
    | SalesPaid
    | DistributionDecayed
    | PriceFallen
    | ContractKept
    | ContractRaised
    | CycleEnded
    | MarkersReturned
    | WarehouseFired
    | ShipReturned
    | EventRevealed
    | ChartRowClosed
    | ImporterMoved
    | WorkersMoved
    | QualityChanged
    | DistributionChanged
    | DecadeScored
    | FactoryObsolete
    | WorkersLacking
    | LoansLost
    | GameEnded
)
