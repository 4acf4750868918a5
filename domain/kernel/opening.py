"""The first entry of a game, and the table it was opened on."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from daybook.domain.kernel.chronicle import FORMAT, InvalidLineError, Refused, Written, writing_fields
from daybook.domain.kernel.events import Entry, GameOpened, PinnedSheet, SeatTaken, write_entry
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import Number, Sheet, digest
from daybook.domain.kernel.terms import Table
from daybook.domain.kernel.times import day_of_play_fault


def opening_entry(
    game_id: UUID,
    ruleset: AnyRuleset,
    table: Table,
    seats: list[SeatTaken],
    options: dict[str, Any],
    overrides: dict[str, Any],
    kind: Literal["table", "practice"],
    recorded: Literal["live", "notes", "memory"],
    written: Written,
    played_on: str = "",
) -> Entry:
    """Return the first entry of a game. played_on: the day of play, if it is given. Raises Refused."""
    if played_on and (wrong := day_of_play_fault(played_on, written.at)) is not None:
        raise Refused(wrong)
    board = ruleset.opening_board(table)
    return write_entry(
        game_id,
        GameOpened(
            step=0,
            game=str(game_id),
            format=FORMAT,
            ruleset=ruleset.id,
            revision=ruleset.revision,
            kind=kind,
            recorded=recorded,
            seats=seats,
            options=options,
            sheet=PinnedSheet(table.sheet.digest(), overrides, table.sheet.values()),
            board=board.document(),
            columns=ruleset.figures(board),
            marks=ruleset.course.marks(board),
            played_on=played_on,
            **writing_fields(written),
        ),
        "",
    )


def table_of(opening: GameOpened, ruleset: AnyRuleset) -> Table:
    """Return the table on which a recorded game was opened, with the numbers pinned in its record."""
    sheet = Sheet(
        opening.ruleset, {path: Number(value, "box", "the record") for path, value in opening.sheet.values.items()}
    )
    if digest(opening.ruleset, opening.sheet.values) != opening.sheet.hash:
        raise InvalidLineError("the component sheet in the record is not the one its hash names")
    return ruleset.table([seat.colour for seat in opening.seats], opening.options, sheet)


def opening_of_entry(entry: Entry) -> GameOpened:
    opened = entry.event
    assert isinstance(opened, GameOpened), "the first entry opens the game"
    return opened
