"""Progress of slow statistics pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import render_template

from daybook.services.statistics.partial_answers import AnswerTimeoutError, answer_time_limit

MAX_WAIT_SECONDS = 0.6  # before a page shows its progress

P = ParamSpec("P")
T = TypeVar("T")


def with_progress(page: Callable[P, T]) -> Callable[P, T | str]:
    """Let a page show its progress while its answer takes long; it reloads itself."""

    @wraps(page)
    def page_or_progress(*args: P.args, **named: P.kwargs) -> T | str:
        try:
            with answer_time_limit(MAX_WAIT_SECONDS):
                return page(*args, **named)
        except AnswerTimeoutError as asking:
            return render_template("statistics/asking.html", done=asking.done, of=asking.of)

    return page_or_progress
