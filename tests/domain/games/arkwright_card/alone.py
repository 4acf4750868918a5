"""Solo tables and positions: the player is red, blue and green are automas, yellow is the third colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves
from daybook.domain.games.arkwright_card.board import Automa, Board
from daybook.domain.games.arkwright_card.solo_moves import AutomaPlaced, DiscPlaced, FactoryDrawn, GridLaid, MarkerDrawn
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from tests.domain.games.arkwright_card.playing import after, opening_board, play

GRID = [
    "patent",
    "engineer",
    "entrepreneur",
    "workshop",
    "foreman",
    "patent",
    "engineer",
    "extra_shift",
    "workshop",
    "foreman",
    "patent",
    "engineer",
    "big_storehouse",
    "patron_clothes_food",
    "patron_cutlery_food",
]
REMOVED = ["big_storehouse", "extra_shift"]  # the two that are left of the 17 cards for three players
SOLO = {
    "solo_idle_share": False,
    "solo_automa_bonus": True,
    "solo_random_factories": False,
    "solo_pick_achievements": False,
    "solo_start_development": "free",
}

Moves = Sequence[tuple[Seat, Decision]]


def table(*facts: Decision) -> list[tuple[Seat, Decision]]:
    return [(TABLE, fact) for fact in facts]


def mine(*decisions: Decision) -> list[tuple[Seat, Decision]]:
    return [(0, d) for d in decisions]


def marker(colour: str) -> tuple[Seat, Decision]:
    """A marker is drawn from the bag."""
    return TABLE, MarkerDrawn(colour)


def grid(cards: Sequence[str] = GRID) -> Moves:
    return table(*map(GridLaid, cards))


def discs(*colours: str) -> Moves:
    """Place the solo discs from the first row on; the last one follows by itself."""
    return table(*map(DiscPlaced, colours or ("blue", "green")))


def until_factories(**options: Any) -> Board:
    """Grid and discs lie there."""
    b = opening_board(1, **options)
    cards = GRID
    if b.stage == "supply":
        dealt = [
            "broker",
            "customs_office",
            "developer",
            "contract",
            "inventor",
            "broker",
            "customs_office",
            "developer",
            "contract",
            "inventor",
            "workshop",
            "foreman",
        ]
        b = after(b, *table(*map(moves.CardDealt, dealt)))
        cards = [*dealt, "entrepreneur", "patent", "engineer"]
    return after(b, *grid(cards), *discs())


def until_start(first: str = "food", second: str = "clothes", markers: str = "blue green", **options: Any) -> Board:
    """Factories and automas' markers lie there: of food and lamps blue, of clothes and cutlery green."""
    b = until_factories(**options)
    if options.get("solo_random_factories"):
        b = after(b, *table(FactoryDrawn(first), FactoryDrawn(second)))  # type: ignore[arg-type]
    else:
        b = after(b, *mine(moves.PlaceStartFactory(first)))  # type: ignore[arg-type]
    b = after(b, *table(*map(AutomaPlaced, markers.split())))
    while b.stage == "automa_markers":
        b = after(b, *table(AutomaPlaced("green")))
    return b if options.get("solo_random_factories") else after(b, *mine(moves.PlaceStartFactory(second)))  # type: ignore[arg-type]


def inventors() -> Moves:
    """Play from the opening with a random supply to the first turn, with an Inventor in it; another is at place 10."""
    dealt = ["broker", "customs_office", "developer", "contract", "inventor"] * 2 + ["workshop", "foreman"]
    return [
        *table(*map(moves.CardDealt, dealt)),
        *grid([*dealt, "entrepreneur", "patent", "engineer"]),
        *discs(),
        *mine(moves.PlaceStartFactory("food")),
        *table(*map(AutomaPlaced, ("blue", "green", "green"))),
        *mine(moves.PlaceStartFactory("clothes"), moves.ChooseStartCard("inventor", 5)),
    ]


def solo_at_first_turn(shares: int = 0, **options: Any) -> Board:
    """The first turn; nothing to start with but shares."""
    b = until_start(**options)
    if b.stage == "start_development":
        b = after(b, *mine(moves.SkipStart()))
    return after(b, *mine(moves.BuyStartShares(shares))) if b.stage == "start_shares" else b


def idle(b: Board, drawn: str | None = None) -> Board:
    """The player's turn without any use, and with a colour drawn the automas' turn and the production phase."""
    b = after(b, *mine(moves.PassAction()))
    if b.stage == "price":
        b = after(b, *mine(moves.ConfirmPrice()))
    b = after(b, *mine(moves.SkipDevelopment()))
    return b if drawn is None else quiet(after(b, marker(drawn)))


def quiet(b: Board) -> Board:
    """Play to the next turn without any use in or after production."""
    while b.stage not in ("action", "automa", "over", "achievements"):
        kinds = {type(d): d for d in ARKWRIGHT_CARD.legal(b, 0)}
        d = kinds.get(moves.EndProduction) or kinds.get(moves.KeepEntrepreneur) or list(kinds.values())[-1]
        b = after(b, *mine(d))
    return b


def draw_marker(b: Board, colour: str = "yellow") -> tuple[Board, list[Any]]:
    """A marker out of the bag and what follows, with the production phase: nothing is used, shipped or stored in it."""
    b, effects = play(b, marker(colour))
    while b.stage in ("produce", "sell", "ship", "store"):
        kinds = {type(d): d for d in ARKWRIGHT_CARD.legal(b, 0)}
        d = kinds.get(moves.BeginSale) or kinds.get(moves.EndProduction) or ARKWRIGHT_CARD.legal(b, 0)[-1]
        if isinstance(d, moves.Ship):
            d = moves.Ship(0)
        b, more = play(b, *mine(d))
        effects += more
    return b, effects


def change_position(
    b: Board,
    automas: Mapping[str, Mapping[str, int]] | None = None,
    shares: Mapping[str, int] | None = None,
    value: Mapping[str, int] | None = None,
    demand: Mapping[str, int] | None = None,
    **fields: Any,
) -> Board:
    """The same position with other automas, demand positions and fields of board or player."""
    b = b.twin()
    solo = b.alone
    for colour, appeal in (automas or {}).items():
        solo.automas[colour].appeal = dict(appeal)
    for colour, automa in solo.automas.items():
        automa.shares = (shares or {}).get(colour, automa.shares)
        automa.share_value = (value or {}).get(colour, automa.share_value)
    b.demand |= demand or {}
    for name, given in fields.items():
        holder: Any = next(part for part in (b, b.players[0], solo) if name in part.__struct_fields__)
        setattr(holder, name, given)
    assert list(ARKWRIGHT_CARD.integrity.breaches(b)) == []
    return b


def automa(b: Board, colour: str = "blue") -> Automa:
    return b.alone.automas[colour]
