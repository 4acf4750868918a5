"""Messages to one person: the mail address, what is sent by which method, and one tap that stops it."""

from __future__ import annotations

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request
from werkzeug import Response

from daybook.services.league import clubs
from daybook.services.limits import LimitExceededError
from daybook.services.messages import choices, outbox, push
from daybook.services.messages.occasions import CHOSEN_BY_PEOPLE, Occasion, PersonalMethod
from daybook.services.messages.push import Subscription
from daybook.services.messages.webhooks import BadAddressError
from daybook.services.people import invitations, mail_addresses, operators
from daybook.services.people.accounts import Account, InvalidAccountError, account_of
from daybook.services.people.mail_addresses import CONFIRM, REFUSE, STOP, MailAddress
from daybook.services.store import secret
from daybook.web.people.me import refused_password, require_account_owner, signed_in_account
from daybook.web.people.sign_in import account_reason, browser_and_system
from daybook.web.request.access import book, current_session
from daybook.web.request.counts import take, wrong_key
from daybook.web.request.forms import safe_path, see_other, text_sent
from daybook.web.request.push_offers import push_offer_to
from daybook.web.request.security import forbid_storing
from daybook.web.words import say
from daybook.web.words.language_choice import chosen_language
from daybook.web.words.occasions import OCCASION_NAMES, STATE_NAMES
from daybook.web.words.say import N_
from daybook.web.words.sign_in import too_many_mails

page = Blueprint("notifications", __name__)

MESSAGES_SHOWN = 20
METHOD_NAMES: dict[PersonalMethod, str] = N_({"mail": "Mail", "push": "This app"})


@page.get("/me/messages")
def messages() -> Response:
    """Show what the person is sent, and how."""
    _, account = signed_in_account()
    return _messages_page(account)


@page.post("/me/messages")
def save() -> Response:
    """Store what the person is sent by each method."""
    _, account = require_account_owner()
    for method in _methods(account.person):
        chosen: list[Occasion] = [o for o in CHOSEN_BY_PEOPLE if request.form.get(f"{method}.{o}")]
        choices.choose(book(), account.person, method, chosen)
    mail_addresses.change_language(book(), account.person, chosen_language())
    flash(say("Saved."))
    return see_other("notifications.messages")


def _methods(person: str) -> list[PersonalMethod]:
    """Return the methods by which a person can receive messages."""
    by_mail: list[PersonalMethod] = ["mail"] if _has_mail() and mail_addresses.address_of(book(), person) else []
    by_push: list[PersonalMethod] = ["push"] if push.devices_of(book(), person) else []
    return [*by_mail, *by_push]


def _has_mail() -> bool:
    return book().settings.smtp_url is not None


def _messages_page(account: Account, wrong: dict[str, str] | None = None, status: int = 200) -> Response:
    methods = _methods(account.person)
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/messages.html",
                account=account,
                has_mail=_has_mail(),
                mail=mail_addresses.address_of(book(), account.person) if _has_mail() else None,
                methods={method: say(METHOD_NAMES[method]) for method in methods},
                chosen={method: choices.chosen_by(book(), account.person, method) for method in methods},
                occasions={occasion: say(OCCASION_NAMES[occasion]) for occasion in CHOSEN_BY_PEOPLE},
                newest=outbox.messages_to(book(), account.person)[:MESSAGES_SHOWN],
                occasion_name=lambda occasion: say(OCCASION_NAMES[occasion]),
                state_name=lambda state: say(STATE_NAMES[state]),
                is_paused=outbox.is_paused(book()),
                confirm_days=mail_addresses.CONFIRM_DAYS,
                devices=push.devices_of(book(), account.person),
                offer=push_offer_to(account.person),
                wrong=wrong or {},
                sent=request.form,
            ),
            status,
        )
    )


# --- devices ---------------------------------------------------------------------------------------------------------


@page.post("/me/devices")
def add_device() -> Response:
    """Store the subscription of this browser, which the person permitted just now."""
    session, account = require_account_owner()
    if not push.may_ask(book(), account.person):
        flash(say("First say whether you are coming to an evening of your club."))
        return see_other("notifications.messages")
    given = Subscription(text_sent("endpoint"), text_sent("p256dh"), text_sent("auth"))
    try:
        push.subscribe(book(), account.person, session.id, given, browser_and_system(), chosen_language())
    except BadAddressError:
        flash(say("This browser’s push service is not supported."))
    else:
        for club in clubs.clubs_of(book(), account.person):
            outbox.note_reminders(book(), club, account.person)
        flash(say("This device now shows your messages. Choose which ones on “Your messages”."))
    return redirect(safe_path(text_sent("next")), 303)


@page.post("/me/devices/remove")
def remove_device() -> Response:
    _, account = require_account_owner()
    push.remove_device(book(), account.person, text_sent("device"))
    flash(say("That device no longer shows messages."))
    return see_other("notifications.messages")


# --- the address -----------------------------------------------------------------------------------------------------


@page.post("/me/mail")
def mail() -> Response:
    """Store the person's address and send a link that confirms it, remove it, or let it sign the person in again."""
    session, account = require_account_owner()
    if not _has_mail():
        abort(404)
    if text_sent("do") == "remove":
        mail_addresses.remove_address(book(), account.person)
        flash(say("The mail address is removed. No mail is sent to it any more."))
        return see_other("notifications.messages")
    if fault := refused_password(session, account, "mail_password"):
        return _messages_page(account, *fault)
    if text_sent("do") == "sign_in":
        mail_addresses.allow_sign_in(book(), account.person)
        flash(say("Links to this address can sign you in again."))
        return see_other("notifications.messages")
    try:
        take("mail")
        new = mail_addresses.set_address(book(), account.person, text_sent("mail"), chosen_language())
    except InvalidAccountError as bad:
        return _messages_page(account, {"mail": account_reason(bad.reason)}, 422)
    except LimitExceededError as many:
        return _messages_page(account, {"mail": too_many_mails(many)}, 429)
    outbox.note_account_mail(book(), "confirm_address", new.id, account.person)
    flash(say("A mail is on its way. Open its link to confirm the address."))
    return see_other("notifications.messages")


@page.route("/mail/confirm", methods=["GET", "POST"])
def confirm() -> Response:
    """Confirm an address. The link comes by mail; opening it changes nothing, since programs open links, too."""
    address = _address_of_key(CONFIRM)
    if request.method == "POST":
        mail_addresses.confirm(book(), address)
        for club in clubs.clubs_of(book(), address.person):
            outbox.note_reminders(book(), club, address.person)
        flash(say("The mail address is confirmed."))
        return see_other("notifications.messages" if current_session() else "home.home")
    account = account_of(book(), address.person)
    assert account is not None
    return _key_page(
        say("Confirm your mail address"),
        say("Daybook then writes to {address} about what {name} chose.", address=address.address, name=account.name),
        say("Confirm the address"),
    )


@page.route("/mail/stop", methods=["GET", "POST"])
def stop() -> Response:
    """Stop mails with one tap, or with one POST of a mail program (RFC 8058). It needs no sign-in."""
    key = request.args.get("key", "")
    digest = secret.signed_value(secret.secret_of(book()), REFUSE, key)
    address = None if digest else _address_of_key(STOP)
    if request.method == "POST":
        if digest:
            mail_addresses.refuse_invitations(book(), digest)
        elif address:
            choices.choose(book(), address.person, "mail", ())
        return _key_page(say("No more mail"), say("These mails are stopped."), "")
    if address is None:
        return _key_page(
            say("No more mail"), say("Daybook then sends no more invitations to this address."), say("Stop invitations")
        )
    return _key_page(
        say("No more mail"),
        say("Daybook then sends only what you request, such as a link to sign in."),
        say("Stop these mails"),
    )


def _address_of_key(kind: str) -> MailAddress:
    address = mail_addresses.find_by_key(book(), kind, request.args.get("key", ""))
    if address is None:
        wrong_key()
        abort(404)
    return address


def _key_page(heading: str, text: str, button: str) -> Response:
    """Render the page of a link from a mail. button: empty once it is done."""
    return forbid_storing(
        make_response(
            render_template("sign_in/mail_key.html", heading=heading, text=text, button=button, key=request.args["key"])
        )
    )


# --- a link that signs in --------------------------------------------------------------------------------------------


@page.route("/sign-in/mail", methods=["GET", "POST"])
def sign_in_by_mail() -> Response:
    """Send a link that signs in to the accounts of an address. The answer does not say if there are any."""
    if not _has_mail():
        abort(404)
    wrong, status, is_sent = dict[str, str](), 200, False
    if outbox.is_paused(book()):
        wrong["mail"] = say(
            "Daybook is not sending mail now: after a restore, the administrator has to allow it first."
        )
    elif request.method == "POST":
        try:
            take("mail")
            _send_sign_in_links(mail_addresses.checked_address(text_sent("mail")))
            is_sent = True
        except InvalidAccountError as bad:
            wrong, status = {"mail": account_reason(bad.reason)}, 422
        except LimitExceededError as many:
            wrong, status = {"mail": too_many_mails(many)}, 429
    return forbid_storing(
        make_response(render_template("sign_in/by_mail.html", wrong=wrong, sent=request.form, is_sent=is_sent), status)
    )


def _send_sign_in_links(address: str) -> None:
    found = mail_addresses.accounts_at(book(), address)
    try:
        mail_addresses.count_mail(book(), address)
    except LimitExceededError:
        return  # the answer is the same: it would say that there is an account
    for account in found:
        if operators.is_operator(book(), account.person):
            continue  # no link signs an operator in
        link = invitations.sign_in_link(book(), account.person, by=account.person)
        outbox.note_account_mail(book(), "sign_in_link", link.id, account.person)
