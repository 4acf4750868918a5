"""A small formula of lines: + - * / max min and brackets, read by our own grammar. No code is run (SC-2.10).

    eggs + 2 * max(cards, tucked) - coins / 3

A name is a line's key: "Longest road" is longest_road; sum is all lines together. A division rounds down, and only a number that is not 0 divides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple, Union

from daybook.domain.kernel.terms import ReasonedError, because

LONGEST = 200  # signs of a formula
DEEPEST = 12  # brackets within each other
LARGEST = 1_000_000  # a number in it
GREATEST = 10**12  # largest absolute value of a result
TOKEN = re.compile(r"\s*(?:(?P<word>\w+)|(?P<sign>[-+*/(),]))")
DIGITS = re.compile(r"[0-9]+")
FUNCTIONS = ("max", "min")
ALL = "sum"  # all lines together, unless a line is called so

Node = Union[int, str, "Sum"]  # a number, a line, or what signs and functions make of others


class Sum(NamedTuple):
    """An operation and its operands. sign: + - * / max min; of one operand, - is its negation."""

    sign: str
    parts: tuple[Node, ...]


class FormulaError(ReasonedError, ValueError):
    """No formula: the reason says what is wrong with it."""


def parse_formula(text: str, lines: Collection[str]) -> Node:
    """Parse a formula of these lines, by their keys. Raises FormulaError."""
    if len(text) > LONGEST:
        raise FormulaError(
            because(
                "formula_long", "a formula has at most {limit} characters, not {given}", limit=LONGEST, given=len(text)
            )
        )
    reading = _Reading(_tokens(text), lines)
    node = reading.sum(0)
    if reading.next:
        raise _unexpected(reading.next)
    return node


def value_of(node: Node, figures: Mapping[str, int]) -> int:
    """Return the value of a formula with these figures."""
    if isinstance(node, int):
        return node
    if isinstance(node, str):
        return figures[node]
    return _reckon(node.sign, [value_of(part, figures) for part in node.parts])


def bounds_of(node: Node, bounds: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """Between which numbers a formula lies while each line lies between its own. Raises FormulaError beyond GREATEST."""
    if isinstance(node, int):
        return node, node
    if isinstance(node, str):
        return bounds[node]
    parts = [bounds_of(part, bounds) for part in node.parts]
    if node.sign == "*":
        (a, b), (c, d) = parts
        corners = (a * c, a * d, b * c, b * d)
        low, high = min(corners), max(corners)
    elif node.sign == "-":
        (low, high), *rest = [(-part[1], -part[0]) for part in parts] if len(parts) == 1 else parts
        for less, more in rest:
            low, high = low - more, high - less
    elif node.sign == "/":
        ends = [_reckon("/", [end, parts[1][0]]) for end in parts[0]]
        low, high = min(ends), max(ends)
    else:
        low, high = (_reckon(node.sign, [part[side] for part in parts]) for side in (0, 1))
    if max(-low, high) > GREATEST:
        raise FormulaError(because("formula_great", "the result of a formula is at most {most}", most=GREATEST))
    return low, high


def names_in(node: Node) -> set[str]:
    """Return the lines that a formula reads."""
    if isinstance(node, Sum):
        return {name for part in node.parts for name in names_in(part)}
    return {node} if isinstance(node, str) else set()


def _reckon(sign: str, parts: list[int]) -> int:
    match sign:
        case "+":
            return sum(parts)
        case "-":
            return -parts[0] if len(parts) == 1 else parts[0] - parts[1]
        case "*":
            return parts[0] * parts[1]
        case "/":
            return parts[0] // parts[1]
        case "max":
            return max(parts)
    return min(parts)


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
    """Reads one formula from left to right: a sum is made of products, a product of parts."""

    def __init__(self, tokens: list[str], lines: Collection[str]) -> None:
        self.tokens = tokens
        self.lines = lines

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
            if sign == "/" and not (isinstance(by, int) and by):
                raise FormulaError(because("formula_divides", "a formula divides only by a number, and never by 0"))
            node = Sum(sign, (node, by))
        return node

    def part(self, depth: int) -> Node:
        token = self.take()
        if token == "-":
            return Sum("-", (self.part(depth + 1) if depth < DEEPEST else self.sum(depth + 1),))
        if token == "(":
            node = self.sum(depth + 1)
            self.take(")")
            return node
        if token in FUNCTIONS and self.next == "(":
            return self.function(token, depth)
        if DIGITS.fullmatch(token):
            if len(token) > len(str(LARGEST)) or int(token) > LARGEST:
                raise FormulaError(because("formula_number", "a number in a formula is {most} at most", most=LARGEST))
            return int(token)
        if token in self.lines:
            return token
        if not token[0].isalnum():
            raise _unexpected(token)
        raise FormulaError(because("formula_line", "the formula uses “{name}”, but no line has this name", name=token))

    def function(self, name: str, depth: int) -> Node:
        self.take("(")
        parts = [self.sum(depth + 1)]
        while self.take(",", ")") == ",":
            parts.append(self.sum(depth + 1))
        return Sum(name, tuple(parts))
