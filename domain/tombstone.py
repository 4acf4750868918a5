"""Tombstones: the entry that stays when a game or a club is erased."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel import chronicle
from daybook.domain.kernel.chronicle import ChronicleEvent, Entry, Written, writing_fields
from daybook.domain.kernel.tags import tag_of
from daybook.domain.league.club_events import is_of_club


class Tombstone(ChronicleEvent, kw_only=True):
    """The last entry of an erased record, sealed with the entry before it.

    Args:
        id: of the game or club.
        entries: number of entries that were erased.
        last_seal: seal of the last of them; a receipt of that entry names the same seal.
        why: reason, in the words of the person who erased it.
    """

    id: str
    entries: int
    last_seal: str
    why: str


class GameErased(Tombstone, kw_only=True, tag="game_erased"):
    """The tombstone of a game."""


class ClubErased(Tombstone, kw_only=True, tag="club_erased"):
    """The tombstone of a club."""


TOPICS = (tag_of(GameErased), tag_of(ClubErased))
_LINE_PREFIXES = tuple(f'{{"type":"{topic}"'.encode() for topic in TOPICS)
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(GameErased | ClubErased)


def is_tombstone(line: bytes) -> bool:
    """Check if a stored line is a tombstone."""
    return line.startswith(_LINE_PREFIXES)


def make_tombstone(record_id: UUID, entries: int, last_line: bytes, why: str, written: Written) -> Entry[Tombstone]:
    """Return the tombstone of a record that ends with `last_line`."""
    kind = ClubErased if is_of_club(last_line) else GameErased
    last_seal = chronicle.seal_of(last_line)
    event = kind(
        **writing_fields(written), step=entries, id=str(record_id), entries=entries, last_seal=last_seal, why=why
    )
    return chronicle.seal_entry(record_id, event, last_seal)


def tombstone_entry(record_id: UUID, version: int, line: bytes) -> Entry[Tombstone]:
    """Return the entry of a tombstone's line. Raises InvalidLineError."""
    return chronicle.read_entry_line(_decoder, record_id, version, line)


def read_tombstone(line: bytes) -> Tombstone:
    """Return what a tombstone's line says. Raises InvalidLineError."""
    body, _ = chronicle.unseal_line(line)
    event: Tombstone = chronicle.decode_event(_decoder, body)
    return event
