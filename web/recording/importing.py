"""Import of record files and of games written as text, with the faulty line if any."""

from __future__ import annotations

import io
from collections.abc import Mapping
from uuid import NAMESPACE_OID, UUID, uuid5

import msgspec
from flask import Blueprint, flash, make_response, redirect, render_template, request
from werkzeug import Response
from werkzeug.exceptions import RequestEntityTooLarge

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.clock import now
from daybook.services.files import import_export, recordfile
from daybook.services.files.import_export import AlreadyStoredError, RecordsDivergeError, import_link_id
from daybook.services.files.recordfile import BadFileError, RefusedLineError
from daybook.services.limits import LimitExceededError
from daybook.services.permissions import access
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import has_role, may_read
from daybook.services.reading_limits import RECORD_FILE_BYTES, TYPED_LETTERS
from daybook.web import words
from daybook.web.recording.typed_line import show_line
from daybook.web.request.access import book, current_grant, current_person, hold_grant, visit_game
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.byte_counts import stranger_mark
from daybook.web.request.counts import importer, take
from daybook.web.request.forms import fresh_key, see_other, text_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.parts import is_device
from daybook.web.request.security import browser_token
from daybook.web.words import say, say_n
from daybook.web.words.say import N_
from daybook.web.words.sign_in import too_many_games
from daybook.web.words.written_game import header_of_text, is_written, read_game

page = Blueprint("importing", __name__)

EXAMPLE = N_("# game: Making Profit\n# seat: Anna (red)\n# seat: Ben (blue)\nthe table: R1\nAnna: develop M1")
MAX_TEXTS_AT_ONCE = 1_500  # of a written game; the rest stays on the typing page
MAX_EXCERPT_CHARACTERS = 160  # of a shown line


class ImportFault(Frozen):
    """Reason why a file was not imported.

    Args:
        line: number of the faulty line with its content; 0 for none.
    """

    says: str
    todo: str
    line: int = 0
    rule: str = ""
    stands: str = ""
    another: bool = False  # the file has another game than the page that it was sent from


limit_bodies(page, RECORD_FILE_BYTES)


@page.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> Response:
    return _import_form(
        ImportFault(
            say("The file is larger than {n} megabytes", n=RECORD_FILE_BYTES // 1024**2),
            say("No record of one game is that large. Check whether it is the right file."),
        ),
        413,
        fields={},
    )


@page.route("/import", methods=["GET", "POST"])
@takes_long("POST")
def bring() -> Response:
    """Show the import form, or import the sent file or text."""
    if request.method != "POST":
        return _import_form()
    sent, text = request.files.get("record"), text_sent("text")
    if (sent is None or not sent.filename) and not text.strip():
        return _import_form(ImportFault(say("No file was chosen"), say("Choose one that ends in .daybook.")), 422)
    file = sent.read() if sent is not None and sent.filename else text.replace("\r\n", "\n").encode()
    try:
        return _import_text(file) if is_written(file) else _import_file(file)
    except LimitExceededError as locked:
        return _import_form(ImportFault(too_many_games(locked, current_person()), say("Nothing was imported.")), 429)
    except BadFileError as error:
        return _import_form(_fault_shown(error, file), 422)
    except AlreadyStoredError as here:  # a comparison would tell a stranger about covered hands
        return _import_form(
            ImportFault(
                say("This game is already here, and only its scorekeeper can add to it"),
                say("Ask the scorekeeper for a link, or open the scorekeeper’s link on this device first."),
            ),
            403,
            here.game,
        )
    except RecordsDivergeError as parted:
        return _import_form(
            ImportFault(
                say("Another record of this game is already here. They differ from step {n} on", n=parted.step),
                say("Keep the file: it is another version of the same game."),
            ),
            409,
        )


def _import_file(file: bytes) -> Response:
    game_id = import_export.game_id_in(file)
    if request.form.get("game") not in (None, "", str(game_id)):
        return _import_form(
            ImportFault(say("The file contains another game"), say("Nothing was imported."), another=True), 422
        )
    link = import_link_id(game_id, f"{browser_token()} {request.form.get('key', '')}")
    stored = len(book().log.entries(game_id))
    own_grant = access.grant_of(book(), link) or current_grant(game_id)
    keeps = own_grant is not None and has_role([own_grant], game_id, "manage")
    if stored and not keeps and not access.is_reserved(book(), link):
        raise AlreadyStoredError(game_id)
    if not stored:
        take("game")
    stranger = "" if keeps else stranger_mark(game_id)
    public = request.form.get("public") == "yes"
    import_export.import_file(
        book(), file, public, may_extend=keeps, keeper=link, importer=importer(), stranger=stranger
    )
    game = book().games.get(game_id)
    hold_grant(own_grant if stored and own_grant is not None and keeps else _keeper_grant(game, link))
    flash(_import_sentence(game, stored))
    if is_device():
        return redirect(f"{request.script_root}/games/{game_id}", 303)
    return see_other("links.links", game_id=game_id, new=None if stored else "file")


def _import_text(file: bytes) -> Response:
    """Import a written game as far as it is readable; the rest goes to the typing page."""
    if len(text := file.decode(errors="replace")) > TYPED_LETTERS:
        return _import_form(
            ImportFault(say("At most {n} characters are read at once.", n=TYPED_LETTERS), say("Nothing was imported.")),
            413,
        )
    opens = msgspec.json.encode(header_of_text(text)).decode()
    game_read = read_game(
        text, now(), game_id=uuid5(NAMESPACE_OID, f"{browser_token()} {opens}"), limit=MAX_TEXTS_AT_ONCE
    )
    answer = _import_file(game_read.bare_file)
    if not game_read.left or answer.status_code != 303:
        return answer
    if not game_read.line:
        says = say("{n} were saved. Save the rest in the same way.", n=MAX_TEXTS_AT_ONCE)
        return show_line(visit_game(game_read.game.id), game_read.left, notice=says)
    return show_line(visit_game(game_read.game.id), game_read.left, 422)


def _keeper_grant(game: Game, link: str) -> Grant:
    """Return the importer's scorekeeper link, and create links for seats and readers.

    Raises AlreadyStoredError for the second of two simultaneous importers.
    """
    game_row = book().kept.game(game.id)
    given = access.make_first_grants(book(), game.id, keeper=link, for_readers=game_row is None or not game_row.public)
    own_grant = next((grant for grant in given if grant.id == link), None)
    if own_grant is None:
        raise AlreadyStoredError(game.id)
    return own_grant


def _import_sentence(game: Game, stored_entries: int) -> str:
    """Summarize an import in one sentence."""
    added = len(game.entries) - stored_entries
    if not stored_entries:
        return say(
            "{game}, {steps}, {status}.",
            game=words.game_title(game.game_key),
            status=words.status_label(game.status),
            steps=say_n("{n} step", "{n} steps", game.step),
        )
    if not added:
        return say("This game is already here, and the file contains nothing new.")
    return say_n(
        "{n} step was added: the game is now at step {step}.",
        "{n} steps were added: the game is now at step {step}.",
        added,
        step=game.step,
    )


def _fault_shown(error: BadFileError, file: bytes) -> ImportFault:
    stands = (
        file.split(b"\n")[error.line - 1][: 4 * MAX_EXCERPT_CHARACTERS].decode(errors="replace")[
            :MAX_EXCERPT_CHARACTERS
        ]
        if file
        else ""
    )
    todo = say("Nothing was imported. Fix the line and upload the file again.")
    if isinstance(error, RefusedLineError):
        return ImportFault(_refusal_sentence(error, file), todo, error.line, error.rule, stands)
    return ImportFault(words.fault_sentence(error.fault), todo, error.line, stands=stands)


def _refusal_sentence(refused: RefusedLineError, file: bytes) -> str:
    """Return the rules' objection to a line of a bare file, with its names."""
    if refused.line == 1:
        return words.reason_sentence(refused.reason)
    header = recordfile.read_bare_header(next(recordfile.numbered_lines(io.BytesIO(file)))[1])
    return words.reason_sentence(refused.reason, header.ruleset, [seat.name for seat in header.seats])


def _import_form(
    fault: ImportFault | None = None,
    status: int = 200,
    game_id: UUID | None = None,
    fields: Mapping[str, str] | None = None,
) -> Response:
    """Render the import form.

    Args:
        game_id: the game of the file, if it is stored here already.
    """
    fields = request.values if fields is None else fields
    wanted = fields.get("game", "")
    row = book().kept.game(UUID(wanted)) if _is_id(wanted) else None
    into = row if row is not None and may_read(row, current_grant(row.id)) else None
    readable = game_id if game_id is not None and may_read(book().kept.game(game_id), current_grant(game_id)) else None
    return make_response(
        render_template(
            "import.html",
            wrong=fault,
            into=into,
            here=readable,
            key=fresh_key(),
            limit=RECORD_FILE_BYTES,
            public=fields.get("public") == "yes",
            text=fields.get("text", ""),
            letters=TYPED_LETTERS,
            example=say(EXAMPLE),
        ),
        status,
    )


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
