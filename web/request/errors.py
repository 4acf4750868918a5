"""Error pages, which name the fault and the next step."""

from __future__ import annotations

import logging

from flask import Flask, Response, flash, g, make_response, render_template, request
from werkzeug import Response as BaseResponse
from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
    Gone,
    HTTPException,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
    UnprocessableEntity,
)

from daybook.domain.kernel.chronicle import InvalidLineError, Refused
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.kernel.record import Game
from daybook.domain.league.club_events import ROLES
from daybook.services.files.receipt_keys import BadSigningKeyError
from daybook.services.files.receipts import short_code
from daybook.services.people.byte_limits import TooManyBytesError
from daybook.services.permissions.actions import MayNotError
from daybook.services.play.recording import OtherGameError
from daybook.services.play.repetition import BadKeyError, MovedOnError
from daybook.services.settings import BadSettingError
from daybook.services.store.disk import CannotWriteError
from daybook.services.store.game_cache import UnknownRulesetError
from daybook.services.store.log import LogBusyError, RecordErasedError
from daybook.services.store.stranger_marks import DiskNearlyFullError
from daybook.web.request.access import book
from daybook.web.request.api_errors import disk_error_response, error_response
from daybook.web.request.forms import see_other
from daybook.web.request.long_work import OUT_OF_MEMORY, RETRY_SECONDS_BY_REASON
from daybook.web.request.outage import resendable_form
from daybook.web.request.security import SAFE
from daybook.web.words import N_, league_words, reason_sentence, say
from daybook.web.words.league_words import role_list

logger = logging.getLogger(__name__)

KEEPS_WHAT_WAS_SENT = frozenset({401, 403, 429, 503, 507})  # statuses after which a script keeps the typed text
WORTHLESS = frozenset(
    {  # reasons of 403 after which the typed text is useless: a forged form, or a wrong key
        "csrf",
        "key",
        "invitation unknown",
        "invitation used",
        "invitation revoked",
        "invitation over",
    }
)

MISSING = {  # what is missing -> the words for it, where it has none of its own
    "fact": "seat",
    "others": "seat",
    "speak": "claim",
    "photo": "sight",
    "link": "private",
    "membership": "club",
    "evenings": "club evenings",
    "role": "club role",
    "organiser": "club role",
    "club_umpire": "club role",
    "own_account": "by link",
}

SAYS: dict[tuple[int, str], tuple[str, str]] = N_(
    {  # (status, our word for it): what is, what to do
        (400, ""): ("This cannot be read", "Go back and send the form again."),
        (400, "encoding"): ("This text is not readable", "It contains bytes that are not text. Type it again."),
        (400, "day"): ("There is no such day", "Enter a day such as 2026-11-20."),
        (401, ""): ("Sign in first", "Nothing was saved. Sign in, then send it again."),
        (403, ""): ("You do not have permission. Ask the scorekeeper for a link", "Ask the scorekeeper for a link."),
        (403, "csrf"): (
            "This form has expired",
            "Nothing was saved. Go back, reload the page, and send it again. Daybook needs its cookie for this.",
        ),
        (403, "person"): (
            "Someone signed in or out here in the meantime",
            "You are signed in as someone else now. Nothing was saved.",
        ),
        (403, "invitation unknown"): ("This link is not valid", "It was mistyped or cut off. Ask for it again."),
        (403, "invitation used"): (
            "This link was already used",
            "It works once, for one person. Ask for a new one, or sign in.",
        ),
        (403, "invitation revoked"): (
            "This link is no longer valid",
            "It was revoked, or replaced by a newer one. Ask for a new one.",
        ),
        (403, "invitation over"): ("This link has expired", "It was valid for some days. Ask for a new one."),
        (403, "key"): (
            "This link does not work",
            "It was mistyped, cut off, or replaced by a new one. Ask the scorekeeper for the link again.",
        ),
        (403, "private"): ("You need a link to read this game", "Ask a player for one, then open it on this device."),
        (403, "record"): (
            "You can only read here",
            "To record, you need a seat’s link or the scorekeeper’s. Ask for one.",
        ),
        (403, "seal"): (
            "This offer was sealed on the player’s own phone",
            "Only the player can change it, on that phone. If it is lost, undo the sealed offer: everyone sees that.",
        ),
        (403, "scorekeeper"): ("This is for the scorekeeper", "Open the scorekeeper’s link on this device."),
        (403, "claim"): (
            "You cannot raise or settle claims here",
            "For that you need a seat’s link or the scorekeeper’s. Ask for one.",
        ),
        (403, "umpire"): (
            "You cannot rule for that umpire",
            "Open the umpire’s link on this device. An umpire who plays rules with the link of the seat.",
        ),
        (403, "covered"): (
            "Something is hidden from you",
            "Only the scorekeeper or an umpire can propose how to correct the board, because they see every hand.",
        ),
        (403, "fork"): (
            "What if opens when the game ends",
            (
                "While the game is being played, it is for viewers who see every hand. Then everyone who can read the game can open it."
            ),
        ),
        (403, "audit"): (
            "An audit shows what is in the hands",
            "While the game is being played, it is for the scorekeeper. Then everyone who can read the game can open it.",
        ),
        (403, "club"): (
            "This club is for its members",
            "Sign in with your own account, or ask an organiser of the club for an invitation.",
        ),
        (403, "club evenings"): (
            "The evenings of this club are for its members",
            "Sign in with your own account, or ask an organiser of the club for an invitation.",
        ),
        (403, "club role"): (
            "This needs another role in the club",
            "Nothing was saved. This is for: {roles}. Organisers give roles, on the page of the club’s people.",
        ),
        (403, "keeper"): (
            "This is for the game’s own scorekeeper",
            "Open the scorekeeper’s link of that game on this device first.",
        ),
        (403, "by link"): (
            "You signed in here with a link",
            (
                "Nothing was saved. For some days this device can play and set a password. To change anything else, "
                "confirm the link on another of your devices, or sign in with your old password."
            ),
        ),
        (403, "has account"): (
            "This person has an account",
            ("Only the person can do this, on their own page. If they cannot sign in, the administrator can do it."),
        ),
        (403, "running"): ("The record names every card", "It can be downloaded when the game is closed."),
        (403, "seat"): (
            "You cannot record for that seat",
            "A seat’s link records that seat’s own decisions and what the table shows.",
        ),
        (403, "scope"): ("This key may not do that", "Create a key with a wider scope on your page."),
        (403, "operator link"): (
            "This link was already used or has expired",
            "Run `daybook operator-link` on the server again. A link is valid once, for 15 minutes.",
        ),
        (403, "operator session"): (
            "Your session as operator has ended",
            "Nothing was saved. Run `daybook operator-link` on the server for a new link. A session lasts 15 minutes.",
        ),
        (403, "sight"): (
            "This view is not open to you",
            (
                "While a game is being played, everyone sees only their own view. Open the replay and choose one of its views."
            ),
        ),
        (404, "step"): ("The record has no such step", "Its steps go from 0 to {newest}."),
        (404, "share"): (
            "This link no longer works",
            "Its game is no longer shared at this address, or the address is cut off. Ask its sender for a new one.",
        ),
        (404, ""): ("There is no such page", "The address may be cut off. The list of games is a good start."),
        (410, "erased"): (
            "This was erased",
            (
                "The administrator erased it on {day}: {why}. The seal of its last step, {step}, was {code}. Saved files and receipts stay as they are."
            ),
        ),
        (405, ""): ("This page does not accept this request", "Open it from the list of games."),
        (409, ""): ("The game has continued", "Check what was recorded in the meantime, and decide again."),
        (413, ""): ("This is too long", "Make it shorter and send it again."),
        (413, "photos"): ("These photos are too large together", "Nothing was saved. Send fewer, or smaller ones."),
        (421, "host"): (
            "Daybook does not answer at this address",
            (
                "Ask the administrator for the right address. The administrator adds “{host}” to DAYBOOK_ALLOWED_HOSTS, or sets "
                "DAYBOOK_BASE_URL to the public address."
            ),
        ),
        (422, "limit"): (
            "This takes too much time or memory",
            "Daybook stopped it. What was recorded before is safe. Send less at once.",
        ),
        (429, "bytes"): (
            "Too much was stored today",
            "Nothing was saved. You can still record games. Send this again tomorrow, or sign in.",
        ),
        (429, "writes"): ("Too much at once", "Nothing was saved. Wait a while, then send it again."),
        (429, ""): ("Too many tries", "Wait a minute, then open the link again."),
        (503, "unreadable"): (
            "This game cannot be read just now",
            "Its record is kept as it is, and all other games work. Contact the administrator.",
        ),
        (503, "archive"): (
            "The archive cannot be made just now",
            (
                "A newer Daybook wrote one of its records, or a record is damaged. Try again after the update. If this "
                "happens again, contact the administrator."
            ),
        ),
        (202, "coming"): ("This takes a moment", "Daybook is working on it. The page appears automatically."),
        (503, "lost"): ("This was interrupted", "Send it again; what was saved is not saved twice."),
        (503, "many"): ("Too many requests right now", "Nothing was done. Send it again in a moment."),
        (507, "nearly full"): (
            "The disk is nearly full",
            "Nothing was saved. You can send files again when there is room. Sign in, or ask the administrator.",
        ),
        (507, "full"): (
            "The disk is full",
            "Nothing was saved. Ask the administrator to free space on the disk, then send it again.",
        ),
        (507, "closed"): (
            "The disk cannot be written",
            (
                "Nothing was saved. Contact the administrator: the disk is read-only or belongs to another user. Then send it again."
            ),
        ),
        (422, "refused"): ("Nothing was saved", "{reason}."),
        (503, "receipt key"): ("Receipts cannot be signed now", "The record is safe. Contact the administrator."),
        (503, "setting"): ("Part of Daybook does not work", "The record is safe. Contact the administrator."),
        (503, ""): ("The record is busy", "Nothing was saved. Send it again in a moment."),
        (500, ""): (
            "Something went wrong",
            "Everything recorded before is safe. Reload the page. If this happens again, contact the administrator.",
        ),
    }
)


def register_error_pages(app: Flask) -> None:
    app.register_error_handler(HTTPException, _error_page)
    app.register_error_handler(CannotWriteError, _disk_error_page)
    app.register_error_handler(BadSigningKeyError, lambda wrong: _broken_file_page("receipt key", wrong))
    app.register_error_handler(BadSettingError, lambda wrong: _broken_file_page("setting", wrong))
    app.register_error_handler(InvalidLineError, _unreadable_page)
    app.register_error_handler(UnknownRulesetError, _unreadable_page)
    for wrong in (BadKeyError, NotADecisionError, OtherGameError):  # no form of ours sends such a thing
        app.register_error_handler(wrong, lambda _: _error_page(BadRequest()))
    app.register_error_handler(MovedOnError, _redirect_stale_form)
    app.register_error_handler(Refused, lambda no: _error_page(RefusedPageError(no)))
    app.register_error_handler(RecordErasedError, lambda erased: _error_page(ErasedPageError(erased)))
    app.register_error_handler(MayNotError, lambda no: _error_page(MissingPermissionError(no)))
    app.register_error_handler(MemoryError, _note_out_of_memory)
    app.register_error_handler(TooManyBytesError, lambda _: _error_page(TooManyRequests("bytes")))
    app.register_error_handler(DiskNearlyFullError, lambda _: _error_page(InsufficientStorageError("nearly full")))
    app.register_error_handler(LogBusyError, lambda busy: _error_page(ServiceUnavailable(retry_after=1)))


def _note_out_of_memory(error: MemoryError) -> Response:
    """Leave the answer to the process: a page could not be built in the memory that is left."""
    request.environ[OUT_OF_MEMORY] = True
    raise error


def _unreadable_page(error: InvalidLineError | UnknownRulesetError) -> Response:
    """Return the page for a damaged record or one of another version; health and doctor report it, too."""
    logger.error("%s: %s", request.path, error)
    g.preview = None  # do not read the damaged record again
    return _error_page(ServiceUnavailable("archive" if request.path.endswith("/archive.zip") else "unreadable"))


def _redirect_stale_form(no: MovedOnError) -> BaseResponse:
    """Redirect after a form that came too late or was sent before."""
    flash(
        say("The game has continued in the meantime. Nothing was saved: check the last steps and decide again."),
        "wrong",
    )
    return see_other("record.record", game_id=no.record)


class InsufficientStorageError(HTTPException):
    """The disk takes nothing now, and nothing was written."""

    code = 507


def _disk_error_page(error: CannotWriteError) -> Response:
    logger.error("nothing was written: %s", error)
    if request.path.startswith("/api/"):
        return disk_error_response(error)
    return _error_page(InsufficientStorageError(error.why))


def _broken_file_page(reason: str, error: Exception) -> Response:
    """Return the page for an unusable file; its path is only logged for the operator."""
    logger.error("%s", error)
    return _error_page(ServiceUnavailable(reason))


class NoSuchStepError(NotFound):
    """The requested step does not exist in a game that the visitor may read."""

    def __init__(self, game: Game) -> None:
        super().__init__("step")
        self.game = game


class RefusedPageError(UnprocessableEntity):
    """A refusal that the form does not expect, as on a damaged record."""

    def __init__(self, no: Refused) -> None:
        super().__init__("refused")
        people = {str(no.reason.figures[name]) for name in league_words.PEOPLE if name in no.reason.figures}
        names = book().kept.names(people) if people else {}
        self.told = {"reason": league_words.league_reason(no.reason, names) if people else reason_sentence(no.reason)}


class MissingPermissionError(Forbidden):
    """The page that says which permission is missing."""

    def __init__(self, no: MayNotError) -> None:
        super().__init__(MISSING.get(no.missing, no.missing))
        roles = {"organiser": {"organiser"}, "club_umpire": {"umpire"}}.get(no.missing, {*no.roles})
        self.told = {"roles": role_list(("member",) if "member" in roles else tuple(r for r in ROLES if r in roles))}


class ErasedPageError(Gone):
    """The requested game or club was erased."""

    def __init__(self, erased: RecordErasedError) -> None:
        super().__init__("erased")
        stone = erased.tombstone
        self.told = {
            "day": stone.at[:10],
            "why": stone.why,
            "step": stone.entries - 1,
            "code": short_code(stone.last_seal),
        }


def _error_page(error: HTTPException) -> Response:
    if request.path.startswith("/api/"):
        return error_response(error)
    status = error.code or 500
    reason = error.description or ""
    title, todo = SAYS.get((status, reason)) or SAYS.get((status, "")) or SAYS[(500 if status >= 500 else 400, "")]
    game = error.game if isinstance(error, NoSuchStepError) else None
    told = error.told if isinstance(error, ErasedPageError | RefusedPageError | MissingPermissionError) else {}
    todo = say(todo, newest=game.step if game else 0, host=request.host, **told)
    response = make_response(
        render_template(
            "error.html",
            status=status,
            title=say(title),
            todo=todo,
            replay=game,
            unwritten=status in (403, 413) and reason not in ("csrf", "person") and request.method not in SAFE,
            again=resendable_form() if status in KEEPS_WHAT_WAS_SENT and reason not in WORTHLESS else None,
        ),
        status,
    )
    response.headers.extend([(name, value) for name, value in error.get_headers() if name in ("Allow", "Retry-After")])
    if reason == "coming":
        response.headers["Refresh"] = str(RETRY_SECONDS_BY_REASON[reason])
        response.headers["Cache-Control"] = "no-store"
    return response
