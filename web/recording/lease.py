"""The lease page: which device records the game, and how to end that here or with a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, request
from werkzeug import Response

from daybook.domain.commands import EndLease
from daybook.domain.kernel.chronicle import Refused
from daybook.services.files import import_export, leases
from daybook.services.files.audit import Finding
from daybook.services.files.import_export import RecordsDivergeError
from daybook.services.files.leases import RulesDisagreeError
from daybook.services.files.recordfile import BadFileError
from daybook.services.permissions.actions import require
from daybook.services.permissions.sights import holds_sealed
from daybook.services.permissions.visits import Visit
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.web import words
from daybook.web.request.access import book, render_game_page, require_keeper, visit_game
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.forms import fresh_key, key_sent, see_other, why_sent
from daybook.web.request.long_work import takes_long
from daybook.web.site.here import is_built
from daybook.web.words import say

page = Blueprint("lease", __name__)


limit_bodies(page, RECORD_FILE_BYTES)  # a record file, whole or in part


@page.get("/games/<uuid:game_id>/lease")
def lease(game_id: UUID) -> str:
    """Show which device records the game and the scorekeeper's options."""
    visit = visit_game(game_id)
    return render_game_page(
        "lease.html",
        visit,
        lease=leases.current_lease(visit.game),
        built=is_built(),
        why_not=lease_obstacle(visit),
        key=fresh_key(),
    )


def lease_obstacle(visit: Visit) -> str:
    """Return why the game cannot be taken now; "" if it can."""
    if not visit.running:
        return say("This game is no longer being played.")
    if holds_sealed(visit.game):
        return say("Offers are still sealed. Take the game after they are revealed.")
    return ""


def _visit_leased_elsewhere(game_id: UUID) -> Visit:
    """Return a visit of a game that another device records; 404 if it is this one."""
    visit = visit_game(game_id)
    return abort(404) if visit.held is not None and visit.held.step == visit.game.lease else visit


@page.post("/games/<uuid:game_id>/lease/end")
def end_here(game_id: UUID) -> Response:
    """End the lease and record here again, without the steps that the device has not handed back."""
    visit = _visit_leased_elsewhere(game_id)
    by = require(visit, EndLease).by
    try:
        leases.end_here(book(), game_id, why_sent(), by=by, key=key_sent())
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=words.reason_sentence(no.reason)), "wrong")
        return see_other("lease.lease", game_id=game_id)
    return see_other("record.record", game_id=game_id)


@page.post("/games/<uuid:game_id>/lease/file")
@takes_long("POST")
def by_file(game_id: UUID) -> Response:
    """Import the file that the device saved."""
    visit = _visit_leased_elsewhere(game_id)
    require_keeper(visit)
    lease, sent = leases.current_lease(visit.game), request.files.get("record")
    try:
        if lease is None or sent is None or not sent.filename:
            raise BadFileError(1, "choose the file that the device saved, which ends in .daybook")
        file = sent.read()
        if import_export.game_id_in(file) != game_id:
            raise BadFileError(1, "the file contains another game")
        leases.hand_back(book(), lease, file.partition(b"\n")[2])
        leases.end_lease(book(), lease, "")
    except BadFileError as error:
        flash(say("Nothing was handed back: {why}.", why=words.fault_sentence(error.fault)), "wrong")
    except RulesDisagreeError as no:
        first = describe_findings(no.findings)[0]
        flash(
            say(
                "Nothing was handed back: the rules do not agree with step {n}: {why}.",
                n=first["step"],
                why=first["says"],
            )
        )
    except (RecordsDivergeError, Refused):
        flash(say("Nothing was handed back: the game was recorded here in the meantime."), "wrong")
    else:
        return see_other("replay.replay", game_id=game_id)
    return see_other("lease.lease", game_id=game_id)


def describe_findings(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Describe the rules' disagreements."""
    return [
        {
            "step": finding.step,
            "rule": finding.rule,
            "says": words.reason_sentence(finding.reason) if finding.reason else finding.says,
        }
        for finding in findings
    ]
