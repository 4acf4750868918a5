"""Standing and outcome (MP-5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from daybook.domain.games.making_profit.board import Board, Player
from daybook.domain.kernel.terms import LedgerRow, Outcome, Reason, Score, ScoreLine, Seat, because, ranks_of


def standing(b: Board) -> tuple[Score, ...]:
    """Return each seat's score: money, and each certificate at its factory's level (MP-5)."""
    return tuple(Score(seat, (money_line(b, seat), *stock_lines(b, seat))) for seat in range(b.seats))


def money_line(b: Board, seat: Seat) -> ScoreLine:
    return ScoreLine("money", b.players[seat].money, "MP-5.1", paths=(f"/players/{seat}/money",))


def stock_lines(b: Board, seat: Seat) -> list[ScoreLine]:
    """Each certificate counts the level of its factory (MP-5.2)."""
    return [
        ScoreLine(
            "stock",
            held * b.worth(colour),
            "MP-5.1",
            {"colour": colour, "certificates": held, "level": b.owner(colour).level},
            (f"/players/{seat}/certificates/{colour}", f"/players/{b.table.colours.index(colour)}/factory"),
        )
        for colour in b.table.colours
        if (held := b.players[seat].certificates[colour])
    ]


def worths(b: Board) -> dict[str, int]:
    """Return the value of a certificate by colour (MP-5.2)."""
    return {colour: b.worth_of(owner) for colour, owner in zip(b.table.colours, b.players, strict=True)}


def total(player: Player, worths: Mapping[str, int]) -> int:
    """Return a player's money plus the worth of their certificates."""
    return player.money + sum([held * worths[colour] for colour, held in player.certificates.items()])


def totals(b: Board) -> list[int]:
    """Return every seat's score if the game ended now."""
    each = worths(b)
    return [total(player, each) for player in b.players]


def outcome(b: Board) -> Outcome | None:
    """Equal totals share the rank, at the top the victory (MP-5.4)."""
    if b.ended is None:
        return None
    rule, reason = ending(b)
    return Outcome(rule, reason, ranks_of(totals(b)))


def ending(b: Board) -> tuple[str, Reason]:
    """Return the rule that ended the game, and why."""
    colours = b.table.colours
    if b.ended == "level_ten":
        return "MP-4.8.1", because(
            "level_ten",
            "the {colour} factory has reached level {level}",
            colour=colours[b.mover],
            level=b.players[b.mover].level,
            seat=b.mover,
        )
    if b.developer is not None:
        return "MP-4.8.2", because(
            "no_development",
            "no one has developed a factory since {colour} did, a whole round ago",
            colour=colours[b.developer],
            seat=b.developer,
        )
    return "MP-4.8.3", because(
        "no_development",
        "no one developed a factory in the first round, which {colour} began",
        colour=colours[b.follower],
        seat=b.follower,
    )


def marks(b: Board) -> dict[str, int]:
    """Return the round and the turn; the set-up is outside all rounds (MP-5.5)."""
    return {"round": b.round, "turn": b.turn} if b.turn else {"turn": 0}


COLUMNS = ("money", "certificates", "level", "hand", "score")


def rows(b: Board, seats: Iterable[Seat]) -> list[LedgerRow]:
    each = worths(b)
    return [row(b.players[seat], each) for seat in seats]


def row(player: Player, worths: Mapping[str, int]) -> LedgerRow:
    return player.money, sum(player.certificates.values()), player.level, player.cards, total(player, worths)
