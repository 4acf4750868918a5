"""Export, import, verify and audit records."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated
from uuid import UUID

from flask import Response, request
from msgspec import Meta

from daybook.domain.kernel.frozen import Frozen
from daybook.services.exchange import bgstats
from daybook.services.files import import_export
from daybook.services.files.audit import audit
from daybook.services.files.import_export import AlreadyStoredError, RecordsDivergeError, import_link_id
from daybook.services.files.recordfile import BadFileError, RefusedLineError
from daybook.services.files.signed_seats import sign_file
from daybook.services.files.verify import BadReceiptError, verify_game
from daybook.services.permissions import access
from daybook.services.permissions.actions import has_role, may
from daybook.services.permissions.visits import Visit
from daybook.services.play import period_scores
from daybook.services.play.writing import Receipt
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.services.store.log import RecordErasedError
from daybook.services.structs import copy_fields
from daybook.web.api.answers import Audited, Opened, PlayOffered, ScoresShown, Verified, audit_shown, scores_shown
from daybook.web.api.base import READ, body, book, section
from daybook.web.api.errors import ApiError
from daybook.web.api.game_links import opened_answer
from daybook.web.api.keys import ASK, holder, requested_visit
from daybook.web.api.requests import OnceSecret
from daybook.web.request.api_errors import Error, error_answer
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.byte_counts import stranger_mark
from daybook.web.request.counts import importer, take
from daybook.web.request.long_work import takes_long
from daybook.web.request.plays import play_of_visit

RECORD = "application/x-ndjson"
RECORD_KINDS = (RECORD, "application/octet-stream")

files = section("Records", "A game as a file that anyone can replay and verify, its seals, and its scores.")


class ImportQuery(Frozen):
    public: bool = False  # everyone may read it


class ReceiptQuery(Frozen):
    # a seal that was given to you, or at least its first 12 characters
    receipt: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


files.register_error_handler(
    BadReceiptError,
    lambda e: error_answer(422, Error("bad_receipt", "", str(e), "give the seal that was handed out with a step", {})),
)
files.register_error_handler(
    RecordsDivergeError,
    lambda e: error_answer(
        409,
        Error(
            "parted", "", str(e), "keep the file; it is another record of the game from that step on", {"step": e.step}
        ),
    ),
)


limit_bodies(files, RECORD_FILE_BYTES, "import_record")


@files.errorhandler(BadFileError)
def bad_file(error: BadFileError) -> Response:
    """Return the error of a record file that cannot be imported."""
    rule, code = (error.rule, error.reason.key) if isinstance(error, RefusedLineError) else ("", "bad_file")
    return error_answer(
        422,
        Error(
            code,
            rule,
            str(error),
            "correct the line and send the file again; nothing was taken from it",
            {"line": error.line},
        ),
    )


@files.route("/games/<uuid:game_id>/record")
@files.response(200, {"type": "string"}, content_type=RECORD, description="the record file, JSON Lines")
@files.failing(*READ)
@takes_long("GET")
def export_record(game_id: UUID) -> Response:
    """Export a game as a record file

    The file has a header and every step with its seal, with all hidden information. While a game runs, only the
    scorekeeper can export it, and not while offers are sealed. Afterwards every reader of the game can.
    """
    _visit_of_all(game_id, "the record holds what hands hold")
    file = sign_file(book(), import_export.export_game(book(), game_id))
    return Response(
        file,
        mimetype=RECORD,
        headers={"Content-Disposition": f'attachment; filename="{game_id}.daybook"', "Cache-Control": "no-store"},
    )


def _visit_of_all(game_id: UUID, because: str) -> Visit:
    """Return the visit of a caller with the right to export. Raises ApiError."""
    visit = requested_visit(game_id)
    if not may(visit, "export"):
        raise ApiError(
            403,
            "not_your_view",
            f"{because}, and the game is still running",
            "send the scorekeeper's key while no offers are sealed, or wait until the game is closed",
        )
    return visit


@files.route("/games/import", methods=["POST"])
@files.arguments(OnceSecret, location="headers")
@files.arguments(ImportQuery, location="query")
@files.doc(requestBody={"required": True, "content": {RECORD: {"schema": {"type": "string"}}}})
@files.answers(201, Opened, "the game and its links", fails=(400, 401, 403, 409, 410, 413, 415, 422, 429, 503))
@takes_long("POST")
def import_record(headers: OnceSecret, query: ImportQuery) -> Opened:
    """Import a record file

    Send a full file with its seals, or a bare file with decisions only, which the rules complete. A repeated import
    changes nothing. A longer record of a known game adds the missing steps; this needs the scorekeeper's key.
    """
    file = body(request, RECORD_KINDS)
    game_id = import_export.game_id_in(file)
    link, known = import_link_id(game_id, headers.key), book().log.entries(game_id)
    if known:
        _refuse_stranger(game_id, link)
    else:
        take("game")
    stranger = stranger_mark(game_id)
    try:
        import_export.import_file(
            book(), file, query.public, may_extend=bool(known), keeper=link, importer=importer(), stranger=stranger
        )
    except AlreadyStoredError:  # a concurrent request imported it
        _refuse_stranger(game_id, link)
        import_export.import_file(book(), file)
    game = book().games.get(game_id)
    access.make_first_grants(book(), game_id, keeper=link)
    _refuse_stranger(game_id, link)
    return opened_answer(Receipt(game_id, game.step, game.seal, repeated=game.step < len(known)))


def _refuse_stranger(game_id: UUID, link: str) -> None:
    """Raise ApiError for a game that exists, unless the caller is its scorekeeper or importer."""
    if access.is_reserved(book(), link):
        return
    grant = access.grant_of(book(), link) or holder(game_id)
    if grant is None:
        raise ApiError(401, "key_missing", "this game was already imported", ASK)
    if not has_role([grant], game_id, "manage"):
        raise ApiError(403, "not_allowed", "this game was already imported; only its scorekeeper can add to it", ASK)


@files.reads("/games/<uuid:game_id>/verify", Verified, "whether the record holds", query=ReceiptQuery)
@takes_long("GET")
def verify_record(query: ReceiptQuery, game_id: UUID) -> Verified:
    """Verify a record's seals

    The answer says if every step matches its seal and, with `receipt`, which step has that seal. Everyone may verify an
    erased record, which has only its last seal.
    """
    steps = None
    with suppress(RecordErasedError):
        steps = len(requested_visit(game_id).game.entries)
    found = verify_game(book(), game_id, query.receipt, steps)
    return copy_fields(Verified, found)


@files.reads("/games/<uuid:game_id>/audit", Audited, "where today's rules disagree")
@takes_long("GET")
def audit_record(game_id: UUID) -> Audited:
    """Audit a record against today's rules

    The answer has every step that differs from today's rules. The record is not changed. While a game runs, only the
    scorekeeper may audit it.
    """
    return audit_shown(audit(_visit_of_all(game_id, "an audit tells what hands hold").game))


@files.reads("/games/<uuid:game_id>/scores", ScoresShown, "the score sheets")
@takes_long("GET")
def show_scores(game_id: UUID) -> ScoresShown:
    """Show the score sheets

    The answer has a sheet for each finished period, and the final one. Each line has its rule and figures. The running
    score is in the position.
    """
    return scores_shown(period_scores.score_sheets(book(), requested_visit(game_id).game))


@files.reads("/games/<uuid:game_id>/bg-stats", PlayOffered, "the play")
def offer_play(game_id: UUID) -> PlayOffered:
    """Give a finished game to BG Stats

    Daybook sends nothing to BG Stats. If you open the address on a device with the app, the app offers to add the play.
    The address has the names of all players. The answer is 404 while the game runs, and for abandoned and practice games.
    """
    play = play_of_visit(requested_visit(game_id))
    if play is None:
        raise ApiError(404, "no_result", "the game has no result", "try again when the game is closed")
    return PlayOffered(bgstats.encode_play(play), bgstats.create_link(play))
