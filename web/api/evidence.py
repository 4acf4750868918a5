"""Evidence: receipts to keep, and audits of every record that a key may read whole."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import request

from daybook.services.files import audits, receipt_keys, receipts
from daybook.services.files.receipt_keys import Shown
from daybook.services.files.receipts import Checked, Evidence
from daybook.services.people import access
from daybook.services.people.access import Grant
from daybook.services.store import read_models
from daybook.web.api.answers import audit_shown
from daybook.web.api.base import READ, WRITE, body, book, section
from daybook.web.api.dispute_answers import Asked, AuditedGame, AuditsShown
from daybook.web.api.keys import games_of_key, holder, member, reader
from daybook.web.api.schemas import At

evidence = section("Evidence", "What a record was at a moment, to keep and to hold it against; and audits.")


@evidence.route("/receipt-key")
@evidence.answers(200, Shown, "the keys")
def show_receipt_key() -> Shown:
    """Show the keys that receipts are signed with

    The one in use, and the earlier ones. Keep them somewhere else: from here alone they show nothing.
    """
    return receipt_keys.keys_shown(book())


@evidence.route("/games/<uuid:game_id>/receipt")
@evidence.arguments(At, location="query")
@evidence.answers(200, Evidence, "the receipt", fails=READ)
def give_receipt(asked: dict[str, Any], game_id: UUID) -> Evidence:
    """Give out a receipt

    What the record was after a step: header, seals, standing, time and a signature. For everybody who may read it.
    """
    reader(game_id)
    return receipts.issue(book(), game_id, asked.get("step"))


@evidence.route("/games/<uuid:game_id>/receipt", methods=["POST"])
@evidence.doc(
    requestBody={
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Evidence"}}},
    }
)
@evidence.answers(200, Checked, "what came of it", fails=WRITE)
def hold_against_receipt(game_id: UUID) -> Checked:
    """Hold the record against a receipt

    unchanged; extended since; altered, and at which step; shortened; or another game's.
    """
    reader(game_id)
    request.max_content_length = receipts.RECEIPT_LIMIT
    return receipts.verify_game(book(), game_id, receipts.read_receipt(body(request, ("application/json",))))


@evidence.route("/audits")
@evidence.answers(200, AuditsShown, "the newest audits", fails=READ)
def list_audits() -> AuditsShown:
    """List the newest audits

    Of the public games that have ended, and of the key's own if it may have the whole record.
    """
    holder()
    ids = {row.game for row in read_models.list_games(book(), public_only=True)} | games_of_key()
    told = {id for id in ids if _may_read_whole(id, holder(id))}
    return AuditsShown(
        len({*audits.games_due(book())} & told),
        [
            AuditedGame(str(one.game), one.step, one.at, audit_shown(one.audited))
            for one in audits.results(book(), told)
        ],
    )


def _may_read_whole(id: UUID, grant: Grant | None) -> bool:
    return access.may_export(book().games.get(id), grant if grant is not None and grant.game == id else None)


@evidence.route("/games/<uuid:game_id>/audit", methods=["POST"])
@evidence.needs_key
@evidence.answers(202, Asked, "it waits for its audit", fails=(*READ, 413, 415))
def ask_for_audit(game_id: UUID) -> Asked:
    """Have a game audited by a worker

    For the scorekeeper. GET /games/{game}/audit audits on the spot; GET /audits lists what workers found.
    """
    member(game_id, "scorekeeper")
    return Asked(audits.request_audits(book(), {game_id}))
