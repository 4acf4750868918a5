"""Verification of seals: a record is intact, or has a first altered step.

Each line's seal is the SHA-256 of the previous seal and the line, so altered, dropped, inserted or moved lines show. A
chain cannot show that its end was cut off or that it was rewritten completely: compare it with a receipt, a seal that
was handed out earlier.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO
from uuid import UUID

from daybook.domain.kernel.chronicle import BrokenSealError, InvalidLineError, check_seal
from daybook.domain.kernel.errors import Fault, fault
from daybook.domain.kernel.events import GameOpened, read_line
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.tombstone import Tombstone
from daybook.services.files import clubfile
from daybook.services.files.recordfile import (
    BadFileError,
    Header,
    check_header_agrees,
    is_club_header,
    numbered_lines,
    read_header,
)
from daybook.services.reading_limits import CLUB_FILE_LINES

if TYPE_CHECKING:  # the command line verifies files without a database
    from daybook.services.store.daybook import Daybook

RECEIPT = re.compile(r"[0-9a-f]{12,64}")


class BadReceiptError(ValueError):
    """Invalid receipt: give the 64 characters of a seal, or at least the first 12."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no receipt: give the 64 characters of a seal, or at least the first 12 of them")


class SealCheck(Frozen):
    """Result of a verification.

    Args:
        steps: number of valid entries from the opening on.
        seal: of the last valid entry.
        broken_at: the first altered step, None if the record is intact.
        message: the reason.
        received: the step at which the receipt was issued.
        erased: steps and seal are those of the tombstone, and no line is left.
    """

    steps: int
    seal: str
    broken_at: int | None = None
    message: str = ""
    received: int | None = None
    erased: bool = False

    @property
    def intact(self) -> bool:
        return self.broken_at is None


LineReader = Callable[[int, bytes, str], str]  # (step, line, previous seal) -> seal; raises BrokenSealError


def verify_lines(
    lines: Iterable[bytes], receipt: str | None = None, take: LineReader = lambda *line: check_seal(*line)[1]
) -> SealCheck:
    """Verify the stored lines of a game or a club, the first one first. Raises BadReceiptError."""
    if receipt is not None and not RECEIPT.fullmatch(receipt):
        raise BadReceiptError(receipt)
    steps, seal, received = 0, "", None
    try:
        for line in lines:
            seal = take(steps, line, seal)
            steps += 1
            if receipt is not None and seal.startswith(receipt):
                received = steps - 1
    except BrokenSealError as broken:
        return SealCheck(steps, seal, broken.step, broken.says, received)
    if not steps:
        return SealCheck(0, "", 0, "there is no entry")
    if receipt is not None and received is None:
        return SealCheck(steps, seal, steps, "no step has this receipt: the end is missing, or it is another record")
    return SealCheck(steps, seal, received=received)


def verify_file(source: BinaryIO, receipt: str | None = None) -> SealCheck:
    """Verify a full record file or club file. Raises BadFileError for other files, BadReceiptError.

    The header is compared with the sealed opening. Title and names are only in the header, so that they can be
    corrected; no seal covers them.
    """
    lines = numbered_lines(source)
    first = next(lines)[1]
    if is_club_header(first):
        return _verify_club(first, source, receipt)
    header = read_header(first)
    return verify_lines(sealed_lines(header, lines), receipt)


def _verify_club(first: bytes, source: BinaryIO, receipt: str | None) -> SealCheck:
    """Verify a club file after its header."""
    intake = clubfile.ClubIntake(clubfile.read_club_header(first))
    lines = numbered_lines(source, after=1, limit=CLUB_FILE_LINES)
    return verify_lines(clubfile.club_lines(lines), receipt, intake.apply_line)


def verify_game(book: Daybook, game_id: UUID, receipt: str | None = None, steps: int | None = None) -> SealCheck:
    """Verify a stored game. Raises BadReceiptError; a missing game counts as broken.

    Args:
        steps: how many the viewer may see; None: all.

    Of an erased game, the tombstone has the last seal, which verifies a receipt of the last step.
    """
    from daybook.services.store.log import RecordErasedError  # not to verify files

    try:
        return verify_lines(islice(book.log.lines(game_id), steps), receipt)
    except RecordErasedError as erased:
        return _check_erased(erased.tombstone, receipt)


def _check_erased(tombstone: Tombstone, receipt: str | None) -> SealCheck:
    if receipt is not None and not RECEIPT.fullmatch(receipt):
        raise BadReceiptError(receipt)
    last, is_last = tombstone.entries - 1, receipt is not None and tombstone.last_seal.startswith(receipt)
    says = f"it was erased on {tombstone.at[:10]}, with its last step {last}: {tombstone.why}"
    return SealCheck(tombstone.entries, tombstone.last_seal, 0, says, last if is_last else None, erased=True)


def sealed_lines(header: Header, lines: Iterator[tuple[int, bytes]]) -> Iterator[bytes]:
    """Yield the lines after the header; an unreadable line counts as a broken step."""
    step = 0
    try:
        for number, line in lines:
            step = number - 2
            yield line  # the verifying caller stops here if the seal does not match
            if step == 0:
                check_header_agrees(header, read_opening(header.game, line))
            step += 1
    except (BadFileError, InvalidLineError) as wrong:
        raise BrokenSealError(
            0 if isinstance(wrong, BadFileError) and wrong.line == 1 else step, _broken_fault(wrong)
        ) from wrong


def _broken_fault(error: BadFileError | InvalidLineError) -> Fault:
    if isinstance(error, BadFileError):
        return fault("line {line}: {wrong}", line=error.line, wrong=error.fault)
    return error.fault


def read_opening(game_id: UUID, line: bytes) -> GameOpened:
    """Read the opening of a game from the first line of its record. Raises InvalidLineError."""
    event = read_line(game_id, 1, line).event
    if not isinstance(event, GameOpened):
        raise InvalidLineError("the first entry does not open a game")
    return event
