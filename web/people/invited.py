"""Accept invitations: show where a link leads, then let the person in once."""

from __future__ import annotations

from flask import Blueprint, abort, flash, make_response, render_template, request
from werkzeug import Response

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import Club
from daybook.services.league import clubs, join_requests, joining, members
from daybook.services.names import BadNameError
from daybook.services.people import accounts, invitations, link_sign_ins, passwords
from daybook.services.people.accounts import InvalidAccountError
from daybook.services.people.invitations import InvalidInvitationError, Invitation
from daybook.web.people.sign_in import (
    account_faults,
    account_reason,
    browser_and_system,
    limits,
    lockout_faults,
    start_session,
)
from daybook.web.request.access import book, current_session, require_owner
from daybook.web.request.clubs import club_reason
from daybook.web.request.counts import wrong_key
from daybook.web.request.forms import key_sent, see_other
from daybook.web.request.security import forbid_storing
from daybook.web.words import join_words, league_words, say

page = Blueprint("invited", __name__)


@page.route("/invited", methods=["GET", "POST"])
def read_key() -> Response:
    """Read an invitation's key, or the whole link, and show where it leads. A second form accepts it."""
    if request.method != "POST":
        return forbid_storing(make_response(render_template("sign_in/invited.html")))
    key = key_sent().strip().rpartition("#")[2]
    club = _club_of_link(key)
    if club is not None:
        return _ask_form(key, club)
    return _accept_form(key, _invitation(key), {})


def _club_of_link(key: str) -> Club | None:
    """Return the club of a link's key; None for another kind of key."""
    try:
        return join_requests.read_club_link(book(), key)
    except InvalidInvitationError as no:
        wrong_key()
        abort(403, f"invitation {no.reason.key}")


def _ask_form(key: str, club: Club, error: str = "", status: int = 200) -> Response:
    """Render the form with which a signed-in user asks to join a club."""
    session = current_session()
    person = session.person if session is not None else ""
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/ask_to_join.html",
                key=key,
                club=club,
                here=session,
                belongs=bool(person and club.roles(person)),
                sent_before=join_requests.find_request(book(), club.id, person) if person else None,
                wrong={"form": error} if error else {},
            ),
            status,
        )
    )


def _invitation(key: str) -> Invitation:
    try:
        return joining.read_invitation(book(), key)
    except InvalidInvitationError as no:
        wrong_key()
        abort(403, f"invitation {no.reason.key}")


def _accept_form(key: str, invitation: Invitation, errors: dict[str, str], status: int = 200) -> Response:
    """Render the form to accept an invitation, as the signed-in user or with a new name."""
    session = current_session()
    guest = members.name_of(book(), invitation.person) if invitation.person else ""
    club = book().clubs.get(invitation.club) if invitation.club else None
    return forbid_storing(
        make_response(
            render_template(
                "sign_in/accept.html",
                key=key,
                invitation=invitation,
                guest=guest,
                wrong=errors,
                sent=request.form,
                club=club,
                roles=join_words([say(league_words.ROLES[role][0]) for role in invitation.roles]),
                here=session,
                inviter=members.name_of(book(), invitation.made_by),
                undo_days=link_sign_ins.UNDO_DAYS,
                belongs=club is not None and session is not None and bool(club.roles(session.person)),
                **limits(),
            ),
            status,
        )
    )


@page.post("/invited/accept")
def accept() -> Response:
    """Accept an invitation: its key comes with the form, which no address holds."""
    key, form = key_sent(), request.form
    club = _club_of_link(key)
    if club is not None:
        return _ask_to_join(key, club)
    invitation, session = _invitation(key), current_session()
    if invitation.club is None:
        return _let_back_in(invitation)
    try:
        if form.get("as") == "me":
            if session is None:
                abort(401)
            require_owner()
            joining.accept_invitation(book(), invitation, session.person)
            return _welcome(invitation)
        errors = account_faults(password_needed=False)
        if errors:
            return _accept_form(key, invitation, errors, 422)
        person = joining.accept_with_new_account(
            book(), invitation, form["name"], sign_in=form.get("sign_in", ""), password=form.get("password", "")
        )
    except InvalidAccountError as bad:
        return _accept_form(key, invitation, {bad.field: account_reason(bad.reason)}, 422)
    except BadNameError as bad:
        return _accept_form(key, invitation, {"name": bad.says}, 422)
    except Refused as no:
        return _accept_form(key, invitation, {"form": club_reason(no.reason)}, 422)
    except InvalidInvitationError as no:
        abort(403, f"invitation {no.reason.key}")
    except passwords.PasswordsBusyError:
        return _accept_form(key, invitation, lockout_faults(), 503)
    start_session(accounts.begin_session(book(), person, browser_and_system()))
    return _welcome(invitation)


def _ask_to_join(key: str, club: Club) -> Response:
    """Send, or withdraw, the signed-in user's request to join a club."""
    session = current_session()
    if session is None:
        abort(401)
    require_owner()
    if request.form.get("as") == "withdraw":
        join_requests.withdraw_request(book(), club.id, session.person)
        return _ask_form(key, club)
    try:
        join_requests.ask_to_join(book(), key, session.person)
    except Refused as no:
        return _ask_form(key, club, club_reason(no.reason), 422)
    except InvalidAccountError as bad:
        return _ask_form(key, club, account_reason(bad.reason), 422)
    return _ask_form(key, club)


def _let_back_in(invitation: Invitation) -> Response:
    """Sign in with a link: the person may set a new password now, without the old one."""
    try:
        start_session(invitations.sign_in_by_link(book(), invitation, browser_and_system()))
    except InvalidInvitationError as no:
        abort(403, f"invitation {no.reason.key}")
    except InvalidAccountError:  # the person was made anonymous since the link was created
        abort(403, "invitation revoked")
    flash(say("You are signed in. Choose a new password here, so that you need no link next time."))
    return see_other("me.me", _anchor="my-password")


def _welcome(invitation: Invitation) -> Response:
    assert invitation.club is not None
    club = book().clubs.get(invitation.club)
    flash(say("Welcome to {club}.", club=club.name))
    session = current_session()
    if session is not None and any(own.beside.tables for own in clubs.own_logs_of(book(), session.person)):
        return see_other("own_log.choose", club_id=club.id)
    return see_other("people.people", club_id=club.id)
