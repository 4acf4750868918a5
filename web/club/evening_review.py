"""The page of an evening in review, its picture, and the message about it."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, flash, url_for
from flask_babel import force_locale
from werkzeug import Response

from daybook.domain.league.club import Club, Evening
from daybook.services.clock import now
from daybook.services.league import evening_reviews
from daybook.services.league.evening_reviews import EveningReview
from daybook.services.messages import outbox, webhooks
from daybook.web.boards.cards import Card, CardSeat, card_svg
from daybook.web.club.evenings import evening_at
from daybook.web.club.message_words import member_names
from daybook.web.replay.pictures import answer_with_svg
from daybook.web.request.access import book
from daybook.web.request.clubs import club_names, render_club_page, require_role, user_may
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.forms import see_other, text_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.origin import own_address
from daybook.web.words import league_words, say, say_n
from daybook.web.words.evening_words import evening_highlights, evening_text

page = Blueprint("evening_review", __name__)

PEOPLE_DRAWN = 6
LINES_DRAWN = 3


@page.get("/clubs/<uuid:club_id>/evenings/<evening_id>/review")
def review(club_id: UUID, evening_id: str) -> str:
    """Show the winners, and a text to paste. Members only are named in the text and in the picture."""
    club, evening = evening_at(club_id, evening_id)
    require_role(club, "read_club")
    found = evening_reviews.review_evening(book(), club, evening)
    names = club_names(club)
    link = f"{own_address()}{url_for('evening_review.review', club_id=club.id, evening_id=evening.id)}"
    return render_club_page(
        "league/evening_review.html",
        club,
        heading=say("The evening in review"),
        evening=evening,
        zone=zone_of_visitor(club),
        review=found,
        names=names,
        highlights=evening_highlights(found, names),
        text=f"{evening_text(club, evening, found, member_names(book(), club))}\n{link}",
        picture=url_for("evening_review.picture", club_id=club.id, evening_id=evening.id),
        state=outbox.review_state(book(), club, evening),
        has_webhook=webhooks.webhook_of(book(), club.id) is not None if user_may(club, "settle_club") else False,
        has_begun=evening.when <= now(),
    )


@page.post("/clubs/<uuid:club_id>/evenings/<evening_id>/review")
def decide(club_id: UUID, evening_id: str) -> Response:
    """Send the review now, or not at all."""
    club, evening = evening_at(club_id, evening_id)
    require_role(club, "settle_club")
    if outbox.review_state(book(), club, evening) is not None:
        flash(say("The review is already sent, or is not sent at all."))
    elif text_sent("do") == "skip":
        outbox.skip_evening_review(book(), club, evening)
        flash(say("No review of this evening is sent."))
    else:
        outbox.send_evening_review(book(), club, evening)
        flash(say("The review is on its way."))
    return see_other("evening_review.review", club_id=club.id, evening_id=evening.id)


@page.get("/clubs/<uuid:club_id>/evenings/<evening_id>.png")
@takes_long("GET")
def picture(club_id: UUID, evening_id: str) -> Response:
    """Serve the picture. It names members only, so that it can be passed on."""
    club, evening = evening_at(club_id, evening_id)
    require_role(club, "read_club")
    with force_locale("en"):
        card = evening_card(club, evening, evening_reviews.review_evening(book(), club, evening))
    seen_by_all = club.settings.public and club.settings.public_evenings
    return answer_with_svg(card_svg(card), is_public=seen_by_all)


def evening_card(club: Club, evening: Evening, review: EveningReview) -> Card:
    names = member_names(book(), club)
    lines = evening_text(club, evening, review, names).splitlines()[1:]
    most = review.wins[0][1] if review.wins else 0
    seats = tuple(
        CardSeat(at, league_words.person_name(person, names), say_n("{n} win", "{n} wins", wins), wins, wins == most)
        for at, (person, wins) in enumerate(review.wins[:PEOPLE_DRAWN])
    )
    about = league_words.evening_label(evening.when, club.zone)
    return Card(club.name, about, " · ".join(lines[:LINES_DRAWN]), seats, (), 0)
