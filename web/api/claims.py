"""Disputes: claims, what the rules say of them, rulings and appeals."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any
from uuid import UUID

from flask import Response, g, request

from daybook.domain import disputes
from daybook.domain.disputes import Claim
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.disputes import claims, umpires
from daybook.services.disputes.opinion import Opinion, opinion_on_step
from daybook.services.people import access, photos
from daybook.services.people.access import Grant
from daybook.web.api.answers import Link, ReceiptShown, verdicts_shown
from daybook.web.api.base import READ, WRITE, book, section
from daybook.web.api.dispute_answers import ClaimShown, ClaimsShown, ClaimTold, Forgotten, OpinionShown, UmpiresShown
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import entry_key, holder, member, reader, sight_of
from daybook.web.api.schemas import (
    About,
    AppealHoursIn,
    AppealIn,
    ClaimIn,
    ConsentIn,
    Once,
    ProposalIn,
    RulingIn,
    UmpireIn,
    WhyNotIn,
)
from daybook.web.api.steps import answer_written
from daybook.web.api.strict import BODY_LIMIT

claims_section = section("Claims", "Somebody says that a step is wrong; an umpire, or all seats together, rule.")

PHOTOS_BODY = photos.TOGETHER_LIMIT * 4 // 3 + BODY_LIMIT  # bytes: Base64 takes four characters for three
CLAIM = "/games/<uuid:game_id>/claims/<int:number>"


@claims_section.url_value_preprocessor
def let_photos_in(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Only who may raise a claim sends more than other bodies may hold."""
    if endpoint == f"{claims_section.name}.raise_claim" and values:
        grant = holder()
        if grant is not None and grant.game == values["game_id"] and grant.role in ("scorekeeper", "seat"):
            request.max_content_length = PHOTOS_BODY
            if (request.content_length or 0) > BODY_LIMIT:
                g.at_desk = ExitStack()
                g.at_desk.enter_context(photos.photo_slot())


@claims_section.teardown_request
def leave_desk(_: BaseException | None) -> None:
    if "at_desk" in g:
        g.pop("at_desk").close()


# --- reading ---------------------------------------------------------------------------------------------------------


@claims_section.route("/games/<uuid:game_id>/claims")
@claims_section.answers(200, ClaimsShown, "the claims", fails=READ)
def list_claims(game_id: UUID) -> ClaimsShown:
    """List a game's claims

    The open ones first.
    """
    reader(game_id)
    game = book().games.get(game_id)
    found = [claim_shown(game, claim) for claim in claims.claims_open_first(game)]
    return ClaimsShown(found, any(claim.state != "closed" for claim in found))


@claims_section.route(CLAIM)
@claims_section.answers(200, ClaimTold, "the claim", fails=READ)
def show_claim(game_id: UUID, number: int) -> ClaimTold:
    """Show a claim with its whole story

    What was said and done about it, step by step, and what the rules say of the step, as far as this key may know.
    """
    grant = reader(game_id)
    sight = sight_of(game_id, grant, None)
    claim, game = _claim(game_id, number), book().games.get(game_id)
    return ClaimTold(
        claim_shown(game, claim),
        claims.claim_story(game, number, sight),
        opinion_shown(opinion_on_step(game, claim.raised.about, sight)),
    )


@claims_section.route("/games/<uuid:game_id>/opinion")
@claims_section.arguments(About, location="query")
@claims_section.answers(200, OpinionShown, "what the rules say", fails=READ)
def show_opinion(asked: dict[str, Any], game_id: UUID) -> OpinionShown:
    """What the rules say of a step

    Every check of its decision, what else was legal then, and what going back to before it would cost.
    """
    sight = sight_of(game_id, reader(game_id), None)
    return opinion_shown(opinion_on_step(book().games.get(game_id), asked["about"], sight))


@claims_section.route("/games/<uuid:game_id>/umpires")
@claims_section.answers(200, UmpiresShown, "the umpires", fails=READ)
def list_umpires(game_id: UUID) -> UmpiresShown:
    """List a game's umpires"""
    reader(game_id)
    return list_of_umpires(game_id)


def list_of_umpires(game_id: UUID) -> UmpiresShown:
    named = umpires.umpires_of_game(book(), book().games.get(game_id), book().kept.game(game_id))
    return UmpiresShown(named, umpires.appeal_hours(book(), game_id))


def _claim(game_id: UUID, number: int) -> Claim:
    found = disputes.claims(book().games.get(game_id)).get(number)
    if found is None:
        raise ApiError(404, "unknown_claim", f"step {number} raised no claim", "GET /games/{game}/claims lists them")
    return found


def claim_shown(game: Game, claim: Claim) -> ClaimShown:
    raised, ruling, proposal = claim.raised, claim.ruling, claim.proposal
    return ClaimShown(
        claim.number,
        claim.state,
        raised.about,
        raised.what,
        raised.rule,
        raised.why,
        raised.seat,
        game.writers[claim.number],
        raised.at,
        list(raised.photos),
        None if proposal is None else proposal.step,
        [] if proposal is None else sorted(claim.consents(proposal.step)),
        None if ruling is None else ruling.ruling,
        "" if ruling is None else ruling.appeal_until,
    )


def opinion_shown(opinion: Opinion) -> OpinionShown:
    return OpinionShown(
        opinion.step,
        opinion.seat,
        opinion.decision,
        verdicts_shown(opinion.step, opinion.verdicts).verdicts,
        opinion.stood,
        opinion.legal,
        opinion.cost,
    )


# --- writing ---------------------------------------------------------------------------------------------------------


@claims_section.route("/games/<uuid:game_id>/umpires", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(UmpireIn)
@claims_section.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def name_umpire(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Name the next umpire

    For the scorekeeper: somebody beside the table by name, or a player by seat.
    """
    grant = member(game_id, "scorekeeper")
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id,
        grant,
        lambda: umpires.name_umpire(book(), game_id, asked["name"], seat=asked["seat"], by=grant.by, key=key),
    )


@claims_section.route("/games/<uuid:game_id>/umpires/<int:umpire>/link", methods=["POST"])
@claims_section.needs_key
@claims_section.answers(201, Link, "the link", fails=(*READ, 413, 415))
def give_umpire_a_link(game_id: UUID, umpire: int) -> Link:
    """Give an umpire a link

    For the scorekeeper. Whoever holds it sees every hand and rules on claims. Asked again, the same link.
    """
    member(game_id, "scorekeeper")
    grant = umpires.umpire_grant(book(), game_id, umpire)
    return Link(grant.id, grant.role, grant.umpire, access.key_of(book(), grant))


@claims_section.route("/games/<uuid:game_id>/appeal-hours", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(AppealHoursIn)
@claims_section.answers(200, UmpiresShown, "the umpires, and how long an appeal is possible", fails=(*READ, 413, 415))
def set_appeal_hours(asked: dict[str, Any], game_id: UUID) -> UmpiresShown:
    """Say for how long a ruling may be appealed

    For the scorekeeper, as the group or the league has agreed; for rulings from now on.
    """
    member(game_id, "scorekeeper")
    umpires.set_appeal_hours(book(), game_id, asked["hours"])
    return list_of_umpires(game_id)


@claims_section.route("/games/<uuid:game_id>/claims", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(ClaimIn)
@claims_section.answers(201, ReceiptShown, "where it was written down; its step is the claim's number", fails=WRITE)
def raise_claim(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Claim that a step is wrong

    For everybody who plays, and the scorekeeper. It changes nothing on the board.
    """
    grant, game = _speaker(game_id, asked["seat"])
    key = entry_key(grant, once["key"])
    return answer_written(
        game.id,
        grant,
        lambda: claims.raise_claim(
            book(),
            game_id,
            asked["about"],
            asked["what"],
            rule=asked["rule"],
            why=asked["why"],
            seat=asked["seat"],
            sent=asked["photos"],
            by=grant.by,
            key=key,
        ),
    )


@claims_section.route(CLAIM + "/proposals", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(ProposalIn)
@claims_section.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def propose_ruling(once: dict[str, Any], asked: dict[str, Any], game_id: UUID, number: int) -> ReceiptShown:
    """Propose a ruling

    For everybody who plays, and the scorekeeper. What all seats consent to is ruled. What puts the board right, or
    makes decisions anew, is proposed by who sees what lies there.
    """
    grant, game = _claimant(game_id)
    _claim(game_id, number)
    moves = [Move(move["seat"], move["decision"]) for move in asked["moves"]]
    _refuse_blind(grant, game, asked["ruling"] == "adjusted" or bool(moves))
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id,
        grant,
        lambda: claims.propose(
            book(),
            game_id,
            number,
            asked["ruling"],
            to=asked["to"],
            moves=moves,
            values=asked["values"],
            why=asked["why"],
            by=grant.by,
            key=key,
        ),
    )


@claims_section.route(CLAIM + "/consents", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(ConsentIn)
@claims_section.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def consent_to_ruling(once: dict[str, Any], asked: dict[str, Any], game_id: UUID, number: int) -> ReceiptShown:
    """Consent to what is proposed

    With the last seat's yes it is ruled so, carried out, and the claim is closed.
    """
    grant, _ = _speaker(game_id, asked["seat"])
    _claim(game_id, number)
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id,
        grant,
        lambda: claims.consent(book(), game_id, number, asked["proposal"], asked["seat"], by=grant.by, key=key),
    )


@claims_section.route(CLAIM + "/rulings", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(RulingIn)
@claims_section.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def rule_on_claim(once: dict[str, Any], asked: dict[str, Any], game_id: UUID, number: int) -> ReceiptShown:
    """Rule on a claim

    For the umpire, and the scorekeeper who writes down what the umpire says. Ruling and what it does to the board are
    written together, or not at all.
    """
    grant, game = member(game_id, "scorekeeper", "seat", "umpire"), book().games.get(game_id)
    _claim(game_id, number)
    if not claims.may_rule(grant, game, asked["umpire"]):
        raise ApiError(
            403,
            "not_the_umpire",
            f"this key does not rule for umpire {asked['umpire']}",
            "GET /games/{game}/umpires lists them; send the key of that umpire's link",
        )
    _refuse_blind(grant, game, asked["ruling"] == "adjusted" and asked["proposal"] is None)
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id,
        grant,
        lambda: claims.rule(
            book(),
            game_id,
            number,
            asked["ruling"],
            asked["why"],
            umpire=asked["umpire"],
            to=asked["to"],
            values=asked["values"],
            proposal=asked["proposal"],
            first=asked["first"],
            at=asked["at"],
            by=grant.by,
            key=key,
        ),
    )


@claims_section.route(CLAIM + "/appeals", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(AppealIn)
@claims_section.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def appeal_ruling(once: dict[str, Any], asked: dict[str, Any], game_id: UUID, number: int) -> ReceiptShown:
    """Appeal against a ruling

    Once, to another umpire, within the time that the ruling names.
    """
    grant, _ = _speaker(game_id, asked["seat"])
    _claim(game_id, number)
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id,
        grant,
        lambda: claims.appeal(
            book(), game_id, number, asked["umpire"], asked["why"], seat=asked["seat"], by=grant.by, key=key
        ),
    )


@claims_section.route(CLAIM + "/withdrawal", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(WhyNotIn)
@claims_section.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def withdraw_claim(once: dict[str, Any], asked: dict[str, Any], game_id: UUID, number: int) -> ReceiptShown:
    """Withdraw a claim

    For whoever raised it, and the scorekeeper, while nobody has ruled.
    """
    grant, _ = _claimant(game_id)
    _claim(game_id, number)
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id, grant, lambda: claims.withdraw(book(), game_id, number, asked["why"], by=grant.by, key=key)
    )


@claims_section.route(CLAIM + "/close", methods=["POST"])
@claims_section.needs_key
@claims_section.arguments(Once, location="headers")
@claims_section.arguments(WhyNotIn)
@claims_section.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def close_claim(once: dict[str, Any], asked: dict[str, Any], game_id: UUID, number: int) -> ReceiptShown:
    """Close a claim that was ruled on

    Once no appeal is possible any more.
    """
    grant = member(game_id, "scorekeeper", "seat", "umpire")
    _claim(game_id, number)
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id, grant, lambda: claims.close(book(), game_id, number, asked["why"], by=grant.by, key=key)
    )


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
    grant = reader(game_id)
    if not claims.may_see_photo(grant, book().games.get(game_id), hash):
        raise ApiError(
            403,
            "not_your_sight",
            "a photo may show hands that lie covered from this key",
            "ask with the scorekeeper's or an umpire's key",
        )
    found = photos.photo(book(), game_id, hash)
    if found is None:
        raise ApiError(
            404,
            "unknown_photo",
            "there is no such photo, or it was removed",
            "GET .../claims names the photos of each claim",
        )
    return Response(found.bytes, mimetype=photos.MEDIA_TYPE, headers={"Cache-Control": "no-store"})


@claims_section.route("/games/<uuid:game_id>/photos/<hash>", methods=["DELETE"])
@claims_section.needs_key
@claims_section.answers(200, Forgotten, "it is gone", fails=READ)
def forget_photo(game_id: UUID, hash: str) -> Forgotten:
    """Remove a photo for good

    For the scorekeeper, for the sake of whoever is on it. The record keeps its SHA-256.
    """
    member(game_id, "scorekeeper")
    photos.remove_photo(book(), game_id, hash)
    return Forgotten(hash)


# --- who may ---------------------------------------------------------------------------------------------------------


def _claimant(game_id: UUID) -> tuple[Grant, Game]:
    return member(game_id, "scorekeeper", "seat"), book().games.get(game_id)


def _speaker(game_id: UUID, seat: Seat | None) -> tuple[Grant, Game]:
    """The holder, who may speak for a seat; None: for the scorekeeper."""
    grant, game = _claimant(game_id)
    if not claims.may_speak_for(grant, game, seat):
        whom = "the scorekeeper" if seat is None else f"seat {seat}"
        raise ApiError(
            403,
            "not_your_seat",
            f"the link of seat {grant.seat} does not speak for {whom}",
            f"speak for seat {grant.seat}, or send another key",
            seat=grant.seat,
        )
    return grant, game


def _refuse_blind(grant: Grant, game: Game, tries: bool) -> None:
    if tries and not claims.sees_all(grant, game):
        raise ApiError(
            403,
            "not_your_sight",
            "something lies covered from this key, and a refusal would tell it",
            "ask the scorekeeper to propose it",
        )
