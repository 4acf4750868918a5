"""This Daybook's own word, in the header of a record file that it gives out, on who sat in the game and what came here
in files before: signed with the key of receipts, for the names and the record as they stand in this file.

Without it a file brings names alone (`services.people.seated`). With it a game comes back to its people.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from daybook.domain.kernel.chronicle import seal_of
from daybook.services.files.receipt_keys import (
    BadSigningKey,
    find_signing_key,
    fits_signature,
    public_half,
    published_keys,
    signing_key,
)
from daybook.services.files.recordfile import Header, SeatsSigned, header_line, read_header
from daybook.services.people import seated
from daybook.services.store.daybook import Daybook

SIGNED_WITH = b"daybook seats\n"  # before what is signed, so that no receipt can be taken for it

_encoder = msgspec.json.Encoder(order="deterministic")


def sign_file(book: Daybook, content: bytes) -> bytes:
    """A file of a game of here, which says in its header who of this Daybook sits where; as it is, where there is
    nobody and all of it came in a file, and where this host cannot sign.
    """
    first, *lines = content.splitlines()
    header, newest = read_header(first), len(lines) - 1
    game, kept = book.games.get(header.game), book.kept.game(header.game)
    people = [
        "" if person == seated.id_within(game.id, seat) else person
        for seat, person in enumerate(seated.people_of(game, kept))
    ]
    brought = [(first, min(last, newest)) for first, last in (kept.brought if kept else ()) if first <= newest]
    if not any(people) and brought == [(0, newest)]:
        return content
    try:
        key = signing_key(book)
    except BadSigningKey:
        return content
    signed = SeatsSigned(people, brought, public_half(key))
    signature = key.sign(_content(header, signed, seal_of(lines[-1]))).hex()
    whole = msgspec.structs.replace(header, signed=msgspec.structs.replace(signed, signature=signature))
    return header_line(whole) + content.partition(b"\n")[2]


def seats_signed(book: Daybook, header: Header, seal: str) -> SeatsSigned | None:
    """What this Daybook said in a header; None where it is not its word, or was of other names or another record.

    seal: the last one of the file.
    """
    signed = header.signed
    if signed is None or len(signed.people) != len(header.seats) or signed.public_key not in _own_keys(book):
        return None
    return signed if fits_signature(signed.public_key, signed.signature, _content(header, signed, seal)) else None


def _own_keys(book: Daybook) -> set[str]:
    """The keys that ever signed here, and the one of a host whose tables are new."""
    keys = {one.public_key for one in published_keys(book)}
    with suppress(BadSigningKey):
        key = find_signing_key(book)
        keys |= set() if key is None else {public_half(key)}
    return keys


def _content(header: Header, signed: SeatsSigned, seal: str) -> bytes:
    said: dict[str, Any] = {
        "game": str(header.game),
        "seal": seal,
        "names": [seat.name for seat in header.seats],
        "people": signed.people,
        "brought": signed.brought,
        "public_key": signed.public_key,
    }
    return SIGNED_WITH + _encoder.encode(said)
