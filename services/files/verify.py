"""Whether a record is what was sealed: whole, or the first step that was altered.

Every line's seal is the SHA-256 of the seal before it and of the line itself, so a line that was altered, dropped,
inserted or moved shows. What a chain cannot show by itself is that its end was cut off, or that all of it was
written anew: for that, compare it with a receipt, the last seal as it was handed out at the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO
from uuid import UUID

from daybook.domain.kernel.chronicle import BadLine, BrokenSeal, check_seal
from daybook.domain.kernel.errors import Fault, fault
from daybook.domain.kernel.events import GameOpened, read_line
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.tombstone import Tombstone
from daybook.services.files import clubfile
from daybook.services.files.recordfile import BadFile, Header, check_agrees, names_club, numbered_lines, read_header
from daybook.services.reading_limits import CLUB_FILE_LINES

if TYPE_CHECKING:  # the command line verifies files without a database
    from daybook.services.store.daybook import Daybook

RECEIPT = re.compile(r"[0-9a-f]{12,64}")


class BadReceipt(ValueError):
    """What was given is no receipt: give the 64 characters of a seal, or at least the first 12."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no receipt: give the 64 characters of a seal, or at least the first 12 of them")


class SealCheck(Frozen):
    """What verifying came to.

    steps: how many entries hold, from the opening on; seal: of the last of them. broken_at: the first step that is
    not what was sealed, None if the record is whole; says: why. received: the step the receipt was given out at.
    erased: steps and seal are those that the tombstone names, and no line is left.
    """

    steps: int
    seal: str
    broken_at: int | None = None
    says: str = ""
    received: int | None = None
    erased: bool = False

    @property
    def whole(self) -> bool:
        return self.broken_at is None


Take = Callable[[int, bytes, str], str]  # step, line, the seal before -> its seal; raises BrokenSeal


def verify_lines(
    lines: Iterable[bytes], receipt: str | None = None, take: Take = lambda *line: check_seal(*line)[1]
) -> SealCheck:
    """Verify the stored lines of a game or a club, the first one first. Raises BadReceipt."""
    if receipt is not None and not RECEIPT.fullmatch(receipt):
        raise BadReceipt(receipt)
    steps, seal, received = 0, "", None
    try:
        for line in lines:
            seal = take(steps, line, seal)
            steps += 1
            if receipt is not None and seal.startswith(receipt):
                received = steps - 1
    except BrokenSeal as broken:
        return SealCheck(steps, seal, broken.step, broken.says, received)
    if not steps:
        return SealCheck(0, "", 0, "there is no entry")
    if receipt is not None and received is None:
        return SealCheck(steps, seal, steps, "no step has this receipt: the end is missing, or it is another record")
    return SealCheck(steps, seal, received=received)


def verify_file(source: BinaryIO, receipt: str | None = None) -> SealCheck:
    """Verify a full record file, or a club's. Raises BadFile for a file that is none, BadReceipt.

    The header is held against the sealed opening. The title and the names stand in the header alone, so that they
    can be put right; no seal speaks for them.
    """
    lines = numbered_lines(source)
    first = next(lines)[1]
    if names_club(first):
        return _verify_club(first, source, receipt)
    header = read_header(first)
    return verify_lines(sealed_lines(header, lines), receipt)


def _verify_club(first: bytes, source: BinaryIO, receipt: str | None) -> SealCheck:
    """The header was read already."""
    intake = clubfile.ClubIntake(clubfile.read_header(first))
    lines = numbered_lines(source, after=1, limit=CLUB_FILE_LINES)
    return verify_lines(clubfile.entries_of(lines), receipt, intake.take)


def verify_game(book: Daybook, game_id: UUID, receipt: str | None = None) -> SealCheck:
    """Verify a stored game. Raises BadReceipt; a game that is not there has no entry, and so does not hold.

    Of an erased game the tombstone names the last seal: a receipt of the last step is known by it.
    """
    from daybook.services.store.log import RecordErasedError  # not to verify files

    try:
        return verify_lines(book.log.lines(game_id), receipt)
    except RecordErasedError as erased:
        return _check_erased(erased.tombstone, receipt)


def _check_erased(tombstone: Tombstone, receipt: str | None) -> SealCheck:
    if receipt is not None and not RECEIPT.fullmatch(receipt):
        raise BadReceipt(receipt)
    last, is_last = tombstone.entries - 1, receipt is not None and tombstone.last_seal.startswith(receipt)
    says = f"it was erased on {tombstone.at[:10]}, with its last step {last}: {tombstone.why}"
    return SealCheck(tombstone.entries, tombstone.last_seal, 0, says, last if is_last else None, erased=True)


def sealed_lines(header: Header, lines: Iterator[tuple[int, bytes]]) -> Iterator[bytes]:
    """The lines after the header; what keeps one from being read is a broken step of it."""
    step = 0
    try:
        for number, line in lines:
            step = number - 2
            yield line  # whoever verifies it stops here if its seal does not fit
            if step == 0:
                check_agrees(header, opening_of(header.game, line))
            step += 1
    except (BadFile, BadLine) as wrong:
        raise BrokenSeal(0 if isinstance(wrong, BadFile) and wrong.line == 1 else step, _broken_fault(wrong)) from wrong


def _broken_fault(wrong: BadFile | BadLine) -> Fault:
    if isinstance(wrong, BadFile):
        return fault("line {line}: {wrong}", line=wrong.line, wrong=wrong.fault)
    return wrong.fault


def opening_of(game_id: UUID, line: bytes) -> GameOpened:
    """Opening of a game, from the first line of its record. Raises BadLine."""
    event = read_line(game_id, 1, line).event
    if not isinstance(event, GameOpened):
        raise BadLine("the first entry does not open a game")
    return event
