"""Rounds and decades: what happens by itself between the players' turns (ACG-4.1, ACG-4.17, ACG-4.18)."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.arkwright_card import achievements, cards, market, moves, scoring
from daybook.domain.games.arkwright_card.board import Board, Production, Solo, Turn
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.games.arkwright_card.solo_moves import AutomasBegin, MarkersReturned
from daybook.domain.kernel.rule_parts import Spread
from daybook.domain.kernel.terms import Decision, Effect, Seat, Tell, WhyNot, holds, refuse_unless

# Effects on other players: a production begins, a round, a decade or the game ends, or they gain or lose something.
# The change of turn is not one.
SPREADS = Spread(
    always={
        moves.RoundEnded: {},
        moves.DecadeEnded: {},
        moves.GameEnded: {},
        moves.PhaseBegun: {"phase": "production"},
    },
    others=(Effect,),
    others_but=(moves.TurnBegun, moves.StartPlayerPassed, moves.StartPlayerNamed, moves.ChooserFound),
)


# --- rounds and turns ---


def begin_game(b: Board, tell: Tell) -> None:
    b.round = 1
    begin_round(b, tell)


def begin_round(b: Board, tell: Tell) -> None:
    b.sales = [None] * b.seats
    tell(moves.RoundBegun("ACG-4.1.1", b.decade, b.round, b.active, b.starter))
    if b.solo is not None and b.solo.first:
        tell(AutomasBegin("ACG-6.3.1", b.decade, b.round))
        await_draw(b)
    else:
        begin_turn(b, b.starter, tell)


def await_draw(b: Board) -> None:
    """Await a marker out of the bag, for the automas' turn (ACG-6.3.3)."""
    b.stage, b.mover = "automa", None
    b.turn = Turn()


def begin_turn(b: Board, seat: Seat, tell: Tell) -> None:
    b.stage, b.mover = "action", seat
    b.turn = Turn()
    b.turns += 1
    tell(moves.TurnBegun("ACG-4.1.2", seat))


# --- the end of a round ---


def end_round(b: Board, tell: Tell) -> None:
    """End a round; the Entrepreneur's owner may name the start player, except after the last (ACG-4.17.0)."""
    b.turn, b.production = Turn(), Production()
    tell(moves.RoundEnded("ACG-4.1.1", b.decade, b.round))
    if len(b.remaining) < min(2, b.seats) or b.last_round:
        if b.solo is None:
            scoring.end_game(b, tell)
        else:
            achievements.end_game(b, tell)
        return
    if b.solo is not None:
        b.solo.first = False
    owner = next((seat for seat in b.remaining if "entrepreneur" in b.players[seat].cards), None)
    if owner is None:
        go_on(b, None, tell)
    else:
        b.stage, b.mover = "round_end", owner


def discard_entrepreneur(b: Board, seat: Seat, d: moves.DiscardEntrepreneur, tell: Tell) -> None:
    cards.discard(b, seat, "entrepreneur", "ACG-4.12.2", tell)
    tell(moves.StartPlayerNamed("ACG-4.12.2", seat, d.player))
    go_on(b, d.player, tell)


def keep_entrepreneur(b: Board, seat: Seat, d: moves.KeepEntrepreneur, tell: Tell) -> None:
    tell(moves.EntrepreneurKept("ACG-4.12.2", seat))
    go_on(b, None, tell)


def go_on(b: Board, named: Seat | None, tell: Tell) -> None:
    """Go to the next round. named: the Entrepreneur's start player; a solo game has one player (ACG-6.3.2)."""
    if b.solo is not None:
        named = b.starter
    if b.round == b.printed.game_rounds:
        end_decade(b, named, tell)
        return
    b.round += 1
    if named is None:
        named = next(seat for seat in [*b.from_start()[1:], b.starter] if not b.players[seat].bankrupt)
        tell(moves.StartPlayerPassed("ACG-4.17.2", b.starter, named))
    b.start = named
    begin_round(b, tell)


# --- the end of a decade ---


def end_decade(b: Board, named: Seat | None, tell: Tell) -> None:
    tell(moves.DecadeEnded("ACG-5.2.1", b.decade, tuple(player.portfolio for player in b.players)))
    b.round = 1
    b.decade += 1
    for seat, player in enumerate(b.players):
        if player.rotated:
            tell(moves.CardsReadied("ACG-4.18.3", seat, tuple(player.rotated)))
            player.rotated = []
    if b.solo is not None:
        refill(b, b.solo, tell)
    if named is None:
        b.stage, b.mover = "decade_end", chooser(b, tell)
    else:
        begin_decade(b, named, tell)


def refill(b: Board, solo: Solo, tell: Tell) -> None:
    """Put the markers next to the decade track back into the bag (ACG-6.5.1)."""
    for colour in solo.drawn:
        solo.bag[colour] += 1
    solo.drawn = []
    tell(MarkersReturned("ACG-6.5.1", dict(solo.bag)))


def chooser(b: Board, tell: Tell) -> Seat:
    """Return the seat of the lowest portfolio, then the least money, then the nearest clockwise (ACG-4.18.4)."""
    order = [seat for seat in b.from_start() if not b.players[seat].bankrupt]
    poorest = lowest(order, [b.players[seat].portfolio for seat in order])
    neediest = lowest(poorest, [b.players[seat].money for seat in poorest])
    by = "portfolio" if len(poorest) == 1 else "money" if len(neediest) == 1 else "order"
    player = b.players[neediest[0]]
    tell(moves.ChooserFound("ACG-4.18.4", neediest[0], player.portfolio, player.money, by))
    return neediest[0]


def lowest(seats: Sequence[Seat], values: Sequence[int]) -> list[Seat]:
    """Return the seats with the lowest value."""
    return [seat for seat, value in zip(seats, values, strict=True) if value == min(values)]


def choose_start_player(b: Board, seat: Seat, d: moves.ChooseStartPlayer, tell: Tell) -> None:
    tell(moves.StartPlayerNamed("ACG-4.18.4", seat, d.player))
    begin_decade(b, d.player, tell)


def begin_decade(b: Board, start: Seat, tell: Tell) -> None:
    b.start = start
    for good in GOODS:
        before = b.neutral.get(good)
        if before is None:
            continue
        after = min(before + b.printed.neutral_step, b.printed.market_appeal_top)
        b.neutral[good] = after
        tell(moves.NeutralMoved("ACG-4.18.5", good, before, after))
        market.move_demand(b, good, market.arrows(b, good, before, after), "ACG-4.18.5", tell)
    begin_round(b, tell)


# --- checks and candidates ---


def at_table(b: Board, d: moves.DiscardEntrepreneur | moves.ChooseStartPlayer) -> WhyNot:
    return refuse_unless(
        0 <= d.player < b.seats, "no_such_seat", "there are {seats} seats, numbered from 0", seats=b.seats
    ) or refuse_unless(
        not b.players[d.player].bankrupt, "player_out", "seat {seat} is bankrupt and out of the game", seat=d.player
    )


@holds("the player has Entrepreneur (1)")
def entrepreneur_owned(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "entrepreneur")


def candidate_discards(b: Board, seat: Seat) -> list[Decision]:
    """Return the decisions to make a player discard the Entrepreneur."""
    if b.solo is not None:
        return []
    return [moves.DiscardEntrepreneur(player) for player in b.remaining]


def candidate_start_players(b: Board, seat: Seat) -> list[Decision]:
    return [moves.ChooseStartPlayer(player) for player in b.remaining]
