"""Verifying: whatever was done to a sealed record shows, at the first step it was done to."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.domain.commands import Decide
from daybook.services.files.recordfile import BadFileError
from daybook.services.files.verify import BadReceiptError, SealCheck, verify_file, verify_game, verify_lines
from daybook.services.play.replay import legal_decisions
from tests.played import write
from tests.services.fixture_files import FIXTURES, bare_file_of, file_of, played_game

pytestmark = pytest.mark.sqlite_suffices

GAME = played_game(9, limit=40)
FILE = file_of(GAME)
HEADER, *LINES = FILE.splitlines(keepends=True)
FIRST = len(HEADER)  # where the sealed part begins


def verify_content(content: bytes, receipt: str | None = None) -> SealCheck:
    return verify_file(io.BytesIO(content), receipt)


@pytest.mark.parametrize(
    "file", sorted(FIXTURES.rglob("*.daybook")), ids=lambda path: str(path.relative_to(FIXTURES).with_suffix(""))
)
def test_every_fixture_is_whole(file):
    content = file.read_bytes()  # type: ignore[attr-defined]
    if file.stem == "by-hand":  # type: ignore[attr-defined]
        with pytest.raises(BadFileError, match="carries no seals"):
            verify_content(content)
        return
    found = verify_content(content)
    assert found.intact
    assert found.steps == content.count(b"\n") - 1


@settings(max_examples=300, deadline=None)
@given(st.integers(FIRST, len(FILE) - 2), st.integers(1, 255))
def test_one_altered_byte_shows_at_its_step(place, by):
    altered = bytearray(FILE)
    altered[place] ^= by
    found = verify_content(bytes(altered))
    assert found.broken_at == FILE[FIRST:place].count(b"\n")
    assert found.steps == found.broken_at


@settings(max_examples=60, deadline=None)
@given(st.integers(0, FIRST - 2), st.integers(1, 255))
def test_altered_header_shows_unless_it_is_a_name_or_the_title(place, by):
    altered = bytearray(FILE)
    altered[place] ^= by
    try:
        found = verify_content(bytes(altered))
    except BadFileError as wrong:
        assert wrong.line <= 2
        return
    if found.intact:
        was, now = json.loads(HEADER), json.loads(bytes(altered).splitlines()[0])
        for header in (was, now):
            del header["title"]
            for seat in header["seats"]:
                del seat["name"]
        assert was == now
    else:
        assert found.broken_at == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(LINES) - 2))
def test_a_dropped_line_shows(step):
    found = verify_content(b"".join([HEADER, *LINES[:step], *LINES[step + 1 :]]))
    assert found.broken_at == step


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(LINES) - 2), st.integers(1, len(LINES) - 1))
def test_two_swapped_lines_show(one, other):
    lines = list(LINES)
    other = max(one + 1, other)
    lines[one], lines[other] = lines[other], lines[one]
    assert verify_content(b"".join([HEADER, *lines])).broken_at == one


def test_a_line_that_was_put_in_or_doubled_shows():
    assert verify_content(b"".join([HEADER, *LINES[:9], LINES[8], *LINES[9:]])).broken_at == 9
    other = file_of(played_game(10, limit=40)).splitlines(keepends=True)[10]
    assert verify_content(b"".join([HEADER, *LINES[:9], other, *LINES[9:]])).broken_at == 9


def test_a_cut_end_shows_only_against_the_receipt():
    cut = b"".join([HEADER, *LINES[:-5]])
    assert verify_content(cut).intact
    found = verify_content(cut, GAME.seal)
    assert not found.intact and found.broken_at == len(LINES) - 5
    assert "the end is missing" in found.message


def test_a_receipt_tells_its_step_also_by_its_beginning():
    assert verify_content(FILE, GAME.entries[7].seal).received == 7
    assert verify_content(FILE, GAME.entries[7].seal[:12]).received == 7
    for none in ("0" * 64, GAME.entries[7].seal[1:14]):
        assert verify_content(FILE, none).broken_at == len(LINES)
    for wrong in ("", "abc", "G" * 64, GAME.seal.upper()):
        with pytest.raises(BadReceiptError):
            verify_content(FILE, wrong)


def test_a_bare_file_has_nothing_to_verify():
    with pytest.raises(BadFileError, match="carries no seals"):
        verify_content(bare_file_of(GAME))


def test_the_seals_are_what_the_page_about_the_format_says():
    import hashlib

    seal = ""
    for line in FILE.splitlines()[1:]:
        body, said = line[:-75] + b"}", line[-66:-2].decode()
        seal = hashlib.sha256(seal.encode() + body).hexdigest()
        assert seal == said
    assert seal == GAME.seal


def test_a_stored_game(book, open_table):
    id = open_table()
    for step in range(5):
        game = book.games.get(id)
        seat = game.ruleset.course.to_act(game.board)[0]
        write(book, id, Decide(seat, legal_decisions(book.games.get(id), None, seat)[0]), at=step, key=f"k{step}")
    seal = book.games.get(id).seal
    assert verify_game(book, id, seal) == SealCheck(6, seal, received=5)


def test_no_entries_do_not_hold():
    assert verify_lines([]).broken_at == 0
