"""What is to be decided just then: the checks that stand in front of the others (WF-4.0.6, WF-8.2)."""

from __future__ import annotations

from daybook.domain.games.water_frame.board import Asked, Board, Stage
from daybook.domain.games.water_frame.moves import (
    Build,
    Charisma,
    Close,
    CloseRow,
    Contract,
    Discard,
    Dismiss,
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
    Relocate,
    ReturnShip,
    ReturnTile,
    Reuse,
    RevealEconomy,
    RevealEvent,
    SellShares,
    SellStored,
    ShipContract,
    StartPlayer,
    Stop,
    TileDrawn,
)
from daybook.domain.games.water_frame.printed import Marker
from daybook.domain.kernel.terms import Decision, Reason, Seat, because

STAGES_OF: dict[type[Decision], tuple[Stage, ...]] = {
    StartPlayer: ("start_player",), MarkerLaid: ("mat",), LayOutMat: ("mat",), TileDrawn: ("tiles",),
    LayOutTiles: ("tiles",), RevealEconomy: ("economy",), RevealEvent: ("event",), EventCustom: ("event",),
    Found: ("found_first", "found_second"), SellShares: ("capital",), Pass: ("special",),
    Place: ("marker",), Reuse: ("marker",),
    CloseRow: ("school_first", "school_second"), SellStored: ("call_out",), Stop: ("call_out",),
    ExtraShift: ("call_out", "extra_shifts"), PatronSale: ("patron",), ShipContract: ("shipping",),
    Keep: ("shipping",),
    Charisma: ("cycle_end", "charisma"), FireWarehouse: ("firing",), ReturnShip: ("firing",),
    NameStartPlayer: ("start_named",),
}
ACTION_OF: dict[type[Decision], str] = {
    Build: "factory", Modernize: "factory", Close: "factory",
    Hire: "workers", HireWarehouse: "workers", MoveWarehouse: "workers", Fire: "workers",
    Install: "machinery", RaiseQuality: "quality", RaiseDistribution: "distribution", PatentLevels: "distribution",
    Contract: "stock_exchange", Fulfil: "ship", Produce: "production",
}
ASKED_BY: dict[type[Decision], Asked] = {
    ReturnTile: "return_tile", InventorKeep: "inventor", InventorReturn: "inventor", Relocate: "relocate",
    Dismiss: "relocate", Discard: "discard",
}


def name_of(marker: Marker) -> str:
    """What a marker is, whatever its shade: "quality", "ship"."""
    return marker.partition(":")[0]


def game_on(b: Board, seat: Seat, d: Decision) -> Reason | None:
    return because("game_over", "the game is over") if b.stage == "over" else None


def in_stage(b: Board, seat: Seat, d: Decision) -> Reason | None:
    """Whether a decision belongs to the running stage, and nothing else is asked first."""
    if b.asked:
        return asked_first(b)
    return None if b.stage in STAGES_OF[type(d)] else not_awaited(b)


def not_awaited(b: Board) -> Reason:
    return because("wrong_phase", "this is not what is awaited: {awaited}", awaited=b.stage)


def asked_first(b: Board) -> Reason:
    return because("asked_first", "something has to be decided first: {awaited}", awaited=b.asked[-1].what)


def in_its_action(b: Board, seat: Seat, d: Decision) -> Reason | None:
    """Whether a decision belongs to the main action that the marker of this turn allows."""
    wanted = ACTION_OF[type(d)]
    if b.asked:
        return asked_first(b)
    if b.stage != "main":
        return not_awaited(b)
    running = name_of(b.turn.marker)
    return None if running == wanted else because(
        "wrong_action", "this belongs to the {wanted} action, and the {running} action is running",
        wanted=wanted, running=running)


def asked_for(b: Board, seat: Seat, d: Decision) -> Reason | None:
    """Whether this is what a player was asked."""
    if b.asked and b.asked[-1].what == ASKED_BY[type(d)]:
        return None
    return asked_first(b) if b.asked else not_awaited(b)


def acting(b: Board, stage: Stage) -> bool:
    """Whether the running stage is this one and nothing is asked of anybody: what a list of candidates begins with."""
    return b.stage == stage and not b.asked


def in_action(b: Board, name: str) -> bool:
    """Whether the main action of this kind is running and nothing is asked of anybody."""
    return b.stage == "main" and not b.asked and name_of(b.turn.marker) == name


def factory_there(b: Board, seat: Seat, d: Decision) -> Reason | None:
    good: str = d.good  # type: ignore[attr-defined]
    if b.players[seat].factories[good] is not None:
        return None
    return because("no_factory", "there is no {good} factory", good=good)
