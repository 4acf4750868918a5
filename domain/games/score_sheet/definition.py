"""The definition of a game on a score sheet: the printed numbers of this ruleset (SC-2).

A record pins its sheet by its content: a corrected definition is another sheet, and games keep the one they were
opened with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, Literal, TypeVar, get_args, get_type_hints

import msgspec

from daybook.domain.games.score_sheet.formula import (
    ALL,
    BEFORE,
    DEALER,
    ENTERED,
    GIVEN_BY_ROUND,
    GIVEN_ONCE,
    MOST_PLAYERS,
    PLAYERS,
    ROUND,
    Bounds,
    FormulaError,
    Node,
    Sum,
    alternatives,
    bounds_of,
    compared_figures,
    compares_figures,
    compares_players,
    figures_in,
    halves_in,
    names_in,
    parse_formula,
    value_of,
)
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.points import Points, is_half, round_down_to_half
from daybook.domain.kernel.sheet import Sheet, bad_name, key_of
from daybook.domain.kernel.terms import IllegalDecision, Reason, Table, because

Calculated = TypeVar("Calculated")
SEATS = range(1, MOST_PLAYERS + 1)
MOST_TEAMS = 6
MOST_LINES = 40
MOST_LINES_BY_ROUND = 24
MOST_NAMES = 24  # roles, and expansions
MOST_VALUES = 40
MOST_ROUNDS = 99
LARGEST = 1_000_000  # a figure
MOST_FORMULA_CHARACTERS = 1_000  # of all formulas together
MOST_SHOWN = 40  # characters of a wrong value
BEFORE_LIMIT = 10**9  # a total of earlier rounds in formulas, at most and at least


class Line(Exact, dict=True):
    """One line of a score sheet (SC-2.8, SC-2.9).

    each: what one counts of a count (`times`, `minus`), or the whole of what was done (`yes`). Numbers may be halves. values: the figures of a
    `choice`. least, most: of a number or a count. expansion: the line is there where this one is used. once: in a game
    by rounds, the line is counted once, at the end. formula: of a line that is calculated (`formula`). altogether: the
    sum of all players' figures in a round, to warn of others: alternatives, or conditions of `sum` (SC-2.15).
    """

    name: str
    kind: Literal["number", "times", "choice", "yes", "minus", "formula"] = "number"
    each: Points = 1
    values: tuple[Points, ...] = ()
    least: Points | None = None
    most: Points | None = None
    expansion: str = ""
    once: bool = False
    formula: str = ""
    altogether: str = ""

    @property
    def is_entered(self) -> bool:
        return self.kind != "formula"

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
            case "formula":
                return 0, 0
        usual = -LARGEST if self.kind == "number" else 0
        return (usual if self.least is None else self.least), (LARGEST if self.most is None else self.most)

    @cached_property
    def sums(self) -> tuple[Node, ...]:
        """The alternatives of `altogether`. Raises FormulaError."""
        if not self.altogether.strip():
            return ()
        return tuple(alternatives(parse_formula(self.altogether.strip().lower(), {ALL, ROUND, PLAYERS})))

    def adds_up(self, total: Points, number: int, players: int) -> bool:
        """Check if the figures of all players in a round can have this sum (SC-2.15)."""
        given = {ALL: total, ROUND: number, PLAYERS: players}
        values = [(node, value_of(node, given)) for node in self.sums]
        return not values or any(value if ALL in names_in(node) else value == total for node, value in values)

    def most_altogether(self, number: int, players: int) -> Points | None:
        """Return the greatest sum that the figures of all players in a round can have; None without one (SC-2.15)."""
        given = {ALL: 0, ROUND: number, PLAYERS: players}
        greatest = [_greatest_sum(node, given) for node in self.sums]
        return None if None in greatest else max([most for most in greatest if most is not None], default=None)

    def takes(self, figure: Points) -> bool:
        return figure in self.values if self.kind == "choice" else self.bounds[0] <= figure <= self.bounds[1]

    def counts(self, figure: Points) -> Points:
        """Return the points of a figure; of a figure that stood against the rules, whole or a half too."""
        if self.kind in ("number", "choice"):
            return figure
        return round_down_to_half(-figure * self.each if self.kind == "minus" else figure * self.each)

    @cached_property
    def numbers(self) -> tuple[Points, ...]:
        """The numbers that the definition of the line gives."""
        return self.each, *self.values, *(end for end in (self.least, self.most) if end is not None)

    @cached_property
    def counts_between(self) -> Bounds:
        """The bounds of the line's points; an empty one counts 0."""
        ends = [0, *map(self.counts, self.bounds)]
        return min(ends), max(ends)


def _greatest_sum(node: Node, given: Mapping[str, Points]) -> Points | None:
    """Return the greatest value of `sum` in one of the alternatives of `altogether`; None without one."""
    if ALL not in names_in(node):
        return value_of(node, given)
    match node:
        case Sum("and", parts):
            return min((most for part in parts if (most := _greatest_sum(part, given)) is not None), default=None)
        case Sum("<=" | "=", (first, second)) if first == ALL and ALL not in names_in(second):
            return value_of(second, given)
    return None


def naming(line: Line, calculate: Callable[[], Calculated]) -> Calculated:
    """Return what is calculated of a line's formula. Raises FormulaError with the line in its figures."""
    try:
        return calculate()
    except FormulaError as no:
        figures = {FORMULA_LINE: line.name} | no.reason.figures
        raise FormulaError(msgspec.structs.replace(no.reason, figures=figures)) from None


FORMULA_LINE = "formula_line"  # in the figures of a reason: the line with the wrong formula
PLACE = "place"
TOTAL = ""  # stands for the total among the keys of lines


class Definition(Frozen, dict=True):
    """The sheet with types; fields are called as its paths. Games of earlier versions lack those with defaults."""

    game_name: str
    game_fewest: int
    game_most: int
    game_colours: tuple[str, ...]
    game_roles: tuple[str, ...]
    game_expansions: tuple[str, ...]
    score_wins: Literal["most", "least", "last", "together"]
    score_count: Literal["end", "rounds", "open", "target", "places"]
    score_number: Points
    score_lines: tuple[Line, ...]
    score_total: str
    score_ties: tuple[str, ...]
    game_teams: int = 0
    game_dealer: bool = False
    score_rounds: str = ""
    score_halves: bool = False

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

    def takes_halves(self, line: Line) -> bool:
        """Check if figures of a line can be halves, so that its points are never quarters (SC-3.7)."""
        counts_itself = line.kind in ("number", "choice")
        counts_units = line.kind in ("times", "minus") and isinstance(line.each, int)
        return self.score_halves and self.score_count != "places" and (counts_itself or counts_units)

    def takes(self, line: Line, figure: Points) -> bool:
        """Check if a line accepts a figure."""
        return line.takes(figure) and self.is_exact(line, figure)

    def is_exact(self, line: Line, figure: Points) -> bool:
        """Check if a figure is whole, or a half where the line can have halves (SC-3.7)."""
        return isinstance(figure, int) or (is_half(figure) and self.takes_halves(line))

    def examples(self, line: Line) -> tuple[Points, ...]:
        """Return a few figures that a line takes."""
        usual = line.values if line.kind == "choice" else (3, 2.5, 1, 7, 12, 0, *line.bounds) if line.is_entered else ()
        return tuple(dict.fromkeys(figure for figure in usual if self.takes(line, figure)))[:4]

    def is_once(self, line: Line) -> bool:
        """Check if a line is counted once in a game by rounds, at its end."""
        return line.once and self.by_rounds

    @cached_property
    def keys_by_round(self) -> tuple[str, ...]:
        """The lines with a figure in each round."""
        return tuple(key for key, line in self.lines.items() if line.is_entered and not self.is_once(line))

    @cached_property
    def keys_once(self) -> tuple[str, ...]:
        """The lines with a figure that is counted once, after the rounds."""
        return tuple(key for key, line in self.lines.items() if line.is_entered and self.is_once(line))

    @cached_property
    def formula(self) -> Node | None:
        """The formula of a round's total; None: the lines are added."""
        text = self.score_total.strip()
        return self._parse(text, self.names_for_total) if text not in ("", ALL) else None

    @cached_property
    def formulas(self) -> dict[str, Node]:
        """The formulas of the lines that have one, by key."""
        found: dict[str, Node] = {}
        for key, line in self.lines.items():
            if not line.is_entered:
                found[key] = naming(
                    line, partial(self._parse, line.formula, self.names_above(line), rounds=self.is_once(line))
                )
        return found

    def _parse(self, text: str, names: Collection[str], *, rounds: bool = False) -> Node:
        """Parse a formula with lines by key, or by their names as the sheet spells them. Raises FormulaError."""
        try:
            return parse_formula(text, names, rounds=rounds)
        except FormulaError as no:
            try:
                return parse_formula(self._with_keys(text), names, rounds=rounds)
            except FormulaError:
                raise no from None  # in the words of the sheet

    def _with_keys(self, text: str) -> str:
        """Return a formula in small letters, with the key of each line in place of its name."""
        for line in sorted(self.lines.values(), key=lambda line: -len(line.name)):
            text = re.sub(rf"(?<!\w){re.escape(line.name)}(?!\w)", line.key, text, flags=re.IGNORECASE)
        return text.lower()

    @cached_property
    def names_for_total(self) -> frozenset[str]:
        """The names that the formula of a round's total can use."""
        keys = {key for key, line in self.lines.items() if not self.is_once(line)}
        return frozenset({ALL, *keys, *(ENTERED + key for key in self.keys_by_round), *GIVEN_BY_ROUND})

    def names_above(self, line: Line) -> frozenset[str]:
        """Return the names that the formula of a line can use: the lines above it."""
        keys = [*self.lines]
        above = keys[: keys.index(line.key)]
        if self.is_once(line):
            entered = [ENTERED + key for key in above if self.lines[key].is_entered]
            return frozenset({ALL, *above, *entered, *GIVEN_ONCE})
        above = [key for key in above if not self.is_once(self.lines[key])]
        return frozenset(
            {ALL, *above, *(ENTERED + key for key in above if self.lines[key].is_entered), *GIVEN_BY_ROUND}
        )

    @cached_property
    def has_formulas(self) -> bool:
        return self.formula is not None or bool(self.formulas)

    def compares(self, key: str) -> bool:
        """Check if the formula of a line compares players, so that it counts also for those without figures."""
        return compares_players(self.formulas[key])

    @cached_property
    def by_round_formulas(self) -> dict[str, Node]:
        """The formulas of a round by the key of their line, in order; that of the round's total last."""
        lines = {key: node for key, node in self.formulas.items() if not self.is_once(self.lines[key])}
        return lines if self.formula is None else lines | {TOTAL: self.formula}

    @cached_property
    def reads_figures(self) -> bool:
        """True if a formula of a game by rounds reads figures as they were entered, so that it waits for them."""
        nodes = [*self.formulas.values(), *self.by_round_formulas.values()]
        return self.by_rounds and any(map(figures_in, nodes))

    @cached_property
    def by_line(self) -> bool:
        """True if all players enter a line before the next one, since a formula compares it with a later figure."""
        return self.by_rounds and any(map(compares_figures, self.by_round_formulas.values()))

    @cached_property
    def counterparts(self) -> dict[str, Line]:
        """The line with `altogether` that a line is compared with, such as the tricks of a bid; its own line too."""
        pairs = [pair for node in self.by_round_formulas.values() for pair in compared_figures(node)]
        with_sum = {key: self.lines[other] for key, other in pairs if self.lines[other].sums}
        return with_sum | {line.key: line for line in with_sum.values()}

    @cached_property
    def read_once(self) -> frozenset[str]:
        """The names that formulas of lines that are counted once read."""
        return frozenset(
            name for key, node in self.formulas.items() if self.is_once(self.lines[key]) for name in names_in(node)
        )

    @cached_property
    def reads_before(self) -> bool:
        """True if a formula reads the total of the rounds before."""
        nodes = [*self.formulas.values(), *([self.formula] if self.formula is not None else [])]
        return any(BEFORE in names_in(node) for node in nodes)

    @cached_property
    def ties(self) -> tuple[tuple[Line, int], ...]:
        """The lines that decide between equal totals, and whether more of it is better: 1, or -1 (SC-2.11)."""
        return tuple((self.lines[key_of(name)], -1 if name.startswith("-") else 1) for name in self.score_ties)

    @cached_property
    def rounds_formula(self) -> Node | None:
        """The formula of the number of rounds, by the number of players; None: the number is given."""
        text = self.score_rounds.strip().lower()
        return parse_formula(text, {PLAYERS}) if text and self.score_count == "rounds" else None

    def rounds(self, seats: int) -> int:
        """Return the number of rounds of a game that ends after the last one."""
        given = self.score_number if self.rounds_formula is None else value_of(self.rounds_formula, {PLAYERS: seats})
        return int(given // 1)

    @cached_property
    def line_bounds(self) -> dict[str, Bounds]:
        """The bounds of the points of each line, in a round, or at the end for those that are counted once."""
        found: dict[str, Bounds] = {}
        for key, line in self.lines.items():
            found[key] = line.counts_between if line.is_entered else self._formula_between(line, found, MOST_ROUNDS)
        return found

    def _formula_between(self, line: Line, above: Mapping[str, Bounds], most_rounds: int = 1) -> Bounds:
        """Return the bounds of a calculated line, after those of the lines above."""
        names = self._bounds_of_names(line, above)
        return _with_nothing(naming(line, partial(bounds_of, self.formulas[line.key], names, most_rounds)))

    def _bounds_of_names(self, line: Line | None, above: Mapping[str, Bounds]) -> dict[str, Bounds]:
        """Return the bounds of the names in a line's formula, or in the total's, after those of the lines above."""
        once = line is not None and self.is_once(line)
        bounds: dict[str, Bounds] = {}
        together: list[Points] = [0, 0]
        for key, (low, high) in above.items():
            times = 1 if not once or self.is_once(self.lines[key]) else MOST_ROUNDS
            if not once and self.is_once(self.lines[key]):
                continue
            bounds[key] = low * times, high * times
            together = [together[0] + low * times, together[1] + high * times]
            if self.lines[key].is_entered:
                figures = [0, *self.lines[key].bounds]
                bounds[ENTERED + key] = min(figures) * times, max(figures) * times
        if once:
            low, high = self.round_between
            kept = [bounds[key] for key in above if self.is_once(self.lines[key])]
            together = [
                low * MOST_ROUNDS + sum(part[0] for part in kept),
                high * MOST_ROUNDS + sum(part[1] for part in kept),
            ]
        given = {
            ROUND: (1, MOST_ROUNDS),
            PLAYERS: (1, MOST_PLAYERS),
            DEALER: (0, 1),
            BEFORE: (-BEFORE_LIMIT, BEFORE_LIMIT),
        }
        return given | {ALL: (together[0], together[1])} | bounds

    @cached_property
    def round_between(self) -> Bounds:
        """The bounds of a round's total."""
        found: dict[str, Bounds] = {}
        for key, line in self.lines.items():
            if not self.is_once(line):
                found[key] = line.counts_between if line.is_entered else self._formula_between(line, found)
        names = self._bounds_of_names(None, found)
        if self.formula is None:
            return names[ALL]
        return bounds_of(self.formula, names)

    @cached_property
    def once_between(self) -> Bounds:
        """The bounds of the lines that are counted once, together."""
        once = [self.line_bounds[key] for key, line in self.lines.items() if self.is_once(line)]
        return sum(low for low, _ in once), sum(high for _, high in once)

    def used(self, expansions: Iterable[str]) -> list[Line]:
        """Return the lines that exist with these expansions."""
        there = {"", *expansions}
        return [line for line in self.lines.values() if line.expansion in there]


def _with_nothing(bounds: Bounds) -> Bounds:
    """Return the bounds of a formula's points, which are 0 for an absent player."""
    return min(0, bounds[0]), max(0, bounds[1])


# --- reading ---------------------------------------------------------------------------------------------------------


def definition_of(table: Table) -> Definition:
    """Return the definition of a table's game. Raises IllegalDecision with the rule that it breaks."""
    return table.printed(lambda table: read_definition(table.sheet))


def read_definition(sheet: Sheet) -> Definition:
    """Return the definition on a sheet. Raises IllegalDecision."""
    try:
        read = sheet.typed(Definition)
    except msgspec.ValidationError as wrong:
        raise IllegalDecision("SC-2", mistyped(sheet, str(wrong))) from wrong
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


# --- a definition of wrong types, in words ---

AT = re.compile(r"(.*) - at `\$\.(.*)`")
EXAMPLE = '{ name = "Eggs", kind = "times" }'


def mistyped(sheet: Sheet, error: str) -> Reason:
    """Return in words why the values of a sheet have wrong types. error: as msgspec says it."""
    found = AT.fullmatch(error)
    says, path = (found[1], found[2]) if found else (error, "")
    place, value = _place_of(sheet, path)
    quoted = re.findall(r"[`'](.*?)[`']", says)
    name = quoted[0] if quoted else ""
    if says.startswith("Invalid enum value"):
        values = ", ".join(_choices_of(path))
        return because("one_of", "{place} is one of {values}, not {value}", place=place, values=values, value=value)
    if "unknown field" in says:
        fields = ", ".join(Line.__struct_fields__)
        return because(
            "no_field", "{place} has no field {field}; it can have {fields}", place=place, field=name, fields=fields
        )
    if "missing required field" in says:
        return because("missing", "{place} needs a field {field}", place=place, field=name)
    match name.split(" | ")[0]:
        case "int":
            return because("whole_number", "{place}: a whole number is needed, not {value}", place=place, value=value)
        case "str":
            return because("text", "{place}: a text in quotes is needed, not {value}", place=place, value=value)
        case "bool":
            return because("true_or_false", "{place}: true or false is needed, not {value}", place=place, value=value)
        case "array":
            return because(
                "list", "{place}: a list in square brackets is needed, not {value}", place=place, value=value
            )
        case "object":
            return because(
                "table",
                "{place}: a line is a table such as {example}, not {value}",
                place=place,
                value=value,
                example=EXAMPLE,
            )
    return because("definition", "{place}: {value} is not possible", place=place, value=value)


def _place_of(sheet: Sheet, path: str) -> tuple[str, str]:
    """Return the name of a place in a definition for readers of its file, and its value."""
    field, *steps = re.findall(r"[^.\[\]]+", path) or [""]
    at = field.replace("_", ".", 1)
    value: Any = sheet.values().get(at, "")
    names = [at]
    for step in steps:
        try:
            value = value[int(step)] if isinstance(value, list | tuple) else value[step]
        except LookupError:
            value = ""
        line = value.get("name") if isinstance(value, dict) else None
        names.append(line if isinstance(line, str) and line else f"#{int(step) + 1}" if step.isdecimal() else step)
    if at == "score.lines" and len(names) > 1:
        names = names[1:]
    text = msgspec.json.encode(value).decode()
    return ", ".join(names), text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _choices_of(path: str) -> Iterable[str]:
    """Return the possible words of a field."""
    kind = get_type_hints(Line if path.startswith("score_lines") else Definition)[path.rpartition(".")[2]]
    return map(str, get_args(kind))


# --- what a definition cannot be ---


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


def teams_faults(d: Definition) -> Iterator[Reason]:
    if d.game_teams and not 2 <= d.game_teams <= MOST_TEAMS:
        yield because(
            "teams", "a game is for {least} to {most} teams, not {given}", least=2, most=MOST_TEAMS, given=d.game_teams
        )
    elif d.game_teams and (d.score_count == "places" or d.score_wins not in ("most", "least")):
        yield because("no_teams", "teams need totals, of which the highest or the lowest wins")


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
    if d.score_rounds.strip() and d.score_count == "rounds":
        yield from rounds_faults(d)
    elif d.score_count == "rounds" and (is_half(d.score_number) or not 1 <= d.score_number <= MOST_ROUNDS):
        yield because(
            "number", "a number from {least} to {most}, not {given}", least=1, most=MOST_ROUNDS, given=d.score_number
        )
    elif d.score_count == "target" and not 1 <= abs(d.score_number) <= LARGEST:
        yield because(
            "target", "the target is a number up to {most} or down to {least}, and not 0", most=LARGEST, least=-LARGEST
        )


def rounds_faults(d: Definition) -> Iterator[Reason]:
    """Yield why the number of rounds cannot be calculated from the number of players."""
    try:
        _ = d.rounds_formula
    except FormulaError as no:
        yield no.reason
        return
    for seats in range(d.game_fewest, d.game_most + 1):
        if not 1 <= d.rounds(seats) <= MOST_ROUNDS:
            yield because(
                "rounds_of",
                "with {seats} players, the formula of the rounds gives {given}, not {least} to {most}",
                seats=seats,
                given=d.rounds(seats),
                least=1,
                most=MOST_ROUNDS,
            )


def lines_faults(d: Definition) -> Iterator[Reason]:
    most = MOST_LINES_BY_ROUND if d.by_rounds else MOST_LINES
    if len(d.score_lines) > most:
        yield because(
            "lines", "a score sheet has at most {most} lines, not {given}", most=most, given=len(d.score_lines)
        )
    yield from names_faults(tuple(line.name for line in d.score_lines), most)
    if d.score_count == "places" and (d.score_lines or d.score_total.strip() not in ("", ALL) or d.score_ties):
        yield because("places_alone", "a game that records only places has no lines")
    if d.score_lines and not any(line.is_entered for line in d.score_lines):
        yield because("nothing_entered", "a score sheet needs a line in which players enter figures")
    if d.by_rounds and d.lines and not d.keys_by_round:
        yield because("nothing_by_round", "a game with rounds needs a line with a figure in each round")


def line_faults(d: Definition) -> Iterator[Reason]:
    for line in d.score_lines:
        if line.kind == "formula" and not line.formula.strip():
            yield because("no_formula", "{name} is calculated and needs a formula", name=line.name)
        elif line.kind != "formula" and line.formula.strip():
            yield because("needless_formula", "{name} has a formula, but is not of the kind formula", name=line.name)
        if line.once and not d.by_rounds:
            yield because("once", "{name} is counted once, but the whole game is counted at the end", name=line.name)
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
        elif line.kind not in ("number", "formula") and line.bounds[0] < 0:
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
    length = len(d.score_total) + sum(len(line.formula) + len(line.altogether) for line in d.score_lines)
    if length > MOST_FORMULA_CHARACTERS:
        yield because(
            "formulas_long",
            "all formulas together have at most {limit} characters, not {given}",
            limit=MOST_FORMULA_CHARACTERS,
            given=length,
        )
        return
    try:
        _ = d.round_between, d.once_between
    except FormulaError as no:
        yield no.reason


def altogether_faults(d: Definition) -> Iterator[Reason]:
    """Yield why the sum of all players' figures in a line cannot be checked."""
    for line in d.score_lines:
        if line.altogether.strip() and not line.is_entered:
            yield because("no_sum", "{name} is calculated, so no sum of its figures is checked", name=line.name)
            continue
        try:
            figures = MOST_PLAYERS * LARGEST
            for node in line.sums:
                bounds_of(node, {ALL: (-figures, figures), ROUND: (1, MOST_ROUNDS), PLAYERS: (1, MOST_PLAYERS)})
        except FormulaError as no:
            yield msgspec.structs.replace(no.reason, figures={FORMULA_LINE: line.name} | no.reason.figures)


def halves_faults(d: Definition) -> Iterator[Reason]:
    """Yield the numbers that are neither whole nor, in a sheet with halves, halves."""
    formulas = [*d.formulas.values(), *(node for node in (d.formula, d.rounds_formula) if node is not None)]
    formulas += [node for line in d.score_lines for node in line.sums]
    numbers = [d.score_number, *(number for line in d.score_lines for number in line.numbers)]
    for number in (*numbers, *(half for node in formulas for half in halves_in(node))):
        if isinstance(number, float) and not is_half(number):
            yield because("no_points", "{number} is neither a whole number nor a half", number=repr(number))
        elif isinstance(number, float) and not d.score_halves:
            yield because("no_halves", "{number} is a half, but score.halves is not true", number=number)


def ties_faults(d: Definition) -> Iterator[Reason]:
    for name in d.score_ties:
        if key_of(name) not in d.lines:
            yield because("tie_line", "{name} breaks ties, but no line has this name", name=name)
    yield from names_faults(d.score_ties, MOST_LINES)


def winner_faults(d: Definition) -> Iterator[Reason]:
    """Yield why no one can win a game."""
    if d.score_wins in ("last", "together") and d.score_count in ("places", "target"):
        yield because(
            "never_won", "a game that is scored by places, or up to a figure, is won by the most or the least points"
        )
    elif d.score_wins == "last" and d.game_fewest < 2:
        yield because("alone", "in a game for one, no player can be the last one left")
    elif d.score_wins in ("most", "least") and d.score_count != "places":
        (low, high), (once_low, once_high) = d.round_between, d.once_between
        number = d.score_number
        if d.score_count == "target" and ((number > 0 >= high) or (number < 0 <= low)):
            yield because("never_reached", "no player can reach {number}", number=number)
        elif low == high and once_low == once_high and d.game_most > 1 and not d.ties:
            yield because("all_alike", "every total is {total}, so no one can win", total=low)


FAULTS: tuple[tuple[str, Callable[[Any], Iterator[Reason]]], ...] = (
    ("SC-2.1", title_faults),
    ("SC-2.2", seats_faults),
    ("SC-2.13", teams_faults),
    ("SC-2.3", colours_faults),
    ("SC-2.4", lambda d: names_faults(d.game_roles)),
    ("SC-2.5", lambda d: names_faults(d.game_expansions)),
    ("SC-2.7", count_faults),
    ("SC-2.8", lines_faults),
    ("SC-2.9", line_faults),
    ("SC-2.10", total_faults),
    ("SC-2.15", altogether_faults),
    ("SC-2.14", halves_faults),
    ("SC-2.11", ties_faults),
    ("SC-2.12", winner_faults),
)
