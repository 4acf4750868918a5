"""Compression of the log's lines: each on its own by zstd, with one dictionary for all games and clubs.

Dictionaries come with Daybook (`dictionaries/lines-NUMBER.zdict`, made by `tests/dictionaries.py`). One that was released
never changes. The log stores its own copy of each, so that an older Daybook reads what a newer one has compressed, and
backups are complete. The newest dictionary of the log compresses.

One dictionary of 256 KB stores 165 to 256 bytes a step; one dictionary per game stored 132 to 261, and needed the first
line of a game to compress any other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from eventsourcing.persistence import Compressor

from daybook.domain.kernel.chronicle import InvalidLineError

FOLDER = Path(__file__).with_name("dictionaries")
LEVEL = 9  # level 12 saves 7 bytes a line and takes half as long again; higher levels take ten times as long
MAX_LINE_BYTES = 2**21  # more than a record file may have; a frame that claims more is not decompressed
FRAME_MAGIC = b"\x28\xb5\x2f\xfd"  # a zstd frame; a line begins with a brace


@cache
def shipped_dictionaries() -> dict[int, bytes]:
    """Return the dictionaries that come with Daybook, by number; none in a browser."""
    return {int(file.stem.rpartition("-")[2]): file.read_bytes() for file in sorted(FOLDER.glob("*.zdict"))}


class DictionaryCompressor(Compressor):
    """The library's compressor for the lines of one log. Threads may share it.

    A line is stored as it is if the log has no dictionary, as in a browser, which has no zstandard either.

    Args:
        load: returns a dictionary that the log stores, by number.
    """

    def __init__(self, load: Callable[[int], bytes | None]) -> None:
        self.load = load
        self.number = 0  # the dictionary to compress with; 0: none
        self._compressors: dict[int, Any] = {}
        self._decompressors: dict[int, Any] = {}
        self._lock = Lock()  # zstandard's objects must not be used by two threads at once

    def compress(self, data: bytes) -> bytes:
        if not self.number or len(data) > MAX_LINE_BYTES:
            return data
        with self._lock:
            if self.number not in self._compressors:
                self._compressors[self.number] = _make_compressor(self._dictionary(self.number))
            packed: bytes = self._compressors[self.number].compress(data)
        return packed if len(packed) < len(data) else data

    def decompress(self, data: bytes) -> bytes:
        """Return the line of a stored state. Raises InvalidLineError."""
        if data[: len(FRAME_MAGIC)] != FRAME_MAGIC:
            return data
        import zstandard

        try:
            frame = zstandard.get_frame_parameters(data)
            if frame.content_size > MAX_LINE_BYTES:  # an unknown size is a large number, too
                raise InvalidLineError("it is packed, and longer than a line can be")
            with self._lock:
                if frame.dict_id not in self._decompressors:
                    self._decompressors[frame.dict_id] = _make_decompressor(self._dictionary(frame.dict_id))
                line: bytes = self._decompressors[frame.dict_id].decompress(data, allow_extra_data=False)
        except zstandard.ZstdError as wrong:
            raise InvalidLineError("it is packed, and cannot be unpacked: {wrong}", wrong=str(wrong)) from wrong
        return line

    def decompress_if_possible(self, data: bytes) -> bytes:
        """Return the line of a stored state, or the state itself if it is damaged: no reader takes it for a line."""
        try:
            return self.decompress(data)
        except InvalidLineError:
            return data

    def _dictionary(self, number: int) -> bytes:
        """Return a dictionary by number. Raises InvalidLineError."""
        dictionary = shipped_dictionaries().get(number) or self.load(number)
        if dictionary is None:
            raise InvalidLineError(
                "it is packed with dictionary {number}, which neither this Daybook nor its log has: install the newest "
                "Daybook, or restore a backup",
                number=number,
            )
        return dictionary


# zstandard is imported where it is used: a browser has none.


def _make_compressor(dictionary: bytes) -> Any:
    import zstandard

    content = _precomputed(dictionary)
    return zstandard.ZstdCompressor(level=LEVEL, dict_data=content, write_checksum=False)  # a line has its seal


@lru_cache(maxsize=4)
def _precomputed(dictionary: bytes) -> Any:
    """Return the tables of a dictionary, which compressors of several logs only read."""
    import zstandard

    content = zstandard.ZstdCompressionDict(dictionary)
    content.precompute_compress(level=LEVEL)
    return content


def _make_decompressor(dictionary: bytes) -> Any:
    import zstandard

    return zstandard.ZstdDecompressor(
        dict_data=zstandard.ZstdCompressionDict(dictionary), max_window_size=MAX_LINE_BYTES
    )
