"""A club's messages to its chat: the webhook, sent messages and their state. Also the club's feed (Atom, RFC 4287)."""

from __future__ import annotations

import hashlib
from uuid import UUID, uuid5
from xml.etree import ElementTree as ET

from flask import Blueprint, abort, flash, make_response, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.league.club import Club
from daybook.services.league import calendars, results
from daybook.services.messages import news, outbox, webhooks
from daybook.services.messages.occasions import CHOSEN_BY_CLUBS, Occasion
from daybook.services.messages.webhooks import BadAddressError, Kind
from daybook.services.permissions.actions import ClubVisit, may
from daybook.services.permissions.readable_clubs import as_seen
from daybook.web.club.message_words import describe_occasion
from daybook.web.request.access import book
from daybook.web.request.clubs import render_club_page, require_club
from daybook.web.request.forms import fresh_key, key_sent, see_other, text_sent
from daybook.web.request.origin import own_address
from daybook.web.request.security import forbid_storing
from daybook.web.words import say
from daybook.web.words.language_choice import language, languages
from daybook.web.words.occasions import OCCASION_NAMES
from daybook.web.words.say import N_, Texts

page = Blueprint("messages", __name__)

ATOM = "http://www.w3.org/2005/Atom"
MAX_NEWS = 50
KIND_NAMES: dict[Kind, str] = N_({"discord": "Discord", "slack": "Slack", "standard": "Another program"})
STATE_NAMES: Texts = {"waiting": "waits", "sent": "sent", "failed": "could not be sent", "dropped": "was outdated"}
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


# --- the feed --------------------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/feed.atom")
def feed(club_id: UUID) -> Response:
    """Serve the club's news to feed readers. With the key of a person's calendar address if the club is not public."""
    key = request.args.get("key", "")
    if key:
        person = calendars.person_of_key(book(), key)
        if person is None:
            abort(404)
        visit = ClubVisit(book().clubs.get(club_id), person, (), False)
        if not may(visit, "read_club"):
            abort(404)
        club = as_seen(visit)
    else:
        club = require_club(club_id)
    content = _feed_of(club)
    response = Response(content, mimetype="application/atom+xml")
    response.set_etag(hashlib.sha256(content).hexdigest())
    response.headers["Cache-Control"] = "private, no-cache"
    return response.make_conditional(request)


def _feed_of(club: Club) -> bytes:
    ended = {news.subject_of(result): result for result in results.club_results(book(), club)}
    entries = news.newest_news(club, ended.values(), MAX_NEWS)
    address = own_address()
    root = ET.Element("feed", xmlns=ATOM)
    _add(root, "id", club.id.urn)
    _add(root, "title", club.name)
    _add(root, "updated", max((entry.at for entry in entries), default=club.founded_at))
    ET.SubElement(root, "link", rel="alternate", href=f"{address}/clubs/{club.id}")
    _add(ET.SubElement(root, "author"), "name", club.name)
    for entry in entries:
        written = describe_occasion(book(), club, entry.occasion, entry.subject, ended)
        if written is None:
            continue
        text, path = written
        shown = ET.SubElement(root, "entry")
        _add(
            shown,
            "id",
            uuid5(club.id, f"{'evening' if 'evening' in entry.occasion else entry.occasion} {entry.subject}").urn,
        )
        _add(shown, "title", text.partition("\n")[0])
        _add(shown, "updated", entry.at)
        ET.SubElement(shown, "link", rel="alternate", href=f"{address}{path}")
        _add(shown, "content", text)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
