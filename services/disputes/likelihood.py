"""How likely a slip is at a table: of which kind, at which step, and what was meant instead.

Weights are shares of all slips that a table makes, so that they can be compared and added up whatever they are of.
They are judged, not counted: what matters is which of them is greater, and `tests.bench.slips` shows how often that is
right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Kind = Literal["not_taken", "taken_twice", "laid_elsewhere", "never_happened", "forgotten", "something_else"]
# not_taken, taken_twice, laid_elsewhere: slips of the hand, at the table; the others: slips of the record

KINDS: Mapping[Kind, float] = {
    "not_taken": 0.2,
    "taken_twice": 0.08,
    "laid_elsewhere": 0.08,
    "never_happened": 0.12,
    "forgotten": 0.12,
    "something_else": 0.3,
}
UNEXPLAINED = 0.1  # a wrong amount, that no decision tells of
ONE_MORE = 0.02  # that beside one slip another was made
HALF_AS_LIKELY = 150  # steps further back a slip is half as likely still to lie there unseen
TOGETHER = 0.1  # that one slip of the hand touches the same place of several players
ALL_OF_IT = 0.03  # that it touches several things of one step
GOES_WITH = 0.1  # that with a thing that lies otherwise what was paid for it differs
REPEATED = 5.0  # what was typed twice, or once instead of twice, beside what was not
SURE = 0.8  # from this share on a slip is named without a "perhaps"

OTHER_TYPE = 0.01
OTHER_WORD = 0.4
ONE_FIELD_MORE = 0.15
NOTES = {
    1: 0.24,
    2: 0.12,
    5: 0.12,
    10: 0.12,
    3: 0.05,
    4: 0.04,
    20: 0.04,
    50: 0.02,
    100: 0.02,
}  # what a hand takes too many


def recency(steps: Sequence[int]) -> dict[int, float]:
    """How likely each of some steps is the one with a slip, whatever it is; the newest stand last."""
    shares = {step: 0.5 ** (back / HALF_AS_LIKELY) for back, step in enumerate(reversed(steps))}
    whole = sum(shares.values())
    return {step: share / whole for step, share in shares.items()}


def closeness(recorded: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """How easily one decision is written down for another; 1 for a number that is one off."""
    if recorded["type"] != other["type"]:
        return OTHER_TYPE
    apart = [name for name in {**recorded, **other} if recorded.get(name) != other.get(name)]
    close = ONE_FIELD_MORE ** (len(apart) - 1) if apart else 1.0
    for name in apart:
        close *= _near(recorded.get(name), other.get(name))
    return close


def _near(one: Any, other: Any) -> float:
    if type(one) is int and type(other) is int:
        return 1 / abs(one - other)
    if isinstance(one, list) and isinstance(other, list):
        first, then = Counter(map(str, one)), Counter(map(str, other))
        return float(OTHER_WORD ** max(1, ((first - then) | (then - first)).total() / 2))
    return OTHER_WORD


def wrong_amount(difference: Sequence[Any]) -> float:
    """How likely a place comes to differ by so much through a slip that no step tells of. [recorded, counted]"""
    recorded, counted = difference
    if type(recorded) is not int or type(counted) is not int:
        return 0.01
    by = abs(counted - recorded)
    return NOTES.get(by, 0.5 / (by + 10)) / 2


def unexplained_likelihood(differences: Mapping[str, Sequence[Any]]) -> float:
    """How likely it is that these places differ and that no step explains any of them."""
    if len(differences) == 2:
        (one, by), (other, back) = ((path, _amount_of_change(pair)) for path, pair in differences.items())
        if by and back == -by and is_counterpart(one, other):
            return UNEXPLAINED * TOGETHER * wrong_amount([0, by])  # one amount, laid in the wrong place
    return UNEXPLAINED * other_slips_likelihood(differences) / (ONE_MORE if differences else 1)


def other_slips_likelihood(differences: Mapping[str, Sequence[Any]]) -> float:
    """How likely these places differ as well: what lies in front of one player through one slip, for a marker in
    another row and what was paid for it go together; all else each through a slip of its own.
    """
    slips: dict[str, list[float]] = {}
    for path, pair in differences.items():
        slips.setdefault(_owner(path), []).append(wrong_amount(pair))
    share = 1.0
    for likely in slips.values():
        share *= ONE_MORE * max(likely) * GOES_WITH ** (len(likely) - 1)
    return share


def _owner(path: str) -> str:
    """The player in front of whom a place is; of any other place the place itself."""
    keys = path.split("/")
    return "/".join(keys[:3]) if len(keys) > 3 and keys[1] == "players" else path


def one_slip_likelihood(paths: Sequence[str]) -> float:
    """How likely one slip of the hand touches all these places of a step."""
    return TOGETHER if all(is_counterpart(paths[0], other) for other in paths[1:]) else ALL_OF_IT


def is_counterpart(one: str, other: str) -> bool:
    """Whether two places are the same in front of two players."""
    first, then = one.split("/"), other.split("/")
    return len(first) == len(then) and [
        (a.isdigit(), b.isdigit()) for a, b in zip(first, then, strict=True) if a != b
    ] == [(True, True)]


def _amount_of_change(pair: Sequence[Any]) -> int:
    recorded, counted = pair
    return counted - recorded if type(recorded) is int and type(counted) is int else 0
