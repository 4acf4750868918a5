"""Record files in and out of the service: nothing changes on the way, nothing is doubled, nothing is mixed."""

from __future__ import annotations

import io
import json
from uuid import uuid4

import pytest

from daybook.domain.commands import command_of
from daybook.services.clock import later_time, now
from daybook.services.files import import_export, recordfile
from daybook.services.files.audit import audit
from daybook.services.files.examples import EXAMPLES, add_examples
from daybook.services.files.import_export import RecordsDivergeError, export_game, game_id_in, import_file
from daybook.services.files.recordfile import BadFileError, RefusedLineError
from daybook.services.play import recording
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.game_cache import UnknownGameError
from tests.played import write
from tests.services.fixture_files import (
    FIXTURES,
    NAMES,
    bare_file_of,
    file_of,
    played_game,
    put_golden,
    read_fixture,
    reseal_line,
)

pytestmark = pytest.mark.sqlite_suffices

GAME = played_game(9)
FILE = file_of(GAME)


def cut(content: bytes, lines: int) -> bytes:
    return b"".join(content.splitlines(keepends=True)[:lines])


IMPORTED = ("friday-four", "three-stalls", "bankrupt", "three-aviaries", "corrections")


def test_export_gives_back_the_bytes_that_were_brought(book):
    """tests/services/play/test_fixtures.py checks that each of them is read and judged."""
    for path in sorted(FIXTURES.glob("**/*.daybook")):
        content, name = path.read_bytes(), str(path.relative_to(FIXTURES).with_suffix(""))
        if name != "by-hand":
            id = import_file(book, content) if name in IMPORTED else put_golden(book, path)
            assert export_game(book, id) == content, name


def test_a_file_goes_from_one_service_to_the_next(book, tmp_path):
    import_file(book, FILE)
    other = open_daybook(Settings(data=tmp_path / "other"), create=True)
    try:
        id = import_file(other, export_game(book, GAME.id), public=True)
        assert export_game(other, id) == FILE
        kept = other.kept.game(id)
        assert kept is not None
        assert (kept.title, kept.names, kept.public) == ("A game", NAMES[:4], True)
        assert audit(other.games.get(id)).clean
    finally:
        other.close()


def test_importing_again_changes_nothing(book):
    assert import_file(book, FILE) == import_file(book, FILE) == GAME.id
    assert len(book.log.lines(GAME.id)) == len(GAME.entries)
    assert import_file(book, cut(FILE, 20)) == GAME.id  # an older export says nothing new
    assert export_game(book, GAME.id) == FILE


def test_a_longer_file_adds_what_is_missing(book):
    import_file(book, cut(FILE, 20))
    assert book.games.get(GAME.id).step == 18
    import_file(book, FILE)
    assert export_game(book, GAME.id) == FILE
    assert book.games.get(GAME.id).status == "closed"


def test_another_record_of_the_same_game_is_refused(book):
    import_file(book, cut(FILE, 40))
    before = book.log.newest()
    with pytest.raises(RecordsDivergeError) as parted:
        import_file(book, reseal_line(cut(FILE, 30), 20, at="2026-11-20T00:00:00.000Z"))
    assert parted.value.step == 18
    assert "they part at step 18" in str(parted.value)
    assert book.log.newest() == before


def test_what_is_no_record_leaves_nothing_behind(book):
    for content in (b"", b"rubbish\n", cut(FILE, 9) + b"rubbish\n", FILE.replace(b"R1", b"R2", 1)):
        with pytest.raises(BadFileError):
            import_file(book, content)
    with pytest.raises(RefusedLineError):
        import_file(book, cut(bare_file_of(GAME), 20) + b'{"close":{}}\n')
    assert book.log.newest() == 0
    assert book.kept.games() == []


def test_a_bare_file_is_completed(book):
    content = (FIXTURES / "by-hand.daybook").read_bytes()
    id = import_file(book, content)
    assert id == game_id_in(content)
    game = book.games.get(id)
    assert game.status == "closed"
    assert read_fixture(export_game(book, id)).game.seal == game.seal
    assert import_file(book, content) == id
    assert book.games.get(id).seal == game.seal


def test_a_longer_bare_file_continues_the_game(book):
    content = (FIXTURES / "by-hand.daybook").read_bytes()
    id = import_file(book, cut(content, 10))
    first = book.log.lines(id)
    import_file(book, content)
    assert book.log.lines(id)[:10] == first
    assert book.games.get(id).status == "closed"
    lines = content.splitlines(keepends=True)
    with pytest.raises(RecordsDivergeError) as parted:
        import_file(book, b"".join([*lines[:3], lines[4]]))
    assert parted.value.step == 3
    header = json.loads(lines[0]) | {"game": str(id)}
    header["seats"][0]["colour"] = "green"
    with pytest.raises(RecordsDivergeError) as parted:
        import_file(book, json.dumps(header).encode() + b"\n")
    assert parted.value.step == 0


def test_bare_file_extends_a_game_with_keys_like_its_lines(book):
    import_file(book, cut(bare_file_of(GAME), 20))
    command = command_of(GAME.entries[20].event)
    write(book, GAME.id, command, key="line-25")
    import_file(book, bare_file_of(GAME))
    assert book.games.get(GAME.id).document == GAME.document
    assert len(book.games.get(GAME.id).keys) == len(book.games.get(GAME.id).entries)


def test_a_bare_file_continues_a_game_that_was_recorded_here(book):
    import_file(book, cut(FILE, 30))
    import_file(book, bare_file_of(GAME))
    assert book.games.get(GAME.id).document == GAME.document


@pytest.mark.parametrize("line", [2, 20, len(FILE.splitlines())])
def test_a_time_beyond_tomorrow_is_not_taken(book, line):
    with pytest.raises(
        BadFileError, match=f"line {line}: step {line - 2}: 9999-12-31T22:00:00.000Z is later than tomorrow"
    ):
        import_file(book, reseal_line(FILE, line, at="9999-12-31T22:00:00.000Z"))
    assert book.log.newest() == 0
    import_file(book, reseal_line(FILE, line, at=later_time(now(), hours=20)))


def test_a_bare_line_with_a_time_beyond_tomorrow_is_not_taken(book):
    lines = bare_file_of(GAME).splitlines(keepends=True)
    lines[4] = json.dumps(json.loads(lines[4]) | {"at": later_time(now(), days=2)}).encode() + b"\n"
    with pytest.raises(BadFileError, match=r"line 5: step 4: .* is later than tomorrow"):
        import_file(book, b"".join(lines))
    header = json.dumps(json.loads(lines[0]) | {"at": later_time(now(), days=2)}).encode() + b"\n"
    with pytest.raises(BadFileError, match=r"line 1: step 0: .* is later than tomorrow"):
        import_file(book, header)
    assert book.log.newest() == 0


def test_a_device_whose_clock_is_late_takes_a_game(book, monkeypatch):
    monkeypatch.setattr(import_export, "now", lambda: "2001-01-01T00:00:00.000Z")
    import_file(book, FILE, leased=True)


def test_there_must_be_a_game(book):
    with pytest.raises(UnknownGameError):
        export_game(book, uuid4())


@pytest.mark.slow
@pytest.mark.both_databases
def test_a_fresh_service_shows_the_examples(book):
    added = add_examples(book)
    assert len(added) == len(EXAMPLES)
    kept = book.kept.games(public_only=True)
    assert {game.id for game in kept} == set(added)
    assert all(game.title and len(set(game.names)) > 2 for game in kept)
    assert all(book.games.get(id).opening.kind == "practice" for id in added)
    assert add_examples(book) == []


def test_a_name_that_was_put_right_is_exported(book):
    id = import_file(book, FILE)
    names = book.kept.games_of([id])[0].names
    recording.rename_game(book, id, "Another title", ["Bob" if name == "Bo" else name for name in names])
    header = recordfile.read_record_file(io.BytesIO(export_game(book, id)), "").header
    assert (header.title, header.seats[1].name) == ("Another title", "Bob")
    assert export_game(book, id).split(b"\n", 1)[1] == FILE.split(b"\n", 1)[1]


def test_name_is_changed_in_one_game_only(book):
    """A record file may name any person; an import renames no one in other games."""
    theirs, mine = import_file(book, FILE), import_file(book, file_of(played_game(10)))
    recording.rename_game(book, mine, names=["Nobody", *NAMES[1:4]])
    assert book.kept.games_of([theirs, mine])[0].names == NAMES[:4]
    assert book.kept.games_of([mine])[0].names == ("Nobody", *NAMES[1:4])
    recording.rename_game(book, mine, names=["Anna again", *NAMES[1:4]])
    assert book.kept.games_of([mine])[0].names == ("Anna again", *NAMES[1:4])
    assert export_game(book, theirs) == FILE
    assert audit(book.games.get(mine)).clean
