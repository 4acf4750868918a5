"""Games that this device takes from a server for a while and hands back.

The pages' scripts talk to the server, which also serves the files of this device. These addresses are for them to
store
and read what is on the device.
"""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from flask import Blueprint, Response, abort, render_template, request, session, url_for

from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.unique_keys import decode_json
from daybook.domain.sealed_entries import first_sealed
from daybook.services.clock import now
from daybook.services.files import import_export
from daybook.services.files.import_export import RecordsDivergeError
from daybook.services.files.recordfile import BadFileError
from daybook.services.permissions import access
from daybook.services.permissions.sights import holds_sealed
from daybook.services.permissions.visits import Visit
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.services.store.held_leases import HeldLease, end_lease, held_lease, store_lease
from daybook.web import words
from daybook.web.request.access import book, hold_grant, render_game_page, require_keeper, visit_game
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.forms import parse_number
from daybook.web.request.json_answers import json_answer
from daybook.web.words import say

page = Blueprint("taking", __name__)


class TakenGame(Exact):
    """A game as a server handed it out."""

    key: str  # hands the game back
    step: int  # of the lease
    person: str  # the id of the recording user
    name: str
    record: str  # the record file
    draw_seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""


limit_bodies(page, 2 * RECORD_FILE_BYTES)  # JSON text is longer than the record in it


@page.get("/take")
def take() -> str:
    """Prepare this device for the requested game of a server, and take it."""
    return render_template("take.html", game_id=request.args.get("game", type=UUID) or abort(404))


@page.post("/take/try")
def try_storage() -> Response:
    """Write a value into this device's session. The page reads it back to check that the storage works."""
    session["tried"] = request.form.get("key", "")[:40]
    return json_answer()


@page.get("/take/try")
def read_back() -> Response:
    return json_answer(key=session.get("tried", ""))


@page.post("/take/<uuid:game_id>")
def keep(game_id: UUID) -> Response:
    """Store a game that was taken from a server; may be repeated."""
    try:
        given = decode_json(request.get_data(), TakenGame)
        file = given.record.encode()
        if import_export.game_id_in(file) != game_id:
            abort(400)
        import_export.import_file(book(), file, leased=True)
    except (msgspec.DecodeError, RecursionError):
        abort(400)
    except BadFileError as error:
        return json_answer(422, wrong=words.fault_sentence(error.fault))
    except RecordsDivergeError:
        return json_answer(
            409, wrong=say("This device has another version of this game. Save it as a file and delete it here first.")
        )
    lease_held = held_lease(book(), game_id)
    if lease_held is None or lease_held.step != given.step:
        lease = HeldLease(game_id, given.step, given.key, given.person, now(), draw_seed=given.draw_seed)
        store_lease(book(), lease, given.name)
    hold_grant(next(grant for grant in access.make_first_grants(book(), game_id) if grant.role == "scorekeeper"))
    return json_answer(address=url_for("record.record", game_id=game_id))


@page.get("/games/<uuid:game_id>/hand-back")
def hand_back(game_id: UUID) -> str:
    visit, held = _held_game(game_id)
    return render_game_page(
        "hand_back.html", visit, held=held, steps=visit.game.step - held.step, sealed=first_sealed(visit.game)
    )


@page.get("/games/<uuid:game_id>/hand-back.json")
def lease_state(game_id: UUID) -> Response:
    """Return the lease of a game and its new lines, sealed, for the script of the hand-back page."""
    visit, held = _held_game(game_id)
    if holds_sealed(visit.game):
        return json_answer(409, wrong=say("Offers are still sealed. Hand the game back after they are revealed."))
    after = parse_number(request.args.get("after", ""))
    after = held.step if after is None else max(0, after)
    lines = [entry.line.decode() for entry in visit.game.entries[after + 1 :]]
    return json_answer(key=held.key, step=held.step, newest=visit.game.step, lines=lines, now=now())


@page.post("/games/<uuid:game_id>/hand-back")
def handed_back(game_id: UUID) -> Response:
    """Mark a game as handed back: it is no longer recorded here."""
    visit, _ = _held_game(game_id)
    end_lease(book(), visit.game.id)
    return json_answer()


@page.get("/games/<uuid:game_id>/give")
def give(game_id: UUID) -> str:
    """Upload a game that began on this device to a server."""
    visit = _visit_own_game(game_id)
    return render_game_page("give.html", visit, sealed=holds_sealed(visit.game))


@page.get("/games/<uuid:game_id>/give.json")
def record(game_id: UUID) -> Response:
    visit = _visit_own_game(game_id)
    if holds_sealed(visit.game):
        abort(403)
    return json_answer(record=import_export.export_game(book(), game_id).decode())


def _visit_own_game(game_id: UUID) -> Visit:
    """Return the visit of a game that began on this device; 404 for others."""
    visit = visit_game(game_id)
    require_keeper(visit)
    return abort(404) if held_lease(book(), game_id) else visit


def _held_game(game_id: UUID) -> tuple[Visit, HeldLease]:
    """Return the visit and lease of a game that was taken from a server; 404 for others."""
    visit = visit_game(game_id)
    require_keeper(visit)
    held = held_lease(book(), game_id)
    return (visit, held) if held else abort(404)
