"""Writing a command that a body says: what every address that writes under a key has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import marshmallow as ma
import msgspec

from daybook.domain.commands import Command
from daybook.services.permissions.visits import Visit
from daybook.services.play import recording, replay
from daybook.services.play.writing import Conflict, Receipt
from daybook.web.api.answers import ReceiptShown
from daybook.web.api.base import WRITE, Section, Sent, View, book
from daybook.web.api.envelopes.games import Once
from daybook.web.api.errors import LOOK_AGAIN, ApiError
from daybook.web.api.keys import entry_key, sight_of, visit_asked, writer


def writes(
    section: Section,
    path: str,
    body: type[ma.Schema] | None,
    answer: type[msgspec.Struct] = ReceiptShown,
    says: str = "where it was written down",
) -> Callable[[View], View]:
    """A view that writes what a body says, under the client's own key, and answers with where."""

    def decorator(view: View) -> View:
        view = section.answers(201, answer, says, fails=WRITE)(view)
        if body is not None:
            view = section.arguments(body)(view)
        view = section.needs_key(section.arguments(Once, location="headers")(view))
        routed: View = section.route(path, methods=["POST"])(view)
        return routed

    return decorator


def write_asked(visit: Visit, once: Sent, asked: Sent, kind: type[Command], **more: Any) -> ReceiptShown:
    """Write the command that a body says, for who may, and answer with the receipt.

    once: the headers with the client's key; asked: the command's fields, and `at`; more: its fields that stand elsewhere.
    """
    at = asked.pop("at", None)
    command = kind(**{**asked, **more})
    grant = writer(visit, kind, msgspec.structs.asdict(command))
    key = entry_key(grant, once["key"])
    return answer_written(
        visit, lambda: recording.append_command(book(), visit.game.id, command, at=at, by=grant.by, key=key)
    )


def answer_written(visit: Visit, write: Callable[[], Receipt]) -> ReceiptShown:
    """Write, and answer with the receipt. When the game has moved on the holder sees what was recorded meanwhile."""
    try:
        receipt = write()
    except Conflict as moved:
        raise _moved_on(visit, moved) from moved
    return ReceiptShown(str(visit.game.id), receipt.step, receipt.seal, receipt.repeated)


def _moved_on(visit: Visit, moved: Conflict) -> ApiError:
    now_there = visit_asked(visit.game.id)
    seen = list(replay.iter_steps(now_there.game, sight_of(now_there), moved.meanwhile[0].step - 1))
    return ApiError(
        409,
        "conflict",
        f"the game is at step {moved.step} now",
        LOOK_AGAIN,
        step=moved.step,
        meanwhile=msgspec.to_builtins(seen),
    )
