"""Addresses that write a command into a game. The path and the body hold the fields of the command."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.commands import LINKS, Command
from daybook.domain.kernel.frozen import Frozen
from daybook.services.permissions.actions import RIGHTS, Actor, MayNotError, require
from daybook.services.permissions.visits import Visit
from daybook.services.play import recording, replay
from daybook.services.play.writing import Conflict, Receipt, Writer
from daybook.web.api.answers import ReceiptShown
from daybook.web.api.base import WRITE, Section, View, book
from daybook.web.api.errors import LOOK_AGAIN, ApiError
from daybook.web.api.keys import entry_key, requested_visit, sight_of
from daybook.web.api.requests import AtStep, Once
from daybook.web.api.schemas import body_of
from daybook.web.request.long_work import takes_long

NOT_SENT = {*LINKS, "drawn_by_daybook", "appeal_hours"}  # command fields that only Daybook sets
ROLES: dict[Actor, str] = {"scorekeeper": "the scorekeeper", "seat": "players", "umpire": "umpires"}
WRITTEN = "where it was written"


class Write(Frozen):
    """An address that writes a command."""

    path: str
    command: type[Command]
    at: bool = False  # the body names the newest step that the client knows
    long: bool = False


def add_writes(section: Section, *addresses: Write) -> None:
    """Add addresses to a section, each with the help of its command."""
    for address in addresses:
        writes(section, address.path, body_of_command(address.path, address.command, at=address.at))(_view_of(address))


def body_of_command(path: str, command: type[Command], *, at: bool = False) -> type[msgspec.Struct] | None:
    """Return the Struct of a body: the fields of a command that are not in the path; None: there are none."""
    in_path = re.findall(r"int:(\w+)", path)
    assert {*in_path} <= {*command.__struct_fields__}, f"{path} names no field of {command.__name__}"
    body = body_of(f"{command.__name__}Body", command, *([AtStep] if at else []), without={*in_path, *NOT_SENT})
    return body if body.__struct_fields__ else None


def _view_of(address: Write) -> Callable[..., ReceiptShown]:
    def view(headers: Once, body: msgspec.Struct | None = None, *, game_id: UUID, **path: int) -> ReceiptShown:
        return write_command(requested_visit(game_id), headers, address.command, body, **path)

    view.__name__ = snake_case(address.command)
    view.__doc__ = help_of(address.command, [ROLES[role] for role in RIGHTS[address.command].roles])
    return takes_long("POST")(view) if address.long else view


def help_of(command: type[msgspec.Struct], roles: Iterable[str]) -> str:
    """Return the docstring of a view that writes a command: its effect and its roles."""
    summary, *paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join([summary.removesuffix("."), *paragraphs, f"For {' and '.join(roles)}."])


def snake_case(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def writes(
    section: Section,
    path: str,
    body: type[msgspec.Struct] | None,
    answer: type[msgspec.Struct] = ReceiptShown,
    description: str = WRITTEN,
) -> Callable[[View], View]:
    """Route a view that writes under the client's own key and returns the place of the entry."""

    def decorator(view: View) -> View:
        view = section.answers(201, answer, description, fails=WRITE)(view)
        if body is not None:
            view = section.arguments(body)(view)
        view = section.needs_key(section.arguments(Once, location="headers")(view))
        routed: View = section.route(path, methods=["POST"])(view)
        return routed

    return decorator


def write_command(
    visit: Visit, headers: Once, kind: type[Command], body: msgspec.Struct | None, **more: Any
) -> ReceiptShown:
    """Write the command of a request, if its key permits it, and return the receipt.

    Args:
        body: the command's fields, and `at`.
        more: further fields of the command.
    """
    fields = {} if body is None else msgspec.structs.asdict(body)
    at = fields.pop("at", None)
    command = kind(**fields, **more)
    try:
        grant = require(visit, kind, **msgspec.structs.asdict(command))
    except MayNotError as no:
        if no.missing != "fact" or at is None or visit.grant is None:
            raise
        grant = visit.grant  # the write also refuses it, unless the client is behind: then the answer is a conflict
    key = entry_key(grant, headers.key)
    return answer_written(
        visit,
        lambda: recording.append_command(
            book(), visit.game.id, command, at=at, by=Writer(grant.by, visit.grants), key=key
        ),
    )


def answer_written(visit: Visit, write: Callable[[], Receipt]) -> ReceiptShown:
    """Write, and return the receipt. The answer to a conflict has the entries that were recorded meanwhile."""
    try:
        receipt = write()
    except Conflict as conflict:
        raise _conflict_error(visit, conflict) from conflict
    return ReceiptShown(str(visit.game.id), receipt.step, receipt.seal, receipt.repeated)


def _conflict_error(visit: Visit, conflict: Conflict) -> ApiError:
    fresh = requested_visit(visit.game.id)
    steps = list(replay.iter_steps(fresh.game, sight_of(fresh), conflict.meanwhile[0].step - 1))
    return ApiError(
        409,
        "conflict",
        f"the game is at step {conflict.step} now",
        LOOK_AGAIN,
        step=conflict.step,
        meanwhile=msgspec.to_builtins(steps),
    )
