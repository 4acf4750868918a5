"""My page: name, photo, password, sessions, keys for programs, and a file of the person's data."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, make_response, render_template, request
from werkzeug import Response
from werkzeug.exceptions import RequestEntityTooLarge

from daybook.services.league import calendars, clubs, members, personal_data, portraits
from daybook.services.limits import LimitExceededError
from daybook.services.names import NAME_LIMIT, BadNameError
from daybook.services.people import accounts, link_consent, link_sign_ins, link_undo, operators, passwords, photos
from daybook.services.people.accounts import Account, InvalidAccountError, Scope, Session
from daybook.services.people.photos import InvalidPhotoError
from daybook.services.reading_limits import PHOTO_BYTES
from daybook.web.people.sign_in import account_reason, browser_and_system, limits, lockout_faults
from daybook.web.request.access import ask_to_sign_in, begin_session, book, current_session, require_owner
from daybook.web.request.forms import key_sent, parse_number, see_other, text_fault, text_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.origin import client_address, own_address
from daybook.web.request.security import file_response, file_stem, forbid_storing
from daybook.web.words import say
from daybook.web.words.league_words import role_list
from daybook.web.words.say import N_, Texts, day_label

page = Blueprint("me", __name__)

SCOPES: dict[Scope, str] = N_(
    {"read": "Read", "record": "Read and record games", "organise": "Everything you may do in clubs and games"}
)

MAX_PORTRAIT_REQUEST_BYTES = PHOTO_BYTES + 10_000
CHANGES: Texts = {  # sentences for the list of changes
    "account_made": "the account was created",
    "signed_in_by_link": "signed in by a link",
    "password_set": "a new password",
    "sign_in_changed": "another sign-in name",
    "name_changed": "another name",
    "address_changed": "another address",
    "mail_changed": "another mail address",
    "mail_verified": "the mail address was confirmed",
    "mail_removed": "the mail address was removed",
    "portrait_changed": "another photo",
    "portrait_removed": "the photo was removed",
    "session_ended": "signed out on a device",
    "sessions_ended": "signed out on other devices",
    "key_made": "a key for a program was created",
    "key_revoked": "a key for a program was revoked",
    "calendar_made": "a secret address for a calendar was created",
    "calendar_revoked": "the secret address of the calendar was revoked",
    "link_made": "a link for signing in was created",
    "link_undone": "a sign-in with a link was undone",
    "link_confirmed": "a sign-in with a link was confirmed",
    "links_allowed": "a club’s organisers may create links for signing in",
    "links_forbidden": "a club’s organisers may no longer create links for signing in",
    "accounts_merged": "two accounts became one",
    "invited": "invited to a club",
    "joined": "joined a club",
    "anonymised": "made anonymous",
    "seat_claimed": "a seat in an imported game is yours",
    "seat_left": "a seat in an imported game is not yours",
}


@page.url_value_preprocessor
def limit_portrait_requests(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if endpoint == "me.portrait" and current_session() is not None:
        request.max_content_length = MAX_PORTRAIT_REQUEST_BYTES
        try:
            request.files  # noqa: B018  read now, to answer a too large request with our own page
        except RequestEntityTooLarge:
            abort(413, "photos")


def signed_in_account() -> tuple[Session, Account]:
    """Return the session and account of the signed-in user. Programs' keys may not change accounts."""
    session = current_session()
    account = accounts.account_of(book(), session.person) if session is not None else None
    if session is None or account is None:
        ask_to_sign_in()
    return session, account


def require_account_owner() -> tuple[Session, Account]:
    """Return the user's session and account, to change it. 403 after a link sign-in that can be undone."""
    session, account = signed_in_account()
    require_owner()
    return session, account


@page.get("/me")
def me() -> Response:
    return _my_page({})


def _my_page(errors: dict[str, str], status: int = 200, new_key: str = "", new_calendar: str = "") -> Response:
    session, account = signed_in_account()
    changes = accounts.changes_of(book(), [account.person], 30)
    links_used = link_undo.sign_ins_to_answer(book(), session)
    names = book().kept.names([*(change.by for change in changes), *(link.made_by for link in links_used)])
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/me.html",
                account=account,
                here=session,
                wrong=errors,
                sent=request.form,
                new_key=new_key,
                sessions=accounts.sessions_of(book(), account.person),
                keys=accounts.keys_of_person(book(), account.person),
                calendar=calendars.address_of(book(), account.person),
                new_calendar=new_calendar,
                portrait=portraits.has_portrait(book(), account.person),
                clubs=[club for club in clubs.clubs_of(book(), account.person) if not club.is_own_log],
                club_of_account=_club_of_account(account),
                links_allowed=link_consent.clubs_allowed(book(), account.person),
                trial=link_undo.open_sign_in_of(book(), session),
                links_used=links_used,
                undo_days=link_sign_ins.UNDO_DAYS,
                role_list=role_list,
                changes=changes,
                names=names,
                said=CHANGES,
                is_operator=operators.is_operator(book(), account.person),
                let_in=_needs_no_password(session, account),
                key_days=accounts.KEY_DAYS,
                scopes=SCOPES,
                key_days_default=accounts.KEY_DAYS_DEFAULT,
                key_name_limit=accounts.KEY_NAME_LIMIT,
                address_limit=accounts.ADDRESS_LIMIT,
                megabytes=PHOTO_BYTES // 10**6,
                **limits(),
            ),
            status,
        )
    )


def _club_of_account(account: Account) -> UUID | None:
    """Return the club that may create sign-in links, because its invitation created the account."""
    club = next((club for club in clubs.clubs_of(book(), account.person) if club.id == account.club), None)
    return club.id if club is not None and members.is_account_of(book(), club, account) else None


def _back_to_my_page(success: str, anchor: str = "") -> Response:
    flash(success)
    return see_other("me.me", _anchor=anchor or None)


# --- name, address, photo --------------------------------------------------------------------------------------------


@page.post("/me/name")
def name() -> Response:
    _, account = require_account_owner()
    sent = text_sent("name")
    errors: dict[str, str] = {}
    if sentence := text_fault(sent, NAME_LIMIT, say("Enter your name, as games should show it.")):
        errors["name"] = sentence
    else:
        try:
            accounts.set_address(book(), account.person, text_sent("address"), by=account.person)
            accounts.rename_person(book(), account.person, sent, by=account.person)
            return _back_to_my_page(
                say("Your name is changed in all your games. The records and their seals stay as they are.")
            )
        except InvalidAccountError as bad:
            errors[bad.field] = account_reason(bad.reason)
    return _my_page(errors, 422)


@page.post("/me/portrait")
@takes_long("POST")
def portrait() -> Response:
    _, account = require_account_owner()
    if request.form.get("do") == "remove":
        portraits.remove_portrait(book(), account.person, by=account.person)
        return _back_to_my_page(say("The photo is removed."))
    sent = request.files.get("portrait")
    try:
        with photos.photo_slot():
            content = sent.read() if sent is not None else b""
            if not content:
                return _my_page({"portrait": say("Choose a photo.")}, 422)
            portraits.store_portrait(book(), account.person, content, by=account.person)
    except InvalidPhotoError as bad:
        return _my_page({"portrait": account_reason(bad.reason)}, 422)
    except InvalidAccountError:  # the person was made anonymous meanwhile
        ask_to_sign_in()
    except photos.PhotosBusyError:
        return _my_page({"portrait": say("Other photos are being processed. Choose these again in a moment.")}, 503)
    return _back_to_my_page(say("The photo is saved, without where and when it was taken."))


@page.get("/people/<person>/portrait")
def picture(person: str) -> Response:
    """Serve a person's photo to the person and to members of a club of both."""
    session = current_session()
    if session is None or not portraits.may_see_portrait(book(), session.person, person):
        abort(404)
    found = portraits.read_portrait(book(), person)
    if found is None:
        abort(404)
    answer = Response(found.bytes, mimetype=photos.MEDIA_TYPE)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


# --- password, sessions, keys ----------------------------------------------------------------------------------------


def _needs_no_password(session: Session, account: Account) -> bool:
    """Check if a new password needs no old one: none exists, or a link signed in here and none was set since."""
    trial = link_undo.open_sign_in_of(book(), session)
    return not account.has_password or (trial is not None and account.by_link != trial.id)


def _refused_without_password(session: Session, account: Account, field: str) -> Response | None:
    """Ask for the password again, against stolen sessions; return None if it was correct."""
    fault = refused_password(session, account, field)
    return _my_page(*fault) if fault else None


def refused_password(session: Session, account: Account, field: str) -> tuple[dict[str, str], int] | None:
    """Return the errors of a form that asks for the password again, and the status; None if it was correct."""
    if _needs_no_password(session, account):
        return None
    try:
        if accounts.is_password(book(), account.person, text_sent(field), client_address()):
            return None
    except LimitExceededError as locked:
        return lockout_faults(locked), 429
    except passwords.PasswordsBusyError:
        return lockout_faults(), 503
    return {field: say("That is not your current password.")}, 422


@page.post("/me/password")
def password() -> Response:
    session, account = signed_in_account()
    form, errors, status = request.form, dict[str, str](), 422
    if form.get("password", "") != form.get("again", ""):
        return _my_page({"again": say("The two passwords differ: type them again.")}, 422)
    if refused := _refused_without_password(session, account, "old"):
        return refused
    trial = link_undo.open_sign_in_of(book(), session)
    by_link = trial.id if trial else None
    try:
        ended = accounts.set_password(
            book(),
            account.person,
            form.get("sign_in", ""),
            form.get("password", ""),
            by_link=by_link,
            by=account.person,
        )
        begin_session(accounts.begin_session(book(), account.person, browser_and_system(), along=lambda c: by_link))
        if trial is not None and trial.password is not None:
            return _back_to_my_page(
                say("The new password is set. The old one works too, until {day}.", day=day_label(trial.ends_at))
            )
        success = say("The new password is set. You are signed out on all other devices.")
        if trial is not None:
            success = say("The new password is set.")
        if ended:
            success += " " + say("Your keys for programs and the calendar’s address have ended: create new ones below.")
        return _back_to_my_page(success)
    except InvalidAccountError as bad:
        errors = {bad.field: account_reason(bad.reason)}
    except passwords.PasswordsBusyError:
        errors, status = lockout_faults(), 503
    return _my_page(errors, status)


@page.post("/me/link")
def answer_link() -> Response:
    """Undo a sign-in with a link, or confirm that the owner made it."""
    session, _ = signed_in_account()
    undoes = text_sent("do") == "undo"
    try:
        (link_undo.undo_link_sign_in if undoes else link_undo.confirm_link_sign_in)(book(), session, text_sent("link"))
    except InvalidAccountError as bad:
        return _my_page({"form": account_reason(bad.reason)}, 409)
    if undoes:
        return _back_to_my_page(
            say("The sign-in is undone: your old password works again, and no organiser can create a link for you.")
        )
    return _back_to_my_page(
        say("Thank you. The password that was set with the link stays, and the old one no longer works.")
    )


@page.post("/me/clubs/<uuid:club_id>/links")
def allow_links(club_id: UUID) -> Response:
    """Set if the organisers of a club may create links that sign the member in."""
    session, account = require_account_owner()
    if all(club.id != club_id for club in clubs.clubs_of(book(), account.person)):
        abort(404)
    if text_sent("allow") != "yes":
        members.forbid_links(book(), account, club_id)
        return _back_to_my_page(
            say("The organisers of this club can no longer create a link that signs you in."), "clubs"
        )
    if refused := _refused_without_password(session, account, "links_password"):
        return refused
    link_consent.allow_links(book(), account.person, club_id)
    return _back_to_my_page(say("The organisers of this club can create a link that signs you in."), "clubs")


@page.post("/me/sessions")
def end() -> Response:
    """Sign out on another device, or on all others."""
    session, account = require_account_owner()
    if request.form.get("session") == "others":
        accounts.end_sessions(book(), account.person, but=session.id, by=account.person)
    elif not accounts.end_session(book(), account.person, text_sent("session"), by=account.person):
        abort(404)
    return _back_to_my_page(say("That device is signed out."), "devices")


@page.post("/me/keys")
def new_key() -> Response:
    session, account = require_account_owner()
    if refused := _refused_without_password(session, account, "key_password"):
        return refused
    try:
        days = parse_number(text_sent("key_days") or str(accounts.KEY_DAYS_DEFAULT)) or 0
        made = accounts.make_key(book(), account.person, text_sent("key_name"), days, chosen_scope())
    except BadNameError:
        return _my_page({"key_name": say("Say what the key is for, in a few words.")}, 422)
    except InvalidAccountError as bad:
        field = {"key_days": "key_days", "scope": "key_scope"}.get(bad.field, "key_name")
        return _my_page({field: account_reason(bad.reason)}, 422)
    return _my_page({}, 201, made)


def chosen_scope() -> Scope:
    """Return the scope that the form chooses; by default the narrowest."""
    chosen = text_sent("key_scope") or "read"
    for scope in SCOPES:
        if scope == chosen:
            return scope
    abort(400)


@page.post("/me/keys/revoke")
def revoke_key() -> Response:
    _, account = require_account_owner()
    if not accounts.revoke_key(book(), account.person, key_sent(), by=account.person):
        abort(404)
    return _back_to_my_page(say("The key no longer works."), "keys")


@page.post("/me/calendar")
def new_calendar() -> Response:
    """Create a new secret address for calendar programs. The old one stops working."""
    _, account = require_account_owner()
    key = calendars.make_key(book(), account.person, by=account.person)
    return _my_page({}, 201, new_calendar=f"{own_address()}/calendar.ics?key={key}")


@page.post("/me/calendar/revoke")
def revoke_calendar() -> Response:
    _, account = require_account_owner()
    if not calendars.revoke_key(book(), account.person, by=account.person):
        abort(404)
    return _back_to_my_page(say("The address no longer works."), "calendar")


# --- export ----------------------------------------------------------------------------------------------------------


@page.get("/me/file")
def file() -> Response:
    """Serve the person's data as a file."""
    _, account = require_account_owner()
    data = personal_data.export_personal_data(book(), account.person)
    return forbid_storing(file_response(data, f"daybook-{file_stem(account.name, 'me')}.json", "application/json"))
