"""Recording by typing: a text is read as one of the legal decisions, whose words are on the buttons. A line or `;` parts
several, and what begins with # is passed over, so that a game written on paper is typed in, or a transcript read again.

    hire food 3; buy 2 shares        note the rain began        undo        Anna: end        # the break

Each is read on the board as it is by then, and is written before the next is read. What cannot be read, or may mean
several decisions, stays in the line with everything after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec
from flask import Blueprint, abort, make_response, redirect, request, url_for
from werkzeug import Response

from daybook.domain.commands import Command, Decide, Note, TakeBack
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision, Seat
from daybook.services.people.access import EVERYTHING, hides_nothing
from daybook.services.play import replay
from daybook.services.play.repetition import MovedOn
from daybook.services.visits import Visit
from daybook.web import words
from daybook.web.recording.choices import Plain
from daybook.web.recording.record import go_on, writer_of
from daybook.web.recording.record_page import ClosedKind, RecordPage, record_page_of, refusal, steps_since
from daybook.web.request.access import page_of, visit_game, write_sent
from daybook.web.request.forms import fresh_key, whole_number_sent
from daybook.web.words import say
from daybook.web.words.say import join_words, seat_name
from daybook.web.words.typed import Reading, pieces, read

page = Blueprint("typed_line", __name__)

LETTERS = 20_000  # of a long game, written out
AT_ONCE = 60  # texts that are written by one tap; the rest stays
PARTS = re.compile(r"[;\n]")  # one text from the next
SHOWN = 9  # of what a text may mean


class Sentence(msgspec.Struct, frozen=True):
    """A legal decision, as its button says it."""

    seat: Seat
    decision: Plain
    says: str


class ReadText(msgspec.Struct, frozen=True):
    """What one text comes to. command: what is written; None: it says nothing, or not one thing alone.

    among: what it may mean; nearest: what is legal and most like it, where it means nothing; closed: what it means that
    cannot be done now, and why.
    """

    text: str
    command: Command | None = None
    says: str = ""
    among: list[Sentence] = []
    nearest: list[Sentence] = []
    closed: ClosedKind | None = None


@page.route("/games/<uuid:game_id>/type", methods=["GET", "POST"])
def type_it(game_id: UUID) -> Response:
    """The line, what it would be read as, and what was recorded by it."""
    visit = writer_of(visit_game(game_id))
    line = request.form.get("text", "")
    if len(line) > LETTERS:
        return _show(visit, line, 422, wrong=say("At most {n} letters are read at once.", n=LETTERS))
    if request.form.get("do") != "record":
        return _show(visit, line)
    at = whole_number_sent("at")
    if visit.game.step != at:
        return _show(visit, line, 409, since=at)
    texts = texts_of(line)
    for place, (begins, text) in enumerate(texts[:AT_ONCE]):
        left = line[begins:]
        said = read_text(record_page_of(visit), text)
        if said.command is None:
            return _show(visit, left, 422)
        try:
            write_sent(visit, said.command, visit.game.step, f".{place}")
        except MovedOn:
            return _show(visit_game(game_id), left, 409, since=visit.game.step)
        except (IllegalDecision, Refused) as no:
            decision = said.command.decision if isinstance(said.command, Decide) else {}
            return _show(visit, left, 422, refused=refusal(visit, no.rule, no.reason, decision))
        visit = visit_game(game_id)
    if texts[AT_ONCE:]:
        says = say("{n} were saved. Save the rest in the same way.", n=AT_ONCE)
        return _show(visit, line[texts[AT_ONCE][0] :], says=says)
    go_on(visit)
    return redirect(url_for("typed_line.type_it", game_id=game_id), 303)


def texts_of(line: str) -> list[tuple[int, str]]:
    """What is to be read, one by one, and where each begins."""
    found, begins = list[tuple[int, str]](), 0
    for part in PARTS.split(line):
        text = part.strip()
        if text and not text.startswith("#"):
            found.append((begins + part.index(text), text))
        begins += len(part) + 1
    return found


def _show(
    visit: Visit,
    line: str,
    status: int = 200,
    wrong: str = "",
    says: str = "",
    refused: ClosedKind | None = None,
    since: int | None = None,
) -> Response:
    desk = record_page_of(visit)
    texts, said = [text for _, text in texts_of(line)], read_line(desk, line)
    answer = make_response(
        page_of(
            "type.html",
            visit,
            desk=desk,
            line=line,
            said=said,
            before=texts[: len(said) - 1],
            after=texts[len(said) :],
            wrong=wrong,
            says=says,
            refused=refused,
            meanwhile=() if since is None else steps_since(visit, since),
            limit=LETTERS,
            shown=SHOWN,
            key=fresh_key(),
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def read_line(desk: RecordPage, line: str) -> list[ReadText]:
    """What the texts of a line mean one after the other, as far as that can be said before they are written."""
    game, sight, read_so_far = desk.game, desk.visit.sight, list[ReadText]()
    board = game.board if hides_nothing(game, sight) else game.ruleset.secrecy.redact_board(game.board, sight)
    for _, text in texts_of(line)[:SHOWN]:
        said = read_text(desk, text, board if read_so_far else None)
        read_so_far.append(said)
        if not isinstance(said.command, Decide) or (said.command.seat == TABLE and sight != EVERYTHING):
            break
        try:
            board, _ = game.ruleset.play(board, said.command.seat, read_decision(game, said.command.decision))
        except IllegalDecision:  # somebody has just recorded: it is said when it is written
            break
    return read_so_far


def read_text(desk: RecordPage, text: str, board: Board | None = None) -> ReadText:
    """What a text means to whoever is at the desk. board: as it will be by then; None: as it is."""
    first, _, rest = text.partition(" ")
    word = pieces(first)
    if rest.strip() and word == pieces(say("Note")):
        about = desk.head
        return ReadText(text, Note(about, rest.strip()), say("A note on step {n}", n=about))
    for back, to in ((say("Undo"), desk.undo), (say("Redo"), desk.redo)):
        if to is not None and pieces(text) == pieces(back):
            return ReadText(text, TakeBack(to, "mistyped"), back)
    sentences = sentences_of(desk, pieces(text), board)
    found = _read(text, sentences, desk)
    if found.taken is not None:
        one = sentences[found.taken]
        return ReadText(text, Decide(one.seat, one.decision), one.says, [sentences[at] for at in found.among])
    closed = read(text, [no.label for no in desk.not_now])
    return ReadText(
        text,
        among=[sentences[at] for at in found.among],
        nearest=[sentences[at] for at in found.nearest],
        closed=desk.not_now[closed.taken] if closed.taken is not None and not found.among else None,
    )


def _read(text: str, sentences: list[Sentence], desk: RecordPage) -> Reading:
    """As `read`; a player's name before it tells seats apart that may decide the same."""
    found = read(text, [one.says for one in sentences])
    if found.taken is not None:
        return found
    named = read(text, [f"{seat_name(one.seat, desk.names)} {one.says}" for one in sentences])
    return named if named.taken is not None or not found.among else found


def sentences_of(desk: RecordPage, typed: Sequence[str], board: Board | None = None) -> list[Sentence]:
    """Every legal decision that whoever is at the desk may record; of kinds that no list has all of, what was typed."""
    visit, rules = desk.visit, desk.game.ruleset
    on = replay.asked_board(desk.game, desk.game.step, visit.sight) if board is None else board
    found = []
    for seat in desk.mine if board is None else rules.course.to_act(on):
        if visit.recorder(seat):
            listed = [*rules.legal(on, seat)]
            meant = [
                one
                for row in words.GAMES[rules.id].decisions.rows
                for one in (() if row.typed is None else row.typed(typed, desk.names))
                if one not in listed and rules.first_refusal(on, seat, one) is None
            ]
            found += [(seat, one) for one in msgspec.to_builtins([*listed, *meant])]
    return [
        Sentence(seat, one, words.decision_label(rules.id, one, desk.names))
        for seat, one in found
        if visit.recorder_of(seat, one["type"])
    ]


@page.get("/games/<uuid:game_id>/transcript")
def transcript(game_id: UUID) -> Response:
    """The decisions that stand, each in a line as it is typed. While hands are covered, only for who sees everything."""
    visit = visit_game(game_id)
    if not visit.may_save:
        abort(403, "running")
    answer = Response("".join(f"{line}\n" for line in transcript_of(visit)), mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game_id}.txt"'
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def transcript_of(visit: Visit) -> Iterator[str]:
    """What is no decision stands behind a #, to be written by hand."""
    opening, names = visit.game.opening, visit.names
    yield f"# {visit.kept.title}: {words.game_title(visit.rules)}"
    yield f"# {join_words(list(names))}"
    for step in steps_since(visit, 0):
        if step.struck_by is not None or step.aside or step.type == "decisions_taken_back":
            continue
        if step.type == "decision_recorded" and step.decision is not None and step.seat is not None:
            says = f"{seat_name(step.seat, names)}: {words.decision_label(opening.ruleset, step.decision, names)}"
            yield PARTS.sub(",", says)
        else:
            yield f"# {step.step}: {words.event_sentence(opening.ruleset, step, names)}"
