"""JSON interface for devices that lease a game: take it and hand it back.

Taking requires the scorekeeper's cookie and form token; everything else the lease key as `Authorization: Bearer`, which
other sites cannot send.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from flask import Blueprint, request, url_for
from werkzeug import Response

from daybook.domain.commands import TakeLease
from daybook.domain.kernel.chronicle import Refused
from daybook.services.files import import_export, leases
from daybook.services.files.import_export import RecordsDivergeError
from daybook.services.files.leases import Lease, RulesDisagreeError, UnknownLeaseError
from daybook.services.files.recordfile import BadFileError
from daybook.services.people.writers import writer_of
from daybook.services.permissions import club_roles
from daybook.services.permissions.actions import LeaseVisit, may, require
from daybook.services.play.drawing import draw_seed
from daybook.services.play.repetition import MovedOnError
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.services.store.damage import DAMAGED
from daybook.services.store.game_cache import UnknownGameError
from daybook.services.store.log import RecordErasedError
from daybook.web import words
from daybook.web.recording.lease import describe_findings, lease_obstacle
from daybook.web.request.access import bearer_key, book, require_keeper, visit_game
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.counts import wrong_key
from daybook.web.request.forms import key_sent, text_sent
from daybook.web.request.json_answers import json_answer
from daybook.web.request.long_work import takes_long
from daybook.web.request.origin import kind_of_device
from daybook.web.request.security import csrf_token
from daybook.web.words import say

page = Blueprint("device_lease", __name__)


limit_bodies(page, RECORD_FILE_BYTES)  # a whole record, written by the device


@page.get("/games/<uuid:game_id>/lease.json")
def state(game_id: UUID) -> Response:
    """Return what a device needs before taking a game; requires the scorekeeper's link."""
    visit = visit_game(game_id)
    require_keeper(visit)
    lease = leases.current_lease(visit.game)
    return json_answer(
        title=visit.kept.title,
        step=visit.game.step,
        csrf=csrf_token(),
        leased=lease is not None,
        why_not=lease_obstacle(visit),
    )


@page.post("/games/<uuid:game_id>/lease")
def take(game_id: UUID) -> Response:
    """Lease the game to a device: return the record and the key that hands it back."""
    visit = visit_game(game_id)
    grant = require(visit, TakeLease)
    try:
        taken = leases.take_lease(book(), game_id, kind_of_device(), by=grant.by, key=key_sent())
    except MovedOnError:
        return json_answer(409, wrong=say("The game has continued in the meantime: try again."))
    except Refused as no:
        return json_answer(409, wrong=words.reason_sentence(no.reason))
    writer = writer_of(taken.by)
    return json_answer(
        key=leases.hand_back_key(book(), taken, grant.id),
        step=taken.step,
        person=writer,
        name=book().kept.names([writer]).get(writer, "") if writer else "",
        record=import_export.export_game(book(), game_id).decode(),
        draw_seed=draw_seed(book(), visit.game).hex(),
    )


def with_lease(view: Callable[[Lease], Response]) -> Callable[[UUID], Response]:
    """Make a view require the key of a lease of the game in the address."""

    @wraps(view)
    def for_holder(game_id: UUID) -> Response:
        try:
            lease = leases.lease_of_key(book(), bearer_key() or "")
        except RecordErasedError as erased:
            stone = erased.tombstone
            return json_answer(
                410,
                wrong=say(
                    "The server erased this game on {day}: {why}. To keep what is on this device, save it as a file.",
                    day=stone.at[:10],
                    why=stone.why,
                ),
            )
        except (UnknownLeaseError, UnknownGameError):
            wrong_key()
            return _unknown_lease_response()
        holds = lease.game == game_id and club_roles.keeps_still(book(), game_id, lease.owner)
        if not may(LeaseVisit(game_id, holds), "hand_back"):
            return _unknown_lease_response()
        return view(lease)

    return for_holder


def _unknown_lease_response() -> Response:
    """Return the response for an unknown lease, also after a new service secret or lost permission."""
    return json_answer(
        403,
        wrong=say(
            "The server does not know that this device has the game. Save the game as a file, and upload the file on the "
            "game’s page there."
        ),
    )


@page.get("/games/<uuid:game_id>/lease/state")
@with_lease
def progress(lease: Lease) -> Response:
    """Return the last step stored here, so that a device sends the following ones."""
    game = book().games.get(lease.game)
    return json_answer(step=game.step, seal=game.seal, ended=lease.ended, broken=lease.broken)


@page.post("/games/<uuid:game_id>/lease/lines")
@with_lease
@takes_long("POST")
def hand_back(lease: Lease) -> Response:
    """Import lines that the device wrote, from a stored step or the next one on."""
    try:
        back = leases.hand_back(book(), lease, request.get_data(), accept=request.args.get("accept") == "yes")
    except RecordsDivergeError as parted:
        return json_answer(409, parted=parted.step, wrong=say("The game was recorded here in the meantime."))
    except RulesDisagreeError as refusal:
        return json_answer(
            422,
            findings=describe_findings(refusal.findings),
            wrong=say("The rules do not agree with what was recorded."),
        )
    except BadFileError as wrong:
        return json_answer(422, wrong=words.fault_sentence(wrong.fault), line=wrong.line)
    return json_answer(step=back.step, seal=back.seal, findings=describe_findings(back.findings))


@page.post("/games/<uuid:game_id>/lease/return")
@with_lease
def end(lease: Lease) -> Response:
    """End the lease after everything was handed back; may be repeated."""
    try:
        leases.end_lease(book(), lease, text_sent("clock"))
    except Refused as refusal:
        if refusal.reason.key == DAMAGED:
            return json_answer(422, wrong=words.reason_sentence(refusal.reason))
        return json_answer(409, wrong=say("The game was recorded here in the meantime."))
    return json_answer(address=url_for("replay.replay", game_id=lease.game))


@page.post("/games/<uuid:game_id>/lease/what-if")
@with_lease
@takes_long("POST")
def keep_apart(lease: Lease) -> Response:
    """Keep lines written after the lease was ended here as a what-if."""
    try:
        fork = leases.keep_as_what_if(book(), lease, request.get_data(), say("From the device, step {n}", n=lease.step))
    except BadFileError as wrong:
        return json_answer(422, wrong=words.fault_sentence(wrong.fault), line=wrong.line)
    except (Refused, RecordsDivergeError) as refusal:
        return json_answer(
            422, wrong=words.reason_sentence(refusal.reason) if isinstance(refusal, Refused) else str(refusal)
        )
    return json_answer(address=url_for("what_if.line", game_id=lease.game, fork=fork.id))
