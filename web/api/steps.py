"""Writing into a record: decisions, what was wrong with them, notes, the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain import commands
from daybook.domain.kernel.terms import TABLE
from daybook.services.files.recordfile import BareLine, encode_line
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play import recording
from daybook.services.play.recording import Preview
from daybook.web.api.answers import LineRead, ReceiptShown, SentenceShown, TextRead
from daybook.web.api.base import Sent, section
from daybook.web.api.envelopes.games import (
    AdjustmentIn,
    AtIn,
    DayOfPlayIn,
    DecisionIn,
    MoveIn,
    NoteIn,
    TakeBackIn,
    TextIn,
    TurnIn,
    WhyAtIn,
    WhyIn,
)
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import member, sight_of, visit_asked, writer
from daybook.web.api.writing import write_asked, writes
from daybook.web.words.typist import NOTHING, Sentence, typist_of

READINGS = 60  # of a text that are told at once

steps = section("Recording", "Write a game down. Nothing is ever erased: a mistake is answered by a later step.")


@writes(steps, "/games/<uuid:game_id>/decisions", DecisionIn)
def record_decision(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Record a decision

    For the scorekeeper, and for the link of the seat that decides. What the table itself decides (a card turned
    over) is recorded for seat -1. What the rules forbid is refused with the number of the rule.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.Decide)


@writes(steps, "/games/<uuid:game_id>/turns", TurnIn, says="where the last of them was written down")
def record_turn(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Record several decisions of one seat at once

    All are written, a step each, or none: where one of them is refused the answer says which, counted from 1.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.DecideTurn)


@steps.acts("/games/<uuid:game_id>/preview", Preview, "what it would come to", body=MoveIn)
def preview_decision(asked: Sent, game_id: UUID) -> Preview:
    """Preview a decision

    What would follow if it were recorded now, as far as this key may know; nothing is written.
    """
    visit = visit_asked(game_id)
    writer(visit, commands.Decide, asked)
    sight = sight_of(visit)
    if asked["seat"] == TABLE and sight != EVERYTHING:
        raise ApiError(
            403,
            "not_your_sight",
            "what would follow from a card turned over may tell what others hold",
            "record what the table turned up, or ask with the scorekeeper's key",
        )
    return recording.preview_decision(visit.game, asked["seat"], asked["decision"], sight)


@steps.acts("/games/<uuid:game_id>/read", TextRead, "what it means", body=TextIn)
def read_text(asked: Sent, game_id: UUID) -> TextRead:
    """Read what is written as text

    Decisions in the words on the buttons, as short as can be told apart, or in your own with what followed: `hire food
    3`, `runs the factory, 8$`. Also `undo`, `redo`, `note` and its text, `count` and `correct the board`
    with places and figures, `claim on 14:` and what is claimed, `close the game`. Each is read on the board as
    it would be by then; nothing is written. In the language of Accept-Language.
    """
    visit = visit_asked(game_id)
    member(visit, "scorekeeper", "seat")
    read, left = typist_of(visit).read_all(asked["text"], READINGS)
    doubtful = read[-1].meaning if read and read[-1].command is None else NOTHING
    said = [(one.command, one.says) for one in read if one.command is not None]
    return TextRead(
        visit.game.step,
        [LineRead(_line_of(command), says) for command, says in said],
        _shown([one.taken for one in read if one.taken is not None]),
        left,
        _shown(doubtful.among),
        _shown(doubtful.nearest),
        doubtful.unclear,
    )


def _line_of(command: commands.Command) -> dict[str, Any]:
    """A command as a line of a bare file; one that such a file has no line for, with its own name."""
    if isinstance(command, commands.Line):
        line: dict[str, Any] = msgspec.json.decode(encode_line(BareLine(command)))
        return line
    plain: dict[str, Any] = msgspec.to_builtins(command)
    return plain


def _shown(sentences: Sequence[Sentence]) -> list[SentenceShown]:
    return [SentenceShown(one.seat, dict(one.decision), one.says) for one in sentences[:READINGS]]


@writes(steps, "/games/<uuid:game_id>/take-backs", TakeBackIn)
def take_back(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Take decisions back

    The board lies again as after step `to`. A seat's link takes back that seat's own decisions; the scorekeeper
    takes back anything, with a reason where other seats' decisions go. What was taken back stands again when `to` is
    the `redo_step` of the game's head.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.TakeBack)


@writes(steps, "/games/<uuid:game_id>/adjustments", AdjustmentIn)
def adjust(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Put right what lies on the table

    For the scorekeeper, when the table found a slip that is not worth going back for. Only causes can be adjusted
    (money, a card's place), never what is worked out from them.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.Adjust)


@writes(steps, "/games/<uuid:game_id>/notes", NoteIn)
def add_note(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Add a note to a step

    For everybody who plays. It changes nothing on the board.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.Note)


@writes(steps, "/games/<uuid:game_id>/close", AtIn)
def close_game(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Close a game that is over

    For everybody who plays. From then on the whole game lies open to all who may read it.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.Close)


@writes(steps, "/games/<uuid:game_id>/abandon", WhyAtIn)
def abandon_game(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Abandon a game that will not be played to its end

    For the scorekeeper. What lies covered stays covered; to show it is a step of its own.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.Abandon)


@writes(steps, "/games/<uuid:game_id>/reopen", WhyIn)
def reopen_game(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Open a closed or abandoned game again

    For the scorekeeper. Not where what lay covered was laid open.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.Reopen)


@writes(steps, "/games/<uuid:game_id>/lay-open", None)
def lay_open(once: Sent, game_id: UUID) -> ReceiptShown:
    """Lay an abandoned game open to all who may read it

    For the scorekeeper. It cannot be opened again then: everybody has seen what lay covered.
    """
    return write_asked(visit_asked(game_id), once, {}, commands.LayOpen)


@writes(steps, "/games/<uuid:game_id>/day-of-play", DayOfPlayIn)
def tell_day_of_play(once: Sent, asked: Sent, game_id: UUID) -> ReceiptShown:
    """Say on which day a game was played

    For the scorekeeper, where it was typed up later, also when it is closed. The record keeps what was said before.
    """
    return write_asked(visit_asked(game_id), once, asked, commands.TellDayOfPlay, day=asked["day"] or "")
