"""The working of a calculated line: its formula with the numbers of a player, and the branches that were taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.counting import Tally
from daybook.domain.games.score_sheet.definition import TOTAL, Line
from daybook.domain.games.score_sheet.formula import ALL, ENTERED, PLAYERS, ROUND, Node, Round, Sum, names_in, values_of
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.terms import Seat
from daybook.web.games.score_sheet.names import translated_name
from daybook.web.words.say import Texts, join_words, number, say

HOLDS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
FAILS = {"=": "≠", "!=": "=", "<": "≥", "<=": ">", ">": "≤", ">=": "<"}
ORDER = {"+": 1, "-": 1, "*": 2, "/": 2}  # of operations: a lower one within a higher one needs brackets
SIGNS = {"+": "+", "-": "−", "*": "×"}
BOUNDS: Texts = {
    "=": "{n}",
    "<=": "at most {n}",
    ">=": "at least {n}",
    "<": "less than {n}",
    ">": "more than {n}",
    "!=": "another sum than {n}",
}
ATOM = 9  # the order of a number
NEGATIVE = 0  # of one below 0


@dataclass
class Working:
    """The numbers of a formula for one player.

    columns: of all sides, of which the player's is `columns[place]`; names: of the lines, for conditions.
    """

    columns: Sequence[Mapping[str, Points]]
    place: int
    present: Sequence[bool]
    rounds: Sequence[Round]
    names: Mapping[str, str]
    conditions: list[str] = field(default_factory=list)

    def value(self, node: Node) -> Points:
        return values_of(node, self.columns, self.present, self.rounds)[self.place]

    def text(self, node: Node) -> str:
        """Return the whole working: "Bid 3 = Tricks 3, so 20 + 10 × 3 = 50"."""
        self.conditions.clear()
        written, value = self.write(node)[0], number(self.value(node))
        result = value if written == value else f"{written} = {value}"
        return (
            say("{conditions}, so {sum}", conditions=", ".join(self.conditions), sum=result)
            if self.conditions
            else result
        )

    def write(self, node: Node) -> tuple[str, int]:
        """Return a formula with numbers, and the order of its last operation."""
        if not isinstance(node, Sum):
            return self.figure(node)
        match node.sign, node.parts:
            case "if", (condition, first, second):
                self.add_condition(condition)
                return self.write(first if self.value(condition) else second)
            case "-", (part,) if self.value(part):
                text, order = self.write(part)
                return ("−" + text if order == ATOM else f"−({text})"), NEGATIVE
            case "abs", (Sum("-", (first, second)),):
                larger, smaller = (first, second) if self.value(first) >= self.value(second) else (second, first)
                return self.write(Sum("-", (larger, smaller)))
            case "/", (part, by):
                text = f"{self.inside(part, 2)} ÷ {self.inside(by, 3)}"
                if self.value(node) * self.value(by) == self.value(part):
                    return text, 2
                return say("({division}, rounded down)", division=text), ATOM
            case ("+" | "-" | "*") as sign, (first, second):
                order = ORDER[sign]
                left = self.inside(first, order, leads=True)
                return f"{left} {SIGNS[sign]} {self.inside(second, order + (sign == '-'))}", order
            case ("max" | "min") as sign, parts if len(parts) > 1:
                values = join_words([self.inside(part, NEGATIVE) for part in parts])
                text = say("the highest of {values}", values=values) if sign == "max" else ""
                return f"({text or say('the lowest of {values}', values=values)})", ATOM
        return self.figure(node)

    def figure(self, node: Node) -> tuple[str, int]:
        value = self.value(node)
        return number(value), ATOM if value >= 0 else NEGATIVE

    def inside(self, node: Node, order: int, leads: bool = False) -> str:
        """Return a part of an operation, in brackets if it needs them. leads: it is the first part."""
        text, own = self.write(node)
        return text if own >= order or (leads and own == NEGATIVE) else f"({text})"

    def add_condition(self, node: Node) -> None:
        """Add a condition with the numbers of this player, as it is: a bid equals the tricks, or not."""
        if not isinstance(node, Sum):
            return
        if node.sign in HOLDS:
            first, second = (self.named(part) for part in node.parts)
            self.conditions.append(f"{first} {(HOLDS if self.value(node) else FAILS)[node.sign]} {second}")
        elif (node.sign == "and" and self.value(node)) or (node.sign == "or" and not self.value(node)):
            for part in node.parts:
                self.add_condition(part)
        elif node.sign == "or":
            self.add_condition(next(part for part in node.parts if self.value(part)))
        elif node.sign == "and":
            self.add_condition(next(part for part in node.parts if not self.value(part)))
        elif node.sign == "not":
            self.add_condition(node.parts[0])

    def named(self, node: Node) -> str:
        """Return a side of a condition: a line with its figure, or a number."""
        key = node.removeprefix(ENTERED) if isinstance(node, str) else ""
        text = self.write(node)[0]
        return say("{line} {value}", line=self.names[key], value=text) if key in self.names else text


def working_of(board: Board, seat: Seat, key: str, at: int, points: Points) -> str:
    """Return the working of a calculated line, or of a round's total, for a player; "" if it cannot be shown.

    Args:
        key: of the line, or TOTAL.
        at: the round, counted from 0; -1 for a line that is counted once.
        points: that it counts.
    """
    definition, tally = board.definition, board.tally()
    node = definition.formula if key == TOTAL else definition.formulas[key]
    if node is None:
        return ""
    sides = board.sides
    place = next(place for place, side in enumerate(sides) if seat in side)
    present = [_is_here(board, side, at) for side in sides]
    columns = [_column(board, tally, side, key, at) for side in sides]
    rounds = [
        Round([tally.round_lines[number][side[0]] for side in sides], _here_in(board, tally, number), {})
        for number in (range(board.round) if at < 0 else ())
    ]
    names = {line.key: translated_name(line.name) for line in board.lines}
    working = Working(columns, place, present, rounds, names)
    if names_in(node) - columns[place].keys() or working.value(node) != points:
        return ""
    return working.text(node)


def _is_here(board: Board, side: Sequence[Seat], at: int) -> bool:
    if at < 0:
        return any(board.players[seat].away != "later" for seat in side)
    return any(at + 1 not in board.players[seat].missed for seat in side)


def _here_in(board: Board, tally: Tally, at: int) -> list[bool]:
    """Return the sides of a round that count."""
    newest = at + 1 == board.round
    return [_is_here(board, side, at) and not (newest and TOTAL in tally.waiting[side[0]]) for side in board.sides]


def _column(board: Board, tally: Tally, side: Sequence[Seat], key: str, at: int) -> Mapping[str, Points]:
    """Return the values of the names in a formula of a side."""
    definition, seat = board.definition, side[0]
    keys = [*definition.lines]
    above = keys if key == TOTAL else keys[: keys.index(key)]
    if at >= 0:
        column = tally.round_lines[at][seat]
        lines = [name for name in above if not definition.is_once(definition.lines[name])]
        return {**column, **_sum_above(board, [column[name] for name in lines])}
    counted = [
        tally.round_lines[number][seat] for number, here in enumerate(_counted_rounds(board, tally, seat)) if here
    ]
    once = [name for name in above if definition.is_once(definition.lines[name])]
    column = {name: as_points(sum([values.get(name, 0) for values in counted])) for name in definition.read_once}
    column |= {name: tally.lines[seat][name] for name in above}
    column |= {
        ENTERED + name: as_points(sum([board.players[other].once.get(name) or 0 for other in side]))
        for name in definition.keys_once
    }
    column |= {ROUND: board.round, PLAYERS: sum([player.away != "later" for player in board.players])}
    totals = [tally.rounds[number][seat] for number, here in enumerate(_counted_rounds(board, tally, seat)) if here]
    return {**column, **_sum_above(board, [*totals, *(tally.lines[seat][name] for name in once)])}


def _counted_rounds(board: Board, tally: Tally, seat: Seat) -> list[bool]:
    place = next(place for place, side in enumerate(board.sides) if seat in side)
    return [_here_in(board, tally, number)[place] for number in range(board.round)]


def _sum_above(board: Board, points: Sequence[Points]) -> dict[str, Points]:
    """Return the value of `sum`, unless a line has that name."""
    return {} if ALL in board.definition.lines else {ALL: as_points(sum(points))}


# --- the sum of all players' figures ---


def expected_sum(line: Line, total: Points, number_of_round: int, players: int) -> str:
    """Return in words the sum of all players' figures that a line expects: "26, 52 or −26", "at most 4"."""
    given = {ALL: total, ROUND: number_of_round, PLAYERS: players}
    working = Working([given], 0, (), (), {})
    *several, last = list(dict.fromkeys(_expected(working, node) for node in line.sums))
    return say("{several} or {last}", several=", ".join(several), last=last) if several else last


def _expected(working: Working, node: Node) -> str:
    """Return one of the expected sums in words."""
    match node:
        case Sum("and", parts):
            return join_words([_expected(working, part) for part in parts])
        case Sum(sign, (first, second)) if sign in BOUNDS and first == ALL and ALL not in names_in(second):
            return say(BOUNDS[sign], n=working.value(second))
    if ALL in names_in(node):
        working.conditions.clear()
        working.add_condition(node)
        return say("another sum (now {condition})", condition=", ".join(working.conditions))
    return number(working.value(node))
