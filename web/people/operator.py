"""Let the operator take games, clubs and sheets off the public lists, and put them back."""

from __future__ import annotations

from flask import Blueprint, abort, flash, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.services.operation import abuse_reports, withheld
from daybook.services.operation.withheld import WHY_LIMIT, UnknownThingError
from daybook.services.people import operators
from daybook.services.permissions.actions import SiteVisit, may
from daybook.web.request import abuse_answers
from daybook.web.request.access import ask_to_sign_in, book, current_session
from daybook.web.request.forms import see_other, text_fault, text_sent, why_sent
from daybook.web.request.lists import requested_page
from daybook.web.words import say
from daybook.web.words.say import Texts

page = Blueprint("operator", __name__)

KINDS: Texts = {"game": "Game", "club": "Club", "sheet": "Component sheet"}


def require_operator() -> str:
    """Return the id of the signed-in operator; 404 for others, which hides the page."""
    session = current_session()
    if session is None:
        ask_to_sign_in()
    if not may(SiteVisit(session.person, operators.is_operator(book(), session.person)), "withhold"):
        abort(404)
    return session.person


@page.get("/operator")
def lists() -> str:
    """Show the operator's page: what was removed from the public lists."""
    require_operator()
    return _page({})


def _page(errors: dict[str, str]) -> str:
    taken_off, more = requested_page(
        "operator.lists", lambda after, limit: withheld.page_of_withheld(book(), after, limit)
    )
    return render_template(
        "operator.html",
        found=taken_off,
        more=more,
        wrong=errors,
        sent=request.form,
        kinds=KINDS,
        limit=WHY_LIMIT,
        open_reports=abuse_reports.count_open(book()),
    )


@page.get("/operator/reports")
def reports() -> str:
    """Show the open reports of abuse."""
    require_operator()
    return abuse_answers.open_reports("operator.reports", "operator.answer")


@page.post("/operator/reports")
def answer() -> Response:
    """Hide what a report is about, or dismiss it."""
    return abuse_answers.answer_report("operator.reports", require_operator())[0]


@page.post("/operator/take-off")
def take_off() -> ResponseReturnValue:
    by = require_operator()
    errors = _why_wrong()
    try:
        thing = withheld.parse_thing(book(), text_sent("what"))
    except UnknownThingError:
        errors["what"] = say("Nothing here has this id or address.")
    if errors:
        return _page(errors), 422
    withheld.take_off(book(), thing, why_sent(), by=by)
    flash(say("It is removed from the public lists."))
    return see_other("operator.lists")


@page.post("/operator/put-back")
def put_back() -> Response:
    require_operator()
    try:
        thing = withheld.parse_thing(book(), text_sent("what"))
    except UnknownThingError:
        abort(404)
    if errors := _why_wrong():
        flash(errors["why"])
    elif withheld.put_back(book(), thing, why_sent()):
        flash(say("It is restored, as its owner set it."))
    return see_other("operator.lists")


def _why_wrong() -> dict[str, str]:
    fault = text_fault(why_sent(), WHY_LIMIT, say("Give a reason: the owner reads it."))
    return {"why": fault} if fault else {}
