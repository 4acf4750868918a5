"""The course of a round: what happens by itself between decisions (LM-4.1, LM-4.8, LM-4.9)."""

from __future__ import annotations

from daybook.domain.games.london_markets import moves
from daybook.domain.games.london_markets.board import Board
from daybook.domain.games.london_markets.printed import CLOSED
from daybook.domain.kernel.rule_parts import Spread
from daybook.domain.kernel.terms import Tell

# Effects on other players: open offers or money, and the end of the game. The end of a round is not one.
SPREADS = Spread(always={moves.OfferShown: {}, moves.MoneyShown: {}, moves.GameEnded: {}})


def begin_round(b: Board) -> None:
    b.round += 1
    b.stage = "market_card"


# --- phase 2: actions ---


def begin_actions(b: Board, tell: Tell) -> None:
    tell(moves.PhaseBegun("LM-4.4.1", "actions"))
    begin_turn(b)


def begin_turn(b: Board) -> None:
    b.stage = "turn"
    b.plays = 0
    b.acted = False


def go_on_with_turn(b: Board, tell: Tell) -> None:
    """End the turn after an action if no special card can be played any more (LM-4.4.2)."""
    b.stage = "turn"
    if b.acted and (b.plays >= b.printed.specials_plays or not b.players[b.mover].specials):
        end_turn(b, tell)


def end_turn(b: Board, tell: Tell) -> None:
    seat = b.mover
    b.turn += 1
    if b.turn < b.seats:
        begin_turn(b)
        tell(moves.TurnPassed("LM-4.4.1", seat, b.mover))
        return
    b.turn = b.plays = 0
    b.acted = False
    if b.card == CLOSED:
        tell(moves.PhaseSkipped("LM-4.6.1", "replenish"))
        tell(moves.PhaseSkipped("LM-4.7.1", "auction"))
        move_merchants(b, tell)
    else:
        tell(moves.PhaseBegun("LM-4.6.2", "replenish"))
        begin_takes(b, tell)


# --- phase 3: replenish ---


def begin_takes(b: Board, tell: Tell) -> None:
    """Begin the next player's replenishment (LM-4.6.3, LM-4.6.5)."""
    player = b.players[b.mover]
    b.stage = "replenish"
    b.exchanges = player.in_play.count("replenishment")
    b.takes = b.printed.replenishment_plain_cards + b.exchanges
    tell(moves.TakesBegun("LM-4.6.3", b.mover, b.takes, b.exchanges))
    go_on_with_takes(b, tell)


def go_on_with_takes(b: Board, tell: Tell) -> None:
    """Lose takes without cards; end the replenishment if no exchange is possible (LM-4.6.6)."""
    stocked = any(b.piles.values())
    if b.takes and not stocked:
        tell(moves.GoodsLost("LM-4.6.6", b.mover, b.takes))
        b.takes = 0
    if not b.takes and not (b.exchanges and stocked and b.players[b.mover].cards):
        end_takes(b, tell)


def end_takes(b: Board, tell: Tell) -> None:
    seat = b.mover
    b.turn += 1
    b.takes = b.exchanges = 0
    if b.turn < b.seats:
        tell(moves.TurnPassed("LM-4.6.2", seat, b.mover))
        begin_takes(b, tell)
        return
    b.turn = 0
    tell(moves.PhaseBegun("LM-4.7.2", "auction"))
    begin_auction(b, tell)


# --- phase 4: auctions ---


def begin_auction(b: Board, tell: Tell) -> None:
    b.stage = "offers"
    b.auction += 1
    tell(moves.AuctionBegun("LM-4.7.2", b.auction, tuple(b.open_types)))


def end_auctions(b: Board, tell: Tell) -> None:
    """End the auctions; in the last round also the game (LM-4.10.1)."""
    b.auction = 0
    if not b.last_round:
        b.covered = []
        move_merchants(b, tell)
        return
    b.stage = "over"
    tell(moves.RoundEnded("LM-5.6", b.round))
    tell(moves.GameEnded("LM-4.10.1", b.round))


# --- phase 5: movement, and phase 6: the starting player ---


def move_merchants(b: Board, tell: Tell) -> None:
    tell(moves.PhaseBegun("LM-4.8.1", "movement"))
    markets = {
        merchant: b.printed.next_market(market) for merchant, market in b.merchants.items() if market is not None
    }
    b.merchants.update(markets)
    tell(moves.MerchantsMoved("LM-4.8.1", dict(markets)))
    move_assistants(b, tell)


def move_assistants(b: Board, tell: Tell) -> None:
    """Assistants that have not moved yet do so, track by track; a draft has to be finished first (LM-4.8.2)."""
    for track, spaces in b.printed.tracks.items():
        if b.assistants[track] > b.round:
            continue
        b.assistants[track] += 1
        symbol = spaces.symbols[b.assistants[track] - 1]
        tell(moves.AssistantMoved("LM-4.8.2", track, b.assistants[track], symbol))
        if symbol == "reveal":
            b.money_shown = True
            tell(moves.MoneyShown("LM-4.8.4", tuple(player.money for player in b.players)))
        elif symbol == "draft":
            tell(moves.DraftBegun("LM-4.8.3", track))
            if drafts_on(b, tell):
                return
    end_round(b, tell)


def drafts_on(b: Board, tell: Tell) -> bool:
    """Go to the next player with a pile to pick; return if there is one (LM-4.8.3)."""
    while b.turn < b.seats:
        if piles_to_pick(b):
            b.stage = "draft_pile"
            return True
        tell(moves.SpecialLacking("LM-4.8.3", b.mover))
        b.turn += 1
    b.turn = 0
    b.drafted = []
    return False


def piles_to_pick(b: Board) -> list[int]:
    return [pile for pile, cards in enumerate(b.specials, 1) if cards and pile not in b.drafted]


def end_draft_turn(b: Board, tell: Tell) -> None:
    b.turn += 1
    if not drafts_on(b, tell):
        move_assistants(b, tell)


def end_round(b: Board, tell: Tell) -> None:
    """All tokens are turned face up, the coach goes to the next player (LM-4.8.5, LM-4.9.1)."""
    b.used = []
    before, b.start = b.starter, (b.starter + 1) % b.seats
    tell(moves.CoachPassed("LM-4.9.1", before, b.start))
    tell(moves.RoundEnded("LM-5.6", b.round))
    begin_round(b)
