"""Make a person anonymous: explain the effects, request a confirmation, then one with the name, and do it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from werkzeug import Response

from daybook.domain.kernel.chronicle import Refused
from daybook.services.league import anonymity, clubs, members, personal_data
from daybook.services.limits import LimitExceededError
from daybook.services.operation import erasing
from daybook.services.people import accounts, anonymise, passwords
from daybook.services.people.places import PLACES
from daybook.services.permissions.actions import MayNotError
from daybook.web.people.sign_in import lockout_faults
from daybook.web.request.access import ask_to_sign_in, book, current_session, require_owner
from daybook.web.request.clubs import club_reason, require_club, user_id, user_may
from daybook.web.request.forms import text_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.origin import client_address
from daybook.web.request.security import forbid_storing
from daybook.web.words import say
from daybook.web.words.say import Texts

page = Blueprint("anonymous", __name__)

DELETED: Texts = {  # by the places of `services.people.places`; the name has a sentence of its own
    "portrait": "the photo",
    "account": "the account and the address for messages; no one can sign in as this person any more",
    "sessions": "the devices that are signed in",
    "keys": "the keys for programs",
    "calendar": "the secret address of the calendar",
    "messages": "the mail address, the choice of messages, and the messages that were sent",
    "attempts": "the count of wrong passwords",
    "stored": "how much this person stored each day",
    "invitations": "unused invitations for this person",
    "join_requests": "requests to join clubs",
    "lines": "your what-ifs",
    "titles": "the name where it is part of a game’s title",
    "reasons": "the name where it is part of a reason that was given about a game",
    "sheets": "the name on component sheets that this person published",
    "plays": "the name in texts of clubs: remarks and variants of plays, reasons, places, names of leagues and seasons",
    "pictures": "pictures that show the name",
}
STAYS: Texts = {
    "plays": "downloaded club files have the texts as they were sealed; shortened names stay everywhere",
    "imports": "a keyed digest of the name and of ids in other programs, so that no import brings the name back",
    "results": "the games and their results, under a name such as “Anonymous 3f2a”, and the times of changes",
    "records": "what was typed into a record: notes, reasons, claims. A record is sealed, and nothing in it is ever deleted.",
    "claims": "photos of the table that were attached to claims: the scorekeeper of a game can remove each of them",
    "saved": "files saved before, and backups, until they are replaced",
}


@page.route("/clubs/<uuid:club_id>/people/<person>/anonymous", methods=["GET", "POST"])
@takes_long("GET", "POST")
def of_club(club_id: UUID, person: str) -> Response:
    """Make a guest of the club anonymous: explain it, ask, ask again with the name, and do it."""
    club = require_club(club_id)
    if not user_id():
        ask_to_sign_in()
    require_owner()
    who = club.person(person)
    if user_may(club, "manage_members") and clubs.account_in(book(), club, who) is not None:
        abort(403, "has account")
    if not members.may_act_for(book(), club, user_id(), who):
        raise MayNotError("organiser", ("organiser",), None, club, {})
    return _anonymise(who, url_for("people.people", club_id=club_id))


@page.route("/me/anonymous", methods=["GET", "POST"])
@takes_long("GET", "POST")
def myself() -> Response:
    session = current_session()
    if session is None:
        ask_to_sign_in()
    require_owner()
    return _anonymise(session.person, url_for("home.home"))


def _anonymise(person: str, after: str) -> Response:
    name, session = members.name_of(book(), person), current_session()
    account = accounts.account_of(book(), person)
    needs_password = session is not None and session.person == person and account is not None and account.has_password
    step, errors, status = text_sent("step") if request.method == "POST" else "", dict[str, str](), 200
    if not name or anonymise.is_anonymous(book(), person):
        abort(404)
    if step == "done":
        errors, status = _refuse_anonymous(person, name, needs_password)
        if not errors:
            return _after_anonymising(person, after)
    ids = anonymity.all_ids_of(book(), person)
    return forbid_storing(
        make_response(
            _anonymise_form(
                person,
                name,
                account=account,
                wrong=errors,
                again=step in ("again", "done"),
                needs_password=needs_password,
                games=personal_data.games_of(book(), person),
                mentions=anonymise.find_mentions(book(), ids),
                after=after,
            ),
            status,
        )
    )


def _anonymise_form(person: str, name: str, **shown: Any) -> str:
    shown |= {"places": [place for place in PLACES if place.key != "names"], "deleted": DELETED, "stays": STAYS}
    return render_template("sign_in/anonymous.html", person=person, name=name, sent=request.form, **shown)


def _refuse_anonymous(person: str, name: str, needs_password: bool) -> tuple[dict[str, str], int]:
    if " ".join(text_sent("typed").split()).casefold() != name.casefold():
        return {"typed": say("Type the name as it is shown above: {name}.", name=name)}, 422
    if needs_password:
        try:
            if not accounts.is_password(book(), person, text_sent("password"), client_address()):
                return {"password": say("That is not the password.")}, 422
        except LimitExceededError as locked:
            return lockout_faults(locked), 429
        except passwords.PasswordsBusyError:
            return lockout_faults(), 503
    return {}, 200


def _after_anonymising(person: str, after: str) -> Response:
    try:
        anonymity.make_anonymous(book(), person, by=user_id())
        erasing.erase_own_logs(book(), [person])
    except Refused as no:
        flash(club_reason(no.reason))
        return redirect(after, 303)
    flash(
        say(
            "Done: the name, the photo, the address and the account are deleted. The games stay. Remains in files are "
            "overwritten within an hour."
        )
    )
    return redirect(after, 303)
