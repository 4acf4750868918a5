"""Files that can be made again: bounded, the oldest out first, and never half of one."""

from __future__ import annotations

import os

import pytest

from daybook.services.store.file_cache import HASH_BYTES, FileCache


def keep_in_turn(cache: FileCache, *names: str) -> None:
    for at, name in enumerate(names):
        cache.keep(name, b"x" * 100)
        os.utime(cache.folder / name, (at, at))


def test_oldest_goes_first_and_takes_what_a_killed_process_left(tmp_path):
    cache = FileCache(tmp_path / "kept", 3 * (100 + HASH_BYTES))
    keep_in_turn(cache, "a")
    (cache.folder / ".draft").write_bytes(b"x")
    os.utime(cache.folder / ".draft", (0, 0))
    keep_in_turn(cache, "b", "c", "d")
    assert {file.name for file in cache.folder.iterdir()} == {"b", "c", "d"}
    assert cache.get("a") is None
    assert cache.get("d") == b"x" * 100


@pytest.mark.parametrize("stored", [b"", b"short", b"y" * HASH_BYTES + b"x" * 100])
def test_half_a_file_is_none(tmp_path, stored):
    (tmp_path / "a").write_bytes(stored)
    assert FileCache(tmp_path, 1000).get("a") is None


def test_where_nothing_can_be_written_it_is_made_each_time(tmp_path):
    (tmp_path / "kept").write_text("no folder")
    cache = FileCache(tmp_path / "kept", 1000)
    assert cache.keep("a", b"made") == b"made"
    assert cache.get("a") is None
