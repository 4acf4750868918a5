"""The state of the service."""

from __future__ import annotations

from flask import Response, current_app

from daybook.services.operation import unnamed_proxy
from daybook.services.operation.health import Pulse
from daybook.services.store.migrations import newest_version
from daybook.web.api.answers import HealthShown
from daybook.web.api.base import json_answer, section

health = section("Health", "The state of the service.")


@health.route("/health")
@health.response(200, HealthShown.__name__, description="how it fares")
@health.alt_response(
    503,
    schema=HealthShown.__name__,
    description=("nothing can be recorded: the database is away, or the disk takes nothing"),
)
@health.failing(400)
def show_health() -> Response:
    """Show the state of the service

    `ok` is true while recording and reading work. The answer comes within two seconds.

    The answer is 503 if the database cannot be reached (`away`), if the disk cannot be written (`disk`), or if no
    heartbeat was committed for 5 seconds. Recording does not wait for the queue, nor for lists and score sheets
    (`projections`).

    `ok` is also false if a part is silent or behind (`complaints`), or if a record cannot be read. Such a record is set
    aside and the others keep working: `unreadable_records` counts them, and `daybook doctor` names them. `ok` is false
    as well if another host upgraded the kept tables to a version that this one does not know: install that version here.
    `advice` lists other settings to change, such as a proxy that is not named.
    """
    pulse: Pulse = current_app.extensions["pulse"]
    found = pulse.check_reachability()
    gone = not found.records
    known = newest_version()
    complaints = tuple(f"{complaint.about}: {complaint.says}" for complaint in found.complaints())
    fares = HealthShown(
        not (gone or found.unreadable_records or complaints) and found.kept is not None and found.kept <= known,
        found.projections,
        found.away,
        found.unreadable_records,
        found.kept,
        known,
        found.disk or "",
        round(found.unanswered, 1),
        _rounded(found.behind),
        _rounded(found.silent),
        _rounded(found.queue.oldest),
        found.queue.failed,
        complaints,
        [unnamed_proxy.ADVICE] if unnamed_proxy.is_unnamed(pulse.book.settings) else [],
    )
    return json_answer(fares, 503 if gone else 200, {"Retry-After": "5"} if gone else {})


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 1) for name, value in seconds.items()}
