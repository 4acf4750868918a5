"""The definition of a game on a score sheet: the printed numbers of this ruleset (SC-2).

A record pins its sheet by its content: a corrected definition is another sheet, and games keep the one they were
opened with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec

from daybook.domain.games.score_sheet.formula import ALL, FormulaError, Node, bounds_of, parse_formula, value_of
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.sheet import Sheet, bad_name, key_of
from daybook.domain.kernel.terms import IllegalDecision, Reason, Table, because

SEATS = range(1, 13)
MOST_LINES = 40
MOST_LINES_BY_ROUND = 12
MOST_NAMES = 24  # roles, and expansions
MOST_VALUES = 40
MOST_ROUNDS = 99
LARGEST = 1_000_000  # a figure

Bounds = tuple[int, int]


class Line(Exact, dict=True):
    """One line of a score sheet (SC-2.8, SC-2.9).

    each: what one counts of a count (`times`, `minus`), or the whole of what was done (`yes`). values: the figures of a
    `choice`. least, most: of a number or a count. expansion: the line is there where this one is used.
    """

    name: str
    kind: Literal["number", "times", "choice", "yes", "minus"] = "number"
    each: int = 1
    values: tuple[int, ...] = ()
    least: int | None = None
    most: int | None = None
    expansion: str = ""

    @cached_property
    def key(self) -> str:
        return key_of(self.name)

    @cached_property
    def bounds(self) -> Bounds:
        """The least and the greatest figure that it takes."""
        match self.kind:
            case "choice":
                return min(self.values), max(self.values)
            case "yes":
                return 0, 1
        usual = -LARGEST if self.kind == "number" else 0
        return (usual if self.least is None else self.least), (LARGEST if self.most is None else self.most)

    def takes(self, figure: int) -> bool:
        return figure in self.values if self.kind == "choice" else self.bounds[0] <= figure <= self.bounds[1]

    def counts(self, figure: int) -> int:
        """Return the points of a figure."""
        if self.kind in ("number", "choice"):
            return figure
        return -figure * self.each if self.kind == "minus" else figure * self.each

    @cached_property
    def counts_between(self) -> Bounds:
        """The bounds of the line's points; an empty one counts 0."""
        ends = [0, *map(self.counts, self.bounds)]
        return min(ends), max(ends)

    @cached_property
    def examples(self) -> tuple[int, ...]:
        """A few figures that it takes."""
        least, most = self.bounds
        usual = self.values if self.kind == "choice" else (3, 1, 7, 12, 0, least, most)
        return tuple(dict.fromkeys(figure for figure in usual if self.takes(figure)))[:4]


PLACE = "place"


class Definition(Frozen, dict=True):
    """The sheet with types; fields are called as its paths."""

    game_name: str
    game_fewest: int
    game_most: int
    game_colours: tuple[str, ...]
    game_roles: tuple[str, ...]
    game_expansions: tuple[str, ...]
    score_wins: Literal["most", "least", "last", "together"]
    score_count: Literal["end", "rounds", "open", "target", "places"]
    score_number: int
    score_lines: tuple[Line, ...]
    score_total: str
    score_ties: tuple[str, ...]

    @cached_property
    def lines(self) -> dict[str, Line]:
        """The lines by key, in order; a game of places or without lines has one of its own (SC-2.8)."""
        lines = self.score_lines
        if self.score_count == "places":
            lines = (Line(PLACE.capitalize(), least=1, most=self.game_most),)
        elif not lines and self.score_wins in ("most", "least"):
            lines = (Line("Points"),)
        return {line.key: line for line in lines}

    @property
    def by_rounds(self) -> bool:
        return self.score_count in ("rounds", "open", "target")

    @cached_property
    def formula(self) -> Node | None:
        """The formula of a round's total; None: the lines are added."""
        text = self.score_total.strip()
        return parse_formula(text, {ALL, *self.lines}) if text not in ("", ALL) else None

    @cached_property
    def ties(self) -> tuple[tuple[Line, int], ...]:
        """The lines that decide between equal totals, and whether more of it is better: 1, or -1 (SC-2.11)."""
        return tuple((self.lines[key_of(name)], -1 if name.startswith("-") else 1) for name in self.score_ties)

    @cached_property
    def round_between(self) -> Bounds:
        """The bounds of a round's total."""
        between = {key: line.counts_between for key, line in self.lines.items()}
        together = sum(low for low, _ in between.values()), sum(high for _, high in between.values())
        return together if self.formula is None else bounds_of(self.formula, {ALL: together} | between)

    def used(self, expansions: Iterable[str]) -> list[Line]:
        """Return the lines that exist with these expansions."""
        there = {"", *expansions}
        return [line for line in self.lines.values() if line.expansion in there]

    def counts(self, figures: Mapping[str, int | None], used: Iterable[Line]) -> dict[str, int]:
        """Return the points of each line in one round; lines that are not in use count 0."""
        none = dict.fromkeys(self.lines, 0)
        return none | {line.key: line.counts(figures[line.key] or 0) for line in used}

    def total(self, counts: Mapping[str, int]) -> int:
        """Return the total of one round."""
        together = sum(counts.values())
        return together if self.formula is None else value_of(self.formula, {ALL: together, **counts})


# --- reading ---------------------------------------------------------------------------------------------------------


def definition_of(table: Table) -> Definition:
    """Return the definition of a table's game. Raises IllegalDecision with the rule that it breaks."""
    return table.printed(lambda table: read_definition(table.sheet))


def read_definition(sheet: Sheet) -> Definition:
    """Return the definition on a sheet. Raises IllegalDecision."""
    try:
        read = sheet.typed(Definition)
    except msgspec.ValidationError as wrong:
        raise IllegalDecision("SC-2", because("definition", "{wrong}", wrong=str(wrong))) from wrong
    for rule, fault in FAULTS:
        for reason in fault(read):
            raise IllegalDecision(rule, reason)
    return read


def seats_of(sheet: Sheet) -> range:
    """Return the possible numbers of players; all of them if the sheet cannot be read."""
    fewest, most = sheet["game.fewest"], sheet["game.most"]
    if type(fewest) is not int or type(most) is not int or not SEATS[0] <= fewest <= most <= SEATS[-1]:
        return SEATS
    return range(fewest, most + 1)


def name_fault(name: str) -> Iterator[Reason]:
    bad = bad_name(name)
    if bad is not None:
        yield Reason("name", *bad)


def title_faults(d: Definition) -> Iterator[Reason]:
    return name_fault(d.game_name)


def seats_faults(d: Definition) -> Iterator[Reason]:
    if not SEATS[0] <= d.game_fewest <= d.game_most <= SEATS[-1]:
        yield because(
            "players",
            "a game is for {least} to {most} players, not for {fewest} to {given}",
            least=SEATS[0],
            most=SEATS[-1],
            fewest=d.game_fewest,
            given=d.game_most,
        )


def colours_faults(d: Definition) -> Iterator[Reason]:
    yield from different(d.game_colours)
    if len(d.game_colours) < d.game_most:
        yield because(
            "colours",
            "{colours} colours are not enough for {seats} players",
            colours=len(d.game_colours),
            seats=d.game_most,
        )


def names_faults(names: tuple[str, ...], limit: int = MOST_NAMES) -> Iterator[Reason]:
    """Yield the faults of a list of names."""
    if len(names) > limit:
        yield because("too_many", "at most {most}, not {given}", most=limit, given=len(names))
    for name in names:
        yield from name_fault(name)
    yield from different(names)


def different(names: Iterable[str]) -> Iterator[Reason]:
    """Yield the names that differ only in punctuation and capitals, and so are easy to confuse."""
    seen = set[str]()
    for name in names:
        if key_of(name) in seen:
            yield because("twice", "{name} appears twice", name=name)
        seen.add(key_of(name))


def count_faults(d: Definition) -> Iterator[Reason]:
    least, most = (1, MOST_ROUNDS) if d.score_count == "rounds" else (1, LARGEST)
    if d.score_count in ("rounds", "target") and not least <= d.score_number <= most:
        yield because(
            "number", "a number from {least} to {most}, not {given}", least=least, most=most, given=d.score_number
        )


def lines_faults(d: Definition) -> Iterator[Reason]:
    most = MOST_LINES_BY_ROUND if d.by_rounds else MOST_LINES
    if len(d.score_lines) > most:
        yield because(
            "lines", "a score sheet has at most {most} lines, not {given}", most=most, given=len(d.score_lines)
        )
    yield from names_faults(tuple(line.name for line in d.score_lines), most)
    if d.score_count == "places" and (d.score_lines or d.formula or d.score_ties):
        yield because("places_alone", "a game with places only has no lines")


def line_faults(d: Definition) -> Iterator[Reason]:
    for line in d.score_lines:
        if line.kind == "choice":
            if not 1 <= len(line.values) <= MOST_VALUES or max(map(abs, line.values)) > LARGEST:
                yield because(
                    "values",
                    "{name} has 1 to {most} values, each at most {largest}",
                    name=line.name,
                    most=MOST_VALUES,
                    largest=LARGEST,
                )
        elif line.bounds[0] > line.bounds[1]:
            yield because("bounds", "{name} has a minimum above its maximum", name=line.name)
        elif line.kind != "number" and line.bounds[0] < 0:
            yield because("below_nothing", "{name} counts things and cannot be below 0", name=line.name)
        if max(abs(line.each), *map(abs, line.bounds) if line.kind != "choice" else (0,)) > LARGEST:
            yield because("largest", "{name} has a number above {largest}", name=line.name, largest=LARGEST)
        if line.expansion and line.expansion not in d.game_expansions:
            yield because(
                "no_expansion",
                "{name} belongs to {expansion}, but the game has no such expansion",
                name=line.name,
                expansion=line.expansion,
            )


def total_faults(d: Definition) -> Iterator[Reason]:
    try:
        _ = d.round_between
    except FormulaError as bad:
        yield bad.reason


def ties_faults(d: Definition) -> Iterator[Reason]:
    for name in d.score_ties:
        if key_of(name) not in d.lines:
            yield because("tie_line", "{name} breaks ties, but no line has this name", name=name)
    yield from names_faults(d.score_ties, MOST_LINES)


def winner_faults(d: Definition) -> Iterator[Reason]:
    """Yield why no one can win a game."""
    if d.score_wins in ("last", "together") and d.score_count in ("places", "target"):
        yield because("never_won", "a game by places, or up to a figure, is won by the most or the least")
    elif d.score_wins == "last" and d.game_fewest < 2:
        yield because("alone", "in a game for one, no player can be the last one left")
    elif d.score_wins in ("most", "least") and d.score_count != "places":
        low, high = d.round_between
        if d.score_count == "target" and high <= 0:
            yield because("never_reached", "no player can reach {number}", number=d.score_number)
        elif low == high and d.game_most > 1 and not d.ties:
            yield because("all_alike", "every total is {total}, so no one can win", total=low)


FAULTS: tuple[tuple[str, Callable[[Any], Iterator[Reason]]], ...] = (
    ("SC-2.1", title_faults),
    ("SC-2.2", seats_faults),
    ("SC-2.3", colours_faults),
    ("SC-2.4", lambda d: names_faults(d.game_roles)),
    ("SC-2.5", lambda d: names_faults(d.game_expansions)),
    ("SC-2.7", count_faults),
    ("SC-2.8", lines_faults),
    ("SC-2.9", line_faults),
    ("SC-2.10", total_faults),
    ("SC-2.11", ties_faults),
    ("SC-2.12", winner_faults),
)
