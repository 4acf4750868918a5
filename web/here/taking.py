"""Games that come to this device from a service for an evening, and go back there.

The pages' scripts speak to the service, which is where the folder of this device's files came from; what is kept here
is asked for and told by these addresses.
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
    """A game as a service gave it. key: hands it back; step: the lease; person, name: who records; record: the file;
    draw_seed: of the game's draws, in hexadecimal digits.
    """

    key: str
    step: int
    person: str
    name: str
    record: str
    draw_seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""


limit_bodies(page, 2 * RECORD_FILE_BYTES)  # a record, as JSON, which is longer


@page.get("/take")
def take() -> str:
    """Prepares this device for the game that the service's page named, and takes it."""
    return render_template("take.html", game_id=request.args.get("game", type=UUID) or abort(404))


@page.post("/take/try")
def try_storage() -> Response:
    """Writes something into this device's storage and reads it again: the session lies there."""
    session["tried"] = request.form.get("key", "")[:40]
    return json_answer()


@page.get("/take/try")
def read_back() -> Response:
    return json_answer(key=session.get("tried", ""))


@page.post("/take/<uuid:game_id>")
def keep(game_id: UUID) -> Response:
    """Keep a game that was taken. The same again changes nothing."""
    try:
        given = decode_json(request.get_data(), TakenGame)
        file = given.record.encode()
        if import_export.game_id_in(file) != game_id:
            abort(400)
        import_export.import_file(book(), file, leased=True)
    except (msgspec.DecodeError, RecursionError):
        abort(400)
    except BadFileError as wrong:
        return json_answer(422, wrong=words.fault_sentence(wrong.fault))
    except RecordsDivergeError:
        return json_answer(
            409, wrong=say("This device has another version of this game. Save it as a file and delete it here first.")
        )
    held = held_lease(book(), game_id)
    if held is None or held.step != given.step:
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
def what_is_held(game_id: UUID) -> Response:
    """What the script of the page needs. lines: those after a step, as they are sealed."""
    visit, held = _held_game(game_id)
    if holds_sealed(visit.game):
        return json_answer(409, wrong=say("Offers are still sealed. Hand the game back after they are revealed."))
    after = parse_number(request.args.get("after", ""))
    after = held.step if after is None else max(0, after)
    lines = [entry.line.decode() for entry in visit.game.entries[after + 1 :]]
    return json_answer(key=held.key, step=held.step, newest=visit.game.step, lines=lines, now=now())


@page.post("/games/<uuid:game_id>/hand-back")
def handed_back(game_id: UUID) -> Response:
    """The service has everything: nothing is recorded here any more."""
    visit, _ = _held_game(game_id)
    end_lease(book(), visit.game.id)
    return json_answer()


@page.get("/games/<uuid:game_id>/give")
def give(game_id: UUID) -> str:
    """A game that began on this device goes to the service."""
    visit = _own(game_id)
    return render_game_page("give.html", visit, sealed=holds_sealed(visit.game))


@page.get("/games/<uuid:game_id>/give.json")
def record(game_id: UUID) -> Response:
    visit = _own(game_id)
    if holds_sealed(visit.game):
        abort(403)
    return json_answer(record=import_export.export_game(book(), game_id).decode())


def _own(game_id: UUID) -> Visit:
    """A game that this device took from nobody; 404 for another one."""
    visit = visit_game(game_id)
    require_keeper(visit)
    return abort(404) if held_lease(book(), game_id) else visit


def _held_game(game_id: UUID) -> tuple[Visit, HeldLease]:
    """A game that this device took; 404 for another one."""
    visit = visit_game(game_id)
    require_keeper(visit)
    held = held_lease(book(), game_id)
    return (visit, held) if held else abort(404)
