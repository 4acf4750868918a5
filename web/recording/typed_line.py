"""Recording by typing: a text is read as one of the legal decisions, whose words are on the buttons. A line or `;` parts
several, and what begins with # is passed over, so that a game written on paper is typed in, or a transcript read again.

    hire food 3; buy 2 shares        note the rain began        undo        Anna: end        # the break

Each is read on the board as it is by then, and is written before the next is read. What cannot be read, or may mean
several decisions, stays in the line with everything after it.
"""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, make_response, request
from werkzeug import Response

from daybook.domain.commands import Decide
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import IllegalDecision
from daybook.domain.sealed_entries import first_sealed
from daybook.services.permissions.actions import MayNotError, may
from daybook.services.permissions.visits import Visit
from daybook.services.play.repetition import MovedOnError
from daybook.services.reading_limits import TYPED_BYTES_OF_A_TAP, TYPED_LETTERS
from daybook.web.recording.record import go_on, writer_of
from daybook.web.recording.record_page import ClosedKind, RecordPage, board_of, record_page_of, refusal, steps_since
from daybook.web.request.access import render_game_page, visit_game, write_sent
from daybook.web.request.forms import fresh_key, see_other, text_sent, whole_number_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response
from daybook.web.words import say
from daybook.web.words.typed import read
from daybook.web.words.typist import ReadText, note_of, texts_of, typist_of
from daybook.web.words.written_game import write_game

page = Blueprint("typed_line", __name__)

AT_ONCE = 60  # texts that are written by one tap; the rest stays
SHOWN = 9  # of what a text may mean


@page.route("/games/<uuid:game_id>/type", methods=["GET", "POST"])
@takes_long("POST", above=TYPED_BYTES_OF_A_TAP)
def type_it(game_id: UUID) -> Response:
    """The line, what it would be read as, and what was recorded by it."""
    visit = writer_of(visit_game(game_id))
    line = text_sent("text")
    if len(line) > TYPED_LETTERS:
        return show_line(visit, line, 422, wrong=say("At most {n} letters are read at once.", n=TYPED_LETTERS))
    if request.form.get("do") != "record":
        return show_line(visit, line)
    at = whole_number_sent("at")
    if visit.game.step != at:
        return show_line(visit, line, 409, since=at)
    texts = texts_of(line)
    for place, (begins, text) in enumerate(texts[:AT_ONCE]):
        left = line[begins:]
        said = typist_of(visit).read_text(text)
        if said.command is None:
            return show_line(visit, left, 422)
        try:
            write_sent(visit, said.command, visit.game.step, f".{place}")
        except MovedOnError:
            return show_line(visit_game(game_id), left, 409, since=visit.game.step)
        except MayNotError:
            return show_line(visit, left, 403, wrong=say("You do not have permission"))
        except (IllegalDecision, Refused) as no:
            decision = said.command.decision if isinstance(said.command, Decide) else {}
            return show_line(visit, left, 422, refused=refusal(visit, no.rule, no.reason, decision))
        visit = visit_game(game_id)
    if texts[AT_ONCE:]:
        says = say("{n} were saved. Save the rest in the same way.", n=AT_ONCE)
        return show_line(visit, line[texts[AT_ONCE][0] :], says=says)
    go_on(visit)
    return see_other("typed_line.type_it", game_id=game_id)


def show_line(
    visit: Visit,
    line: str,
    status: int = 200,
    wrong: str = "",
    says: str = "",
    refused: ClosedKind | None = None,
    since: int | None = None,
) -> Response:
    """The page with a line on it, and what it would be read as."""
    desk = record_page_of(visit)
    texts = [text for _, text in texts_of(line)]
    said, _ = typist_of(visit).read_all(line, SHOWN)
    last = said[-1] if said and said[-1].command is None else None
    answer = make_response(
        render_game_page(
            "type.html",
            visit,
            desk=desk,
            line=line,
            said=said,
            closed=None if last is None else _closed(desk, last),
            before=texts[: len(said) - 1],
            after=texts[len(said) :],
            wrong=wrong,
            says=says,
            note_of=note_of,
            refused=refused,
            meanwhile=() if since is None else steps_since(visit, since),
            limit=TYPED_LETTERS,
            shown=SHOWN,
            key=fresh_key(),
            board="" if request.headers.get("X-Desk") == "bare" or desk.seat is None else board_of(desk),
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _closed(desk: RecordPage, said: ReadText) -> ClosedKind | None:
    """What a text means that cannot be done now, and why."""
    closed = read(said.text, [no.label for no in desk.not_now]).taken
    return None if closed is None or said.meaning.among else desk.not_now[closed]


@page.get("/games/<uuid:game_id>/transcript")
@takes_long("GET")
def transcript(game_id: UUID) -> Response:
    """The game as text, up to what lies sealed. While hands are covered, only for who sees everything."""
    visit = visit_game(game_id)
    if not may(visit, "save"):
        abort(403, "running")
    lines = write_game(
        visit.game, visit.kept.title, visit.names, before=first_sealed(visit.game), writers=visit.writers
    )
    return file_response("".join(f"{line}\n" for line in lines), f"{game_id}.txt", "text/plain")
