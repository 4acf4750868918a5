"""Report a name, a photo, a sheet, a game or a club as abuse on a public Daybook, and read the operator's answer."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, abort, make_response, render_template, request
from werkzeug import Response

from daybook.services.operation import abuse_reports
from daybook.services.operation.abuse_reports import (
    PAGE_LIMIT,
    REASON_LIMIT,
    BadPageError,
    ReportKind,
    TooManyReportsError,
)
from daybook.web.request.abuse_answers import KINDS
from daybook.web.request.access import book
from daybook.web.request.forms import fresh_key, key_sent, record_key, see_other, text_fault, text_sent, why_sent
from daybook.web.request.security import forbid_storing
from daybook.web.request.sharing import page_without_share
from daybook.web.words import say

page = Blueprint("reports", __name__)


@page.get("/reports/new")
def new() -> str:
    """Show the form of a report, for the page that the reader came from."""
    _require_public()
    return _form({"page": request.args.get("page", ""), "key": fresh_key()}, {})


@page.post("/reports/new")
def send() -> Response:
    """Store a report, and lead to its address."""
    _require_public()
    kind, errors = text_sent("kind"), dict[str, str]()
    address = text_sent("page").strip()
    try:
        path = abuse_reports.read_page(address)
    except BadPageError:
        path = ""
        errors["page"] = say("Give the address of a page of this Daybook.")
    if kind not in KINDS:
        errors["kind"] = say("Choose one of these.")
    if fault := text_fault(why_sent(), REASON_LIMIT, say("Say what is wrong with it.")):
        errors["why"] = fault
    if errors:
        return make_response(_form(request.form, errors), 422)
    if request.script_root and path.startswith(f"{request.script_root}/"):
        path = path.removeprefix(request.script_root)
    path = page_without_share(path)
    key = record_key(key_sent(), [kind, path, why_sent()])
    try:
        secret = abuse_reports.send_report(book(), cast(ReportKind, kind), path, why_sent(), key=key)
    except TooManyReportsError:
        errors["why"] = say("The administrator has too many open reports. Send this one in some days.")
        return make_response(_form(request.form, errors), 503)
    return see_other("reports.show", report=secret)


@page.get("/reports/<report>")
def show(report: str) -> Response:
    """Show a report and its answer. The secret in the address is the permission."""
    found = abuse_reports.read_report(book(), report) or abort(404)
    return forbid_storing(make_response(render_template("report.html", report=found, kinds=KINDS)))


def _form(sent: object, errors: dict[str, str]) -> str:
    return render_template(
        "report_new.html", sent=sent, wrong=errors, kinds=KINDS, limit=REASON_LIMIT, page_limit=PAGE_LIMIT
    )


def _require_public() -> None:
    if not book().settings.public:
        abort(404)
