"""Likelihood of a slip: its kind, its step and the intended decision.

Weights are shares of all slips at a table, so they can be compared and added. They are estimates: only their order
matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from daybook.domain.kernel.points import Points, as_points, is_points

SlipKind = Literal["not_taken", "taken_twice", "laid_elsewhere", "never_happened", "forgotten", "something_else"]
# not_taken, taken_twice, laid_elsewhere: slips of the hand, at the table; the others: slips of the record

KINDS: Mapping[SlipKind, float] = {
    "not_taken": 0.2,
    "taken_twice": 0.08,
    "laid_elsewhere": 0.08,
    "never_happened": 0.12,
    "forgotten": 0.12,
    "something_else": 0.3,
}
UNEXPLAINED = 0.1  # a wrong amount without a decision that explains it
SECOND_SLIP = 0.02  # another slip next to the first
HALF_LIFE_STEPS = 150  # a slip this many steps back is half as likely to be still unseen
SAME_PLACE_OF_PLAYERS = 0.1  # one slip of the hand touches the same place of several players
SEVERAL_THINGS = 0.03  # one slip of the hand touches several things of one step
PAYMENT_DIFFERS_TOO = 0.1  # what was paid for a misplaced piece differs as well
REPEATED_FACTOR = 5.0  # a decision typed twice, or once instead of twice, compared with others
SURE_FROM = 0.8  # share from which a slip is named without a "perhaps"

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


def recency_shares(steps: Sequence[int]) -> dict[int, float]:
    """Return the share of each step in all slips by age alone; steps are oldest first."""
    shares = {step: 0.5 ** (back / HALF_LIFE_STEPS) for back, step in enumerate(reversed(steps))}
    total = sum(shares.values())
    return {step: share / total for step, share in shares.items()}


def confusion_likelihood(recorded: Mapping[str, Any], confused_with: Mapping[str, Any]) -> float:
    """Return how easily one decision is recorded as another; 1 for a number that is off by 1."""
    if recorded["type"] != confused_with["type"]:
        return OTHER_TYPE
    differing = [name for name in {**recorded, **confused_with} if recorded.get(name) != confused_with.get(name)]
    close = ONE_FIELD_MORE ** (len(differing) - 1) if differing else 1.0
    for name in differing:
        close *= _value_closeness(recorded.get(name), confused_with.get(name))
    return close


def _value_closeness(value: Any, other_value: Any) -> float:
    if is_points(value) and is_points(other_value):
        return 1 / abs(value - other_value)
    if isinstance(value, list) and isinstance(other_value, list):
        first, then = Counter(map(str, value)), Counter(map(str, other_value))
        return float(OTHER_WORD ** max(1, ((first - then) | (then - first)).total() / 2))
    return OTHER_WORD


def wrong_amount_likelihood(difference: Sequence[Any]) -> float:
    """Return the likelihood of an unexplained difference of this size.

    Args:
        difference: [recorded, counted].
    """
    recorded, counted = difference
    if type(recorded) is not int or type(counted) is not int:
        return 0.01
    amount = abs(counted - recorded)
    return NOTES.get(amount, 0.5 / (amount + 10)) / 2


def unexplained_likelihood(differences: Mapping[str, Sequence[Any]]) -> float:
    """Return the likelihood that these places differ and no step explains any of them."""
    if len(differences) == 2:
        (place, amount), (counter_path, back) = ((path, _amount_of_change(pair)) for path, pair in differences.items())
        if amount and back == -amount and is_counterpart(place, counter_path):
            return (
                UNEXPLAINED * SAME_PLACE_OF_PLAYERS * wrong_amount_likelihood([0, amount])
            )  # one amount, put in the wrong place
    return UNEXPLAINED * other_slips_likelihood(differences) / (SECOND_SLIP if differences else 1)


def other_slips_likelihood(differences: Mapping[str, Sequence[Any]]) -> float:
    """Return the likelihood that these places differ through further slips.

    Differences of one player share a slip (a misplaced marker and its payment); all others take one each.
    """
    slips: dict[str, list[float]] = {}
    for path, pair in differences.items():
        slips.setdefault(_owner_of(path), []).append(wrong_amount_likelihood(pair))
    share = 1.0
    for likely in slips.values():
        share *= SECOND_SLIP * max(likely) * PAYMENT_DIFFERS_TOO ** (len(likely) - 1)
    return share


def _owner_of(path: str) -> str:
    """Return the owner of a place, or the place itself."""
    keys = path.split("/")
    return "/".join(keys[:3]) if len(keys) > 3 and keys[1] == "players" else path


def one_slip_likelihood(paths: Sequence[str]) -> float:
    """Return the likelihood that one slip of the hand touches all these places of a step."""
    return SAME_PLACE_OF_PLAYERS if all(is_counterpart(paths[0], other) for other in paths[1:]) else SEVERAL_THINGS


def is_counterpart(path: str, other_path: str) -> bool:
    """Check if two paths are the same place of two players."""
    first, then = path.split("/"), other_path.split("/")
    return len(first) == len(then) and [
        (a.isdigit(), b.isdigit()) for a, b in zip(first, then, strict=True) if a != b
    ] == [(True, True)]


def _amount_of_change(pair: Sequence[Any]) -> Points:
    recorded, counted = pair
    return as_points(counted - recorded) if is_points(recorded) and is_points(counted) else 0
