"""Lists the small changes of a module that its tests should notice, and makes them, one at a time.

A change is `<` made `<=`, `2` made `3`, `and` made `or`, `min` made `max`, `+` made `-`, a `not` left out, one half of
an `and` left out, a statement left out, or a check left out of a table of checks. Source on disk is never touched.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from types import CodeType

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], str]] = {
    ast.Lt: (ast.LtE, "< to <="),
    ast.LtE: (ast.Lt, "<= to <"),
    ast.Gt: (ast.GtE, "> to >="),
    ast.GtE: (ast.Gt, ">= to >"),
    ast.Eq: (ast.NotEq, "== to !="),
    ast.NotEq: (ast.Eq, "!= to =="),
    ast.In: (ast.NotIn, "in to not in"),
    ast.NotIn: (ast.In, "not in to in"),
    ast.Is: (ast.IsNot, "is to is not"),
    ast.IsNot: (ast.Is, "is not to is"),
}
SUMS: dict[type[ast.operator], tuple[type[ast.operator], str]] = {
    ast.Add: (ast.Sub, "+ to -"),
    ast.Sub: (ast.Add, "- to +"),
    ast.Mult: (ast.FloorDiv, "* to //"),
    ast.FloorDiv: (ast.Mult, "// to *"),
    ast.Mod: (ast.FloorDiv, "% to //"),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
COMPILED_OPTIMIZED = 0x1  # inspect.CO_OPTIMIZED: the body of a function, not of a module or a class

Functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Mutant:
    """One change. first, last: lines one of which runs before it is noticed; nth: among equal ones of the line."""

    file: str
    line: int
    first: int
    last: int
    text: str
    change: str
    nth: int
    function: str  # its name, with those around it; "" where it takes effect while the module is imported

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} {self.change}" + (f" (no. {self.nth + 1})" if self.nth else "")


@dataclass
class Place:
    """Where a node hangs in its tree: a field of another node, or one of the field's list."""

    parent: ast.AST
    field: str
    at: int | None

    def put(self, node: ast.AST) -> None:
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


class Module:
    """A module's source, with its mutants."""

    def __init__(self, file: str, source: str) -> None:
        self.file = file
        self.lines = source.splitlines()
        self.tree = ast.parse(source)
        self.code = self.compile()
        self.changes: dict[Mutant, Callable[[], Callable[[], None]]] = {}
        counted: dict[tuple[int, str], int] = {}
        for node, change, apply, lines, function in walk_tree(self.tree):
            line = node.lineno
            nth = counted[line, change] = counted.get((line, change), -1) + 1
            first, last = min(line, lines[0]), max(line, lines[1])
            text = self.lines[line - 1].strip()
            self.changes[Mutant(file, line, first, last, text, change, nth, function)] = apply

    def compile(self) -> CodeType:
        return compile(self.tree, self.file, "exec", dont_inherit=True)

    def code_of(self, mutant: Mutant) -> CodeType:
        """The whole module's code with this change."""
        undo = self.changes[mutant]()
        try:
            return self.compile()
        finally:
            undo()


def changed_function(before: CodeType, after: CodeType) -> tuple[CodeType, CodeType] | None:
    """The one outermost function in which two codes of a module differ, before and after; None if none or many."""
    pairs = [(old, new) for old, new in zip(functions_of(before), functions_of(after), strict=True) if old != new]
    return pairs[0] if len(pairs) == 1 else None


def changed_codes(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """A changed function, and all functions within it that are changed: closures made before know only their own."""
    yield before, after
    for old, new in zip(functions_of(before), functions_of(after), strict=True):
        if old != new:
            yield from changed_codes(old, new)


def functions_of(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & COMPILED_OPTIMIZED:
                yield constant
            else:
                yield from functions_of(constant)


Found = tuple[ast.expr | ast.stmt, str, Callable[[], Callable[[], None]], tuple[int, int], str]


def walk_tree(tree: ast.Module) -> Iterator[Found]:
    for child, place in children(tree):
        yield from below(child, place, (0, 0), "")


def below(node: ast.AST, place: Place, lines: tuple[int, int], function: str) -> Iterator[Found]:
    """The changes of a node and of all below it. lines: those of the statement, or of a block's head."""
    if left_alone(node, place):
        return
    if isinstance(node, ast.stmt):
        lines = (node.lineno, head_end(node))
    elif isinstance(node, (ast.match_case, ast.ExceptHandler)):
        lines = (node.body[0].lineno, node.body[0].lineno)
    if isinstance(node, (ast.expr, ast.stmt)):
        for change, made in changes_of(node, place):
            yield node, change, putting(place, node, made), lines, function
    for child, where in children(node):
        inside = isinstance(node, Functions) and where.field == "body"
        yield from below(child, where, lines, inner(function, node) if inside else function)


def inner(function: str, node: ast.AST) -> str:
    """The name of a function within another one: `charged.charge`; a lambda has none of its own."""
    return ".".join(filter(None, [function, getattr(node, "name", "lambda")]))


def children(node: ast.AST) -> Iterator[tuple[ast.AST, Place]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield value, Place(node, field, None)
        elif isinstance(value, list):
            for at, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield child, Place(node, field, at)


def left_alone(node: ast.AST, place: Place) -> bool:
    """Types, imports, assertions, sentences, and that two lists are as long as each other are no rules."""
    return (
        place.field in ("annotation", "returns", "decorator_list", "bases")
        or (isinstance(place.parent, ast.keyword) and place.parent.arg == "strict")
        or (place.field == "keywords" and isinstance(place.parent, ast.ClassDef))
        or isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert, ast.JoinedStr))
    )


def head_end(node: ast.stmt) -> int:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and not isinstance(node, ast.ClassDef):
        return max(node.lineno, body[0].lineno - 1)
    return node.end_lineno or node.lineno


def putting(place: Place, node: ast.AST, made: ast.AST) -> Callable[[], Callable[[], None]]:
    def apply() -> Callable[[], None]:
        place.put(ast.fix_missing_locations(ast.copy_location(copy(made), node)))
        return lambda: place.put(node)

    return apply


def changes_of(node: ast.expr | ast.stmt, place: Place) -> Iterator[tuple[str, ast.AST]]:
    """What this node may be changed into, each with its name."""
    if isinstance(node, ast.stmt):
        if removable(node):
            yield "statement left out", ast.Pass()
        if isinstance(node, ast.AugAssign) and (made := SUMS.get(type(node.op))):
            yield f"{made[1].replace(' ', '= ', 1)}=", ast.AugAssign(node.target, made[0](), node.value)
        return
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            kind, name = COMPARISONS[type(op)]
            yield name, ast.Compare(node.left, [*node.ops[:at], kind(), *node.ops[at + 1 :]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        and_or = "and to or" if isinstance(node.op, ast.And) else "or to and"
        yield and_or, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for value in node.values:
            others = [other for other in node.values if other is not value]
            yield f"without {brief(value)}", others[0] if len(others) == 1 else ast.BoolOp(node.op, others)
    elif isinstance(node, ast.BinOp) and (made := SUMS.get(type(node.op))):
        yield made[1], ast.BinOp(node.left, made[0](), node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not left out", node.operand
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "minus left out", node.operand
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} to {node.value + 1}", ast.Constant(node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} to {not node.value}", ast.Constant(not node.value)
    elif isinstance(node, ast.Name) and node.id in NAMES and place.field == "func":
        yield f"{node.id} to {NAMES[node.id]}", ast.Name(NAMES[node.id], ast.Load())
    if isinstance(node, (ast.Tuple, ast.List)) and all(is_check(each) for each in node.elts):
        for at, check in enumerate(node.elts):
            yield f"without check {brief(check)}", type(node)([*node.elts[:at], *node.elts[at + 1 :]], ast.Load())
    if asked_plainly(node, place):
        yield "not put in", ast.UnaryOp(ast.Not(), node)


def removable(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return node.value is not None and any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)
    return isinstance(node, (ast.AugAssign, ast.Delete, ast.Continue, ast.Break))


def is_check(node: ast.expr) -> bool:
    """Whether this is a line of a table of checks: ("MP-4.2.1", can_pay), or a table within one: *TURN."""
    if isinstance(node, ast.Starred):
        return isinstance(node.value, ast.Name) and node.value.id.isupper()
    return (
        isinstance(node, ast.Tuple)
        and len(node.elts) == 2
        and isinstance(node.elts[0], ast.Constant)
        and isinstance(node.elts[0].value, str)
        and "-" in node.elts[0].value
        and isinstance(node.elts[1], (ast.Name, ast.Attribute, ast.Lambda, ast.Call))
    )


def asked_plainly(node: ast.expr, place: Place) -> bool:
    """A condition with nothing in it that could be turned round otherwise."""
    if isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.NamedExpr)):
        return False
    asks = isinstance(place.parent, (ast.If, ast.While, ast.IfExp)) and place.field == "test"
    return asks or (isinstance(place.parent, ast.comprehension) and place.field == "ifs")


def brief(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())
