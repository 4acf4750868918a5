"""Evidence: receipts of records, and audits of the records that a key may read in full."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from flask import request

from daybook.domain.kernel.field_types import Step
from daybook.domain.kernel.frozen import Frozen
from daybook.services.files import audits, receipt_keys, receipts
from daybook.services.files.receipt_keys import PublishedKeys
from daybook.services.files.receipts import Evidence, ReceiptCheck
from daybook.services.league.seekers import seeker_of
from daybook.services.permissions.actions import may_with, readable_games, require
from daybook.services.play.game_search import GameFilter, search_games
from daybook.services.store import read_models
from daybook.services.store.log import RecordErasedError
from daybook.web.api.answers import audit_shown
from daybook.web.api.base import ASK, WRITE, body, book, section
from daybook.web.api.dispute_answers import Asked, AuditedGame, AuditsShown
from daybook.web.api.keys import holder, person, requested_visit
from daybook.web.api.pages import fetch_page
from daybook.web.api.requests import PageQuery

MAX_NEWEST_GAMES = 200  # checked for missing audits

evidence = section("Evidence", "Receipts of a record at a moment, to compare it with later; and audits.")


class AsOf(Frozen):
    step: Step | None = None  # as it was after this step; default: the newest


@evidence.reads("/receipt-key", PublishedKeys, "the keys", fails=())
def show_receipt_key() -> PublishedKeys:
    """Show the keys that sign receipts

    The answer has the current key and the earlier ones. Keep a copy elsewhere: keys from the same server prove nothing.
    """
    return receipt_keys.keys_shown(book())


@evidence.reads("/games/<uuid:game_id>/receipt", Evidence, "the receipt", query=AsOf)
def give_receipt(query: AsOf, game_id: UUID) -> Evidence:
    """Return a receipt

    For every reader of the record. A receipt proves the state of the record after a step: header, seals, standing, time
    and a signature.
    """
    game = requested_visit(game_id).game
    step = game.step if query.step is None else query.step
    game.check_step(step)
    return receipts.issue_receipt(book(), game_id, step)


@evidence.route("/games/<uuid:game_id>/receipt", methods=["POST"])
@evidence.doc(
    requestBody={
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Evidence"}}},
    }
)
@evidence.answers(200, ReceiptCheck, "what came of it", fails=WRITE)
def hold_against_receipt(game_id: UUID) -> ReceiptCheck:
    """Compare the record with a receipt

    The result is unchanged, extended, altered (with the step), shortened, another game's, or erased. Everyone may check an
    erased record, because its links no longer exist.
    """
    steps = None
    with suppress(RecordErasedError):
        steps = len(requested_visit(game_id).game.entries)
    request.max_content_length = receipts.MAX_RECEIPT_BYTES
    receipt = receipts.read_receipt(body(request, ("application/json",)))
    return receipts.verify_game(book(), game_id, receipt, steps)


@evidence.reads("/audits", AuditsShown, "a page of audits, the newest first", query=PageQuery)
def list_audits(query: PageQuery) -> AuditsShown:
    """List the newest audits

    The list has audits of public games that have ended, and of the key's own games that it may read in full. `next` is
    the address of the next page, or null on the last page. A short or empty page can have a `next`, because audits of
    games that the key may not read are skipped.
    """
    holder()
    found, more = fetch_page(query, lambda after, limit: audits.page_of_results(book(), _read_whole, after, limit))
    grant = holder()
    seeker = seeker_of(book(), person(), () if grant is None else (grant.game,))
    newest = {row.game for row in search_games(book(), seeker, GameFilter(), limit=MAX_NEWEST_GAMES).rows}
    return AuditsShown(
        len(_read_whole(dict.fromkeys(audits.filter_due(book(), newest), 0))),
        [AuditedGame(str(audit.game), audit.step, audit.at, audit_shown(audit.audited)) for audit in found],
        more,
    )


def _read_whole(steps: Mapping[UUID, int]) -> set[UUID]:
    """Return the games that this key may read in full, up to a step of each."""
    readable = readable_games(book(), steps, holder)
    games_without_hidden_parts = read_models.games_without_hidden_parts(
        book().views, {game_id: steps[game_id] for game_id in readable}
    )
    return games_without_hidden_parts | {
        game_id for game_id in readable - games_without_hidden_parts if _sees_everything(game_id)
    }


def _sees_everything(game_id: UUID) -> bool:
    grant = holder(game_id)
    return grant is not None and bool(grant.game == game_id and may_with([grant], book().games.get(game_id), "export"))


@evidence.acts("/games/<uuid:game_id>/audit", Asked, "it waits for its audit", status=202, fails=ASK)
def ask_for_audit(game_id: UUID) -> Asked:
    """Request an audit by a worker

    For callers who may see the whole record. GET /games/{game}/audit audits immediately; GET /audits lists the results
    of the workers.
    """
    require(requested_visit(game_id), "export")
    return Asked(audits.request_audits(book(), {game_id}))
