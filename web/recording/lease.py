"""A game kept on one device for an evening: who records it, taking it, and handing it back.

A page for people says who has the game and lets the scorekeeper take it or end the lease. What a device does (take the
record with it, bring its lines back) it asks for as JSON: taking with the scorekeeper's cookie and form token, the rest
with the key of its lease as `Authorization: Bearer`, which no other site's page can send.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, jsonify, make_response, redirect, render_template, request, url_for
from werkzeug import Response

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DeviceKind
from daybook.services.files import import_export, leases
from daybook.services.files.audit import Finding
from daybook.services.files.import_export import FILE_LIMIT, RecordsDiverge
from daybook.services.files.leases import Disagreed, Lease, NotALease
from daybook.services.files.recordfile import BadFile
from daybook.services.people import access
from daybook.services.play.recording import BadKey, Conflict, KeyUsed
from daybook.services.store.games import UnknownGame
from daybook.services.visits import Visit
from daybook.web import words
from daybook.web.request.access import bearer_key, book, keeper_of, visit_game
from daybook.web.request.forms import fresh_key
from daybook.web.request.origin import wrong_key
from daybook.web.request.security import csrf_token
from daybook.web.site.here import is_built
from daybook.web.words import say

page = Blueprint("lease", __name__)


@page.url_value_preprocessor
def let_records_in(endpoint: str | None, values: dict[str, object] | None) -> None:
    """A record, or what a device wrote of one, is larger than a form: said before anybody looks at the body."""
    request.max_content_length = FILE_LIMIT


# --- pages -----------------------------------------------------------------------------------------------------------


@page.get("/games/<uuid:id>/lease")
def lease(id: UUID) -> str:
    """Who records the game, and what the scorekeeper can do about it."""
    visit = visit_game(id)
    return render_template(
        "lease.html", visit=visit, game=visit.game, kept=visit.kept, lease=leases.lease_now(visit.game),
        built=is_built(), why_not=_why_not(visit), key=fresh_key())


def _why_not(visit: Visit) -> str:
    """Why the game cannot be taken now; empty: it can."""
    if not visit.running:
        return say("The game is not being played any more.")
    if access.holds_sealed(visit.game):
        return say("Offers lie sealed. Take the game when they have been revealed.")
    return ""


@page.post("/games/<uuid:id>/lease/end")
def end_here(id: UUID) -> Response:
    """Record here again, without what the device wrote since."""
    visit = visit_game(id)
    grant = keeper_of(visit)
    try:
        leases.end_here(book(), id, request.form.get("why", ""), by=grant.by, key=request.form.get("key", ""))
    except BadKey:
        abort(400)
    except (Refused, KeyUsed) as no:
        reason = words.reason_sentence(no.reason) if isinstance(no, Refused) else say("the game has moved on")
        flash(say("Nothing was saved: {reason}.", reason=reason))
        return redirect(url_for("lease.lease", id=id), 303)
    return redirect(url_for("record.record", id=id), 303)


@page.post("/games/<uuid:id>/lease/file")
def by_file(id: UUID) -> Response:
    """The scorekeeper brings what the device saved as a file."""
    visit = visit_game(id)
    keeper_of(visit)
    held, sent = leases.lease_now(visit.game), request.files.get("record")
    try:
        if held is None or sent is None or not sent.filename:
            raise BadFile(1, "choose the file that the device saved, which ends in .daybook")
        file = sent.read()
        if import_export.game_id_in(file) != id:
            raise BadFile(1, "the file holds another game")
        leases.hand_back(book(), held, file.partition(b"\n")[2])
        leases.end(book(), held, "", key=request.form.get("key", ""))
    except BadKey:
        abort(400)
    except BadFile as wrong:
        flash(say("Nothing was handed back: {why}.", why=words.fault_sentence(wrong.fault)))
    except Disagreed as no:
        first = _findings(no.findings)[0]
        flash(say("Nothing was handed back: the rules do not agree with step {n}: {why}.",
                  n=first["step"], why=first["says"]))
    except (RecordsDiverge, Refused, KeyUsed):
        flash(say("Nothing was handed back: the game was recorded here meanwhile."))
    else:
        return redirect(url_for("replay.replay", game_id=id), 303)
    return redirect(url_for("lease.lease", id=id), 303)


# --- for the device --------------------------------------------------------------------------------------------------


@page.get("/games/<uuid:id>/lease.json")
def state(id: UUID) -> Response:
    """What a device asks before it takes the game: with the scorekeeper's link alone."""
    visit = visit_game(id)
    keeper_of(visit)
    held = leases.lease_now(visit.game)
    return _json_answer(
        title=visit.kept.title, step=visit.game.step, csrf=csrf_token(), leased=held is not None,
        why_not=_why_not(visit))


@page.post("/games/<uuid:id>/lease")
def take(id: UUID) -> Response:
    """Take the game: the record as it is then, and what hands it back."""
    visit = visit_game(id)
    grant = keeper_of(visit)
    try:
        taken = leases.take(book(), id, _device(), by=grant.by, key=request.form.get("key", ""))
    except BadKey:
        abort(400)
    except (Conflict, KeyUsed):
        return _json_answer(409, wrong=say("The game has moved on meanwhile: try again."))
    except Refused as no:
        return _json_answer(409, wrong=words.reason_sentence(no.reason))
    writer = access.writer_of(taken.by)
    return _json_answer(
        key=leases.key_of(book(), taken, grant.id), step=taken.step, person=writer,
        name=book().kept.names([writer]).get(writer, "") if writer else "",
        record=import_export.export_game(book(), id).decode())


def _device() -> DeviceKind:
    agent = request.user_agent.string
    if "iPad" in agent or "Tablet" in agent or ("Android" in agent and "Mobile" not in agent):
        return "tablet"
    return "phone" if "Mobile" in agent or "iPhone" in agent else "computer"


def with_lease(view: Callable[[Lease], Response]) -> Callable[[UUID], Response]:
    """A view for whoever has the key of a lease of the game in the address."""
    @wraps(view)
    def for_holder(id: UUID) -> Response:
        try:
            held = leases.lease_of_key(book(), bearer_key() or "")
        except (NotALease, UnknownGame):
            wrong_key()
            return _json_answer(403, wrong=say("This device has no lease of this game."))
        return view(held) if held.game == id else _json_answer(403, wrong=say("This device has no lease of this game."))

    return for_holder


@page.get("/games/<uuid:id>/lease/state")
@with_lease
def progress(held: Lease) -> Response:
    """How far the record here has come: a device sends what comes after it."""
    game = book().games.get(held.game)
    return _json_answer(step=game.step, seal=game.seal, ended=held.ended, broken=held.broken)


@page.post("/games/<uuid:id>/lease/lines")
@with_lease
def hand_back(held: Lease) -> Response:
    """Some lines of what the device wrote, from a step that is here or the next one on."""
    try:
        back = leases.hand_back(book(), held, request.get_data(), accept=request.args.get("accept") == "yes")
    except RecordsDiverge as parted:
        return _json_answer(409, parted=parted.step, wrong=say("The game was recorded here meanwhile."))
    except Disagreed as no:
        return _json_answer(
            422, findings=_findings(no.findings), wrong=say("The rules do not agree with what was recorded."))
    except BadFile as wrong:
        return _json_answer(422, wrong=words.fault_sentence(wrong.fault), line=wrong.line)
    return _json_answer(step=back.step, seal=back.seal, findings=_findings(back.findings))


@page.post("/games/<uuid:id>/lease/return")
@with_lease
def end(held: Lease) -> Response:
    """The device has handed everything back: from now on the game is recorded here. A repeated request is answered
    alike."""
    if held.ended is None:
        try:
            leases.end(book(), held, request.form.get("clock", ""), key=request.form.get("key", ""))
        except BadKey:
            abort(400)
        except (Refused, KeyUsed):
            return _json_answer(409, wrong=say("The game was recorded here meanwhile."))
    elif held.broken:
        return _json_answer(409, wrong=say("The game was recorded here meanwhile."))
    return _json_answer(address=url_for("replay.replay", game_id=held.game))


@page.post("/games/<uuid:id>/lease/what-if")
@with_lease
def keep_apart(held: Lease) -> Response:
    """What the device wrote after its lease was ended here, kept as a what-if of whoever took it."""
    try:
        fork = leases.keep_as_what_if(
            book(), held, request.get_data(), say("From the device, step {n}", n=held.step))
    except BadFile as wrong:
        return _json_answer(422, wrong=words.fault_sentence(wrong.fault), line=wrong.line)
    except (Refused, RecordsDiverge) as no:
        return _json_answer(422, wrong=words.reason_sentence(no.reason) if isinstance(no, Refused) else str(no))
    return _json_answer(address=url_for("what_if.line", id=held.game, fork=fork.id))


def _findings(found: Sequence[Finding]) -> list[dict[str, Any]]:
    return [{"step": one.step, "rule": one.rule, "says": words.reason_sentence(one.reason) if one.reason else one.says}
            for one in found]


def _json_answer(status: int = 200, **fields: Any) -> Response:
    answer = make_response(jsonify(fields), status)
    answer.headers["Cache-Control"] = "no-store"
    return answer
