"""The cache of games: as many as fit; others are folded again."""

from __future__ import annotations

import pytest

from daybook.domain import entries
from daybook.domain.commands import Note
from daybook.domain.kernel.chronicle import Written
from daybook.services.store.game_cache import Games
from tests.played import write

pytestmark = pytest.mark.sqlite_suffices


def test_games_have_room_by_the_bytes_of_their_lines(book, open_table):
    ids = [open_table() for _ in range(5)]
    sizes = [sum(map(len, book.log.lines(id))) for id in ids]
    games = Games(book.log, room=sum(sizes[:3]))
    folded = [games.get(id) for id in ids]
    assert [game.size for game in folded] == sizes
    assert [games.cache.get(id) is not None for id in ids] == [False, False, True, True, True]
    assert games.get(ids[0]).seal == folded[0].seal, "it is folded anew"
    assert games.cache.get(ids[2]) is None, "the one that was asked for longest ago has made room"
    assert games.get(ids[0]) is games.get(ids[0])


def test_game_that_outgrows_the_cache_is_dropped_in_every_state(book, open_table):
    id = open_table()
    games = Games(book.log, room=book.games.get(id).size + 100)
    assert games.get(id) is games.get(id)
    write(book, id, Note(0, "a long evening " * 20))
    assert games.get(id).step == 1
    assert games.cache.get(id) is None
    write(book, id, Note(0, "and longer"))
    assert games.get(id).step == 2


def test_keys_are_found_however_long_a_record_is(book, open_table):
    id = open_table()
    for step in range(1, 201):
        write(book, id, Note(0, str(step)), key=f"note-{step}")
    game = book.games.get(id)
    assert [game.keys[f"note-{step}"] for step in range(1, 201)] == [*range(1, 201)]
    earlier = game.twin()
    later = game.then(entries.note(game, Note(0, "later"), Written("2026-11-20T19:30:00.000Z", "scorekeeper", "later")))
    assert "later" in later.keys and "later" not in game.keys and "later" not in earlier.keys
    assert write(book, id, Note(0, "7"), key="note-7").step == 7
