"""Chronicles: the sealed sequence of events of a game or a club.

Each entry has a step number and the line exactly as it is stored, and is sealed together with the entry before it. This
module does not know the meaning of events: readers pass the decoder of their own.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from uuid import UUID

import msgspec

from daybook.domain.kernel.errors import Fault, UnreadableError, fault, unread
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.points import is_half
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import ReasonedError, WhyNot, because

FORMAT = 3  # of the records of games and clubs; the first format of 1.0
LAST_OF_0 = "0.2.0"  # the last version that reads formats 1 and 2
TEXT_LIMIT = 2000  # characters of a note or a reason
ENTRIES_LIMIT = 10_000  # entries per record, far above any game; more would only load the service
SIZE_LIMIT = 15_000_000  # bytes of its entries
KEY = re.compile(r"[A-Za-z0-9_.:-]{1,64}")  # an idempotency key
NUMBERED = re.compile(r"(seat|umpire):([0-9]{1,2})")  # a place


class ChronicleEvent(Exact, kw_only=True, omit_defaults=True):
    """Common fields of all entries.

    at: the time of writing, UTC, "2026-11-20T19:30:00.000Z"; by: the writer; key: the client's idempotency key, unique
    in the game or club; nonce: a secret that identifies a repeated request, because no one else can make it. Older
    records have none.
    """

    step: int
    at: str
    by: str
    key: str
    nonce: str = ""


class Written(Frozen):
    """Author, time, idempotency key and secret of an entry."""

    at: str
    by: str
    key: str
    nonce: str = ""


def place_of(by: str) -> str:
    """Return the place at the table from which an entry was written: "scorekeeper", "seat:1", "umpire:0"."""
    return by.partition("@")[0]


def numbered_place_of(by: str) -> tuple[str, int] | None:
    """Return the place as a word and a number, such as ("seat", 1), or None for a place without a number.

    A record from a file can name a seat that the game does not have.
    """
    found = NUMBERED.fullmatch(place_of(by))
    return None if found is None else (found[1], int(found[2]))


class Refused(ReasonedError):
    """The record cannot take this entry; the reason states what is. Nothing has changed."""


def checked_text(text: str) -> str:
    """Return a note or a reason without surrounding spaces. Raises Refused if it is too long."""
    if len(text) > TEXT_LIMIT:
        raise Refused(
            because("too_long", "{length} characters are too many: at most {limit}", length=len(text), limit=TEXT_LIMIT)
        )
    return text.strip()


NUMBER_LIMIT = 2**53  # up to this, every JSON parser represents whole numbers exactly
DEPTH_LIMIT = 32  # lists and objects inside each other
_MAY_BE_TOO_LARGE = re.compile(rb"[0-9]{16}|\\u0000")  # in JSON; lines without a match need no further check


def unfit_value(value: Any) -> WhyNot:
    """Return why a record cannot hold a value, or None.

    All ways into a record share this limit, so that every accepted value can be checked, exported and imported again.
    """
    parts = [value]
    for _depth in range(DEPTH_LIMIT + 1):
        inside: list[Any] = []
        for part in parts:
            if isinstance(part, str):
                if "\0" in part:
                    return because("nul", "a text contains the character NUL")
            elif isinstance(part, dict):
                inside += part
                inside += part.values()
            elif isinstance(part, list | tuple):
                inside += part
            elif isinstance(part, float) and not is_half(part):
                return because("not_whole", "{value} is not a whole number or a half", value=repr(part))
            elif isinstance(part, int | float) and not -NUMBER_LIMIT < part < NUMBER_LIMIT:
                digits = int(part).bit_length() * 3 // 10  # to write it out may take long
                return because("too_large", "a number of some {digits} digits is too large", digits=digits)
        if not inside:
            return None
        parts = inside
    return because("too_deep", "values are nested too deeply")


def refuse_unfit(value: Any) -> None:
    """Raise Refused for a value that a record cannot hold."""
    reason = unfit_value(msgspec.to_builtins(value, str_keys=True))
    if reason is not None:
        raise Refused(reason)


def writing_fields(written: Written) -> dict[str, Any]:
    """Return the fields of an event about its author, time and key."""
    said = {"at": written.at, "by": written.by, "key": written.key}
    return {**said, "nonce": written.nonce} if written.nonce else said


def key_within(written: Written, place: int) -> str:
    """Return a key for one more entry of the same request: 128 bits in 22 characters. place: from 1.

    The nonce is in it: a client that could predict the key would use it first.
    """
    digest = hashlib.sha256(f"{written.key} {written.nonce} {place}".encode()).digest()
    return urlsafe_b64encode(digest[:16]).decode().rstrip("=")


# --- lines and seals -------------------------------------------------------------------------------------------------

_SEAL_BEGINS = b',"seal":"'
_SEAL_LENGTH = len(_SEAL_BEGINS) + 64 + len(b'"}')
_encoder = msgspec.json.Encoder(order="deterministic")


def format_fault(given: int) -> Fault:
    """Return the fault of a record in a format that is not FORMAT."""
    if given in (1, 2):
        return fault(
            "format {given}: Daybook {version} is the last version that reads it", given=given, version=LAST_OF_0
        )
    return fault("format {given}: this Daybook reads format {known}", given=given, known=FORMAT)


class InvalidLineError(UnreadableError):
    """A line that is no sealed event."""


def body_of(event: ChronicleEvent) -> bytes:
    """Return the event's canonical JSON: fields in their order, dict keys sorted, no spaces, UTF-8.

    Raises Refused for an event that a record cannot hold.
    """
    try:
        return _encoder.encode(event)
    except OverflowError:
        refuse_unfit(event)
        raise


def seal_line(body: bytes, previous: str) -> tuple[bytes, str]:
    """Append the seal to a body; return the line and the seal.

    The seal is the SHA-256 of the previous seal's 64 characters and the body. The first event's previous seal is the
    empty text.
    """
    seal = hashlib.sha256(previous.encode() + body).hexdigest()
    return body[:-1] + _SEAL_BEGINS + seal.encode() + b'"}', seal


def unseal_line(line: bytes) -> tuple[bytes, str]:
    """Split a line into its body and its seal. Raises InvalidLineError."""
    start = len(line) - _SEAL_LENGTH
    if start < 1 or line[start : start + len(_SEAL_BEGINS)] != _SEAL_BEGINS or line[-2:] != b'"}':
        raise InvalidLineError("the line does not end with its seal")
    return line[:start] + b"}", seal_of(line)


def seal_of(line: bytes) -> str:
    """Return the seal at the end of a stored line."""
    return line[-66:-2].decode("ascii", "replace")


E = TypeVar("E", bound=ChronicleEvent)


class Decoder(Protocol):
    """Decoder of the events of a record. Raises msgspec.DecodeError."""

    def decode(self, line: bytes, /) -> Any: ...


class Entry(msgspec.Struct, Generic[E], gc=False):
    """A stored event with its game or club, its version, and its line exactly as it is stored.

    The line is decoded when the event is first read.

    originator_version: the step + 1. known: the event of the line; None: decode it on demand.
    """

    originator_id: UUID
    originator_version: int
    line: bytes
    known: E | None = None
    decoder: Decoder | None = None

    @property
    def event(self) -> E:
        """Raises InvalidLineError if the line is no event, or has another place."""
        if self.known is None:
            assert self.decoder is not None, "an entry has its event, or what reads it"
            body, _ = unseal_line(self.line)
            event = decode_event(self.decoder, body)
            check_place(event.step, self)
            self.known = event
        return self.known

    @property
    def step(self) -> int:
        return self.originator_version - 1

    @property
    def seal(self) -> str:
        return seal_of(self.line)

    @property
    def topic(self) -> str:
        """The event's tag; it names the event's type in the log."""
        return tag_of(type(self.event))

    def __eq__(self, another: object) -> bool:
        return isinstance(another, Entry) and (self.originator_id, self.line) == (another.originator_id, another.line)

    __hash__: ClassVar[None]  # type: ignore[assignment]


def seal_entry(record_id: UUID, event: E, previous: str, body: bytes | None = None) -> Entry[E]:
    """Return the next entry, sealed.

    body: the event's body; None: as `body_of` returns it. Raises Refused for an event that a record cannot hold.
    """
    body = body_of(event) if body is None else body
    if _MAY_BE_TOO_LARGE.search(body):
        refuse_unfit(event)
    line, _ = seal_line(body, previous)
    return Entry(record_id, event.step + 1, line, event)


def read_entry_line(decoder: Decoder, record_id: UUID, version: int, line: bytes) -> Entry[Any]:
    """Return the entry of a line, with its event. Raises InvalidLineError if it is invalid or not at `version`."""
    entry: Entry[Any] = Entry(record_id, version, line, None, decoder)
    _ = entry.event
    return entry


def decode_event(decoder: Decoder, line: bytes) -> Any:
    """Decode the event of a line. Raises InvalidLineError."""
    try:
        return decoder.decode(line)
    except msgspec.DecodeError as wrong:
        raise InvalidLineError("{wrong}", wrong=unread(wrong)) from wrong


def check_place(step: int, entry: Entry[Any]) -> None:
    """Raise InvalidLineError if a line names another step than that of its place."""
    if step != entry.step:
        raise InvalidLineError(
            "it says step {step}, but it is in the place of step {place}", step=step, place=entry.step
        )


class BrokenSealError(Exception):
    """A line that differs from the sealed one. fault: the difference."""

    def __init__(self, step: int, fault: Fault) -> None:
        super().__init__(f"step {step}: {fault}")
        self.step = step
        self.fault = fault

    @property
    def says(self) -> str:
        return str(self.fault)


def check_seal(step: int, line: bytes, previous: str) -> tuple[bytes, str]:
    """Return the body and the seal of a step's line. Raises BrokenSealError if the seal does not follow `previous`."""
    try:
        body, seal = unseal_line(line)
    except InvalidLineError as wrong:
        raise BrokenSealError(step, wrong.fault) from wrong
    if seal_line(body, previous)[1] != seal:
        raise BrokenSealError(step, fault("its seal is wrong: this line or the one before it was changed"))
    return body, seal
