"""Counting of a filled sheet: lines and rounds of every player, by the formulas of its definition (SC-7.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from daybook.domain.games.score_sheet.columns import Figures, Player
from daybook.domain.games.score_sheet.definition import BEFORE_LIMIT, TOTAL, Definition
from daybook.domain.games.score_sheet.formula import (
    ALL,
    BEFORE,
    DEALER,
    ENTERED,
    PLAYERS,
    ROUND,
    Node,
    Round,
    compares_figures,
    compares_players,
    figures_in,
    names_in,
    values_of,
)
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.terms import Seat

ROUND_CACHE_SIZE = 512  # rounds of a sheet with formulas: only the changed round is calculated again


class Tally(NamedTuple):
    """A counted sheet, by seat; partners have the same values.

    lines: the points of each line by key, in all rounds; rounds: the total of each round, by seat; round_lines: the
    points of each line in each round, by seat. waiting: calculated lines that lack a figure and count nothing yet, of the
    newest round and of those that are counted once; with TOTAL if that round counts nothing yet.
    """

    lines: list[dict[str, Points]]
    rounds: list[list[Points]]
    totals: list[Points]
    round_lines: list[list[Mapping[str, Points]]]
    waiting: list[frozenset[str]]


class RoundCounted(NamedTuple):
    """A counted round, by side. columns: the values of all names."""

    columns: tuple[Mapping[str, Points], ...]
    totals: tuple[Points, ...]
    calculated: dict[Node, list[Points]]  # filled when all_rounds calculates a formula in this round


class Given(NamedTuple):
    """Values of a round besides its figures that formulas can use, by side. present: the side takes part."""

    number: int
    players: int
    dealer: int
    present: tuple[bool, ...]
    before: tuple[Points, ...]


def count_sheet(
    definition: Definition,
    players: Sequence[Player],
    used: tuple[str, ...],
    sides: Sequence[Sequence[Seat]],
    dealers: Sequence[Seat],
    so_far: bool = False,
) -> Tally:
    """Count the lines and rounds of every player.

    Args:
        used: the keys of the lines that are in use.
        sides: the seats whose figures are added before they are counted.
        dealers: of each round; empty without dealers.
        so_far: the newest round is being played, so formulas that lack a figure count nothing yet.
    """
    rounds: list[RoundCounted] = []
    present: list[tuple[bool, ...]] = []
    before: list[Points] = [0] * len(sides)
    grouped = tuple(map(tuple, sides))
    all_here, any_missed = (True,) * len(sides), any(player.missed for player in players)
    for at in range(len(players[0].rounds)):
        entered = tuple([_entered(player.rounds[at], definition.keys_by_round) for player in players])
        if not any_missed:
            here = all_here
        else:
            here = tuple(any(at + 1 not in players[seat].missed for seat in side) for side in sides)
        if definition.has_formulas:
            count = sum([at + 1 not in player.missed for player in players]) if any_missed else len(players)
            dealer = dealers[at] if dealers else -1
            place = next((place for place, side in enumerate(sides) if dealer in side), -1)
            given = Given(at + 1, count, place, here, tuple(before) if definition.reads_before else ())
            counted = _round_counter(definition)(used, entered, grouped, given)
        else:
            counted = _count_plainly(definition, used, _of_sides(entered, sides))
        rounds.append(counted)
        present.append(here)
        before = [as_points(total + more) for total, more in zip(before, counted.totals, strict=True)]
    whole = [*rounds]
    waiting: list[frozenset[str]] = [frozenset()] * len(sides)
    if so_far:
        waiting = _waiting(definition, used, [player.rounds[-1] for player in players], sides, present[-1], rounds[-1])
        before = [
            as_points(total - (counted if TOTAL in keys else 0))
            for total, counted, keys in zip(before, rounds[-1].totals, waiting, strict=True)
        ]
        rounds[-1], present[-1] = _without(rounds[-1], present[-1], [TOTAL in keys for keys in waiting])
    once = _count_once(definition, players, used, sides, rounds, present, before)
    if so_far:
        once, lacking = _once_so_far(definition, used, [player.once for player in players], sides, once)
        waiting = [keys | more for keys, more in zip(waiting, lacking, strict=True)]
    totals = [as_points(total + sum(lines.values())) for total, lines in zip(before, once, strict=True)]
    place_of = {seat: place for place, side in enumerate(sides) for seat in side}
    by_seat = [place_of[seat] for seat in range(len(players))]
    lines = [
        {
            key: once[place][key]
            if key in once[place]
            else as_points(sum([counted.columns[place][key] for counted in rounds]))
            for key in definition.lines
        }
        for place in range(len(sides))
    ]
    joined = [sum([players[seat].joined_with for seat in side]) for side in sides]
    return Tally(
        [lines[place] for place in by_seat],
        [[counted.totals[place] for place in by_seat] for counted in rounds],
        [as_points(totals[place] + joined[place]) for place in by_seat],
        [[counted.columns[place] for place in by_seat] for counted in whole],
        [waiting[place] for place in by_seat],
    )


def _waiting(
    definition: Definition,
    used: tuple[str, ...],
    figures: Sequence[Figures],
    sides: Sequence[Sequence[Seat]],
    present: Sequence[bool],
    counted: RoundCounted,
) -> list[frozenset[str]]:
    """Return the formulas of a round that wait for a figure, by side, with TOTAL if any does.

    Args:
        figures: of each seat.
    """
    waiting: list[set[str]] = [set() for _ in sides]
    here = [place for place, is_here in enumerate(present) if is_here]
    for key, node in definition.by_round_formulas.items():
        if key != TOTAL and key not in used:
            continue
        values = counted.totals if key == TOTAL else [column[key] for column in counted.columns]
        needed = [name for name in definition.keys_by_round if name in figures_in(node) and name in used]
        lacking = {
            place
            for place in here
            if needed and _lacks(node, needed, [figures[seat] for seat in sides[place]], values[place])
        }
        if compares_players(node) and lacking:
            lacking = {*here}
        read = names_in(node)
        lacking |= {place for place in here if waiting[place] and (ALL in read or not read.isdisjoint(waiting[place]))}
        for place in lacking:
            waiting[place].add(key)
    return [frozenset(keys | {TOTAL} if keys else keys) for keys in waiting]


def _lacks(node: Node, needed: Sequence[str], figures: Sequence[Figures], value: Points) -> bool:
    """Check if a side lacks a figure that a formula reads: each partner with one of them needs them all.

    A formula without any of its figures lacks them too, unless it counts nothing and compares nothing: an expedition
    that was not begun.
    """
    written = [column for column in figures if any(column.get(key) is not None for key in needed)]
    if not written:
        return value != 0 or compares_figures(node) or compares_players(node)
    return any(column.get(key) is None for column in written for key in needed)


def _without(
    counted: RoundCounted, present: tuple[bool, ...], waits: Sequence[bool]
) -> tuple[RoundCounted, tuple[bool, ...]]:
    """Return a counted round, and the sides in it, without those that wait for a figure."""
    if not any(waits):
        return counted, present
    columns = [
        dict.fromkeys(column, 0) if is_waiting else column
        for column, is_waiting in zip(counted.columns, waits, strict=True)
    ]
    totals = [0 if is_waiting else total for total, is_waiting in zip(counted.totals, waits, strict=True)]
    here = tuple(is_here and not is_waiting for is_here, is_waiting in zip(present, waits, strict=True))
    return RoundCounted(tuple(columns), tuple(totals), {}), here


def _once_so_far(
    definition: Definition,
    used: tuple[str, ...],
    figures: Sequence[Figures],
    sides: Sequence[Sequence[Seat]],
    once: list[dict[str, Points]],
) -> tuple[list[dict[str, Points]], list[frozenset[str]]]:
    """Return the points of lines that are counted once without those that wait for a figure, and these, by side."""
    lacking: list[frozenset[str]] = []
    for place, side in enumerate(sides):
        waiting = set[str]()
        for key, node in definition.formulas.items():
            needed = [name for name in definition.keys_once if name in figures_in(node) and name in used]
            if key not in once[place] or not (needed or names_in(node) & waiting):
                continue
            columns = [figures[seat] for seat in side]
            if names_in(node) & waiting or _lacks(node, needed, columns, once[place][key]):
                waiting.add(key)
        lacking.append(frozenset(waiting))
    return [
        {key: 0 if key in keys else points for key, points in lines.items()}
        for lines, keys in zip(once, lacking, strict=True)
    ], lacking


def _entered(column: Figures, keys: Sequence[str]) -> tuple[Points | None, ...]:
    """Return what a player entered in a round, line by line."""
    return tuple([column.get(key) for key in keys])


def _of_sides(
    entered: Sequence[Sequence[Points | None]], sides: Sequence[Sequence[Seat]]
) -> tuple[tuple[Points, ...], ...]:
    """Return the figures of each side, line by line."""
    return tuple(
        tuple(
            [
                as_points(sum([figure or 0 for figure in column]))
                for column in zip(*(entered[seat] for seat in side), strict=True)
            ]
        )
        for side in sides
    )


def _figures(columns: Sequence[Figures], keys: Sequence[str]) -> tuple[Points, ...]:
    """Return the figures of a side, line by line."""
    return tuple([as_points(sum([column.get(key) or 0 for column in columns])) for key in keys])


def _columns(
    definition: Definition, used: Sequence[str], keys: Sequence[str], figures: Sequence[Sequence[Points]]
) -> list[dict[str, Points]]:
    """Return the points of the lines of each side, and what was entered."""
    columns = []
    for entries in figures:
        column: dict[str, Points] = dict.fromkeys(definition.lines, 0)
        for key, figure in zip(keys, entries, strict=True):
            if key in used:
                column[key] = definition.lines[key].counts(figure)
        columns.append(column)
    return columns


def _count_plainly(
    definition: Definition, used: tuple[str, ...], figures: tuple[tuple[Points, ...], ...]
) -> RoundCounted:
    """Add the lines of a round."""
    columns = _columns(definition, used, definition.keys_by_round, figures)
    return RoundCounted(tuple(columns), tuple(as_points(sum(column.values())) for column in columns), {})


def _round_counter(definition: Definition) -> Callable[..., RoundCounted]:
    """Return `_count_with_formulas` for a definition, with a cache of its own, so that no definition is hashed."""
    counter: Callable[..., RoundCounted] | None = definition.__dict__.get("round_counter")
    if counter is None:
        counter = lru_cache(ROUND_CACHE_SIZE)(partial(_count_with_formulas, definition))
        definition.__dict__["round_counter"] = counter
    return counter


def _count_with_formulas(
    definition: Definition,
    used: tuple[str, ...],
    entered: tuple[tuple[Points | None, ...], ...],
    sides: tuple[tuple[Seat, ...], ...],
    given: Given,
) -> RoundCounted:
    """Calculate the formulas of a round; a side that is absent has 0."""
    figures = _of_sides(entered, sides)
    filled = [any(figure is not None for seat in side for figure in entered[seat]) for side in sides]
    columns = _columns(definition, used, definition.keys_by_round, figures)
    for place, (column, entries) in enumerate(zip(columns, figures, strict=True)):
        column |= {
            ENTERED + key: figure if key in used else 0
            for key, figure in zip(definition.keys_by_round, entries, strict=True)
        }
        column |= {ENTERED + key: 0 for key in definition.keys_once}
        column |= {ROUND: given.number, PLAYERS: given.players, DEALER: int(place == given.dealer)}
        column[BEFORE] = max(-BEFORE_LIMIT, min(BEFORE_LIMIT, given.before[place])) if given.before else 0
    own_sum = ALL not in definition.lines
    above: list[Points] = [0] * len(columns)
    for key, line in definition.lines.items():
        if definition.is_once(line):
            continue
        if not line.is_entered and key in used:
            if own_sum:
                for column, total in zip(columns, above, strict=True):
                    column[ALL] = total
            values = values_of(definition.formulas[key], columns, given.present)
            counts = given.present if definition.compares(key) else filled
            for column, value, is_counted in zip(columns, values, counts, strict=True):
                column[key] = value if is_counted else 0
        above = [as_points(total + column[key]) for total, column in zip(above, columns, strict=True)]
    if own_sum:
        for column, total in zip(columns, above, strict=True):
            column[ALL] = total
    if definition.formula is None:
        return RoundCounted(tuple(columns), tuple(above), {})
    values = values_of(definition.formula, columns, given.present)
    return RoundCounted(
        tuple(columns), tuple(value if here else 0 for value, here in zip(values, given.present, strict=True)), {}
    )


def _count_once(
    definition: Definition,
    players: Sequence[Player],
    used: tuple[str, ...],
    sides: Sequence[Sequence[Seat]],
    rounds: Sequence[RoundCounted],
    present: Sequence[Sequence[bool]],
    before: Sequence[Points],
) -> list[dict[str, Points]]:
    """Return the points of the lines that are counted once, of each side."""
    lines = [line for line in definition.lines.values() if definition.is_once(line)]
    if not lines:
        return [{} for _ in sides]
    figures = [_figures([players[seat].once for seat in side], definition.keys_once) for side in sides]
    own = _columns(definition, used, definition.keys_once, figures)
    once: list[dict[str, Points]] = [{} for _ in sides]
    here = [any(players[seat].away != "later" for seat in side) for side in sides]
    columns = []
    for place, entries in enumerate(figures):
        column = {
            name: as_points(sum([counted.columns[place].get(name, 0) for counted in rounds]))
            for name in definition.read_once
        }
        column |= {line.key: own[place][line.key] for line in lines}
        column |= {
            ENTERED + key: figure if key in used else 0
            for key, figure in zip(definition.keys_once, entries, strict=True)
        }
        columns.append(column | {ROUND: len(rounds), PLAYERS: sum([player.away != "later" for player in players])})
    for line in lines:
        if not line.is_entered and line.key in used:
            for place, column in enumerate(columns):
                if ALL not in definition.lines:
                    column[ALL] = as_points(before[place] + sum(once[place].values()))
            all_rounds = [
                Round(counted.columns, here_then, counted.calculated)
                for counted, here_then in zip(rounds, present, strict=True)
            ]
            values = values_of(definition.formulas[line.key], columns, here, all_rounds)
            for column, value, is_here in zip(columns, values, here, strict=True):
                column[line.key] = value if is_here else 0
        for place, column in enumerate(columns):
            once[place][line.key] = column[line.key]
    return once
