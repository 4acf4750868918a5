"""Signed statement in the header of an exported record file: players by seat, and imported steps.

It is signed with the receipt key, for the names and the record in this file. Other files only bring names
(`services.people.seated`); with this statement, a game returns to its people.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from daybook.domain.kernel.chronicle import seal_of
from daybook.services.files.receipt_keys import (
    BadSigningKeyError,
    ensure_signing_key,
    find_signing_key,
    fits_signature,
    public_half,
    published_keys,
)
from daybook.services.files.recordfile import Header, SeatsSigned, header_line, read_header
from daybook.services.people import seated
from daybook.services.store.daybook import Daybook

SIGNATURE_PREFIX = b"daybook seats\n"  # domain separation: no receipt fits

_encoder = msgspec.json.Encoder(order="deterministic")


def sign_file(book: Daybook, content: bytes) -> bytes:
    """Return the file with a signed statement in its header.

    Unchanged if no one is known and all of it was imported, or if this host cannot sign.
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
        key = ensure_signing_key(book)
    except BadSigningKeyError:
        return content
    signed = SeatsSigned(people, brought, public_half(key))
    signature = key.sign(_signed_content(header, signed, seal_of(lines[-1]))).hex()
    whole = msgspec.structs.replace(header, signed=msgspec.structs.replace(signed, signature=signature))
    return header_line(whole) + content.partition(b"\n")[2]


def verify_seats(book: Daybook, header: Header, seal: str) -> SeatsSigned | None:
    """Return the statement in a header; None if this Daybook did not sign it for these names and this record.

    Args:
        seal: the last one of the file.
    """
    signed = header.signed
    if signed is None or len(signed.people) != len(header.seats) or signed.public_key not in _own_keys(book):
        return None
    return (
        signed if fits_signature(signed.public_key, signed.signature, _signed_content(header, signed, seal)) else None
    )


def _own_keys(book: Daybook) -> set[str]:
    """Return all keys that ever signed here, including one on a host with new tables."""
    keys = {published.public_key for published in published_keys(book)}
    with suppress(BadSigningKeyError):
        key = find_signing_key(book)
        keys |= set() if key is None else {public_half(key)}
    return keys


def _signed_content(header: Header, signed: SeatsSigned, seal: str) -> bytes:
    fields: dict[str, Any] = {
        "game": str(header.game),
        "seal": seal,
        "names": [seat.name for seat in header.seats],
        "people": signed.people,
        "imported_steps": signed.imported_steps,
        "public_key": signed.public_key,
    }
    return SIGNATURE_PREFIX + _encoder.encode(fields)
