"""Which requests a standby of the database answers: what only reads, and nothing that leads to what is written.

What a page of record or a form says has to be the newest, and so it is asked of the primary, as is everything that is
not named here.
"""

from __future__ import annotations

import logging

from flask import Flask, current_app, g, request

from daybook.services.store.daybook import Daybook
from daybook.web.request.security import SAFE

ALL_OF = frozenset(  # parts of which every page only shows
    {"luck", "moments", "openings", "pictures", "ratings", "replay", "score", "season", "season_picture", "statistics"}
)
BESIDE = frozenset(
    {
        "Clubs.show_ratings",
        "Clubs.show_standings",
        "Games.list_games",
        "Reading.show_replay",
        "Records.show_scores",
        "home.home",
        "person.person",
    }
)
API_PARTS = frozenset({"Statistics"})

logger = logging.getLogger(__name__)


def read_from_standby(app: Flask) -> None:
    app.before_request(_choose)


def only_reads(endpoint: str | None) -> bool:
    return endpoint is not None and (endpoint in BESIDE or endpoint.partition(".")[0] in ALL_OF | API_PARTS)


def _choose() -> None:
    opened: Daybook = current_app.extensions["daybook"]
    if opened.standby is not None and request.method in SAFE and only_reads(request.endpoint):
        g.standby = opened.standby.caught_up()


def give_up(why: Exception) -> bool:
    """Whether this request was answered from a standby; from now on the primary answers it."""
    if g.pop("standby", None) is None:
        return False
    opened: Daybook = current_app.extensions["daybook"]
    assert opened.standby is not None
    opened.standby.fitness.give_up(why)
    return True
