"""A small formula of lines, read by our own grammar. No code is run (SC-2.10).

    eggs + 2 * max(cards, tucked) - coins / 3
    if(bid = tricks, 20 + 10 * bid, -10 * abs(bid - tricks))
    if(rank(cards) = 1 and cards > 0, 10 / tied(cards), 0)

A name is a line's key and stands for the points of the line: "Longest road" is longest_road, and entered(longest_road)
is the figure as it was entered. A division rounds down, and a product of halves to the half. A comparison is 1 or 0. A
formula is calculated for all players at once, so that functions can compare them without calculating it more than once
for each player.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Union

from daybook.domain.kernel.points import Points, as_points, round_down_to_half
from daybook.domain.kernel.terms import ReasonedError, because

LONGEST = 200  # signs of a formula
DEEPEST = 12  # brackets within each other
LARGEST = 1_000_000  # a number in it
GREATEST = 10**12  # largest absolute value of a result
MOST_PLAYERS = 20
TOKEN = re.compile(r"\s*(?:(?P<word>[0-9]+\.[0-9]+|\w+)|(?P<sign><=|>=|==|!=|<>|[-+*/(),<>=]))")
NUMBER = re.compile(r"([0-9]+)(?:\.([05])0*)?")  # whole, or a half
ALL = "sum"  # all lines together, unless a line is called so
ENTERED = "entered "  # begins the name of a line's figure as it was entered

FUNCTIONS: Mapping[str, tuple[int, int]] = {  # function -> its least and greatest number of parts
    "max": (1, LONGEST),
    "min": (1, LONGEST),
    "abs": (1, 1),
    "not": (1, 1),
    "if": (3, 3),
    "most": (1, 1),
    "least": (1, 1),
    "all": (1, 1),
    "rank": (1, 1),
    "tied": (1, 1),
    "all_rounds": (1, 1),
}
COMPARED = frozenset({"most", "least", "all", "rank", "tied"})  # functions of all players
COMPARISONS: Mapping[str, str] = {sign: sign for sign in ("<", "<=", ">", ">=", "=", "!=")} | {"==": "=", "<>": "!="}
GIVEN = "given "  # begins the name of a value that is no line
ROUND, PLAYERS, DEALER, BEFORE = (GIVEN + word for word in ("round", "players", "dealer", "before"))
GIVEN_ONCE = frozenset({ROUND, PLAYERS})  # round: in a formula that is counted once, the number of rounds
GIVEN_BY_ROUND = GIVEN_ONCE | {DEALER, BEFORE}  # dealer: 1 for the dealer; before: the total of the rounds before
NEVER_ZERO = GIVEN_ONCE  # names that may divide; so may rank and tied

Node = Union[int, float, str, "Sum"]  # a number, a line, or what signs and functions make of others
Bounds = tuple[Points, Points]
Columns = Sequence[Mapping[str, Points]]  # the values of the names, of each player


class Sum(NamedTuple):
    """An operation and its operands. sign: an operator or a function; of one operand, - is its negation."""

    sign: str
    parts: tuple[Node, ...]


class Round(NamedTuple):
    """A round that all_rounds adds: its columns, the players in it, and what was calculated before."""

    columns: Columns
    present: Sequence[bool]
    calculated: dict[Node, list[Points]]

    def values(self, node: Node) -> list[Points]:
        """Return the values of a formula in this round, 0 for absent players."""
        if node not in self.calculated:
            values = values_of(node, self.columns, self.present)
            self.calculated[node] = [value if here else 0 for value, here in zip(values, self.present, strict=True)]
        return self.calculated[node]


class FormulaError(ReasonedError, ValueError):
    """No formula: the reason says what is wrong with it."""


def parse_formula(text: str, lines: Collection[str], *, rounds: bool = False) -> Node:
    """Parse a formula of these lines, by their keys. Raises FormulaError.

    Args:
        lines: and the other names that it may use.
        rounds: the formula may add up rounds.
    """
    if len(text) > LONGEST:
        raise FormulaError(
            because(
                "formula_long", "a formula has at most {limit} characters, not {given}", limit=LONGEST, given=len(text)
            )
        )
    reading = _Reading(_tokens(text), lines, rounds)
    node = reading.either(0)
    if reading.next:
        raise _unexpected(reading.next)
    return node


def value_of(node: Node, figures: Mapping[str, Points]) -> Points:
    """Return the value of a formula with these figures of a single player."""
    return values_of(node, [figures])[0]


def values_of(node: Node, columns: Columns, present: Sequence[bool] = (), rounds: Sequence[Round] = ()) -> list[Points]:
    """Return the value of a formula for each player.

    Args:
        present: the players that are compared; all by default.
    """
    if isinstance(node, int | float):
        return [node] * len(columns)
    if isinstance(node, str):
        return [column[node] for column in columns]
    if node.sign == "all_rounds":
        by_round = [counted.values(node.parts[0]) for counted in rounds]
        return [as_points(sum(values)) for values in zip(*by_round, strict=True)] if by_round else [0] * len(columns)
    parts = [values_of(part, columns, present, rounds) for part in node.parts]
    if node.sign in COMPARED:
        return _compare(node.sign, parts[0], present)
    return [_reckon(node.sign, values) for values in zip(*parts, strict=True)]


def bounds_of(node: Node, bounds: Mapping[str, Bounds], most_rounds: int = 1) -> Bounds:
    """Return the bounds of a formula while each line is between its own. Raises FormulaError beyond GREATEST."""
    if isinstance(node, int | float):
        return node, node
    if isinstance(node, str):
        return bounds[node]
    low, high = _bounds_of_sum(node.sign, [bounds_of(part, bounds, most_rounds) for part in node.parts], most_rounds)
    if max(-low, high) > GREATEST:
        raise FormulaError(because("formula_great", "the result of a formula is at most {most}", most=GREATEST))
    return low, high


def _bounds_of_sum(sign: str, parts: list[Bounds], most_rounds: int) -> Bounds:
    """Return the bounds of an operation on operands between these."""
    match sign:
        case "*":
            (a, b), (c, d) = parts
            corners = [_reckon("*", ends) for ends in ((a, c), (a, d), (b, c), (b, d))]
            return min(corners), max(corners)
        case "-":
            (low, high), *rest = [(-part[1], -part[0]) for part in parts] if len(parts) == 1 else parts
            for less, more in rest:
                low, high = low - more, high - less
            return low, high
        case "/":
            ends = [as_points(end // by) for end in parts[0] for by in parts[1]]
            return min(ends), max(ends)
        case "if":
            return min(part[0] for part in parts[1:]), max(part[1] for part in parts[1:])
        case "abs":
            low, high = parts[0]
            return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
        case "most" | "least":
            return parts[0]
        case "all" | "all_rounds":
            low, high = parts[0]
            times = MOST_PLAYERS if sign == "all" else most_rounds
            return min(low, low * times), max(high, high * times)
        case "rank" | "tied":
            return 1, MOST_PLAYERS
        case "+" | "max" | "min":
            low, high = (_reckon(sign, [part[side] for part in parts]) for side in (0, 1))
            return low, high
    return 0, 1


def alternatives(node: Node) -> list[Node]:
    """Return the parts of a formula that `or` joins, or the formula itself."""
    if not isinstance(node, Sum) or node.sign != "or":
        return [node]
    return [each for part in node.parts for each in alternatives(part)]


def names_in(node: Node) -> set[str]:
    """Return the lines that a formula reads."""
    if isinstance(node, Sum):
        return {name for part in node.parts for name in names_in(part)}
    return {node} if isinstance(node, str) else set()


def halves_in(node: Node) -> list[float]:
    """Return the halves that a formula names."""
    if isinstance(node, Sum):
        return [half for part in node.parts for half in halves_in(part)]
    return [node] if isinstance(node, float) else []


def figures_in(node: Node) -> frozenset[str]:
    """Return the keys of the lines that a formula reads as they were entered: entered(bid)."""
    return frozenset(name.removeprefix(ENTERED) for name in names_in(node) if name.startswith(ENTERED))


def compares_figures(node: Node) -> bool:
    """Check if a formula compares entered figures with each other, such as a bid with the tricks."""
    if not isinstance(node, Sum):
        return False
    is_comparison = node.sign in COMPARISONS.values() and all(map(figures_in, node.parts))
    return is_comparison or any(map(compares_figures, node.parts))


def compared_figures(node: Node) -> set[tuple[str, str]]:
    """Return the pairs of lines with entered figures that a formula compares, by key, in both orders."""
    if not isinstance(node, Sum):
        return set()
    pairs = {pair for part in node.parts for pair in compared_figures(part)}
    if node.sign in COMPARISONS.values():
        first, second = (part.removeprefix(ENTERED) for part in map(str, node.parts))
        if all(isinstance(part, str) and part.startswith(ENTERED) for part in node.parts):
            pairs |= {(first, second), (second, first)}
    return pairs


def compares_players(node: Node) -> bool:
    """Check if a formula uses a function of all players."""
    return isinstance(node, Sum) and (node.sign in COMPARED or any(map(compares_players, node.parts)))


def _compare(sign: str, values: list[Points], present: Sequence[bool]) -> list[Points]:
    """Return the value of a function of all players for each; absent players are not compared."""
    compared = [value for value, here in zip(values, present, strict=True) if here] if present else values
    match sign:
        case "rank":
            return [1 + sum([other > value for other in compared]) for value in values]
        case "tied":
            return [max(1, compared.count(value)) for value in values]
        case "all":
            return [as_points(sum(compared))] * len(values)
    return [(max if sign == "most" else min)(compared, default=0)] * len(values)


def _reckon(sign: str, parts: Sequence[Points]) -> Points:
    match sign:
        case "+":
            return as_points(sum(parts))
        case "-":
            return -parts[0] if len(parts) == 1 else as_points(parts[0] - parts[1])
        case "*":
            return round_down_to_half(parts[0] * parts[1])
        case "/":
            return as_points(parts[0] // parts[1])
        case "max":
            return max(parts)
        case "min":
            return min(parts)
        case "abs":
            return abs(parts[0])
        case "if":
            return parts[1] if parts[0] else parts[2]
        case "not":
            return int(not parts[0])
        case "and":
            return int(bool(parts[0] and parts[1]))
        case "or":
            return int(bool(parts[0] or parts[1]))
        case "=":
            return int(parts[0] == parts[1])
        case "!=":
            return int(parts[0] != parts[1])
        case "<":
            return int(parts[0] < parts[1])
        case "<=":
            return int(parts[0] <= parts[1])
        case ">":
            return int(parts[0] > parts[1])
    return int(parts[0] >= parts[1])


def _tokens(text: str) -> list[str]:
    found, at, end = list[str](), 0, len(text.rstrip())
    while at < end:
        token = TOKEN.match(text, at)
        if token is None:
            raise _unexpected(text[at:].strip()[0])
        found.append(token["word"] or token["sign"])
        at = token.end()
    return found


def _unexpected(sign: str) -> FormulaError:
    return FormulaError(because("formula_sign", "in the formula, “{sign}” is in a wrong place", sign=sign))


class _Reading:
    """Reads one formula from left to right: conditions are made of sums, a sum of products, a product of parts."""

    def __init__(self, tokens: list[str], lines: Collection[str], rounds: bool) -> None:
        self.tokens = tokens
        self.lines = lines
        self.rounds = rounds

    @property
    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, *wanted: str) -> str:
        """Return the next token, which must be one of these. Raises FormulaError."""
        if not self.tokens:
            raise FormulaError(because("formula_end", "the formula is incomplete"))
        if wanted and self.next not in wanted:
            raise _unexpected(self.next)
        return self.tokens.pop(0)

    def either(self, depth: int) -> Node:
        node = self.both(depth)
        while self.next == "or":
            node = Sum(self.take(), (node, self.both(depth)))
        return node

    def both(self, depth: int) -> Node:
        node = self.comparison(depth)
        while self.next == "and":
            node = Sum(self.take(), (node, self.comparison(depth)))
        return node

    def comparison(self, depth: int) -> Node:
        node = self.sum(depth)
        if self.next in COMPARISONS:
            node = Sum(COMPARISONS[self.take()], (node, self.sum(depth)))
        return node

    def sum(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise FormulaError(
                because("formula_deep", "a formula has at most {limit} brackets within each other", limit=DEEPEST)
            )
        node = self.product(depth)
        while self.next in ("+", "-"):
            node = Sum(self.take(), (node, self.product(depth)))
        return node

    def product(self, depth: int) -> Node:
        node = self.part(depth)
        while self.next in ("*", "/"):
            sign, by = self.take(), self.part(depth)
            if sign == "/" and not _is_never_zero(by):
                raise FormulaError(
                    because(
                        "formula_divides",
                        "a formula divides only by a number, round, players, rank or tied, and never by 0",
                    )
                )
            node = Sum(sign, (node, by))
        return node

    def part(self, depth: int) -> Node:
        token = self.take()
        if token == "-":
            return Sum("-", (self.part(depth + 1) if depth < DEEPEST else self.sum(depth + 1),))
        if token == "(":
            node = self.either(depth + 1)
            self.take(")")
            return node
        if token == ENTERED.strip() and self.next == "(":
            return self.entered()
        if token in FUNCTIONS and self.next == "(":
            return self.function(token, depth)
        if number := NUMBER.fullmatch(token):
            if len(number[1]) > len(str(LARGEST)) or int(number[1]) > LARGEST:
                raise FormulaError(because("formula_number", "a number in a formula is {most} at most", most=LARGEST))
            return as_points(int(number[1]) + int(number[2] or 0) / 10)
        if "." in token:
            raise FormulaError(because("formula_half", "{number} is neither a whole number nor a half", number=token))
        if token in self.lines:
            return token
        if GIVEN + token in self.lines:
            return GIVEN + token
        if not token[0].isalnum():
            raise _unexpected(token)
        raise _unknown_line(token)

    def entered(self) -> Node:
        """Read entered(line)."""
        self.take("(")
        name = self.take()
        if ENTERED + name not in self.lines:
            raise _unknown_line(name)
        self.take(")")
        return ENTERED + name

    def function(self, name: str, depth: int) -> Node:
        least, most = FUNCTIONS[name]
        if name == "all_rounds":
            if not self.rounds:
                raise FormulaError(
                    because("formula_rounds", "only a formula line that is counted once adds up all_rounds")
                )
            self.rounds = False
        self.take("(")
        parts = [self.either(depth + 1)]
        while self.take(",", ")") == ",":
            parts.append(self.either(depth + 1))
        if not least <= len(parts) <= most:
            raise FormulaError(
                because(
                    "formula_parts",
                    "in a formula, {function} has {least} to {most} parts between its brackets, not {given}",
                    function=name,
                    least=least,
                    most=most,
                    given=len(parts),
                )
            )
        self.rounds = self.rounds or name == "all_rounds"
        return Sum(name, tuple(parts))


def _is_never_zero(node: Node) -> bool:
    """Check if a formula can divide by this, whatever the figures are."""
    if isinstance(node, Sum):
        return node.sign in ("rank", "tied")
    return node in NEVER_ZERO if isinstance(node, str) else bool(node)


def _unknown_line(name: str) -> FormulaError:
    return FormulaError(because("formula_line", "the formula uses “{name}”, but no line has this name", name=name))
