"""Count patterns that make names and docstrings of the product hard to read. The limits only go down.

CONTRIBUTING has the word list. `python -m tests.test_plain_english` prints every place.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("daybook", "domain", "services", "web", "workers")
HEADLESS = {
    "What",
    "Whether",
    "Who",
    "Whose",
    "Whom",
    "Which",
    "How",
    "Why",
    "Where",
    "When",
    "Of",
    "By",
    "As",
    "Those",
    "Than",
    "Beside",
    "For",
    "With",
    "Without",
    "In",
    "On",
    "At",
    "To",
    "From",
    "That",
    "This",
    "None",
    "So",
    "Somebody",
    "Nobody",
    "Whoever",
    "Everybody",
}
PRIVATE = {
    "of",
    "one",
    "told",
    "asked",
    "found",
    "there",
    "known",
    "said",
    "lay",
    "laid",
    "lies",
    "stood",
    "anew",
    "kept",
    "held",
    "theirs",
    "whole",
}
PRONOUN = re.compile(r"\b(who|whoever|whom|somebody|nobody|everybody|whose)\b", re.I)
STATE = re.compile(
    r"\b(is|are|was|were|be) (asked|told|said|held|laid|kept)\b|\b(comes? to|anew|at hand|beside)\b", re.I
)
LIMITS = {  # as reached; lower a limit when a change reaches less
    "docstring begins with a headless clause": 1,
    "first sentence with who, somebody or nobody": 7,
    "first sentence with is told, comes to or anew": 4,
    "parameter with a private name": 2,
    "loop variable called one": 0,
    "exception without Error": 0,
}


def count_patterns() -> dict[str, list[str]]:
    """Return the places of each pattern, as `file:line name`."""
    places: dict[str, list[str]] = defaultdict(list)
    for root in PRODUCT:
        for path in sorted((ROOT / root).rglob("*.py")):
            if any(parent.is_symlink() for parent in path.parents):
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                for pattern, name in patterns_of(node):
                    line = getattr(node, "lineno", getattr(getattr(node, "target", None), "lineno", 1))
                    places[pattern].append(f"{path.relative_to(ROOT)}:{line} {name}")
    return places


def patterns_of(node: ast.AST) -> list[tuple[str, str]]:
    """Return the patterns that a node of a syntax tree has, each with the name it is about."""
    found = []
    name = getattr(node, "name", "module")
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module) and (
        docstring := ast.get_docstring(node)
    ):
        first = docstring.split("\n\n")[0]
        if first.split()[0].strip("“\"'`,.:") in HEADLESS:
            found.append(("docstring begins with a headless clause", name))
        if PRONOUN.search(first):
            found.append(("first sentence with who, somebody or nobody", name))
        if STATE.search(first):
            found.append(("first sentence with is told, comes to or anew", name))
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        parameters = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        found += [
            ("parameter with a private name", f"{name}({each.arg})") for each in parameters if each.arg in PRIVATE
        ]
    if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name) and node.target.id == "one":
        found.append(("loop variable called one", "one"))
    if isinstance(node, ast.ClassDef):
        bases = [ast.unparse(base) for base in node.bases]
        raised = any(base.endswith(("Error", "Exception")) for base in bases)
        if raised and not name.endswith(("Error", "Exception", "Conflict", "Refused", "IllegalDecision")):
            found.append(("exception without Error", name))
    return found


@pytest.fixture(scope="module")
def counted() -> dict[str, list[str]]:
    return count_patterns()


@pytest.mark.parametrize("pattern", LIMITS)
def test_plain_english_pattern_stays_within_its_limit(counted, pattern):
    assert len(counted[pattern]) <= LIMITS[pattern], "\n".join(counted[pattern])


if __name__ == "__main__":
    for pattern, places in count_patterns().items():
        print(f"{len(places)} {pattern}", *places, sep="\n  ")
