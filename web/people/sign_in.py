"""Signing in with a password, making an account, and signing out."""

from __future__ import annotations

import re

from flask import Blueprint, current_app, flash, make_response, redirect, render_template, request, session, url_for
from werkzeug import Response

from daybook.domain.kernel.terms import Reason
from daybook.services.limits import LimitExceededError
from daybook.services.names import NAME_LIMIT
from daybook.services.people import accounts, passwords
from daybook.services.people.accounts import InvalidAccountError, WrongCredentialsError
from daybook.web import words
from daybook.web.request.access import (
    FORM_WORD,
    begin_session,
    book,
    current_session,
    has_signed_in_here,
    held_grants,
    remember_person,
)
from daybook.web.request.counts import take
from daybook.web.request.forms import safe_path, see_other, text_fault, text_sent
from daybook.web.request.origin import client_address
from daybook.web.request.security import forbid_storing
from daybook.web.request.template_globals import as_sentence
from daybook.web.request.turns import has_waited, wait_for_turn
from daybook.web.words import say
from daybook.web.words.sign_in import too_many_tries, waiting_time

page = Blueprint("sign_in", __name__)

BROWSERS = (("Firefox", "Firefox"), ("Edg", "Edge"), ("OPR", "Opera"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device() -> str:
    """What the browser says it is, in two words: enough to know it again in a list."""
    says = request.headers.get("User-Agent", "")
    found = [next((name for mark, name in names if re.search(mark, says)), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(name for name in found if name)


def account_reason(reason: Reason) -> str:
    return as_sentence(words.reason_sentence(reason))


def lockout_faults(locked: LimitExceededError | None = None) -> dict[str, str]:
    """What a form says that was right but comes at the wrong moment."""
    return {
        "form": say("Too many people are signing in right now. Try again in a moment.")
        if locked is None
        else too_many_tries(locked)
    }


def held_link() -> str:
    """Return the id of a working link that this browser holds; empty if it holds none."""
    return next((grant.id for grant in held_grants()), "")


def count_refused_sign_in() -> None:
    """Count a wrong password for who watches the service; the limits have counted it already."""
    if (metrics := current_app.extensions["metrics"]) is not None:
        metrics.refused_sign_ins.inc()


def enter(token: str) -> None:
    """This browser is signed in from now on; a session it had before is ended."""
    before = current_session()
    if before is not None:
        accounts.end_session(book(), before.person, before.id, by=before.person)
    begin_session(token)
    remember_person()


# --- with a password -------------------------------------------------------------------------------------------------


@page.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    wrong: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        try:
            enter(
                accounts.sign_in(
                    book(),
                    text_sent("sign_in"),
                    text_sent("password"),
                    origin=client_address(),
                    device=device(),
                    seen_before=has_signed_in_here(accounts.person_of_sign_in(book(), text_sent("sign_in"))),
                    link=held_link(),
                    wait=wait_for_turn,
                    counted=has_waited(),
                )
            )
            return redirect(safe_path(text_sent("next")), 303)
        except WrongCredentialsError:
            count_refused_sign_in()
            wrong, status = {"form": say("The sign-in name or the password is wrong.")}, 422
        except LimitExceededError as locked:
            wrong, status = lockout_faults(locked), 429
        except passwords.PasswordsBusyError:
            wrong, status = lockout_faults(), 503
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/sign_in.html",
                wrong=wrong,
                sent=request.form,
                next=request.values.get("next", ""),
                here=current_session(),
            ),
            status,
        )
    )


@page.post("/sign-out")
def sign_out() -> Response:
    """Ends this browser's session. links: and forgets the links it has opened."""
    here = current_session()
    if here is not None:
        accounts.end_session(book(), here.person, here.id, by=here.person)
    if request.form.get("links") == "forget":
        session.clear()
    for name in ("signed_in", "csrf", "owner", FORM_WORD):
        session.pop(name, None)
    flash(say("You are signed out on this device."))
    answer = see_other("home.home")
    # The pages that were read. Not "cookies" nor "storage": links, games kept on the device and other Daybooks of this
    # host would go with them; nor "executionContexts": what is half written in other tabs would.
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


# --- a new account ---------------------------------------------------------------------------------------------------


@page.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> Response:
    wrong: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        wrong, status = _make_account()
        if not wrong:
            flash(say("Welcome. This is your page: it shows everything that Daybook keeps about you."))
            return redirect(safe_path(request.form["next"]) if request.form.get("next") else url_for("me.me"), 303)
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/sign_up.html", wrong=wrong, sent=request.form, next=request.values.get("next", ""), **limits()
            ),
            status,
        )
    )


def limits() -> dict[str, int]:
    return {
        "name_limit": NAME_LIMIT,
        "password_least": passwords.MIN_LENGTH,
        "password_most": passwords.MAX_LENGTH,
        "sign_in_most": accounts.SIGN_IN_MAX_LENGTH,
    }


def _make_account() -> tuple[dict[str, str], int]:
    form = request.form
    wrong = account_faults(password_needed=True)
    if wrong:
        return wrong, 422
    try:
        take("account")
        person = accounts.make_account(book(), form["name"], sign_in=form["sign_in"], password=form["password"])
    except InvalidAccountError as bad:
        return {bad.field: account_reason(bad.reason)}, 422
    except LimitExceededError as locked:
        return {
            "form": say(
                "Too many accounts were created from here. Try again {when}.", when=waiting_time(locked.seconds)
            )
        }, 429
    except passwords.PasswordsBusyError:
        return lockout_faults(), 503
    enter(accounts.begin_session(book(), person, device()))
    return {}, 200


def account_faults(*, password_needed: bool) -> dict[str, str]:
    """What is wrong with the name, and with the password's repetition, in a form for a new account."""
    form, wrong = request.form, dict[str, str]()
    if sentence := text_fault(form.get("name", ""), NAME_LIMIT, say("Enter your name, as games should show it.")):
        wrong["name"] = sentence
    if form.get("password", "") != form.get("again", ""):
        wrong["again"] = say("The two passwords differ: type them again.")
    elif password_needed and not form.get("password"):
        wrong["password"] = say("Choose a password.")
    return wrong
