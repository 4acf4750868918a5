"""Receipts: signed evidence of a record's state at a moment, to compare with later.

A seal alone, as a short code or QR code, shows whether a record still begins as it did. A receipt file also has the
header, the beginning of every seal so far, the standing, and the service's signature. The signing key is in
`services.files.receipt_keys`.

A receipt does not show that the record was true when written. Without a trusted copy of the service's public key, it
does not show that the service signed it. See docs/verifying.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import BrokenSealError, InvalidLineError, check_seal
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import ReasonedError, because
from daybook.domain.kernel.unique_keys import decode_json
from daybook.domain.tombstone import Tombstone
from daybook.services.clock import now
from daybook.services.disputes import claims
from daybook.services.files import recordfile
from daybook.services.files.receipt_keys import ensure_signing_key, fits_signature, public_half, published_keys
from daybook.services.files.recordfile import BadFileError, Header, check_header_agrees, numbered_lines, read_header
from daybook.services.files.verify import read_opening, sealed_lines
from daybook.services.permissions.sights import EVERYTHING, hides_nothing
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import RecordErasedError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = 1
CODE_CHARACTERS = 12  # of a seal that are read aloud or typed
LINK_CHARACTERS = 16  # of each seal in a receipt's chain
MAX_RECEIPT_BYTES = 1_000_000
SIGNATURE_PREFIX = b"daybook receipt\n"  # domain separation: a signature of other content never fits a receipt

ReceiptState = Literal["unchanged", "extended", "altered", "shortened", "another", "erased"]
# shortened: the record ends before the receipt's step; another: it is another game's; erased: only its tombstone is left

_encoder = msgspec.json.Encoder(order="deterministic")


class BadReceiptFileError(ReasonedError, ValueError):
    """File that is not a receipt of this format; the reason says why."""


class SeatStanding(Exact):
    """Standing of a seat; rank 1 is best."""

    seat: int
    total: Points
    rank: int


class Evidence(Exact):
    """A receipt: the state of the record after step `step`.

    at: when it was issued; recorded_at: when the step was recorded; chain: the first 16 characters of every
    seal from step 0 on; provisional: a claim was open; public_key, signature: hexadecimal, Ed25519 over the line
    "daybook receipt" and this object's canonical JSON without `signature`.
    """

    receipt: int  # the format
    header: Header
    step: int
    steps: int
    seal: str
    at: str
    recorded_at: str
    status: str
    provisional: bool
    marks: dict[str, int]
    standing: list[SeatStanding]
    chain: list[str]
    public_key: str
    signature: str = ""

    @property
    def code(self) -> str:
        return short_code(self.seal)


class Renamed(Frozen):
    """A seat that has another name today than in the receipt."""

    seat: int
    then: str
    now: str


class ReceiptCheck(Frozen):
    """Result of comparing a record with a receipt.

    Args:
        renamed: seats whose names differ; no seal covers names, so they may be corrected or swapped.
        altered_at: the first step that differs.
        signed: the signature fits the receipt and the key in it.
        trusted: that key is one of the trusted keys; None if none were given.
    """

    state: ReceiptState
    step: int
    message: str
    signed: bool
    trusted: bool | None = None
    altered_at: int | None = None
    newest: int | None = None
    renamed: list[Renamed] = []

    @property
    def holds(self) -> bool:
        whole = self.state in ("unchanged", "extended") and not self.renamed
        return whole and self.signed and self.trusted is not False


# --- short codes -----------------------------------------------------------------------------------------------------


def short_code(seal: str) -> str:
    """Return the beginning of a seal in groups, to read aloud: 1a67 ee55 628c."""
    return " ".join(seal[place : place + 4] for place in range(0, CODE_CHARACTERS, 4))


def normalize_code(text: str) -> str:
    """Normalize a typed seal or its beginning: no spaces, lower case."""
    return "".join(text.split()).lower()


# --- giving out ------------------------------------------------------------------------------------------------------


def issue_receipt(book: Daybook, game_id: UUID, step: int | None = None) -> Evidence:
    """Issue a receipt for the record after a step; None means now. It is the same for every reader.

    While the game is running, the standing is that of a spectator. Raises UnknownGameError, Refused, BadSigningKeyError.
    """
    game = book.games.get(game_id)
    at = game.step if step is None else step
    game.check_step(at)
    kept = book.kept.game(game_id)
    names = kept.names if kept else tuple(seat.colour for seat in game.opening.seats)
    header = recordfile.build_header(game, kept.title if kept else game.title, names)
    return sign_receipt(unsigned_receipt(game, at, header), ensure_signing_key(book))


def unsigned_receipt(game: Game, step: int, header: Header) -> Evidence:
    """Build a receipt without a signature."""
    status, board = game.status_at(step), game.board_at(step)
    lay_open = status != "running" and game.was_revealed_at(step)
    if not (lay_open and hides_nothing(game, EVERYTHING)):
        board = game.ruleset.secrecy.redact_board(board, None)
    totals = [score.total for score in game.ruleset.scoring.standing(board)]
    ranks = game.ruleset.ranks(board)
    entries = game.entries[: step + 1]
    return Evidence(
        receipt=FORMAT,
        header=header,
        step=step,
        steps=step + 1,
        seal=entries[-1].seal,
        at=now(),
        recorded_at=entries[-1].event.at,
        status=status,
        provisional=claims.was_provisional_at(game, step),
        marks=game.figures_at(step)[1],
        standing=[
            SeatStanding(seat, total, rank) for seat, (total, rank) in enumerate(zip(totals, ranks, strict=True))
        ],
        chain=[entry.seal[:LINK_CHARACTERS] for entry in entries],
        public_key="",
    )


def sign_receipt(unsigned: Evidence, key: Ed25519PrivateKey) -> Evidence:
    named = msgspec.structs.replace(unsigned, public_key=public_half(key), signature="")
    return msgspec.structs.replace(named, signature=key.sign(_signed_content(named)).hex())


def _signed_content(receipt: Evidence) -> bytes:
    plain: dict[str, Any] = msgspec.to_builtins(receipt)
    del plain["signature"]
    return SIGNATURE_PREFIX + _encoder.encode(plain)


def encode_receipt(receipt: Evidence) -> bytes:
    """Encode a receipt as a file: one line of canonical JSON."""
    return _encoder.encode(msgspec.to_builtins(receipt)) + b"\n"


# --- holding a record against a receipt ------------------------------------------------------------------------------


def read_receipt(content: bytes) -> Evidence:
    """Parse a receipt file. Raises BadReceiptFileError."""
    if len(content) > MAX_RECEIPT_BYTES:
        raise BadReceiptFileError(
            because("too_large", "the receipt has more than {most} bytes", most=f"{MAX_RECEIPT_BYTES:,}")
        )
    try:
        receipt: Evidence = decode_json(content, Evidence)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise BadReceiptFileError(because("no_receipt", "this is not a receipt: {wrong}", wrong=str(wrong))) from wrong
    if receipt.receipt != FORMAT:
        raise BadReceiptFileError(
            because(
                "format",
                "the receipt has format {format}; this Daybook reads format {known}",
                format=receipt.receipt,
                known=FORMAT,
            )
        )
    if (
        receipt.step < 0
        or receipt.steps != receipt.step + 1
        or len(receipt.chain) != receipt.steps
        or (receipt.seal[:LINK_CHARACTERS] != receipt.chain[-1])
    ):
        raise BadReceiptFileError(
            because("disagrees", "the receipt does not agree with itself: its steps, its chain and its seal")
        )
    return receipt


def is_signed(receipt: Evidence) -> bool:
    """Check if the signature fits the receipt and the key that it names."""
    return fits_signature(receipt.public_key, receipt.signature, _signed_content(receipt))


def check_receipt(
    lines: Iterable[bytes], game: str, names: Sequence[str], receipt: Evidence, trusted: Collection[str] | None = None
) -> ReceiptCheck:
    """Compare a game's stored lines with a receipt.

    Args:
        names: current names by seat.
        trusted: public keys; the receipt must be signed with one of them.
    """
    renamed = [
        Renamed(number, seat.name, name)
        for number, (seat, name) in enumerate(zip(receipt.header.seats, names, strict=False))
        if seat.name != name
    ]
    signature_fits, is_trusted = is_signed(receipt), None if trusted is None else receipt.public_key in trusted

    def check_result(
        state: ReceiptState, explanation: str, altered_at: int | None = None, newest: int | None = None
    ) -> ReceiptCheck:
        return ReceiptCheck(state, receipt.step, explanation, signature_fits, is_trusted, altered_at, newest, renamed)

    if str(receipt.header.game) != game:
        return check_result("another", f"the receipt is of game {receipt.header.game}, the record of game {game}")
    step, seal = -1, ""
    try:
        for step, line in enumerate(lines):
            _, seal = check_seal(step, line, seal)
            if step <= receipt.step and seal[:LINK_CHARACTERS] != receipt.chain[step]:
                return check_result("altered", f"step {step} was changed after the receipt was issued", step)
            if step == receipt.step and seal != receipt.seal:
                return check_result("altered", f"step {step} was changed after the receipt was issued", step)
            if step == 0:
                check_header_agrees(receipt.header, read_opening(receipt.header.game, line))
    except BrokenSealError as broken:
        return check_result("altered", f"step {broken.step}: {broken.says}", broken.step)
    except (BadFileError, InvalidLineError) as wrong:
        return check_result("altered", f"the receipt is not of this record: {wrong.fault}", 0)
    if step < receipt.step:
        return check_result(
            "shortened", f"the record ends at step {step}, the receipt is of step {receipt.step}", None, step
        )
    if step == receipt.step:
        return check_result("unchanged", "the record is unchanged since the receipt was issued", None, step)
    return check_result(
        "extended", f"the record is unchanged up to step {receipt.step}, and continues to step {step}", None, step
    )


def check_file(source: BinaryIO, receipt: Evidence, trusted: Collection[str] | None = None) -> ReceiptCheck:
    """Compare a full record file with a receipt, and its header with the sealed opening. Raises BadFileError."""
    lines = numbered_lines(source)
    header = read_header(next(lines)[1])
    return check_receipt(
        sealed_lines(header, lines), str(header.game), [seat.name for seat in header.seats], receipt, trusted
    )


def verify_game(book: Daybook, game_id: UUID, receipt: Evidence, steps: int | None = None) -> ReceiptCheck:
    """Hold a game of this service against a receipt, and the receipt against all keys that this service ever had.

    Args:
        steps: how many the viewer may see; None: all.
    """
    trusted = {key.public_key for key in published_keys(book)}
    kept = book.kept.game(game_id)
    try:
        lines = islice(book.log.lines(game_id), steps)
    except RecordErasedError as erased:
        return _check_erased(erased.tombstone, str(game_id), receipt, trusted)
    return check_receipt(lines, str(game_id), kept.names if kept else (), receipt, trusted)


def _check_erased(tombstone: Tombstone, game: str, receipt: Evidence, trusted: Collection[str]) -> ReceiptCheck:
    """Hold the tombstone of an erased game against a receipt: it names the last seal."""
    last = tombstone.entries - 1
    if receipt.header.game != UUID(game):
        state: ReceiptState = "another"
        says = f"the receipt is of game {receipt.header.game}, the record of game {game}"
    elif receipt.step > last:
        state, says = "shortened", f"the record was erased at step {last}, the receipt is of step {receipt.step}"
    elif receipt.step == last and receipt.seal != tombstone.last_seal:
        state, says = "altered", f"step {last} was changed after the receipt was issued"
    else:
        same = "with the seal of this receipt" if receipt.step == last else f"at step {last}"
        state, says = "erased", f"the record was erased on {tombstone.at[:10]}, {same}: {tombstone.why}"
    altered_at = last if state == "altered" else None
    return ReceiptCheck(state, receipt.step, says, is_signed(receipt), receipt.public_key in trusted, altered_at, last)
