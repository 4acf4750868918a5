"""Write into a record: decisions, corrections, notes, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from daybook.domain import commands
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.terms import TABLE
from daybook.services.files.recordfile import BareLine, encode_line
from daybook.services.permissions.actions import require
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play import recording
from daybook.services.play.recording import Preview
from daybook.web.api.answers import LineRead, SentenceShown, TextRead
from daybook.web.api.base import section
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import requested_visit, sight_of
from daybook.web.api.writing import Write, add_writes
from daybook.web.words.typist import NO_MEANING, Sentence, typist_of

MAX_READINGS = 60  # of one text
GAME = "/games/<uuid:game_id>"

steps = section("Recording", "Record a game. Nothing is ever erased: a mistake is corrected by a later step.")

add_writes(
    steps,
    Write(GAME + "/decisions", commands.Decide, at=True),
    Write(GAME + "/turns", commands.DecideTurn, at=True),
    Write(GAME + "/take-backs", commands.TakeBack, at=True),
    Write(GAME + "/adjustments", commands.Adjust, at=True),
    Write(GAME + "/notes", commands.Note),
    Write(GAME + "/close", commands.Close, at=True),
    Write(GAME + "/abandon", commands.Abandon, at=True),
    Write(GAME + "/reopen", commands.Reopen),
    Write(GAME + "/reveal", commands.RevealGame),
    Write(GAME + "/day-of-play", commands.SetDayOfPlay),
)


class TextSent(Exact):
    # decisions in the words of their buttons, one per line or separated by ;
    text: Annotated[str, Meta(min_length=1, max_length=2_000)]


@steps.acts("/games/<uuid:game_id>/preview", Preview, "what it would come to", body=Move)
def preview_decision(body: Move, game_id: UUID) -> Preview:
    """Preview a decision

    The answer has the effects that recording it now would have, as far as this key may see them. Nothing is written.
    """
    visit = requested_visit(game_id)
    require(visit, commands.Decide, **msgspec.structs.asdict(body))
    sight = sight_of(visit)
    if body.seat == TABLE and sight != EVERYTHING:
        raise ApiError(
            403,
            "not_your_view",
            "the effects of a card turned over would reveal hidden hands",
            "record the card itself, or send the scorekeeper's key",
        )
    return recording.preview_decision(visit.game, body.seat, body.decision, sight)


@steps.acts("/games/<uuid:game_id>/read", TextRead, "what it means", body=TextSent)
def read_text(body: TextSent, game_id: UUID) -> TextRead:
    """Parse text into commands

    Write decisions in the words on the buttons, in any unique short form, or in your own words with the effects: `hire
    food 3`, `runs the factory, 8$`. Other commands are `undo`, `redo`, `note` with its text, `count` and `correct the
    board` with places and figures, `claim on 14:` with the claim, and `close the game`. Each command is read on the
    board after the ones before it. Nothing is written. The language is that of Accept-Language.
    """
    visit = requested_visit(game_id)
    require(visit, commands.Note)
    read, left = typist_of(visit).read_all(body.text, MAX_READINGS)
    doubtful = read[-1].meaning if read and read[-1].command is None else NO_MEANING
    said = [(line.command, line.says) for line in read if line.command is not None]
    return TextRead(
        visit.game.step,
        [LineRead(_line_of(command), says) for command, says in said],
        _shown([line.taken for line in read if line.taken is not None]),
        left,
        _shown(doubtful.among),
        _shown(doubtful.nearest),
        doubtful.unclear,
    )


def _line_of(command: commands.Command) -> dict[str, Any]:
    """Return a command as a line of a bare file, or under its own name if such a file has no line for it."""
    if isinstance(command, commands.Line):
        line: dict[str, Any] = msgspec.json.decode(encode_line(BareLine(command)))
        return line
    plain: dict[str, Any] = msgspec.to_builtins(command)
    return plain


def _shown(sentences: Sequence[Sentence]) -> list[SentenceShown]:
    return [SentenceShown(line.seat, dict(line.decision), line.says) for line in sentences[:MAX_READINGS]]
