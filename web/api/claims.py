"""Disputes: claims, the verdicts of the rules, rulings and appeals."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated, Any
from uuid import UUID

import msgspec
from flask import Response, g, request
from msgspec import Meta

from daybook.domain import commands, disputes
from daybook.domain.disputes import Claim
from daybook.domain.kernel.field_types import SeatOrTable, Step
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.record import Game
from daybook.services.disputes import claims, umpires
from daybook.services.disputes.opinion import Opinion, opinion_on_step
from daybook.services.disputes.umpires import HOURS_LIMIT
from daybook.services.names import NAME_LIMIT
from daybook.services.people import photos
from daybook.services.permissions import access
from daybook.services.permissions.actions import has_role, may, require
from daybook.services.permissions.visits import Visit
from daybook.services.reading_limits import COMMAND_BYTES, PHOTOS_BYTES
from daybook.services.structs import copy_fields
from daybook.web.api.answers import Link, ReceiptShown, verdicts_shown
from daybook.web.api.base import ASK, READ, book, section
from daybook.web.api.dispute_answers import ClaimShown, ClaimsShown, ClaimTold, Forgotten, OpinionShown, UmpiresShown
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import entry_key, holder, requested_visit, sight_of
from daybook.web.api.requests import Once
from daybook.web.api.schemas import body_of
from daybook.web.api.writing import WRITTEN, Write, add_writes, answer_written, body_of_command, write_command, writes
from daybook.web.request.byte_counts import stranger_mark
from daybook.web.request.long_work import takes_long

claims_section = section("Claims", "Claims that a step is wrong, and rulings by an umpire or by all seats.")

PHOTOS_BODY = PHOTOS_BYTES * 4 // 3 + COMMAND_BYTES  # bytes: Base64 takes four characters for three
GAME = "/games/<uuid:game_id>"
CLAIM = GAME + "/claims/<int:claim>"


@claims_section.url_value_preprocessor
def let_photos_in(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Raise the body limit for users with the right to claim."""
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


class About(Frozen):
    about_step: Step  # the step in question


# --- reading ---------------------------------------------------------------------------------------------------------


@claims_section.reads("/games/<uuid:game_id>/claims", ClaimsShown, "the claims")
def list_claims(game_id: UUID) -> ClaimsShown:
    """List a game's claims

    Open claims come first.
    """
    game = requested_visit(game_id).game
    found = [claim_shown(game, claim) for claim in claims.claims_open_first(game)]
    return ClaimsShown(found, bool(disputes.open_claims(game)))


@claims_section.reads(CLAIM, ClaimTold, "the claim")
def show_claim(game_id: UUID, claim: int) -> ClaimTold:
    """Show a claim with its whole story

    The answer has every entry about the claim, step by step, and the rules' verdict on the step. Parts that this key
    may not see are left out.
    """
    visit = requested_visit(game_id)
    game, sight, found = visit.game, sight_of(visit), disputes.claim_of(visit.game, claim)
    return ClaimTold(
        claim_shown(game, found),
        claims.claim_story(game, claim, sight),
        opinion_shown(opinion_on_step(game, found.raised.about_step, sight)),
    )


@claims_section.reads("/games/<uuid:game_id>/opinion", OpinionShown, "what the rules say", query=About)
def show_opinion(query: About, game_id: UUID) -> OpinionShown:
    """Show the rules' verdict on a step

    The answer has every check of the decision, the other decisions that were legal then, and the cost of going back
    to before the step.
    """
    visit = requested_visit(game_id)
    return opinion_shown(opinion_on_step(visit.game, query.about_step, sight_of(visit)))


@claims_section.reads("/games/<uuid:game_id>/umpires", UmpiresShown, "the umpires")
def list_umpires(game_id: UUID) -> UmpiresShown:
    """List a game's umpires"""
    return _umpires_shown(requested_visit(game_id))


def _umpires_shown(visit: Visit) -> UmpiresShown:
    named = umpires.umpires_of_game(book(), visit.game, visit.kept)
    return UmpiresShown(named, umpires.appeal_hours(book(), visit.game.id))


def claim_shown(game: Game, claim: Claim) -> ClaimShown:
    raised, ruling, proposal = claim.raised, claim.ruling, claim.proposal
    return copy_fields(
        ClaimShown,
        raised,
        number=claim.number,
        state=disputes.settled_state(game, claim),
        by=game.writers[claim.number],
        proposal=None if proposal is None else proposal.step,
        consents=[] if proposal is None else sorted(claim.consents(proposal.step)),
        ruling=None if ruling is None else ruling.ruling,
        appeal_until="" if ruling is None else ruling.appeal_until,
    )


def opinion_shown(opinion: Opinion) -> OpinionShown:
    verdicts = verdicts_shown(opinion.step, opinion.verdicts).verdicts
    return copy_fields(OpinionShown, opinion, about_step=opinion.step, verdicts=verdicts)


# --- writing ---------------------------------------------------------------------------------------------------------


class NewUmpire(Exact):
    """A new umpire: a person outside the game, or a player."""

    name: Annotated[str, Meta(max_length=NAME_LIMIT)] = ""  # of a person outside the game; they get a link
    seat: SeatOrTable | None = None  # of a player; they rule with the seat's link


class AppealHours(Exact):
    hours: Annotated[int, Meta(ge=0, le=HOURS_LIMIT)]  # for how long later rulings may be appealed; 0: they are final


class Photos(Frozen):
    # photos of the table, each a JPEG, PNG or WebP file in Base64; Daybook re-encodes them
    photos: Annotated[tuple[bytes, ...], Meta(max_length=disputes.PHOTOS_LIMIT)] = ()


@writes(claims_section, GAME + "/umpires", NewUmpire)
def name_umpire(headers: Once, body: NewUmpire, game_id: UUID) -> ReceiptShown:
    """Name the next umpire

    For the scorekeeper. Send the name of a person who does not play, or the seat of a player.
    """
    visit = requested_visit(game_id)
    grant = require(visit, commands.NameUmpire, **msgspec.structs.asdict(body))
    key = entry_key(grant, headers.key)
    return answer_written(
        visit, lambda: umpires.name_umpire(book(), game_id, body.name, seat=body.seat, by=grant.by, key=key)
    )


@claims_section.acts("/games/<uuid:game_id>/umpires/<int:umpire>/link", Link, "the link", status=201, fails=ASK)
def give_umpire_a_link(game_id: UUID, umpire: int) -> Link:
    """Give an umpire a link

    For the scorekeeper. The holder of the link sees every hand and rules on claims. A repeated request returns the same
    link.
    """
    require(requested_visit(game_id), "manage")
    grant = umpires.umpire_grant(book(), game_id, umpire)
    return Link(grant.id, grant.role, grant.umpire, access.key_of(book(), grant))


@claims_section.acts(
    "/games/<uuid:game_id>/appeal-hours",
    UmpiresShown,
    "the umpires, and how long an appeal is possible",
    body=AppealHours,
    fails=ASK,
)
def set_appeal_hours(body: AppealHours, game_id: UUID) -> UmpiresShown:
    """Set for how long a ruling may be appealed

    For the scorekeeper, as the group or the league has agreed. Earlier rulings keep their time.
    """
    visit = requested_visit(game_id)
    require(visit, "manage")
    umpires.set_appeal_hours(book(), game_id, body.hours)
    return _umpires_shown(visit)


@writes(
    claims_section,
    GAME + "/claims",
    body_of("ClaimBody", commands.RaiseClaim, Photos),
    description=f"{WRITTEN}; its step is the claim's number",
)
@takes_long("POST")
def raise_claim(headers: Once, body: Any, game_id: UUID) -> ReceiptShown:
    """Claim that a step is wrong

    For players and the scorekeeper. A claim does not change the board.
    """
    visit, fields = requested_visit(game_id), msgspec.structs.asdict(body)
    grant = require(visit, commands.RaiseClaim, **fields)
    key, images = entry_key(grant, headers.key), fields.pop("photos")
    stranger = stranger_mark(game_id) if images else ""
    return answer_written(
        visit,
        lambda: claims.raise_claim(book(), game_id, **fields, images=images, stranger=stranger, by=grant.by, key=key),
    )


@writes(claims_section, CLAIM + "/rulings", body_of_command(CLAIM, commands.RuleOnClaim, at=True))
def rule_on_claim(headers: Once, body: msgspec.Struct, game_id: UUID, claim: int) -> ReceiptShown:
    """Rule on a claim

    For the umpire, or the scorekeeper in the umpire's name. Either the ruling and all its effects on the board are
    written, or nothing is.
    """
    hours = umpires.appeal_hours(book(), game_id)
    return write_command(requested_visit(game_id), headers, commands.RuleOnClaim, body, claim=claim, appeal_hours=hours)


add_writes(
    claims_section,
    Write(CLAIM + "/proposals", commands.ProposeRuling),
    Write(CLAIM + "/consents", commands.ConsentToRuling),
    Write(CLAIM + "/appeals", commands.AppealRuling),
    Write(CLAIM + "/withdrawal", commands.WithdrawClaim),
    Write(CLAIM + "/close", commands.CloseClaim),
)


# --- photos ----------------------------------------------------------------------------------------------------------


@claims_section.route("/games/<uuid:game_id>/photos/<photo_hash>")
@claims_section.response(
    200, {"type": "string", "format": "binary"}, content_type=photos.MEDIA_TYPE, description="the photo"
)
@claims_section.failing(*READ)
def show_photo(game_id: UUID, photo_hash: str) -> Response:
    """Show a photo that belongs to a claim

    For the scorekeeper, the umpires and the user who attached it. The seats may see it while a proposal waits for their
    consent, and once the game is open to its readers. `photo_hash` is the SHA-256 in the claim.
    """
    if not may(requested_visit(game_id), "see_photo", hash=photo_hash):
        raise ApiError(
            403,
            "not_your_view",
            "a photo may show hands that are hidden from this key",
            "send the scorekeeper's or an umpire's key",
        )
    found = photos.read_photo_of_game(book(), game_id, photo_hash)
    if found is None:
        raise ApiError(
            404,
            "unknown_photo",
            "there is no such photo, or it was removed",
            "GET .../claims names the photos of each claim",
        )
    return Response(found.bytes, mimetype=photos.MEDIA_TYPE, headers={"Cache-Control": "no-store"})


@claims_section.acts("/games/<uuid:game_id>/photos/<photo_hash>", Forgotten, "it is gone", method="DELETE", fails=READ)
def forget_photo(game_id: UUID, photo_hash: str) -> Forgotten:
    """Remove a photo permanently

    For the scorekeeper. The record keeps the photo's SHA-256.
    """
    require(requested_visit(game_id), "manage")
    photos.remove_photo(book(), game_id, photo_hash)
    return Forgotten(photo_hash)
