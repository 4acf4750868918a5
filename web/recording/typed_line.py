"""Record by typing: texts are parsed as legal decisions in the words of the buttons.

    hire food 3; buy 2 shares        note the rain began        undo        Anna: end        # the break

Lines and `;` separate texts, and # begins a comment, so that notes and transcripts can be entered. Each text is
recorded before the next is read. A text that is unreadable or ambiguous stays in the line with everything after it.
"""

from __future__ import annotations

import gzip
from uuid import UUID

from flask import Blueprint, current_app, flash, make_response, request
from flask_babel import get_locale
from werkzeug import Response

from daybook.domain.commands import Command, Decide
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import IllegalDecision
from daybook.domain.sealed_entries import first_sealed
from daybook.services.permissions.actions import MayNotError, may, require
from daybook.services.permissions.visits import Visit
from daybook.services.play.repetition import MovedOnError
from daybook.services.reading_limits import TYPED_BYTES_OF_A_TAP, TYPED_LETTERS
from daybook.web import words
from daybook.web.recording.grid import build_grid
from daybook.web.recording.record import play_practice_on_device, require_writer
from daybook.web.recording.record_page import (
    ClosedKind,
    RecordPage,
    build_record_page,
    build_refusal,
    draw_board,
    steps_since,
)
from daybook.web.replay.replay import Answers
from daybook.web.request.access import render_game_page, visit_game, write_sent
from daybook.web.request.forms import fresh_key, see_other, text_sent, whole_number_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response
from daybook.web.words import say
from daybook.web.words.places import countable_places
from daybook.web.words.typed import read_text
from daybook.web.words.typist import ReadText, note_of, texts_of, typist_of
from daybook.web.words.written_game import write_game

page = Blueprint("typed_line", __name__)

MAX_TEXTS_PER_TAP = 60  # the rest stays in the line
MAX_MEANINGS_SHOWN = 9
MAX_SAVED_SHOWN = 3  # sentences of what a line has saved
MAX_EXAMPLES_READ = 40  # decisions from which an example is chosen
MAX_SEPARATED_CHARACTERS = 400  # a longer text is not split at “and”


@page.route("/games/<uuid:game_id>/type", methods=["GET", "POST"])
@takes_long("POST", above=TYPED_BYTES_OF_A_TAP)
def type_it(game_id: UUID) -> Response:
    """Show the line with its interpretation, or record it."""
    visit = require_writer(visit_game(game_id))
    line = text_sent("text")
    if len(line) > TYPED_LETTERS:
        return show_line(visit, line, 422, fault=say("At most {n} characters are read at once.", n=TYPED_LETTERS))
    if request.form.get("do") != "record":
        return show_line(visit, line)
    at = whole_number_sent("at")
    if visit.game.step != at:
        return show_line(visit, line, 409, since=at)
    line = _separated(visit, line)
    texts, doubts = texts_of(line), list[str]()
    for place, (begins, text) in enumerate(texts[:MAX_TEXTS_PER_TAP]):
        left = line[begins:]
        parsed = typist_of(visit).read_text(text)
        if parsed.command is None:
            return show_line(visit, left, 422)
        try:
            write_sent(visit, parsed.command, visit.game.step, f".{place}")
        except MovedOnError:
            return show_line(visit_game(game_id), left, 409, since=visit.game.step)
        except MayNotError:
            return show_line(visit, left, 403, fault=say("You do not have permission. Ask the scorekeeper for a link"))
        except (IllegalDecision, Refused) as no:
            decision = parsed.command.decision if isinstance(parsed.command, Decide) else {}
            return show_line(visit, left, 422, refused=build_refusal(visit, no.rule, no.reason, decision))
        doubts += _doubts(visit, parsed.command)
        visit = visit_game(game_id)
    if texts[MAX_TEXTS_PER_TAP:]:
        says = say("{n} were saved. Save the rest in the same way.", n=MAX_TEXTS_PER_TAP)
        return show_line(visit, line[texts[MAX_TEXTS_PER_TAP][0] :], notice=says)
    play_practice_on_device(visit)
    _flash_saved(visit_game(game_id), at)
    grid = build_grid(visit_game(game_id), (), 0)
    if grid is not None and grid.grid.warning:
        doubts.append(grid.grid.warning)
    if doubts:
        flash(" ".join(dict.fromkeys(doubts)))
    return see_other("typed_line.type_it", game_id=game_id)


def _doubts(visit: Visit, command: Command | None) -> list[str]:
    """Return what is wrong with a round when a command ends it: missing figures, and wrong ones."""
    grid = build_grid(visit, (), 0)
    ends = grid is not None and isinstance(command, Decide) and grid.ends_doubtful(command.decision)
    return grid.doubts(visit.names) if grid is not None and ends else []


def _flash_saved(visit: Visit, at: int) -> None:
    """Say what a line has saved after a step: the newest of several."""
    says = [words.sentence(visit.rules, step, visit.names) for step in steps_since(visit, at)]
    if says:
        left_out = ["…"] if len(says) > MAX_SAVED_SHOWN else []
        flash(say("Saved: {what}", what=" · ".join([*left_out, *says[-MAX_SAVED_SHOWN:]])))


def show_line(
    visit: Visit,
    line: str,
    status: int = 200,
    fault: str = "",
    notice: str = "",
    refused: ClosedKind | None = None,
    since: int | None = None,
) -> Response:
    """Render the page with a typed line and its interpretation."""
    content = build_record_page(visit)
    written, line = line, _separated(visit, line, asks=True)
    texts = [text for _, text in texts_of(line)]
    texts_read, _ = typist_of(visit).read_all(line, MAX_MEANINGS_SHOWN)
    last = texts_read[-1] if texts_read and texts_read[-1].command is None else None
    answer = make_response(
        render_game_page(
            "type.html",
            visit,
            content=content,
            line=line if last is None else written,
            said=texts_read,
            closed=None if last is None else _closed_meaning(content, last),
            before=texts[: len(texts_read) - 1],
            after=texts[len(texts_read) :],
            wrong=fault,
            says=notice,
            note_of=note_of,
            example=_example(visit) if content.seat is not None else "",
            counted=_example_of_count(visit) if may(visit, "manage") and content.grid is None else "",
            refused=refused,
            meanwhile=() if since is None else steps_since(visit, since),
            limit=TYPED_LETTERS,
            shown=MAX_MEANINGS_SHOWN,
            key=fresh_key(),
            doubts=_doubts(visit, texts_read[0].command) if texts_read else [],
            board="" if request.headers.get("X-Desk") == "bare" or content.seat is None else draw_board(content),
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _example(visit: Visit) -> str:
    """Return a short decision that is legal now, in the words of its button."""
    sentences = typist_of(visit).sentences()
    if (grid := build_grid(visit, (), 0)) is not None:
        sentences = [sentence for sentence in sentences if sentence.decision["type"] in grid.tags] or sentences
    says = [sentence.says for sentence in sentences[:MAX_EXAMPLES_READ]]
    return min((text for text in says if " " in text), key=len, default="")


def _example_of_count(visit: Visit) -> str:
    """Return a place of a player that can be counted, such as Anna’s money."""
    places = countable_places(visit.game, visit.names, visit.sight)
    return next((place.label for seat, place in places if seat is not None), "")


def _separated(visit: Visit, line: str, asks: bool = False) -> str:
    """Return a text with “;” between the decisions of a short text.

    Args:
        asks: the last of them may be ambiguous.
    """
    if len(line) > MAX_SEPARATED_CHARACTERS or not visit.running:
        return line
    typist, separated = typist_of(visit), line
    for begins, text in reversed(texts_of(line)):
        separated = separated[:begins] + "; ".join(typist.apart(text)) + separated[begins + len(text) :]
    texts = texts_of(separated)
    parts = typist.separate(texts[0][1], asks) if len(texts) == 1 else []
    return "; ".join(parts) if len(parts) > 1 else separated


def _closed_meaning(content: RecordPage, text_read: ReadText) -> ClosedKind | None:
    """Return the impossible decision that a text means, with the reason."""
    closed = read_text(text_read.text, [no.label for no in content.not_now]).taken
    return None if closed is None or text_read.meaning.among else content.not_now[closed]


@page.get("/games/<uuid:game_id>/transcript")
@takes_long("GET")
def transcript(game_id: UUID) -> Response:
    """Return the game as text up to sealed entries; while hands are covered, only with full sight."""
    visit = visit_game(game_id)
    require(visit, "save")
    return file_response(_transcript_text(visit), f"{game_id}.txt", "text/plain")


def _transcript_text(visit: Visit) -> str:
    """Return the transcript, cached for the same record and names, since each line is read back to check it."""
    game, title, before = visit.game, visit.kept.title, first_sealed(visit.game)
    writers = tuple(sorted(visit.writers.items()))
    answers: Answers = current_app.extensions["replay_answers"]
    key = ("transcript", game.id, game.step, game.seal, before, title, tuple(visit.names), writers, str(get_locale()))
    if (packed := answers.get(key)) is None:
        lines = write_game(game, title, visit.names, before=before, writers=visit.writers)
        packed = answers.keep(key, gzip.compress("".join(f"{line}\n" for line in lines).encode(), 5, mtime=0))
    return gzip.decompress(packed).decode()
