"""Writing into a record: decisions, what was wrong with them, notes, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain import commands
from daybook.domain.kernel.terms import TABLE
from daybook.services.people import access
from daybook.services.people.access import EVERYTHING, Grant
from daybook.services.play import recording, replay
from daybook.services.play.recording import Conflict, Preview, Receipt
from daybook.web.api.answers import ReceiptShown, SentenceShown, TextRead
from daybook.web.api.base import WRITE, book, section
from daybook.web.api.errors import LOOK_AGAIN, ApiError
from daybook.web.api.keys import entry_key, held_in, member, sight_of, writer
from daybook.web.api.schemas import (
    AdjustmentIn,
    AtIn,
    DayOfPlayIn,
    DecisionIn,
    NoteIn,
    Once,
    PreviewIn,
    TakeBackIn,
    TextIn,
    TurnIn,
    WhyAtIn,
    WhyIn,
)
from daybook.web.words.typist import Sentence, Typist

READINGS = 60  # of a text that are told at once

steps = section("Recording", "Write a game down. Nothing is ever erased: a mistake is answered by a later step.")


@steps.route("/games/<uuid:game_id>/decisions", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(DecisionIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def record_decision(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Record a decision

    For the scorekeeper, and for the link of the seat that decides. What the table itself decides (a card turned
    over) is recorded for seat -1. What the rules forbid is refused with the number of the rule.
    """
    return write_asked(game_id, once, asked, commands.Decide)


@steps.route("/games/<uuid:game_id>/turns", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(TurnIn)
@steps.answers(201, ReceiptShown, "where the last of them was written down", fails=WRITE)
def record_turn(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Record several decisions of one seat at once

    All are written, a step each, or none: where one of them is refused the answer says which, counted from 1.
    """
    return write_asked(game_id, once, asked, commands.DecideTurn)


@steps.route("/games/<uuid:game_id>/preview", methods=["POST"])
@steps.needs_key
@steps.arguments(PreviewIn)
@steps.answers(200, Preview, "what it would come to", fails=WRITE)
def preview_decision(asked: dict[str, Any], game_id: UUID) -> Preview:
    """Preview a decision

    What would follow if it were recorded now, as far as this key may know; nothing is written.
    """
    grant = writer(game_id, commands.Decide, asked)
    sight = sight_of(game_id, grant, None)
    if asked["seat"] == TABLE and sight != EVERYTHING:
        raise ApiError(
            403,
            "not_your_sight",
            "what would follow from a card turned over may tell what others hold",
            "record what the table turned up, or ask with the scorekeeper's key",
        )
    return recording.preview(book().games.get(game_id), asked["seat"], asked["decision"], sight)


@steps.route("/games/<uuid:game_id>/read", methods=["POST"])
@steps.needs_key
@steps.arguments(TextIn)
@steps.answers(200, TextRead, "what it means", fails=WRITE)
def read_text(asked: dict[str, Any], game_id: UUID) -> TextRead:
    """Read decisions that are written as text

    In the words on the buttons, as short as can be told apart: `hire food 3`. Each is read on the board as it would be
    by then; nothing is written. In the language of Accept-Language.
    """
    grant = member(game_id, "scorekeeper", "seat")
    grants, game, kept = held_in(game_id), book().games.get(game_id), book().kept.game(game_id)
    assert kept is not None
    typist = Typist(
        game=game,
        names=kept.names,
        sight=sight_of(game_id, grant, None),
        may=lambda seat, kind: any(access.may_tell(one, game, seat, kind) for one in grants),
    )
    read, left, doubtful = typist.read_all(asked["text"])
    return TextRead(
        game.step,
        _shown(read),
        left,
        _shown(doubtful.among if doubtful else []),
        _shown(doubtful.nearest if doubtful else []),
    )


def _shown(sentences: Sequence[Sentence]) -> list[SentenceShown]:
    return [SentenceShown(one.seat, dict(one.decision), one.says) for one in sentences[:READINGS]]


@steps.route("/games/<uuid:game_id>/take-backs", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(TakeBackIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def take_back(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Take decisions back

    The board lies again as after step `to`. A seat's link takes back that seat's own decisions; the scorekeeper
    takes back anything, with a reason where other seats' decisions go. What was taken back stands again when `to` is
    the `redo_step` of the game's head.
    """
    return write_asked(game_id, once, asked, commands.TakeBack)


@steps.route("/games/<uuid:game_id>/adjustments", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(AdjustmentIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def adjust(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Put right what lies on the table

    For the scorekeeper, when the table found a slip that is not worth going back for. Only causes can be adjusted
    (money, a card's place), never what is worked out from them.
    """
    return write_asked(game_id, once, asked, commands.Adjust)


@steps.route("/games/<uuid:game_id>/notes", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(NoteIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def add_note(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Add a note to a step

    For everybody who plays. It changes nothing on the board.
    """
    return write_asked(game_id, once, asked, commands.Note)


@steps.route("/games/<uuid:game_id>/close", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(AtIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def close_game(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Close a game that is over

    For everybody who plays. From then on the whole game lies open to all who may read it.
    """
    return write_asked(game_id, once, asked, commands.Close)


@steps.route("/games/<uuid:game_id>/abandon", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(WhyAtIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def abandon_game(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Abandon a game that will not be played to its end

    For the scorekeeper. What lies covered stays covered; to show it is a step of its own.
    """
    return write_asked(game_id, once, asked, commands.Abandon)


@steps.route("/games/<uuid:game_id>/reopen", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(WhyIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def reopen_game(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Open a closed or abandoned game again

    For the scorekeeper. Not where what lay covered was laid open.
    """
    return write_asked(game_id, once, asked, commands.Reopen)


@steps.route("/games/<uuid:game_id>/lay-open", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def lay_open(once: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Lay an abandoned game open to all who may read it

    For the scorekeeper. It cannot be opened again then: everybody has seen what lay covered.
    """
    return write_asked(game_id, once, {}, commands.LayOpen)


@steps.route("/games/<uuid:game_id>/day-of-play", methods=["POST"])
@steps.needs_key
@steps.arguments(Once, location="headers")
@steps.arguments(DayOfPlayIn)
@steps.answers(201, ReceiptShown, "where it was written down", fails=WRITE)
def tell_day_of_play(once: dict[str, Any], asked: dict[str, Any], game_id: UUID) -> ReceiptShown:
    """Say on which day a game was played

    For the scorekeeper, where it was typed up later, also when it is closed. The record keeps what was said before.
    """
    return write_asked(game_id, once, asked, commands.TellDayOfPlay, day=asked["day"] or "")


def write_asked(
    game_id: UUID, once: dict[str, Any], asked: dict[str, Any], kind: type[commands.Command], **more: Any
) -> ReceiptShown:
    """Write the command that a body says, for who may, and answer with the receipt.

    once: the headers with the client's key; asked: the command's fields, and `at`; more: its fields that stand elsewhere.
    """
    at = asked.pop("at", None)
    command = kind(**{**asked, **more})
    grant = writer(game_id, kind, msgspec.structs.asdict(command))
    key = entry_key(grant, once["key"])
    return answer_written(
        game_id, grant, lambda: recording.write(book(), game_id, command, at=at, by=grant.by, key=key)
    )


def answer_written(game_id: UUID, grant: Grant, write: Callable[[], Receipt]) -> ReceiptShown:
    """Write, and answer with the receipt. When the game has moved on the holder sees what was recorded meanwhile."""
    try:
        receipt = write()
    except Conflict as moved:
        raise _moved_on(game_id, grant, moved) from moved
    return ReceiptShown(str(game_id), receipt.step, receipt.seal, receipt.repeated)


def _moved_on(game_id: UUID, grant: Grant, moved: Conflict) -> ApiError:
    after = moved.meanwhile[0].step - 1
    seen = list(replay.steps(book().games.get(game_id), sight_of(game_id, grant, None), after))
    return ApiError(
        409,
        "conflict",
        f"the game is at step {moved.step} now",
        LOOK_AGAIN,
        step=moved.step,
        meanwhile=msgspec.to_builtins(seen),
    )
