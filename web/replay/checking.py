"""Check of an uploaded record file without importing it: seals and today's rules."""

from __future__ import annotations

import io

from flask import Blueprint, Response, make_response, render_template, request

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.files import recordfile
from daybook.services.files.audit import AuditResult, audit
from daybook.services.files.recordfile import BadFileError, Record, RefusedLineError
from daybook.services.files.verify import SealCheck, verify_file
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.web import words
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.counts import take_or_refuse
from daybook.web.request.long_work import takes_long
from daybook.web.words import say

page = Blueprint("checking", __name__)


class FileChecked(Frozen):
    """Result of a check.

    Args:
        sealed: None for a bare file.
        findings: step, sentence, rule.
    """

    record: Record
    sealed: SealCheck | None
    audited: AuditResult
    findings: list[tuple[int, str, str]]


limit_bodies(page, RECORD_FILE_BYTES)


@page.route("/check", methods=["GET", "POST"])
@takes_long("POST")
def check() -> Response:
    if request.method != "POST":
        return _check_page()
    sent = request.files.get("record")
    if sent is None or not sent.filename:
        return _check_page(error=say("Choose one that ends in .daybook."), status=422)
    take_or_refuse("check", "writes")
    try:
        return _check_page(_check_file(sent.read()))
    except RefusedLineError as no:
        wrong = f"{words.reason_sentence(no.reason)} ({no.rule})" if no.rule else words.reason_sentence(no.reason)
        return _check_page(line=no.line, error=wrong, status=422)
    except BadFileError as bad:
        return _check_page(line=bad.line, error=words.fault_sentence(bad.fault), status=422)


def _check_file(file: bytes) -> FileChecked:
    """Check a file's seals and rules. Raises BadFileError, RefusedLineError."""
    first = next(recordfile.numbered_lines(io.BytesIO(file)))[1]
    sealed = verify_file(io.BytesIO(file)) if recordfile.is_full(first) else None
    record = recordfile.read_record_file(io.BytesIO(file), now())
    audited, names = audit(record.game), [seat.name for seat in record.header.seats]
    return FileChecked(
        record,
        sealed,
        audited,
        [
            (
                finding.step,
                "" if finding.reason is None else words.reason_sentence(finding.reason, audited.ruleset, names),
                finding.rule,
            )
            for finding in audited.findings
        ],
    )


def _check_page(checked: FileChecked | None = None, line: int = 0, error: str = "", status: int = 200) -> Response:
    return make_response(render_template("check_file.html", found=checked, line=line, wrong=error, names=[]), status)
