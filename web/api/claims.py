"""Disputes: claims, what the rules say of them, rulings and appeals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any
from uuid import UUID

from flask import Response, g, request

from daybook.domain import commands, disputes
from daybook.domain.commands import Command
from daybook.domain.disputes import Claim
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.record import Game
from daybook.services.disputes import claims, umpires
from daybook.services.disputes.opinion import Opinion, opinion_on_step
from daybook.services.people import photos
from daybook.services.permissions import access
from daybook.services.permissions.actions import has_role, may
from daybook.services.permissions.visits import Visit
from daybook.services.play.writing import Receipt
from daybook.services.reading_limits import COMMAND_BYTES, PHOTOS_BYTES
from daybook.services.structs import copy_fields
from daybook.web.api.answers import Link, ReceiptShown, verdicts_shown
from daybook.web.api.base import ASK, READ, Sent, book, section
from daybook.web.api.dispute_answers import ClaimShown, ClaimsShown, ClaimTold, Forgotten, OpinionShown, UmpiresShown
from daybook.web.api.envelopes.disputes import (
    About,
    AppealHoursIn,
    AppealIn,
    ClaimIn,
    ConsentIn,
    ProposalIn,
    RulingIn,
    UmpireIn,
)
from daybook.web.api.envelopes.games import WhyNotIn
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import entry_key, holder, member, sight_of, visit_asked, writer
from daybook.web.api.writing import answer_written, write_asked, writes
from daybook.web.request.byte_counts import stranger_bringing
from daybook.web.request.long_work import takes_long

claims_section = section("Claims", "Somebody says that a step is wrong; an umpire, or all seats together, rule.")

PHOTOS_BODY = PHOTOS_BYTES * 4 // 3 + COMMAND_BYTES  # bytes: Base64 takes four characters for three
CLAIM = "/games/<uuid:game_id>/claims/<int:number>"


@claims_section.url_value_preprocessor
def let_photos_in(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Only who may raise a claim sends more than other bodies may hold."""
    if endpoint == f"{claims_section.name}.raise_claim" and values:
        grant = holder()
        if grant is not None and has_role([grant], values["game_id"], "claim"):
            request.max_content_length = PHOTOS_BODY
            if (request.content_length or 0) > COMMAND_BYTES:
                g.at_desk = ExitStack()
                g.at_desk.enter_context(photos.photo_slot())


@claims_section.teardown_request
def leave_desk(_: BaseException | None) -> None:
    if "at_desk" in g:
        g.pop("at_desk").close()


# --- reading ---------------------------------------------------------------------------------------------------------


@claims_section.reads("/games/<uuid:game_id>/claims", ClaimsShown, "the claims")
def list_claims(game_id: UUID) -> ClaimsShown:
    """List a game's claims

    The open ones first.
    """
    game = visit_asked(game_id).game
    found = [claim_shown(game, claim) for claim in claims.claims_open_first(game)]
    return ClaimsShown(found, any(claim.state != "closed" for claim in found))


@claims_section.reads(CLAIM, ClaimTold, "the claim")
def show_claim(game_id: UUID, number: int) -> ClaimTold:
    """Show a claim with its whole story

    What was said and done about it, step by step, and what the rules say of the step, as far as this key may know.
    """
    visit = visit_asked(game_id)
    game, sight, claim = visit.game, sight_of(visit), _claim(visit.game, number)
    return ClaimTold(
        claim_shown(game, claim),
        claims.claim_story(game, number, sight),
        opinion_shown(opinion_on_step(game, claim.raised.about, sight)),
    )


@claims_section.reads("/games/<uuid:game_id>/opinion", OpinionShown, "what the rules say", query=About)
def show_opinion(asked: Sent, game_id: UUID) -> OpinionShown:
    """What the rules say of a step

    Every check of its decision, what else was legal then, and what going back to before it would cost.
    """
    visit = visit_asked(game_id)
    return opinion_shown(opinion_on_step(visit.game, asked["about"], sight_of(visit)))


@claims_section.reads("/games/<uuid:game_id>/umpires", UmpiresShown, "the umpires")
def list_umpires(game_id: UUID) -> UmpiresShown:
    """List a game's umpires"""
    return _umpires_shown(visit_asked(game_id))


def _umpires_shown(visit: Visit) -> UmpiresShown:
    named = umpires.umpires_of_game(book(), visit.game, visit.kept)
    return UmpiresShown(named, umpires.appeal_hours(book(), visit.game.id))


def _claim(game: Game, number: int) -> Claim:
    found = disputes.claims(game).get(number)
    if found is None:
        raise ApiError(404, "unknown_claim", f"step {number} raised no claim", "GET /games/{game}/claims lists them")
    return found


def claim_shown(game: Game, claim: Claim) -> ClaimShown:
    raised, ruling, proposal = claim.raised, claim.ruling, claim.proposal
    return copy_fields(
        ClaimShown,
        raised,
        number=claim.number,
        state=claim.state,
        by=game.writers[claim.number],
        proposal=None if proposal is None else proposal.step,
        consents=[] if proposal is None else sorted(claim.consents(proposal.step)),
        ruling=None if ruling is None else ruling.ruling,
        appeal_until="" if ruling is None else ruling.appeal_until,
    )


def opinion_shown(opinion: Opinion) -> OpinionShown:
    verdicts = verdicts_shown(opinion.step, opinion.verdicts).verdicts
    return copy_fields(OpinionShown, opinion, about=opinion.step, verdicts=verdicts)


# --- writing ---------------------------------------------------------------------------------------------------------


@writes(claims_section, "/games/<uuid:game_id>/umpires", UmpireIn)
def name_umpire(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Name the next umpire

    For the scorekeeper: somebody beside the table by name, or a player by seat.
    """
    named = partial(umpires.name_umpire, book(), game_id)
    return _write(visit_asked(game_id), once, asked, commands.NameUmpire, named)


@claims_section.acts("/games/<uuid:game_id>/umpires/<int:umpire>/link", Link, "the link", status=201, fails=ASK)
def give_umpire_a_link(game_id: UUID, umpire: int) -> Link:
    """Give an umpire a link

    For the scorekeeper. Whoever holds it sees every hand and rules on claims. Asked again, the same link.
    """
    member(visit_asked(game_id), "scorekeeper")
    grant = umpires.umpire_grant(book(), game_id, umpire)
    return Link(grant.id, grant.role, grant.umpire, access.key_of(book(), grant))


@claims_section.acts(
    "/games/<uuid:game_id>/appeal-hours",
    UmpiresShown,
    "the umpires, and how long an appeal is possible",
    body=AppealHoursIn,
    fails=ASK,
)
def set_appeal_hours(asked: Sent, game_id: UUID) -> UmpiresShown:
    """Say for how long a ruling may be appealed

    For the scorekeeper, as the group or the league has agreed; for rulings from now on.
    """
    visit = visit_asked(game_id)
    member(visit, "scorekeeper")
    umpires.set_appeal_hours(book(), game_id, asked["hours"])
    return _umpires_shown(visit)


@writes(
    claims_section,
    "/games/<uuid:game_id>/claims",
    ClaimIn,
    says="where it was written down; its step is the claim's number",
)
@takes_long("POST")
def raise_claim(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Claim that a step is wrong

    For everybody who plays, and the scorekeeper. It changes nothing on the board.
    """
    sent = asked.pop("photos")
    raised = partial(
        claims.raise_claim, book(), game_id, images=sent, stranger=stranger_bringing(game_id) if sent else ""
    )
    return _write(visit_asked(game_id), once, asked, commands.RaiseClaim, raised)


@writes(claims_section, CLAIM + "/proposals", ProposalIn)
def propose_ruling(once: Sent, asked: Sent, game_id: UUID, number: int) -> ReceiptShown:
    """Propose a ruling

    For everybody who plays, and the scorekeeper. What all seats consent to is ruled. What puts the board right, or
    makes decisions anew, is proposed by who sees what lies there.
    """
    asked["moves"] = [Move(**move) for move in asked["moves"]]
    return _write_on_claim(game_id, number, once, asked, commands.ProposeRuling)


@writes(claims_section, CLAIM + "/consents", ConsentIn)
def consent_to_ruling(once: Sent, asked: Sent, game_id: UUID, number: int) -> ReceiptShown:
    """Consent to what is proposed

    With the last seat's yes it is ruled so, carried out, and the claim is closed.
    """
    return _write_on_claim(game_id, number, once, asked, commands.ConsentToRuling)


@writes(claims_section, CLAIM + "/rulings", RulingIn)
def rule_on_claim(once: Sent, asked: Sent, game_id: UUID, number: int) -> ReceiptShown:
    """Rule on a claim

    For the umpire, and the scorekeeper who writes down what the umpire says. Ruling and what it does to the board are
    written together, or not at all.
    """
    hours = umpires.appeal_hours(book(), game_id)
    return _write_on_claim(game_id, number, once, asked, commands.RuleOnClaim, appeal_hours=hours)


@writes(claims_section, CLAIM + "/appeals", AppealIn)
def appeal_ruling(once: Sent, asked: Sent, game_id: UUID, number: int) -> ReceiptShown:
    """Appeal against a ruling

    Once, to another umpire, within the time that the ruling names.
    """
    return _write_on_claim(game_id, number, once, asked, commands.AppealRuling)


@writes(claims_section, CLAIM + "/withdrawal", WhyNotIn)
def withdraw_claim(once: Sent, asked: Sent, game_id: UUID, number: int) -> ReceiptShown:
    """Withdraw a claim

    For whoever raised it, and the scorekeeper, while nobody has ruled.
    """
    return _write_on_claim(game_id, number, once, asked, commands.WithdrawClaim)


@writes(claims_section, CLAIM + "/close", WhyNotIn)
def close_claim(once: Sent, asked: Sent, game_id: UUID, number: int) -> ReceiptShown:
    """Close a claim that was ruled on

    Once no appeal is possible any more.
    """
    return _write_on_claim(game_id, number, once, asked, commands.CloseClaim)


def _write_on_claim(
    game_id: UUID, number: int, once: Sent, asked: Sent, kind: type[Command], **more: Any
) -> ReceiptShown:
    """As `write_asked`; 404 where there is no such claim."""
    visit = visit_asked(game_id)
    writer(visit, kind, asked)
    _claim(visit.game, number)
    return write_asked(visit, once, asked, kind, claim=number, **more)


def _write(visit: Visit, once: Sent, asked: Sent, kind: type[Command], act: Callable[..., Receipt]) -> ReceiptShown:
    """Write what a body says of a kind of command, for who may. act: gets the body's fields, and `by` and `key`."""
    grant = writer(visit, kind, asked)
    key = entry_key(grant, once["key"])
    return answer_written(visit, lambda: act(**asked, by=grant.by, key=key))


# --- photos ----------------------------------------------------------------------------------------------------------


@claims_section.route("/games/<uuid:game_id>/photos/<hash>")
@claims_section.response(
    200, {"type": "string", "format": "binary"}, content_type=photos.MEDIA_TYPE, description="the photo"
)
@claims_section.failing(*READ)
def show_photo(game_id: UUID, hash: str) -> Response:
    """Show a photo that belongs to a claim

    For the scorekeeper, the umpires and whoever attached it; for the seats while one of these asks them to agree, and
    once the game lies open. `hash` is the SHA-256 that the claim names.
    """
    if not may(visit_asked(game_id), "see_photo", hash=hash):
        raise ApiError(
            403,
            "not_your_sight",
            "a photo may show hands that lie covered from this key",
            "ask with the scorekeeper's or an umpire's key",
        )
    found = photos.read_photo_of_game(book(), game_id, hash)
    if found is None:
        raise ApiError(
            404,
            "unknown_photo",
            "there is no such photo, or it was removed",
            "GET .../claims names the photos of each claim",
        )
    return Response(found.bytes, mimetype=photos.MEDIA_TYPE, headers={"Cache-Control": "no-store"})


@claims_section.acts("/games/<uuid:game_id>/photos/<hash>", Forgotten, "it is gone", method="DELETE", fails=READ)
def forget_photo(game_id: UUID, hash: str) -> Forgotten:
    """Remove a photo for good

    For the scorekeeper, for the sake of whoever is on it. The record keeps its SHA-256.
    """
    member(visit_asked(game_id), "scorekeeper")
    photos.remove_photo(book(), game_id, hash)
    return Forgotten(hash)
