"""Play a bare file: its header opens a game, and the rules compute the result of each line."""

from __future__ import annotations

from uuid import UUID, uuid5

from daybook.domain.commands import Decide, Line, NotAnEntryError
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.decisions import NotADecisionError, checked_seat, read_decision
from daybook.domain.kernel.events import Entry, SeatTaken
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.sheet import InvalidSheetError, overridden
from daybook.domain.kernel.terms import IllegalDecision
from daybook.domain.writing import apply
from daybook.services.files.recordfile import repeated_lines
from daybook.services.files.recordfile.bare_lines import BareLine
from daybook.services.files.recordfile.headers import ENCODER, BareHeader, known_ruleset
from daybook.services.files.recordfile.lines import BadFileError, RefusedLineError
from daybook.services.files.validate import MisfitError, check_author, check_time, sheet_fault
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.written import new_nonce, new_written

BARE_ID_NAMESPACE = UUID(
    "0d2b4a52-6f0c-5a0e-9d0e-3f6c2a1b7e55"
)  # of ids for games and people without one in a bare file


def bare_game_id(header: BareHeader) -> UUID:
    """Return the game's id in the header, or one computed from the header."""
    return header.game or uuid5(BARE_ID_NAMESPACE, ENCODER.encode(header).decode())


def open_bare_game(header: BareHeader, now: str) -> Game:
    """Open the game of a bare header. Raises BadFileError, RefusedLineError."""
    ruleset, game_id = known_ruleset(header.ruleset), bare_game_id(header)
    people = [
        SeatTaken(seat.person or uuid5(BARE_ID_NAMESPACE, f"{game_id} {place}").hex, seat.colour)
        for place, seat in enumerate(header.seats)
    ]
    try:
        if header.at is not None:
            check_time(header.at)
        overrides = header.sheet.overrides if header.sheet else {}
        sheet = overridden(printed_sheet(ruleset.id), overrides)
        table = ruleset.table([seat.colour for seat in header.seats], header.options, sheet)
        entry = opening_entry(
            game_id,
            ruleset,
            table,
            people,
            plain(table.options),
            overrides,
            header.kind,
            header.recorded,
            new_written("import", "line-1", header.at or now),
            played_on=header.played_on,
        )
    except IllegalDecision as no:
        raise RefusedLineError(1, no.rule, no.reason) from no
    except InvalidSheetError as wrong:
        raise BadFileError(1, "{wrong}", wrong=sheet_fault(wrong)) from wrong
    except MisfitError as wrong:
        raise BadFileError(1, "{wrong}", wrong=wrong.fault) from wrong
    except Refused as no:
        raise BadFileError(1, "played_on: {reason}", reason=no.reason) from no
    game = Game(game_id, ruleset)
    game.apply(entry)
    for breach in ruleset.integrity.breaches(game.board):
        raise BadFileError(
            1, "with these numbers the game cannot be opened: {rule}: {reason}", rule=breach.rule, reason=breach.reason
        )
    return game


Numbered = tuple[int, BareLine]
MAX_LINES_REREAD = 12  # an ambiguous line is read in the other way if a later one within this range fails


class BareReading:
    """A game that is read from bare lines, one after the other.

    A line that the rules allow is normally a new decision. If it could also repeat what was just carried out, and a line
    soon after it would then be illegal, it is read as a repetition (`repeated`).
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._doubts: list[tuple[Game, list[Numbered]]] = []
        # the game before each line that may be read in two ways, with that line and those after it

    def add_line(self, number: int, bare: BareLine, now: str) -> None:
        """Add a line. Raises BadFileError, RefusedLineError."""
        self._doubts = [
            (game, [*lines, (number, bare)]) for game, lines in self._doubts if len(lines) < MAX_LINES_REREAD
        ]
        doubt = _is_ambiguous(self.game, bare.command)
        before = self.game.twin() if doubt else None
        try:
            add_bare(self.game, number, bare, now)
        except RefusedLineError as refused:
            self._read_again(refused, now)
            return
        if before is not None:
            self._doubts.append((before, [(number, bare)]))

    def _read_again(self, refused: RefusedLineError, now: str) -> None:
        """Read the latest ambiguous line as a repetition, else earlier ones. Raises RefusedLineError."""
        while self._doubts:
            game, ((number, bare), *after) = self._doubts.pop()
            add_again(game, number, bare, now)
            other = BareReading(game)
            try:
                for following in after:
                    other.add_line(*following, now)
            except RefusedLineError:
                continue
            self.game = other.game
            self._doubts += other._doubts
            return
        raise refused


def _is_ambiguous(game: Game, command: Line) -> bool:
    """Check if a line can be a new decision or a repetition of one that was carried out already."""
    return (
        _is_readable(game, command)
        and repeated_lines.carried_out_at(game, command) is not None
        and repeated_lines.is_legal(game, command)
    )


def _is_readable(game: Game, command: Line) -> bool:
    """Check if a line's decision is valid for the game and its seat exists."""
    if not isinstance(command, Decide):
        return False
    try:
        checked_seat(game, command.seat)
        read_decision(game, command.decision)
    except NotADecisionError:
        return False
    return True


def add_again(game: Game, number: int, bare: BareLine, now: str) -> None:
    """Take a line for what the step before it has carried out."""
    step = repeated_lines.carried_out_at(game, bare.command)
    assert step is not None
    game.apply(
        repeated_lines.note_of_repeat(
            game, step, bare.command, Written(bare.at or now, bare.by or "import", _line_key(game, number))
        )
    )


def _line_key(game: Game, number: int) -> str:
    """Return the key of a line; a new one if a client used it in the stored game."""
    key = f"line-{number}"
    return new_nonce() if key in game.keys else key


def add_bare(game: Game, number: int, bare: BareLine, now: str) -> Entry:
    """Take a bare line in as the game's next entry. Raises BadFileError, RefusedLineError."""
    key = _line_key(game, number)
    try:
        if bare.at is not None:
            check_time(bare.at)
        check_author(bare.by or "import")
        (entry,), board = apply(game, bare.command, new_written(bare.by or "import", key, bare.at or now))
    except IllegalDecision as no:
        step = repeated_lines.carried_out_at(game, bare.command)
        if step is None:
            raise RefusedLineError(number, no.rule, no.reason) from no
        again = Written(bare.at or now, bare.by or "import", key)
        entry, board = repeated_lines.note_of_repeat(game, step, bare.command, again), game.board
    except Refused as no:
        raise RefusedLineError(number, no.rule, no.reason) from no
    except (MisfitError, NotADecisionError, NotAnEntryError) as wrong:
        raise BadFileError(number, "{wrong}", wrong=wrong.fault) from wrong
    game.apply(entry, board)
    return entry
