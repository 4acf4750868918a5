"""The one shape of everything that goes wrong, and the only place in the API that knows status numbers."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import HTTPException

from daybook.domain.commands import NotInTurn
from daybook.domain.kernel.chronicle import BadLine, Refused
from daybook.domain.kernel.decisions import NotADecision
from daybook.domain.kernel.sheet import BadSheet
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.disputes.forks import UnknownFork
from daybook.services.files.receipt_keys import BadSigningKey
from daybook.services.files.receipts import BadReceiptFile
from daybook.services.names import BadName
from daybook.services.people.photos import BadPhoto, PhotosBusy
from daybook.services.people.sign_in_limits import LockedOut
from daybook.services.play.recording import BadKey, KeyUsed, OtherGame
from daybook.services.settings import BadSetting
from daybook.services.store.disk import CannotWrite
from daybook.services.store.games import UnknownGame, UnknownRuleset
from daybook.services.store.kept import TakenOff
from daybook.services.store.log import LogBusy
from daybook.services.store.sheets import UnknownSheet, Unplayable
from daybook.web.api.strict import BadJson
from daybook.web.request.api_errors import (
    Error,
    error_answer,
    error_of_status,
    failure,
    headers_of_status,
    unwritten_answer,
)


class ApiError(Exception):
    """The API itself says no."""

    def __init__(self, status: int, code: str, reason: str, next: str, **details: Any) -> None:
        super().__init__(reason)
        self.status = status
        self.error = Error(code, "", reason, next, details)


MOVED_ON = frozenset({"game_closed", "not_closed", "not_over", "nothing_to_take_back", "nothing_adjusted"})


LOOK_AGAIN = "read the game from its newest step, then decide"


def answer_for(section: Blueprint) -> None:
    """Let a section of the API answer everything that goes wrong in it in this shape."""
    section.register_error_handler(ApiError, lambda e: error_answer(e.status, e.error, headers_of_status(e.status)))
    section.register_error_handler(
        BadJson,
        lambda e: error_answer(
            400, Error(e.code, "", str(e), "send one JSON object with whole numbers and plain text", {})
        ),
    )
    section.register_error_handler(
        NotInTurn,
        lambda e: error_answer(
            422,
            Error(
                e.reason.key,
                e.rule,
                str(e.reason),
                "correct the decision of this place, counted from 1; none was written",
                {"figures": e.reason.figures, "place": e.place},
            ),
        ),
    )
    section.register_error_handler(
        IllegalDecision,
        lambda e: error_answer(
            422,
            Error(
                e.reason.key,
                e.rule,
                str(e.reason),
                "choose one of the legal decisions: GET /games/{game}/legal",
                {"figures": e.reason.figures},
            ),
        ),
    )
    section.register_error_handler(Refused, _refusal_answer)
    section.register_error_handler(
        NotADecision,
        lambda e: error_answer(
            422,
            Error("not_a_decision", "", str(e), "GET /rulesets/{ruleset} describes every decision and its fields", {}),
        ),
    )
    section.register_error_handler(
        BadKey,
        lambda e: error_answer(
            400,
            Error(
                "bad_idempotency_key",
                "",
                str(e),
                "send a fresh UUID in the header Idempotency-Key with every write",
                {},
            ),
        ),
    )
    section.register_error_handler(
        KeyUsed,
        lambda e: error_answer(
            422, Error("key_used", "", str(e), "send every new write with a fresh Idempotency-Key", {"step": e.step})
        ),
    )
    section.register_error_handler(
        OtherGame,
        lambda e: error_answer(
            422,
            Error(
                "key_used",
                "",
                "another game was opened with this Idempotency-Key",
                "send a fresh Idempotency-Key to open a new game",
                {},
            ),
        ),
    )
    section.register_error_handler(
        BadName, lambda e: error_answer(422, Error("bad_name", "", str(e), "give another", {"field": e.field}))
    )
    section.register_error_handler(
        TakenOff,
        lambda e: error_answer(
            409, Error("taken_off", "", str(e), "ask whoever runs this Daybook to put it back", {"why": e.why})
        ),
    )
    section.register_error_handler(
        BadSheet,
        lambda e: error_answer(
            422, Error("bad_sheet", "", str(e), "give numbers that the sheet has, each of its own kind", {})
        ),
    )
    section.register_error_handler(
        Unplayable,
        lambda e: error_answer(
            422,
            Error(
                "unplayable_sheet",
                e.findings[0].rule,
                str(e.findings[0].reason),
                "no game opens with these numbers: change them",
                {
                    "findings": [
                        {"rule": one.rule, "says": str(one.reason), "paths": list(one.paths)} for one in e.findings
                    ]
                },
            ),
        ),
    )
    section.register_error_handler(
        UnknownGame,
        lambda e: error_answer(
            404, Error("unknown_game", "", str(e), "check the address, or import the game's record file", {})
        ),
    )
    section.register_error_handler(
        UnknownFork,
        lambda e: error_answer(
            404,
            Error(
                "unknown_fork",
                "",
                "there is no such line, or it is another key's",
                "GET /games/{game}/forks lists yours",
                {},
            ),
        ),
    )
    section.register_error_handler(
        BadPhoto,
        lambda e: error_answer(
            422, Error("bad_photo", "", str(e), "send the photo as a JPEG, PNG or WebP file that is no larger", {})
        ),
    )
    section.register_error_handler(
        PhotosBusy,
        lambda e: error_answer(
            503,
            Error("busy", "", str(e), "send the same request again in a moment, with the same Idempotency-Key", {}),
            headers_of_status(503),
        ),
    )
    section.register_error_handler(
        BadReceiptFile,
        lambda e: error_answer(
            422, Error("bad_receipt", "", str(e), "send a receipt as GET /games/{game}/receipt gave it out", {})
        ),
    )
    section.register_error_handler(
        UnknownRuleset,
        lambda e: error_answer(
            404, Error("unknown_ruleset", "", str(e), "GET /rulesets lists the games that Daybook knows", {})
        ),
    )
    section.register_error_handler(
        UnknownSheet,
        lambda e: error_answer(
            404, Error("unknown_sheet", "", str(e), "GET /rulesets/{ruleset}/sheets lists the sheets", {})
        ),
    )
    section.register_error_handler(
        LockedOut,
        lambda e: error_answer(
            429,
            Error(
                "too_many",
                "",
                "many games were opened with this person's key, or from this address without one",
                "wait as long as Retry-After says",
                {"seconds": e.seconds},
            ),
            {"Retry-After": str(e.seconds)},
        ),
    )
    section.register_error_handler(
        BadLine,
        lambda e: error_answer(
            503,
            Error(
                "unreadable_game",
                "",
                "this version cannot read the game's record, which is kept as it is",
                "tell who runs this Daybook: `daybook doctor` says why",
                {},
            ),
        ),
    )
    section.register_error_handler(CannotWrite, unwritten_answer)
    section.register_error_handler(
        BadSigningKey,
        lambda _: error_answer(
            503,
            Error(
                "receipt_key",
                "",
                "receipts cannot be signed now; the record is safe",
                "tell who runs this Daybook: `daybook doctor` says what is wrong",
                {},
            ),
        ),
    )
    section.register_error_handler(
        BadSetting,
        lambda _: error_answer(
            503,
            Error(
                "not_in_order",
                "",
                "something that Daybook needs is not in order; the record is safe",
                "tell who runs this Daybook: `daybook doctor` says what is wrong",
                {},
            ),
        ),
    )
    section.register_error_handler(LogBusy, lambda _: error_answer(503, error_of_status(503), headers_of_status(503)))
    section.register_error_handler(HTTPException, failure)


def _refusal_answer(refused: Refused) -> Response:
    reason = refused.reason
    status, next = (409, LOOK_AGAIN) if reason.key in MOVED_ON else (422, "correct it as the reason says")
    return error_answer(status, Error(reason.key, refused.rule, str(reason), next, {"figures": reason.figures}))
