"""Open reports of abuse on the operator's pages: list them, and hide what they are about or dismiss them."""

from __future__ import annotations

from flask import abort, flash, render_template, url_for
from werkzeug import Response

from daybook.services.operation import abuse_reports
from daybook.services.operation.abuse_reports import ANSWER_LIMIT, AnsweredReportError
from daybook.services.operation.withheld import UnknownThingError
from daybook.web.request.access import book
from daybook.web.request.forms import see_other, text_fault, text_sent
from daybook.web.request.lists import requested_page
from daybook.web.words import say
from daybook.web.words.say import Texts

KINDS: Texts = {"name": "A name", "photo": "A photo", "sheet": "A component sheet", "game": "A game", "club": "A club"}


def open_reports(endpoint: str, answer_endpoint: str) -> str:
    """Return a page of the open reports.

    Args:
        endpoint: of the page.
        answer_endpoint: to which the answers are sent.
    """
    rows, more = requested_page(endpoint, lambda after, limit: abuse_reports.page_of_open(book(), after, limit))
    return render_template(
        "operator_reports.html", rows=rows, more=more, kinds=KINDS, limit=ANSWER_LIMIT, action=url_for(answer_endpoint)
    )


def answer_report(endpoint: str, by: str) -> tuple[Response, str]:
    """Hide or dismiss as the form says; return the page to show, and what was done for the list of actions.

    Args:
        endpoint: of the page with the open reports.
        by: the person's id, or clubs.OPERATOR.
    """
    report, answer, done = text_sent("report"), text_sent("answer"), ""
    whole_page = bool(text_sent("whole_page"))
    if text_sent("outcome") not in ("hide", "dismiss"):
        abort(400)
    if fault := text_fault(answer, ANSWER_LIMIT, say("Write an answer: the reporter reads it.")):
        flash(fault)
        return see_other(endpoint), done
    try:
        if text_sent("outcome") == "hide":
            thing = abuse_reports.hide(book(), report, text_sent("what"), answer, by=by, whole_page=whole_page)
            done = f"{thing.kind} {thing.about}: {answer}"
            flash(say("It is removed from the public lists, and the reporter has your answer."))
        else:
            abuse_reports.dismiss(book(), report, answer, whole_page=whole_page)
            done = f"report {report[:12]}: {answer}"
            flash(say("The report is dismissed, and the reporter has your answer."))
    except AnsweredReportError:
        flash(say("This report has an answer already."))
    except UnknownThingError:
        flash(say("Nothing here has this id or address."))
    return see_other(endpoint), done
