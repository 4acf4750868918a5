"""Merge two accounts of one person: prove both with passwords, show the data that moves, confirm, and merge."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, make_response, render_template, request, session
from werkzeug import Response

from daybook.domain.kernel.chronicle import Refused
from daybook.services.clock import later_time, now
from daybook.services.league import account_merges
from daybook.services.league.account_merges import ClubRefusedError
from daybook.services.limits import LimitExceededError
from daybook.services.people import accounts, passwords
from daybook.services.people.accounts import Account, Session, WrongCredentialsError
from daybook.web.people.me import require_account_owner
from daybook.web.people.sign_in import count_refused_sign_in, held_link, lockout_faults
from daybook.web.request.access import book, has_signed_in_here
from daybook.web.request.clubs import club_reason
from daybook.web.request.forms import see_other, text_sent
from daybook.web.request.origin import client_address
from daybook.web.request.security import forbid_storing
from daybook.web.request.turns import has_waited, wait_for_turn
from daybook.web.words import say

page = Blueprint("merging", __name__)

PROVEN_KEY = "merge_proven"  # session key: the proven account, the proving account, and the expiry
PROVEN_MINUTES = 10


@page.route("/me/merge", methods=["GET", "POST"])
def merge() -> Response:
    """Ask for both passwords, show what moves to the signed-in account, and merge the other account into it."""
    own_session, account = require_account_owner()
    if request.method == "POST" and text_sent("step") == "done":
        return _merge_proven(own_session, account)
    if request.method == "POST":
        return _prove_both(own_session, account)
    return _form(account)


def _form(account: Account, status: int = 200, **shown: Any) -> Response:
    page = render_template("sign_in/merge.html", account=account, sent=request.form, **{"wrong": {}, **shown})
    return forbid_storing(make_response(page, status))


def _prove_both(own_session: Session, account: Account) -> Response:
    errors, status = dict[str, str](), 422
    try:
        if not account.has_password:
            errors = {"form": say("Set a password for this account first.")}
        elif not accounts.is_password(book(), account.person, text_sent("own_password"), client_address()):
            errors = {"own_password": say("That is not your current password.")}
        else:
            name = text_sent("sign_in")
            account_id = has_signed_in_here(accounts.person_of_sign_in(book(), name))
            other, _ = accounts.prove_sign_in(
                book(),
                name,
                text_sent("password"),
                client_address(),
                account_id,
                link=held_link(),
                wait=wait_for_turn,
                counted=has_waited(),
            )
            planned = account_merges.plan_merge(book(), account.person, other)
            session[PROVEN_KEY] = [
                own_session.id,
                other,
                planned.gone.password_at,
                later_time(now(), minutes=PROVEN_MINUTES),
            ]
            return _form(account, planned=planned)
    except WrongCredentialsError:
        count_refused_sign_in()
        errors = {"form": say("The sign-in name or the password is wrong.")}
    except LimitExceededError as locked:
        errors, status = lockout_faults(locked), 429
    except passwords.PasswordsBusyError:
        errors, status = lockout_faults(), 503
    except Refused as no:
        errors = {"form": _refusal(no)}
    return _form(account, status, wrong=errors)


def _merge_proven(own_session: Session, account: Account) -> Response:
    proven_by, other, password_at, until = session.pop(PROVEN_KEY, None) or ("", "", "", "")
    found = accounts.account_of(book(), other)
    if proven_by != own_session.id or until < now() or found is None or found.password_at != password_at:
        return _form(account, 409, wrong={"form": say("Too much time has passed. Enter both passwords again.")})
    try:
        account_merges.merge_accounts(book(), account.person, other, but=own_session.id)
    except Refused as no:
        return _form(account, 422, wrong={"form": _refusal(no)})
    flash(say("Both accounts are one now. You sign in with {name}.", name=account.sign_in or account.name))
    return see_other("me.me")


def _refusal(no: Refused) -> str:
    reason = club_reason(no.reason)
    return say("{club}: {reason}", club=no.club, reason=reason) if isinstance(no, ClubRefusedError) else reason
