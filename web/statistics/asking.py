"""Pages of statistics whose answer takes a while: they show at once how far it is, and then what came of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import render_template

from daybook.services.statistics.partial_answers import StillAsking, at_most

SECONDS = 0.6  # for which a page asks before it shows how far it is

P = ParamSpec("P")
T = TypeVar("T")


def shown_meanwhile(page: Callable[P, T]) -> Callable[P, T | str]:
    """A page that shows how far its answer is where that takes longer; it comes again by itself, and gets further."""

    @wraps(page)
    def page_or_progress(*args: P.args, **named: P.kwargs) -> T | str:
        try:
            with at_most(SECONDS):
                return page(*args, **named)
        except StillAsking as asking:
            return render_template("statistics/asking.html", done=asking.done, of=asking.of)

    return page_or_progress
