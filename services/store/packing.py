"""Packs the lines of the log: each on its own, by zstd, with a dictionary of what the lines of its game have in common.

What is stored is a plain zstd frame, which names its dictionary and the size of the line. A line is stored as it is
where the log has no dictionary of its game (somebody else's, a club, a device, a log of before there were any), and
where a frame would be no smaller; both are read for ever, in one game beside one another. Seals, files and everything
above the log know of lines alone.

Dictionaries come with Daybook (`dictionaries/GAME-NUMBER.zdict`, made by `tests/dictionaries.py`), and are for ever:
one that was released never changes. The log keeps its own copy of each from the first start on, so that a backup has
what it is read with, and an older Daybook reads what a newer one packed. The newest in the log is packed with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import UUID

import msgspec
from cachetools import LRUCache

from daybook.domain.kernel.chronicle import BadLine
from daybook.domain.kernel.frozen import Frozen

FOLDER = Path(__file__).with_name("dictionaries")
LEVEL = 9  # at 12 lines take 7 bytes less, and half as long again; the levels above take ten times as long
LONGEST = 2**21  # bytes of a line that is packed: more than a record file may have, and no bomb
FRAME = b"\x28\xb5\x2f\xfd"  # how each begins; a line begins with a brace
HEAD = len(FRAME) + 3  # with a byte that says how much is told, and a dictionary's number in two
OF_SHORT = b"\x22\x62"  # that byte where the size of the line is told in one or two bytes, and no window is
GAMES = 20_000  # of which is known what they are packed with


class Dictionary(Frozen):
    """What the lines of a game have in common. number: by which a frame names it, one of all games' together."""

    number: int
    ruleset: str
    content: bytes


class _Opening(msgspec.Struct):
    """What is read of a first line; a club's names no ruleset."""

    ruleset: str = ""


@cache
def shipped_dictionaries() -> dict[int, Dictionary]:
    """Those that come with Daybook, by number; none in a browser."""
    found = {}
    for file in sorted(FOLDER.glob("*.zdict")):
        ruleset, _, number = file.stem.rpartition("-")
        found[int(number)] = Dictionary(int(number), ruleset, file.read_bytes())
    return found


class Packing:
    """Packs and unpacks the lines of one log. Threads may share it.

    find: a dictionary that the log has, by number. opening: the first line of a game or club; None where there is none.
    """

    def __init__(self, find: Callable[[int], Dictionary | None], opening: Callable[[UUID], bytes | None]) -> None:
        self.find = find
        self.opening = opening
        self._newest: dict[str, int] = {}  # number by ruleset
        self._used: LRUCache[UUID, int] = LRUCache(GAMES)  # number by game, 0 for none
        self._packers: dict[int, Any] = {}
        self._unpackers: dict[int, Any] = {}
        self._short: dict[bytes, Any] = {}  # what unpacks, by the head of short lines' frames
        self._lock = Lock()  # neither may be used by two threads at once

    def pack_with(self, had: Iterable[tuple[int, str]]) -> None:
        """Pack with the newest of these from now on: numbers and rulesets of the dictionaries that the log has."""
        self._newest = {ruleset: number for number, ruleset in sorted(had)}

    # --- writing ---

    def pack(self, id: UUID, version: int, line: bytes) -> bytes:
        """What is to be stored for a line of a game or a club."""
        number = self._number_for(id, line if version == 1 else None)
        if not number or len(line) > LONGEST:
            return line
        with self._lock:
            if number not in self._packers:
                self._packers[number] = _packer(self._dictionary(number))
            packed: bytes = self._packers[number].compress(line)
        return packed if len(packed) < len(line) else line

    def _number_for(self, id: UUID, first: bytes | None) -> int:
        """The dictionary to pack with; 0 for none. first: the opening, where it is at hand."""
        if not self._newest:
            return 0
        with self._lock:
            number = self._used.get(id)
        if number is None:
            first = first or self.opening(id)
            if first is None:  # nothing is written after what is not there
                return 0
            number = self._newest.get(_ruleset_of(first), 0)
            with self._lock:
                self._used[id] = number
        return number

    # --- reading ---

    def unpack_all(self, stored: Sequence[bytes]) -> list[bytes]:
        """The lines of what is stored. Raises BadLine."""
        if self._short:
            import zstandard

            known = self._short.get
            with suppress(zstandard.ZstdError), self._lock:  # then one after the other, which says what is wrong
                return [
                    unpacked(one, 0, False, False) if (unpacked := known(one[:HEAD])) else self._unpack(one)
                    for one in stored
                ]
        with self._lock:
            return list(map(self._unpack, stored))

    def lines_of(self, stored: Sequence[bytes]) -> list[bytes]:
        """The same; what cannot be unpacked is handed out as it is stored, which is no line to anybody."""
        try:
            return self.unpack_all(stored)
        except BadLine:
            return list(map(self._line_of, stored))

    def _line_of(self, stored: bytes) -> bytes:
        try:
            return self.unpack_all([stored])[0]
        except BadLine:
            return stored

    def _unpack(self, stored: bytes) -> bytes:
        if stored[: len(FRAME)] != FRAME:
            return stored
        import zstandard

        try:
            head = zstandard.get_frame_parameters(stored)
            if head.content_size > LONGEST:  # or not told, which is a large number too
                raise BadLine("it is packed, and longer than a line can be")
            if head.dict_id not in self._unpackers:
                self._unpackers[head.dict_id] = _unpacker(self._dictionary(head.dict_id))
            line: bytes = self._unpackers[head.dict_id].decompress(stored, allow_extra_data=False)
        except zstandard.ZstdError as wrong:
            raise BadLine("it is packed, and cannot be unpacked: {wrong}", wrong=str(wrong)) from wrong
        if stored[len(FRAME)] in OF_SHORT:
            self._short[stored[:HEAD]] = self._unpackers[head.dict_id].decompress
        return line

    def _dictionary(self, number: int) -> Dictionary:
        found = shipped_dictionaries().get(number) or self.find(number)
        if found is None:
            raise BadLine(
                "it is packed with dictionary {number}, which neither this Daybook nor its log has: install the newest "
                "Daybook, or restore a backup",
                number=number,
            )
        return found


# zstandard is imported where it is used: a browser has none, and packs nothing.


def refuse_packed(line: bytes) -> None:
    """Raises BadLine for what `lines_of` could not unpack."""
    if line.startswith(FRAME):
        number = int.from_bytes(line[HEAD - 2 : HEAD], "little")
        raise BadLine(
            "it is packed with dictionary {number} and cannot be unpacked: it was damaged, or a newer Daybook packed it, "
            "which is to be installed",
            number=number,
        )


_openings = msgspec.json.Decoder(_Opening)


def _ruleset_of(line: bytes) -> str:
    """The ruleset of a game, from its first line; empty where that names none, or cannot be read."""
    try:
        return _openings.decode(line).ruleset
    except msgspec.DecodeError:
        return ""


def _packer(dictionary: Dictionary) -> Any:
    import zstandard

    content = zstandard.ZstdCompressionDict(dictionary.content)
    content.precompute_compress(level=LEVEL)
    return zstandard.ZstdCompressor(level=LEVEL, dict_data=content, write_checksum=False)  # a line has its seal


def _unpacker(dictionary: Dictionary) -> Any:
    import zstandard

    return zstandard.ZstdDecompressor(
        dict_data=zstandard.ZstdCompressionDict(dictionary.content), max_window_size=LONGEST
    )
