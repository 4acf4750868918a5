"""Recording at the table: who must decide what, the legal decisions as buttons, and the way back.

Everything is forms and links and works without scripts; record.js makes it quicker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from flask_babel import get_locale
from markupsafe import Markup
from werkzeug import Response

from domain.board import Document, is_at, value_at
from domain.record import Game, Refused
from domain.ruleset import TABLE, IllegalDecision, Reason, Seat
from services import record as recording
from services import replay
from services.access import EVERYTHING, Sight
from services.kept import GameKept
from services.record import BadKey, Conflict, NotADecision, Preview, seats_since
from services.replay import Position, StepShown
from web import boards, choosing, words
from web.access import book, grant_for, grant_to_tell, grants_of, readable, scorekeeper, sights
from web.choosing import Asking, Leaf, Plain, Way
from web.forms import BadText, fresh_key, text_of, value_of
from web.words import Names, say

page = Blueprint("record", __name__)

SHOWN = 6  # of the last steps
CELL = 20  # characters of a button beside another
NUMBERS = 24  # stand as buttons side by side, if there are no more
TABLE_DECIDES = "table_decides"  # the reason of a kind that no player ever decides


class Change(msgspec.Struct, frozen=True):
    """What a decision would do to one figure of one seat."""

    column: str
    seat: Seat
    was: int
    now: int


class NotNow(msgspec.Struct, frozen=True):
    """A kind of decision that is closed now, or one that was refused, and why."""

    label: str
    rule: str
    reason: str


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the page shows. seat: who is asked; None: nobody this browser may record for."""

    game: Game
    kept: GameKept
    sight: Sight
    position: Position
    mine: list[Seat]
    seat: Seat | None
    kind: str
    chosen: dict[str, Any]
    ways: list[Way]
    form: list[Leaf]
    asked_for: bool  # the form was chosen among other kinds
    question: str
    decision: Plain | None
    preview: Preview | None
    refused: NotNow | None
    not_now: list[NotNow]
    steps: list[StepShown]
    key: str

    @property
    def names(self) -> Names:
        return self.kept.names

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(seat.colour for seat in self.game.opening.seats)

    @property
    def prompt(self) -> str:
        assert self.seat is not None
        return words.prompt(self.game.ruleset.id, self.position.board, self.seat, self.names)

    @property
    def at_hand(self) -> Sequence[str]:
        """The figures that matter to who decides."""
        return words.GAMES[self.game.ruleset.id].at_hand or tuple(self.game.ruleset.columns)

    @property
    def numbers(self) -> bool:
        """The buttons are numbers and nothing more."""
        return all(way.label.isdecimal() and not way.note for way in self.ways)

    @property
    def rows(self) -> bool:
        """What the buttons say needs a whole line."""
        return any(len(way.label) + len(way.note or way.values) > CELL for way in self.ways)

    @property
    def at_once(self) -> bool:
        """What the form comes to is written without a preview."""
        return self.kind in words.GAMES[self.game.ruleset.id].at_once

    @property
    def changes(self) -> list[Change]:
        """The figures that the decision in question would change."""
        if self.preview is None:
            return []
        before = self.preview.columns_before
        return [
            Change(column, seat, was, now)
            for column in self.game.ruleset.columns
            for seat, (was, now) in enumerate(zip(before[column], self.preview.columns[column], strict=True))
            if was != now
        ]

    @property
    def undo(self) -> int | None:
        return _undoable(self.game, recording.undo_step(self.game))

    @property
    def undo_turn(self) -> int | None:
        """Where the whole turn can be undone, if that is more than the last step."""
        to = _undoable(self.game, recording.undo_turn(self.game))
        return None if to == recording.undo_step(self.game) else to

    @property
    def head(self) -> int:
        """The decision that Undo would undo."""
        return self.game.heads[-1]


@page.get("/games/<uuid:id>/record")
def record(id: UUID) -> Response:
    return _shown(_desk(id, request.args.get("seat"), request.args.get("kind", ""), choosing.chosen_in(request.args)))


@page.post("/games/<uuid:id>/record")
def write(id: UUID) -> Response:
    """Write a decision down. One that comes too late is shown with what was recorded meanwhile, and kept."""
    readable(id)
    seat = _whole("seat")
    decision = _decision() if "decision" in request.form else None
    if decision is None:
        desk = _desk(id, str(seat), request.form.get("kind", ""))
        if desk.decision is None:
            moved = desk.game.step != _whole("at")
            return _shown(desk, 409 if moved else 422, meanwhile=_since(id, _whole("at")) if moved else ())
        decision = desk.decision
    grant = grant_to_tell(readable(id)[0], seat, str(decision.get("type")))
    if grant is None:
        abort(403, "seat")
    refused: NotNow | None = None
    meanwhile: list[StepShown] = []
    status = 422
    try:
        recording.record(book(), id, seat, decision, at=_whole("at"), by=grant.by, key=request.form.get("key", ""))
        return redirect(url_for("record.record", id=id), 303)
    except (NotADecision, BadKey):
        abort(400)
    except Conflict:
        status, meanwhile = 409, _since(id, _whole("at"))
    except (IllegalDecision, Refused) as no:
        refused = _refusal(id, no.rule, no.reason, decision)
    fields = {field: value for field, value in decision.items() if field != "type"}
    desk = _desk(id, str(seat), str(decision.get("type")), {} if refused else fields)
    if not refused and desk.decision is None:
        refused = _why_not(desk, seat, decision)
    return _shown(desk, status, refused=refused, meanwhile=meanwhile)


# --- the desk --------------------------------------------------------------------------------------------------------


def _desk(id: UUID, seat_asked: str | None = None, kind: str = "", chosen: Mapping[str, Any] | None = None) -> Desk:
    game, kept = readable(id)
    if all(grant.role == "reader" for grant in grants_of(id)):
        abort(403, "record")
    sight = sights(id)[0]
    position = replay.position(book(), id, None, sight)
    mine = _mine(game, position.to_act) if game.status == "running" else []
    seat = next((seat for seat in mine if str(seat) == seat_asked), mine[0] if mine else None)
    if seat_asked and str(seat) != seat_asked:
        kind = ""  # what was chosen, was chosen for another seat
    asking = _asking(game, kept)
    legal = _legal(game, seat, sight) if seat is not None else []
    kinds = choosing.by_kind(legal)
    if len(kinds) == 1 and choosing.is_open(asking.game, next(iter(kinds))):
        kind = next(iter(kinds))
    desk = Desk(
        game=game, kept=kept, sight=sight, position=position, mine=mine, seat=seat, kind=kind if kind in kinds else "",
        chosen={}, ways=[], form=[], asked_for=len(kinds) > 1, question="", decision=None, preview=None, refused=None,
        not_now=_not_now(id, game, kept, seat, legal), steps=_last_steps(game, sight), key=fresh_key())
    if seat is None:
        return desk
    if desk.kind and choosing.is_open(asking.game, kind):
        return _with_form(desk, asking, kinds[kind][0], chosen or {})
    return _with_ways(desk, asking, seat, legal, chosen or {})


def _mine(game: Game, to_act: Sequence[Seat]) -> list[Seat]:
    """The seats this browser may record for now: its own first, then what the table shows for who keeps the record,
    then those whom the game waits for."""
    waits_for = game.ruleset.waits_for(game.board)
    own = {grant.seat for grant in grants_of(game.id) if grant.role == "seat"} & {*waits_for}
    able = sorted(to_act, key=lambda seat: (seat not in own, seat != TABLE, seat not in waits_for))
    return [seat for seat in able if grant_for(game.id, seat) and (
        seat != TABLE or _legal(game, TABLE, EVERYTHING))]


def _legal(game: Game, seat: Seat, sight: Sight) -> list[Plain]:
    """What is legal for a seat, as far as this browser may record it."""
    return [d for d in replay.legal(book(), game.id, None, seat, sight) if grant_to_tell(game, seat, d["type"])]


def _with_ways(
    desk: Desk, asking: Asking, seat: Seat, legal: Sequence[Plain], chosen: Mapping[str, Any],
) -> Desk:
    """The desk with buttons for what is legal, or with the one decision that was chosen."""
    left = choosing.narrowed(asking.game, choosing.by_kind(legal).get(desk.kind, []), chosen)
    asked = choosing.question(asking.game, left, chosen)
    if left and asked is None:
        try:
            preview = _preview(desk.game.id, seat, left[0], desk.sight)
        except (IllegalDecision, Refused):  # somebody has just recorded: the page will be told
            preview = None
        return msgspec.structs.replace(desk, chosen=dict(chosen), decision=left[0], preview=preview)
    if asked:
        ways = choosing.answers(asking, seat, desk.kind, chosen, asked)
        question = words.field_label(asking.game, desk.kind, asked.field)
    else:
        ways, question = choosing.ways(asking, seat, legal), choosing.asked_first(asking, legal)
    return msgspec.structs.replace(
        desk, kind=desk.kind if asked else "", chosen=dict(chosen) if asked else {}, question=question,
        ways=[_with_note(desk.game.id, desk.game, seat, way) for way in ways])


def _with_form(desk: Desk, asking: Asking, example: Plain, chosen: Mapping[str, Any]) -> Desk:
    """The desk with the form of a kind that has too many decisions to list, or with what the form came to."""
    assert desk.seat is not None
    sent = {name: text for name, text in request.values.items() if name.startswith("n.")}
    most = replay.most(desk.game, desk.seat, choosing.kind_of(asking.game, example["type"]), desk.sight)
    try:
        decision, form = choosing.filled(asking, {**example, **chosen}, sent, most)
    except msgspec.ValidationError:  # an address that was made up
        chosen = {}
        decision, form = choosing.filled(asking, example, sent, most)
    if not (sent or chosen) or decision is None:
        return msgspec.structs.replace(desk, form=form)
    try:
        preview = _preview(desk.game.id, desk.seat, decision, desk.sight)
    except (IllegalDecision, Refused) as no:
        refused = _refusal(desk.game.id, no.rule, no.reason, decision)
        return msgspec.structs.replace(desk, form=form, refused=refused)
    return msgspec.structs.replace(desk, decision=decision, preview=preview)


def _preview(id: UUID, seat: Seat, decision: Plain, sight: Sight) -> Preview | None:
    """What it would come to; what follows from a card turned over is not told to those who do not see every hand."""
    return None if seat == TABLE and sight != EVERYTHING else recording.preview(book(), id, seat, decision, sight)


def _asking(game: Game, kept: GameKept) -> Asking:
    return Asking(
        game.ruleset.id, kept.names, tuple(seat.colour for seat in game.opening.seats), game.opening.sheet.values)


def _with_note(id: UUID, game: Game, seat: Seat, way: Way) -> Way:
    """The button with what it brings at once to who presses it."""
    if way.note or way.decision is None or seat == TABLE:
        return way
    try:
        preview = recording.preview(book(), id, seat, way.decision, sights(id)[0])
    except (IllegalDecision, Refused):  # somebody has just recorded: the page will be told
        return way
    for column in game.ruleset.columns:
        by = preview.columns[column][seat] - preview.columns_before[column][seat]
        if by:
            return msgspec.structs.replace(way, note=words.change_label(game.ruleset.id, column, by))
    return way


def _not_now(id: UUID, game: Game, kept: GameKept, seat: Seat | None, legal: Sequence[Plain]) -> list[NotNow]:
    """What the seat may not do now, and why; for a seat that waits, why it waits."""
    own = next((grant.seat for grant in grants_of(id) if grant.role == "seat"), None)
    asked = own if seat is None else seat
    if asked is None or asked == TABLE or game.status != "running":
        return []
    open_kinds = choosing.by_kind(legal)
    return [
        NotNow(words.kind_label(game.ruleset.id, kind), rule,
               words.reason_sentence(reason, game.ruleset.id, kept.names))
        for kind, rule, reason in replay.closed_kinds(book(), id, asked, sight=sights(id)[0])
        if kind not in open_kinds and reason.key != TABLE_DECIDES
    ]


def _last_steps(game: Game, sight: Sight) -> list[StepShown]:
    """The last steps, the newest first."""
    return list(replay.steps(game, sight, max(-1, game.step - SHOWN)))[::-1]


def _since(id: UUID, at: int) -> list[StepShown]:
    game, _ = readable(id)
    return list(replay.steps(game, sights(id)[0], at))


def _refusal(id: UUID, rule: str, reason: Reason, decision: Plain) -> NotNow:
    game, kept = readable(id)
    kind = decision.get("type", "")
    known = kind in words.GAMES[game.ruleset.id].kinds
    label = words.kind_label(game.ruleset.id, kind) if known else ""
    return NotNow(label, rule, words.reason_sentence(reason, game.ruleset.id, kept.names))


def _why_not(desk: Desk, seat: Seat, decision: Plain) -> NotNow | None:
    """Why a decision that was kept over a conflict is not possible any more."""
    try:
        recording.preview(book(), desk.game.id, seat, decision, EVERYTHING if seat == TABLE else desk.sight)
    except (IllegalDecision, Refused) as no:
        return _refusal(desk.game.id, no.rule, no.reason, decision)
    except NotADecision:
        abort(400)
    return None


def _undoable(game: Game, to: int | None) -> int | None:
    """A step to take back to, if this browser may: a seat undoes what it decided itself."""
    return to if to is not None and game.status == "running" and may_take_back(game, to) else None


def may_take_back(game: Game, to: int) -> bool:
    return all(grant_for(game.id, seat) for seat in seats_since(game, to)) and grant_for(game.id, TABLE) is not None


def _shown(
    desk: Desk, status: int = 200, refused: NotNow | None = None, meanwhile: Sequence[StepShown] = (),
) -> Response:
    answer = make_response(render_template(
        "record.html", desk=desk, game=desk.game, kept=desk.kept, names=desk.names, colours=desk.colours,
        rules=desk.game.ruleset.id, refused=refused or desk.refused, waits_for=desk.game.ruleset.waits_for(
            desk.game.board), meanwhile=meanwhile, numbers_at_most=NUMBERS, choosing=choosing,
        keeps=any(grant.role == "scorekeeper" for grant in grants_of(desk.game.id)),
        board=board_drawn(desk.game, desk.kept, desk.sight, desk.position.board)), status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def board_drawn(game: Game, kept: GameKept, sight: Sight, document: Document) -> Markup:
    """The table as it lies."""
    scene = boards.Scene(game.ruleset.id, game.table, kept.names, sight, str(get_locale()))
    picture = boards.Picture(scene)
    return picture.frame(picture.whole(document), {})


# --- the way back ----------------------------------------------------------------------------------------------------


@page.route("/games/<uuid:id>/undo", methods=["GET", "POST"])
def undo(id: UUID) -> Response:
    """Take back to a step: asks why, or does what the form on the desk says."""
    game, kept = readable(id)
    if all(grant.role == "reader" for grant in grants_of(id)):
        abort(403, "record")
    to = _whole("to")
    if not 0 <= to < len(game.entries):
        abort(404)
    if not may_take_back(game, to):
        abort(403, "seat")
    wrong = ""
    status = 200
    if request.method == "POST":
        grant = grant_for(id, TABLE)
        assert grant is not None
        try:
            recording.take_back(
                book(), id, to, _cause(), request.form.get("why", ""), at=_whole("at"), by=grant.by,
                key=request.form.get("key", ""))
            return redirect(url_for("record.record", id=id), 303)
        except BadKey:
            abort(400)
        except Conflict:
            return _moved_on(id)
        except Refused as no:
            wrong, status = words.reason_sentence(no.reason), 422
    gone = [step for step in game.line() if step not in set(game.line(to))]
    steps = [step for step in replay.steps(game, sights(id)[0]) if step.step in gone]
    return make_response(render_template(
        "undo.html", game=game, kept=kept, names=kept.names, to=to, gone=steps, wrong=wrong, key=fresh_key(),
        colours=[seat.colour for seat in game.opening.seats], rules=game.ruleset.id,
        why_needed=len(seats_since(game, to)) > 1, cause=request.form.get("cause", "mistyped"),
        why=request.form.get("why", "")), status)


def _cause() -> Any:
    cause = request.form.get("cause", "")
    if cause not in ("table", "mistyped", "ruling"):
        abort(400)
    return cause


def _moved_on(id: UUID) -> Response:
    flash(say("The game has moved on meanwhile. Nothing was written: look at the last steps, and decide again."))
    return redirect(url_for("record.record", id=id), 303)


# --- something else happened -----------------------------------------------------------------------------------------


@page.post("/games/<uuid:id>/note")
def note(id: UUID) -> Response:
    readable(id)
    grant = grant_for(id, TABLE)
    if grant is None:
        abort(403, "record")
    about, text, key = _whole("about"), request.form.get("text", ""), request.form.get("key", "")
    return _noted(id, lambda: recording.note(book(), id, about, text, by=grant.by, key=key))


@page.post("/games/<uuid:id>/close")
def close(id: UUID) -> Response:
    readable(id)
    by, key, at = scorekeeper(id).by, request.form.get("key", ""), _whole("at")
    return _noted(id, lambda: recording.close(book(), id, at=at, by=by, key=key))


@page.post("/games/<uuid:id>/abandon")
def abandon(id: UUID) -> Response:
    readable(id)
    by, key, at = scorekeeper(id).by, request.form.get("key", ""), _whole("at")
    why = request.form.get("why", "")
    return _noted(id, lambda: recording.abandon(book(), id, why, at=at, by=by, key=key))


@page.post("/games/<uuid:id>/reopen")
def reopen(id: UUID) -> Response:
    readable(id)
    by, key, why = scorekeeper(id).by, request.form.get("key", ""), request.form.get("why", "")
    return _noted(id, lambda: recording.reopen(book(), id, why, by=by, key=key))


def _noted(id: UUID, command: Any) -> Response:
    """Run a command and go back to the desk; a refusal is said there."""
    try:
        command()
    except BadKey:
        abort(400)
    except Conflict:
        return _moved_on(id)
    except Refused as no:
        flash(say("Nothing was written: {reason}.", reason=words.reason_sentence(no.reason)))
    return redirect(url_for("record.record", id=id), 303)


class Place(msgspec.Struct, frozen=True):
    """A place on the board that can be put right. seats: it holds one of these seats, or nobody."""

    path: str
    label: str
    value: Any
    text: str
    seat: bool


@page.route("/games/<uuid:id>/adjust", methods=["GET", "POST"])
def adjust(id: UUID) -> Response:
    """Put right what lies on the table: causes, never what is worked out from them."""
    game, kept = readable(id)
    grant = scorekeeper(id)
    wrong: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        values = _adjusted(game, kept, wrong)
        if not wrong:
            receipt = _adjust(id, values, grant.by, wrong, kept, game)
            if receipt is not None:
                return receipt
        status = 422
    sent = request.form if request.method == "POST" else {}
    places = {
        group: [msgspec.structs.replace(place, text=sent.get(place.path, place.text)) for place in some]
        for group, some in places_of(game, kept.names).items()
    }
    return make_response(render_template(
        "adjust.html", game=game, kept=kept, names=kept.names, places=places, wrong=wrong, key=fresh_key(),
        colours=[seat.colour for seat in game.opening.seats], cause=sent.get("cause", "mistyped"),
        why=sent.get("why", "")), status)


def _adjust(
    id: UUID, values: Mapping[str, Any], by: str, wrong: dict[str, str], kept: GameKept, game: Game,
) -> Response | None:
    try:
        recording.adjust(
            book(), id, values, _cause(), request.form.get("why", ""), at=_whole("at"), by=by,
            key=request.form.get("key", ""))
    except BadKey:
        abort(400)
    except Conflict:
        return _moved_on(id)
    except Refused as no:
        field = "why" if no.reason.key in ("why_missing", "too_long") else "form"
        reason = words.reason_sentence(no.reason, game.ruleset.id, kept.names)
        wrong[field] = f"{reason} ({no.rule})" if no.rule else reason
        return None
    return redirect(url_for("record.record", id=id), 303)


def _adjusted(game: Game, kept: GameKept, wrong: dict[str, str]) -> dict[str, Any]:
    """What was typed differently from what lies there; texts of the wrong kind are put into `wrong`."""
    values: dict[str, Any] = {}
    for some in places_of(game, kept.names).values():
        for place in some:
            text = request.form.get(place.path, place.text)
            if text.strip() == place.text:
                continue
            try:
                values[place.path] = value_of(text, None if place.seat else place.value)
            except BadText as bad:
                wrong[place.path] = str(bad)
    return values


def places_of(game: Game, names: Names) -> dict[str, list[Place]]:
    """Everything an adjustment may change, by whose it is: by seat's letter, or "" for the table."""
    groups: dict[str, list[Place]] = {}
    vocabulary = words.GAMES[game.ruleset.id]
    for pattern in game.ruleset.causes:
        if pattern in vocabulary.unasked:
            continue
        for path in _matching(game.document, pattern):
            for leaf in _leaves(game.document, path):
                value = value_at(game.document, leaf)
                seat = leaf in vocabulary.seat_paths
                groups.setdefault(_owner(game, leaf), []).append(Place(
                    leaf, words.path_label(game.ruleset.id, leaf, names), value, text_of(value), seat))
    return groups


def _owner(game: Game, path: str) -> str:
    """The seat that a place belongs to, as its list on the board has it; "" for what is everybody's."""
    first, *further = path.strip("/").split("/")
    by_seat = isinstance(game.document[first], list) and len(game.document[first]) == len(game.opening.seats)
    return further[0] if by_seat and further else ""


def _matching(document: Document, pattern: str) -> list[str]:
    """The paths of a document that a pattern with * names."""
    found = [""]
    for key in pattern.strip("/").split("/"):
        following: list[str] = []
        for path in found:
            part: Any = value_at(document, path) if path else document
            keys = [str(n) for n in range(len(part))] if isinstance(part, list) else list(part or ())
            longer = [f"{path}/{own}" for own in (keys if key == "*" else [key])]
            following.extend(place for place in longer if is_at(document, place))
        found = following
    return found


def _leaves(document: Document, path: str) -> list[str]:
    part = value_at(document, path)
    if isinstance(part, dict) and part:
        return [leaf for key in part for leaf in _leaves(document, f"{path}/{key}")]
    return [path]


# --- reading the forms -----------------------------------------------------------------------------------------------


def _whole(name: str) -> int:
    text = request.values.get(name, "")
    if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdecimal() or len(text) > 9:
        abort(400)
    return int(text)


def _decision() -> Plain:
    try:
        decision = json.loads(request.form.get("decision", ""))
    except (ValueError, RecursionError):
        abort(400)
    if not isinstance(decision, dict):
        abort(400)
    return decision
