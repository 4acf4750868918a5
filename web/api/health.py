"""Whether this Daybook works."""

from __future__ import annotations

from services import views
from web.api.answers import HealthShown
from web.api.base import book, section

health = section("Health", "Whether this Daybook works.")


@health.route("/health")
@health.answers(200, HealthShown, "how it fares", fails=(400, 503))
def show_health() -> HealthShown:
    """How this Daybook fares

    `ok` while recording and reading work. What follows the log (lists, score sheets) is told apart: recording never
    waits for it.
    """
    book().log.newest()
    return HealthShown(True, views.how_all_fare(book()))
