"""The library's mapper for entries of games and clubs."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent

from daybook.domain.kernel import chronicle, events
from daybook.domain.kernel.events import Entry
from daybook.domain.league import club_events
from daybook.domain.league.club_events import ClubEntry, is_of_club
from daybook.domain.tombstone import Tombstone, is_tombstone, tombstone_entry
from daybook.services.store.compression import DictionaryCompressor

AnyEntry = Entry | ClubEntry | chronicle.Entry[Tombstone]


class EntryMapper(Mapper[UUID]):
    """Store an entry as its line under the tag of its event.

    Both methods replace the library's, which would encode the fields again under the name of a Python class. A seal
    covers the exact bytes of its line, and a tag never changes.
    """

    compressor: DictionaryCompressor

    def __init__(self, compressor: DictionaryCompressor) -> None:
        self.compressor = compressor  # no transcoder: the line is encoded when it is sealed

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        entry = cast(AnyEntry, domain_event)
        state = self.compressor.compress(entry.line)
        return StoredEvent(entry.originator_id, entry.originator_version, entry.topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> AnyEntry:
        """Return the entry of a stored event; a game's event is decoded at first use. Raises InvalidLineError."""
        line = self.compressor.decompress(stored_event.state)
        originator_id, version = cast(UUID, stored_event.originator_id), stored_event.originator_version
        if is_tombstone(line):
            return tombstone_entry(originator_id, version, line)
        if is_of_club(line):
            return club_events.read_line(originator_id, version, line)
        return events.stored_entry(originator_id, version, line)
