"""Bytes that requests store, counted for the person, else for the link, the address and all strangers together."""

from __future__ import annotations

import logging
from uuid import UUID

import msgspec
from flask import Flask, current_app, request

from daybook.services.clock import later_time, now
from daybook.services.people.byte_limits import STRANGERS, ByteCounts, client_of_address, clients_of, require_room
from daybook.services.permissions import access
from daybook.services.permissions.actions import has_role
from daybook.services.store import stranger_marks
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.byte_meter import ByteMeter, current_meter, use_meter
from daybook.services.store.disk import CannotWriteError
from daybook.web.request import counts
from daybook.web.request.access import book, current_person, held_grants
from daybook.web.request.origin import client_address
from daybook.web.request.parts import is_device
from daybook.web.request.security import SAFE

DAY_SECONDS = 24 * 3600
NOT_COUNTED: tuple[type[Exception], ...] = (CannotWriteError, *UNAVAILABLE)
logger = logging.getLogger(__name__)

ALWAYS_ACCEPTED = frozenset(  # endpoints and blueprints that open games, record decisions or sign in
    {
        "Clubs.open_evening_game",
        "Clubs.open_table",
        "Games.open_game",
        "Practice",
        "device_lease",
        "invited",
        "lease",
        "links.join",
        "new_game",
        "practice",
        "practice_table",
        "sign_in",
        "table.open_game",
    }
)


def count_bytes(app: Flask) -> None:
    """Count what requests store, and refuse additions of clients that stored too much today."""
    app.extensions["byte_counts"] = ByteCounts()
    app.before_request(_begin_metering)
    app.teardown_request(_end_metering)


def _begin_metering() -> None:
    if request.method in SAFE or request.endpoint is None or is_device():
        return
    always = {request.endpoint, request.endpoint.partition(".")[0]} & ALWAYS_ACCEPTED
    use_meter(ByteMeter(_accept_any_size if always else _require_room))


def _accept_any_size(_size: int) -> None:
    """Accept decisions and new games until the disk is full."""


def _require_room(size: int) -> None:
    require_room(book(), clients(), size)


def _end_metering(_wrong: BaseException | None) -> None:
    meter = current_meter()
    use_meter(None)
    if meter is None or not meter.bytes:
        return
    byte_counts: ByteCounts = current_app.extensions["byte_counts"]
    try:
        byte_counts.add(book(), clients(), meter.bytes)
    except NOT_COUNTED as wrong:  # what was stored is acknowledged all the same
        logger.warning("the bytes of a request are not counted: %s", wrong)


def clients() -> list[str]:
    """Return the names under which this request is counted: an account, a link, or an address with its networks.

    A link that is older than a day counts by itself: what others at its address store does not stop it. A newer one
    counts with its address, since new links come with each new game.
    """
    if request.view_args and "game_id" in request.view_args:
        caller = counts.writer()
        if caller.link and "" < access.created_at(book(), caller.link) < later_time(now(), hours=-24):
            caller = msgspec.structs.replace(caller, address="")
    else:
        caller = counts.maker(DAY_SECONDS)
        if caller.link:
            caller = msgspec.structs.replace(caller, address="")
    return clients_of(book(), caller)


def stranger_mark(game_id: UUID | None = None) -> str:
    """Return the mark of a stranger that uploads a file: how the bytes are counted; empty for no mark.

    A stranger is neither signed in nor the game's scorekeeper, on a public Daybook. Raises DiskNearlyFullError.
    """
    if not book().settings.public or current_person() is not None or is_device():
        return ""
    if game_id and has_role(held_grants(), game_id, "manage"):
        return ""
    stranger_marks.require_free_disk(book().settings)
    where = client_address()
    return client_of_address(book(), where) if where else STRANGERS
