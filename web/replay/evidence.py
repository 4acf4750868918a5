"""Evidence: the seal at any step as a code and a QR, receipts to save, and the comparison of a record with a receipt."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, make_response, render_template, request

from daybook.domain.kernel.record import Game
from daybook.services.files import receipt_keys, receipts
from daybook.services.files.receipts import BadReceiptFileError, Evidence, ReceiptCheck
from daybook.services.permissions.visits import Visit
from daybook.web.boards import table_privacy
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import parse_number
from daybook.web.request.origin import own_address
from daybook.web.request.security import file_response, file_stem
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import reason_sentence, say

page = Blueprint("evidence", __name__)


@page.url_value_preprocessor
def let_receipts_in(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if endpoint == "evidence.check_receipt":
        request.max_content_length = receipts.MAX_RECEIPT_BYTES + 10_000


@page.get("/games/<uuid:game_id>/receipt")
def receipt(game_id: UUID) -> Response:
    return _evidence_page(visit_game(game_id))


def _evidence_page(visit: Visit, checked: ReceiptCheck | None = None, error: str = "", status: int = 200) -> Response:
    game = visit.game
    step = _requested_step(game)
    return make_response(
        render_game_page(
            "receipt.html",
            visit,
            step=step,
            evidence=receipts.issue_receipt(book(), game.id, step),
            outcome=game.ruleset.scoring.outcome(game.board_at(step)),
            hangs=table_privacy.veil_in_force(game) is not None,
            checked=checked,
            wrong=error,
            address=own_address(),
        ),
        status,
    )


def _requested_step(game: Game) -> int:
    """Return the requested step, or the newest."""
    sent = request.args.get("step", "")
    if not sent:
        return game.step
    step = parse_number(sent)
    if step is None or not 0 <= step <= game.step:
        raise NoSuchStepError(game)
    return step


@page.get("/games/<uuid:game_id>/receipt/file")
def file(game_id: UUID) -> Response:
    """Return the receipt as a file for readers of the game."""
    visit = visit_game(game_id)
    issued: Evidence = receipts.issue_receipt(book(), game_id, _requested_step(visit.game))
    name = file_stem(visit.kept.title, "game")
    return file_response(receipts.encode_receipt(issued), f"{name}-{issued.step}.receipt", "application/json")


@page.post("/games/<uuid:game_id>/receipt")
def check_receipt(game_id: UUID) -> Response:
    """Compare this game's record with an uploaded receipt."""
    visit = visit_game(game_id)
    sent = request.files.get("receipt")
    content = sent.read() if sent is not None else b""
    if not content:
        return _evidence_page(visit, error=say("Choose the receipt file that was saved."), status=422)
    try:
        return _evidence_page(visit, _checked(visit, content))
    except BadReceiptFileError as wrong:
        return _evidence_page(visit, error=as_sentence(reason_sentence(wrong.reason)), status=422)


def _checked(visit: Visit, content: bytes) -> ReceiptCheck:
    receipt = receipts.read_receipt(content)
    return receipts.verify_game(book(), visit.game.id, receipt, len(visit.game.entries))


@page.get("/verifying")
def verifying() -> str:
    """Explain how to verify a record."""
    return render_template("verifying.html", keys=receipt_keys.keys_shown(book()))
