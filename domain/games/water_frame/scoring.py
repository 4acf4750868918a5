"""What everybody's company is worth, and how a game ended (WF-5)."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.water_frame.board import Board, Held, Player
from domain.games.water_frame.endings import marked_factories
from domain.games.water_frame.printed import GOODS
from domain.ruleset import Line, Outcome, Score, Seat, Tiebreak, because, ranked


def standing(b: Board) -> tuple[Score, ...]:
    """Portfolios, and the penalties that the end would bring now or has brought (WF-5.1, WF-5.2.7)."""
    return tuple(Score(seat, tuple(lines(b, seat))) for seat in range(b.seats))


def lines(b: Board, seat: Seat) -> Iterator[Line]:
    held = before_end(b, seat)
    yield Line(
        "portfolio", held.shares * b.printed.values[held.space], "WF-5.1.4",
        {"shares": held.shares, "value": b.printed.values[held.space], "space": held.space},
        (f"/players/{seat}/shares", f"/players/{seat}/space"))
    yield from penalties(b, seat, held)


def before_end(b: Board, seat: Seat) -> Held:
    """What a player has, without the penalties of the end if they have been taken."""
    player = b.players[seat]
    return player.before_end or Held(player.space, player.shares)


def penalties(b: Board, seat: Seat, held: Held) -> Iterator[Line]:
    """First for marked factories, then for contracts (WF-5.1.2, WF-5.1.3)."""
    numbers, marked = b.printed, marked_factories(b, seat)
    if marked:
        spaces, shares = marked * numbers.marked_spaces, marked * numbers.marked_shares
        less = Held(max(numbers.lowest_space, held.space - spaces), max(0, held.shares - shares))
        yield Line(
            "marked_factories", worth(b, less) - worth(b, held), "WF-5.1.2",
            {"factories": marked, "spaces": spaces, "shares": held.shares - less.shares, "space": less.space},
            (f"/players/{seat}/factories",))
        held = less
    back = sum(b.players[seat].contracts.values())
    if back:
        less = Held(max(numbers.lowest_space, held.space - back), held.shares)
        yield Line(
            "contracts", worth(b, less) - worth(b, held), "WF-5.1.3",
            {"spaces": back, "space": less.space, "value": numbers.values[less.space]},
            (f"/players/{seat}/contracts",))


def worth(b: Board, held: Held) -> int:
    return held.shares * b.printed.values[held.space]


def projected(b: Board, seat: Seat) -> int:
    """The score if the game ended now (WF-5.2.7)."""
    if any(b.players[seat].contracts.values()) or b.decade == b.printed.last_decade:
        return sum(line.amount for line in lines(b, seat))
    return b.portfolio(seat)


def outcome(b: Board) -> Outcome | None:
    """The highest score, then more cash; who has loans comes last, and nobody wins if everybody has (WF-5.1)."""
    if b.stage != "over":
        return None
    scores = [projected(b, seat) for seat in range(b.seats)]
    free = tuple(int(not player.loans) for player in b.players)
    cash = tuple(player.cash for player in b.players)
    if not any(free):
        return Outcome("WF-5.1.6", because("all_loans", "every player has loans: nobody wins"), (b.seats,) * b.seats)
    ranks = ranked([
        (1, score, money) if out_of_debt else (0, 0, 0)
        for score, money, out_of_debt in zip(scores, cash, free, strict=True)])
    tiebreaks = (Tiebreak("without_loans", "WF-4.24.3", free), Tiebreak("cash", "WF-5.1.5", cash))
    return Outcome(
        "WF-4.24.5", because("end_of_game", "the end of the game was reached in {decade}", decade=b.decade),
        ranks, tiebreaks if len(set(scores)) < b.seats else ())


# --- where the game is ---


def marks(b: Board) -> dict[str, int]:
    """decade: from 1770 on; it passes when it is scored. turn: how many turns have begun in the game (WF-5.2.1)."""
    if not in_decades(b):
        return {"turn": 0}
    decade = decade_scored_next(b)
    if b.cycle:
        return {"decade": decade, "cycle": b.cycle, "turn": turns_begun(b)}
    return {"decade": decade, "turn": turns_begun(b)}


def in_decades(b: Board) -> bool:
    return b.decade > min(b.printed.decades)


def decade_scored_next(b: Board) -> int:
    """While the start player of the next decade is named, the last one is scored already."""
    return b.next_decade if b.stage in ("charisma", "start_named") else b.decade


def turns_begun(b: Board) -> int:
    """Each player has one in every cycle."""
    decades = sum(1 for decade in b.printed.decades if decade < b.decade) - 1
    cycles = decades * len(GOODS) + (b.cycle - 1 if b.cycle else len(GOODS))
    if b.phase == "actions":
        return cycles * b.seats + b.turns + 1
    return (cycles + (b.cycle > 0 and b.phase != "economy")) * b.seats


# --- the ledger ---


COLUMNS = (
    "cash", "loans", "shares", "space", "share_value", "portfolio", "factories", "workers", "machines", "stored",
    "contracts", "sold_food", "sold_clothes", "sold_cutlery", "sold_lamps", "income", "shipped", "wages", "upkeep",
    "appeal_bonuses", "sales_bonuses", "spaces_up", "spaces_down", "fulfilled", "score",
)


def figures(b: Board) -> dict[str, list[int]]:
    """WF-5.2.1 to WF-5.2.7."""
    values, players = b.printed.values, b.players
    tallies = [player.tally for player in players]
    return {
        "cash": [player.cash for player in players],
        "loans": [player.loans for player in players],
        "shares": [player.shares for player in players],
        "space": [player.space for player in players],
        "share_value": [values[player.space] for player in players],
        "portfolio": [player.shares * values[player.space] for player in players],
        "factories": [len(player.standing) for player in players],
        "workers": [workers(player) for player in players],
        "machines": [machines(player) for player in players],
        "stored": [sum(player.stored.values()) for player in players],
        "contracts": [sum(map(bool, player.contracts.values())) for player in players],
        "sold_food": [tally.goods["food"] for tally in tallies],
        "sold_clothes": [tally.goods["clothes"] for tally in tallies],
        "sold_cutlery": [tally.goods["cutlery"] for tally in tallies],
        "sold_lamps": [tally.goods["lamps"] for tally in tallies],
        "income": [tally.income for tally in tallies],
        "shipped": [tally.shipped for tally in tallies],
        "wages": [tally.wages for tally in tallies],
        "upkeep": [tally.upkeep for tally in tallies],
        "appeal_bonuses": [tally.appeal_bonuses for tally in tallies],
        "sales_bonuses": [tally.sales_bonuses for tally in tallies],
        "spaces_up": [tally.spaces_up for tally in tallies],
        "spaces_down": [tally.spaces_down for tally in tallies],
        "fulfilled": [tally.contracts for tally in tallies],
        "score": [projected(b, seat) for seat in range(b.seats)],
    }


def workers(player: Player) -> int:
    """In factories, warehouse and ships."""
    working = sum(player.slots.values()) + player.crew
    for factory in player.factories.values():
        if factory is not None:
            working += factory.people
    return working


def machines(player: Player) -> int:
    working = 0
    for factory in player.factories.values():
        if factory is not None:
            working += sum(factory.machines)
    return working
