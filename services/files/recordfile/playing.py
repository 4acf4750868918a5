"""Playing a bare file: its header opens a game, and the rules work out what comes of each line."""

from __future__ import annotations

from uuid import UUID, uuid5

from daybook.domain.commands import Decide, Line, NotAnEntry
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.decisions import NotADecision, checked_seat, read_decision
from daybook.domain.kernel.events import Entry, SeatTaken
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.sheet import BadSheet, overridden
from daybook.domain.kernel.terms import IllegalDecision
from daybook.domain.writing import apply
from daybook.services.files.recordfile import repeated_lines
from daybook.services.files.recordfile.bare_lines import BareLine
from daybook.services.files.recordfile.headers import ENCODER, BareHeader, known_ruleset
from daybook.services.files.recordfile.lines import BadFile, RefusedLine
from daybook.services.files.validate import Misfit, check_by, check_time, sheet_fault
from daybook.services.play.writing import nonce, written_by
from daybook.services.store.printed_sheets import printed_sheet

BY_FILE = UUID("0d2b4a52-6f0c-5a0e-9d0e-3f6c2a1b7e55")  # names games and people that a bare file gives no id


def bare_id(header: BareHeader) -> UUID:
    """The game's id: the one it names, or one drawn from the header."""
    return header.game or uuid5(BY_FILE, ENCODER.encode(header).decode())


def open_bare_game(header: BareHeader, now: str) -> Game:
    """The game a bare header opens. Raises BadFile, RefusedLine."""
    ruleset, id = known_ruleset(header.ruleset), bare_id(header)
    people = [
        SeatTaken(seat.person or uuid5(BY_FILE, f"{id} {place}").hex, seat.colour)
        for place, seat in enumerate(header.seats)
    ]
    try:
        if header.at is not None:
            check_time(header.at)
        overrides = header.sheet.overrides if header.sheet else {}
        sheet = overridden(printed_sheet(ruleset.id), overrides)
        table = ruleset.table([seat.colour for seat in header.seats], header.options, sheet)
        entry = opening_entry(
            id,
            ruleset,
            table,
            people,
            plain(table.options),
            overrides,
            header.kind,
            header.recorded,
            written_by("import", "line-1", header.at or now),
            played=header.played,
        )
    except IllegalDecision as no:
        raise RefusedLine(1, no.rule, no.reason) from no
    except BadSheet as wrong:
        raise BadFile(1, "{wrong}", wrong=sheet_fault(wrong)) from wrong
    except Misfit as wrong:
        raise BadFile(1, "{wrong}", wrong=wrong.fault) from wrong
    except Refused as no:
        raise BadFile(1, "played: {reason}", reason=no.reason) from no
    game = Game(id, ruleset)
    game.apply(entry)
    for breach in ruleset.integrity.breaches(game.board):
        raise BadFile(
            1, "with these numbers the game cannot be opened: {rule}: {reason}", rule=breach.rule, reason=breach.reason
        )
    return game


Numbered = tuple[int, BareLine]
LOOKED_BACK = 12  # lines within which a line that may be read in two ways is read again


class BareReading:
    """A game that is read from bare lines, one after the other.

    A line that the rules allow now is a decision of now. Where it says what the record has just carried out as well,
    and a line soon after it cannot follow, it is read as that (`repeated`).
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._doubts: list[tuple[Game, list[Numbered]]] = []
        # the game before each line that may be read in two ways, with that line and those after it

    def add(self, number: int, bare: BareLine, now: str) -> None:
        """Raises BadFile, RefusedLine."""
        self._doubts = [(game, [*lines, (number, bare)]) for game, lines in self._doubts if len(lines) < LOOKED_BACK]
        doubt = _may_be_either(self.game, bare.command)
        before = self.game.twin() if doubt else None
        try:
            add_bare(self.game, number, bare, now)
        except RefusedLine as refused:
            self._read_again(refused, now)
            return
        if before is not None:
            self._doubts.append((before, [(number, bare)]))

    def _read_again(self, refused: RefusedLine, now: str) -> None:
        """Takes the latest line that may be so, or one before it, for what was carried out. Raises RefusedLine."""
        while self._doubts:
            game, ((number, bare), *after) = self._doubts.pop()
            add_again(game, number, bare, now)
            other = BareReading(game)
            try:
                for following in after:
                    other.add(*following, now)
            except RefusedLine:
                continue
            self.game = other.game
            self._doubts += other._doubts
            return
        raise refused


def _may_be_either(game: Game, command: Line) -> bool:
    """Whether a line can be a decision of now as well as one that the record has carried out already."""
    return (
        _is_readable(game, command)
        and repeated_lines.carried_out_at(game, command) is not None
        and repeated_lines.is_legal(game, command)
    )


def _is_readable(game: Game, command: Line) -> bool:
    """Whether a line's decision is one of the game's, by a seat that it has."""
    if not isinstance(command, Decide):
        return False
    try:
        checked_seat(game, command.seat)
        read_decision(game, command.decision)
    except NotADecision:
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
    """The key of a line. In a game that is here already a client may have used it."""
    key = f"line-{number}"
    return nonce() if key in game.keys else key


def add_bare(game: Game, number: int, bare: BareLine, now: str) -> Entry:
    """Take a bare line in as the game's next entry. Raises BadFile, RefusedLine."""
    key = _line_key(game, number)
    try:
        if bare.at is not None:
            check_time(bare.at)
        check_by(bare.by or "import")
        (entry,), board = apply(game, bare.command, written_by(bare.by or "import", key, bare.at or now))
    except IllegalDecision as no:
        step = repeated_lines.carried_out_at(game, bare.command)
        if step is None:
            raise RefusedLine(number, no.rule, no.reason) from no
        again = Written(bare.at or now, bare.by or "import", key)
        entry, board = repeated_lines.note_of_repeat(game, step, bare.command, again), game.board
    except Refused as no:
        raise RefusedLine(number, no.rule, no.reason) from no
    except (Misfit, NotADecision, NotAnEntry) as wrong:
        raise BadFile(number, "{wrong}", wrong=wrong.fault) from wrong
    game.apply(entry, board)
    return entry
