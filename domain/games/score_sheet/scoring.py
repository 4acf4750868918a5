"""Standing, winners, and the deciding lines (SC-7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.counting import Tally
from daybook.domain.games.score_sheet.definition import Line
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.rule_parts import AboutPlay
from daybook.domain.kernel.terms import LedgerRow, Outcome, Reason, Score, ScoreLine, Seat, Tiebreak, because, ranks_of

SETTLED = "settled"  # the tie-break by the table's word


def standing(b: Board) -> tuple[Score, ...]:
    """Return each seat's score, line by line, by seat."""
    tally = b.tally()
    return tuple(
        Score(seat, (*score_lines(b, seat, tally), *joined_line(b, seat), *partners_line(b, seat, tally)))
        for seat in range(b.seats)
    )


def score_lines(b: Board, seat: Seat, tally: Tally) -> Iterator[ScoreLine]:
    """Yield a score line for each line of the sheet, or one for the formula of the total (SC-7.1)."""
    definition = b.definition
    if definition.formula is not None:
        formula: dict[str, Points | str] = {"formula": definition.score_total}
        total = as_points(sum([totals[seat] for totals in tally.rounds]))
        yield ScoreLine("total", total, "SC-2.10", formula, (f"/players/{seat}/rounds",))
    for line in b.lines:
        if definition.formula is not None and not definition.is_once(line):
            continue
        points = tally.lines[seat][line.key]
        if not line.is_entered:
            yield ScoreLine("formula", points, "SC-2.10", {"name": line.name}, (f"/players/{seat}/rounds",))
            continue
        side = b.side(seat) if b.has_partners else [seat]
        yield ScoreLine(
            "line",
            points,
            "SC-7.1",
            {"name": line.name, "figure": as_points(sum([b.figure(other, line) for other in side]))},
            tuple(path for other in side for path in cells_of(b, other, line)),
        )


def cells_of(b: Board, seat: Seat, line: Line) -> Iterator[str]:
    """Yield the places of a line's figures on the board."""
    if b.definition.is_once(line):
        yield f"/players/{seat}/once/{line.key}"
    else:
        yield from (f"/players/{seat}/rounds/{place}/{line.key}" for place in range(b.round))


def joined_line(b: Board, seat: Seat) -> Iterator[ScoreLine]:
    """Yield the points agreed when a player joined (SC-5.5)."""
    side = b.side(seat) if b.has_partners else [seat]
    points = as_points(sum([b.players[other].joined_with for other in side]))
    if points:
        yield ScoreLine("joined", points, "SC-5.5", {}, tuple(f"/players/{other}/joined_with" for other in side))


def partners_line(b: Board, seat: Seat, tally: Tally) -> Iterator[ScoreLine]:
    """Yield the points of the other team members (SC-7.7)."""
    partners = [other for other in b.side(seat) if other != seat]
    if partners and not b.has_partners:
        columns = tuple(f"/players/{other}/rounds" for other in partners)
        team: dict[str, Points | str] = {"team": b.players[seat].team}
        yield ScoreLine("team", as_points(sum([tally.totals[other] for other in partners])), "SC-7.7", team, columns)


def totals(b: Board) -> list[Points]:
    """Return the totals that ranks go by: a team member's is the team's."""
    return b.side_totals()


def results(b: Board) -> list[Points]:
    """Return the totals of the rounds, without what is counted once: a target is reached by them (SC-6.3)."""
    if not any(map(b.definition.is_once, b.lines)):
        return totals(b)
    tally = b.tally()
    kept = [key for key, line in b.definition.lines.items() if b.definition.is_once(line) and line.is_entered]
    rounds = [
        as_points(total - sum([lines[key] for key in kept]))
        for total, lines in zip(tally.totals, tally.lines, strict=True)
    ]
    return b.side_totals(tally._replace(totals=rounds))


def round_points(b: Board) -> list[list[Points]]:
    """Return the points of each seat in each round, by the figures on the sheet: of a team member, the team's."""
    tally = b.tally()
    return [b.side_totals(tally._replace(totals=points)) for points in tally.rounds]


def orders(b: Board) -> list[Any]:
    """Return the sort key of each seat before tie-breaks, the greatest first (SC-7.2, SC-7.4)."""
    if b.definition.score_count == "places":
        return [-(player.rounds[0]["place"] or b.seats) for player in b.players]
    match b.definition.score_wins:
        case "last":
            return [player.out or b.seats + 1 for player in b.players]
        case "together":
            return [0] * b.seats
        case "least":
            return [-total for total in totals(b)]
    return totals(b)


def tiebreaks(b: Board, settled: bool = True) -> tuple[Tiebreak, ...]:
    """Return the deciding lines, in order, as long as ties remain (SC-7.3), and then the table's word (SC-7.9)."""
    order: list[tuple[Points, ...]] = [(value,) for value in orders(b)]
    used: list[Tiebreak] = []
    for line, better in b.definition.ties:
        if len(set(order)) == len(order):
            break
        if line.is_entered:
            values = tuple(
                as_points(better * sum([b.figure(other, line) for other in b.side(seat)])) for seat in range(b.seats)
            )
        else:
            values = tuple(better * lines[line.key] for lines in b.tally().lines)
        used.append(Tiebreak(line.name, "SC-7.3", values))
        order = [(*before, value) for before, value in zip(order, values, strict=True)]
    if settled and b.settled and len(set(order)) < len(order):
        word = tuple(
            max([len(b.settled) - b.settled.index(other) for other in b.side(seat) if other in b.settled], default=0)
            for seat in range(b.seats)
        )
        used.append(Tiebreak(SETTLED, "SC-7.9", word))
    return tuple(used)


def places(b: Board, settled: bool = True) -> tuple[int, ...]:
    """Return the current ranks; a game lost together has no first place (SC-7.5).

    settled: with the ties that the table decided.
    """
    if b.won is False:
        return (2,) * b.seats
    values = [tie.values for tie in tiebreaks(b, settled)]
    keys = list(zip([behind(b, seat) for seat in range(b.seats)], orders(b), *values, strict=True))
    agreed = {
        seat: player.agreed
        for seat, player in enumerate(b.players)
        if player.away == "left" and player.agreed > 0 and len(b.side(seat)) == 1
    }
    if not agreed:
        return ranks_of(keys)
    return with_agreed(ranks_of([key for seat, key in enumerate(keys) if seat not in agreed]), agreed)


def with_agreed(ranks: Sequence[int], agreed: Mapping[Seat, int]) -> tuple[int, ...]:
    """Insert the agreed places of players that left; the others have the remaining places (SC-7.8)."""
    seats = len(ranks) + len(agreed)
    taken = set[int]()
    for place in sorted(agreed.values()):
        taken.add(next(free for free in (*range(place, seats + 1), *range(place, 0, -1)) if free not in taken))
    free = [place for place in range(1, seats + 1) if place not in taken]
    others = iter(ranks)
    return tuple(agreed[seat] if seat in agreed else free[next(others) - 1] for seat in range(seats))


def behind(b: Board, seat: Seat) -> tuple[int, int]:
    """Return the sort key before the totals: players that left early are behind, the longest stay first (SC-7.8)."""
    if b.definition.score_wins == "together":
        return 1, 0
    side = [b.players[other] for other in b.side(seat)]
    if any(not player.away or player.agreed for player in side):
        return 1, 0
    return 0, max([b.round - len(player.missed) if player.away == "left" else -1 for player in side])


def absent(b: Board) -> tuple[Seat, ...]:
    """Return the players that never came (SC-7.8)."""
    return tuple(seat for seat, player in enumerate(b.players) if player.away == "later" and len(b.side(seat)) == 1)


def outcome(b: Board) -> Outcome | None:
    if b.ended is None:
        return None
    rule, reason = ending(b)
    return Outcome(rule, reason, places(b), tiebreaks(b), absent(b))


def ending(b: Board) -> tuple[str, Reason]:
    match b.ended:
        case "rounds":
            return "SC-6.2", because("rounds", "round {round} was the last", round=b.round)
        case "target":
            number = b.definition.score_number
            reached = results(b)
            seat = max(b.here or range(b.seats), key=lambda seat: reached[seat] if number > 0 else -reached[seat])
            return "SC-6.3", because("target", "seat {seat} has reached {number}", seat=seat, number=number)
        case "last":
            return "SC-5.2", because("last", "at most one player is left")
    if b.won is not None:
        return "SC-7.5", because("won", "won together") if b.won else because("lost", "lost together")
    return "SC-6.4", because("said", "all lines are filled in")


def about(b: Board) -> AboutPlay:
    """Return the recorded facts about the play besides its figures (SC-4)."""
    left = tuple(player.away == "left" for player in b.players)
    uncompared = tuple(player.away != "" and behind(b, seat)[0] == 0 for seat, player in enumerate(b.players))
    return AboutPlay(
        b.start,
        tuple(player.role or "" for player in b.players),
        tuple(b.expansions),
        b.definition.score_wins == "least",
        b.definition.score_count != "places" and bool(b.definition.lines),
        tuple(f"Team {player.team}" if player.team else "" for player in b.players),
        left if any(left) else (),
        uncompared if any(uncompared) else (),
        absent(b),
        any(tie.name == SETTLED for tie in tiebreaks(b)),
    )


def marks(b: Board) -> dict[str, int]:
    """Return the round; of a sheet without rounds only `sheet`."""
    return {"round": b.round} if b.definition.by_rounds else {"sheet": 1}


COLUMNS = ("entered", "score")


def rows(b: Board, seats: Iterable[Seat]) -> list[LedgerRow]:
    reached = totals(b)
    return [(entered(b, seat), reached[seat]) for seat in seats]


def entered(b: Board, seat: Seat) -> int:
    """Return the number of figures in a column."""
    player = b.players[seat]
    return sum([figure is not None for figures in (*player.rounds, player.once) for figure in figures.values()])
