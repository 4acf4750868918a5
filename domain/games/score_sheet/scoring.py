"""Standing, winners, and the deciding lines (SC-7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.kernel.rule_parts import AboutPlay
from daybook.domain.kernel.terms import LedgerRow, Outcome, Reason, Score, ScoreLine, Seat, Tiebreak, because, ranks_of


def standing(b: Board) -> tuple[Score, ...]:
    """Return each seat's score, line by line, by seat."""
    return tuple(Score(seat, (*score_lines(b, seat), *partners_line(b, seat))) for seat in range(b.seats))


def score_lines(b: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Return a score line for each line of the sheet, or one for the formula of the total (SC-7.1)."""
    if b.definition.formula is not None:
        formula: dict[str, int | str] = {"formula": b.definition.score_total}
        return (ScoreLine("total", b.total(seat), "SC-2.10", formula, (f"/players/{seat}/rounds",)),)
    counts = b.counts(seat)
    return tuple(
        ScoreLine(
            "line",
            counts[line.key],
            "SC-7.1",
            {"name": line.name, "figure": b.figure(seat, line)},
            tuple(f"/players/{seat}/rounds/{place}/{line.key}" for place in range(b.round)),
        )
        for line in b.lines
    )


def partners_line(b: Board, seat: Seat) -> Iterator[ScoreLine]:
    """Yield the points of the other team members (SC-7.7)."""
    partners = [other for other in b.side(seat) if other != seat]
    if partners:
        columns = tuple(f"/players/{other}/rounds" for other in partners)
        team: dict[str, int | str] = {"team": b.players[seat].team}
        yield ScoreLine("team", b.side_total(seat) - b.total(seat), "SC-7.7", team, columns)


def totals(b: Board) -> list[int]:
    """Return the totals that ranks go by: a team member's is the team's."""
    return [b.side_total(seat) for seat in range(b.seats)]


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


def tiebreaks(b: Board) -> tuple[Tiebreak, ...]:
    """Return the deciding lines, in order, as long as ties remain (SC-7.3)."""
    order: list[tuple[int, ...]] = [(value,) for value in orders(b)]
    used: list[Tiebreak] = []
    for line, better in b.definition.ties:
        if len(set(order)) == len(order):
            break
        values = tuple(better * sum([b.figure(other, line) for other in b.side(seat)]) for seat in range(b.seats))
        used.append(Tiebreak(line.name, "SC-7.3", values))
        order = [(*before, value) for before, value in zip(order, values, strict=True)]
    return tuple(used)


def places(b: Board) -> tuple[int, ...]:
    """Return the current ranks; a game lost together has no first place (SC-7.5)."""
    if b.won is False:
        return (2,) * b.seats
    return ranks_of(list(zip(orders(b), *(tie.values for tie in tiebreaks(b)), strict=True)))


def outcome(b: Board) -> Outcome | None:
    if b.ended is None:
        return None
    rule, reason = ending(b)
    return Outcome(rule, reason, places(b), tiebreaks(b))


def ending(b: Board) -> tuple[str, Reason]:
    match b.ended:
        case "rounds":
            return "SC-6.2", because("rounds", "round {round} was the last", round=b.round)
        case "target":
            number = b.definition.score_number
            seat = max(range(b.seats), key=b.side_total)
            return "SC-6.3", because("target", "seat {seat} has reached {number}", seat=seat, number=number)
        case "last":
            return "SC-5.2", because("last", "at most one player is left")
    if b.won is not None:
        return "SC-7.5", because("won", "won together") if b.won else because("lost", "lost together")
    return "SC-6.4", because("said", "all lines are filled in")


def about(b: Board) -> AboutPlay:
    """Return the recorded facts about the play besides its figures (SC-4)."""
    return AboutPlay(
        b.start,
        tuple(player.role or "" for player in b.players),
        tuple(b.expansions),
        b.definition.score_wins == "least",
        b.definition.score_count != "places" and bool(b.definition.lines),
        tuple(f"Team {player.team}" if player.team else "" for player in b.players),
    )


def marks(b: Board) -> dict[str, int]:
    """Return the round; of a sheet without rounds only `sheet`."""
    return {"round": b.round} if b.definition.by_rounds else {"sheet": 1}


COLUMNS = ("entered", "score")


def rows(b: Board, seats: Iterable[Seat]) -> list[LedgerRow]:
    return [(entered(b, seat), b.side_total(seat)) for seat in seats]


def entered(b: Board, seat: Seat) -> int:
    """Return the number of figures in a column."""
    return sum([figure is not None for figures in b.players[seat].rounds for figure in figures.values()])
