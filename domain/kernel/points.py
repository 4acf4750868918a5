"""Points: whole numbers and halves, always exact.

A half is a float such as 12.5. Sums, differences and comparisons of halves have no rounding error in binary, and JSON,
databases and browsers have the same number. A whole number is always an int, so that 12 is never written 12.0.
"""

from __future__ import annotations

from typing import Any, TypeGuard

Points = int | float  # a float only for a half


def as_points(number: float) -> Points:
    """Return a sum of whole numbers and halves as points: `as_points(0.5 + 0.5)` is the int 1."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def is_half(value: Any) -> TypeGuard[float]:
    """Check if a value is a half as it is stored: 12.5, and not 12.0."""
    return type(value) is float and value % 1 == 0.5


def is_points(value: Any) -> TypeGuard[Points]:
    """Check if a value is a whole number or a half."""
    return type(value) is int or is_half(value)


def round_down_to_half(number: float) -> Points:
    """Return the next whole number or half below a product of such numbers."""
    return as_points(number * 2 // 1 / 2) if isinstance(number, float) else number
