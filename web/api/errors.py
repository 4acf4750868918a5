"""Answers to errors in one shape. Only this module of the API maps exceptions to statuses."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import HTTPException

from daybook.domain.commands import NotInTurnError
from daybook.domain.kernel.chronicle import InvalidLineError, Refused
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.sheet import InvalidSheetError
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.disputes.forks import UnknownForkError
from daybook.services.files.receipt_keys import BadSigningKeyError
from daybook.services.files.receipts import BadReceiptFileError
from daybook.services.limits import LimitExceededError
from daybook.services.names import BadNameError
from daybook.services.people.byte_limits import TooManyBytesError
from daybook.services.people.photos import InvalidPhotoError, PhotosBusyError
from daybook.services.play.recording import BadKeyError, KeyUsedError, OtherGameError
from daybook.services.settings import BadSettingError
from daybook.services.store.damage import DAMAGED
from daybook.services.store.disk import CannotWriteError
from daybook.services.store.game_cache import UnknownGameError, UnknownRulesetError
from daybook.services.store.kept import WithheldError
from daybook.services.store.log import LogBusyError, RecordErasedError
from daybook.services.store.sheets import UnknownSheetError, UnplayableError
from daybook.services.store.stranger_marks import DiskNearlyFullError
from daybook.web.api.strict import BadJsonError
from daybook.web.request.api_errors import (
    Error,
    disk_error_response,
    error_answer,
    error_of_status,
    error_response,
    headers_of_status,
)


class ApiError(Exception):
    """A refusal of the API itself."""

    def __init__(self, status: int, code: str, reason: str, next_step: str, **details: Any) -> None:
        super().__init__(reason)
        self.status = status
        self.error = Error(code, "", reason, next_step, details)


def api_error_answer(error: ApiError) -> Response:
    return error_answer(error.status, error.error, headers_of_status(error.status))


class ExceptionAnswer(Frozen):
    """The answer to an exception."""

    status: int
    code: str
    next: str
    reason: str = ""  # replaces the exception's own, if that is not for everyone
    details: tuple[str, ...] = ()  # attributes of the exception


LOOK_AGAIN = "read the game from its newest step, then decide"
THAT_PLACE = "correct the decision at this place, counted from 1; none was written"
CHOOSE = "choose one of the legal decisions: GET /games/{game}/legal"
CORRECT = "correct it as the reason says"
FRESH_KEY = "send a fresh UUID in the header Idempotency-Key with every write"
DOCTOR = "contact the administrator: `daybook doctor` says what is wrong"
MOVED_ON = ("game_closed", "not_closed", "not_over", "nothing_to_take_back", "nothing_adjusted")
NEXT_AFTER = {DAMAGED: (409, DOCTOR), "unknown_claim": (404, "GET /games/{game}/claims lists them")} | dict.fromkeys(
    MOVED_ON, (409, LOOK_AGAIN)
)  # by the key of a refusal's reason

SAYS: dict[type[Exception], ExceptionAnswer] = {
    NotADecisionError: ExceptionAnswer(
        422, "not_a_decision", "GET /rulesets/{ruleset} describes every decision and its fields"
    ),
    BadKeyError: ExceptionAnswer(400, "bad_idempotency_key", FRESH_KEY),
    KeyUsedError: ExceptionAnswer(
        422, "key_used", "send every new write with a fresh Idempotency-Key", details=("step",)
    ),
    OtherGameError: ExceptionAnswer(
        422,
        "key_used",
        "send a fresh Idempotency-Key to open a new game",
        "another game was opened with this Idempotency-Key",
    ),
    BadNameError: ExceptionAnswer(422, "bad_name", "give another", details=("field",)),
    WithheldError: ExceptionAnswer(409, "taken_off", "ask the administrator to put it back", details=("why",)),
    InvalidSheetError: ExceptionAnswer(422, "bad_sheet", "send only numbers of the sheet, each of its own type"),
    RecordErasedError: ExceptionAnswer(
        410, "erased", "use a record file that was saved before; the id is not used again"
    ),
    TooManyBytesError: ExceptionAnswer(
        429, "too_many_bytes", "send it again tomorrow; decisions can still be recorded"
    ),
    DiskNearlyFullError: ExceptionAnswer(
        507, "disk_nearly_full", "sign in, or send it again when the administrator has made room"
    ),
    UnknownGameError: ExceptionAnswer(404, "unknown_game", "check the address, or import the game's record file"),
    UnknownForkError: ExceptionAnswer(
        404, "unknown_fork", "GET /games/{game}/forks lists yours", "no such what-if line exists for this key"
    ),
    InvalidPhotoError: ExceptionAnswer(
        422, "bad_photo", "send the photo as a JPEG, PNG or WebP file within the limits"
    ),
    BadReceiptFileError: ExceptionAnswer(422, "bad_receipt", "send a receipt as GET /games/{game}/receipt returned it"),
    UnknownRulesetError: ExceptionAnswer(404, "unknown_ruleset", "GET /rulesets lists the known games"),
    UnknownSheetError: ExceptionAnswer(404, "unknown_sheet", "GET /rulesets/{ruleset}/sheets lists the sheets"),
    InvalidLineError: ExceptionAnswer(
        503,
        "unreadable_game",
        "contact the administrator: `daybook doctor` says why",
        "this version cannot read the game's record; the record is unchanged",
    ),
    BadSigningKeyError: ExceptionAnswer(
        503, "receipt_key", DOCTOR, "receipts cannot be signed now; the record is safe"
    ),
    BadSettingError: ExceptionAnswer(
        503, "not_in_order", DOCTOR, "a setting of this service is wrong; the record is safe"
    ),
}


def answer_for(section: Blueprint) -> None:
    """Register the error handlers of a section."""
    for wrong, says in SAYS.items():
        section.register_error_handler(wrong, partial(_exception_answer, says))
    section.register_error_handler(ApiError, api_error_answer)
    section.register_error_handler(
        BadJsonError,
        lambda e: error_answer(
            400, Error(e.code, "", str(e), "send one JSON object with whole numbers and plain text", {})
        ),
    )
    section.register_error_handler(NotInTurnError, lambda e: _refusal_answer(e, 422, THAT_PLACE, place=e.place))
    section.register_error_handler(IllegalDecision, lambda e: _refusal_answer(e, 422, CHOOSE))
    section.register_error_handler(Refused, lambda e: _refusal_answer(e, *NEXT_AFTER.get(e.reason.key, (422, CORRECT))))
    section.register_error_handler(
        UnplayableError,
        lambda e: error_answer(
            422,
            Error(
                "unplayable_sheet",
                e.findings[0].rule,
                str(e.findings[0].reason),
                "change the numbers: no game can be played with them",
                {
                    "findings": [
                        {"rule": finding.rule, "message": str(finding.reason), "paths": list(finding.paths)}
                        for finding in e.findings
                    ]
                },
            ),
        ),
    )
    section.register_error_handler(
        PhotosBusyError,
        lambda e: error_answer(
            503,
            Error("busy", "", str(e), "send the same request again in a moment, with the same Idempotency-Key", {}),
            headers_of_status(503),
        ),
    )
    section.register_error_handler(
        LimitExceededError,
        lambda e: error_answer(
            429,
            Error(
                "too_many",
                "",
                "too many games were opened with this person's key, or from this address without a key",
                "wait for the seconds in Retry-After",
                {"seconds": e.seconds},
            ),
            {"Retry-After": str(e.seconds)},
        ),
    )
    section.register_error_handler(CannotWriteError, disk_error_response)
    section.register_error_handler(
        LogBusyError, lambda _: error_answer(503, error_of_status(503), headers_of_status(503))
    )
    section.register_error_handler(HTTPException, error_response)


def _exception_answer(answer: ExceptionAnswer, error: Exception) -> Response:
    details = {name: getattr(error, name) for name in answer.details}
    return error_answer(answer.status, Error(answer.code, "", answer.reason or str(error), answer.next, details))


def _refusal_answer(no: IllegalDecision | Refused, status: int, next_step: str, **details: Any) -> Response:
    reason = no.reason
    return error_answer(
        status, Error(reason.key, no.rule, str(reason), next_step, {"figures": reason.figures, **details})
    )
