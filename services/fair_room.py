"""Limited room for streams and uploads, shared fairly by addresses, and within an address by holders.

If the room is full, a newcomer that has less replaces the oldest entry of the largest holder at the largest address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Entry:
    """A stream or an upload that takes room. end: called when another takes its room."""

    address: str
    holder: str
    is_named: bool
    size: int
    end: Callable[[], object]

    @property
    def share(self) -> tuple[str, ...]:
        return ("named", self.holder) if self.is_named else ("unnamed", self.address, self.holder)

    @property
    def at(self) -> tuple[str, ...]:
        """Key of the account of the entry's address."""
        return ("named at",) if self.is_named else ("unnamed at", self.address)


@dataclass(slots=True)
class FairRoom:
    """Room in units such as streams or bytes.

    size: in total. per_named: for one holder with an account or a link. per_unnamed: for one without, such as a
    browser. per_address: for all of the latter at one address.
    """

    size: int
    per_named: int
    per_unnamed: int
    per_address: int
    _entries: dict[Entry, None] = field(default_factory=dict)  # the oldest first
    _used: Counter[tuple[str, ...]] = field(default_factory=Counter)  # in total, by holder, and by address if unnamed

    def enter(self, address: str, holder: str, is_named: bool, size: int, end: Callable[[], object]) -> Entry | None:
        """Take room; None if this holder has no more, or no one else has more."""
        entry = Entry(address, holder, is_named, size, end)
        if self._used[entry.share] + size > (self.per_named if is_named else self.per_unnamed):
            return None
        if not is_named and not self._make_room(entry, self.per_address, entry.at):
            return None
        if not self._make_room(entry, self.size, ()):
            return None
        self._entries[entry] = None
        self._note(entry, size)
        return entry

    def leave(self, entry: Entry) -> None:
        """Give room back; a second time changes nothing."""
        if entry in self._entries:
            del self._entries[entry]
            self._note(entry, -entry.size)

    def used(self) -> int:
        """Return how much room is taken."""
        return self._used[()]

    def _note(self, entry: Entry, size: int) -> None:
        for share in ((), entry.share, entry.at):
            self._used[share] += size
            if not self._used[share]:
                del self._used[share]

    def _make_room(self, entry: Entry, limit: int, within: tuple[str, ...]) -> bool:
        """End older entries until the new one fits in; False if its holder would then have more than they had.

        within: the entries that share this limit, by `Entry.at`; empty: all.
        """
        used = self._used[within]
        if used + entry.size <= limit:
            return True
        others = [entered for entered in self._entries if within in ((), entered.at)]
        ended: list[Entry] = []
        while used + entry.size > limit:
            victim = _oldest_of_largest([candidate for candidate in others if candidate not in ended])
            if victim is None or not _has_less(entry, victim, others):
                return False
            ended.append(victim)
            used -= victim.size
        for victim in ended:
            self.leave(victim)
            victim.end()
        return True


def _has_less(entry: Entry, victim: Entry, entries: Iterable[Entry]) -> bool:
    """Check if a newcomer has less with its entry than the victim has now."""
    if entry.address != victim.address:
        totals = _totals(entries, lambda item: item.address)
        return totals[entry.address] + entry.size < totals[victim.address]
    totals = _totals(entries, lambda item: item.holder)
    return totals[entry.holder] + entry.size < totals[victim.holder]


def _totals(entries: Iterable[Entry], key: Callable[[Entry], str]) -> Counter[str]:
    totals = Counter[str]()
    for entry in entries:
        totals[key(entry)] += entry.size
    return totals


def _oldest_of_largest(entries: list[Entry]) -> Entry | None:
    """Return the oldest entry of the largest holder at the largest address."""
    if not entries:
        return None
    (address, _), *_ = _totals(entries, lambda item: item.address).most_common(1)
    at_address = [item for item in entries if item.address == address]
    (holder, _), *_ = _totals(at_address, lambda item: item.holder).most_common(1)
    return next(item for item in at_address if item.holder == holder)
