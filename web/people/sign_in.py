"""Sign in with a password, create an account, and sign out."""

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


def browser_and_system() -> str:
    """Return browser and system in two words, to recognise a session in a list."""
    agent = request.headers.get("User-Agent", "")
    matches = [next((name for mark, name in names if re.search(mark, agent)), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(name for name in matches if name)


def account_reason(reason: Reason) -> str:
    return as_sentence(words.reason_sentence(reason))


def lockout_faults(locked: LimitExceededError | None = None) -> dict[str, str]:
    """Return the error of a form after too many tries, even if the password was right."""
    return {
        "form": say("Too many users are signing in right now. Try again in a moment.")
        if locked is None
        else too_many_tries(locked)
    }


def held_link() -> str:
    """Return the id of a working link that this browser holds; empty if it holds none."""
    return next((grant.id for grant in held_grants()), "")


def count_refused_sign_in() -> None:
    """Count a wrong password in the metrics; the limits have counted it already."""
    if (metrics := current_app.extensions["metrics"]) is not None:
        metrics.refused_sign_ins.inc()


def start_session(token: str) -> None:
    """Sign in on this browser, and end its earlier session."""
    before = current_session()
    if before is not None:
        accounts.end_session(book(), before.person, before.id, by=before.person)
    begin_session(token)
    remember_person()


# --- with a password -------------------------------------------------------------------------------------------------


@page.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    errors: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        try:
            start_session(
                accounts.sign_in(
                    book(),
                    text_sent("sign_in"),
                    text_sent("password"),
                    origin=client_address(),
                    device=browser_and_system(),
                    seen_before=has_signed_in_here(accounts.person_of_sign_in(book(), text_sent("sign_in"))),
                    link=held_link(),
                    wait=wait_for_turn,
                    counted=has_waited(),
                )
            )
            return redirect(safe_path(text_sent("next")), 303)
        except WrongCredentialsError:
            count_refused_sign_in()
            errors, status = {"form": say("The sign-in name or the password is wrong.")}, 422
        except LimitExceededError as locked:
            errors, status = lockout_faults(locked), 429
        except passwords.PasswordsBusyError:
            errors, status = lockout_faults(), 503
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/sign_in.html",
                wrong=errors,
                sent=request.form,
                next=request.values.get("next", ""),
                here=current_session(),
                has_mail=book().settings.smtp_url is not None,
            ),
            status,
        )
    )


@page.post("/sign-out")
def sign_out() -> Response:
    """End this browser's session and, if `links` is set, forget the links it has opened."""
    own_session = current_session()
    if own_session is not None:
        accounts.end_session(book(), own_session.person, own_session.id, by=own_session.person)
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
    errors: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        errors, status = _make_account()
        if not errors:
            flash(say("Welcome. This is your page: it shows everything that Daybook keeps about you."))
            return redirect(safe_path(request.form["next"]) if request.form.get("next") else url_for("me.me"), 303)
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/sign_up.html", wrong=errors, sent=request.form, next=request.values.get("next", ""), **limits()
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
    errors = account_faults(password_needed=True)
    if errors:
        return errors, 422
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
    start_session(accounts.begin_session(book(), person, browser_and_system()))
    return {}, 200


def account_faults(*, password_needed: bool) -> dict[str, str]:
    """Return the errors of a form for a new account: in the name and in the repeated password."""
    form, errors = request.form, dict[str, str]()
    if sentence := text_fault(form.get("name", ""), NAME_LIMIT, say("Enter your name, as games should show it.")):
        errors["name"] = sentence
    if form.get("password", "") != form.get("again", ""):
        errors["again"] = say("The two passwords differ: type them again.")
    elif password_needed and not form.get("password"):
        errors["password"] = say("Choose a password.")
    return errors
