"""Value of the companies and outcome (WF-5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from daybook.domain.games.water_frame.board import Board, Held
from daybook.domain.games.water_frame.endings import marked_factories
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import LedgerRow, Outcome, Score, ScoreLine, Seat, Tiebreak, because, ranks_of


def standing(b: Board) -> tuple[Score, ...]:
    """Return each seat's score: portfolio, less the penalties due at the end (WF-5.1, WF-5.2.7)."""
    return tuple(Score(seat, tuple(lines(b, seat))) for seat in range(b.seats))


def lines(b: Board, seat: Seat) -> Iterator[ScoreLine]:
    """Yield the lines of a seat's final score."""
    held = before_end(b, seat)
    yield ScoreLine(
        "portfolio",
        held.shares * b.printed.values[held.space],
        "WF-5.1.4",
        {"shares": held.shares, "value": b.printed.values[held.space], "space": held.space},
        (f"/players/{seat}/shares", f"/players/{seat}/space"),
    )
    yield from penalties(b, seat, held)


def before_end(b: Board, seat: Seat) -> Held:
    """Return a player's holdings before the penalties of the end."""
    player = b.players[seat]
    return player.before_end or Held(player.space, player.shares)


def penalties(b: Board, seat: Seat, holdings: Held) -> Iterator[ScoreLine]:
    """First for marked factories, then for contracts (WF-5.1.2, WF-5.1.3)."""
    numbers, marked = b.printed, marked_factories(b, seat)
    if marked:
        less = without_marked(b, holdings, marked)
        yield ScoreLine(
            "marked_factories",
            shares_worth(b, less) - shares_worth(b, holdings),
            "WF-5.1.2",
            {
                "factories": marked,
                "spaces": marked * numbers.end_marked_spaces,
                "shares": holdings.shares - less.shares,
                "space": less.space,
            },
            (f"/players/{seat}/factories",),
        )
        holdings = less
    back = sum(b.players[seat].contracts.values())
    if back:
        less = without_contracts(b, holdings, back)
        yield ScoreLine(
            "contracts",
            shares_worth(b, less) - shares_worth(b, holdings),
            "WF-5.1.3",
            {"spaces": back, "space": less.space, "value": numbers.values[less.space]},
            (f"/players/{seat}/contracts",),
        )


def without_marked(b: Board, holdings: Held, marked: int) -> Held:
    """Each marked factory costs spaces and shares (WF-5.1.2)."""
    numbers = b.printed
    return Held(
        max(numbers.share_track_lowest, holdings.space - marked * numbers.end_marked_spaces),
        max(0, holdings.shares - marked * numbers.end_marked_shares),
    )


def without_contracts(b: Board, holdings: Held, back: int) -> Held:
    """Contracts that are not fulfilled cost the spaces they lie on (WF-5.1.3)."""
    return Held(max(b.printed.share_track_lowest, holdings.space - back), holdings.shares)


def shares_worth(b: Board, holdings: Held) -> int:
    return holdings.shares * b.printed.values[holdings.space]


def projected_score(b: Board, seat: Seat) -> int:
    """Return the score if the game ended now: the sum of the lines (WF-5.2.7)."""
    player = b.players[seat]
    back = sum(player.contracts.values())
    if not back and b.decade < b.printed.last_decade:
        return player.shares * b.printed.values[player.space]
    held, marked = before_end(b, seat), marked_factories(b, seat)
    if marked:
        held = without_marked(b, held, marked)
    if back:
        held = without_contracts(b, held, back)
    return shares_worth(b, held)


def totals(b: Board) -> list[int]:
    return [projected_score(b, seat) for seat in range(b.seats)]


def outcome(b: Board) -> Outcome | None:
    """Return the ranking by score, then cash; players with loans are unranked, and may leave no winner (WF-5.1)."""
    if b.stage != "over":
        return None
    scores = [projected_score(b, seat) for seat in range(b.seats)]
    free = tuple(int(not player.loans) for player in b.players)
    cash = tuple(player.cash for player in b.players)
    unranked = tuple(seat for seat, player in enumerate(b.players) if player.loans)
    if not any(free):
        everybody_lost = because("all_loans", "every player has loans: no one wins")
        return Outcome("WF-5.1.6", everybody_lost, (b.seats,) * b.seats, unranked=unranked)
    ranks = ranks_of(
        [
            (1, score, money) if out_of_debt else (0, 0, 0)
            for score, money, out_of_debt in zip(scores, cash, free, strict=True)
        ]
    )
    tiebreaks = (Tiebreak("without_loans", "WF-4.24.3", free), Tiebreak("cash", "WF-5.1.5", cash))
    return Outcome(
        "WF-4.24.5",
        because("end_of_game", "the end of the game was reached in {decade}", decade=b.decade),
        ranks,
        tiebreaks if len(set(scores)) < b.seats else (),
        unranked,
    )


def places(b: Board) -> tuple[int, ...]:
    """Return each seat's current place: by portfolio, then cash, before the deductions of the end (WF-5.2.2)."""
    return ranks_of([(shares_worth(b, before_end(b, seat)), player.cash) for seat, player in enumerate(b.players)])


# --- where the game is ---


def marks(b: Board) -> dict[str, int]:
    """Return the decade, and the number of turns begun in the game (WF-5.2.1).

    The decade counts from 1770 on; it has passed when it is scored.
    """
    if not in_decades(b):
        return {"turn": 0}
    decade = decade_scored_next(b)
    if b.cycle:
        return {"decade": decade, "cycle": b.cycle, "turn": turns_begun(b)}
    return {"decade": decade, "turn": turns_begun(b)}


def in_decades(b: Board) -> bool:
    return b.decade > b.printed.years[0]


def decade_scored_next(b: Board) -> int:
    """While the start player of the next decade is named, the last one is scored already."""
    return b.next_decade if b.stage in ("charisma", "start_named") else b.decade


def turns_begun(b: Board) -> int:
    """Each player has one in every cycle."""
    decades = b.printed.years.index(b.decade) - 1
    cycles = decades * len(GOODS) + (b.cycle - 1 if b.cycle else len(GOODS))
    if b.phase == "actions":
        return cycles * b.seats + b.turns + 1
    return (cycles + (b.cycle > 0 and b.phase != "economy")) * b.seats


# --- the ledger ---


COLUMNS = (
    "cash",
    "loans",
    "shares",
    "space",
    "share_value",
    "portfolio",
    "factories",
    "workers",
    "machines",
    "stored",
    "contracts",
    "sold_food",
    "sold_clothes",
    "sold_cutlery",
    "sold_lamps",
    "income",
    "shipped",
    "wages",
    "upkeep",
    "appeal_bonuses",
    "sales_bonuses",
    "spaces_up",
    "spaces_down",
    "fulfilled",
    "score",
)


def rows(b: Board, seats: Iterable[Seat]) -> list[LedgerRow]:
    return [row(b, seat) for seat in seats]


def row(b: Board, seat: Seat) -> LedgerRow:
    """WF-5.2.1 to WF-5.2.7. Workers are those in factories, warehouse and ships."""
    player = b.players[seat]
    value, tally, sold = b.printed.values[player.space], player.tally, player.tally.goods
    factories, workers, machines = 0, sum(player.slots.values()) + player.crew, 0
    for factory in player.factories.values():
        if factory is not None:
            factories += 1
            workers += factory.people
            machines += sum(factory.machines)
    return (
        player.cash,
        player.loans,
        player.shares,
        player.space,
        value,
        player.shares * value,
        factories,
        workers,
        machines,
        sum(player.stored.values()),
        sum(map(bool, player.contracts.values())),
        sold["food"],
        sold["clothes"],
        sold["cutlery"],
        sold["lamps"],
        tally.income,
        tally.shipped,
        tally.wages,
        tally.upkeep,
        tally.appeal_bonuses,
        tally.sales_bonuses,
        tally.spaces_up,
        tally.spaces_down,
        tally.contracts,
        projected_score(b, seat),
    )
