"""A club's messages to its chat: the webhook, sent messages and their state."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash, make_response, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.league.club import Club
from daybook.services.messages import outbox, webhooks
from daybook.services.messages.occasions import CHOSEN_BY_CLUBS, Occasion
from daybook.services.messages.webhooks import BadAddressError, Kind
from daybook.web.request.access import book
from daybook.web.request.clubs import render_club_page, require_club
from daybook.web.request.forms import fresh_key, key_sent, see_other, text_sent
from daybook.web.request.security import forbid_storing
from daybook.web.words import say
from daybook.web.words.language_choice import language, languages
from daybook.web.words.occasions import OCCASION_NAMES, STATE_NAMES
from daybook.web.words.say import N_, Texts

page = Blueprint("messages", __name__)

KIND_NAMES: dict[Kind, str] = N_({"discord": "Discord", "slack": "Slack", "standard": "Another program"})
ADDRESS_FAULTS: Texts = {
    "no_address": "This is not the address of a webhook. It begins with https.",
    "not_https": "The address must begin with https.",
    "not_discord": "This is not an address of Discord. In Discord: edit the channel, Integrations, Webhooks, Copy URL.",
    "not_slack": "This is not an address of Slack. It begins with https://hooks.slack.com.",
    "private": "This address is in a private network. Only the administrator can allow that.",
}


@page.get("/clubs/<uuid:club_id>/messages")
def messages(club_id: UUID) -> Response:
    """Show where the club's messages are sent, what is sent, and what became of it."""
    return _messages_page(require_club(club_id, "settle_club"))


@page.post("/clubs/<uuid:club_id>/messages")
def save(club_id: UUID) -> ResponseReturnValue:
    """Store the address, or change what is sent."""
    club = require_club(club_id, "settle_club")
    webhook, address = webhooks.webhook_of(book(), club.id), text_sent("address")
    occasions: list[Occasion] = [occasion for occasion in CHOSEN_BY_CLUBS if request.form.get(f"occasion.{occasion}")]
    spoken = request.form.get("language", "")
    if spoken not in languages():
        abort(400)
    if webhook is not None and not address:
        webhooks.change_webhook(book(), club.id, spoken, occasions)
        flash(say("Saved."))
        return see_other("messages.messages", club_id=club.id)
    kind = next((kind for kind in webhooks.KINDS if kind == request.form.get("kind")), None)
    if kind is None:
        abort(400)
    try:
        signing = webhooks.save_webhook(book(), club.id, kind, address, spoken, occasions)
    except BadAddressError as no:
        return _messages_page(club, fault=say(ADDRESS_FAULTS[no.key]), status=422)
    outbox.note_reminders(book(), club)
    return _messages_page(club, signing=signing if kind == "standard" else "", is_new=True)


@page.post("/clubs/<uuid:club_id>/messages/remove")
def remove(club_id: UUID) -> ResponseReturnValue:
    """Remove the address. Nothing is sent any more."""
    club = require_club(club_id, "settle_club")
    webhooks.remove_webhook(book(), club.id)
    flash(say("The address is removed. No messages are sent any more."))
    return see_other("messages.messages", club_id=club.id)


@page.post("/clubs/<uuid:club_id>/messages/test")
def test(club_id: UUID) -> ResponseReturnValue:
    """Send a test message."""
    club = require_club(club_id, "settle_club")
    outbox.note_test(book(), club.id, key_sent())
    flash(say("A test message is on its way. It is listed below in a few seconds."))
    return see_other("messages.messages", club_id=club.id)


def _messages_page(club: Club, fault: str = "", signing: str = "", is_new: bool = False, status: int = 200) -> Response:
    """Build the page. signing: the new secret of a webhook, shown once."""
    page_shown = render_club_page(
        "league/messages.html",
        club,
        heading=say("Messages"),
        webhook=webhooks.webhook_of(book(), club.id),
        kinds=KIND_NAMES,
        occasions={occasion: say(OCCASION_NAMES[occasion]) for occasion in CHOSEN_BY_CLUBS},
        occasion_name=lambda occasion: say(OCCASION_NAMES[occasion]),
        state_name=lambda state: say(STATE_NAMES[state]),
        sent=outbox.messages_of(book(), club.id),
        is_paused=outbox.is_paused(book()),
        has_public_address=book().settings.base_url is not None,
        offered_languages=languages(),
        language_here=language(),
        given=request.form,
        fault=fault,
        signing=signing,
        is_new=is_new,
        key=fresh_key(),
    )
    return forbid_storing(make_response(page_shown, status))
