"""Evidence: what a record was at a moment, in a form that anybody can keep and hold against it later.

A seal alone, as a short code or a QR, is enough to tell whether a record still begins as it did. A receipt file says
more: the header, the beginning of every seal up to then, where everybody stood, and the service's signature. The
signing key is a file of the service's: see `services.files.receipt_keys`.

What it cannot show: that the record was true when it was written, and, without the service's public key from a source
you trust, that the service and not somebody else signed. See docs/verifying.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import BadLine, BrokenSeal, check_seal
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Reasoned, because
from daybook.domain.kernel.unique_keys import decode_json
from daybook.domain.tombstone import Tombstone
from daybook.services.clock import now
from daybook.services.disputes import claims
from daybook.services.files import recordfile
from daybook.services.files.receipt_keys import fits_signature, public_half, published_keys, signing_key
from daybook.services.files.recordfile import BadFile, Header, check_agrees, numbered_lines, read_header
from daybook.services.files.verify import opening_of, sealed_lines
from daybook.services.people import access
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import RecordErasedError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = 1
CODE_LENGTH = 12  # characters of a seal that are read aloud or typed
LINK_LENGTH = 16  # characters of each seal in a receipt's chain
RECEIPT_LIMIT = 1_000_000  # bytes
SIGNED_WITH = b"daybook receipt\n"  # before what is signed, so that the key signs nothing else by chance

State = Literal["unchanged", "extended", "altered", "shortened", "another", "erased"]
# shortened: the record ends before the receipt's step; another: it is another game's; erased: only its tombstone is left

_encoder = msgspec.json.Encoder(order="deterministic")


class BadReceiptFile(Reasoned, ValueError):
    """A file that is no receipt of this format; the reason says why."""


class Stand(Exact):
    """Where a seat stood. rank: 1 is best."""

    seat: int
    total: int
    rank: int


class Evidence(Exact):
    """A receipt: what the record was after step `step`.

    at: when this was given out; recorded_at: when the step was written down; chain: the first 16 characters of every
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
    standing: list[Stand]
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


class Checked(Frozen):
    """What holding a record against a receipt came to.

    renamed: seats with other names than the receipt has, which no seal speaks for: put right, or exchanged.
    altered_at: the first step that is not what it was. signed: whether the signature fits the receipt and the key in
    it; trusted: whether that key is the one it was asked to be, None if none was named.
    """

    state: State
    step: int
    says: str
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
    """The beginning of a seal, to be read aloud: 1a67 ee55 628c."""
    return " ".join(seal[place : place + 4] for place in range(0, CODE_LENGTH, 4))


def code_of(text: str) -> str:
    """A seal or its beginning as somebody typed it: without spaces, small letters."""
    return "".join(text.split()).lower()


# --- giving out ------------------------------------------------------------------------------------------------------


def issue(book: Daybook, game_id: UUID, step: int | None = None) -> Evidence:
    """A receipt of the record as it was after a step; None: now. The same for everybody who may read the game.

    Standings are those of a spectator while the game is running. Raises UnknownGame, Refused, BadSigningKey.
    """
    game = book.games.get(game_id)
    at = game.step if step is None else step
    game.check_step(at)
    kept = book.kept.game(game_id)
    names = kept.names if kept else tuple(seat.colour for seat in game.opening.seats)
    header = recordfile.header_of(game, kept.title if kept else game.title, names)
    return sign_receipt(unsigned_receipt(game, at, header), signing_key(book))


def unsigned_receipt(game: Game, step: int, header: Header) -> Evidence:
    """A receipt that nobody has signed."""
    status, board = game.status_at(step), game.board_at(step)
    lay_open = status != "running" and game.lay_open_at(step)
    if not (lay_open and access.hides_nothing(game, access.EVERYTHING)):
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
        standing=[Stand(seat, total, rank) for seat, (total, rank) in enumerate(zip(totals, ranks, strict=True))],
        chain=[entry.seal[:LINK_LENGTH] for entry in entries],
        public_key="",
    )


def sign_receipt(unsigned: Evidence, key: Ed25519PrivateKey) -> Evidence:
    named = msgspec.structs.replace(unsigned, public_key=public_half(key), signature="")
    return msgspec.structs.replace(named, signature=key.sign(_signed_content(named)).hex())


def _signed_content(receipt: Evidence) -> bytes:
    plain: dict[str, Any] = msgspec.to_builtins(receipt)
    del plain["signature"]
    return SIGNED_WITH + _encoder.encode(plain)


def file_of(receipt: Evidence) -> bytes:
    """A receipt as a file: one line of canonical JSON."""
    return _encoder.encode(msgspec.to_builtins(receipt)) + b"\n"


# --- holding a record against a receipt ------------------------------------------------------------------------------


def read_receipt(content: bytes) -> Evidence:
    """A receipt out of its file. Raises BadReceiptFile."""
    if len(content) > RECEIPT_LIMIT:
        raise BadReceiptFile(because("too_large", "the receipt has more than {most} bytes", most=f"{RECEIPT_LIMIT:,}"))
    try:
        receipt: Evidence = decode_json(content, Evidence)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise BadReceiptFile(because("no_receipt", "this is not a receipt: {wrong}", wrong=str(wrong))) from wrong
    if receipt.receipt != FORMAT:
        raise BadReceiptFile(
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
        or (receipt.seal[:LINK_LENGTH] != receipt.chain[-1])
    ):
        raise BadReceiptFile(
            because("disagrees", "the receipt does not agree with itself: its steps, its chain and its seal")
        )
    return receipt


def is_signed(receipt: Evidence) -> bool:
    """Whether the signature fits what the receipt says and the key that it names."""
    return fits_signature(receipt.public_key, receipt.signature, _signed_content(receipt))


def verify(
    lines: Iterable[bytes], game: str, names: Sequence[str], receipt: Evidence, trusted: Collection[str] | None = None
) -> Checked:
    """Hold a game's stored lines against a receipt. names: by seat, as they are today; trusted: the
    public keys one of which it has to be signed with.
    """
    renamed = [
        Renamed(number, seat.name, name)
        for number, (seat, name) in enumerate(zip(receipt.header.seats, names, strict=False))
        if seat.name != name
    ]
    good, known = is_signed(receipt), None if trusted is None else receipt.public_key in trusted

    def check_result(state: State, says: str, altered_at: int | None = None, newest: int | None = None) -> Checked:
        return Checked(state, receipt.step, says, good, known, altered_at, newest, renamed)

    if str(receipt.header.game) != game:
        return check_result("another", f"the receipt is of game {receipt.header.game}, the record of game {game}")
    step, seal = -1, ""
    try:
        for step, line in enumerate(lines):
            _, seal = check_seal(step, line, seal)
            if step <= receipt.step and seal[:LINK_LENGTH] != receipt.chain[step]:
                return check_result("altered", f"step {step} is not what it was when the receipt was given out", step)
            if step == receipt.step and seal != receipt.seal:
                return check_result("altered", f"step {step} is not what it was when the receipt was given out", step)
            if step == 0:
                check_agrees(receipt.header, opening_of(receipt.header.game, line))
    except BrokenSeal as broken:
        return check_result("altered", f"step {broken.step}: {broken.says}", broken.step)
    except (BadFile, BadLine) as wrong:
        return check_result("altered", f"the receipt is not of this record: {wrong.fault}", 0)
    if step < receipt.step:
        return check_result(
            "shortened", f"the record ends at step {step}, the receipt is of step {receipt.step}", None, step
        )
    if step == receipt.step:
        return check_result("unchanged", "the record is what it was", None, step)
    return check_result(
        "extended", f"the record is what it was up to step {receipt.step}, and goes on to step {step}", None, step
    )


def verify_file(source: BinaryIO, receipt: Evidence, trusted: Collection[str] | None = None) -> Checked:
    """Hold a full record file against a receipt, its header against the sealed opening as `services.files.verify` does,
    and its names against the receipt's. Raises BadFile for a file that is none.
    """
    lines = numbered_lines(source)
    header = read_header(next(lines)[1])
    return verify(sealed_lines(header, lines), str(header.game), [seat.name for seat in header.seats], receipt, trusted)


def verify_game(book: Daybook, game_id: UUID, receipt: Evidence) -> Checked:
    """Hold a game of this service against a receipt, and the receipt against all keys that this service ever had."""
    trusted = {key.public_key for key in published_keys(book)}
    kept = book.kept.game(game_id)
    try:
        lines = book.log.lines(game_id)
    except RecordErasedError as erased:
        return _check_erased(erased.tombstone, str(game_id), receipt, trusted)
    return verify(lines, str(game_id), kept.names if kept else (), receipt, trusted)


def _check_erased(tombstone: Tombstone, game: str, receipt: Evidence, trusted: Collection[str]) -> Checked:
    """Hold the tombstone of an erased game against a receipt: it names the last seal."""
    last = tombstone.entries - 1
    if receipt.header.game != UUID(game):
        state: State = "another"
        says = f"the receipt is of game {receipt.header.game}, the record of game {game}"
    elif receipt.step > last:
        state, says = "shortened", f"the record was erased at step {last}, the receipt is of step {receipt.step}"
    elif receipt.step == last and receipt.seal != tombstone.last_seal:
        state, says = "altered", f"step {last} is not what it was when the receipt was given out"
    else:
        same = "with the seal of this receipt" if receipt.step == last else f"at step {last}"
        state, says = "erased", f"the record was erased on {tombstone.at[:10]}, {same}: {tombstone.why}"
    altered_at = last if state == "altered" else None
    return Checked(state, receipt.step, says, is_signed(receipt), receipt.public_key in trusted, altered_at, last)
