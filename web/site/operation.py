"""The operator's page: running parts, delays, the disk, failed jobs and backups, each with a remedy."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, flash, make_response, redirect, render_template, request, url_for
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.services.league.clubs import OPERATOR
from daybook.services.operation import abuse_reports, backup_state, operator_sessions, usage, withheld
from daybook.services.operation.health import MAX_PART_SILENCE_SECONDS, Pulse, Reachability
from daybook.web.request import abuse_answers
from daybook.web.request.access import book
from daybook.web.request.counts import wrong_key
from daybook.web.request.forms import key_sent, see_other, text_fault, text_sent, why_sent
from daybook.web.request.origin import is_https
from daybook.web.request.security import forbid_storing
from daybook.web.words import say

page = Blueprint("operation", __name__)
COOKIE = "daybook-operation"


class Part(Frozen):
    """A part of the service, and how many seconds ago it was last heard from."""

    name: str
    seconds: float
    is_silent: bool


def _token() -> str:
    return request.cookies.get(COOKIE, "")


@page.route("/operation", methods=["GET", "POST"])
def show() -> Response:
    """Open a session with the key of a link, or show the page of the session."""
    if request.method == "POST":
        token = operator_sessions.open_session(book(), key_sent().strip().rpartition("#")[2])
        if token is None:
            wrong_key()
            abort(403, "operator link")
        answer = make_response(redirect(url_for("operation.show"), 303))
        seconds = operator_sessions.SESSION_MINUTES * 60
        path = url_for("operation.show")
        answer.set_cookie(COOKIE, token, seconds, path=path, secure=is_https(), httponly=True, samesite="Strict")
        return forbid_storing(answer)
    until = operator_sessions.session_until(book(), _token())
    if until is None:
        return forbid_storing(make_response(render_template("sign_in/operation.html")))
    pulse: Pulse = current_app.extensions["pulse"]
    found, settings = pulse.check_reachability(), book().settings
    shown = render_template(
        "operation.html",
        until=until,
        found=found,
        parts=_parts(found),
        complaints=found.complaints(),
        usage=usage.measure_usage(book()),
        backups=backup_state.summarise(settings) if backup_state.is_automatic(settings) else None,
        has_command=settings.backup_command is not None,
        open_reports=abuse_reports.count_open(book()),
        actions=operator_sessions.recent_actions(book()),
        limit=withheld.WHY_LIMIT,
    )
    return forbid_storing(make_response(shown))


def _parts(reachability: Reachability) -> list[Part]:
    return [
        Part(name, seconds, seconds > MAX_PART_SILENCE_SECONDS and name != "analyse")
        for name, seconds in sorted(reachability.silent.items())
    ]


@page.post("/operation/hide")
def hide() -> Response:
    """Hide a game, a club or a sheet from the public lists at once."""
    _require_session()
    if text_fault(why_sent(), withheld.WHY_LIMIT, say("Give a reason: the owner reads it.")):
        flash(say("Give a reason: the owner reads it."))
        return see_other("operation.show")
    try:
        thing = withheld.parse_thing(book(), text_sent("what"))
    except withheld.UnknownThingError:
        flash(say("Nothing here has this id or address."), "wrong")
        return see_other("operation.show")
    withheld.take_off(book(), thing, why_sent(), by=OPERATOR)
    operator_sessions.note_action(book(), "hide", f"{thing.kind} {thing.about}: {why_sent()}")
    flash(say("It is removed from the public lists."))
    return see_other("operation.show")


@page.get("/operation/reports")
def reports() -> Response:
    """Show the open reports of abuse."""
    _require_session()
    return forbid_storing(make_response(abuse_answers.open_reports("operation.reports", "operation.answer")))


@page.post("/operation/reports")
def answer() -> Response:
    """Hide what a report is about, or dismiss it."""
    _require_session()
    response, done = abuse_answers.answer_report("operation.reports", OPERATOR)
    if done:
        operator_sessions.note_action(book(), "hide" if text_sent("outcome") == "hide" else "dismiss", done)
    return response


@page.post("/operation/leave")
def leave() -> Response:
    """End the session."""
    _require_session()
    operator_sessions.end_session(book(), _token())
    operator_sessions.note_action(book(), "leave", "")
    answer = see_other("operation.show")
    answer.delete_cookie(COOKIE, path=url_for("operation.show"))
    return answer


def _require_session() -> None:
    """Answer 403 without a session: the same to strangers as after its end."""
    if operator_sessions.session_until(book(), _token()) is None:
        abort(403, "operator session")
