"""Standing and outcome (LM-5)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.london_markets import stacks
from daybook.domain.games.london_markets.board import Board
from daybook.domain.kernel.terms import LedgerRow, Outcome, Score, ScoreLine, Seat, Tiebreak, because, ranks_of


def standing(b: Board) -> tuple[Score, ...]:
    """Return each seat's score: only money counts (LM-5.1)."""
    return tuple(
        Score(seat, (ScoreLine("money", player.money, "LM-5.1", paths=(f"/players/{seat}/money",)),))
        for seat, player in enumerate(b.players)
    )


def outcome(b: Board) -> Outcome | None:
    """Money, then a Tiebreaker in play, then goods cards; what is still equal shares the rank (LM-5.2 to LM-5.5)."""
    if b.stage != "over":
        return None
    money = [player.money for player in b.players]
    breakers = tiebreakers(b)
    cards = [player.cards for player in b.players]
    tiebreaks = (Tiebreak("tiebreaker", "LM-5.3", breakers), Tiebreak("goods_cards", "LM-5.4", tuple(cards)))
    return Outcome(
        "LM-4.10.1",
        because("rounds_over", "{rounds} rounds are over", rounds=b.round),
        ranks_of(list(zip(money, breakers, cards, strict=True))),
        tiebreaks if len(set(money)) < b.seats else (),
    )


def tiebreakers(b: Board) -> tuple[int, ...]:
    """Return 1 for the only owner of a Tiebreaker in play among players of equal money (LM-5.3, LM-6.16)."""
    owners = [seat for seat, player in enumerate(b.players) if "tiebreaker" in player.in_play]
    money = [b.players[seat].money for seat in owners]
    return tuple(int(seat in owners and money.count(player.money) == 1) for seat, player in enumerate(b.players))


def marks(b: Board) -> dict[str, int]:
    """Return the round and the number of turns begun in action phases (LM-5.6); no round in the set-up."""
    if not b.round:
        return {"turn": 0}
    before = (b.round - 1) * b.seats
    if b.phase == "reveal":
        return {"round": b.round, "turn": before}
    return {"round": b.round, "turn": before + (b.turn + 1 if b.phase == "actions" else b.seats)}


def crates_on_display(b: Board, seat: Seat) -> int:
    """Return a player's crates on display at all markets."""
    each, count = b.printed.bars_crates, stacks.crates_on_display
    return sum([count(stack, seat, each) for stack in b.stacks.values() if stack])


COLUMNS = ("goods", "specials", "in_play", "bars", "crates", "money", "score")


def rows(b: Board, seats: Iterable[Seat]) -> list[LedgerRow]:
    return [row(b, seat) for seat in seats]


def row(b: Board, seat: Seat) -> LedgerRow:
    player = b.players[seat]
    return (
        player.cards,
        len(player.specials),
        len(player.in_play),
        player.bars,
        crates_on_display(b, seat),
        player.money,
        player.money,
    )
